/* What a match must satisfy beyond structure and attributes: its nodes are used inside only, and nothing it reads is
   computed from what it replaces. Both hold of more and more of M as it grows, and are checked of what is new. */
#include "pattern/inside.h"
#include "pattern/match_room.h"

static struct inside_view view(const struct matcher *m)
{
    const struct rule *r = match_rule_of(m);

    return (struct inside_view){ .entry = m->entry.a, .place = m->place.a, .pattern = r->pattern.a, .n = m->entry.n,
                                 .nodes = m->place.n, .patterns = r->pattern.n };
}

static struct uses_view uses_of(const struct matcher *m)
{
    return (struct uses_view){ .node = m->uses->node.a, .slot = m->uses->slot.a, .in = m->g->in.a, .n = m->uses->node.n,
                               .m = m->uses->slot.n };
}

/* Is the node an application of the match? */
bool match_inner(const struct matcher *m, int node)
{
    return inside_inner(view(m), node);
}

bool match_uses_hold(struct matcher *m, int from, enum match_uses which, int *user)
{
    for (int k = from; k < m->entry.n; k++) {
        const struct match_entry *e = &m->entry.a[k];
        int s;

        if (e->kind != ENTRY_NODE || e->node < 0 || m->place.a[e->node].outs > 0 ||
            (which != USES_ALL && (e->instance >= 0) != (which == USES_INSTANCES)) ||
            !match_application(match_rule_of(m), e->pattern))
            continue;
        s = inside_leak(view(m), uses_of(m), e->node);
        if (s < 0 && m->uses->node.a[e->node].outputs == 0)
            continue;
        *user = s < 0 ? -1 : m->uses->slot.a[s].user;
        return match_failed_use(m, e->pattern, e->node, *user);
    }
    return true;
}

void match_stamp(struct matcher *m)
{
    if (m->stamp == INT32_MAX) {
        for (int k = 0; k < m->place.n; k++)
            m->place.a[k].seen = 0;
        m->stamp = 0;
    }
    m->stamp++;
}

/* Puts node on the stack unless it was met, or lies before `low` in the order. */
static bool meet(struct matcher *m, int node, unsigned long low)
{
    if (node < 0 || m->place.a[node].seen == m->stamp || m->uses->node.a[node].order < low)
        return true;
    m->place.a[node].seen = m->stamp;
    return ints_push(m->rules->mem, &m->stack, node) || match_nomem(m);
}

/* Is an output among what the nodes on the stack are computed from, themselves included? Nodes before `low` are
   computed from none. The walk stays between the first output and the nodes it starts from. out: this output, or
   -1: any. *hit: one that was found. */
static bool from_output(struct matcher *m, unsigned long low, int out, int *hit)
{
    while (m->stack.n > 0) {
        int node = m->stack.a[--m->stack.n];
        const struct node *nd = &m->g->node.a[node];

        if (out >= 0 ? node == out : m->place.a[node].outs > 0) {
            *hit = node;
            return true;
        }
        for (int k = 0; k < nd->nin; k++)
            if (!meet(m, graph_in(m->g, node, k), low))
                return true;
    }
    return false;
}

/* The nodes that are matched and not replaced, of the entries first..last-1, are computed from no output (out >= 0:
   not from that one). */
static bool apart(struct matcher *m, int first, int last, unsigned long low, int out)
{
    int hit = -1;

    match_stamp(m);
    m->stack.n = 0;
    for (int k = first; k < last; k++) {
        const struct match_entry *e = &m->entry.a[k];
        if (e->kind != ENTRY_NODE || e->node < 0 || match_inner(m, e->node))
            continue;
        if (!meet(m, e->node, low))
            return false;
        if (from_output(m, low, out, &hit))
            return m->status == CALQUE_OK && match_failed_convex(m, e->pattern, e->node, hit);
    }
    return true;
}

static unsigned long order_of(const struct matcher *m, int node)
{
    return m->uses->node.a[node].order;
}

/* PM-Convex. The hull tells most matches apart at once: all they read comes before all they replace. */
bool match_convex(struct matcher *m, struct match_hull *h, int from, int out)
{
    struct match_hull old = *h;
    unsigned long low = ~0UL, high = 0;

    for (int k = from; k < m->entry.n; k++) {
        const struct match_entry *e = &m->entry.a[k];
        if (e->kind == ENTRY_NODE && e->node >= 0 && !match_inner(m, e->node) && order_of(m, e->node) > high)
            high = order_of(m, e->node);
    }
    for (int k = out; k < m->outs.n; k++)
        if (order_of(m, m->outs.a[k]) < low)
            low = order_of(m, m->outs.a[k]);
    h->low = low < old.low ? low : old.low;
    h->high = high > old.high ? high : old.high;
    if (high >= h->low && !apart(m, from, m->entry.n, h->low, -1))
        return false;
    for (int k = out; k < m->outs.n && old.high > 0; k++)
        if (old.high >= order_of(m, m->outs.a[k]) &&
            !apart(m, 0, from, order_of(m, m->outs.a[k]), m->outs.a[k]))
            return false;
    return true;
}
