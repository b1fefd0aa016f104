/* The driver: passes, rules, nodes, one match at a time (order: rewrite.h). Invariant: between two attempts the graph
   is well formed and typed, and the lists of users are those of the graph. A refused match leaves the graph as it
   was. */
#include "rewrite/rewrite.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "pattern/match_internal.h"
#include "rewrite/library.h"
#include "rewrite/substitute.h"

struct driver {
    struct graph *g;
    const struct rules *rules;
    const struct rewrite_options *opt;
    struct rewrite_stats *st;
    struct uses uses;
    struct matcher m;
    struct match_starts starts;
    struct splice splice;
    struct ints root;  /* what takes the place of the outputs */
    struct ints value; /* the attributes of the new nodes */
    long fuel;
    bool stale; /* uses are those of the graph before it was tidied */
    struct diag *d;
};

enum calque_status rewrite_stats_init(struct rewrite_stats *st, const struct rules *rules, struct diag *d)
{
    memset(st, 0, sizeof *st);
    st->mem = rules->mem;
    st->rules = rules->rule.n;
    st->rule = mem_zero(rules->mem, (size_t)rules->rule.n + 1, sizeof *st->rule);
    return st->rule ? CALQUE_OK : diag_nomem(d);
}

void rewrite_stats_free(struct rewrite_stats *st)
{
    mem_free(st->rule);
    memset(st, 0, sizeof *st);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void count_failure(struct rewrite_count *c, int rule)
{
    switch (rule) {
    case MATCH_USE: c->refused_use++; break;
    case MATCH_CONVEX: c->refused_convex++; break;
    case MATCH_REQUIRE: c->refused_require++; break;
    case MATCH_INJECTIVE: c->refused_injective++; break;
    case MATCH_STUCK: c->refused_stuck++; break;
    case MATCH_LIMIT: c->refused_limit++; break;
    default: break;
    }
}

static void count_refusal(struct rewrite_count *c, enum refusal why)
{
    switch (why) {
    case REFUSE_TYPE: c->refused_type++; break;
    case REFUSE_STUCK: c->refused_stuck++; break;
    case REFUSE_IDENTITY: c->refused_identity++; break;
    case REFUSE_OPSET: c->refused_opset++; break;
    case REFUSE_CYCLE: c->refused_convex++; break;
    default: c->refused_limit++; break;
    }
}

/* The graph again without what was built for a refused match. */
static void take_back(struct graph *g, int node, int in, int attr, int tensor)
{
    while (g->tensor.n > tensor)
        tensor_free(&g->tensor.a[--g->tensor.n]);
    g->node.n = node;
    g->in.n = in;
    g->attr.n = attr;
}

/* Of the values made since there were `values` and `pool`, only the attributes of the new nodes stay. */
static enum calque_status keep_values(struct driver *v, int first, int values, int pool)
{
    struct graph *g = v->g;
    int n = 0;

    v->value.n = 0;
    for (int k = first; k < g->node.n; k++)
        for (int j = g->node.a[k].attr; j < g->node.a[k].attr + g->node.a[k].nattr; j++)
            if (!ints_push(g->mem, &v->value, g->attr.a[j].value))
                return diag_nomem(v->d);
    if (!values_keep(g->values, values, pool, v->value.a, v->value.n))
        return diag_nomem(v->d);
    for (int k = first; k < g->node.n; k++)
        for (int j = g->node.a[k].attr; j < g->node.a[k].attr + g->node.a[k].nattr; j++)
            g->attr.a[j].value = v->value.a[n++];
    return CALQUE_OK;
}

/* The target of the match takes the place of its outputs. */
static enum calque_status put(struct driver *v, int first)
{
    int from = splice_origin(&v->splice, &v->m);

    if (v->opt->trace) {
        enum calque_status status = trace_rewrite(v->opt->trace, &v->m, v->g, v->root.a, first, v->d);
        if (status != CALQUE_OK)
            return status;
    }
    return from < 0 ? diag_nomem(v->d) : splice_commit(&v->splice, &v->m, v->root.a, first, from, v->d);
}

/* Builds and splices in the target of a match. */
static enum calque_status apply(struct driver *v, struct rewrite_count *c)
{
    struct graph *g = v->g;
    struct values *vs = g->values;
    int first = g->node.n, in = g->in.n, attr = g->attr.n, tensor = g->tensor.n, values = vs->n, pool = vs->npool;
    enum refusal why;
    enum calque_status status;

    v->root.n = 0;
    if (!vec_room(g->mem, &v->root, v->m.outs.n))
        return diag_nomem(v->d);
    status = build_target(&v->m, g, v->root.a, &why, v->d);
    if (status == CALQUE_OK && why == REFUSE_NO) {
        status = splice_room(&v->splice, first, v->d);
        if (status == CALQUE_OK)
            status = splice_check(&v->splice, &v->m, v->root.a, first);
        if (status == CALQUE_OK) {
            c->applied++;
            v->st->applied++;
            v->fuel--;
            status = keep_values(v, first, values, pool);
            return status == CALQUE_OK ? put(v, first) : status;
        }
        take_back(g, first, in, attr, tensor);
        why = REFUSE_CYCLE;
    }
    vs->n = values;
    vs->npool = pool;
    if (status != CALQUE_OK && status != CALQUE_NO)
        return status;
    count_refusal(c, why);
    match_spend_refused(&c->spent, &v->m);
    if ((why == REFUSE_TYPE || why == REFUSE_OPSET) && v->d)
        snprintf(c->reason, sizeof c->reason, "%.*s", (int)sizeof c->reason - 1, v->d->text);
    if (why != REFUSE_TYPE && why != REFUSE_STUCK && why != REFUSE_IDENTITY && why != REFUSE_CYCLE &&
        why != REFUSE_OPSET)
        c->spent += MATCH_STEPS_LIMIT;
    return CALQUE_OK;
}

/* One attempt of rule at node. */
static enum calque_status attempt(struct driver *v, int rule, int node)
{
    struct rewrite_count *c = &v->st->rule[rule];
    enum calque_status status = match_at(&v->m, rule, node, v->d);

    c->given_up = c->given_up || !match_spend(&c->spent, &v->m, status);
    if (status == CALQUE_NO) {
        count_failure(c, v->m.fail.rule);
        return CALQUE_OK;
    }
    if (status != CALQUE_OK)
        return status;
    c->matches++;
    return apply(v, c);
}

static enum calque_status fold_from(struct driver *v, int first)
{
    size_t limit = v->opt->fold_limit ? v->opt->fold_limit : FOLD_LIMIT;
    double start = now();
    enum calque_status status = CALQUE_OK;

    v->starts.class.n = 0;
    if (v->opt->trace)
        status = trace_before_fold(v->opt->trace, v->g, v->d);
    if (status == CALQUE_OK && !v->opt->no_fold)
        status = fold_nodes(v->g, &v->uses, first, limit, v->opt->threads > 0 ? v->opt->threads : 1,
                            &v->st->fold, v->d);
    if (status == CALQUE_OK && v->opt->trace)
        status = trace_after_fold(v->opt->trace, v->g, v->d);
    v->st->fold_seconds += now() - start;
    return status;
}

static enum calque_status tidy(struct driver *v)
{
    v->stale = true;
    v->starts.class.n = 0;
    return v->opt->trace ? trace_compact(v->opt->trace, v->g, v->d) : graph_compact(v->g, NULL, v->d);
}

static enum calque_status refresh(struct driver *v)
{
    if (!v->stale)
        return CALQUE_OK;
    v->stale = false;
    return uses_build(&v->uses, v->g, v->d);
}

/* Each node at which the rule may start, in turn; not those that a rewrite of this turn makes. */
static enum calque_status attempts(struct driver *v, int rule, struct rewrite_count *c)
{
    const bool *of = match_starts_classes(&v->starts, rule);
    int n = v->g->node.n;
    enum calque_status status = CALQUE_OK;

    if (!match_starts_classify(&v->starts, v->g)) /* a rewrite adds nodes and changes the class of none */
        return diag_nomem(v->d);
    if (!match_starts_any(&v->starts, rule))
        return CALQUE_OK;
    for (int k = 0; k < n && v->fuel > 0 && !c->given_up && status == CALQUE_OK; k++) {
        if (!of[v->starts.class.a[k]])
            continue;
        c->candidates++;
        if (match_starts_at(&v->starts, &v->m, rule, k) && !v->uses.node.a[k].dead)
            status = attempt(v, rule, k);
    }
    return status;
}

/* One rule's turn in a pass. */
static enum calque_status turn(struct driver *v, int rule)
{
    int n = v->g->node.n;
    long before = v->st->applied;
    double start = now();
    enum calque_status status = refresh(v);

    if (status == CALQUE_OK)
        status = attempts(v, rule, &v->st->rule[rule]);
    v->st->rule[rule].seconds += now() - start;
    if (status != CALQUE_OK || v->st->applied == before)
        return status;
    status = fold_from(v, n);
    if (status == CALQUE_OK)
        status = tidy(v);
    if (status == CALQUE_OK && v->opt->after)
        status = v->opt->after(v->opt->ctx, v->g, rule, v->d);
    return status;
}

/* Is every node needed? Inputs come before their users (nothing was rewritten yet), so a node that has a user is. */
static bool is_tidy(const struct driver *v)
{
    for (int k = 0; k < v->g->node.n; k++)
        if (v->uses.node.a[k].head < 0 && v->uses.node.a[k].outputs == 0 && v->g->node.a[k].kind != NODE_INPUT)
            return false;
    return true;
}

static bool has_turn(const struct driver *v, int rule)
{
    return v->fuel > 0 && (v->opt->only == 0 || v->opt->only == rule + 1);
}

/* The turns before folding, and folding. */
static enum calque_status begin(struct driver *v)
{
    enum calque_status status = CALQUE_OK;

    for (int k = 0; k < v->rules->rule.n && status == CALQUE_OK; k++) {
        int set = library_set_of(v->rules, k);
        if (set >= 0 && library_set(set)->early && has_turn(v, k))
            status = turn(v, k);
    }
    if (status == CALQUE_OK)
        status = refresh(v);
    return status == CALQUE_OK ? fold_from(v, 0) : status;
}

static enum calque_status run(struct driver *v)
{
    long before;
    enum calque_status status = begin(v);

    if (status == CALQUE_OK && !is_tidy(v))
        status = tidy(v);
    do {
        before = v->st->applied;
        v->st->passes++;
        for (int k = 0; k < v->rules->rule.n && status == CALQUE_OK; k++)
            if (has_turn(v, k))
                status = turn(v, k);
    } while (status == CALQUE_OK && !v->opt->once && v->fuel > 0 && v->st->applied > before);
    if (status != CALQUE_OK || v->fuel > 0)
        return status;
    v->st->out_of_fuel = true;
    return diag_set(v->d, CALQUE_LIMIT, "", 0, 0, "the rules may not be done: fuel for %ld rewrites is used up",
                    v->st->applied);
}

enum calque_status rewrite_fix(struct graph *g, const struct rules *rules, const struct rewrite_options *opt,
                               struct rewrite_stats *stats, struct diag *d)
{
    struct driver v = { .g = g, .rules = rules, .opt = opt, .st = stats, .d = d };
    enum calque_status status;

    v.fuel = opt->fuel > 0 ? opt->fuel : REWRITE_FUEL + g->node.n;
    for (int k = 0; k < stats->rules; k++) {
        stats->rule[k].spent = 0;
        stats->rule[k].given_up = false;
    }
    uses_init(&v.uses, g->mem);
    v.splice = (struct splice){ .g = g, .uses = &v.uses };
    status = match_starts_init(&v.starts, rules) ? uses_build(&v.uses, g, d) : diag_nomem(d);
    if (status == CALQUE_OK)
        status = matcher_init(&v.m, rules, g, &v.uses, d);
    if (status == CALQUE_OK) {
        v.m.brief = true;
        status = run(&v);
        matcher_free(&v.m);
    }
    splice_free(&v.splice);
    match_starts_free(&v.starts);
    ints_free(&v.root);
    ints_free(&v.value);
    uses_free(&v.uses);
    return status;
}
