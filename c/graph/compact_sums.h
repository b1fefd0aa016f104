/* The proved part of compaction: room for the inputs and attributes of the nodes that stay. */
#ifndef CALQUE_GRAPH_COMPACT_SUMS_H
#define CALQUE_GRAPH_COMPACT_SUMS_H

#include "graph/number.h"

enum { GRAPH_ROOM_MAX = INT32_MAX / 2 };

/* ok: neither is above GRAPH_ROOM_MAX. */
struct graph_sums {
    bool ok;
    int in, attr;
};

#ifdef __FRAMAC__
#include "graph/sums.acsl"
#endif

/* The sum over the nodes: ranges may overlap, so that it can exceed the arenas. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  ok:       \result.ok != 0 <==> all_ins(g, g.n) <= GRAPH_ROOM_MAX && all_atts(g, g.n) <= GRAPH_ROOM_MAX;
    ensures  sums:     \result.ok != 0 ==> \result.in == all_ins(g, g.n) && \result.attr == all_atts(g, g.n);
    ensures  range:    \result.ok != 0 ==> 0 <= \result.in && 0 <= \result.attr;
*/
struct graph_sums graph_sums(struct graph_put g);

/* That is enough for the nodes that have numbers (graph_emit). */
/*@ ghost
  /@ requires valid:    valid_graph(g) && ranges_ok(g) && numbers(g, map, order, n);
     requires read:     \valid_read(map + (0 .. g.n - 1)) && \valid_read(order + (0 .. n - 1));
     terminates \true;
     exits    never:    \false;
     assigns  \nothing;
     ensures  ins:      0 <= ins(g, order, n) <= all_ins(g, g.n);
     ensures  atts:     0 <= atts(g, order, n) <= all_atts(g, g.n);
  @/
  void graph_sums_enough(struct graph_put g, int *map, int *order, int n);
*/

#endif
