/* Appending a node to a graph whose arrays may have to grow. */
#ifndef CALQUE_GRAPH_GRAPH_APPEND_H
#define CALQUE_GRAPH_GRAPH_APPEND_H

#include "graph/graph_fill.h"

/* The node with these inputs and attributes, which may be the graph's own; -1 when memory is out. */
/*@ requires ready:    ready_graph(g);
    FILL_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *q | int *q; \true }, { *a | struct node_attr *a; \true };
    ensures  ready:    ready_but(g, \old(g->node.n));
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  code:     \result == -1 || \result == \old(g->node.n);
    ensures  none:     \result < 0 ==> same_count{Pre,Post}(g);
    ensures  next:     \result >= 0 ==> one_more{Pre,Post}(g, nin, nattr);
    ensures  ok:       \result >= 0 ==> node_ok(put_of(g), \result);
    ensures  node:     \result >= 0 ==> is_fresh(put_of(g), \result, kind, name, \old(g->in.n), \old(g->attr.n)) &&
                       is_sized(put_of(g), \result, op, nin, nattr, index) && no_dims(g->node.a + \result);
    ensures  inputs:   \result >= 0 ==> has_ids{Pre,Post}(g, \old(g->in.n), in, nin);
    ensures  attrs:    \result >= 0 ==> has_attrs{Pre,Post}(g, \old(g->attr.n), attr, nattr);
*/
int graph_append(struct graph *g, int kind, int op, int name, const int *in, int nin, const struct node_attr *attr,
                 int nattr, int index);

#endif
