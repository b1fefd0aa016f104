/* Putting a target in place: nodes come to stand before the first output, edges move to the roots. Invariant: the order stays
   topological. */
#include "rewrite/reorder.h"

/* Node x, which reads only what stands before `low`, comes to stand just before it. */
/*@ requires valid:    valid_uses(v) && valid_order(o) && same_nodes(v, o);
    requires ok:       uses_ok(v) && order_ok(o);
    requires topology: topological(v);
    requires nodes:    0 <= low < v.n && 0 <= x < v.n && earlier(v, low, x);
    requires inputs:   \forall integer s; linked(v, s) ==> v.slot[s].user == x ==> earlier(v, v.in[s], low);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].before, v.node[0 .. v.n - 1].after, v.node[0 .. v.n - 1].order;
    ensures  view:     \result.node == o.node && \result.n == o.n;
    ensures  uses:     uses_ok(v);
    ensures  order:    order_ok(\result);
    ensures  topology: topological(v);
    ensures  placed:   earlier(v, x, low);
    ensures  kept:     kept_one{Pre,Post}(v, x);
*/
static struct order_view place_node(struct uses_view v, struct order_view o, int x, int low)
{
    struct order_view r;

    /*@ assert in: \forall integer s; linked(v, s) ==> 0 <= v.in[s] < v.n; */
    (void)v; /* only the contract speaks of it */
    r = order_place(o, x, low);
    /*@ assert kept: kept_one{Pre,Here}(v, x); */
    /*@ assert ends: \forall integer s; linked(v, s) ==> 0 <= v.slot[s].user < v.n &&
                     earlier{Pre}(v, v.in[s], v.slot[s].user); */
    /*@ assert others: \forall integer s; linked(v, s) ==> v.in[s] != x ==> v.slot[s].user != x ==>
                       v.node[v.in[s]].order < v.node[v.slot[s].user].order; */
    /*@ assert reads: \forall integer s; linked(v, s) ==> v.slot[s].user == x ==>
                      v.node[v.in[s]].order < v.node[low].order; */
    /*@ assert was_above: \forall integer s; linked(v, s) ==> v.in[s] == x ==> v.slot[s].user != x &&
                          earlier{Pre}(v, low, v.slot[s].user); */
    /*@ assert above: \forall integer s; linked(v, s) ==> v.in[s] == x ==>
                      v.node[low].order < v.node[v.slot[s].user].order; */
    /*@ assert just: just_before(o, x, low); */
    /*@ assert to_x: \forall integer s; linked(v, s) ==> v.slot[s].user == x ==> v.in[s] != x && v.in[s] != low &&
                     precedes(o, v.in[s], x); */
    /*@ assert from_x: \forall integer s; linked(v, s) ==> v.in[s] == x ==> precedes(o, x, v.slot[s].user); */
    /*@ assert order: \forall integer s; linked(v, s) ==> earlier(v, v.in[s], v.slot[s].user); */
    return r;
}

/* Number k of the list does. */
/*@ requires valid:    valid_uses(v) && valid_order(o) && same_nodes(v, o) && 0 <= k < n && \valid_read(list + (0 .. n - 1));
    requires ok:       uses_ok(v) && order_ok(o);
    requires topology: topological(v);
    requires nodes:    0 <= low < v.n && !among(list, n, low) && \forall integer j; 0 <= j < n ==> 0 <= list[j] < v.n;
    requires distinct: \forall integer i, j; 0 <= i < j < n ==> list[i] != list[j];
    requires behind:   earlier(v, low, list[k]);
    requires inputs:   \forall integer s; linked(v, s) ==> v.slot[s].user == list[k] ==> earlier(v, v.in[s], low);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].before, v.node[0 .. v.n - 1].after, v.node[0 .. v.n - 1].order;
    ensures  view:     \result.node == o.node && \result.n == o.n;
    ensures  uses:     uses_ok(v);
    ensures  order:    order_ok(\result);
    ensures  topology: topological(v);
    ensures  placed:   earlier(v, list[k], low);
    ensures  before:   \forall integer j; 0 <= j < n ==> j != k ==> earlier{Pre}(v, list[j], low) ==> earlier(v, list[j], low);
    ensures  behind:   \forall integer j; 0 <= j < n ==> j != k ==> earlier{Pre}(v, low, list[j]) ==> earlier(v, low, list[j]);
    ensures  kept:     kept_but{Pre,Post}(v, list, n);
*/
static struct order_view place_next(struct uses_view v, struct order_view o, const int *list, int n, int k, int low)
{
    (void)n; /* only the contract speaks of it */
    /*@ assert others: \forall integer j; 0 <= j < n ==> j != k ==> list[j] != list[k]; */
    /*@ assert free: \forall integer a; !among(list, n, a) ==> a != list[k]; */
    return place_node(v, o, list[k], low);
}

struct order_view place_nodes(struct uses_view v, struct order_view o, const int *list, int n, int low)
{
    struct order_view r = o;

    /*@ assert low: !among(list, n, low); */
    /*@ assert in: \forall integer s; linked(v, s) ==> 0 <= v.in[s] < v.n; */
    /*@ assert far: \forall integer s; linked(v, s) ==> earlier(v, v.in[s], low) ==> !among(list, n, v.in[s]); */
    /*@ loop invariant range:    0 <= k <= n;
        loop invariant view:     r.node == o.node && r.n == o.n;
        loop invariant uses:     uses_ok(v);
        loop invariant order:    order_ok(r);
        loop invariant topology: topological(v);
        loop invariant placed:   \forall integer j; 0 <= j < k ==> earlier(v, list[j], low);
        loop invariant left:     \forall integer j; k <= j < n ==> earlier(v, low, list[j]);
        loop invariant kept:     kept_but{Pre,Here}(v, list, n);
        loop assigns k, r, v.node[0 .. v.n - 1].before, v.node[0 .. v.n - 1].after, v.node[0 .. v.n - 1].order;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        /*@ assert here: supplied{Pre}(v, list, k, low); */
        /*@ assert before: \forall integer s; linked(v, s) ==> earlier{Pre}(v, v.in[s], low) ==> earlier(v, v.in[s], low); */
        /*@ assert listed: \forall integer s; linked(v, s) ==> among(list, k, v.in[s]) ==> earlier(v, v.in[s], low); */
        /*@ assert inputs: \forall integer s; linked(v, s) ==> v.slot[s].user == list[k] ==> earlier(v, v.in[s], low); */
        r = place_next(v, r, list, n, k, low);
        /*@ assert kept: kept_but{LoopCurrent,Here}(v, list, n); */
    }
    return r;
}

/* Every edge to `from` now is one to `to`, which comes before it. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires topology: topological(v);
    requires nodes:    0 <= from < v.n && 0 <= to < v.n && v.node[to].order < v.node[from].order;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  topology: topological(v);
    ensures  users:    same_users{Pre,Post}(v);
    ensures  moved:    \forall integer s; linked{Pre}(v, s) ==> \old(v.in[s]) == from ==> v.in[s] == to;
    ensures  others:   \forall integer s; 0 <= s < v.m ==> \old(v.in[s]) != from ==> v.in[s] == \old(v.in[s]);
    ensures  unlinked: \forall integer s; 0 <= s < v.m ==> !linked{Pre}(v, s) ==> v.in[s] == \old(v.in[s]);
*/
static void place_edge(struct uses_view v, int from, int to)
{
    uses_redirect(v, from, to);
    /*@ assert linked: \forall integer s; linked(v, s) ==> linked{Pre}(v, s) && v.slot[s].user == \at(v.slot[s].user, Pre); */
    /*@ assert read: \forall integer s; linked(v, s) ==> v.in[s] == \at(v.in[s], Pre) ||
                     (\at(v.in[s], Pre) == from && v.in[s] == to); */
    /*@ assert below: \forall integer s; linked(v, s) ==>
                      v.node[\at(v.in[s], Pre)].order < v.node[v.slot[s].user].order; */
}

void place_edges(struct uses_view v, const int *out, const int *root, int n)
{
    /*@ loop invariant range:    0 <= k <= n;
        loop invariant uses:     uses_ok(v);
        loop invariant topology: topological(v);
        loop invariant users:    same_users{Pre,Here}(v);
        loop invariant outs:     \forall integer j; 0 <= j < n ==> out[j] == \at(out[j], Pre);
        loop invariant roots:    \forall integer j; 0 <= j < n ==> root[j] == \at(root[j], Pre);
        loop invariant unlinked: \forall integer s; 0 <= s < v.m ==> !linked{Pre}(v, s) ==> v.in[s] == \at(v.in[s], Pre);
        loop invariant others:   \forall integer s; linked{Pre}(v, s) ==> !among{Pre}(out, k, \at(v.in[s], Pre)) ==>
                                 v.in[s] == \at(v.in[s], Pre);
        loop invariant moved:    \forall integer s, j; linked{Pre}(v, s) ==> 0 <= j < k ==> \at(v.in[s] == out[j], Pre) ==>
                                 v.in[s] == root[j];
        loop assigns k, v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        /*@ assert linked: \forall integer s; linked(v, s) <==> linked{Pre}(v, s); */
        /*@ assert done: \forall integer j; 0 <= j < k ==> root[j] != out[k] && out[j] != out[k]; */
        /*@ assert first: \forall integer s; linked{Pre}(v, s) ==> \at(v.in[s], Pre) == out[k] ==>
                          !among{Pre}(out, k, \at(v.in[s], Pre)) && v.in[s] == out[k]; */
        place_edge(v, out[k], root[k]);
        /*@ assert same_outs: \forall integer j; 0 <= j < n ==> out[j] == \at(out[j], LoopCurrent); */
        /*@ assert same_roots: \forall integer j; 0 <= j < n ==> root[j] == \at(root[j], LoopCurrent); */
    }
    /*@ assert linked: \forall integer s; linked(v, s) <==> linked{Pre}(v, s); */
    /*@ assert roots: \forall integer j, k; 0 <= j < n ==> 0 <= k < n ==> root[j] != out[k]; */
    /*@ assert kept_gone: \forall integer s, k; linked{Pre}(v, s) ==> !among{Pre}(out, n, \at(v.in[s], Pre)) ==> 0 <= k < n ==>
                          v.in[s] != out[k]; */
    /*@ assert moved_to: \forall integer s; linked{Pre}(v, s) ==> among{Pre}(out, n, \at(v.in[s], Pre)) ==>
                         \exists integer j; 0 <= j < n && v.in[s] == root[j]; */
    /*@ assert moved_gone: \forall integer s, k; linked{Pre}(v, s) ==> among{Pre}(out, n, \at(v.in[s], Pre)) ==> 0 <= k < n ==>
                           v.in[s] != out[k]; */
}

struct order_view place_target(struct uses_view v, struct order_view o, struct target_view t)
{
    struct order_view r = place_nodes(v, o, t.list, t.n, t.low);

    /*@ assert low: !among(t.list, t.n, t.low); */
    /*@ assert apart: \forall integer k; 0 <= k < t.outs ==> earlier{Pre}(v, t.root[k], t.low) ==>
                      !among(t.list, t.n, t.root[k]); */
    /*@ assert before: \forall integer k; 0 <= k < t.outs ==> earlier(v, t.root[k], t.low); */
    /*@ assert behind: \forall integer k; 0 <= k < t.outs ==> t.out[k] == t.low || earlier(v, t.low, t.out[k]); */
    /*@ assert both: \forall integer k; 0 <= k < t.outs ==> 0 <= t.out[k] < v.n && 0 <= t.root[k] < v.n; */
    /*@ assert over: \forall integer k; 0 <= k < t.outs ==> earlier(v, t.root[k], t.out[k]); */
    place_edges(v, t.out, t.root, t.outs);
    return r;
}
