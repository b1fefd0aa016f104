/* The order of the nodes of a graph's lists of users. */
#ifndef CALQUE_PATTERN_USES_ORDER_H
#define CALQUE_PATTERN_USES_ORDER_H

#include "pattern/order_list.h"

#ifdef __FRAMAC__
#include "pattern/order_of.acsl"
#endif

/* The order of the nodes of u, and its ends as they are now. */
/*@ requires valid:    \valid_read(u);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     order_of(\result, u);
*/
struct order_view uses_order(const struct uses *u);

/* Its ends are those of v. */
/*@ requires valid:    \valid(u);
    requires view:     v.node == u->node.a && v.n == u->node.n;
    requires ends:     -1 <= v.first < v.n && -1 <= v.last < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  u->first, u->last;
    ensures  view:     order_of(v, u);
*/
void uses_reorder(struct uses *u, struct order_view v);

/* Node moves in the order to just before `next`; all others stand to each other as they did. o is the order of u. */
/*@ requires valid:    \valid(u) && valid_order(o);
    requires view:     order_of(o, u);
    requires ok:       order_ok(o);
    requires nodes:    0 <= node < o.n && 0 <= next < o.n;
    requires apart:    \base_addr(u) != \base_addr(o.node);
    terminates \true;
    exits    never:    \false;
    assigns  u->first, u->last, o.node[0 .. o.n - 1].before, o.node[0 .. o.n - 1].after, o.node[0 .. o.n - 1].order;
    ensures  order:    \forall struct order_view p; order_of(p, u) ==> order_ok(p);
    ensures  kept:     kept{Pre,Post}(o, node);
    ensures  here:     node != next ==> just_before(o, node, next);
    ensures  same:     node == next ==> kept{Pre,Post}(o, -1);
*/
void uses_place(struct uses *u, int node, int next) /*@ ghost (struct order_view o) */;

#endif
