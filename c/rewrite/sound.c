#include "rewrite/sound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "rewrite/rewrite.h"
#include "rewrite/sound_room.h"

enum { SOUND_VALUES = 3, SOUND_LOOPS = 24, SOUND_AFTER = 200, SOUND_MOST_DISCARDED = 400 };
#define SOUND_REAL 1e-3

struct search {
    const struct rules *rs;
    int rule;
    const struct sound_options *o;
    struct sound *s;
    struct maker k;
    struct rewrite_stats stats;
    long size; /* of the counterexample found: elements and nodes */
    struct diag *d;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- graphs and what they compute ---- */

static long graph_size(const struct graph *g)
{
    long size = 10L * g->node.n;

    for (int j = 0; j < g->node.n; j++)
        if (g->node.a[j].shape.rank >= 0)
            size += shape_elems(&g->node.a[j].shape);
    return size;
}

static void free_inputs(struct sound *s)
{
    for (int j = 0; j < s->input.n; j++)
        tensor_free(&s->input.a[j]);
    mem_free(s->input.a);
    memset(&s->input, 0, sizeof s->input);
}

static void free_tensors(struct tensor *t, int n)
{
    for (int j = 0; t && j < n; j++)
        tensor_free(&t[j]);
    mem_free(t);
}

static float input_value(struct search *q, bool positive)
{
    struct maker *k = &q->k;
    double u;

    if (q->rs->rule.a[q->rule].class == RULE_RING)
        return (float)(positive ? 1 + make_random(k, 4) : make_random(k, 7) - 3);
    if (q->rs->rule.a[q->rule].class == RULE_EXACT && make_chance(k, 8))
        return make_chance(k, 50) ? 0.0f : -0.0f;
    u = (double)make_random(k, 1L << 24) / (1L << 24);
    return (float)(positive ? 0.5 + u : 2 * u - 1);
}

static enum calque_status fill_inputs(struct search *q, struct tensor *t, const struct graph *g)
{
    for (int j = 0; j < g->input.n; j++) {
        const struct node *nd = &g->node.a[g->input.a[j]];
        enum calque_status st = tensor_new(g->mem, nd->dtype, &nd->shape, &t[j], q->d);
        long n = shape_elems(&nd->shape);
        if (st != CALQUE_OK)
            return st;
        for (long i = 0; i < n; i++)
            if (nd->dtype == DTYPE_F32)
                tensor_f32(&t[j])[i] = input_value(q, g->input.a[j] < MAKE_NODES && q->k.positive[g->input.a[j]]);
            else if (nd->dtype == DTYPE_I64)
                tensor_i64(&t[j])[i] = make_random(&q->k, 5) - 2;
    }
    return CALQUE_OK;
}

static bool is_number(const struct tensor *t)
{
    long n = shape_elems(&t->shape);

    for (long i = 0; t->dtype == DTYPE_F32 && i < n; i++)
        if (!isfinite(tensor_f32(t)[i]))
            return false;
    return true;
}

static bool agree(const struct tensor *a, const struct tensor *b, int class)
{
    long n = shape_elems(&a->shape);
    double most = 1.0;

    if (a->dtype != b->dtype || !shape_equal(&a->shape, &b->shape))
        return false;
    if (a->dtype != DTYPE_F32 || class == RULE_EXACT)
        return a->bytes == b->bytes && (a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0);
    for (long i = 0; i < n; i++)
        most = fabs((double)tensor_f32(a)[i]) > most ? fabs((double)tensor_f32(a)[i]) : most;
    for (long i = 0; i < n; i++) {
        double x = (double)tensor_f32(a)[i], y = (double)tensor_f32(b)[i];
        if (class == RULE_RING ? x < y || x > y : !(fabs(x - y) <= SOUND_REAL * most))
            return false;
    }
    return true;
}

/* ---- counterexamples ---- */

static void forget(struct sound *s)
{
    graph_free(&s->before);
    graph_free(&s->after);
    free_inputs(s);
    tensor_free(&s->want);
    tensor_free(&s->got);
}

/* Keeps the counterexample if it is the first or the smallest. The graphs are copied, the inputs taken. */
static enum calque_status keep(struct search *q, enum sound_answer answer, const struct graph *g, const struct graph *h,
                               struct tensor **in, const char *reason)
{
    struct sound *s = q->s;
    long size = graph_size(g);
    enum calque_status st;

    if (s->answer >= SOUND_VALUE && size >= q->size)
        return CALQUE_OK;
    forget(s);
    graph_init(&s->before, g->mem, g->strs, g->values);
    graph_init(&s->after, g->mem, g->strs, g->values);
    s->answer = answer;
    q->size = size;
    snprintf(s->reason, sizeof s->reason, "%s", reason);
    st = graph_copy(g, &s->before, q->d);
    if (st == CALQUE_OK && h)
        st = graph_copy(h, &s->after, q->d);
    if (in) {
        s->input.a = *in;
        s->input.n = s->input.cap = g->input.n;
        *in = NULL;
    }
    return st;
}

/* One set of values: CALQUE_OK also when the outputs differ. */
static enum calque_status compare(struct search *q, const struct graph *g, const struct graph *h, bool *same)
{
    struct mem *mem = g->mem;
    struct tensor *in = mem_zero(mem, (size_t)g->input.n + 1, sizeof *in);
    struct tensor *a = mem_zero(mem, (size_t)g->output.n + 1, sizeof *a);
    struct tensor *b = mem_zero(mem, (size_t)g->output.n + 1, sizeof *b);
    enum calque_status st = in && a && b ? fill_inputs(q, in, g) : diag_nomem(q->d);
    int n = g->output.n, bad = -1;
    bool numbers = true;

    if (st == CALQUE_OK)
        st = graph_run(g, in, a, 1, q->d);
    if (st == CALQUE_OK)
        st = graph_run(h, in, b, 1, q->d);
    for (int j = 0; j < n && st == CALQUE_OK; j++) {
        numbers = numbers && is_number(&a[j]);
        if (bad < 0 && !agree(&a[j], &b[j], q->rs->rule.a[q->rule].class))
            bad = j;
    }
    *same = bad < 0 || !numbers;
    if (st == CALQUE_OK && !numbers)
        q->s->skipped++;
    if (st == CALQUE_OK && !*same) {
        char reason[64];
        snprintf(reason, sizeof reason, "output %d differs", bad);
        bool smaller = q->s->answer < SOUND_VALUE || graph_size(g) < q->size;
        st = keep(q, SOUND_VALUE, g, h, &in, reason);
        if (st == CALQUE_OK && smaller) {
            q->s->output = bad;
            q->s->want = a[bad];
            q->s->got = b[bad];
            memset(&a[bad], 0, sizeof a[bad]);
            memset(&b[bad], 0, sizeof b[bad]);
        }
    }
    if (st == CALQUE_BAD || st == CALQUE_LIMIT) { /* an operator without a kernel for this element type */
        q->s->skipped++;
        st = CALQUE_OK;
    }
    free_tensors(in, g->input.n);
    free_tensors(a, n);
    free_tensors(b, n);
    return st;
}

/* The rule applied until it applies no more must come to an end. */
static enum calque_status loops(struct search *q, const struct graph *g)
{
    struct rewrite_options opt = {.only = q->rule + 1, .no_fold = true, .fuel = SOUND_LOOPS};
    struct graph h;
    enum calque_status st;

    graph_init(&h, g->mem, g->strs, g->values);
    st = graph_copy(g, &h, q->d);
    q->stats.out_of_fuel = false;
    if (st == CALQUE_OK)
        st = rewrite_fix(&h, q->rs, &opt, &q->stats, q->d);
    if (st == CALQUE_LIMIT && q->stats.out_of_fuel) {
        char reason[128];
        snprintf(reason, sizeof reason, "after %d rewrites it still applies to its own result", (int)SOUND_LOOPS);
        st = keep(q, SOUND_LOOP, g, NULL, NULL, reason);
    }
    graph_free(&h);
    return st;
}

/* ---- the search ---- */

/* Everything about one graph that the source is meant to match. */
static enum calque_status instance(struct search *q, struct graph *g)
{
    struct rewrite_options opt = {.once = true, .only = q->rule + 1, .no_fold = true, .fuel = 1};
    struct rewrite_count before = q->stats.rule[q->rule], *after = &q->stats.rule[q->rule];
    struct graph h;
    bool same = true;
    enum calque_status st;

    graph_init(&h, g->mem, g->strs, g->values);
    st = graph_copy(g, &h, q->d);
    q->stats.out_of_fuel = false;
    if (st == CALQUE_OK)
        st = rewrite_fix(&h, q->rs, &opt, &q->stats, q->d);
    if (st == CALQUE_LIMIT && q->stats.out_of_fuel)
        st = CALQUE_OK;
    if (st == CALQUE_OK && after->applied > before.applied) {
        q->s->instances++;
        for (int j = 0; j < SOUND_VALUES && st == CALQUE_OK && same; j++)
            st = compare(q, g, &h, &same);
        if (st == CALQUE_OK && same && q->s->instances % 8 == 1)
            st = loops(q, g);
    } else if (st == CALQUE_OK && after->refused_type > before.refused_type) {
        q->s->instances++;
        st = keep(q, SOUND_TYPE, g, NULL, NULL, "the target has no type here, or not the source's");
    } else if (st == CALQUE_OK) {
        q->s->discarded++;
    }
    graph_free(&h);
    return st;
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

/* One try. Sizes grow from 1 with the number of tries. */
static enum calque_status attempt(struct search *q, long try)
{
    struct maker *k = &q->k;
    struct values *vs = q->rs->values;
    int values = vs->n, pool = vs->npool, n = k->r->pattern.n;
    struct graph g;
    enum calque_status st = CALQUE_OK;

    graph_init(&g, q->rs->mem, q->rs->strs, vs);
    g.opset = 17;
    k->g = &g;
    k->size = try < 200 ? 1 + (int)(try % 2) : 2 + (int)(try % 4);
    k->integers = k->r->class == RULE_RING;
    k->depth = 0;
    for (int p = 0; p < n; p++)
        k->one[p] = k->many[p] = MAKE_UNSET;
    for (int j = 0; j < n * MAKE_INSTANCES; j++)
        k->many[j] = MAKE_UNSET;
    memset(k->length, -1, (size_t)n * sizeof *k->length);
    memset(k->taken, -1, (size_t)n * sizeof *k->taken);
    memset(k->op, -1, (size_t)n * sizeof *k->op);
    memset(k->positive, 0, MAKE_NODES * sizeof *k->positive);
    if (make_graph(k))
        st = instance(q, &g);
    else if (k->nomem)
        st = diag_nomem(q->d);
    else
        q->s->discarded++;
    graph_free(&g);
    if (q->s->answer < SOUND_VALUE || st != CALQUE_OK) { /* nothing kept refers to the values of this try */
        vs->n = values;
        vs->npool = pool;
    }
    return st;
}

static enum calque_status run(struct search *q)
{
    long wanted = q->o->tries > 0 ? q->o->tries : SOUND_TRIES, found = -1;
    double end = now() + (q->o->seconds > 0 ? q->o->seconds : SOUND_SECONDS);
    enum calque_status st = CALQUE_OK;

    for (long try = 0; st == CALQUE_OK && q->s->instances < wanted; try++) {
        st = attempt(q, try);
        if (found < 0 && q->s->answer >= SOUND_VALUE)
            found = try;
        if (found >= 0 && try >= found + SOUND_AFTER)
            break;
        if (try % 16 == 0 && (now() > end || (q->o->progress && !q->o->progress(q->o->ctx, q->s->instances))))
            break;
        if (q->s->instances == 0 && try > SOUND_MOST_DISCARDED * 100)
            break;
    }
    if (st == CALQUE_OK && q->s->answer < SOUND_VALUE)
        q->s->answer = q->s->instances > 0 ? SOUND_TESTED : SOUND_NONE;
    return st;
}

enum calque_status sound_check(const struct rules *rs, int rule, const struct sound_options *o, struct sound *s,
                               struct diag *d)
{
    struct search q = {.rs = rs, .rule = rule, .o = o, .s = s, .d = d};
    enum calque_status st;

    memset(s, 0, sizeof *s);
    graph_init(&s->before, rs->mem, rs->strs, rs->values);
    graph_init(&s->after, rs->mem, rs->strs, rs->values);
    q.k.r = &rs->rule.a[rule];
    q.k.rng = o->seed * 0x2545f4914f6cdd1dUL + (unsigned long)rule;
    st = rewrite_stats_init(&q.stats, rs, d);
    if (st == CALQUE_OK && !room(&q))
        st = diag_nomem(d);
    if (st == CALQUE_OK)
        st = run(&q);
    free_room(&q.k);
    rewrite_stats_free(&q.stats);
    return st;
}

void sound_free(struct sound *s)
{
    forget(s);
    memset(s, 0, sizeof *s);
}
