/* The proved part of compaction: new numbers of tensors and bytes, and their moving. */
#ifndef CALQUE_GRAPH_COMPACT_DATA_H
#define CALQUE_GRAPH_COMPACT_DATA_H

#include "graph/mark.h"

#ifdef __FRAMAC__
#include "graph/data.acsl"
#endif

/* Numbers the tensors that n nodes use (or their bytes) in the order of first use: how many; map[] has the new numbers of
   those there are, -1 for an unused one. */
/*@ requires valid:    0 <= n && 0 <= count && \valid(node + (0 .. n - 1)) && \valid(map + (0 .. count - 1));
    requires apart:    n > 0 && count > 0 ==> \base_addr(map) != \base_addr(node);
    requires data:     \forall integer i; 0 <= i < n ==> has_data(node, i, tensor) ==> node[i].data < count;
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. count - 1], node[0 .. n - 1].data;
    ensures  count:    0 <= \result && \result + dead(map, count) == count && 0 <= dead(map, count);
    ensures  range:    \forall integer k; 0 <= k < count ==> -1 <= map[k] < \result;
    ensures  used:     \forall integer k; 0 <= k < count ==> (0 <= map[k] <==> used_data{Pre}(node, n, tensor, k));
    ensures  once:     numbered_once(map, count);
    ensures  onto:     \forall integer v; 0 <= v < \result ==> has_number(map, count, v);
    ensures  order:    \forall integer j, k; 0 <= j < count ==> 0 <= k < count ==> 0 <= map[j] < map[k] ==>
                       used_before{Pre}(node, n, tensor, j, k);
    ensures  data:     \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, tensor) ==>
                       node[i].data == map[\old(node[i].data)];
    ensures  others:   \forall integer i; 0 <= i < n ==> !has_data{Pre}(node, i, tensor) ==> node[i].data == \old(node[i].data);
    ensures  fields:   \forall integer i; 0 <= i < n ==> node[i] == {\old(node[i]) \with .data = node[i].data};
*/
int graph_number_data(struct node *node, int n, bool tensor, int *map, int count);

/* Those without a number get the numbers from kept on. */
/*@ requires valid:    0 <= n && \valid(map + (0 .. n - 1));
    requires range:    \forall integer k; 0 <= k < n ==> -1 <= map[k] < kept;
    requires once:     numbered_once(map, n);
    requires kept:     0 <= kept && kept + dead(map, n) == n;
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. n - 1];
    ensures  places:   places(map, n);
    ensures  same:     \forall integer k; 0 <= k < n ==> 0 <= \old(map[k]) ==> map[k] == \old(map[k]);
    ensures  others:   \forall integer k; 0 <= k < n ==> \old(map[k]) < 0 ==> kept <= map[k];
*/
void graph_places(int *map, int n, int kept);

#endif
