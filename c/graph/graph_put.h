/* The proved part of building a graph: appending a node where there is room. */
#ifndef CALQUE_GRAPH_GRAPH_PUT_H
#define CALQUE_GRAPH_GRAPH_PUT_H

#include "graph/graph.h"

/* The arrays of a struct graph. */
struct graph_put {
    struct node *node;
    int *in;
    struct node_attr *attr;
    int n, cap, nin, capin, nattr, capattr;
};

#ifdef __FRAMAC__
#include "graph/arena.acsl"
#endif

/* Appends a node with inputs in[0 .. nin - 1] and attributes attr[0 .. nattr - 1]. */
/*@ requires valid:    valid_graph(g);
    requires room:     g.n < g.cap && 0 <= nin <= g.capin - g.nin && 0 <= nattr <= g.capattr - g.nattr;
    requires kind:     kind == NODE_OP || (kind == NODE_PROJ && nin == 1 && nattr == 0) || (kind == NODE_TUPLE && nattr == 0) ||
                       ((kind == NODE_INPUT || kind == NODE_CONST) && nin == 0 && nattr == 0);
    requires in:       \valid_read(in + (0 .. nin - 1)) && \valid_read(attr + (0 .. nattr - 1));
    requires inputs:   \forall integer k; 0 <= k < nin ==> -1 <= in[k] < g.n;
    requires apart:    \separated(in + (0 .. nin - 1), g.in + (g.nin .. g.capin - 1), g.attr + (g.nattr .. g.capattr - 1),
                       g.node + (0 .. g.cap - 1)) &&
                       \separated(attr + (0 .. nattr - 1), g.in + (g.nin .. g.capin - 1), g.attr + (g.nattr .. g.capattr - 1),
                       g.node + (0 .. g.cap - 1));
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n], g.in[g.nin .. g.capin - 1], g.attr[g.nattr .. g.capattr - 1];
    ensures  more:     \result == {g \with .n = (int)(g.n + 1), .nin = (int)(g.nin + nin), .nattr = (int)(g.nattr + nattr)};
    ensures  wf:       \old(wf_graph(g)) ==> wf_graph(\result);
    ensures  ranges:   \old(ranges_ok(g)) ==> ranges_ok(\result);
    ensures  old:      same_graph{Pre,Post}(g);
    ensures  new:      node_ok(\result, g.n);
    ensures  node:     is_fresh(g, g.n, kind, name, g.nin, g.nattr) && is_sized(g, g.n, op, nin, nattr, index);
    ensures  inputs:   \forall integer k; 0 <= k < nin ==> g.in[g.nin + k] == \old(in[k]);
    ensures  attrs:    \forall integer k; 0 <= k < nattr ==>
                       g.attr[g.nattr + k].label == \old(attr[k].label) && g.attr[g.nattr + k].value == \old(attr[k].value);
*/
struct graph_put graph_put_node(struct graph_put g, int kind, int op, int name, const int *in, int nin,
                                const struct node_attr *attr, int nattr, int index);

#endif
