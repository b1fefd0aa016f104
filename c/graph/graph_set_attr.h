/* Setting an attribute of a node. */
#ifndef CALQUE_GRAPH_GRAPH_SET_ATTR_H
#define CALQUE_GRAPH_GRAPH_SET_ATTR_H

#include "graph/graph_add_attr.h"
#include "graph/graph_attr_room.h"

/* The first attribute with the label gets the value; without one, the node gets one attribute more, in the order of labels.
   All else is kept. */
/*@ requires ready:    ready_graph(g);
    requires strings:  own_strings(g);
    requires node:     0 <= node < g->node.n;
    requires label:    0 <= label;
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *a | struct node_attr *a; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  ready:    ready_graph(g);
    ensures  kept:     kept_but{Pre,Post}(g, node);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> g->node.a[node].kind == NODE_OP ==> wf_graph(put_of(g));
    ensures  failed:   \result == 0 ==> kept{Pre,Post}(g) && same_count{Pre,Post}(g) && \old(no_label(put_of(g), node, label));
    ensures  replaced: \result == 1 ==> \forall integer k; \old(first_label(put_of(g), node, k, label)) ==>
                       replaced{Pre,Post}(g, node, k, val);
    ensures  added:    \result == 1 ==> \old(no_label(put_of(g), node, label)) ==> added{Pre,Post}(g, node, label, val);
*/
bool graph_set_attr(struct graph *g, int node, int label, int val);

#endif
