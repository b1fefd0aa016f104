/* Why there is no match: the failure furthest on, and its texts where they are asked for. */
#include "pattern/match_internal.h"

#include <limits.h>
#include <stdio.h>

const char *match_word(const struct matcher *m, int node)
{
    static const char *const word[] = { "a graph input", "a constant", "", "a projection", "a tuple" };
    const struct node *nd;

    if (node < 0)
        return "an absent input";
    nd = &m->g->node.a[node];
    return nd->kind == NODE_OP ? op_info(nd->op)->name : word[nd->kind];
}

int match_judgement(const struct pattern *q)
{
    static const int of[] = { MATCH_WILDCARD, MATCH_VARIABLE, MATCH_CONST, MATCH_CALL,     MATCH_TUPLE,
                              MATCH_PROJ,     MATCH_OPTIONAL, MATCH_ABSENT, MATCH_ALT,     MATCH_OPERATOR,
                              MATCH_VARIADIC, MATCH_INST,     MATCH_NONE,   MATCH_NONE };
    return of[q->kind];
}

/* match_why.c: the judgement failed for p at node; true if this is the furthest failure so far. The others: always
   false; texts only if m->explain. */
static bool match_record(struct matcher *m, int judgement, int phase, int p, int node)
{
    const struct rule *r = match_rule_of(m);
    long progress = judgement == MATCH_LIMIT ? LONG_MAX : (long)phase * MATCH_FAR + m->entry.n + 1;

    if (progress <= m->progress)
        return false;
    m->progress = progress;
    m->fail = (struct match_fail){ .rule = judgement, .pattern = p, .node = node < 0 ? -1 : node };
    if (p >= 0) {
        m->fail.line = r->pattern.a[p].line;
        m->fail.col = r->pattern.a[p].col;
    }
    return true;
}

void match_count(char *buf, size_t n, const char *format, int k)
{
    snprintf(buf, n, format, k);
}

bool match_failed(struct matcher *m, int judgement, int p, int node, const char *want, const char *got)
{
    if (match_record(m, judgement, PHASE_STRUCTURE, p, node) && m->explain) {
        snprintf(m->fail.want, sizeof m->fail.want, "%s", want);
        snprintf(m->fail.got, sizeof m->fail.got, "%s", got);
    }
    return false;
}

bool match_limit(struct matcher *m, enum calque_status status, int p, int node)
{
    m->status = status;
    return match_failed(m, MATCH_LIMIT, p, node, "evaluation within its limits", "a limit exceeded");
}

static const char *describe(const struct matcher *m, int node, char *buf, size_t n)
{
    if (node < 0)
        snprintf(buf, n, "an absent input");
    else if (graph_name(m->g, node)[0])
        snprintf(buf, n, "%s %s", match_word(m, node), graph_name(m->g, node));
    else
        snprintf(buf, n, "%s (node %d)", match_word(m, node), node);
    return buf;
}

static void put_value(const struct matcher *m, int value, char *buf, size_t n)
{
    struct text t;

    snprintf(buf, n, "no value");
    if (value < 0)
        return;
    text_init(&t, m->rules->mem);
    value_print(&t, m->g->values, m->g->strs, value);
    if (!t.failed)
        snprintf(buf, n, "%s", t.a);
    text_free(&t);
}

static void put_expr(const struct matcher *m, int expr, char *buf, size_t n)
{
    struct text t;

    text_init(&t, m->rules->mem);
    attr_print(&t, &match_rule_of(m)->attrs, m->g->strs, expr);
    snprintf(buf, n, "%s", t.failed ? "?" : t.a);
    text_free(&t);
}

bool match_failed_function(struct matcher *m, int p, int node, int to)
{
    if (match_record(m, MATCH_FUNCTION, PHASE_STRUCTURE, p, node) && m->explain) {
        describe(m, to, m->fail.want, sizeof m->fail.want);
        describe(m, node, m->fail.got, sizeof m->fail.got);
    }
    return false;
}

bool match_failed_attr(struct matcher *m, int judgement, const struct match_entry *e, int label, int expr, int value)
{
    const char *name = strs_text(m->g->strs, label);
    char text[sizeof m->fail.want];

    if (!match_record(m, judgement, PHASE_STRUCTURE, e->pattern, e->kind == ENTRY_NODE ? e->node : m->root) ||
        !m->explain)
        return false;
    put_expr(m, expr, text, sizeof text);
    snprintf(m->fail.want, sizeof m->fail.want, "%.30s = %.120s", name, text);
    put_value(m, value, text, sizeof text);
    snprintf(m->fail.got, sizeof m->fail.got, "%.30s = %.120s", name, text);
    return false;
}

bool match_failed_injective(struct matcher *m, int p, int node, int other)
{
    const struct rule *r = match_rule_of(m);
    char text[sizeof m->fail.want];

    if (match_record(m, MATCH_INJECTIVE, PHASE_STRUCTURE, p, node) && m->explain) {
        snprintf(m->fail.want, sizeof m->fail.want, "a node no other pattern stands for");
        snprintf(m->fail.got, sizeof m->fail.got, "%.60s, which the %s of line %d stands for",
                 describe(m, node, text, sizeof text), pattern_word(r, other), r->pattern.a[other].line);
    }
    return false;
}

bool match_failed_use(struct matcher *m, int p, int node, int user)
{
    char text[sizeof m->fail.want];

    if (match_record(m, MATCH_USE, PHASE_USE, p, node) && m->explain) {
        snprintf(m->fail.want, sizeof m->fail.want, "no use outside the match");
        snprintf(m->fail.got, sizeof m->fail.got, "%.100s uses it",
                 user < 0 ? "a graph output" : describe(m, user, text, sizeof text));
    }
    return false;
}

bool match_failed_convex(struct matcher *m, int p, int node, int out)
{
    char text[sizeof m->fail.want];

    if (match_record(m, MATCH_CONVEX, PHASE_CONVEX, p, node) && m->explain) {
        snprintf(m->fail.want, sizeof m->fail.want, "a node that is computed from no output");
        if (node == out)
            snprintf(m->fail.got, sizeof m->fail.got, "%.100s, the output itself", describe(m, node, text, sizeof text));
        else
            snprintf(m->fail.got, sizeof m->fail.got, "one computed from output %.100s",
                     describe(m, out, text, sizeof text));
    }
    return false;
}

bool match_failed_require(struct matcher *m, int k, int value)
{
    const struct rule_require *c = &match_rule_of(m)->require.a[k];
    bool is_bool = value >= 0 && m->g->values->v[value].kind == VALUE_BOOL;

    if (match_record(m, is_bool ? MATCH_REQUIRE : MATCH_STUCK, PHASE_REQUIRE, -1, m->root)) {
        m->fail.line = c->line;
        m->fail.col = c->col;
        if (m->explain) {
            put_expr(m, c->expr, m->fail.want, sizeof m->fail.want);
            put_value(m, value, m->fail.got, sizeof m->fail.got);
        }
    }
    return false;
}
