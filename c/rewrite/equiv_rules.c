/* Rewriting of two models until their outputs are the same terms: everything that proved rules make of either on the way is
   added to the terms of its outputs. Which rules are tried, in which order, decides what is found, not whether it is right. */
#include "rewrite/equiv_internal.h"

#include <string.h>

#include "rewrite/library.h"
#include "tensor/op.h"

enum { SNAPSHOTS = 100 }; /* graphs between two rules' turns, of one rewriting, that become terms */
#define SNAPSHOT_BYTES ((size_t)32 << 20) /* larger constants are not hashed again at every turn */

void equiv_tell(const struct state *s, const char *stage)
{
    if (s->o->progress)
        s->o->progress(s->o->ctx, stage);
}

bool equiv_output(const struct state *s, int k)
{
    return terms_class(&s->t, s->side[0].output[k]) == terms_class(&s->t, s->side[1].output[k]);
}

bool equiv_all(const struct state *s)
{
    bool all = true;

    for (int k = 0; k < s->r->outputs; k++)
        all = all && equiv_output(s, k);
    return all;
}

/* Adds the graph, which computes the outputs of the side. */
static enum calque_status add(struct state *s, const struct side *p, const struct graph *g)
{
    int *map = mem_zero(g->mem, (size_t)g->node.n + 1, sizeof *map);
    enum calque_status st = map ? terms_add(&s->t, g, p->input, map, s->d) : diag_nomem(s->d);

    for (int k = 0; k < s->r->outputs && st == CALQUE_OK; k++)
        terms_join(&s->t, p->output[k], map[g->output.a[p->from[k]].node]);
    mem_free(map);
    return st;
}

struct snapshots {
    struct state *s;
    const struct side *p;
    int left;
};

static enum calque_status snapshot(void *ctx, const struct graph *g, int rule, struct diag *d)
{
    struct snapshots *x = ctx;

    (void)rule;
    (void)d; /* the state's, which is the same */
    return x->left-- > 0 ? add(x->s, x->p, g) : CALQUE_OK;
}

static size_t constants(const struct graph *g)
{
    size_t n = 0;

    for (int i = 0; i < g->tensor.n; i++)
        n += g->tensor.a[i].bytes;
    return n;
}

/* Is the name in a list "rule=count,.."? */
static bool is_named(const char *list, const char *name)
{
    size_t n = strlen(name);

    for (; *list; list += list[strcspn(list, ",")] == ',' ? strcspn(list, ",") + 1 : strcspn(list, ","))
        if (strncmp(list, name, n) == 0 && strcspn(list, "=,") == n)
            return true;
    return false;
}

/* The proved rules of the sets, exact ones or all, but for those that applied[] says were applied (NULL: none is left out); of
   these those that are named in a list (a string id; -1: all). */
static enum calque_status pick_rules(struct state *s, const char *sets, bool exact, const long *applied, int named, struct rules *rules)
{
    const struct graph *a = s->side[0].g;
    const bool wanted[RULE_CLASSES] = {[RULE_EXACT] = true};
    enum calque_status st;
    int n = 0;

    rules_init(rules, a->mem, a->strs, a->values);
    st = library_parse(rules, sets, s->d);
    if (st == CALQUE_OK && exact)
        st = library_keep_classes(rules, wanted, s->d);
    for (int k = 0; k < rules->rule.n; k++) {
        const char *name = rules_name(rules, k);
        if (!library_theorem(rules, k) || (applied && applied[rules_find(&s->r->rules, name)]) ||
            (named >= 0 && !is_named(strs_text(a->strs, named), name)))
            rule_free(&rules->rule.a[k]);
        else
            rules->rule.a[n++] = rules->rule.a[k];
    }
    rules->rule.n = n;
    return st;
}

/* Rewrites a copy of the side's model by the rules, or only by number only - 1 of them, and adds what comes of it. */
static enum calque_status normalise(struct state *s, int which, const struct rules *rules, int only, bool no_fold)
{
    const struct side *p = &s->side[which];
    struct snapshots x = {.s = s, .p = p, .left = constants(p->g) > SNAPSHOT_BYTES ? 0 : SNAPSHOTS};
    struct rewrite_options ro = {.threads = s->o->threads, .only = only, .no_fold = no_fold, .after = snapshot, .ctx = &x};
    struct rewrite_stats stats = {0};
    struct graph g;
    enum calque_status st;
    int class;

    graph_init(&g, p->g->mem, p->g->strs, p->g->values);
    st = graph_copy(p->g, &g, s->d);
    if (st == CALQUE_OK)
        st = rewrite_stats_init(&stats, rules, s->d);
    if (st == CALQUE_OK)
        st = rewrite_fix(&g, rules, &ro, &stats, s->d);
    if (st == CALQUE_LIMIT && stats.out_of_fuel)
        st = CALQUE_OK;
    if (st == CALQUE_OK)
        st = add(s, p, &g);
    if (st == CALQUE_OK) {
        class = rewrite_class(rules, &stats);
        s->r->class = class > s->r->class ? class : s->r->class;
        for (int k = 0; k < stats.rules; k++)
            s->r->applied[which][rules_find(&s->r->rules, rules_name(rules, k))] += stats.rule[k].applied;
        for (int op = 0; op < OP_COUNT; op++)
            s->r->folds += stats.fold.count[op];
    }
    rewrite_stats_free(&stats);
    graph_free(&g);
    return st;
}

static enum calque_status normalise_both(struct state *s, const struct rules *rules, int only, bool no_fold)
{
    enum calque_status st = CALQUE_OK;

    for (int i = 0; i < 2 && st == CALQUE_OK; i++)
        st = normalise(s, i, rules, only, no_fold);
    return st == CALQUE_OK ? terms_close(&s->t, s->d) : st;
}

/* Both, by each rule alone that was applied before; left[i] tells which of them were applied to the other model: what made
   that one may have left these out. */
static enum calque_status rewrite_alone(struct state *s, const struct rules *rules, long *const left[2])
{
    struct equiv *r = s->r;
    enum calque_status st = CALQUE_OK;

    for (int i = 0; i < rules->rule.n && st == CALQUE_OK && !equiv_all(s); i++) {
        int all = rules_find(&r->rules, rules_name(rules, i));
        const long before[] = {r->applied[0][all], r->applied[1][all]};
        if (before[0] + before[1] == 0)
            continue;
        equiv_tell(s, rules_name(rules, i));
        st = normalise_both(s, rules, i + 1, false);
        if (st == CALQUE_OK && !equiv_all(s))
            st = normalise_both(s, rules, i + 1, true);
        for (int k = 0; k < 2; k++)
            left[1 - k][all] = r->applied[k][all] - before[k];
    }
    return st;
}

/* Either by the rules that the other one says it was rewritten by (rewrite_record), which is no more than a hint. */
static enum calque_status replay(struct state *s, bool exact)
{
    enum calque_status st = CALQUE_OK;

    for (int k = 0; k < 4 && st == CALQUE_OK && !equiv_all(s); k++) {
        int named = s->side[k % 2].g->rules;
        struct rules rules;
        if (named < 0)
            continue;
        st = pick_rules(s, "all", exact, NULL, named, &rules);
        if (st == CALQUE_OK)
            st = normalise(s, 1 - k % 2, &rules, 0, k >= 2);
        if (st == CALQUE_OK)
            st = terms_close(&s->t, s->d);
        rules_free(&rules);
    }
    return st;
}

/* One model by all rules but those, and then but for one more, of each that was applied. */
static enum calque_status rewrite_without(struct state *s, int which, bool exact, long *left)
{
    const struct equiv *r = s->r;
    size_t n = (size_t)r->rules.rule.n;
    long *before = mem_zero(r->mem, n + 1, sizeof *before);
    enum calque_status st = before ? CALQUE_OK : diag_nomem(s->d);

    if (before)
        memcpy(before, r->applied[which], n * sizeof *before);
    for (int one = -1; one < (int)n && st == CALQUE_OK && !equiv_all(s); one++) {
        struct rules rules;
        if (one >= 0 && before[one] == 0)
            continue;
        if (one >= 0)
            left[one]++;
        st = pick_rules(s, "all", exact, left, -1, &rules);
        if (st == CALQUE_OK)
            st = normalise(s, which, &rules, 0, false);
        if (st == CALQUE_OK)
            st = terms_close(&s->t, s->d);
        rules_free(&rules);
        for (size_t k = 0; k < n && one < 0; k++) /* from now on those that were applied now */
            before[k] = r->applied[which][k] - before[k];
        if (one >= 0)
            left[one]--;
    }
    mem_free(before);
    return st;
}

enum calque_status equiv_rewrite(struct state *s, bool exact)
{
    static const char *const sets[] = {"standard", "standard,merge", "standard,lower", "all", "all"}; /* the last without folding */
    const size_t last = sizeof sets / sizeof *sets - 1, n = (size_t)s->r->rules.rule.n + 1;
    long *left[2] = {mem_zero(s->r->mem, n, sizeof(long)), mem_zero(s->r->mem, n, sizeof(long))};
    enum calque_status st = left[0] && left[1] ? terms_close(&s->t, s->d) : diag_nomem(s->d);
    struct rules rules;

    equiv_tell(s, exact ? "exact rules" : "all proved rules");
    if (st == CALQUE_OK)
        st = replay(s, exact);
    for (size_t k = 0; k <= last && st == CALQUE_OK && !equiv_all(s); k++) {
        st = pick_rules(s, sets[k], exact, NULL, -1, &rules);
        if (st == CALQUE_OK)
            st = normalise_both(s, &rules, 0, k == last);
        if (st == CALQUE_OK && k == last)
            st = rewrite_alone(s, &rules, left);
        rules_free(&rules);
    }
    for (int i = 0; i < 2 && st == CALQUE_OK && !equiv_all(s); i++)
        st = rewrite_without(s, i, exact, left[i]);
    mem_free(left[0]);
    mem_free(left[1]);
    return st;
}
