/* Contracts of the functions that build a graph. Nodes may use later ones while a graph is rewritten; an ordered graph
   (wf_graph) stays one. */
#ifndef CALQUE_GRAPH_GRAPH_ADD_H
#define CALQUE_GRAPH_GRAPH_ADD_H

#include "graph/graph_room.h"
#include "graph/sort_attrs.h"

/* Everything that was there is there as it was; ordered graphs stay ordered. */
#define ADD_KEEPS                                                                          \
    ensures  ready:    ready_graph(g);                                                     \
    ensures  old:      kept{Pre,Post}(g);                                                  \
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
/* The id is the next one; without it, nothing was added. */
#define ADD_RESULT(nin, nattr)                                                             \
    ensures  code:     \result == -1 || \result == \old(g->node.n);                        \
    ensures  none:     \result < 0 ==> same_count{Pre,Post}(g);                            \
    ensures  next:     \result >= 0 ==> one_more{Pre,Post}(g, nin, nattr);                 \
    ensures  ok:       \result >= 0 ==> node_ok(put_of(g), \result);

/*@ requires ready:    ready_graph(g);
    requires shape:    \valid_read(shape);
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *q | int *q; \true }, { *a | struct node_attr *a; \true };
    ADD_KEEPS
    ADD_RESULT(0, 0)
    ensures  node:     \result >= 0 ==> is_leaf(g->node.a + \result, NODE_INPUT, name, dtype) &&
                       g->node.a[\result].data == -1 && same_shape{Pre,Post}(shape, &g->node.a[\result].shape);
    ensures  input:    \result >= 0 ==> g->input.n == \old(g->input.n) + 1 && g->input.a[g->input.n - 1] == \result;
    ensures  lists:    g->output.n == \old(g->output.n) && g->tensor.n == \old(g->tensor.n);
*/
int graph_input(struct graph *g, int name, int dtype, const struct shape *shape);

/*@ requires ready:    ready_graph(g);
    requires own:      \valid(t) && OWN_TENSOR(t, g);
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, *t, { *p | struct node *p; \true }, { *q | int *q; \true }, { *a | struct node_attr *a; \true },
             { *u | struct tensor *u; \true };
    ADD_KEEPS
    ADD_RESULT(0, 0)
    ensures  node:     \result >= 0 ==> is_leaf(g->node.a + \result, NODE_CONST, name, \old(t->dtype)) &&
                       g->node.a[\result].data == \old(g->tensor.n) &&
                       same_shape{Pre,Post}(&t->shape, &g->node.a[\result].shape);
    ensures  tensor:   \result >= 0 ==> g->tensor.n == \old(g->tensor.n) + 1 &&
                       moved_tensor{Pre,Post}(t, g->tensor.a + g->node.a[\result].data);
    ensures  taken:    \result >= 0 ==> t->data == \null && t->bytes == 0;
    ensures  left:     \result < 0 ==> moved_tensor{Pre,Post}(t, t);
    ensures  lists:    g->input.n == \old(g->input.n) && g->output.n == \old(g->output.n);
*/
int graph_const(struct graph *g, int name, struct tensor *t);

/*@ requires ready:    ready_graph(g);
    requires counts:   0 <= nin && 0 <= nattr;
    requires given:    given_ids(g, in, nin) && given_attrs(g, attr, nattr);
    requires inputs:   \forall integer k; 0 <= k < nin ==> -1 <= in[k] < g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *q | int *q; \true }, { *a | struct node_attr *a; \true };
    ADD_KEEPS
    ADD_RESULT(nin, nattr)
    ensures  node:     \result >= 0 ==> is_fresh(put_of(g), \result, NODE_OP, name, \old(g->in.n), \old(g->attr.n)) &&
                       is_sized(put_of(g), \result, op, nin, nattr, nout) && no_dims(g->node.a + \result);
    ensures  inputs:   \result >= 0 ==> has_ids{Pre,Post}(g, \old(g->in.n), in, nin);
    ensures  attrs:    \result >= 0 ==> moved_pairs{Pre,Post}(attr, g->attr.a + \old(g->attr.n), nattr);
    ensures  sorted:   \result >= 0 ==> sorted_attrs(table_of(g->strs), g->attr.a + \old(g->attr.n), nattr);
    ensures  lists:    same_lists_count{Pre,Post}(g);
*/
int graph_op(struct graph *g, int op, int name, const int *in, int nin, const struct node_attr *attr, int nattr, int nout);

/*@ requires ready:    ready_graph(g);
    requires of:       0 <= of < g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *q | int *q; \true }, { *a | struct node_attr *a; \true };
    ADD_KEEPS
    ADD_RESULT(1, 0)
    ensures  node:     \result >= 0 ==> is_fresh(put_of(g), \result, NODE_PROJ, name, \old(g->in.n), \old(g->attr.n)) &&
                       is_sized(put_of(g), \result, 0, 1, 0, index) && no_dims(g->node.a + \result);
    ensures  input:    \result >= 0 ==> g->in.a[\old(g->in.n)] == of;
    ensures  lists:    same_lists_count{Pre,Post}(g);
*/
int graph_proj(struct graph *g, int of, int index, int name);

/*@ requires ready:    ready_graph(g);
    requires counts:   0 <= nin;
    requires given:    given_ids(g, in, nin);
    requires inputs:   \forall integer k; 0 <= k < nin ==> -1 <= in[k] < g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *q | int *q; \true }, { *a | struct node_attr *a; \true };
    ADD_KEEPS
    ADD_RESULT(nin, 0)
    ensures  node:     \result >= 0 ==> is_fresh(put_of(g), \result, NODE_TUPLE, -1, \old(g->in.n), \old(g->attr.n)) &&
                       is_sized(put_of(g), \result, 0, nin, 0, 0) && no_dims(g->node.a + \result);
    ensures  inputs:   \result >= 0 ==> has_ids{Pre,Post}(g, \old(g->in.n), in, nin);
    ensures  lists:    same_lists_count{Pre,Post}(g);
*/
int graph_tuple(struct graph *g, const int *in, int nin);

/*@ requires ready:    ready_graph(g);
    requires node:     0 <= node < g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *o | struct graph_output *o; \true };
    ADD_KEEPS
    ensures  result:   \result == 0 || \result == 1;
    ensures  nodes:    same_nodes_count{Pre,Post}(g) && g->input.n == \old(g->input.n) && g->tensor.n == \old(g->tensor.n);
    ensures  none:     \result == 0 ==> g->output.n == \old(g->output.n);
    ensures  output:   \result == 1 ==> g->output.n == \old(g->output.n) + 1 &&
                       g->output.a[g->output.n - 1].node == node && g->output.a[g->output.n - 1].name == name;
*/
bool graph_output(struct graph *g, int node, int name);

#endif
