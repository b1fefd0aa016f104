#include "rewrite/rewrite.h"

#include <string.h>
#include <time.h>

enum { ORIGIN_MAX = 512 };

struct driver {
    struct graph *g;
    const struct rules *rules;
    const struct rewrite_options *opt;
    struct rewrite_stats *st;
    struct uses uses;
    struct matcher m;
    long fuel;
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
    default: c->refused_limit++; break;
    }
}

/* What a matched node is called in provenance: its ONNX node name, value name or operator, and where it came
 * from. */
static void put_label(struct text *t, const struct graph *g, int node)
{
    const struct node *nd = &g->node.a[node];

    if (nd->label >= 0 && strs_len(g->strs, nd->label) > 0)
        text_puts(t, strs_text(g->strs, nd->label));
    else if (nd->name >= 0)
        text_puts(t, strs_text(g->strs, nd->name));
    else
        text_puts(t, nd->kind == NODE_OP ? op_info(nd->op)->name : "projection");
    if (nd->origin >= 0)
        text_printf(t, " (%s)", strs_text(g->strs, nd->origin));
}

/* "rule: label, label": the applications the match replaces. String id, or -1. */
static int origin(struct driver *v)
{
    const struct rule *r = &v->rules->rule.a[v->m.rule];
    struct text t;
    int id = -1, n = 0;

    text_init(&t, v->g->mem);
    text_printf(&t, "%s: ", rules_name(v->rules, v->m.rule));
    for (int p = 0; p < r->pattern.n; p++) {
        const struct pattern *q = &r->pattern.a[p];
        if (!q->in_source || v->m.node[p] < 0 || q->nkid == 0 || q->kind == PATTERN_OPTIONAL)
            continue;
        text_puts(&t, n++ > 0 ? ", " : "");
        put_label(&t, v->g, v->m.node[p]);
    }
    if (!t.failed && t.n > ORIGIN_MAX)
        id = strs_add(v->g->strs, t.a, ORIGIN_MAX);
    else if (!t.failed)
        id = strs_add(v->g->strs, t.a, (size_t)t.n);
    text_free(&t);
    return id;
}

/* root takes the place of the match's root: its users, and if it is new its name. `first` and `slots` are
   where the new nodes and their inputs begin. */
static enum calque_status splice(struct driver *v, int root, int first, int slots)
{
    struct graph *g = v->g;
    int old = v->m.root, from = origin(v);
    enum calque_status status = from < 0 ? diag_nomem(v->d) : uses_extend(&v->uses, g, v->d);

    if (status != CALQUE_OK)
        return status;
    for (int k = first; k < g->node.n; k++)
        if (g->node.a[k].kind != NODE_CONST)
            g->node.a[k].origin = from;
    if (root >= first) {
        g->node.a[root].name = g->node.a[old].name;
        g->node.a[root].label = g->node.a[root].kind == NODE_OP ? g->node.a[old].label : -1;
        g->node.a[old].name = -1;
        g->node.a[old].label = -1;
    }
    uses_move(&v->uses, g, old, root, slots);
    uses_drop(&v->uses, g, old);
    for (int k = first; k < g->node.n; k++) /* what the target built but does not need */
        uses_drop(&v->uses, g, k);
    return CALQUE_OK;
}

/* One attempt of rule at node. */
static enum calque_status attempt(struct driver *v, int rule, int node)
{
    struct rewrite_count *c = &v->st->rule[rule];
    int first = v->g->node.n, slots = v->g->in.n, root;
    enum refusal why;
    enum calque_status status = match_at(&v->m, rule, node, v->d);

    c->candidates++;
    if (status == CALQUE_NO) {
        count_failure(c, v->m.fail.rule);
        return CALQUE_OK;
    }
    if (status != CALQUE_OK)
        return status;
    c->matches++;
    status = build_target(&v->m, v->g, &root, &why, v->d);
    if (status != CALQUE_OK)
        return status;
    if (why != REFUSE_NO) {
        count_refusal(c, why);
        return CALQUE_OK;
    }
    c->applied++;
    v->st->applied++;
    v->fuel--;
    return splice(v, root, first, slots);
}

static enum calque_status fold_from(struct driver *v, int first)
{
    size_t limit = v->opt->fold_limit ? v->opt->fold_limit : FOLD_LIMIT;
    double start = now();
    enum calque_status status = CALQUE_OK;

    if (!v->opt->no_fold)
        status = fold_nodes(v->g, &v->uses, first, limit, v->opt->threads > 0 ? v->opt->threads : 1,
                            &v->st->fold, v->d);
    v->st->fold_seconds += now() - start;
    return status;
}

static enum calque_status tidy(struct driver *v)
{
    enum calque_status status = graph_compact(v->g, NULL, v->d);

    return status == CALQUE_OK ? uses_build(&v->uses, v->g, v->d) : status;
}

/* One rule's turn in a pass. */
static enum calque_status turn(struct driver *v, int rule)
{
    int n = v->g->node.n;
    long before = v->st->applied;
    double start = now();
    enum calque_status status = CALQUE_OK;

    for (int k = 0; k < n && v->fuel > 0 && status == CALQUE_OK; k++)
        if (!v->uses.node.a[k].dead && match_candidate(&v->m, rule, k))
            status = attempt(v, rule, k);
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

static enum calque_status run(struct driver *v)
{
    long before;
    enum calque_status status = fold_from(v, 0);

    if (status == CALQUE_OK)
        status = tidy(v);
    do {
        before = v->st->applied;
        v->st->passes++;
        for (int k = 0; k < v->rules->rule.n && v->fuel > 0 && status == CALQUE_OK; k++)
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
    uses_init(&v.uses, g->mem);
    status = uses_build(&v.uses, g, d);
    if (status == CALQUE_OK)
        status = matcher_init(&v.m, rules, g, &v.uses, d);
    if (status == CALQUE_OK) {
        status = run(&v);
        matcher_free(&v.m);
    }
    uses_free(&v.uses);
    return status;
}
