/* The proved part of compaction: tensors and bytes go to their places. */
#ifndef CALQUE_GRAPH_COMPACT_MOVE_H
#define CALQUE_GRAPH_COMPACT_MOVE_H

#include "graph/mark.h"

#ifdef __FRAMAC__
#include "graph/data.acsl"

#define MOVE_REQUIRES                                                                      \
    requires valid:    0 <= n && \valid(a + (0 .. n - 1)) && \valid(map + (0 .. n - 1));   \
    requires apart:    n > 0 ==> \base_addr(map) != \base_addr(a);                         \
    requires places:   places(map, n);
#define MOVED \forall integer k; 0 <= k < n ==> a[\old(map[k])] == \old(a[k])
#endif

/* Each element moves to the place that the map has for it, which then has every place for itself. */
/*@ MOVE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1], map[0 .. n - 1];
    ensures  moved:    MOVED;
*/
void graph_move_tensors(struct tensor *a, int *map, int n);
/*@ MOVE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1], map[0 .. n - 1];
    ensures  moved:    MOVED;
*/
void graph_move_raws(struct raw *a, int *map, int n);

#endif
