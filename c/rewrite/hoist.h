/* The proved part of the substitution's check: is anything that a replacement reads computed from what it replaces? */
#ifndef CALQUE_REWRITE_HOIST_H
#define CALQUE_REWRITE_HOIST_H

#include "graph/topo_order.h"
#include "pattern/convex.h"

/* r: a walk over the nodes that were there; the new nodes are those from r.g.n on. */
struct early_view {
    struct reach_view r;
    int total;
    const int *outs, *root; /* root[k] takes the place of outs[k] */
    int nouts;
};

struct early_end {
    int hit;  /* an output that something read is computed from, or -1 */
    int done; /* what must come before the first output is work[n - done .. n - 1] */
    unsigned stamp; /* of the last walk */
};

#ifdef __FRAMAC__
#include "rewrite/early.acsl"
#endif

/*@ requires valid:    valid_early(v);
    requires stamps:   stamps_ok(v.r);
    terminates \true;
    exits    never:    \false;
    assigns  v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
    ensures  convex:   \result.hit < 0 <==> convex_rewrite(v);
    ensures  witness:  \result.hit >= 0 ==> is_output(v, \result.hit) && needed(v, \result.hit);
    ensures  range:    \result.hit < 0 ==> 0 <= \result.done <= v.r.g.n;
    ensures  early:    \result.hit < 0 ==> \forall integer x; taken(v.r, \result.done, x) <==>
                       0 <= x < v.r.g.n && needed(v, x) &&
                       \exists integer o; is_output(v, o) && v.r.g.use[o].order <= v.r.g.use[x].order;
    ensures  once:     \result.hit < 0 ==> walk_once(v.r, 0, \result.done);
    ensures  passed:   \result.hit < 0 ==> check_passed(v, \result.done);
    ensures  stamps:   \forall integer x; 0 <= x < v.r.g.n ==> v.r.seen[x] <= \result.stamp;
*/
struct early_end early_check(struct early_view v);

#endif
