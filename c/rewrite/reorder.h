/* Putting a target in place: nodes come to stand before the first output, edges move to the roots. */
#ifndef CALQUE_REWRITE_REORDER_H
#define CALQUE_REWRITE_REORDER_H

#include "graph/topo_order.h"
#include "graph/use_list_internal.h"

#ifdef __FRAMAC__
#include "rewrite/place.acsl"

/* What the substitution requires of the lists v, the order o and the target t, may assign and does. */
#define TARGET_REQUIRES \
    requires valid:    valid_uses(v) && valid_order(o) && same_nodes(v, o) && 0 <= t.n && 0 <= t.outs && \
                       \valid_read(t.list + (0 .. t.n - 1)) && \valid_read(t.out + (0 .. t.outs - 1)) && \
                       \valid_read(t.root + (0 .. t.outs - 1)); \
    requires apart:    own_block(v, t.out) && own_block(v, t.root); \
    requires ok:       uses_ok(v) && order_ok(o); \
    requires topology: topological(v); \
    requires nodes:    0 <= t.low < v.n && \
                       \forall integer j; 0 <= j < t.n ==> 0 <= t.list[j] < v.n && earlier(v, t.low, t.list[j]); \
    requires distinct: \forall integer i, j; 0 <= i < j < t.n ==> t.list[i] != t.list[j]; \
    requires supplied: \forall integer j; 0 <= j < t.n ==> supplied(v, t.list, j, t.low); \
    requires outs:     \forall integer k; 0 <= k < t.outs ==> 0 <= t.out[k] < v.n && !among(t.list, t.n, t.out[k]) && \
                       (t.out[k] == t.low || earlier(v, t.low, t.out[k])); \
    requires out_once: \forall integer i, j; 0 <= i < j < t.outs ==> t.out[i] != t.out[j]; \
    requires roots:    \forall integer k; 0 <= k < t.outs ==> 0 <= t.root[k] < v.n && !among(t.out, t.outs, t.root[k]) && \
                       (earlier(v, t.root[k], t.low) || among(t.list, t.n, t.root[k]));
#define TARGET_ASSIGNS \
    assigns  v.node[0 .. v.n - 1].before, v.node[0 .. v.n - 1].after, v.node[0 .. v.n - 1].order, \
             v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
#define TARGET_ENSURES \
    ensures  view:     \result.node == o.node && \result.n == o.n; \
    ensures  ok:       uses_ok(v); \
    ensures  order:    order_ok(\result); \
    ensures  topology: topological(v); \
    ensures  users:    same_users{Pre,Post}(v); \
    ensures  moved:    edges_moved{Pre,Post}(v, t.out, t.root, t.outs); \
    ensures  gone:     \forall integer s, k; 0 <= k < t.outs ==> !holds(v, s, t.out[k]); \
    ensures  kept:     kept_but{Pre,Post}(v, t.list, t.n);
#endif

/* The n nodes of the list, which stand after `low`, come to stand before it, in their order. */
/*@ requires valid:    valid_uses(v) && valid_order(o) && same_nodes(v, o) && 0 <= n && \valid_read(list + (0 .. n - 1));
    requires ok:       uses_ok(v) && order_ok(o);
    requires topology: topological(v);
    requires nodes:    0 <= low < v.n && \forall integer j; 0 <= j < n ==> 0 <= list[j] < v.n && earlier(v, low, list[j]);
    requires distinct: \forall integer i, j; 0 <= i < j < n ==> list[i] != list[j];
    requires supplied: \forall integer j; 0 <= j < n ==> supplied(v, list, j, low);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].before, v.node[0 .. v.n - 1].after, v.node[0 .. v.n - 1].order;
    ensures  view:     \result.node == o.node && \result.n == o.n;
    ensures  ok:       uses_ok(v) && order_ok(\result);
    ensures  topology: topological(v);
    ensures  placed:   \forall integer j; 0 <= j < n ==> earlier(v, list[j], low);
    ensures  kept:     kept_but{Pre,Post}(v, list, n);
*/
struct order_view place_nodes(struct uses_view v, struct order_view o, const int *list, int n, int low);

/* Every edge to out[k] now is one to root[k]. */
/*@ requires valid:    valid_uses(v) && 0 <= n && \valid_read(out + (0 .. n - 1)) && \valid_read(root + (0 .. n - 1));
    requires apart:    own_block(v, out) && own_block(v, root);
    requires ok:       uses_ok(v);
    requires topology: topological(v);
    requires nodes:    \forall integer k; 0 <= k < n ==> 0 <= out[k] < v.n && 0 <= root[k] < v.n &&
                       v.node[root[k]].order < v.node[out[k]].order;
    requires distinct: \forall integer i, j; 0 <= i < j < n ==> out[i] != out[j];
    requires roots:    \forall integer k; 0 <= k < n ==> !among(out, n, root[k]);
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  topology: topological(v);
    ensures  users:    same_users{Pre,Post}(v);
    ensures  moved:    edges_moved{Pre,Post}(v, out, root, n);
    ensures  gone:     \forall integer s, k; 0 <= k < n ==> !holds(v, s, out[k]);
*/
void place_edges(struct uses_view v, const int *out, const int *root, int n);

/* What is put in place: n nodes of a list before `low`, the first of the `outs` outputs, whose edges move to the roots. */
struct target_view {
    const int *list, *out, *root;
    int n, outs, low;
};

/* The substitution: the nodes of the list come to stand before the first output, then the edges move. What a root is
   computed from stands before the first output or is of the list; no root is an output. */
/*@ TARGET_REQUIRES
    terminates \true;
    exits    never:    \false;
    TARGET_ASSIGNS
    TARGET_ENSURES
*/
struct order_view place_target(struct uses_view v, struct order_view o, struct target_view t);

#endif
