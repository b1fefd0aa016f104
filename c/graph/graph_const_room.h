/* Memory for constants. Trusted, as graph_room.h. */
#ifndef CALQUE_GRAPH_GRAPH_CONST_ROOM_H
#define CALQUE_GRAPH_GRAPH_CONST_ROOM_H

#include "graph/graph_room.h"

/* Room for one more constant, its node and its tensor; false, and what is there as it was, when memory is out. The caller's
   tensor stays as it is, and apart. */
/*@ requires held:     held_graph(g);
    requires own:      OWN_TENSOR(own, g);
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *t | struct tensor *t; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held_graph(g);
    ensures  old:      kept{Pre,Post}(g) && same_count{Pre,Post}(g);
    ensures  room:     \result == 1 ==> has_room(g, 0, 0) && g->tensor.n < g->tensor.cap;
    ensures  had:      \old(has_room(g, 0, 0) && g->tensor.n < g->tensor.cap) ==> \result == 1;
    ensures  own:      OWN_TENSOR(own, g) && moved_tensor{Pre,Post}(own, own);
*/
bool graph_const_room(struct graph *g) /*@ ghost (struct tensor *own) */;

#endif
