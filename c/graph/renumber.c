/* Ids of nodes become their new numbers. */
#include "graph/renumber.h"

void graph_renumber(const int *in, int nin, const int *map, int n, int *out, int id)
{
    (void)n;
    (void)id;
    /*@ loop invariant range:   0 <= k <= nin;
        loop invariant renamed: \forall integer j; 0 <= j < k ==> out[j] == (in[j] < 0 ? -1 : map[in[j]]);
        loop invariant same:    \forall integer j; 0 <= j < nin ==> in[j] == \at(in[j], Pre);
        loop invariant map:     \forall integer j; 0 <= j < n ==> map[j] == \at(map[j], Pre);
        loop assigns k, out[0 .. nin - 1];
        loop variant nin - k;
    */
    for (int k = 0; k < nin; k++)
        out[k] = in[k] < 0 ? -1 : map[in[k]];
}
