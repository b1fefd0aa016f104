/* The type of a node that was appended. */
#ifndef CALQUE_GRAPH_GRAPH_PUT_TYPE_H
#define CALQUE_GRAPH_GRAPH_PUT_TYPE_H

#include "graph/graph_room.h"

/* Element type and shape of the last node, which is an input (data -1) or a constant (the number of its tensor). */
/*@ requires ready:    ready_but(g, id);
    requires last:     0 <= id && id == g->node.n - 1;
    requires data:     g->node.a[id].kind == NODE_CONST ==> 0 <= data < g->tensor.n;
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[id].dtype, g->node.a[id].shape, g->node.a[id].data;
    ensures  ready:    ready_graph(g);
    ensures  view:     put_of(g) == \old(put_of(g));
    ensures  lists:    same_lists{Pre,Post}(g);
    ensures  nodes:    moved_nodes{Pre,Post}(g->node.a, g->node.a, id) && moved_numbers{Pre,Post}(g->in.a, g->in.a, g->in.n);
    ensures  attrs:    moved_attrs{Pre,Post}(g->attr.a, g->attr.a, g->attr.n);
    ensures  kept:     kept_inputs{Pre,Post}(g) && kept_outputs{Pre,Post}(g) && kept_tensors{Pre,Post}(g);
    ensures  rest:     kept_rest{Pre,Post}(g) && kept_strings{Pre,Post}(g) && same_count{Pre,Post}(g);
    ensures  graph:    same_graph{Pre,Post}(put_of(g));
    ensures  fields:   g->node.a[id].op == \old(g->node.a[id].op) && g->node.a[id].name == \old(g->node.a[id].name) &&
                       g->node.a[id].label == \old(g->node.a[id].label) && g->node.a[id].index == \old(g->node.a[id].index) &&
                       g->node.a[id].origin == \old(g->node.a[id].origin);
    ensures  dtype:    g->node.a[id].dtype == dtype;
    ensures  data:     g->node.a[id].data == data;
    ensures  rank:     g->node.a[id].shape.rank == s.rank;
    ensures  dims:     \forall integer d; 0 <= d < RANK_MAX ==> g->node.a[id].shape.dim[d] == s.dim[d];
*/
void graph_put_type(struct graph *g, int id, int dtype, struct shape s, int data);

#endif
