/* The order of the nodes: a list by growing labels, one node appended to it or moved in it. */
#ifndef CALQUE_GRAPH_TOPO_ORDER_H
#define CALQUE_GRAPH_TOPO_ORDER_H

#include "graph/use_list.h"

#define ORDER_TOP 0x4000000000000000UL /* labels are smaller */

/* n nodes, and the ends of the list, -1 if it is empty. */
struct order_view {
    struct use_node *node;
    int n;
    long first, last;
};

#ifdef __FRAMAC__
#include "pattern/among.acsl"
#include "pattern/order.acsl"
#endif

/* Node x leaves the list. */
/*@ requires valid:    valid_order(v);
    requires ok:       order_ok(v);
    requires node:     0 <= x < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].before, v.node[0 .. v.n - 1].after;
    ensures  view:     \result.node == v.node && \result.n == v.n;
    ensures  ok:       order_but(\result, x);
*/
struct order_view order_cut(struct order_view v, int x);

/* Node x, on no list, comes to stand just before `next`, where there is a label for it. */
/*@ requires valid:    valid_order(v);
    requires nodes:    0 <= x < v.n && 0 <= next < v.n && x != next;
    requires ok:       order_but(v, x);
    requires gap:      gap(v, next);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].before, v.node[0 .. v.n - 1].after, v.node[x].order;
    ensures  view:     \result.node == v.node && \result.n == v.n;
    ensures  ok:       order_ok(\result);
    ensures  kept:     kept{Pre,Post}(v, x);
    ensures  here:     just_before(v, x, next);
*/
struct order_view order_insert(struct order_view v, int x, int next);

/* New labels, where there was none left before `next`; x is out of the list. */
/*@ requires valid:    valid_order(v);
    requires nodes:    0 <= x < v.n && 0 <= next < v.n && x != next;
    requires ok:       order_but(v, x);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].order;
    ensures  ok:       order_but(v, x);
    ensures  kept:     kept{Pre,Post}(v, x);
    ensures  gap:      gap(v, next);
*/
void order_spread(struct order_view v, int x, int next);

/* The whole list evenly; node x is not on it (-1: all are). */
/*@ requires valid:    valid_order(v);
    requires node:     -1 <= x < v.n;
    requires ok:       sorted_but(v, x);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].order;
    ensures  ok:       order_but(v, x);
    ensures  kept:     kept{Pre,Post}(v, x);
    ensures  gaps:     \forall integer y; listed(v, x, y) ==> gap(v, y);
*/
void order_spread_all(struct order_view v, int x);

/* Node x, the last number and on no list, comes last. */
/*@ requires valid:    valid_order(v);
    requires node:     0 <= x && x == v.n - 1;
    requires ok:       order_but(v, x);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].before, v.node[0 .. v.n - 1].after, v.node[0 .. v.n - 1].order;
    ensures  view:     \result.node == v.node && \result.n == v.n;
    ensures  ok:       order_ok(\result);
    ensures  kept:     kept{Pre,Post}(v, x);
    ensures  last:     \forall integer y; 0 <= y < x ==> precedes(v, y, x);
*/
struct order_view order_append(struct order_view v, int x);

/* A range of 2^bits labels may be spread when it has at most so many nodes: 1.5^bits, rounded down. The proof does not
   depend on these numbers; the cost does. */
/*@ requires bits:     0 <= bits < 62;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
*/
unsigned long order_allowed(int bits);

/* Node x moves to just before `next`; all others stand to each other as they did. */
/*@ requires valid:    valid_order(v);
    requires ok:       order_ok(v);
    requires nodes:    0 <= x < v.n && 0 <= next < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].before, v.node[0 .. v.n - 1].after, v.node[0 .. v.n - 1].order;
    ensures  view:     \result.node == v.node && \result.n == v.n;
    ensures  ok:       order_ok(\result);
    ensures  kept:     kept{Pre,Post}(v, x);
    ensures  here:     x != next ==> just_before(v, x, next);
    ensures  same:     x == next ==> kept{Pre,Post}(v, -1);
*/
struct order_view order_place(struct order_view v, int x, int next);

/* The first of some nodes in the order of the graph. */
/*@ requires valid:    0 < n && \valid_read(a + (0 .. n - 1));
    requires nodes:    \forall integer k; 0 <= k < n ==> \valid_read(use + a[k]);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  among:    among(a, n, \result);
    ensures  first:    \forall integer x; among(a, n, x) ==> use[\result].order <= use[x].order;
*/
int order_first(const struct use_node *use, const int *a, int n);

#endif
