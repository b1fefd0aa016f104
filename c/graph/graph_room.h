/* Memory for the arena of nodes. Trusted: memory management; these contracts are what the proofs about building a graph rest on. */
#ifndef CALQUE_GRAPH_GRAPH_ROOM_H
#define CALQUE_GRAPH_GRAPH_ROOM_H

#include "graph/graph_get.h"

#ifdef __FRAMAC__
#include "graph/room.acsl"
#endif

/* The caller's tensor is no part of the graph, nor of its strings. */
#define OWN_TENSOR(t, g)                                                                   \
    (\separated(t, g) && \separated(t, g->mem) && \separated(t, g->strs) &&               \
     \separated(t, g->node.a + (0 .. g->node.cap - 1)) &&                                  \
     \separated(t, g->tensor.a + (0 .. g->tensor.cap - 1)) &&                              \
     \separated(t, g->strs->entry.a + (0 .. g->strs->entry.n - 1)))

/* Where the inputs and attributes for a new node stand now. */
struct graph_given {
    const int *in;
    const struct node_attr *attr;
    bool ok;
};

/* Room for one more node with these inputs and attributes, which may be the graph's own; not ok, and what is there as it
   was, when memory is out. */
/*@ requires held:     held_graph(g);
    requires counts:   0 <= nin && 0 <= nattr;
    requires given:    given_ids(g, in, nin) && given_attrs(g, attr, nattr);
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *q | int *q; \true }, { *a | struct node_attr *a; \true };
    ensures  result:   \result.ok == 0 || \result.ok == 1;
    ensures  held:     held_graph(g);
    ensures  old:      kept{Pre,Post}(g) && same_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  room:     \result.ok == 1 ==> has_room(g, nin, nattr);
    ensures  had:      \old(has_room(g, nin, nattr)) ==> \result.ok == 1;
    ensures  given:    \result.ok == 1 ==> given_ids(g, \result.in, nin) && given_attrs(g, \result.attr, nattr);
    ensures  ids:      \result.ok == 1 ==> \forall integer k; 0 <= k < nin ==> \result.in[k] == \old(in[k]);
    ensures  attrs:    \result.ok == 1 ==> \forall integer k; 0 <= k < nattr ==>
                       \result.attr[k].label == \old(attr[k].label) && \result.attr[k].value == \old(attr[k].value);
*/
struct graph_given graph_room(struct graph *g, const int *in, int nin, const struct node_attr *attr, int nattr);

/* Room for one more input of the graph, output; false, and what is there as it was, when memory is out. */
/*@ requires held:     held_graph(g);
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *q | int *q; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held_graph(g);
    ensures  old:      kept{Pre,Post}(g) && same_count{Pre,Post}(g);
    ensures  room:     \result == 1 ==> g->input.n < g->input.cap;
    ensures  had:      \old(g->input.n < g->input.cap) ==> \result == 1;
*/
bool graph_input_room(struct graph *g);

/*@ requires held:     held_graph(g);
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *o | struct graph_output *o; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held_graph(g);
    ensures  old:      kept{Pre,Post}(g) && same_count{Pre,Post}(g);
    ensures  room:     \result == 1 ==> g->output.n < g->output.cap;
    ensures  had:      \old(g->output.n < g->output.cap) ==> \result == 1;
*/
bool graph_output_room(struct graph *g);

#endif
