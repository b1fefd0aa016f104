/* The proved part of compaction: the data of nodes that have their new order. */
#ifndef CALQUE_GRAPH_COMPACT_STEP_H
#define CALQUE_GRAPH_COMPACT_STEP_H

#include "graph/compact_data.h"

#ifdef __FRAMAC__
#define DATA_REQUIRES(tensor)                                                                                        \
    requires valid:    0 <= n && 0 <= count && \valid(node + (0 .. n - 1)) && \valid(a + (0 .. count - 1)) &&         \
                       \valid(map + (0 .. count - 1));                                                               \
    requires apart:    count > 0 ==> \base_addr(map) != \base_addr(a) &&                                             \
                       (n > 0 ==> \base_addr(map) != \base_addr(node) && \base_addr(node) != \base_addr(a));         \
    requires data:     \forall integer i; 0 <= i < n ==> has_data(node, i, tensor) ==> node[i].data < count;
#define DATA_OF(tensor) \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, tensor) ==>                         \
    0 <= node[i].data < \result && a[node[i].data] == \old(a[node[i].data])
#define DATA_OTHERS(tensor) \forall integer i; 0 <= i < n ==> !has_data{Pre}(node, i, tensor) ==>                    \
    node[i].data == \old(node[i].data)
#define DATA_FIELDS \forall integer i; 0 <= i < n ==> node[i] == {\old(node[i]) \with .data = node[i].data}
#define DATA_USED(tensor) \forall integer v; 0 <= v < \result ==> used_data(node, n, tensor, v)
#endif

/* The tensors that n nodes use come first, in the order of first use, and the nodes get their numbers; the others are freed.
   How many stay. */
/*@ DATA_REQUIRES(1)
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. count - 1], node[0 .. n - 1].data, a[0 .. count - 1];
    ensures  count:    0 <= \result <= count;
    ensures  data:     DATA_OF(1);
    ensures  others:   DATA_OTHERS(1);
    ensures  used:     DATA_USED(1);
    ensures  fields:   DATA_FIELDS;
*/
int graph_compact_tensors(struct node *node, int n, struct tensor *a, int *map, int count);

/* The same of bytes. */
/*@ DATA_REQUIRES(0)
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. count - 1], node[0 .. n - 1].data, a[0 .. count - 1];
    ensures  count:    0 <= \result <= count;
    ensures  data:     DATA_OF(0);
    ensures  others:   DATA_OTHERS(0);
    ensures  used:     DATA_USED(0);
    ensures  fields:   DATA_FIELDS;
*/
int graph_compact_raws(struct node *node, int n, struct raw *a, int *map, int count);

#endif
