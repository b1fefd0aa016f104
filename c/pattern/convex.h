/* The proved part of PM-Convex: is nothing that a match reads and keeps computed from what it replaces? */
#ifndef CALQUE_PATTERN_CONVEX_H
#define CALQUE_PATTERN_CONVEX_H

#include "pattern/inside.h"
#include "pattern/reach.h"

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

#ifdef __FRAMAC__
#include "pattern/convex.acsl"
#endif

/* PM-Convex of a match whose entries before `from` and outputs before `out` satisfy it, between the places of `old`. */
/*@ requires valid:    valid_convex(v);
    requires stamps:   stamps_ok(v.r);
    requires new:      0 <= from <= v.i.n && 0 <= out <= v.nouts;
    requires part:     convex_part(v, from, out);
    requires hull:     hull_ok(v, old, from, out);
    terminates \true;
    exits    never:    \false;
    assigns  v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1];
    ensures  entry:    -1 <= \result.entry < v.i.n;
    ensures  convex:   \result.entry < 0 <==> convex(v);
    ensures  witness:  \result.entry >= 0 ==> kept(v, \result.entry, v.i.entry[\result.entry].node) &&
                       is_out(v, \result.hit) && ancestor(v.r.g, \result.hit, v.i.entry[\result.entry].node);
    ensures  hull:     hull_ok(v, \result.hull, v.i.n, v.nouts);
    ensures  stamps:   \forall integer x; 0 <= x < v.r.g.n ==> v.r.seen[x] <= \result.stamp;
*/
struct convex_end convex_check(struct convex_view v, struct match_hull old, int from, int out);

#endif
