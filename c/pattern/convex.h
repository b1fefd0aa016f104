/* Reachability, uses inside of a match (PM-Use), convexity (PM-Convex), and what a rule asks of a map of nodes. */
#ifndef CALQUE_PATTERN_CONVEX_H
#define CALQUE_PATTERN_CONVEX_H

#include <limits.h>

#include "graph/use_list_internal.h"
#include "pattern/match.h"

/* n nodes, their inputs, and labels that grow from inputs to users. */
struct dag_view {
    const struct node *node;
    const int *in;
    const struct use_node *use;
    int n;
};

/* A walk. What it writes has types of its own, so that no graph changes by it. */
struct reach_view {
    struct dag_view g;
    const struct match_place *place;
    unsigned *seen; /* of each node: the stamp of the last walk that met it */
    long *work;     /* room for each node: the stack from below, what was taken from it from above */
    unsigned stamp;
    int out;           /* looked for: this node; -1: the outputs of the match */
    unsigned long low; /* what has a smaller label is computed from none of them */
};

struct reach_end {
    int hit;  /* what was found, or -1 */
    int done; /* the nodes met so far are work[n - done .. n - 1] */
};

/* The arrays of a match: n entries, a place for each of the nodes, the patterns of the rule. */
struct inside_view {
    struct match_entry *entry;
    struct match_place *place;
    const struct pattern *pattern;
    int n, nodes, patterns;
};

struct inside_end {
    int entry; /* an entry whose node is used outside, or -1 */
    int user;  /* the node that uses it, or -1: it is an output of the graph */
};

struct convex_view {
    struct reach_view r; /* its stamp: of the last walk */
    struct inside_view i;
    const int *outs;
    int nouts;
};

/* What the entries before one and the outputs before one already satisfy is not asked again. */
struct match_hull {
    unsigned long low;  /* no output comes before it in the order of the graph */
    unsigned long high; /* no node that is matched and not replaced comes after it */
};

struct convex_end {
    int entry; /* an entry of M whose node is kept and computed from an output, or -1 */
    int hit;   /* this output */
    struct match_hull hull;
    unsigned stamp; /* of the last walk */
};

/* Of all entries, of those of instances, of the others. */
enum match_uses { USES_ALL, USES_INSTANCES, USES_OTHERS };

#ifdef __FRAMAC__
#include "pattern/convex.acsl"
#endif

/* A stamp that no node has. */
/*@ requires valid:    0 <= n && \valid(seen + (0 .. n - 1));
    requires stamps:   \forall integer x; 0 <= x < n ==> seen[x] <= stamp;
    terminates \true;
    exits    never:    \false;
    assigns  seen[0 .. n - 1];
    ensures  fresh:    \forall integer x; 0 <= x < n ==> seen[x] < \result;
*/
unsigned reach_stamp(unsigned *seen, int n, unsigned stamp);

/* A walk may start: nothing is met. */
/*@ ghost
/@ requires valid:    valid_reach(v);
   requires fresh:    fresh(v);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  ok:       walk_ok(v, 0, 0, -1);
@/
void reach_start(struct reach_view v);

/@ requires valid:    valid_dag(g);
   requires node:     0 <= i < g.n;
   terminates \true;
   decreases g.use[i].order;
   exits    never:    \false;
   assigns  \nothing;
   ensures  before:   \forall integer j; ancestor(g, j, i) ==> g.use[j].order <= g.use[i].order;
@/
void ancestor_order(struct dag_view g, int i);
*/

/* Continues the walk at `start`. */
/*@ requires valid:    valid_reach(v);
    requires start:    0 <= start < v.g.n;
    requires ok:       walk_ok(v, 0, done, -1) && stamps_ok(v);
    terminates \true;
    exits    never:    \false;
    assigns  v.seen[0 .. v.g.n - 1], v.work[0 .. v.g.n - 1];
    ensures  stamps:   stamps_ok(v);
    ensures  hit:      \result.hit >= 0 ==> target(v, \result.hit) && ancestor(v.g, \result.hit, start);
    ensures  none:     \result.hit < 0 ==> apart(v, start);
    ensures  ok:       \result.hit < 0 ==> walk_ok(v, 0, \result.done, -1);
    ensures  met:      \result.hit < 0 ==> \forall integer x; met(v, x) <==> met{Pre}(v, x) ||
                       (0 <= x < v.g.n && v.low <= v.g.use[x].order && ancestor(v.g, x, start));
*/
struct reach_end reach_from(struct reach_view v, int done, int start);

/* The proved part of the use check: is a node replaced by the match, and are all its users? */

/* Has the pattern an operator, tuple or projection to replace? */
/*@ requires valid:    \valid_read(q);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  applied:  \result == 1 <==> application(q, 0);
*/
int inside_application(const struct pattern *q);

/* Is an application among entry k and those before it for the same node, where k is the last of them? */
/*@ requires valid:    valid_inside(v) && v.entry == entry && v.pattern == pattern;
    requires chained:  chained(v);
    requires last:     0 <= node < v.nodes && last_before(v, k, v.n, node);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  inner:    \result == 1 <==> inner(v, node);
*/
int inside_chain(const struct match_entry *entry, const struct pattern *pattern, int k)
    /*@ ghost (struct inside_view v, int node) */;

/* Is the node an application of the match? */
/*@ requires valid:    valid_inside(v);
    requires chained:  chained(v);
    requires node:     0 <= node < v.nodes;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  inner:    \result == 1 <==> inner(v, node);
*/
int inside_inner(struct inside_view v, int node);

/* PM-Use of the entries from `from` on. */
/*@ requires views:    \valid_read(p) && \valid_read(q);
    requires valid:    valid_inside(*p) && valid_uses(*q);
    requires chained:  chained(*p);
    requires uses:     uses_ok(*q) && q->n <= p->nodes;
    requires users:    \forall integer s; linked(*q, s) ==> q->slot[s].user < p->nodes;
    requires entries:  \forall integer k; 0 <= k < p->n ==> p->entry[k].kind == ENTRY_NODE ==> p->entry[k].node < q->n;
    requires from:     0 <= from <= p->n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  entry:    -1 <= \result.entry < p->n;
    ensures  holds:    \result.entry < 0 <==> use_holds(*p, *q, which, from);
    ensures  asked:    \result.entry >= 0 ==> from <= \result.entry && asked(*p, which, \result.entry);
    ensures  user:     \result.entry >= 0 ==> \result.user >= 0 ==> !inner(*p, \result.user) &&
                       \exists integer s; holds(*q, s, p->entry[\result.entry].node) && q->slot[s].user == \result.user;
    ensures  output:   \result.entry >= 0 ==> \result.user < 0 ==> q->node[p->entry[\result.entry].node].outputs != 0;
*/
struct inside_end inside_uses(const struct inside_view *p, const struct uses_view *q, enum match_uses which, int from);

/* PM-Convex of a match whose entries before `from` and outputs before `out` satisfy it, between the places of `old`. */
/*@ requires view:     \valid_read(p);
    requires valid:    valid_convex(*p);
    requires stamps:   stamps_ok(p->r);
    requires new:      0 <= from <= p->i.n && 0 <= out <= p->nouts;
    requires part:     convex_part(*p, from, out);
    requires hull:     hull_ok(*p, old, from, out);
    terminates \true;
    exits    never:    \false;
    assigns  p->r.seen[0 .. p->r.g.n - 1], p->r.work[0 .. p->r.g.n - 1];
    ensures  entry:    \let w = \old(*p); -1 <= \result.entry < w.i.n;
    ensures  convex:   \let w = \old(*p); \result.entry < 0 <==> convex(w);
    ensures  witness:  \let w = \old(*p); \result.entry >= 0 ==>
                       kept(w, \result.entry, w.i.entry[\result.entry].node) && is_out(w, \result.hit) &&
                       ancestor(w.r.g, \result.hit, w.i.entry[\result.entry].node);
    ensures  hull:     \let w = \old(*p); hull_ok(w, \result.hull, w.i.n, w.nouts);
    ensures  stamps:   \let w = \old(*p); \forall integer x; 0 <= x < w.r.g.n ==> w.r.seen[x] <= \result.stamp;
*/
struct convex_end convex_check(const struct convex_view *p, struct match_hull old, int from, int out);

/* What a match must satisfy beyond structure and attributes: its nodes are used inside only, and nothing it reads is
   computed from what it replaces. Both hold of more and more of M as it grows, and are asked of what is new. */
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

/* matcher.c: the match breaks MATCH_USE or MATCH_CONVEX, as a whole, at node, for pattern p: `other` is what uses the node, -1: a
   graph output; or the output that it is computed from. Trusted. */
/*@ requires held:     \valid(m) && held_rule(m);
    terminates \true;
    exits    never:    \false;
    assigns  m->fail, m->progress;
    ensures  result:   \result == 0;
*/
bool match_failed_whole(struct matcher *m, int judgement, int p, int node, int other);

#endif
