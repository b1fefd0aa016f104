/* What a match must satisfy beyond structure and attributes: its nodes are used inside only, and nothing it reads is
   computed from what it replaces. Both hold of more and more of M as it grows, and are checked of what is new. */
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
    m->walk.stamp = reach_stamp(m->walk.seen.a, m->walk.seen.n, m->walk.stamp);
}

/* PM-Convex */
bool match_convex(struct matcher *m, struct match_hull *h, int from, int out)
{
    struct convex_view v = {
        .r = { .g = { .node = m->g->node.a, .in = m->g->in.a, .use = m->uses->node.a, .n = m->g->node.n },
               .place = m->place.a, .seen = m->walk.seen.a, .work = m->walk.work.a, .stamp = m->walk.stamp, .out = -1 },
        .i = view(m), .outs = m->outs.a, .nouts = m->outs.n,
    };
    struct convex_end e = convex_check(v, *h, from, out);

    m->walk.stamp = e.stamp;
    *h = e.hull;
    return e.entry < 0 || match_failed_convex(m, m->entry.a[e.entry].pattern, m->entry.a[e.entry].node, e.hit);
}
