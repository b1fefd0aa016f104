/* Which nodes are needed, and their numbers in topological order. */
#ifndef CALQUE_GRAPH_TOPOSORT_H
#define CALQUE_GRAPH_TOPOSORT_H

#include "graph/graph_accessors.h"

enum { MARK_DEAD = -1, MARK_NEEDED = -2 }; /* in map[] */
enum { MARK_OPEN = -3 }; /* in map[]: on the path; MARK_DEAD or MARK_NEEDED: no number yet; else the new id */

struct frame {
    int node, next;
};

#ifdef __FRAMAC__
#include "graph/number.acsl"
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

/* Compaction: new numbers of the nodes that are needed. */
/* So many nodes have a number; cycle: a node of one, or -1; then the stack has it. */
struct graph_numbers {
    int n, cycle;
};

/* Numbers the needed nodes, each after its inputs, by depth-first postorder in the order of ids; order[] has the old ids.
   A node on the path met again closes a cycle. Every edge is crossed once. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && own_numbers(g, map, order, stack);
    requires marks:    marks(map, g.n) && live(g, map);
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. g.n - 1], order[0 .. g.n - 1], stack[0 .. g.n - 1];
    ensures  graph:    same_graph{Pre,Post}(g);
    ensures  cycle:    \result.cycle >= 0 ==> \exists integer k, l; cycle(g, stack, k, l) && \result.cycle == stack[k].node;
    ensures  none:     -1 <= \result.cycle;
    ensures  numbers:  \result.cycle < 0 ==> numbers(g, map, order, \result.n) && \result.n <= g.n;
    ensures  all:      \result.cycle < 0 ==> \forall integer i; 0 <= i < g.n ==> \old(map[i]) == MARK_NEEDED ==> 0 <= map[i];
    ensures  dead:     same_dead{Pre,Post}(map, g.n);
*/
struct graph_numbers graph_number(struct graph_put g, int *map, int *order, struct frame *stack);

#endif
