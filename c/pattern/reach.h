/* The proved walk from nodes to what they are computed from: does it meet an output of a match? */
#ifndef CALQUE_PATTERN_REACH_H
#define CALQUE_PATTERN_REACH_H

#include <limits.h>

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

#ifdef __FRAMAC__
#include "pattern/reach.acsl"
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

#endif
