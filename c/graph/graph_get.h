/* Contracts of the functions that read a graph (proved in graph_get.c). */
#ifndef CALQUE_GRAPH_GRAPH_GET_H
#define CALQUE_GRAPH_GRAPH_GET_H

#include "graph/graph_put.h"
#include "tensor/op_code.h"

#ifdef __FRAMAC__
#include "attr/value_core.h"
#include "base/strs_get.h"
#include "graph/get.acsl"
#endif

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

/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  int:      \exists integer v; is_attr(put_of(g), table_of(g->strs), node, label, v) &&
                       \result == (v >= 0 && v_kind(val(VALS(*g->values), v)) == VALUE_INT ?
                                   v_num(val(VALS(*g->values), v)) : otherwise);
*/
long graph_attr_int(const struct graph *g, int node, const char *label, long otherwise);

/*@ VALUE_REQUIRES
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

#endif
