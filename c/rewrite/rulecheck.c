/* How an instance of a rule is judged (the rule is applied once, both graphs run, a counterexample is kept and made
   small), and the search over instances: first those in which few choices differ from the smallest, then random ones.
   Deterministic in the seed. */
#include "rewrite/rulecheck.h"

#include "pattern/gsl.h"
#include "rewrite/rulecheck_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* How an instance is judged: the rule applied once, both graphs run, the result kept if it is a counterexample. */
enum { RULECHECK_VALUES = 3, RULECHECK_LOOPS = 24, RULECHECK_SHRINKS = 600 };
#define RULECHECK_REAL 1e-3

/* ---- graphs and what they compute ---- */

static long graph_size(const struct graph *g)
{
    long size = 10L * g->node.n;

    for (int j = 0; j < g->node.n; j++)
        if (g->node.a[j].shape.rank >= 0)
            size += shape_elems(&g->node.a[j].shape);
    return size;
}

static void free_inputs(struct rulecheck *s)
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
        return (float)(positive ? 1 + make_draw(k, 4) : make_draw(k, 7) - 3);
    if (q->rs->rule.a[q->rule].class == RULE_EXACT && make_draw(k, 100) < 8)
        return make_draw(k, 2) ? 0.0f : -0.0f;
    u = (double)make_draw(k, 1L << 24) / (1L << 24);
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
                tensor_i64(&t[j])[i] = make_draw(&q->k, 5) - 2;
            else if (nd->dtype == DTYPE_BOOL)
                ((unsigned char *)t[j].data)[i] = (unsigned char)make_draw(&q->k, 2);
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
        if (class == RULE_RING ? x < y || x > y : !(fabs(x - y) <= RULECHECK_REAL * most))
            return false;
    }
    return true;
}

/* ---- counterexamples ---- */

static void rulecheck_forget(struct rulecheck *s)
{
    graph_free(&s->before);
    graph_free(&s->after);
    free_inputs(s);
    tensor_free(&s->want);
    tensor_free(&s->got);
}

bool rulecheck_better(enum rulecheck_answer answer, long size, const struct rulecheck *s)
{
    if (s->answer < RULECHECK_VALUE || (answer == RULECHECK_VALUE) != (s->answer == RULECHECK_VALUE))
        return s->answer != RULECHECK_VALUE;
    return size < s->size;
}

/* Keeps the counterexample if it is the best so far. The graphs are copied, the inputs taken. */
static enum calque_status keep(struct search *q, enum rulecheck_answer answer, const struct graph *g, const struct graph *h,
                               struct tensor **in, const char *reason)
{
    struct rulecheck *s = q->s;
    long size = graph_size(g);
    enum calque_status st;

    if (!rulecheck_better(answer, size, s))
        return CALQUE_OK;
    rulecheck_forget(s);
    graph_init(&s->before, g->mem, g->strs, g->values);
    graph_init(&s->after, g->mem, g->strs, g->values);
    s->answer = answer;
    s->size = size;
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

/* Both graphs on the same inputs: *bad is the first output that differs, or -1 (also when a value is no number;
   then *numbers is false). */
static enum calque_status run_both(struct search *q, const struct graph *g, const struct graph *h, const struct tensor *in,
                                   struct tensor *a, struct tensor *b, int *bad, bool *numbers)
{
    enum calque_status st = graph_run(g, in, a, 1, NULL, q->d);

    *bad = -1;
    *numbers = true;
    if (st == CALQUE_OK)
        st = graph_run(h, in, b, 1, NULL, q->d);
    for (int j = 0; j < g->output.n && st == CALQUE_OK; j++) {
        *numbers = *numbers && is_number(&a[j]);
        if (*bad < 0 && !agree(&a[j], &b[j], q->rs->rule.a[q->rule].class))
            *bad = j;
    }
    if (!*numbers)
        *bad = -1;
    return st;
}

/* Output `bad` of both sides becomes the counterexample's. */
static void take_outputs(struct rulecheck *s, struct tensor *a, struct tensor *b, int bad)
{
    tensor_free(&s->want);
    tensor_free(&s->got);
    s->output = bad;
    s->want = a[bad];
    s->got = b[bad];
    memset(&a[bad], 0, sizeof a[bad]);
    memset(&b[bad], 0, sizeof b[bad]);
    snprintf(s->reason, sizeof s->reason, "output %d differs", bad);
}

/* One set of values: CALQUE_OK also when the outputs differ. */
static enum calque_status compare(struct search *q, const struct graph *g, const struct graph *h, bool *same)
{
    struct mem *mem = g->mem;
    struct tensor *in = mem_zero(mem, (size_t)g->input.n + 1, sizeof *in);
    struct tensor *a = mem_zero(mem, (size_t)g->output.n + 1, sizeof *a);
    struct tensor *b = mem_zero(mem, (size_t)g->output.n + 1, sizeof *b);
    enum calque_status st = in && a && b ? fill_inputs(q, in, g) : diag_nomem(q->d);
    int bad = -1;
    bool numbers = true;

    if (st == CALQUE_OK)
        st = run_both(q, g, h, in, a, b, &bad, &numbers);
    *same = bad < 0;
    if (st == CALQUE_OK && !numbers)
        q->s->skipped++;
    if (st == CALQUE_OK && bad >= 0) {
        bool better = rulecheck_better(RULECHECK_VALUE, graph_size(g), q->s);
        st = keep(q, RULECHECK_VALUE, g, h, &in, "");
        if (st == CALQUE_OK && better)
            take_outputs(q->s, a, b, bad);
    }
    if (st == CALQUE_BAD || st == CALQUE_LIMIT) { /* an operator without a kernel for this element type */
        q->s->skipped++;
        st = CALQUE_OK;
    }
    free_tensors(in, g->input.n);
    free_tensors(a, g->output.n);
    free_tensors(b, g->output.n);
    return st;
}

/* Element i of input j of the counterexample becomes x if the outputs differ still. */
static enum calque_status shrink(struct search *q, int j, long i, float x)
{
    struct rulecheck *s = q->s;
    int n = s->before.output.n, bad = -1;
    struct tensor *a = mem_zero(s->before.mem, (size_t)n + 1, sizeof *a);
    struct tensor *b = mem_zero(s->before.mem, (size_t)n + 1, sizeof *b);
    float old = tensor_f32(&s->input.a[j])[i];
    bool numbers;
    enum calque_status st = a && b ? CALQUE_OK : diag_nomem(q->d);

    tensor_f32(&s->input.a[j])[i] = x;
    if (st == CALQUE_OK)
        st = run_both(q, &s->before, &s->after, s->input.a, a, b, &bad, &numbers);
    if (st == CALQUE_OK && bad >= 0)
        take_outputs(s, a, b, bad);
    else
        tensor_f32(&s->input.a[j])[i] = old;
    free_tensors(a, n);
    free_tensors(b, n);
    return st;
}

/* Simpler inputs for the counterexample: noughts and ones where the outputs still differ. */
static enum calque_status rulecheck_shrink(struct search *q)
{
    static const float small[] = {0, 1};
    struct rulecheck *s = q->s;
    enum calque_status st = CALQUE_OK;
    int runs = 0;

    for (int j = 0; j < s->input.n && s->answer == RULECHECK_VALUE; j++) {
        long n = s->input.a[j].dtype == DTYPE_F32 ? shape_elems(&s->input.a[j].shape) : 0;
        for (long i = 0; i < n && st == CALQUE_OK; i++)
            for (int k = 0; k < 2 && st == CALQUE_OK && runs < RULECHECK_SHRINKS; k++, runs++) {
                float x = tensor_f32(&s->input.a[j])[i];
                if (x < small[k] || x > small[k])
                    st = shrink(q, j, i, small[k]);
                x = tensor_f32(&s->input.a[j])[i];
                if (!(x < small[k] || x > small[k]))
                    break;
            }
    }
    return st;
}

/* The rule applied until it applies no more must come to an end. */
static enum calque_status loops(struct search *q, const struct graph *g)
{
    struct rewrite_options opt = {.only = q->rule + 1, .no_fold = true, .fuel = RULECHECK_LOOPS};
    struct graph h;
    enum calque_status st;

    graph_init(&h, g->mem, g->strs, g->values);
    st = graph_copy(g, &h, q->d);
    q->stats.out_of_fuel = false;
    if (st == CALQUE_OK)
        st = rewrite_fix(&h, q->rs, &opt, &q->stats, q->d);
    if (st == CALQUE_LIMIT && q->stats.out_of_fuel) {
        char reason[128];
        snprintf(reason, sizeof reason, "after %d rewrites it still applies to its own result", (int)RULECHECK_LOOPS);
        st = keep(q, RULECHECK_LOOP, g, NULL, NULL, reason);
    }
    graph_free(&h);
    return st;
}

/* ---- one instance ---- */

/* Everything about one graph that the source is meant to match. */
static enum calque_status rulecheck_instance(struct search *q, struct graph *g)
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
        for (int j = 0; j < RULECHECK_VALUES && st == CALQUE_OK && same; j++)
            st = compare(q, g, &h, &same);
        if (st == CALQUE_OK && same && q->s->instances % 8 == 1)
            st = loops(q, g);
    } else if (st == CALQUE_OK && after->refused_type > before.refused_type) {
        q->s->instances++;
        st = keep(q, RULECHECK_TYPE, g, NULL, NULL, after->reason);
    } else if (st == CALQUE_OK) {
        q->s->discarded++;
    }
    graph_free(&h);
    return st;
}

/* RULECHECK_NONE: what became of the graphs that were made, into s->reason. */
static void rulecheck_why_none(struct search *q)
{
    const struct rewrite_count *c = &q->stats.rule[q->rule];
    const struct {
        long n;
        const char *words;
    } why[] = {{c->refused_require, "fail a condition (require)"},
               {c->refused_stuck, "have no value for an attribute or a condition"},
               {c->refused_identity, "are what the target is already"},
               {c->refused_use, "use a value inside of the match elsewhere"},
               {c->refused_convex, "read what the match computes"},
               {c->refused_injective, "have two patterns on one node"},
               {c->refused_limit, "exceed a limit"}};
    struct rulecheck *s = q->s;
    int n = snprintf(s->reason, sizeof s->reason, "%ld graphs were made for it: %ld have no node of its operator or are ill typed",
                     s->discarded, s->discarded > c->candidates ? s->discarded - c->candidates : 0);
    long rest = c->candidates;

    for (size_t i = 0; i < sizeof why / sizeof *why; i++) {
        if (why[i].n > 0 && n >= 0 && n < (int)sizeof s->reason)
            n += snprintf(s->reason + n, sizeof s->reason - (size_t)n, ", %ld %s", why[i].n, why[i].words);
        rest -= why[i].n;
    }
    if (rest > 0 && n >= 0 && n < (int)sizeof s->reason)
        snprintf(s->reason + n, sizeof s->reason - (size_t)n, ", %ld do not match its source", rest);
}

/* The search: first systematically, graphs in the order of how many choices differ from the smallest ones; then at
   random. */

enum { RULECHECK_AFTER = 200, RULECHECK_MOST_DISCARDED = 40000, RULECHECK_WALK = 40000 };

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
        st = rulecheck_instance(q, &g);
    else if (judge && !made)
        q->s->discarded++;
    graph_free(&g);
    if (q->s->answer < RULECHECK_VALUE || st != CALQUE_OK) { /* nothing kept refers to the values of this try */
        vs->n = values;
        vs->npool = pool;
    }
    q->after += judge && q->s->answer == RULECHECK_VALUE; /* after others the search goes on for one of values */
    return st;
}

/* Is the search to end, or go on to the next part after `wanted` instances? */
static bool enough(struct search *q, long wanted, long try)
{
    if (q->s->instances >= wanted || q->after > RULECHECK_AFTER)
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
        *done = enough(q, wanted, q->walked) || q->walked > (long)RULECHECK_WALK * slices(q);
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
        if (q->s->instances == 0 && n > RULECHECK_MOST_DISCARDED)
            break;
        q->k.size = try < 200 ? 1 + (int)(try % 2) : 2 + (int)(try % 4);
        st = attempt(q, 0x100000000UL + (unsigned long)try, true);
    }
    return st;
}

static enum calque_status run(struct search *q)
{
    long all = q->o->tries > 0 ? q->o->tries : RULECHECK_TRIES, wanted = (all + slices(q) - 1 - q->o->slice) / slices(q);
    enum calque_status st;

    q->end = now() + (q->o->seconds > 0 ? q->o->seconds : RULECHECK_SECONDS);
    q->s->changes = -1;
    st = systematic(q, (wanted + 1) / 2);
    if (st == CALQUE_OK)
        st = at_random(q, wanted);
    if (st == CALQUE_OK && q->s->answer < RULECHECK_VALUE)
        q->s->answer = q->s->instances > 0 ? RULECHECK_TESTED : RULECHECK_NONE;
    return st == CALQUE_OK ? rulecheck_shrink(q) : st;
}

enum calque_status rulecheck(const struct rules *rs, int rule, const struct rulecheck_options *o, struct rulecheck *s,
                               struct diag *d)
{
    struct search q = {.rs = rs, .rule = rule, .o = o, .s = s, .d = d};
    int unknown = rule_unknown(&rs->rule.a[rule]);
    enum calque_status st;

    memset(s, 0, sizeof *s);
    graph_init(&s->before, rs->mem, rs->strs, rs->values);
    graph_init(&s->after, rs->mem, rs->strs, rs->values);
    if (unknown >= 0) {
        s->answer = RULECHECK_UNKNOWN;
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
    if (st == CALQUE_OK && s->answer == RULECHECK_NONE)
        rulecheck_why_none(&q);
    if (q.stats.rule)
        s->limits = q.stats.rule[rule].refused_limit;
    free_room(&q.k);
    rewrite_stats_free(&q.stats);
    return st;
}

void rulecheck_free(struct rulecheck *s)
{
    rulecheck_forget(s);
    memset(s, 0, sizeof *s);
}
