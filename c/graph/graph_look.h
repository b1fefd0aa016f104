/* Contracts of the functions that read names, numbers and bytes of nodes (proved in graph_look.c). */
#ifndef CALQUE_GRAPH_GRAPH_LOOK_H
#define CALQUE_GRAPH_GRAPH_LOOK_H

#include "graph/graph_get.h"
#include "graph/graph_opaque.h"

#ifdef __FRAMAC__
#include "graph/look.acsl"
#endif

/*@ GRAPH_REQUIRES
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
/*@ VALUE_REQUIRES
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

#endif
