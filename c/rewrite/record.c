/* What was done to a graph, as "rule=count" lists: new counts are added to those of earlier rewriting; and which theorem says
   what of it. */
#include "rewrite/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return dtype == DTYPE_F32 || dtype == DTYPE_F64 || dtype == DTYPE_I32 || dtype == DTYPE_I64 || dtype == DTYPE_BOOL;
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
