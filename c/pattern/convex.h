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

#endif
