/* Bytes of a compacted graph move to their new places, cycle by cycle (compact_cycles.h). */
#define MOVE_ITEM struct raw
#include "graph/compact_cycles.h"

void graph_move_raws(struct raw *a, int *map, int n)
{
    move(a, map, n);
}
