/* What a graph says, and its core that appends a node where there is room. */
#ifndef CALQUE_GRAPH_GRAPH_ACCESSORS_H
#define CALQUE_GRAPH_GRAPH_ACCESSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graph/graph.h"
#include "tensor/op_code.h"

/* The arrays of a struct graph. */
struct graph_put {
    struct node *node;
    int *in;
    struct node_attr *attr;
    int n, cap, nin, capin, nattr, capattr;
};

#ifdef __FRAMAC__
#include "attr/value_internal.h"
#include "base/strs_internal.h"
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

/* Contracts of the functions that read a graph (proved in graph_accessors.c). */
/*@ GRAPH_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  input:    \result == (0 <= k < g->node.a[node].nin ? g->in.a[g->node.a[node].in + k] : -1);
    ensures  node:     -1 <= \result < g->node.n;
    ensures  child:    wf_graph(put_of(g)) ==> \result < node;
*/
int graph_in(const struct graph *g, int node, int k);

/*@ GRAPH_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  multi:    \result == 1 <==> multi(put_of(g), node);
*/
bool graph_multi(const struct graph *g, int node);

/*@ GRAPH_REQUIRES
    requires data:     g->node.a[node].kind == NODE_CONST ==> 0 <= g->node.a[node].data < g->tensor.n &&
                       \valid_read(g->tensor.a + (0 .. g->tensor.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \result \from g, node;
    ensures  tensor:   g->node.a[node].kind == NODE_CONST ==> \result == g->tensor.a + g->node.a[node].data;
    ensures  none:     g->node.a[node].kind != NODE_CONST ==> \result == \null;
*/
const struct tensor *graph_tensor(const struct graph *g, int node);

/*@ requires graph:    \valid_read(g) && valid_graph(put_of(g));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  ops:      0 <= \result == ops(put_of(g), g->node.n);
*/
int graph_count_ops(const struct graph *g);

/* Position of a label in g->attr, or -1. */
/*@ GRAPH_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  found:    \result >= 0 ==> label >= 0 && first_label(put_of(g), node, \result, label);
    ensures  none:     \result < 0 ==> \result == -1 && (label < 0 || no_label(put_of(g), node, label));
*/
int graph_find_attr(const struct graph *g, int node, int label);

/*@ LABEL_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  attr:     is_attr(put_of(g), table_of(g->strs), node, label, \result);
*/
int graph_attr(const struct graph *g, int node, const char *label);

/*@ GET_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  int:      \exists integer v; is_attr(put_of(g), table_of(g->strs), node, label, v) &&
                       \result == (v >= 0 && v_kind(val(VALS(*g->values), v)) == VALUE_INT ?
                                   v_num(val(VALS(*g->values), v)) : otherwise);
*/
long graph_attr_int(const struct graph *g, int node, const char *label, long otherwise);

/*@ GET_REQUIRES
    requires out:      0 <= max && \valid(out + (0 .. max - 1)) &&
                       \separated(out + (0 .. max - 1), g, g->values, g->values->v + (0 .. g->values->n - 1),
                                  g->values->pool + (0 .. g->values->npool - 1));
    terminates \true;
    exits    never:    \false;
    assigns  out[0 .. max - 1];
    ensures  ints:     \exists integer v; \old(is_attr(put_of(g), table_of(g->strs), node, label, v)) &&
                       (\result >= 0 <==> v >= 0 && \old(ints_tuple(val(VALS(*g->values), v)))) &&
                       (\result >= 0 ==> \result == \old(v_len(val(VALS(*g->values), v))) &&
                        \forall integer k; 0 <= k < \result && k < max ==>
                        out[k] == \old(v_num(v_nth(val(VALS(*g->values), v), k))));
    ensures  none:     \result < 0 ==> \result == -1;
*/
int graph_attr_ints(const struct graph *g, int node, const char *label, long *out, int max);

/* The arrays of a graph. */
/*@ requires valid:    \valid_read(g);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == put_of(g);
*/
struct graph_put graph_view(const struct graph *g);

/* The operator's name in the bytes of an opaque node. */
/* What was read of a message: a number, and where the rest begins. */
struct wire_part {
    bool ok;
    size_t at;
    uint64_t value;
};

/* The bytes of the first op_type among the fields of a NodeProto; not ok when there is none before the message ends or is
   no message any more. */
/*@ requires bytes:    \valid_read(p + (0 .. n - 1)) && n < SIZE_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result.ok == 0 || \result.ok == 1;
    ensures  type:     \result.ok == 1 ==> is_type(p, n, \result.at, \result.value);
    ensures  none:     \result.ok == 0 ==> \exists integer at; begins(p, n, at) && no_field(p, n, at);
    ensures  range:    \result.ok == 1 ==> \result.at <= n && \result.value <= n - \result.at;
*/
struct wire_part graph_op_type(const unsigned char *p, size_t n);

/* Contracts of the functions that read names, numbers and bytes of nodes (proved in graph_accessors.c). */
/*@ requires graph:    \valid_read(g) && valid_graph(put_of(g));
    requires node:     0 <= node < g->node.n;
    requires strs:     \valid_read(g->strs) && valid_strs(table_of(g->strs)) && texts_ok(table_of(g->strs));
    terminates \true;
    exits    never:    \false;
    assigns  \result \from g, node;
    ensures  none:     !(0 <= g->node.a[node].name < g->strs->entry.n) ==> \result[0] == 0;
    ensures  text:     0 <= g->node.a[node].name < g->strs->entry.n ==>
                       \result == g->strs->text.a + g->strs->entry.a[g->node.a[node].name].start &&
                       \result[g->strs->entry.a[g->node.a[node].name].len] == 0;
*/
const char *graph_name(const struct graph *g, int node);

/* The value of an attribute if it is a float, else -1. */
/*@ GET_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  float:    \exists integer v; is_attr(put_of(g), table_of(g->strs), node, label, v) &&
                       \result == (v >= 0 && v_kind(val(VALS(*g->values), v)) == VALUE_FLOAT ? v : -1);
*/
int graph_attr_float(const struct graph *g, int node, const char *label);

/* Where the bytes of an opaque node have its op_type; not ok when they have none, or the node is not opaque. */
/*@ GRAPH_REQUIRES
    requires raw:      valid_raw(g);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result.ok == 0 || \result.ok == 1;
    ensures  opaque:   \result.ok == 1 ==> is_opaque(g, node);
    ensures  type:     \result.ok == 1 ==> is_type(raw_of(g, node)->a, raw_of(g, node)->n, \result.at, \result.value) &&
                       \result.at <= raw_of(g, node)->n && \result.value <= raw_of(g, node)->n - \result.at;
    ensures  none:     \result.ok == 0 ==> !is_opaque(g, node) || \exists integer at;
                       begins(raw_of(g, node)->a, raw_of(g, node)->n, at) &&
                       no_field(raw_of(g, node)->a, raw_of(g, node)->n, at);
*/
struct wire_part graph_type_part(const struct graph *g, int node);

/* Contracts of what is read of a node as a number (proved in graph_accessors.c). */
/* The number of an attribute if it is a float, else `otherwise`. */
/*@ LABEL_REQUIRES
    requires values:   \valid_read(g->values) && valid_values(*g->values) && WF_VALUES(*g->values);
    requires attrs:    values_exist(put_of(g), g->values->n);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  real:     \exists integer v; is_attr(put_of(g), table_of(g->strs), node, label, v) &&
                       (v >= 0 && v_kind(val(VALS(*g->values), v)) == VALUE_FLOAT ?
                        float_bits(\result, v_num(val(VALS(*g->values), v))) : same_bits(\result, otherwise));
*/
double graph_attr_real(const struct graph *g, int node, const char *label, double otherwise);

/* How many numbers a tensor is as an attribute value: 1 for one element, n for a vector of n; -1 when it is none. */
/*@ requires valid:    t != \null ==> \valid_read(t);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  some:     \result >= 0 ==> is_const(t) && \result == elements(t) && (\result == 1 || small_vector(t));
    ensures  none:     \result < 0 ==> \result == -1 &&
                       (!is_const(t) || !in_limits(t) || (elements(t) != 1 && !small_vector(t)));
*/
int graph_const_len(const struct tensor *t);

#endif
