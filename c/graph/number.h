/* Compaction: new numbers of the nodes that are needed. */
#ifndef CALQUE_GRAPH_NUMBER_H
#define CALQUE_GRAPH_NUMBER_H

#include "graph/mark.h"

enum { MARK_OPEN = -3 }; /* in map[]: on the path; MARK_DEAD or MARK_NEEDED: no number yet; else the new id */

/* So many nodes have a number; cycle: a node of one, or -1; then the stack has it. */
struct graph_numbers {
    int n, cycle;
};

#ifdef __FRAMAC__
#include "graph/number.acsl"
#endif

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
