/* The proved part of compaction: which nodes are needed. */
#ifndef CALQUE_GRAPH_MARK_H
#define CALQUE_GRAPH_MARK_H

#include "graph/graph_put.h"

enum { MARK_DEAD = -1, MARK_NEEDED = -2 }; /* in map[] */

struct frame {
    int node, next;
};

#ifdef __FRAMAC__
#include "graph/mark.acsl"
#endif

/* Marks the graph's inputs and what its outputs need, nothing else. A node enters the stack once: when it is marked. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && leaves(g);
    requires outs:     0 <= nout && \valid_read(out + (0 .. nout - 1)) &&
                       \forall integer k; 0 <= k < nout ==> 0 <= out[k].node < g.n;
    requires own:      own_marks(map, stack, g.n);
    requires apart:    g.n > 0 ==> \base_addr(map) != \base_addr(g.node) && \base_addr(stack) != \base_addr(g.node) &&
                       \base_addr(map) != \base_addr(g.in) && \base_addr(stack) != \base_addr(g.in) &&
                       \base_addr(map) != \base_addr(out) && \base_addr(stack) != \base_addr(out);
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. g.n - 1], stack[0 .. g.n - 1];
    ensures  marks:    marks(map, g.n);
    ensures  leaves:   \forall integer i; 0 <= i < g.n ==> g.node[i].kind == NODE_INPUT ==> map[i] == MARK_NEEDED;
    ensures  outs:     \forall integer k; 0 <= k < nout ==> map[out[k].node] == MARK_NEEDED;
    ensures  closed:   \forall integer i; 0 <= i < g.n ==> map[i] == MARK_NEEDED ==> inputs_marked(g, map, i);
    ensures  needed:   \forall integer i; 0 <= i < g.n ==> map[i] == MARK_NEEDED ==>
                       \old(g.node[i].kind) == NODE_INPUT || needed{Pre}(g, out, nout, i);
*/
void graph_mark(struct graph_put g, const struct graph_output *out, int nout, int *map, struct frame *stack);

#endif
