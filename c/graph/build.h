/* Building a graph: what makes room, nodes, inputs, outputs, constants, attributes. */
#ifndef CALQUE_GRAPH_BUILD_H
#define CALQUE_GRAPH_BUILD_H

#include "graph/graph.h"
#include "graph/graph_accessors.h"

#ifdef __FRAMAC__
#include "base/strs_internal.h"

#include "graph/change.acsl"
#endif

/* Sorts attributes by the bytes of their labels; those of one label keep their order. */
/*@ requires strs:     \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    requires attrs:    0 <= n && \valid(a + (0 .. n - 1));
    requires apart:    \separated(a + (0 .. n - 1), s) && \separated(a + (0 .. n - 1), s->entry.a + (0 .. s->entry.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  sorted:   sorted_attrs(table_of(s), a, n);
    ensures  same:     same_pairs{Pre,Post}(a, n);
*/
void sort_attrs(const struct strs *s, struct node_attr *a, int n);

/* Memory for the arena of nodes. Trusted: memory management; these contracts are what the proofs about building a graph rest on. */
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

/* Contracts of the functions that build a graph. Nodes may use later ones while a graph is rewritten; an ordered graph
   (wf_graph) stays one. */
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

/* Appending a node where there is room, all older ones as they were in all their fields. */
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

/* The type of a node that was appended. */
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

/* Counting a node that was put behind the others. */
/* Takes over the node that stands behind the others, with its inputs and attributes; its id. */
/*@ requires held:     ready_but(g, g->node.n);
    requires room:     has_room(g, nin, nattr) && 0 <= nin && 0 <= nattr;
    requires ranges:   ranges_ok(GROWN(put_of(g), nin, nattr));
    terminates \true;
    exits    never:    \false;
    assigns  g->node.n, g->in.n, g->attr.n;
    ensures  id:       \result == \old(g->node.n);
    ensures  view:     put_of(g) == \old(GROWN(put_of(g), nin, nattr));
    ensures  next:     one_more{Pre,Post}(g, nin, nattr);
    ensures  ready:    ready_but(g, \result);
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  same:     same_graph{Pre,Post}(put_of(g));
    ensures  nodes:    moved_nodes{Pre,Post}(g->node.a, g->node.a, g->node.n);
    ensures  lists:    moved_numbers{Pre,Post}(g->in.a, g->in.a, g->in.n) && moved_attrs{Pre,Post}(g->attr.a, g->attr.a, g->attr.n);
*/
int graph_count(struct graph *g, int nin, int nattr);

/* Appending a node where there is room. */
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

/* Appending a node to a graph whose arrays may have to grow. */
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

/* Memory for constants. Trusted, as build.h. */
/* Room for one more constant, its node and its tensor; false, and what is there as it was, when memory is out. The caller's
   tensor stays as it is, and apart. */
/*@ requires held:     held_graph(g);
    requires own:      OWN_TENSOR(own, g);
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *t | struct tensor *t; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held_graph(g);
    ensures  old:      kept{Pre,Post}(g) && same_count{Pre,Post}(g);
    ensures  room:     \result == 1 ==> has_room(g, 0, 0) && g->tensor.n < g->tensor.cap;
    ensures  had:      \old(has_room(g, 0, 0) && g->tensor.n < g->tensor.cap) ==> \result == 1;
    ensures  own:      OWN_TENSOR(own, g) && moved_tensor{Pre,Post}(own, own);
*/
bool graph_const_room(struct graph *g) /*@ ghost (struct tensor *own) */;

/* One attribute more, where there is room. */
/* A node gets one attribute more, in the order of labels. Its range is moved behind all others or, as the last one, grows in
   place; what stands before it stays. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && 0 <= node < g.n;
    requires room:     g.nattr + g.node[node].nattr < g.capattr;
    requires strs:     \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    requires apart:    \separated(g.attr + (0 .. g.capattr - 1), s, s->entry.a + (0 .. s->entry.n - 1)) &&
                       \separated(g.node + (0 .. g.cap - 1), s, s->entry.a + (0 .. s->entry.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  g.node[node].attr, g.node[node].nattr, g.attr[0 .. g.capattr - 1];
    ensures  more:     \result == {g \with .nattr = (int)(\old(place_of(g, node)) + \old(g.node[node].nattr) + 1)};
    ensures  place:    g.node[node].attr == \old(place_of(g, node)) && g.node[node].nattr == \old(g.node[node].nattr) + 1;
    ensures  below:    \forall integer k; 0 <= k < \old(place_of(g, node)) ==> same_attr{Pre,Post}(g.attr, k);
    ensures  attrs:    one_pair{Pre,Post}(g.attr + \old(g.node[node].attr), g.attr + \old(place_of(g, node)),
                       \old(g.node[node].nattr), label, val);
    ensures  sorted:   sorted_attrs(table_of(s), g.attr + \old(place_of(g, node)), g.node[node].nattr);
    ensures  ranges:   ranges_ok(\result);
    ensures  wf:       \old(wf_graph(g)) ==> g.node[node].kind == NODE_OP ==> wf_graph(\result);
    ensures  others:   nodes_but{Pre,Post}(g, node);
*/
struct graph_put graph_put_attr(const struct strs *s, struct graph_put g, int node, int label, int val);

/* One attribute more for a node of a graph where there is room. */
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

/* Memory for attributes. Trusted, as build.h. */
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

/* Setting an attribute of a node. */
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
