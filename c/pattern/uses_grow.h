/* Nodes appended to a graph come into the lists of users and, last, into the order. */
#ifndef CALQUE_PATTERN_USES_GROW_H
#define CALQUE_PATTERN_USES_GROW_H

#include "pattern/order_list.h"
#include "pattern/uses_dead.h"

#ifdef __FRAMAC__
#include "pattern/grow.acsl"

/* What growing requires and does; what it may assign is said where the provers see it best. */
#define GROW_REQUIRES                                                                          \
    requires valid:    valid_uses(w) && valid_nodes(v, nd) && valid_nodes(w, nd);              \
    requires views:    longer(v, w) && o.node == v.node && o.n == v.n;                         \
    requires ok:       uses_ok(v) && exact(v, nd);                                             \
    requires order:    order_ok(o);                                                            \
    requires inputs:   new_inputs(w, nd, v.n, v.m);
#define GROW_ENSURES                                                                           \
    ensures  view:     \result.node == w.node && \result.n == w.n;                             \
    ensures  ok:       uses_ok(w);                                                             \
    ensures  exact:    exact(w, nd);                                                           \
    ensures  old:      same_users{Pre,Post}(v);                                                \
    ensures  new:      entered(w, nd, v.n, w.n);                                               \
    ensures  order:    order_ok(\result);                                                      \
    ensures  kept:     kept_labels{Pre,Post}(w.node, v.n, -1);                                 \
    ensures  appended: appended(w.node, v.n, w.n);                                             \
    ensures  fresh:    \forall integer k; v.n <= k < w.n ==> w.node[k].outputs == 0 && w.node[k].output == -1 && !w.node[k].dead; \
    ensures  outputs:  \forall integer k; 0 <= k < v.n ==> w.node[k].outputs == \old(w.node[k].outputs) && \
                       w.node[k].output == \old(w.node[k].output) && w.node[k].dead == \old(w.node[k].dead);
#endif

/* From the lists v and order o to the lists w and the order that is returned; what w has more than v is not written yet. */
/*@ GROW_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  w.node[v.n .. w.n - 1].outputs, w.node[v.n .. w.n - 1].output, w.node[v.n .. w.n - 1].dead,
             w.node[v.n .. w.n - 1].died, w.node[0 .. w.n - 1].head, w.node[0 .. w.n - 1].count,
             w.node[0 .. w.n - 1].before, w.node[0 .. w.n - 1].after, w.node[0 .. w.n - 1].order, w.slot[0 .. w.m - 1];
    GROW_ENSURES
*/
struct order_view uses_grow(struct uses_view v, struct uses_view w, struct order_view o, const struct node *nd);

#endif
