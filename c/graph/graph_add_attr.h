/* One attribute more for a node of a graph where there is room. */
#ifndef CALQUE_GRAPH_GRAPH_ADD_ATTR_H
#define CALQUE_GRAPH_GRAPH_ADD_ATTR_H

#include "graph/graph_room.h"
#include "graph/graph_set.h"

#ifdef __FRAMAC__
#include "graph/set_attr.acsl"
#endif

/*@ requires ready:    ready_graph(g);
    requires strings:  own_strings(g);
    requires node:     0 <= node < g->node.n;
    requires room:     g->attr.n + g->node.a[node].nattr < g->attr.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g->attr.n, g->node.a[node], g->attr.a[0 .. g->attr.cap - 1];
    ensures  ready:    ready_graph(g);
    ensures  kept:     kept_but{Pre,Post}(g, node);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> g->node.a[node].kind == NODE_OP ==> wf_graph(put_of(g));
    ensures  added:    added{Pre,Post}(g, node, label, val);
*/
void graph_add_attr(struct graph *g, int node, int label, int val);

#endif
