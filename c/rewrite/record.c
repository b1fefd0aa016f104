/* What was done to a graph, as "rule=count" lists: new counts are added to those of earlier rewriting; which theorem says what of it;
   and what a run did to each node. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/library.h"
#include "rewrite/rewrite.h"

int rewrite_class(const struct rules *rules, const struct rewrite_stats *stats)
{
    int class = -1;

    for (int k = 0; k < stats->rules; k++)
        if (stats->rule[k].applied && rules->rule.a[k].class > class)
            class = rules->rule.a[k].class;
    return class;
}

/* One entry "name=count" of a list: how long it is, how long its name is, its count (0: it is of another form). */
struct entry {
    const char *at;
    size_t len, name;
    long count;
};

static struct entry entry_at(const char *list)
{
    struct entry e = { .at = list, .len = strcspn(list, ",") };
    char *stop;

    e.name = strcspn(list, "=,");
    if (e.name < e.len && list[e.name + 1] >= '0' && list[e.name + 1] <= '9') {
        e.count = strtol(list + e.name + 1, &stop, 10);
        if (stop != list + e.len || e.count < 0 || e.count > INT32_MAX)
            e.count = 0;
    }
    return e;
}

/* The rule of that name, if it was applied; or -1. */
static int applied_rule(const struct rules *rules, const struct rewrite_stats *st, const char *name, size_t len)
{
    for (int k = 0; k < st->rules; k++)
        if (st->rule[k].applied && strlen(rules_name(rules, k)) == len && memcmp(rules_name(rules, k), name, len) == 0)
            return k;
    return -1;
}

/* The old list with its counts raised, then the rules that are not in it. */
static void put_rules(struct text *t, const char *old, const struct rules *rules, const struct rewrite_stats *st,
                      bool *done)
{
    while (*old) {
        struct entry e = entry_at(old);
        int k = e.count ? applied_rule(rules, st, e.at, e.name) : -1;
        text_puts(t, t->n ? "," : "");
        if (k >= 0 && !done[k]) {
            text_printf(t, "%s=%ld", rules_name(rules, k), e.count + st->rule[k].applied);
            done[k] = true;
        } else {
            text_put(t, e.at, e.len);
        }
        old += e.len;
        old += *old == ',';
    }
    for (int k = 0; k < st->rules; k++)
        if (st->rule[k].applied && !done[k])
            text_printf(t, "%s%s=%ld", t->n ? "," : "", rules_name(rules, k), st->rule[k].applied);
}

enum calque_status rewrite_record(struct graph *g, const struct rules *rules, const struct rewrite_stats *stats,
                                  struct diag *d)
{
    int class = rewrite_class(rules, stats), old, said;
    bool *done;
    struct text t;

    if (class < 0)
        return CALQUE_OK;
    if (g->class >= 0) { /* what is no class is taken for the weakest */
        const char *s = strs_text(g->strs, g->class);
        old = rule_class_find(s, strlen(s));
        old = old < 0 ? RULE_REAL : old;
        class = old > class ? old : class;
    } else if (g->rules >= 0) {
        class = RULE_REAL;
    }
    done = mem_zero(g->mem, (size_t)stats->rules + 1, sizeof *done);
    if (!done)
        return diag_nomem(d);
    text_init(&t, g->mem);
    put_rules(&t, g->rules >= 0 ? strs_text(g->strs, g->rules) : "", rules, stats, done);
    mem_free(done);
    said = t.failed ? -1 : strs_append(g->strs, t.a, (size_t)t.n);
    text_free(&t);
    class = said < 0 ? -1 : strs_addz(g->strs, rule_class_name(class));
    if (class < 0)
        return diag_nomem(d);
    g->rules = said;
    g->class = class;
    return CALQUE_OK;
}

static bool counted(int dtype)
{
    return dtype == DTYPE_F32 || dtype == DTYPE_F64 || dtype == DTYPE_I32 || dtype == DTYPE_I64 ||
           dtype == DTYPE_I8 || dtype == DTYPE_U8 || dtype == DTYPE_BOOL;
}

/* Has the operator cells that no cell of an input goes into? */
static bool makes_literals(const struct graph *g, int node)
{
    int op = g->node.a[node].op;

    for (int k = 0; k < g->node.a[node].nin; k++)
        if (graph_in(g, node, k) >= 0 && shape_elems(&g->node.a[graph_in(g, node, k)].shape) == 0)
            return true; /* an empty sum */
    return op == OP_ConstantOfShape || op == OP_EyeLike || op == OP_ZerosLike || op == OP_OnesLike || op == OP_Pad;
}

static bool reads_types(int op)
{
    return op == OP_Cast || op == OP_Where || op == OP_Not || op == OP_And || op == OP_Or || op == OP_Xor || op == OP_Equal ||
           op == OP_Less || op == OP_Greater || op == OP_LessOrEqual || op == OP_GreaterOrEqual;
}

/* Children have smaller ids: one pass. */
enum calque_status rewrite_cover(const struct graph *g, struct cover *out, struct diag *d)
{
    struct { bool given, made; } *from = mem_zero(g->mem, (size_t)g->node.n + 1, sizeof *from); /* an input, literals */

    if (!from)
        return diag_nomem(d);
    for (int i = 0; i < g->node.n; i++) {
        const struct node *n = &g->node.a[i];

        from[i].given = n->kind == NODE_INPUT;
        for (int k = 0; k < n->nin; k++) {
            int in = graph_in(g, i, k);

            if (in < 0)
                continue;
            from[i].given |= from[in].given;
            from[i].made |= from[in].made;
            out->gathers |= n->kind == NODE_OP && n->op == OP_Gather && k == 1 && from[in].given;
        }
        out->literals |= n->kind == NODE_OP && from[i].made && reads_types(n->op);
        from[i].made |= n->kind == NODE_OP && makes_literals(g, i);
        if (!out->outside && ((n->kind == NODE_OP && n->op == OP_Opaque) || (!graph_multi(g, i) && !counted(n->dtype)))) {
            out->outside = true;
            snprintf(out->name, sizeof out->name, "%s", graph_name(g, i));
        }
    }
    mem_free(from);
    return CALQUE_OK;
}

void rewrite_theorem(const struct cover *x, int class, char out[COVER_TEXT])
{
    snprintf(out, COVER_TEXT, "theorem %s: every output is the same%s%s%s",
             x->gathers ? "opt_keeps" : class <= RULE_EXACT ? "opt_correct_mixed" : "opt_correct",
             class <= RULE_EXACT ? ", bit for bit" : class == RULE_RING ? ", computed in a commutative ring" : ", computed in the reals",
             x->gathers ? ", where the indices of each Gather lie inside" : "",
             x->literals ? ", where no Cast, comparison or condition reads cells of literals alone" : "");
}

void rewrite_covering(const struct cover *x, const struct rules *r, const struct rewrite_stats *s, char out[COVER_TEXT])
{
    int rule = 0;

    while (rule < s->rules && !(s->rule[rule].applied && !library_theorem(r, rule)))
        rule++;
    if (rule < s->rules)
        snprintf(out, COVER_TEXT, "no theorem covers the run: rule %.100s is not proved", rules_name(r, rule));
    else if (x->outside)
        snprintf(out, COVER_TEXT, "no theorem covers the run: '%.100s' has no meaning in the semantics", x->name);
    else
        rewrite_theorem(x, rewrite_class(r, s), out);
}

/* ---- what a run did to each node ----

   Nodes have numbers that stay when graph_compact moves them: those of the graph as it was read, then one for each node that a
   target adds. An event says which numbers went in (the applications that a rule replaced; what a folded node read) and which
   came out. Invariant: number[k] is the number of node k of the graph as it is. */

void trace_free(struct trace *t)
{
    ints_free(&t->number);
    ints_free(&t->pool);
    ints_free(&t->made);
    ints_free(&t->was);
    mem_free(t->event.a);
    memset(t, 0, sizeof *t);
}

/* Numbers for nodes that have none yet. */
static bool number_new(struct trace *t, const struct graph *g)
{
    while (t->number.n < g->node.n)
        if (!ints_push(t->mem, &t->number, t->numbers) || !ints_push(t->mem, &t->made, t->event.n))
            return false;
        else
            t->numbers++;
    return true;
}

enum calque_status trace_begin(struct trace *t, const struct graph *g, struct diag *d)
{
    memset(t, 0, sizeof *t);
    t->mem = g->mem;
    for (int k = 0; k < g->node.n; k++)
        if (!ints_push(t->mem, &t->number, k) || !ints_push(t->mem, &t->made, -1))
            return diag_nomem(d);
    t->read = t->numbers = g->node.n;
    return CALQUE_OK;
}

/* Starts an event; its numbers follow in pool. */
static struct trace_event *begin(struct trace *t, int rule)
{
    struct trace_event *e;

    if (!vec_room(t->mem, &t->event, 1))
        return NULL;
    e = &t->event.a[t->event.n];
    *e = (struct trace_event){ .rule = rule, .from = t->pool.n };
    return e;
}

enum calque_status trace_rewrite(struct trace *t, const struct matcher *m, const struct graph *g, const int *root, int first,
                                 struct diag *d)
{
    struct match_entry *sorted = match_sorted(m);
    const struct rule *r = &m->rules->rule.a[m->rule];
    struct trace_event *e = sorted ? begin(t, m->rule) : NULL;
    bool ok = e != NULL;

    for (int k = 0; ok && k < m->entry.n; k++)
        if (sorted[k].kind == ENTRY_NODE && sorted[k].node >= 0 && match_application(r, sorted[k].pattern)) {
            ok = ints_push(t->mem, &t->pool, t->number.a[sorted[k].node]);
            e->nfrom++;
        }
    ok = ok && number_new(t, g);
    for (int k = first; ok && k < g->node.n; k++, e->nto++)
        ok = ints_push(t->mem, &t->pool, t->number.a[k]);
    for (int k = 0; ok && k < m->outs.n; k++)
        if (root[k] < first) {
            ok = ints_push(t->mem, &t->pool, t->number.a[root[k]]);
            e->nkept++;
        }
    mem_free(sorted);
    if (!ok)
        return diag_nomem(d);
    t->event.n++;
    return CALQUE_OK;
}

enum calque_status trace_before_fold(struct trace *t, const struct graph *g, struct diag *d)
{
    t->was.n = 0;
    for (int k = 0; k < g->node.n; k++) {
        const struct node *n = &g->node.a[k];
        if (!ints_push(t->mem, &t->was, n->kind) || !ints_push(t->mem, &t->was, n->in) || !ints_push(t->mem, &t->was, n->nin))
            return diag_nomem(d);
    }
    return CALQUE_OK;
}

/* The places of g->in that a node had stay as they were: folding takes the node's range off and writes nothing there. */
enum calque_status trace_after_fold(struct trace *t, const struct graph *g, struct diag *d)
{
    bool ok = true;

    for (int k = 0; ok && 3 * k < t->was.n; k++) {
        const int *was = t->was.a + 3 * k;
        struct trace_event *e;

        if (was[0] == NODE_CONST || g->node.a[k].kind != NODE_CONST)
            continue;
        e = begin(t, -1);
        ok = e != NULL && ints_push(t->mem, &t->pool, t->number.a[k]);
        for (int i = was[1]; ok && i < was[1] + was[2]; i++)
            if (g->in.a[i] >= 0) {
                ok = ints_push(t->mem, &t->pool, t->number.a[g->in.a[i]]);
                e->nfrom++;
            }
        ok = ok && ints_push(t->mem, &t->pool, t->number.a[k]);
        if (ok) {
            e->nfrom++;
            e->nto = 1;
            t->event.n++;
        }
    }
    t->was.n = 0;
    return ok ? CALQUE_OK : diag_nomem(d);
}

enum calque_status trace_compact(struct trace *t, struct graph *g, struct diag *d)
{
    int n = g->node.n, *map = mem_resize(g->mem, NULL, (size_t)n + 1, sizeof *map);
    enum calque_status st = map ? graph_compact(g, map, d) : diag_nomem(d);
    int *next = st == CALQUE_OK ? mem_zero(g->mem, (size_t)n + 1, sizeof *next) : NULL;

    if (st == CALQUE_OK && !next)
        st = diag_nomem(d);
    if (st == CALQUE_OK) {
        for (int k = 0; k < n; k++)
            if (map[k] >= 0)
                next[map[k]] = t->number.a[k];
        memcpy(t->number.a, next, (size_t)g->node.n * sizeof *next);
        t->number.n = g->node.n;
    }
    mem_free(map);
    mem_free(next);
    return st;
}

/* Everything that a number became, forward through the events, in their order: an event comes after those that made what it
   reads, so one pass suffices. reached: one flag for each number; taken: one for each event that had it, or what it became, as
   something it replaced. */
bool trace_follow(const struct trace *t, int number, bool *reached, bool *taken)
{
    bool *own = mem_zero(t->mem, (size_t)t->numbers + 1, sizeof *own);

    if (!own)
        return false;
    memset(reached, 0, (size_t)t->numbers * sizeof *reached);
    memset(taken, 0, (size_t)t->event.n * sizeof *taken);
    reached[number] = own[number] = true;
    for (int i = 0; i < t->event.n; i++) {
        const struct trace_event *e = &t->event.a[i];
        const int *x = t->pool.a + e->from;
        bool any = false;

        for (int k = 0; k < e->nfrom; k++) {
            any = any || reached[x[k]];
            taken[i] = taken[i] || own[x[k]];
        }
        for (int k = e->nfrom; any && k < e->nfrom + e->nto + e->nkept; k++) {
            reached[x[k]] = true;
            own[x[k]] = own[x[k]] || (taken[i] && e->rule >= 0 && k < e->nfrom + e->nto);
        }
    }
    mem_free(own);
    return true;
}
