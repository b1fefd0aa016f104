#include "pattern/match.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "tensor/op.h"

const char *match_rule_text(int rule)
{
    static const char *const text[] = {
#define MATCH_RULE(name, text, meaning) text,
#include "pattern/match.def"
    };
    return text[rule];
}

enum calque_status matcher_init(struct matcher *m, const struct rules *rules, const struct graph *g,
                                const struct uses *uses, struct diag *d)
{
    size_t np = 1, nk = 1, ns = 1;

    memset(m, 0, sizeof *m);
    m->rules = rules;
    m->g = g;
    m->uses = uses;
    for (int k = 0; k < rules->rule.n; k++) {
        const struct rule *r = &rules->rule.a[k];
        np = (size_t)r->pattern.n > np ? (size_t)r->pattern.n : np;
        nk = (size_t)r->kid.n > nk ? (size_t)r->kid.n : nk;
        ns = (size_t)r->attrs.slot.n > ns ? (size_t)r->attrs.slot.n : ns;
    }
    m->node = mem_zero(rules->mem, np, sizeof *m->node);
    m->trail = mem_zero(rules->mem, np, sizeof *m->trail);
    m->choice = mem_zero(rules->mem, np, sizeof *m->choice);
    m->goal = mem_zero(rules->mem, nk + 1, sizeof *m->goal);
    m->env.slot = mem_zero(rules->mem, ns, sizeof *m->env.slot);
    if (m->node && m->trail && m->choice && m->goal && m->env.slot)
        return CALQUE_OK;
    matcher_free(m);
    return diag_nomem(d);
}

void matcher_free(struct matcher *m)
{
    mem_free(m->node);
    mem_free(m->trail);
    mem_free(m->choice);
    mem_free(m->goal);
    mem_free(m->env.slot);
    memset(m, 0, sizeof *m);
}

static const struct rule *rule_of(const struct matcher *m)
{
    return &m->rules->rule.a[m->rule];
}

static const char *kind_word(const struct graph *g, int node)
{
    static const char *const word[] = { "a graph input", "a constant", "", "a projection", "a tuple" };
    const struct node *nd;

    if (node < 0)
        return "an absent input";
    nd = &g->node.a[node];
    return nd->kind == NODE_OP ? op_info(nd->op)->name : word[nd->kind];
}

/* Is this failure further on than the one on record? Then it replaces it (its texts are the caller's if
   m->explain). A limit exceeded is always said: the answer may be wrong. */
static bool record(struct matcher *m, int rule, int phase, int p, int node)
{
    const struct rule *r = rule_of(m);
    int progress = rule == MATCH_LIMIT ? INT_MAX : m->trails + phase * r->pattern.n + 1;

    if (progress <= m->progress)
        return false;
    m->progress = progress;
    m->fail = (struct match_fail){ .rule = rule, .pattern = p, .node = node };
    if (p >= 0) {
        m->fail.line = r->pattern.a[p].line;
        m->fail.col = r->pattern.a[p].col;
    }
    return true;
}

/* The judgement `rule` failed for p at node; texts as printf, want then got. Always false. */
static bool fail(struct matcher *m, int rule, int p, int node, const char *want, const char *got)
{
    if (record(m, rule, 0, p, node) && m->explain) {
        snprintf(m->fail.want, sizeof m->fail.want, "%s", want);
        snprintf(m->fail.got, sizeof m->fail.got, "%s", got);
    }
    return false;
}

static const char *describe(const struct matcher *m, int node, char *buf, size_t n)
{
    if (node < 0)
        snprintf(buf, n, "an absent input");
    else if (graph_name(m->g, node)[0])
        snprintf(buf, n, "%s %s", kind_word(m->g, node), graph_name(m->g, node));
    else
        snprintf(buf, n, "%s (node %d)", kind_word(m->g, node), node);
    return buf;
}

/* The text of a value or expression for fail.want and fail.got. */
static void put_value(const struct matcher *m, int value, char *buf, size_t n)
{
    struct text t;

    snprintf(buf, n, "no value");
    if (value < 0 || n == 0)
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

    if (n == 0)
        return;
    text_init(&t, m->rules->mem);
    attr_print(&t, &rule_of(m)->attrs, m->g->strs, expr);
    snprintf(buf, n, "%s", t.failed ? "?" : t.a);
    text_free(&t);
}

static bool resources(struct matcher *m, enum calque_status status, int p, int node)
{
    if (status == CALQUE_NOMEM)
        m->status = CALQUE_NOMEM;
    return fail(m, MATCH_LIMIT, p, node, "evaluation within its limits", "a limit exceeded");
}

/* PM-Const: an integer literal is, against a float tensor, the float of that value. Is it this case, and equal? */
static bool literal_equal(const struct matcher *m, int expr, int value)
{
    const struct attr_node *nd = &rule_of(m)->attrs.node.a[expr];
    const struct value *v = m->g->values->v;
    double real;

    if (nd->kind != ATTR_CONST || v[nd->a].kind != VALUE_INT || value < 0 || v[value].kind != VALUE_FLOAT)
        return false;
    real = (double)v[nd->a].num;
    return memcmp(&real, &v[value].num, sizeof real) == 0;
}

/* AM: M |- expr ~ value, for attribute `label` of p; value -1: the node has none. */
static bool attr_holds(struct matcher *m, int judgement, int phase, int p, const char *label, int expr,
                       int value)
{
    struct attrs t = rule_of(m)->attrs; /* evaluation changes only the shared values */
    bool yes = false;
    char text[sizeof m->fail.want];

    if (value >= 0 && attr_match(&t, &m->env, expr, value, &yes) != ATTR_VALUE)
        return resources(m, match_full(m->rules->mem), p, m->node[p]);
    if (yes)
        return true;
    if (record(m, judgement, phase, p, m->node[p]) && m->explain) {
        put_expr(m, expr, text, sizeof text);
        snprintf(m->fail.want, sizeof m->fail.want, "%s = %.120s", label, text);
        put_value(m, value, text, sizeof text);
        snprintf(m->fail.got, sizeof m->fail.got, "%s = %.120s", label, text);
    }
    return false;
}

static int judgement_of(const struct pattern *q)
{
    static const int of[] = { MATCH_WILDCARD, MATCH_VARIABLE, MATCH_CONST,    MATCH_CALL,
                              MATCH_TUPLE,    MATCH_PROJ,     MATCH_OPTIONAL, MATCH_ABSENT };
    return of[q->kind];
}

/* The attribute constraints of bound pattern p: those that read no pattern (closed), or the others. */
static bool constraints(struct matcher *m, int p, bool closed, int phase)
{
    const struct rule *r = rule_of(m);
    const struct pattern *q = &r->pattern.a[p];
    int value;
    enum calque_status status;

    if (q->kind != PATTERN_OPTIONAL && q->value >= 0 && q->closed == closed) {
        const char *label = q->kind == PATTERN_PROJ ? "index" : "value";
        status = match_label(m, p, label, &value);
        if (status != CALQUE_OK)
            return resources(m, status, p, m->node[p]);
        if (!(q->kind == PATTERN_CONST && literal_equal(m, q->value, value)) &&
            !attr_holds(m, judgement_of(q), phase, p, label, q->value, value))
            return false;
    }
    for (int k = q->attr; k < q->attr + q->nattr; k++) {
        const struct pattern_attr *a = &r->attr.a[k];
        if (a->closed != closed)
            continue;
        status = match_label(m, p, strs_text(m->g->strs, a->label), &value);
        if (status != CALQUE_OK)
            return resources(m, status, p, m->node[p]);
        if (!attr_holds(m, judgement_of(q), phase, p, strs_text(m->g->strs, a->label), a->expr, value))
            return false;
    }
    return true;
}

static void bind(struct matcher *m, int p, int node)
{
    m->node[p] = node;
    m->trail[m->trails++] = p;
}

/* May p and q stand for the same node? Inputs may, if one of them is shared; what the rule replaces may not.
 */
static bool alias_allowed(const struct pattern *p, const struct pattern *q)
{
    if (p->kind == PATTERN_OPTIONAL || q->kind == PATTERN_OPTIONAL)
        return true;
    return p->nkid == 0 && q->nkid == 0 && (p->shared || q->shared);
}

/* PM-Injective */
static bool injective(struct matcher *m, int p, int node)
{
    const struct rule *r = rule_of(m);
    char text[sizeof m->fail.want];

    for (int k = 0; k < m->trails; k++) {
        int other = m->trail[k];
        if (m->node[other] != node || alias_allowed(&r->pattern.a[p], &r->pattern.a[other]))
            continue;
        if (record(m, MATCH_INJECTIVE, 0, p, node) && m->explain) {
            snprintf(m->fail.want, sizeof m->fail.want, "a node no other pattern stands for");
            snprintf(m->fail.got, sizeof m->fail.got, "%.60s, which the %s of line %d stands for",
                     describe(m, node, text, sizeof text), pattern_word(r, other), r->pattern.a[other].line);
        }
        return false;
    }
    return true;
}

static void push_goal(struct matcher *m, int p, int node)
{
    m->goal[m->goals++] = (struct match_goal){ p, node };
}

/* The goals for the inputs of node, in the order written or swapped. */
static void push_inputs(struct matcher *m, int p, int node, bool swapped)
{
    const struct rule *r = rule_of(m);
    const struct pattern *q = &r->pattern.a[p];

    for (int k = 0; k < q->nkid; k++)
        push_goal(m, r->kid.a[q->kid + k], graph_in(m->g, node, swapped ? q->nkid - 1 - k : k));
}

/* PM-Call: the operator and the number of inputs. */
static bool call(struct matcher *m, int p, int node)
{
    const struct pattern *q = &rule_of(m)->pattern.a[p];
    const struct node *nd = &m->g->node.a[node];

    if (nd->kind != NODE_OP || nd->op != q->op)
        return fail(m, MATCH_CALL, p, node, op_info(q->op)->name, kind_word(m->g, node));
    for (int k = q->nkid; k < nd->nin; k++)
        if (graph_in(m->g, node, k) >= 0)
            return fail(m, MATCH_CALL, p, node, "no further input", "an input more than the pattern has");
    return true;
}

static bool kind_is(struct matcher *m, int p, int node)
{
    const struct pattern *q = &rule_of(m)->pattern.a[p];
    const struct node *nd = &m->g->node.a[node];
    const char *got = kind_word(m->g, node);

    switch (q->kind) {
    case PATTERN_VARIABLE: /* PM-Variable */
        return nd->kind == NODE_INPUT || nd->kind == NODE_CONST ||
               fail(m, MATCH_VARIABLE, p, node, "a graph input or a constant", got);
    case PATTERN_CONST: /* PM-Const */
        return nd->kind == NODE_CONST || fail(m, MATCH_CONST, p, node, "a constant", got);
    case PATTERN_TUPLE: /* PM-Tuple */
        return (nd->kind == NODE_TUPLE && nd->nin == q->nkid) ||
               fail(m, MATCH_TUPLE, p, node, "a tuple of this length", got);
    case PATTERN_PROJ: /* PM-Proj */
        return nd->kind == NODE_PROJ || fail(m, MATCH_PROJ, p, node, "a projection", got);
    case PATTERN_CALL:
        return call(m, p, node);
    case PATTERN_NONE: /* PM-None */
        return fail(m, MATCH_ABSENT, p, node, "an absent input", got);
    default: /* PM-Wildcard, PM-Optional */
        return true;
    }
}

/* Goals of a commutative application leave a choice: the swapped order. */
static void expand(struct matcher *m, int p, int node)
{
    const struct pattern *q = &rule_of(m)->pattern.a[p];

    if (q->kind == PATTERN_CALL && (op_info(q->op)->traits & OP_COMMUTATIVE) && q->nkid == 2)
        m->choice[m->choices++] = (struct match_choice){ m->at, m->goals, m->trails };
    if (q->kind == PATTERN_OPTIONAL)
        push_goal(m, rule_of(m)->kid.a[q->kid], node);
    else
        push_inputs(m, p, node, false);
}

/* One goal M |- p ~ node. */
static bool solve(struct matcher *m, int p, int node)
{
    const struct pattern *q = &rule_of(m)->pattern.a[p];
    char a[sizeof m->fail.want], b[sizeof m->fail.got];
    int to = node < 0 ? PATTERN_ABSENT : node;

    if (m->node[p] == to)
        return true;
    if (m->node[p] != PATTERN_UNBOUND) /* PM-Function */
        return fail(m, MATCH_FUNCTION, p, node, describe(m, m->node[p], a, sizeof a),
                    describe(m, node, b, sizeof b));
    if (node < 0) {
        if (q->kind != PATTERN_OPTIONAL && q->kind != PATTERN_NONE)
            return fail(m, judgement_of(q), p, node, pattern_word(rule_of(m), p), "an absent input");
        bind(m, p, PATTERN_ABSENT);
        return true;
    }
    if (!kind_is(m, p, node) || !injective(m, p, node))
        return false;
    bind(m, p, node);
    if (!constraints(m, p, true, 0))
        return false;
    expand(m, p, node);
    return true;
}

/* PM-Use: inner nodes are matched applications other than the root; the others are inputs. */
static bool inner(const struct matcher *m, int p)
{
    const struct pattern *q = &rule_of(m)->pattern.a[p];

    return m->node[p] >= 0 && q->nkid > 0 && q->kind != PATTERN_OPTIONAL;
}

static bool is_inner(const struct matcher *m, int node)
{
    for (int k = 0; k < m->trails; k++)
        if (m->node[m->trail[k]] == node && inner(m, m->trail[k]))
            return true;
    return false;
}

static bool used_inside(struct matcher *m)
{
    char text[sizeof m->fail.want];

    for (int k = 0; k < m->trails; k++) {
        int p = m->trail[k], e = m->node[p], s;
        const struct use_node *u;

        if (!inner(m, p) || e == m->root)
            continue;
        u = &m->uses->node.a[e];
        for (s = u->head; s >= 0 && is_inner(m, m->uses->slot.a[s].user); s = m->uses->slot.a[s].next)
            ;
        if (s < 0 && u->outputs == 0)
            continue;
        if (record(m, MATCH_USE, 1, p, e) && m->explain) {
            snprintf(m->fail.want, sizeof m->fail.want, "no use outside the match");
            snprintf(m->fail.got, sizeof m->fail.got, "%.100s uses it",
                     s < 0 ? "a graph output" : describe(m, m->uses->slot.a[s].user, text, sizeof text));
        }
        return false;
    }
    return true;
}

/* PM-Require */
static bool requires_hold(struct matcher *m)
{
    const struct rule *r = rule_of(m);
    struct attrs t = r->attrs;

    for (int k = 0; k < r->require.n; k++) {
        int value = -1;
        enum attr_result res = attr_eval(&t, &m->env, r->require.a[k].expr, &value);
        const struct value *v;

        if (res == ATTR_FULL)
            return resources(m, match_full(m->rules->mem), -1, m->root);
        v = res == ATTR_VALUE ? &m->g->values->v[value] : NULL;
        if (v && v->kind == VALUE_BOOL && v->num)
            continue;
        if (record(m, v && v->kind == VALUE_BOOL ? MATCH_REQUIRE : MATCH_STUCK, 2, -1, m->root)) {
            m->fail.line = r->require.a[k].line;
            m->fail.col = r->require.a[k].col;
            put_expr(m, r->require.a[k].expr, m->fail.want, m->explain ? sizeof m->fail.want : 0);
            put_value(m, v ? value : -1, m->fail.got, m->explain ? sizeof m->fail.got : 0);
        }
        return false;
    }
    return true;
}

static bool fill_env(struct matcher *m)
{
    const struct attrs *t = &rule_of(m)->attrs;

    for (int s = 0; s < t->slot.n; s++) {
        const struct attr_slot *slot = &t->slot.a[s];
        enum calque_status status =
            match_label(m, slot->pattern, strs_text(m->g->strs, slot->label), &m->env.slot[s]);
        if (status != CALQUE_OK)
            return resources(m, status, slot->pattern, m->node[slot->pattern]);
    }
    m->env.n = t->slot.n;
    return true;
}

/* The structure matches; what remains is said about all of M. */
static bool finish(struct matcher *m)
{
    const struct rule *r = rule_of(m);

    if (!fill_env(m))
        return false;
    for (int p = 0; p < r->pattern.n; p++)
        if (r->pattern.a[p].in_source && m->node[p] >= 0 && !constraints(m, p, false, 0))
            return false;
    return used_inside(m) && requires_hold(m);
}

/* Back to the last choice: undoes M and the goals since, and takes the swapped order. */
static bool retry(struct matcher *m)
{
    struct match_choice c;

    if (m->choices == 0 || m->status != CALQUE_OK)
        return false;
    c = m->choice[--m->choices];
    while (m->trails > c.trail)
        m->node[m->trail[--m->trails]] = PATTERN_UNBOUND;
    m->goals = c.goals;
    m->at = c.at;
    m->env.n = 0;
    push_inputs(m, m->goal[m->at].pattern, m->goal[m->at].node, true);
    m->at++;
    return true;
}

static bool search(struct matcher *m)
{
    for (;;) {
        bool ok = true;
        while (ok && m->at < m->goals) {
            if (++m->steps > MATCH_STEPS_MAX)
                return fail(m, MATCH_LIMIT, rule_of(m)->source.a[0], m->root, "a search within its limits",
                            "too many steps");
            ok = solve(m, m->goal[m->at].pattern, m->goal[m->at].node);
            m->at += ok;
        }
        if (ok && finish(m))
            return true;
        if (!retry(m))
            return false;
    }
}

bool match_candidate(const struct matcher *m, int rule, int node)
{
    const struct rule *r = &m->rules->rule.a[rule];
    const struct pattern *q = &r->pattern.a[r->source.a[0]];
    const struct node *nd = &m->g->node.a[node];

    return q->kind == PATTERN_CALL ? nd->kind == NODE_OP && nd->op == q->op : nd->kind == NODE_PROJ;
}

enum calque_status match_at(struct matcher *m, int rule, int node, struct diag *d)
{
    const struct rule *r = &m->rules->rule.a[rule];
    struct values *vs = m->g->values;
    int n = vs->n, npool = vs->npool;

    m->rule = rule;
    m->root = node;
    m->at = m->goals = m->trails = m->choices = m->progress = 0;
    m->steps = 0;
    m->env.n = 0;
    m->status = CALQUE_OK;
    m->fail = (struct match_fail){ .pattern = -1, .node = -1 };
    for (int p = 0; p < r->pattern.n; p++)
        m->node[p] = PATTERN_UNBOUND;
    push_goal(m, r->source.a[0], node);
    if (search(m))
        return CALQUE_OK;
    vs->n = n; /* nothing keeps a value made here */
    vs->npool = npool;
    return m->status == CALQUE_OK ? CALQUE_NO : diag_nomem(d);
}

enum calque_status match_all(const struct rules *rules, const struct graph *g, struct match_sites *sites,
                             struct diag *d)
{
    struct uses uses;
    struct matcher m;
    enum calque_status status;

    memset(sites, 0, sizeof *sites);
    uses_init(&uses, rules->mem);
    status = uses_build(&uses, g, d);
    if (status == CALQUE_OK)
        status = matcher_init(&m, rules, g, &uses, d);
    if (status != CALQUE_OK) {
        uses_free(&uses);
        return status;
    }
    for (int k = 0; k < rules->rule.n && status == CALQUE_OK; k++)
        for (int v = 0; v < g->node.n && status == CALQUE_OK; v++) {
            if (!match_candidate(&m, k, v))
                continue;
            status = match_at(&m, k, v, d);
            if (status == CALQUE_OK && !vec_room(rules->mem, sites, 1))
                status = diag_nomem(d);
            else if (status == CALQUE_OK)
                sites->a[sites->n++] = (struct match_site){ k, v };
            else if (status == CALQUE_NO)
                status = CALQUE_OK;
        }
    matcher_free(&m);
    uses_free(&uses);
    return status;
}
