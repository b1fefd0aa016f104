/* Compaction: which nodes stay, and in which order. */
#ifndef CALQUE_GRAPH_COMPACT_ORDER_H
#define CALQUE_GRAPH_COMPACT_ORDER_H

#include "graph/compact_check.h"
#include "graph/number.h"

/* graph_mark, then graph_number: the graph's inputs and what its outputs need get numbers, nothing else does. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && leaves(g) && own_numbers(g, map, order, stack);
    requires outs:     0 <= nout && \valid_read(out + (0 .. nout - 1)) && outputs_exist(g, out, nout);
    requires apart:    g.n > 0 ==> \base_addr(map) != \base_addr(out) && \base_addr(order) != \base_addr(out) &&
                       \base_addr(stack) != \base_addr(out);
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. g.n - 1], order[0 .. g.n - 1], stack[0 .. g.n - 1];
    ensures  graph:    same_graph{Pre,Post}(g);
    ensures  cycle:    \result.cycle >= 0 ==> \exists integer k, l; cycle(g, stack, k, l) && \result.cycle == stack[k].node;
    ensures  none:     -1 <= \result.cycle;
    ensures  numbers:  \result.cycle < 0 ==> numbers(g, map, order, \result.n) && \result.n <= g.n;
    ensures  leaves:   \result.cycle < 0 ==> \forall integer i; 0 <= i < g.n ==> g.node[i].kind == NODE_INPUT ==> 0 <= map[i];
    ensures  outs:     \result.cycle < 0 ==> \forall integer k; 0 <= k < nout ==> 0 <= map[out[k].node];
    ensures  needed:   \forall integer i; 0 <= i < g.n ==> 0 <= map[i] ==>
                       \old(g.node[i].kind) == NODE_INPUT || needed{Pre}(g, out, nout, i);
*/
struct graph_numbers graph_order(struct graph_put g, const struct graph_output *out, int nout, int *map, int *order,
                                 struct frame *stack);

#endif
