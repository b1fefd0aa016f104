/* The search of a match (PM-Call, PM-Variable, PM-Const, PM-Alt, PM-Optional, PM-Variadic, PM-Inst, ..: Coq
   Pattern.v): goals are taken from a stack, choices are undone by a trail. Invariant: M holds what the goals that are
   done say, and nothing else. */
#include "pattern/match_trail.h"
#include "pattern/match_internal.h"

#include <string.h>

const char *match_rule_text(int rule)
{
    static const char *const text[] = {
#define MATCH_RULE(name, text, meaning) text,
#include "pattern/match.def"
    };
    return text[rule];
}

bool match_nomem(struct matcher *m)
{
    m->status = CALQUE_NOMEM;
    return false;
}

struct match_address match_address_of(const struct rule *r, int p, int k)
{
    const struct pattern *q = &r->pattern.a[p];

    if (!q->template)
        return (struct match_address){ p, -1 };
    if (k == 0 && q->first >= 0)
        return (struct match_address){ q->first, -1 };
    return (struct match_address){ p, k };
}

int match_only_variadic(const struct rule *r, const struct pattern *q, int *v)
{
    if (q->nkid != 1 || r->pattern.a[r->kid.a[q->kid]].kind != PATTERN_VARIADIC)
        return -1;
    *v = r->kid.a[q->kid];
    return r->kid.a[r->pattern.a[*v].kid];
}

bool match_application(const struct rule *r, int p)
{
    return inside_application(&r->pattern.a[p]);
}

static int get(const struct matcher *m, struct match_address a)
{
    return addresses_get(&m->to, a.pattern, a.instance);
}

int match_node(const struct matcher *m, int p, int k)
{
    return get(m, match_address_of(match_rule_of(m), p, k));
}

int match_op(const struct matcher *m, int p)
{
    int e = addresses_get(&m->to, p, -1);

    return e >= 0 && m->g->node.a[e].kind == NODE_OP ? m->g->node.a[e].op : -1;
}

static struct inside_view entries(const struct matcher *m)
{
    const struct rule *r = match_rule_of(m);

    return (struct inside_view){ .entry = m->entry.a, .place = m->place.a, .pattern = r->pattern.a, .n = m->entry.n,
                                 .nodes = m->place.n, .patterns = r->pattern.n };
}

/* M says one thing more. */
bool match_put(struct matcher *m, struct match_entry e)
{
    if (!vec_room(m->rules->mem, &m->entry, 1))
        return match_nomem(m);
    if (e.kind == ENTRY_NODE) {
        if (!addresses_put(&m->to, e.pattern, e.instance, e.node))
            return match_nomem(m);
    } else {
        int *now = e.kind == ENTRY_LENGTH ? &m->length[e.pattern] : &m->taken[e.pattern];
        e.old = *now;
        *now = e.node;
    }
    m->entry.n = entries_put(entries(m), e).n;
    return true;
}

static bool bind(struct matcher *m, int pattern, int instance, int node)
{
    return match_put(m, (struct match_entry){ ENTRY_NODE, pattern, instance, node, -1 });
}

bool match_out_push(struct matcher *m, int node)
{
    if (!ints_push(m->rules->mem, &m->outs, node))
        return match_nomem(m);
    m->place.a[node].outs++;
    return true;
}

void match_undo(struct matcher *m, int size, int outs)
{
    while (m->entry.n > size) {
        const struct match_entry *e = &m->entry.a[m->entry.n - 1];
        if (e->kind == ENTRY_LENGTH)
            m->length[e->pattern] = e->old;
        else if (e->kind == ENTRY_TAKEN)
            m->taken[e->pattern] = e->old;
        else
            addresses_put(&m->to, e->pattern, e->instance, PATTERN_UNBOUND);
        m->entry.n = entries_drop(entries(m)).n;
    }
    while (m->outs.n > outs)
        m->place.a[m->outs.a[--m->outs.n]].outs--;
}

bool match_goal_push(struct matcher *m, int instance, int pattern, int node)
{
    if (!vec_room(m->rules->mem, &m->goal, 1))
        return match_nomem(m);
    m->goal.a[m->goal.n] = (struct match_goal){ instance, pattern, node, m->next };
    m->next = m->goal.n++;
    return true;
}

static bool push_choice(struct matcher *m, int goal, int way)
{
    if (!vec_room(m->rules->mem, &m->choice, 1))
        return match_nomem(m);
    m->choice.a[m->choice.n++] = (struct match_choice){
        .goal = goal, .way = way, .entries = m->entry.n, .goals = m->goal.n, .outs = m->outs.n, .found = m->found.n,
        .values = m->g->values->n, .pool = m->g->values->npool,
    };
    return true;
}

/* Has p stood for the node before, in another instance, where it may stand for one node several times? Then whatever else
   does so was compared with it. Looks back as far as there are patterns, which take turns. */
static bool again(const struct matcher *m, int p, int node)
{
    const struct pattern *q = match_pattern(m, p);
    int e = m->place.a[node].entry;

    if (!q->shared || (q->kind != PATTERN_WILDCARD && q->kind != PATTERN_VARIABLE && q->kind != PATTERN_CONST))
        return false;
    for (int k = 0; k < match_rule_of(m)->pattern.n && e >= 0; k++, e = m->entry.a[e].old)
        if (m->entry.a[e].pattern == p)
            return true;
    return false;
}

/* PM-Injective */
static bool injective(struct matcher *m, int p, int node)
{
    int k = node < 0 || again(m, p, node) ? -1 : entries_clash(entries(m), p, node);

    return k < 0 || match_failed_injective(m, p, node, m->entry.a[k].pattern);
}

/* Input number k of an application that has `n` of them for the pattern. */
static int input(const struct matcher *m, int node, int k)
{
    int e = node >= 0 && k < m->g->node.a[node].nin ? graph_in(m->g, node, k) : -1;

    return e < 0 ? PATTERN_ABSENT : e;
}

/* The goals for the children of p: inputs or fields of node, the first two swapped or not. PM-Variadic where the
   only child is a variadic pattern: its instances. */
static bool push_kids(struct matcher *m, struct match_goal g, bool swapped)
{
    const struct rule *r = match_rule_of(m);
    const struct pattern *q = &r->pattern.a[g.pattern];
    int v = g.pattern, n = q->nkid, field;

    if (q->kind == PATTERN_VARIADIC)
        field = r->kid.a[q->kid];
    else
        field = q->kind == PATTERN_PROJ ? -1 : match_only_variadic(r, q, &v);
    if (field >= 0) {
        n = m->g->node.a[g.node].nin;
        if (m->length[v] >= 0 && m->length[v] != n)
            return match_failed(m, MATCH_VARIADIC, g.pattern, g.node, "as many instances as before", "another number");
        if (m->length[v] < 0 && !match_put(m, (struct match_entry){ ENTRY_LENGTH, v, -1, n, -1 }))
            return false;
    }
    for (int k = n - 1; k >= 0; k--)
        if (!match_goal_push(m, field >= 0 ? k : g.instance, field >= 0 ? field : r->kid.a[q->kid + k],
                             input(m, g.node, swapped ? n - 1 - k : k)))
            return false;
    return true;
}

/* PM-Call: the operator. That of an operator pattern is the same everywhere. */
static bool operator_fits(struct matcher *m, struct match_goal g)
{
    const struct rule *r = match_rule_of(m);
    const struct pattern *q = &r->pattern.a[g.pattern], *o;
    const struct node *nd = g.node < 0 ? NULL : &m->g->node.a[g.node];
    const char *got = match_word(m, g.node);
    int e;

    if (!nd || nd->kind != NODE_OP || (q->opat < 0 && nd->op != q->op))
        return match_failed(m, MATCH_CALL, g.pattern, g.node, pattern_word(r, g.pattern), got);
    if (q->opat < 0)
        return true;
    e = addresses_get(&m->to, q->opat, -1);
    if (e != PATTERN_UNBOUND)
        return match_op(m, q->opat) == nd->op ||
               match_failed(m, MATCH_OPERATOR, q->opat, g.node, match_word(m, e), got);
    o = &r->pattern.a[q->opat];
    for (int k = 0; k < o->nkid; k++)
        if (r->kid.a[o->kid + k] == nd->op)
            return true;
    return match_failed(m, MATCH_OPERATOR, q->opat, g.node, "one of its operators", got);
}

/* PM-Call: inputs that are not written are absent. */
static bool call_fits(struct matcher *m, struct match_goal g)
{
    const struct pattern *q = match_pattern(m, g.pattern);
    int v;

    if (!operator_fits(m, g))
        return false;
    if (match_only_variadic(match_rule_of(m), q, &v) >= 0)
        return true;
    for (int k = q->nkid; k < m->g->node.a[g.node].nin; k++)
        if (input(m, g.node, k) >= 0)
            return match_failed(m, MATCH_CALL, g.pattern, g.node, "no further input",
                                "an input more than the pattern has");
    return true;
}

static bool tuple_fits(struct matcher *m, struct match_goal g)
{
    const struct rule *r = match_rule_of(m);
    const struct pattern *q = &r->pattern.a[g.pattern];
    const struct node *nd = g.node < 0 ? NULL : &m->g->node.a[g.node];
    int v;

    if (nd && nd->kind == NODE_TUPLE &&
        (q->kind == PATTERN_VARIADIC || match_only_variadic(r, q, &v) >= 0 || nd->nin == q->nkid))
        return true;
    return match_failed(m, match_judgement(q), g.pattern, g.node, "a tuple of this length", match_word(m, g.node));
}

/* Is the node of the kind p asks for? */
static bool fits(struct matcher *m, struct match_goal g)
{
    const struct pattern *q = match_pattern(m, g.pattern);
    int kind = g.node < 0 ? -1 : m->g->node.a[g.node].kind;
    const char *got = match_word(m, g.node);

    switch (q->kind) {
    case PATTERN_WILDCARD: /* PM-Wildcard */
        return kind >= 0 || match_failed(m, MATCH_WILDCARD, g.pattern, g.node, "wildcard", got);
    case PATTERN_VARIABLE: /* PM-Variable */
        return kind == NODE_INPUT || kind == NODE_CONST ||
               match_failed(m, MATCH_VARIABLE, g.pattern, g.node, "a graph input or a constant", got);
    case PATTERN_CONST: /* PM-Const */
        return kind == NODE_CONST || match_failed(m, MATCH_CONST, g.pattern, g.node, "a constant", got);
    case PATTERN_CALL:
        return call_fits(m, g);
    case PATTERN_TUPLE: /* PM-Tuple, PM-Variadic */
    case PATTERN_VARIADIC:
        return tuple_fits(m, g);
    case PATTERN_PROJ: /* PM-Proj */
        return kind == NODE_PROJ || match_failed(m, MATCH_PROJ, g.pattern, g.node, "a projection", got);
    case PATTERN_NONE: /* PM-None */
        return kind < 0 || match_failed(m, MATCH_ABSENT, g.pattern, g.node, "an absent input", got);
    case PATTERN_OPTIONAL:
    case PATTERN_ALT:
        return true;
    default:
        return match_failed(m, MATCH_INST, g.pattern, g.node, "the instance", got);
    }
}

/* PM-Call: the children, in a choice of two orders if the operator is commutative. */
static bool call(struct matcher *m, struct match_goal g, int goal)
{
    const struct pattern *q = match_pattern(m, g.pattern);
    const struct node *nd = &m->g->node.a[g.node];
    int v, n = match_only_variadic(match_rule_of(m), q, &v) >= 0 ? nd->nin : q->nkid;

    if (q->opat >= 0 && addresses_get(&m->to, q->opat, -1) == PATTERN_UNBOUND && !bind(m, q->opat, -1, g.node))
        return false;
    if (n == 2 && (op_info(nd->op)->traits & OP_COMMUTATIVE) && !push_choice(m, goal, 1))
        return false;
    return push_kids(m, g, false);
}

/* PM-Alt: alternative number `way`. */
static bool alternative(struct matcher *m, struct match_goal g, int goal, int way)
{
    const struct rule *r = match_rule_of(m);
    const struct pattern *q = &r->pattern.a[g.pattern];

    if (way + 1 < q->nkid && !push_choice(m, goal, way + 1))
        return false;
    return match_put(m, (struct match_entry){ ENTRY_TAKEN, g.pattern, -1, way, -1 }) &&
           match_goal_push(m, g.instance, r->kid.a[q->kid + way], g.node);
}

/* What is left once p is bound to node: coq step. */
static bool expand(struct matcher *m, struct match_goal g, int goal)
{
    int kid;

    switch (match_pattern(m, g.pattern)->kind) {
    case PATTERN_CALL:
        return call(m, g, goal);
    case PATTERN_TUPLE:
    case PATTERN_VARIADIC:
    case PATTERN_PROJ:
        return push_kids(m, g, false);
    case PATTERN_OPTIONAL: /* PM-Optional, PM-Absent */
        kid = match_rule_of(m)->kid.a[match_pattern(m, g.pattern)->kid];
        return g.node < 0 || match_goal_push(m, g.instance, kid, g.node);
    case PATTERN_ALT:
        return alternative(m, g, goal, 0);
    default:
        return true;
    }
}

/* PM-Inst: src(t, k) is what instance k of t stands for. */
static bool instance(struct matcher *m, struct match_goal g)
{
    const struct rule *r = match_rule_of(m);
    const struct pattern *q = &r->pattern.a[g.pattern];
    long k;

    if (match_index(m, q->value, g.instance, &k) && k >= 0 && k <= INT32_MAX &&
        get(m, match_address_of(r, r->kid.a[q->kid], (int)k)) == g.node)
        return true;
    return m->status == CALQUE_OK &&
           match_failed(m, MATCH_INST, g.pattern, g.node, "what that instance stands for", match_word(m, g.node));
}

/* PM-Output: the next candidate for an output of the source; false: there is none. */
static bool next_output(struct matcher *m, int goal, int way)
{
    int at = match_lists_free(m, way), node = m->found.a[at].node;

    return node >= 0 && push_choice(m, goal, at + 1) && match_out_push(m, node) &&
           match_goal_push(m, -1, m->goal.a[goal].pattern, node);
}

static bool output(struct matcher *m, int goal)
{
    int p = m->goal.a[goal].pattern, first = match_candidates(m, p, -1);

    if (first < 0)
        return false;
    return next_output(m, goal, first) ||
           match_failed(m, MATCH_OUTPUT, p, m->root, "a node for this output", "none");
}

/* One goal M |- p ~ node; its subgoals come before what is left. */
static bool solve(struct matcher *m, int goal)
{
    struct match_goal g = m->goal.a[goal];
    struct match_address a = match_address_of(match_rule_of(m), g.pattern, g.instance);
    int to;

    m->next = g.next;
    if (g.node == MATCH_ANY)
        return output(m, goal);
    to = get(m, a);
    if (to != PATTERN_UNBOUND) /* PM-Function */
        return to == g.node || match_failed_function(m, g.pattern, g.node, to);
    if (match_pattern(m, g.pattern)->kind == PATTERN_INST)
        return instance(m, g);
    if (a.pattern != g.pattern) /* PM-First */
        return match_goal_push(m, -1, a.pattern, g.node);
    /* PM-Node */
    return fits(m, g) && injective(m, g.pattern, g.node) && bind(m, g.pattern, a.instance, g.node) &&
           match_claims(m, &m->entry.a[m->entry.n - 1], false) && expand(m, g, goal);
}

/* Takes the next way of the last choice above floor; false: there is none. */
bool match_revise(struct matcher *m, int floor)
{
    while (m->choice.n > floor && m->status == CALQUE_OK) {
        struct match_choice c = m->choice.a[--m->choice.n];
        struct match_goal g = m->goal.a[c.goal];
        bool ok;

        match_undo(m, c.entries, c.outs);
        m->goal.n = c.goals;
        m->g->values->n = c.values;
        m->g->values->npool = c.pool;
        m->next = g.next;
        match_lists_back(m, c.found);
        if (g.node == MATCH_ANY)
            ok = next_output(m, c.goal, c.way);
        else if (match_pattern(m, g.pattern)->kind == PATTERN_ALT)
            ok = alternative(m, g, c.goal, c.way);
        else
            ok = push_kids(m, g, true);
        if (ok)
            return true;
    }
    return false;
}

bool match_run(struct matcher *m, int floor)
{
    for (;;) {
        bool ok = true;
        while (ok && m->next >= 0) {
            if (++m->steps > m->budget) {
                m->status = CALQUE_LIMIT;
                return match_failed(m, MATCH_LIMIT, match_rule_of(m)->source.a[0], m->root,
                                    "a search within its limits", "too many steps");
            }
            ok = solve(m, m->next);
        }
        if (ok)
            return true;
        if (m->status != CALQUE_OK || !match_revise(m, floor))
            return false;
    }
}
