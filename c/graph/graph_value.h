/* Contracts of what is read of a node as a number (proved in graph_value.c). */
#ifndef CALQUE_GRAPH_GRAPH_VALUE_H
#define CALQUE_GRAPH_GRAPH_VALUE_H

#include "graph/graph_look.h"

#ifdef __FRAMAC__
#undef VALUE_REQUIRES /* of get.acsl; room.acsl, for float_bits, has its own */
#include "attr/value_room.h"
#include "graph/value.acsl"
#endif

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
