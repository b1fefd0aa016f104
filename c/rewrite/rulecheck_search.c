/* The search: first systematically, graphs in the order of how many choices differ from the smallest ones; then at
   random. */
#include "pattern/unknown.h"
#include "rewrite/rulecheck_internal.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SOUND_AFTER = 200, SOUND_MOST_DISCARDED = 40000, SOUND_WALK = 40000 };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool room(struct search *q)
{
    struct maker *k = &q->k;
    struct mem *mem = q->rs->mem;
    size_t n = (size_t)k->r->pattern.n + 1;

    k->one = mem_zero(mem, n, sizeof *k->one);
    k->many = mem_zero(mem, n * MAKE_INSTANCES, sizeof *k->many);
    k->length = mem_zero(mem, n, sizeof *k->length);
    k->taken = mem_zero(mem, n, sizeof *k->taken);
    k->op = mem_zero(mem, n, sizeof *k->op);
    k->env.slot = mem_zero(mem, (size_t)k->r->attrs.slot.n + 1, sizeof *k->env.slot);
    k->env.nsymbol = k->r->attrs.nsymbol;
    k->env.symbol = mem_zero(mem, (size_t)k->env.nsymbol + 1, sizeof *k->env.symbol);
    k->positive = mem_zero(mem, MAKE_NODES, sizeof *k->positive);
    return k->one && k->many && k->length && k->taken && k->op && k->env.slot && k->env.symbol && k->positive;
}

static void free_room(struct maker *k)
{
    mem_free(k->one);
    mem_free(k->many);
    mem_free(k->length);
    mem_free(k->taken);
    mem_free(k->op);
    mem_free(k->env.slot);
    mem_free(k->env.symbol);
    mem_free(k->positive);
}

/* A graph for the choices of k: false when there is none (or no memory). */
static bool new_graph(struct search *q, struct graph *g, unsigned long try)
{
    struct maker *k = &q->k;
    int n = k->r->pattern.n;

    graph_init(g, q->rs->mem, q->rs->strs, q->rs->values);
    g->opset = 17;
    k->g = g;
    k->rng = (q->o->seed * 0x2545f4914f6cdd1dUL + (unsigned long)q->rule) * 0x9e3779b97f4a7c15UL +
             try * 0xd1342543de82ef95UL;
    k->tape.n = 0;
    k->integers = k->r->class == RULE_RING;
    k->depth = 0;
    for (int p = 0; p < n; p++)
        k->one[p] = MAKE_UNSET;
    for (int j = 0; j < n * MAKE_INSTANCES; j++)
        k->many[j] = MAKE_UNSET;
    memset(k->length, -1, (size_t)n * sizeof *k->length);
    memset(k->taken, -1, (size_t)n * sizeof *k->taken);
    memset(k->op, -1, (size_t)n * sizeof *k->op);
    memset(k->positive, 0, MAKE_NODES * sizeof *k->positive);
    return make_graph(k);
}

/* One try; `judge`: not only made. */
static enum calque_status attempt(struct search *q, unsigned long try, bool judge)
{
    struct values *vs = q->rs->values;
    int values = vs->n, pool = vs->npool;
    struct graph g;
    bool made = new_graph(q, &g, try);
    enum calque_status st = q->k.nomem ? diag_nomem(q->d) : CALQUE_OK;

    if (st == CALQUE_OK && judge && made)
        st = sound_instance(q, &g);
    else if (judge && !made)
        q->s->discarded++;
    graph_free(&g);
    if (q->s->answer < SOUND_VALUE || st != CALQUE_OK) { /* nothing kept refers to the values of this try */
        vs->n = values;
        vs->npool = pool;
    }
    q->after += judge && q->s->answer == SOUND_VALUE; /* after others the search goes on for one of values */
    return st;
}

/* Is the search to end, or go on to the next part after `wanted` instances? */
static bool enough(struct search *q, long wanted, long try)
{
    if (q->s->instances >= wanted || q->after > SOUND_AFTER)
        return true;
    return now() > q->end || (try % 16 == 0 && q->o->progress && !q->o->progress(q->o->ctx, q->s->instances));
}

static int slices(const struct search *q)
{
    return q->o->slices > 1 ? q->o->slices : 1;
}

/* All graphs with `most` changed choices, of which the first n are set. *done: there is no more to be done. */
static enum calque_status walk(struct search *q, int n, int most, long wanted, bool *done)
{
    struct tape *t = &q->k.tape;
    int bound[TAPE_MAX], choices;
    enum calque_status st;

    t->changes = n;
    if (n == most) {
        if (q->walked++ % slices(q) != q->o->slice)
            return CALQUE_OK;
        *done = enough(q, wanted, q->walked) || q->walked > (long)SOUND_WALK * slices(q);
        return *done ? CALQUE_OK : attempt(q, (unsigned long)q->walked, true);
    }
    st = attempt(q, 0, false);
    choices = t->n;
    memcpy(bound, t->bound, (size_t)choices * sizeof *bound);
    for (int p = n > 0 ? t->place[n - 1] + 1 : 0; p < choices && st == CALQUE_OK && !*done; p++)
        for (int v = 1; v < bound[p] && st == CALQUE_OK && !*done; v++) {
            t->place[n] = p;
            t->value[n] = v;
            st = walk(q, n + 1, most, wanted, done);
        }
    return st;
}

static enum calque_status systematic(struct search *q, long wanted)
{
    enum calque_status st = CALQUE_OK;
    bool done = false;

    q->k.tape.on = true;
    q->k.size = 2;
    for (int most = 0; most <= TAPE_CHANGES && st == CALQUE_OK && !done; most++) {
        st = walk(q, 0, most, wanted, &done);
        q->s->changes = done ? q->s->changes : most;
    }
    q->k.tape.on = false;
    q->s->systematic = q->s->instances;
    return st;
}

/* Sizes grow from 1 with the number of tries. */
static enum calque_status at_random(struct search *q, long wanted)
{
    enum calque_status st = CALQUE_OK;

    for (long n = 0; st == CALQUE_OK && !enough(q, wanted, n); n++) {
        long try = n * slices(q) + q->o->slice;
        if (q->s->instances == 0 && n > SOUND_MOST_DISCARDED)
            break;
        q->k.size = try < 200 ? 1 + (int)(try % 2) : 2 + (int)(try % 4);
        st = attempt(q, 0x100000000UL + (unsigned long)try, true);
    }
    return st;
}

static enum calque_status run(struct search *q)
{
    long all = q->o->tries > 0 ? q->o->tries : SOUND_TRIES, wanted = (all + slices(q) - 1 - q->o->slice) / slices(q);
    enum calque_status st;

    q->end = now() + (q->o->seconds > 0 ? q->o->seconds : SOUND_SECONDS);
    q->s->changes = -1;
    st = systematic(q, (wanted + 1) / 2);
    if (st == CALQUE_OK)
        st = at_random(q, wanted);
    if (st == CALQUE_OK && q->s->answer < SOUND_VALUE)
        q->s->answer = q->s->instances > 0 ? SOUND_TESTED : SOUND_NONE;
    return st == CALQUE_OK ? sound_shrink(q) : st;
}

enum calque_status sound_check(const struct rules *rs, int rule, const struct sound_options *o, struct sound *s,
                               struct diag *d)
{
    struct search q = {.rs = rs, .rule = rule, .o = o, .s = s, .d = d};
    int unknown = rule_unknown(&rs->rule.a[rule]);
    enum calque_status st;

    memset(s, 0, sizeof *s);
    graph_init(&s->before, rs->mem, rs->strs, rs->values);
    graph_init(&s->after, rs->mem, rs->strs, rs->values);
    if (unknown >= 0) {
        s->answer = SOUND_UNKNOWN;
        s->changes = -1;
        snprintf(s->reason, sizeof s->reason, "operator %s has no meaning here",
                 rule_unknown_name(rs, &rs->rule.a[rule], unknown));
        return CALQUE_OK;
    }
    q.k.r = &rs->rule.a[rule];
    st = rewrite_stats_init(&q.stats, rs, d);
    if (st == CALQUE_OK && !room(&q))
        st = diag_nomem(d);
    if (st == CALQUE_OK)
        st = run(&q);
    if (st == CALQUE_OK && s->answer == SOUND_NONE)
        sound_why_none(&q);
    if (q.stats.rule)
        s->limits = q.stats.rule[rule].refused_limit;
    free_room(&q.k);
    rewrite_stats_free(&q.stats);
    return st;
}

void sound_free(struct sound *s)
{
    sound_forget(s);
    memset(s, 0, sizeof *s);
}
