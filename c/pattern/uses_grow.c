#include "pattern/uses_grow.h"

#include <limits.h>

#ifdef __FRAMAC__
#include "pattern/relabel.acsl"
#endif

/* Nothing uses node k, new. */
/*@ requires valid:    0 <= o.n == k && \valid(o.node + (0 .. k));
    requires ok:       order_ok(o);
    requires lists:    valid_uses(w) && valid_nodes(w, nd) && w.node == o.node && k < w.n;
    terminates \true;
    exits    never:    \false;
    assigns  o.node[k].head, o.node[k].count, o.node[k].outputs, o.node[k].output, o.node[k].dead, o.node[k].died;
    ensures  ok:       order_ok(o);
    ensures  fresh:    fresh_node(o.node, k);
    ensures  kept:     kept_labels{Pre,Post}(o.node, k, -1);
    ensures  others:   same_users_of{Pre,Post}(o.node, k);
    ensures  frame:    same_links_of{Pre,Post}(w.slot, w.m) && same_in{Pre,Post}(w) && same_nodes{Pre,Post}(w, nd);
*/
static void clear_node(struct order_view o, int k)
    /*@ ghost (struct uses_view w, const struct node *nd) */
{
    struct use_node *n = &o.node[k];

    n->head = n->output = -1;
    n->count = 0;
    n->outputs = 0;
    n->dead = false;
    n->died = 0;
    /*@ assert places: same_links{Pre,Here}(o) && grown{Pre,Here}(o, -1); */
    /*@ assert sorted: sorted_but{Pre}(o, -1); */
    /*@ assert sorted_still: sorted_but(o, -1); */
    /*@ assert small: small_labels(o, -1); */
    /*@ assert links: same_links_of{Pre,Here}(w.slot, w.m); */
    /*@ assert in: same_in{Pre,Here}(w); */
    /*@ assert nodes: same_nodes{Pre,Here}(w, nd); */
}

/* Node k comes last. */
/*@ requires valid:    0 <= o.n == k < INT_MAX && \valid(o.node + (0 .. k));
    requires lists:    valid_uses(w) && valid_nodes(w, nd) && w.node == o.node && k < w.n;
    requires ok:       order_ok(o);
    terminates \true;
    exits    never:    \false;
    assigns  o.node[0 .. k].before, o.node[0 .. k].after, o.node[0 .. k].order;
    ensures  view:     \result.node == o.node && \result.n == k + 1;
    ensures  ok:       order_ok(\result);
    ensures  kept:     kept_labels{Pre,Post}(o.node, k, -1);
    ensures  last:     last_label(o.node, k);
    ensures  others:   same_users_of{Pre,Post}(o.node, w.n);
    ensures  frame:    same_links_of{Pre,Post}(w.slot, w.m) && same_in{Pre,Post}(w) && same_nodes{Pre,Post}(w, nd);
*/
static struct order_view append_node(struct order_view o, int k)
    /*@ ghost (struct uses_view w, const struct node *nd) */
{
    struct order_view all = o, r;

    all.n = k + 1;
    /*@ assert out: order_but(all, k); */
    r = order_append(all, k);
    /*@ assert kept: \forall integer a, b; 0 <= a < k ==> 0 <= b < k ==> (\at(o.node[a].order < o.node[b].order, Pre) <==>
                     o.node[a].order < o.node[b].order); */
    /*@ assert last: \forall integer a; 0 <= a < k ==> precedes(all, a, k) && o.node[a].order < o.node[k].order; */
    return r;
}

/* Nodes from o.n to n - 1 do. */
/*@ requires valid:    0 <= o.n <= n && \valid(o.node + (0 .. n - 1));
    requires lists:    valid_uses(w) && valid_nodes(w, nd) && w.node == o.node && n <= w.n;
    requires ok:       order_ok(o);
    terminates \true;
    exits    never:    \false;
    assigns  o.node[o.n .. n - 1].head, o.node[o.n .. n - 1].count, o.node[o.n .. n - 1].outputs, o.node[o.n .. n - 1].output,
             o.node[o.n .. n - 1].dead, o.node[o.n .. n - 1].died,
             o.node[0 .. n - 1].before, o.node[0 .. n - 1].after, o.node[0 .. n - 1].order;
    ensures  view:     \result.node == o.node && \result.n == n;
    ensures  ok:       order_ok(\result);
    ensures  fresh:    \forall integer k; o.n <= k < n ==> fresh_node(o.node, k);
    ensures  kept:     kept_labels{Pre,Post}(o.node, o.n, -1);
    ensures  appended: appended(o.node, o.n, n);
    ensures  others:   same_users_of{Pre,Post}(o.node, o.n);
    ensures  frame:    same_links_of{Pre,Post}(w.slot, w.m) && same_in{Pre,Post}(w) && same_nodes{Pre,Post}(w, nd);
*/
static struct order_view append_nodes(struct order_view o, int n)
    /*@ ghost (struct uses_view w, const struct node *nd) */
{
    struct order_view r = o;

    /*@ loop invariant range:    o.n <= k <= n;
        loop invariant view:     r.node == o.node && r.n == k;
        loop invariant ok:       order_ok(r);
        loop invariant fresh:    \forall integer j; o.n <= j < k ==> fresh_node(o.node, j);
        loop invariant kept:     kept_labels{Pre,Here}(o.node, o.n, -1);
        loop invariant appended: appended(o.node, o.n, k);
        loop invariant others:   same_users_of{Pre,Here}(o.node, o.n);
        loop invariant links:    same_links_of{Pre,Here}(w.slot, w.m);
        loop invariant in:       same_in{Pre,Here}(w);
        loop invariant nodes:    same_nodes{Pre,Here}(w, nd);
        loop assigns k, r, o.node[o.n .. n - 1].head, o.node[o.n .. n - 1].count, o.node[o.n .. n - 1].outputs, o.node[o.n .. n - 1].output,
             o.node[o.n .. n - 1].dead, o.node[o.n .. n - 1].died,
             o.node[0 .. n - 1].before, o.node[0 .. n - 1].after, o.node[0 .. n - 1].order;
        loop variant n - k;
    */
    for (int k = o.n; k < n; k++) {
        r.node = o.node; /* as it is: the provers take the places from it */
        clear_node(r, k) /*@ ghost (w, nd) */;
        /*@ ghost Cleared: ; */
        /*@ assert clear: same_users_of{LoopCurrent,Here}(o.node, k); */
        /*@ assert order_clear: kept_labels{LoopCurrent,Here}(o.node, k, -1); */
        r = append_node(r, k) /*@ ghost (w, nd) */;
        /*@ assert as_cleared: same_users_of{Cleared,Here}(o.node, w.n); */
        /*@ assert same: same_users_of{LoopCurrent,Here}(o.node, k); */
        /*@ assert fresh: \forall integer j; o.n <= j < k ==> fresh_node{LoopCurrent}(o.node, j) && fresh_node(o.node, j); */
        /*@ assert new: fresh_node(o.node, k); */
        /*@ assert order: kept_labels{LoopCurrent,Here}(o.node, k, -1); */
        /*@ assert below: appended(o.node, o.n, k); */
        /*@ assert last: last_label(o.node, k); */
    }
    return r;
}

/* Slots from number m on are on no list. */
/*@ requires valid:    valid_uses(v) && valid_nodes(v, nd);
    requires range:    0 <= m <= v.m;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[m .. v.m - 1];
    ensures  free:     \forall integer s; m <= s < v.m ==> v.slot[s].user == -1;
    ensures  links:    same_links_of{Pre,Post}(v.slot, m);
    ensures  users:    same_users_of{Pre,Post}(v.node, v.n);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
    ensures  in:       same_in{Pre,Post}(v);
*/
static void free_slots(struct uses_view v, int m)
    /*@ ghost (const struct node *nd) */
{
    /*@ loop invariant range: m <= s <= v.m;
        loop invariant free:  \forall integer t; m <= t < s ==> v.slot[t].user == -1;
        loop assigns s, v.slot[m .. v.m - 1];
        loop variant v.m - s;
    */
    for (int s = m; s < v.m; s++)
        v.slot[s].user = v.slot[s].next = v.slot[s].prev = -1;
    /*@ assert nodes_in: \forall integer y; 0 <= y < v.n ==> nd[y].in == \at(nd[y].in, Pre); */
    /*@ assert nodes_nin: \forall integer y; 0 <= y < v.n ==> nd[y].nin == \at(nd[y].nin, Pre); */
    /*@ assert nodes_kind: \forall integer y; 0 <= y < v.n ==> nd[y].kind == \at(nd[y].kind, Pre); */
}

/* What w has more than v is on no list, and its nodes come last. */
/*@ requires valid:    valid_uses(w) && valid_nodes(w, nd);
    requires views:    longer(v, w) && o.node == v.node && o.n == v.n;
    requires order:    order_ok(o);
    terminates \true;
    exits    never:    \false;
    assigns  w.node[v.n .. w.n - 1].outputs, w.node[v.n .. w.n - 1].output, w.node[v.n .. w.n - 1].dead,
             w.node[v.n .. w.n - 1].died, w.node[0 .. w.n - 1].head, w.node[0 .. w.n - 1].count,
             w.node[0 .. w.n - 1].before, w.node[0 .. w.n - 1].after, w.node[0 .. w.n - 1].order, w.slot[0 .. w.m - 1];
    ensures  view:     \result.node == w.node && \result.n == w.n;
    ensures  order:    order_ok(\result);
    ensures  kept:     kept_labels{Pre,Post}(w.node, v.n, -1);
    ensures  appended: appended(w.node, v.n, w.n);
    ensures  fresh:    \forall integer k; v.n <= k < w.n ==> fresh_node(w.node, k);
    ensures  old:      same_users_of{Pre,Post}(w.node, v.n);
    ensures  grew:     grew{Pre,Post}(v, w);
    ensures  free:     \forall integer s; v.m <= s < w.m ==> w.slot[s].user == -1;
    ensures  in:       same_in{Pre,Post}(w);
    ensures  nodes:    same_nodes{Pre,Post}(w, nd);
*/
static struct order_view grow(struct uses_view v, struct uses_view w, struct order_view o)
    /*@ ghost (const struct node *nd) */
{
    struct order_view r = o;

    r.node = w.node; /* as it is: the provers take the places from it */
    r = append_nodes(r, w.n) /*@ ghost (w, nd) */;
    /*@ ghost Appended: ; */
    /*@ assert new: \forall integer k; v.n <= k < w.n ==> fresh_node(w.node, k); */
    free_slots(w, v.m) /*@ ghost (nd) */;
    /*@ assert still: same_users_of{Appended,Here}(w.node, w.n); */
    /*@ assert fresh: \forall integer k; v.n <= k < w.n ==> fresh_node(w.node, k); */
    /*@ assert old: same_users_of{Pre,Here}(w.node, v.n); */
    /*@ assert links_now: same_links_of{Pre,Here}(w.slot, v.m); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert prevs: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert in: same_in{Pre,Here}(w); */
    /*@ assert in_v: same_in{Pre,Here}(v); */
    /*@ assert none: \forall integer k; v.n <= k < w.n ==> w.node[k].head == -1 && w.node[k].count == 0; */
    return r;
}

/* The inputs of node k, whose slots are on no list, come on the lists of the nodes they hold. */
/*@ requires valid:    valid_uses(v) && valid_nodes(v, nd);
    requires ok:       uses_ok(v);
    requires node:     0 <= k < v.n;
    requires free:     \forall integer s; slot_of(nd, k, s) ==> v.slot[s].user == -1 && v.in[s] < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
    ensures  in:       same_in{Pre,Post}(v);
    ensures  outputs:  same_outputs{Pre,Post}(v);
    ensures  new:      \forall integer s; slot_of(nd, k, s) ==> v.slot[s].user == (v.in[s] >= 0 ? k : -1);
    ensures  old:      \forall integer s; 0 <= s < v.m ==> !slot_of{Pre}(nd, k, s) ==> v.slot[s].user == \old(v.slot[s].user);
*/
static void enter_node(struct uses_view v, const struct node *nd, int k)
{
    int first = nd[k].in, n = nd[k].nin;

    uses_enter(v, first, n, k);
    /*@ assert outputs: same_outputs{Pre,Here}(v); */
    /*@ assert nodes_in: \forall integer y; 0 <= y < v.n ==> nd[y].in == \at(nd[y].in, Pre); */
    /*@ assert nodes_nin: \forall integer y; 0 <= y < v.n ==> nd[y].nin == \at(nd[y].nin, Pre); */
    /*@ assert nodes_kind: \forall integer y; 0 <= y < v.n ==> nd[y].kind == \at(nd[y].kind, Pre); */
    /*@ assert mine: \forall integer s; slot_of(nd, k, s) <==> first <= s < first + n; */
}

/* The inputs of the nodes from number n on do. */
/*@ requires valid:    valid_uses(v) && valid_nodes(v, nd);
    requires ok:       uses_ok(v);
    requires range:    0 <= n <= v.n && 0 <= m <= v.m;
    requires inputs:   new_inputs(v, nd, n, m);
    requires free:     \forall integer s; m <= s < v.m ==> v.slot[s].user == -1;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
    ensures  in:       same_in{Pre,Post}(v);
    ensures  outputs:  same_outputs{Pre,Post}(v);
    ensures  new:      entered(v, nd, n, v.n);
    ensures  old:      \forall integer s; 0 <= s < v.m ==> unused(nd, n, v.n, s) ==> v.slot[s].user == \old(v.slot[s].user);
*/
static void enter_nodes(struct uses_view v, const struct node *nd, int n, int m)
{
    (void)m; /* only the contract speaks of it */
    /*@ loop invariant range:   n <= k <= v.n;
        loop invariant ok:      uses_ok(v);
        loop invariant nodes:   same_nodes{Pre,Here}(v, nd);
        loop invariant in:      same_in{Pre,Here}(v);
        loop invariant outputs: same_outputs{Pre,Here}(v);
        loop invariant new:     entered(v, nd, n, k);
        loop invariant old:     \forall integer s; 0 <= s < v.m ==>
                                unused(nd, n, k, s) ==> v.slot[s].user == \at(v.slot[s].user, Pre);
        loop assigns k, v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
        loop variant v.n - k;
    */
    for (int k = n; k < v.n; k++) {
        /*@ assert slots: \forall integer j, s; 0 <= j < v.n ==> (slot_of(nd, j, s) <==> slot_of{Pre}(nd, j, s)); */
        /*@ assert apart: \forall integer j, s; n <= j < v.n ==> j != k ==> slot_of(nd, k, s) ==> !slot_of(nd, j, s); */
        /*@ assert mine: \forall integer s; slot_of(nd, k, s) ==> m <= s < v.m && v.in[s] < v.n; */
        /*@ assert not_yet: \forall integer s; slot_of(nd, k, s) ==> unused(nd, n, k, s); */
        /*@ assert free: \forall integer s; slot_of(nd, k, s) ==> v.slot[s].user == -1; */
        enter_node(v, nd, k);
        /*@ assert still: \forall integer j, s; 0 <= j < v.n ==> (slot_of(nd, j, s) <==> slot_of{LoopCurrent}(nd, j, s)); */
        /*@ assert same: same_nodes{LoopCurrent,Here}(v, nd); */
        /*@ assert unused: \forall integer s; unused(nd, n, k + 1, s) ==> unused{LoopCurrent}(nd, n, k, s) &&
                           !slot_of{LoopCurrent}(nd, k, s); */
        /*@ assert kept: \forall integer s; 0 <= s < v.m ==> unused(nd, n, k + 1, s) ==>
                         v.slot[s].user == \at(v.slot[s].user, LoopCurrent); */
    }
}

struct order_view uses_grow(struct uses_view v, struct uses_view w, struct order_view o, const struct node *nd)
{
    struct order_view r = grow(v, w, o) /*@ ghost (nd) */;

    /*@ ghost Appended: ; */
    /*@ assert fresh: \forall integer k; v.n <= k < w.n ==> w.node[k].outputs == 0 && w.node[k].output == -1 && !w.node[k].dead; */
    /*@ assert outputs: \forall integer k; 0 <= k < v.n ==> w.node[k].outputs == \at(w.node[k].outputs, Pre) &&
                        w.node[k].output == \at(w.node[k].output, Pre) && w.node[k].dead == \at(w.node[k].dead, Pre); */
    /*@ assert in_v: same_in{Pre,Here}(v); */
    /*@ assert slots_now: \forall integer k, s; 0 <= k < w.n ==> (slot_of(nd, k, s) <==> slot_of{Pre}(nd, k, s)); */
    /*@ assert lists: lists(w); */
    /*@ assert orderly: orderly(w); */
    /*@ assert counted: counted(w); */
    /*@ assert inputs_own: \forall integer k, s; v.n <= k < w.n ==> slot_of(nd, k, s) ==> v.m <= s; */
    /*@ assert inputs_apart: \forall integer j, k, s; v.n <= j < w.n ==> v.n <= k < w.n ==> slot_of{Pre}(nd, j, s) ==>
                             slot_of{Pre}(nd, k, s) ==> j == k; */
    /*@ assert inputs_living: \forall integer s; v.m <= s < w.m ==> w.in[s] < w.n &&
                              (0 <= w.in[s] < v.n ==> !w.node[w.in[s]].dead); */
    /*@ assert inputs: new_inputs(w, nd, v.n, v.m); */
    enter_nodes(w, nd, v.n, v.m);
    /*@ assert outputs_still: \forall integer k; 0 <= k < w.n ==> w.node[k].output == \at(w.node[k].output, Appended); */
    /*@ assert outputs_new: \forall integer k; v.n <= k < w.n ==> w.node[k].output == -1; */
    /*@ assert outputs_old: \forall integer k; 0 <= k < v.n ==> w.node[k].outputs == \at(w.node[k].outputs, Pre) &&
                            w.node[k].output == \at(w.node[k].output, Pre) && w.node[k].dead == \at(w.node[k].dead, Pre); */
    /*@ assert nodes_still: same_nodes{Pre,Here}(w, nd); */
    /*@ assert in_still: same_in{Pre,Here}(w); */
    /*@ assert slots: \forall integer k, s; 0 <= k < w.n ==> (slot_of(nd, k, s) <==> slot_of{Pre}(nd, k, s)); */
    /*@ assert far: \forall integer k, s; v.n <= k < w.n ==> slot_of(nd, k, s) ==> v.m <= s < w.m; */
    /*@ assert near: \forall integer k, s; 0 <= k < v.n ==> slot_of(nd, k, s) ==> 0 <= s < v.m; */
    /*@ assert unused: \forall integer s; 0 <= s < v.m ==> unused(nd, v.n, w.n, s); */
    /*@ assert old_slots: \forall integer s; 0 <= s < v.m ==> w.slot[s].user == \at(w.slot[s].user, Appended); */
    /*@ assert old: \forall integer s; 0 <= s < v.m ==> w.slot[s].user == \at(w.slot[s].user, Pre); */
    /*@ assert own_old: \forall integer s; linked(w, s) ==> s < v.m ==> linked{Pre}(v, s) && w.slot[s].user < v.n &&
                        slot_of(nd, w.slot[s].user, s); */
    /*@ assert own_some: \forall integer s; linked(w, s) ==> s >= v.m ==> \exists integer k; v.n <= k < w.n && slot_of(nd, k, s); */
    /*@ assert own_new: \forall integer s; linked(w, s) ==> s >= v.m ==> v.n <= w.slot[s].user < w.n &&
                        slot_of(nd, w.slot[s].user, s); */
    /*@ assert own: own_slots(w, nd); */
    /*@ assert linked_old: \forall integer k, s; 0 <= k < v.n ==> !w.node[k].dead ==> slot_of(nd, k, s) ==> w.in[s] >= 0 ==>
                           linked{Pre}(v, s) && w.slot[s].user == k; */
    /*@ assert linked_new: \forall integer k, s; v.n <= k < w.n ==> slot_of(nd, k, s) ==> w.in[s] >= 0 ==>
                           linked(w, s) && w.slot[s].user == k; */
    /*@ assert linked: inputs_linked(w, nd); */
    /*@ assert none: none_dead(w); */
    /*@ assert users: pending(w, 0, 0); */
    return r;
}
