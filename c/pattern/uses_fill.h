/* All lists at once: those of a graph that has grown, and those of a graph from scratch. */
#ifndef CALQUE_PATTERN_USES_FILL_H
#define CALQUE_PATTERN_USES_FILL_H

#include "pattern/uses_grow.h"
#include "pattern/uses_output.h"

#ifdef __FRAMAC__
#include "pattern/edges.acsl"
#include "pattern/fill.acsl"
#endif

/* As uses_grow; the lists of outputs p, now q, stay: new nodes are no outputs. */
/*@ GROW_REQUIRES
    requires beside:   wider_outputs(p, q) && valid_outputs(q) && side_by_side(w, q) && p.n == v.n && outputs_ok(p);
    terminates \true;
    exits    never:    \false;
    assigns  w.node[0 .. w.n - 1], w.slot[0 .. w.m - 1];
    GROW_ENSURES
    ensures  lists:    outputs_ok(q);
*/
struct order_view lists_grow(struct uses_view v, struct uses_view w, struct order_view o, const struct node *nd)
    /*@ ghost (struct output_view p, struct output_view q) */;

/* From scratch: the lists are exactly the inverse of the inputs and outputs of the graph, and the order is that of the numbers. */
/*@ requires valid:    valid_uses(w) && valid_nodes(w, nd);
    requires outputs:  valid_outputs(q) && side_by_side(w, q) && nodes_aside(q, nd);
    requires inputs:   own_inputs(w, nd) && \forall integer s; 0 <= s < w.m ==> w.in[s] < w.n;
    requires nodes:    \forall integer k; 0 <= k < q.m ==> 0 <= q.out[k].node < q.n;
    terminates \true;
    exits    never:    \false;
    assigns  w.node[0 .. w.n - 1], w.slot[0 .. w.m - 1], q.next[0 .. q.m - 1];
    ensures  view:     \result.node == w.node && \result.n == w.n;
    ensures  ok:       uses_ok(w) && exact(w, nd);
    ensures  outputs:  outputs_ok(q);
    ensures  users:    entered(w, nd, 0, w.n);
    ensures  order:    order_ok(\result);
    ensures  numbers:  appended(w.node, 0, w.n);
    ensures  alive:    \forall integer k; 0 <= k < w.n ==> !w.node[k].dead;
*/
struct order_view lists_fill(struct uses_view w, struct output_view q, const struct node *nd);

#endif
