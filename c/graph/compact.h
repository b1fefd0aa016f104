/* The contract of graph_compact (graph.h says what it is for). */
#ifndef CALQUE_GRAPH_COMPACT_H
#define CALQUE_GRAPH_COMPACT_H

#include "graph/compact_internal.h"

/* OK: each node with a number has become the node of that number; the others are gone. The map, if there is none, is one of
   its own. Else the graph is as it was. */
/*@ requires graph:    compactable(g);
    requires map:      map != \null ==> \valid(map + (0 .. g->node.n - 1)) && off_graph(\base_addr(map), g);
    requires diag:     held_diag(d, g);
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, *d, { *p | struct node *p; \true }, { *q | int *q; \true }, { *a | struct node_attr *a; \true },
             { *t | struct tensor *t; \true }, { *r | struct raw *r; \true }, { *o | struct graph_output *o; \true },
             { *f | struct frame *f; \true };
    ensures  status:   \result == CALQUE_OK || \result == CALQUE_INTERNAL || \result == CALQUE_NOMEM || \result == CALQUE_BAD;
    ensures  exist:    \result == CALQUE_INTERNAL <==> !\old(all_exist(g));
    ensures  cycle:    \result == CALQUE_BAD ==> cyclic{Pre}(\old(put_of(g)));
    ensures  graph:    \result != CALQUE_OK ==> unchanged{Pre,Post}(g);
    ensures  valid:    \result == CALQUE_OK ==> valid_graph(put_of(g));
    ensures  ok:       \result == CALQUE_OK ==> \exists int *m; (map != \null ==> m == map) && compacted{Pre,Post}(g, m);
*/
enum calque_status graph_compact(struct graph *g, int *map, struct diag *d);

#endif
