/* Appending a node where there is room. */
#ifndef CALQUE_GRAPH_GRAPH_FILL_H
#define CALQUE_GRAPH_GRAPH_FILL_H

#include "graph/graph_put_bare.h"
#include "graph/graph_room.h"

/* What a new node may have. */
#define FILL_REQUIRES                                                                                  \
    requires counts:   0 <= nin && 0 <= nattr;                                                         \
    requires given:    given_ids(g, in, nin) && given_attrs(g, attr, nattr);                           \
    requires inputs:   \forall integer k; 0 <= k < nin ==> -1 <= in[k] < g->node.n;                    \
    requires kind:     kind == NODE_OP || (kind == NODE_PROJ && nin == 1 && nattr == 0) ||             \
                       (kind == NODE_TUPLE && nattr == 0) ||                                           \
                       ((kind == NODE_INPUT || kind == NODE_CONST) && nin == 0 && nattr == 0);

/* The node with these inputs and attributes; its id. */
/*@ requires ready:    ready_but(g, g->node.n);
    requires room:     has_room(g, nin, nattr);
    FILL_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  g->node.n, g->in.n, g->attr.n, g->node.a[g->node.n], g->in.a[g->in.n .. g->in.cap - 1],
             g->attr.a[g->attr.n .. g->attr.cap - 1];
    ensures  id:       \result == \old(g->node.n);
    ensures  ready:    ready_but(g, \result);
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  next:     one_more{Pre,Post}(g, nin, nattr);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  ok:       node_ok(put_of(g), \result);
    ensures  node:     is_fresh(put_of(g), \result, kind, name, \old(g->in.n), \old(g->attr.n)) &&
                       is_sized(put_of(g), \result, op, nin, nattr, index) && no_dims(g->node.a + \result);
    ensures  inputs:   has_ids{Pre,Post}(g, \old(g->in.n), in, nin);
    ensures  attrs:    has_attrs{Pre,Post}(g, \old(g->attr.n), attr, nattr);
*/
int graph_fill(struct graph *g, int kind, int op, int name, const int *in, int nin, const struct node_attr *attr,
               int nattr, int index);

#endif
