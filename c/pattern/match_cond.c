#include "pattern/match_cond.h"

/*@ requires held:     held_rule(m);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == inside_of(m);
*/
static struct inside_view view(const struct matcher *m)
{
    const struct rule *r = match_rule_of(m);

    return (struct inside_view){ .entry = m->entry.a, .place = m->place.a, .pattern = r->pattern.a, .n = m->entry.n,
                                 .nodes = m->place.n, .patterns = r->pattern.n };
}

/*@ requires held:     held_views(m);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == uses_at(m);
*/
static struct uses_view uses_of(const struct matcher *m)
{
    return (struct uses_view){ .node = m->uses->node.a, .slot = m->uses->slot.a, .in = m->g->in.a, .n = m->uses->node.n,
                               .m = m->uses->slot.n };
}

bool match_inner(const struct matcher *m, int node)
{
    return inside_inner(view(m), node);
}

bool match_uses_hold(struct matcher *m, int from, enum match_uses which, int *user)
{
    struct inside_view v = view(m);
    struct uses_view u = uses_of(m);
    struct inside_end e = inside_uses(&v, &u, which, from);

    if (e.entry < 0)
        return true;
    *user = e.user;
    return match_failed_use(m, m->entry.a[e.entry].pattern, m->entry.a[e.entry].node, e.user);
}

void match_stamp(struct matcher *m)
{
    m->walk.stamp = reach_stamp(m->walk.seen.a, m->walk.seen.n, m->walk.stamp);
}

bool match_convex(struct matcher *m, struct match_hull *h, int from, int out)
{
    struct convex_view v = {
        .r = { .g = { .node = m->g->node.a, .in = m->g->in.a, .use = m->uses->node.a, .n = m->g->node.n },
               .place = m->place.a, .seen = m->walk.seen.a, .work = m->walk.work.a, .stamp = m->walk.stamp, .out = -1 },
        .i = view(m), .outs = m->outs.a, .nouts = m->outs.n,
    };
    struct convex_end e = convex_check(&v, *h, from, out);

    m->walk.stamp = e.stamp;
    *h = e.hull;
    return e.entry < 0 || match_failed_convex(m, m->entry.a[e.entry].pattern, m->entry.a[e.entry].node, e.hit);
}
