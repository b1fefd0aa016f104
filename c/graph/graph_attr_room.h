/* Memory for attributes. Trusted, as graph_room.h. */
#ifndef CALQUE_GRAPH_GRAPH_ATTR_ROOM_H
#define CALQUE_GRAPH_GRAPH_ATTR_ROOM_H

#include "graph/graph_room.h"

#ifdef __FRAMAC__
#include "graph/set_attr.acsl"
#endif

/* Room for the attributes of a node and one more; false, and what is there as it was, when memory is out. */
/*@ requires held:     held_graph(g);
    requires node:     0 <= node < g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *a | struct node_attr *a; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held_graph(g);
    ensures  old:      kept{Pre,Post}(g) && same_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  room:     \result == 1 ==> g->attr.n + g->node.a[node].nattr < g->attr.cap;
    ensures  pairs:    same_pairs_of{Pre,Post}(g, node);
    ensures  strings:  \old(own_strings(g)) ==> own_strings(g);
    ensures  had:      \old(g->attr.n + g->node.a[node].nattr < g->attr.cap) ==> \result == 1;
*/
bool graph_attr_room(struct graph *g, int node);

#endif
