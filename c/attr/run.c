#include "attr/run.h"

#include <stdlib.h>

#include "attr/eval_ask.h"
#include "attr/match.h"
#include "attr/run_core.h"

/* One evaluation or match: the core again and again, with more room and more answers. */
struct run {
    struct attrs *t;
    const struct attr_node *node;
    const struct attr_env *env;
    struct {
        struct attr_answer *a;
        int n, cap;
    } answer;
    int asks; /* how often instances were asked for */
};

static bool is_id(const struct attrs *t, int a)
{
    return a >= 0 && a < t->node.n;
}

/* What the core requires of its caller: ids, and the symbols in scope with two entries more. */
static bool run_start(struct run *r, struct attrs *t, const struct attr_node *node, const struct attr_env *env)
{
    struct values *vs = t->values;

    *r = (struct run){ .t = t, .node = node, .env = env };
    if (!attr_ids_ok(env->slot, env->n, vs->n) || !attr_ids_ok(env->symbol, env->nsymbol, vs->n))
        return false;
    return vs->capsymbol >= t->nsymbol + 2 ||
           mem_grow(vs->mem, (void **)(void *)&vs->symbol, &vs->capsymbol, t->nsymbol + 2, sizeof *vs->symbol);
}

/* The arrays the core works on. */
static struct attr_view run_view(const struct run *r)
{
    const struct attrs *t = r->t;
    struct attr_view w = { .node = r->node, .kid = t->kid.a, .slot = r->env->slot, .symbol = t->values->symbol,
                           .answer = r->answer.a, .n = t->node.n, .nkid = t->kid.n, .nslot = r->env->n,
                           .nsymbol = t->nsymbol, .nanswer = r->answer.n };

    attr_put_symbols(w.symbol, t->nsymbol, r->env->symbol, r->env->nsymbol, t->values->n);
    return w;
}

static int by_key(const void *p, const void *q)
{
    return attr_answer_order(p, q);
}

static bool put_answer(struct run *r, int slot, long k, int id)
{
    if (!vec_room(r->t->mem, &r->answer, 1))
        return false;
    r->answer.a[r->answer.n++] = attr_answer_of(slot, k, id);
    return true;
}

/* Instance k of the slot, and the ones behind it that were not asked for yet, as far as there are any, twice as many each
   time: restarts are rare then. */
static bool ask_instances(struct run *r, int slot, long k)
{
    const struct attr_slot *s = &r->t->slot.a[slot];
    int known = r->answer.n, more = r->asks < 16 ? 1 << r->asks++ : 1 << 16;
    enum attr_result res;
    int id;

    for (; more > 0; more--, k++) {
        id = -1;
        res = r->env->inst ? r->env->inst(r->env->ctx, s->pattern, k, s->label, &id) : ATTR_STUCK;
        if (res == ATTR_FULL || (res == ATTR_VALUE && (id < 0 || id >= r->t->values->n)))
            return r->answer.n > known;
        if (!put_answer(r, slot, k, res == ATTR_VALUE ? id : -1))
            return false;
        if (res != ATTR_VALUE || k == INT64_MAX ||
            attr_answer_find(r->answer.a, known, (unsigned long)slot + 1, (unsigned long)k + 1) >= 0)
            break;
    }
    return true;
}

/* Asks what the core wants to know; false when memory or a limit is exceeded. */
static bool run_ask(struct run *r)
{
    const unsigned long *wanted = r->t->values->symbol + r->t->nsymbol;
    int slot = (int)(wanted[0]) - 1;
    long k = (long)wanted[1];
    bool ok;

    if (slot >= 0)
        ok = ask_instances(r, slot, k);
    else
        ok = put_answer(r, -1, k, r->env->taken ? r->env->taken(r->env->ctx, (int)k) : -1);
    if (ok)
        qsort(r->answer.a, (size_t)r->answer.n, sizeof *r->answer.a, by_key);
    return ok;
}

enum attr_result attr_run_eval(struct attrs *t, const struct attr_node *node, const struct attr_env *env, int a, int *out)
{
    struct values *vs = t->values;
    struct value_step s = { .code = STEP_LIMIT };
    struct run r;

    if (is_id(t, a) && run_start(&r, t, node, env)) {
        do
            s = attr_eval_core(run_view(&r), *vs, 0, a);
        while (s.code == STEP_ASK ? run_ask(&r) : s.code == STEP_ROOM && values_enlarge(vs));
        mem_free(r.answer.a);
    }
    if (s.code == STEP_STUCK)
        return ATTR_STUCK;
    if (s.code != STEP_DONE)
        return ATTR_FULL;
    vs->n = s.n;
    vs->npool = s.npool;
    *out = s.id;
    return ATTR_VALUE;
}

enum attr_result attr_eval(struct attrs *t, const struct attr_env *env, int a, int *out)
{
    return attr_run_eval(t, t->node.a, env, a, out);
}

enum attr_result attr_match(struct attrs *t, const struct attr_env *env, int a, int value, bool *yes)
{
    int c = MATCH_LIMIT;
    struct run r;

    if (is_id(t, a) && value >= 0 && value < t->values->n && run_start(&r, t, t->node.a, env)) {
        do
            c = attr_match_core(run_view(&r), *t->values, a, value);
        while (c == MATCH_ASK ? run_ask(&r) : c == MATCH_ROOM && values_enlarge(t->values));
        mem_free(r.answer.a);
    }
    if (c != MATCH_YES && c != MATCH_NO)
        return ATTR_FULL;
    *yes = c == MATCH_YES;
    return ATTR_VALUE;
}
