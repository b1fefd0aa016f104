/* Appending a node where there is room, all older ones as they were in all their fields. */
#ifndef CALQUE_GRAPH_GRAPH_PUT_BARE_H
#define CALQUE_GRAPH_GRAPH_PUT_BARE_H

#include "graph/graph_put.h"

#ifdef __FRAMAC__
#include "graph/fields.acsl"
#endif

/* The node behind the last one, without dimensions. */
/*@ requires valid:    valid_graph(v);
    requires room:     v.n < v.cap && 0 <= nin <= v.capin - v.nin && 0 <= nattr <= v.capattr - v.nattr;
    requires kind:     kind == NODE_OP || (kind == NODE_PROJ && nin == 1 && nattr == 0) || (kind == NODE_TUPLE && nattr == 0) ||
                       ((kind == NODE_INPUT || kind == NODE_CONST) && nin == 0 && nattr == 0);
    requires in:       \valid_read(in + (0 .. nin - 1)) && \valid_read(attr + (0 .. nattr - 1));
    requires inputs:   \forall integer k; 0 <= k < nin ==> -1 <= in[k] < v.n;
    requires apart:    \separated(in + (0 .. nin - 1), v.in + (v.nin .. v.capin - 1), v.attr + (v.nattr .. v.capattr - 1),
                       v.node + (0 .. v.cap - 1)) &&
                       \separated(attr + (0 .. nattr - 1), v.in + (v.nin .. v.capin - 1), v.attr + (v.nattr .. v.capattr - 1),
                       v.node + (0 .. v.cap - 1));
    terminates \true;
    exits    never:    \false;
    assigns  v.node[v.n], v.in[v.nin .. v.capin - 1], v.attr[v.nattr .. v.capattr - 1];
    ensures  graph:    same_graph{Pre,Post}(v);
    ensures  roots:    same_roots{Pre,Post}(v);
    ensures  shapes:   same_shapes{Pre,Post}(v);
    ensures  pairs:    same_attrs{Pre,Post}(v);
    ensures  wf:       \old(wf_graph(v)) ==> wf_graph(GROWN(v, nin, nattr));
    ensures  ranges:   \old(ranges_ok(v)) ==> ranges_ok(GROWN(v, nin, nattr));
    ensures  new:      node_ok(GROWN(v, nin, nattr), v.n);
    ensures  node:     is_fresh(v, v.n, kind, name, v.nin, v.nattr) && is_sized(v, v.n, op, nin, nattr, index);
    ensures  none:     \forall integer d; 0 <= d < RANK_MAX ==> v.node[v.n].shape.dim[d] == 0;
    ensures  inputs:   \forall integer k; 0 <= k < nin ==> v.in[v.nin + k] == \old(in[k]);
    ensures  attrs:    \forall integer k; 0 <= k < nattr ==>
                       v.attr[v.nattr + k].label == \old(attr[k].label) && v.attr[v.nattr + k].value == \old(attr[k].value);
*/
void graph_put_bare(struct graph_put v, int kind, int op, int name, const int *in, int nin, const struct node_attr *attr,
                    int nattr, int index);

#endif
