/* The proved lists of outputs: for each node the outputs of the graph that are it, linked one way. */
#ifndef CALQUE_PATTERN_USES_OUTPUT_H
#define CALQUE_PATTERN_USES_OUTPUT_H

#include "pattern/uses_list.h"

/* n nodes, m outputs, which are the graph's; next[k]: the next one of the same node, or -1. */
struct output_view {
    struct use_node *node;
    int *next;
    struct graph_output *out;
    int n, m;
};

#ifdef __FRAMAC__
#include "pattern/output.acsl"
#endif

/* Nothing is missing: each output is met when the list of its node is walked. */
/*@ ghost
/@ requires valid:    valid_outputs(v);
   requires ok:       outputs_ok(v);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  all:      \forall integer k; 0 <= k < v.m ==> on_outputs(v, v.node[v.out[k].node].output, k);
@/
void outputs_all(struct output_view v);
*/

/* From scratch, for nodes that are on no list. */
/*@ requires valid:    valid_outputs(v);
    requires fresh:    \forall integer x; 0 <= x < v.n ==> v.node[x].output == -1 && v.node[x].outputs == 0;
    requires nodes:    \forall integer k; 0 <= k < v.m ==> 0 <= v.out[k].node < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.next[0 .. v.m - 1], v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  ok:       outputs_ok(v);
    ensures  same:     same_outs{Pre,Post}(v, -1);
*/
void outputs_build(struct output_view v);

/* Every output that is `from` now is `to`. */
/*@ requires valid:    valid_outputs(v);
    requires ok:       outputs_ok(v);
    requires nodes:    0 <= from < v.n && 0 <= to < v.n && from != to;
    terminates \true;
    exits    never:    \false;
    assigns  v.next[0 .. v.m - 1], v.out[0 .. v.m - 1].node, v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  ok:       outputs_ok(v);
    ensures  moved:    \forall integer k; 0 <= k < v.m ==>
                       v.out[k].node == (\old(v.out[k].node) == from ? to : \old(v.out[k].node));
    ensures  none:     v.node[from].output == -1 && v.node[from].outputs == 0;
*/
void outputs_move(struct output_view v, int from, int to);

#endif
