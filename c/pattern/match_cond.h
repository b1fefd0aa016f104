/* What a match must satisfy beyond structure and attributes: its nodes are used inside only, and nothing it reads is
   computed from what it replaces. Both hold of more and more of M as it grows, and are asked of what is new. */
#ifndef CALQUE_PATTERN_MATCH_COND_H
#define CALQUE_PATTERN_MATCH_COND_H

#include "pattern/convex.h"

#ifdef __FRAMAC__
#include "pattern/cond.acsl"
#endif

/*@ requires held:     held_rule(m);
    terminates \true;
    exits    never:    \false;
    assigns  \result \from m, m->rules, m->rule;
    ensures  rule:     \result == rule_of(m);
*/
static inline const struct rule *match_rule_of(const struct matcher *m)
{
    return &m->rules->rule.a[m->rule];
}

/* A stamp in m->walk.stamp that no node has. */
/*@ requires held:     \valid(m) && held_walks(m);
    terminates \true;
    exits    never:    \false;
    assigns  m->walk.stamp, m->walk.seen.a[0 .. m->walk.seen.n - 1];
    ensures  held:     held_walks(m);
    ensures  fresh:    \forall integer x; 0 <= x < m->walk.seen.n ==> m->walk.seen.a[x] < m->walk.stamp;
*/
void match_stamp(struct matcher *m);

/* Is the node an application of the match? */
/*@ requires held:     held_rule(m);
    requires valid:    valid_inside(inside_of(m)) && chained(inside_of(m));
    requires node:     0 <= node < m->place.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  inner:    \result == 1 <==> inner(inside_of(m), node);
*/
bool match_inner(const struct matcher *m, int node);

/* PM-Use of the entries from `from` on: of all, of the instances, or of the others. *user: the node outside that uses one,
   -1: a graph output. */
/*@ requires held:     \valid(m) && held_views(m) && \valid(user) && \separated(user, m, m->entry.a + (0 .. m->entry.n - 1));
    requires valid:    valid_inside(inside_of(m)) && chained(inside_of(m));
    requires uses:     valid_uses(uses_at(m)) && uses_ok(uses_at(m)) && m->uses->node.n <= m->place.n;
    requires users:    \forall integer s; linked(uses_at(m), s) ==> m->uses->slot.a[s].user < m->place.n;
    requires entries:  \forall integer k; 0 <= k < m->entry.n ==> m->entry.a[k].kind == ENTRY_NODE ==>
                       m->entry.a[k].node < m->uses->node.n;
    requires from:     0 <= from <= m->entry.n;
    terminates \true;
    exits    never:    \false;
    assigns  *user, m->fail, m->progress;
    ensures  result:   \result == 0 || \result == 1;
    ensures  holds:    \result == 1 <==> \old(use_holds(inside_of(m), uses_at(m), which, from));
    ensures  user:     \let u = *user; \result == 0 ==> u >= 0 ==> !inner{Pre}(\at(inside_of(m), Pre), u) &&
                       \exists integer k, s; from <= k && asked{Pre}(\at(inside_of(m), Pre), which, k) &&
                       holds{Pre}(\at(uses_at(m), Pre), s, \at(m->entry.a[k].node, Pre)) &&
                       \at(m->uses->slot.a[s].user, Pre) == u;
    ensures  output:   \result == 0 ==> *user < 0 ==> \exists integer k; from <= k &&
                       asked{Pre}(\at(inside_of(m), Pre), which, k) &&
                       \at(m->uses->node.a[m->entry.a[k].node].outputs, Pre) != 0;
*/
bool match_uses_hold(struct matcher *m, int from, enum match_uses which, int *user);

/* PM-Convex, given that the entries before `from` and the outputs before `out` satisfy it. */
/*@ requires held:     \valid(m) && held_views(m) && held_walks(m) && \valid(h) && m->g->node.n == m->walk.seen.n;
    requires apart:    \separated(h, m) && \separated(m->walk.work.a + (0 .. m->g->node.n - 1), m, h) &&
                       \separated(m->walk.seen.a + (0 .. m->walk.seen.n - 1), m, h);
    requires valid:    valid_convex(convex_of(m, 0));
    requires new:      0 <= from <= m->entry.n && 0 <= out <= m->outs.n;
    requires part:     convex_part(convex_of(m, 0), from, out);
    requires hull:     hull_ok(convex_of(m, 0), *h, from, out);
    terminates \true;
    exits    never:    \false;
    assigns  m->walk.seen.a[0 .. m->g->node.n - 1], m->walk.work.a[0 .. m->g->node.n - 1], m->walk.stamp, *h,
             m->fail, m->progress;
    ensures  result:   \result == 0 || \result == 1;
    ensures  convex:   \result == 1 <==> convex{Pre}(\at(convex_of(m, 0), Pre));
    ensures  hull:     \let i = *h; hull_ok{Pre}(\at(convex_of(m, 0), Pre), i, \at(m->entry.n, Pre), \at(m->outs.n, Pre));
    ensures  held:     held_walks(m);
*/
bool match_convex(struct matcher *m, struct match_hull *h, int from, int out);

/* match_why.c: texts of a failure; trusted. */
/*@ requires held:     \valid(m) && held_rule(m);
    terminates \true;
    exits    never:    \false;
    assigns  m->fail, m->progress;
    ensures  result:   \result == 0;
*/
bool match_failed_use(struct matcher *m, int p, int node, int user);
/*@ requires held:     \valid(m) && held_rule(m);
    terminates \true;
    exits    never:    \false;
    assigns  m->fail, m->progress;
    ensures  result:   \result == 0;
*/
bool match_failed_convex(struct matcher *m, int p, int node, int out);

#endif
