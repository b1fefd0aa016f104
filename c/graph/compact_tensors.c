/* Tensors of a compacted graph move to their new places, cycle by cycle (compact_cycles.h). */
#define MOVE_ITEM struct tensor
#include "graph/compact_cycles.h"

void graph_move_tensors(struct tensor *a, int *map, int n)
{
    move(a, map, n);
}
