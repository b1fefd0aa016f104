/* Use lists: for each node the slots that hold it, linked both ways, kept while the graph is rewritten. Invariant: a slot is in the
   list of the node that it holds, once; new nodes are taken in before edges move. */
#include "graph/use_list.h"

#include <limits.h>

#include "graph/use_list_internal.h"

/*@ requires valid:    \valid(u);
    terminates \true;
    exits    never:    \false;
    assigns  *u;
    ensures  mem:      u->mem == mem;
    ensures  nodes:    u->node.a == \null && u->node.n == 0 && u->node.cap == 0;
    ensures  slots:    u->slot.a == \null && u->slot.n == 0 && u->slot.cap == 0;
    ensures  outputs:  u->output.a == \null && u->output.n == 0 && u->output.cap == 0;
    ensures  order:    u->first == -1 && u->last == -1;
*/
void uses_init(struct uses *u, struct mem *mem)
{
    *u = (struct uses){ .mem = mem };
    u->first = u->last = -1;
}

/*@ requires valid:    \valid(u);
    terminates \true;
    exits    never:    \false;
    assigns  *u;
    ensures  empty:    u->node.n == 0 && u->slot.n == 0 && u->output.n == 0;
    ensures  mem:      u->mem == \old(u->mem);
*/
void uses_free(struct uses *u)
{
    mem_free(u->node.a);
    mem_free(u->slot.a);
    ints_free(&u->output);
    uses_init(u, u->mem);
}

/*@ ghost
/@ requires valid:    valid_uses(v);
   requires ok:       uses_ok(v);
   requires slot:     linked(v, s);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  found:    on_list(v, v.node[v.in[s]].head, s);
@/
void uses_complete(struct uses_view v, int s)
{
    int t = s;

    /@ loop invariant here:  linked(v, t) && v.in[t] == v.in[s];
       loop invariant back:  \forall slots a; closed_slots(v, a) ==> in_slots(a, t) ==> in_slots(a, s);
       loop assigns t;
       loop variant top(some_ranks(v)) - rank(some_ranks(v), t);
    @/
    while (v.slot[t].prev >= 0)
        t = v.slot[t].prev;
}

void uses_all(struct uses_view v)
{
    /@ loop invariant range: 0 <= s <= v.m;
       loop invariant found: \forall integer t; 0 <= t < s ==> linked(v, t) ==> on_list(v, v.node[v.in[t]].head, t);
       loop assigns s;
       loop variant v.m - s;
    @/
    for (int s = 0; s < v.m; s++)
        if (v.slot[s].user >= 0)
            uses_complete(v, s);
}
*/

/* Slot s, used by `user`, comes before slot `next` of the list of node k. */
/*@ requires valid:    valid_uses(v);
    requires slots:    0 <= s < v.m && -1 <= next < v.m && next != s && 0 <= k < v.n;
    requires count:    0 <= v.node[k].count < v.m;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[k].head, v.node[k].count;
    ensures  slot:     v.slot[s].user == user && v.slot[s].prev == -1 && v.slot[s].next == next;
    ensures  next:     next >= 0 ==> v.slot[next].prev == s;
    ensures  head:     v.node[k].head == s && v.node[k].count == \old(v.node[k].count) + 1;
    ensures  in:       same_in{Pre,Post}(v);
    ensures  users:    same_users_but{Pre,Post}(v, s);
    ensures  heads:    same_heads{Pre,Post}(v, k);
    ensures  prevs:    same_prevs{Pre,Post}(v, s, next);
    ensures  nexts:    same_nexts{Pre,Post}(v, s, s);
*/
static void write_first(struct uses_view v, int s, int k, int next, int user)
{
    if (next >= 0)
        v.slot[next].prev = s;
    v.slot[s].user = user;
    v.slot[s].prev = -1;
    v.slot[s].next = next;
    v.node[k].head = s;
    v.node[k].count++;
}

void uses_link(struct uses_view v, int s, int user)
{
    int node = v.in[s], next = v.node[node].head;

    /*@ assert head: head_ok(v, node) && lists(v); */
    /*@ assert count: v.node[node].count == card(holders(v, node), v.m); */
    /*@ assert free: !in_slots(holders(v, node), s); */
    /*@ assert far:  \forall integer t; linked(v, t) ==> t != s && v.slot[t].next != s && v.slot[t].prev != s; */
    /*@ assert not:  \forall integer t; linked(v, t) ==> v.slot[t].next >= 0 ==> v.slot[t].next != next; */
    /*@ assert hds:  \forall integer k; 0 <= k < v.n ==> v.node[k].head != s; */
    /*@ assert old_next: \forall integer t; linked(v, t) ==> v.slot[t].next >= 0 ==>
                         holds(v, v.slot[t].next, v.in[t]) && v.slot[v.slot[t].next].prev == t; */
    /*@ assert old_head: \forall integer t; linked(v, t) ==> v.slot[t].prev < 0 ==> v.node[v.in[t]].head == t; */
    /*@ assert old_one:  \forall integer t; linked(v, t) ==> v.slot[t].prev < 0 ==> t != next ==> v.in[t] != node; */
    /*@ assert old_top:  \forall integer k; 0 <= k < v.n ==> v.node[k].head >= 0 ==>
                         holds(v, v.node[k].head, k) && v.slot[v.node[k].head].prev == -1; */
    /*@ assert room: card(holders(v, node), v.m) < v.m; */
    write_first(v, s, node, next, user);
    /*@ assert all:   \forall integer t; linked(v, t) <==> t == s || linked{Pre}(v, t); */
    /*@ assert held:  \forall integer t, k; holds(v, t, k) <==> (t == s && k == node) || holds{Pre}(v, t, k); */
    /*@ assert next_new: next_ok(v, s) && prev_ok(v, s); */
    /*@ assert next_same: \forall integer t; linked{Pre}(v, t) ==> v.slot[t].next == \at(v.slot[t].next, Pre) &&
                          v.in[t] == \at(v.in[t], Pre) && -1 <= v.slot[t].next < v.m; */
    /*@ assert next_held: \forall integer t; linked{Pre}(v, t) ==> v.slot[t].next >= 0 ==>
                          holds{Pre}(v, v.slot[t].next, v.in[t]); */
    /*@ assert next_back: \forall integer t; linked{Pre}(v, t) ==> v.slot[t].next >= 0 ==>
                          v.slot[v.slot[t].next].prev == t; */
    /*@ assert next_old: \forall integer t; linked{Pre}(v, t) ==> next_ok(v, t); */
    /*@ assert back_next: next >= 0 ==> prev_ok(v, next); */
    /*@ assert back_same: \forall integer t; linked{Pre}(v, t) ==> t != next ==>
                          v.slot[t].prev == \at(v.slot[t].prev, Pre); */
    /*@ assert back_one: \forall integer t; linked{Pre}(v, t) ==> t != next ==> v.slot[t].prev < 0 ==> v.in[t] != node; */
    /*@ assert back_head: \forall integer t; linked{Pre}(v, t) ==> t != next ==> v.slot[t].prev < 0 ==>
                          v.in[t] != node && v.node[v.in[t]].head == t; */
    /*@ assert back_prev: \forall integer t; linked{Pre}(v, t) ==> t != next ==> v.slot[t].prev >= 0 ==>
                          holds(v, v.slot[t].prev, v.in[t]) && v.slot[v.slot[t].prev].next == t; */
    /*@ assert back_old: \forall integer t; linked{Pre}(v, t) ==> prev_ok(v, t); */
    /*@ assert nexts: \forall integer t; linked(v, t) ==> 0 <= v.in[t] < v.n && next_ok(v, t); */
    /*@ assert backs: \forall integer t; linked(v, t) ==> prev_ok(v, t); */
    /*@ assert head_new: head_ok(v, node); */
    /*@ assert head_far: \forall integer k; 0 <= k < v.n ==> k != node ==> v.node[k].head >= 0 ==>
                         holds(v, v.node[k].head, k) && v.node[k].head != s && v.node[k].head != next; */
    /*@ assert head_top: \forall integer k; 0 <= k < v.n ==> k != node ==> v.node[k].head == \at(v.node[k].head, Pre) &&
                         -1 <= v.node[k].head < v.m; */
    /*@ assert head_prev: \forall integer k; 0 <= k < v.n ==> k != node ==> v.node[k].head >= 0 ==>
                          v.slot[v.node[k].head].prev == -1; */
    /*@ assert head_old: \forall integer k; 0 <= k < v.n ==> k != node ==> head_ok(v, k); */
    /*@ assert heads: \forall integer k; 0 <= k < v.n ==> head_ok(v, k); */
    /*@ assert lists: lists(v); */
    /*@ assert ranked: \forall ranks r; ranked{Pre}(v, r) ==>
                       ranked(v, rank_put(r, s, next < 0 ? 0 : rank(r, next) + 1)); */
    /*@ assert some_rank: ranked{Pre}(v, some_ranks{Pre}(v)); */
    /*@ assert new_rank: \let r = some_ranks{Pre}(v); ranked(v, rank_put(r, s, next < 0 ? 0 : rank(r, next) + 1)); */
    /*@ assert orderly: orderly(v); */
    /*@ assert unchanged: \forall integer k; k != node ==> same_holders{Pre,Here}(v, k); */
    /*@ assert others: \forall integer k; 0 <= k < v.n ==> k != node ==>
                       card(holders(v, k), v.m) == card(holders{Pre}(v, k), v.m); */
    /*@ assert sets: \forall integer t; t != s ==>
                     (in_slots(holders{Pre}(v, node), t) <==> in_slots(holders(v, node), t)); */
    /*@ assert gets: in_slots(holders(v, node), s) && !in_slots(holders{Pre}(v, node), s); */
    /*@ assert mine: card(holders(v, node), v.m) == card(holders{Pre}(v, node), v.m) + 1; */
    /*@ assert counted: counted(v); */
}

/* Slot next comes after slot prev, or first on the list of node k. */
/*@ requires valid:    valid_uses(v);
    requires slots:    -1 <= prev < v.m && 0 <= k < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[k].head;
    ensures  prev:     prev >= 0 ==> v.slot[prev].next == next;
    ensures  head:     v.node[k].head == (prev < 0 ? next : \old(v.node[k].head));
    ensures  count:    v.node[k].count == \old(v.node[k].count);
    ensures  in:       same_in{Pre,Post}(v);
    ensures  users:    same_users{Pre,Post}(v);
    ensures  heads:    same_heads{Pre,Post}(v, k);
    ensures  prevs:    same_prevs{Pre,Post}(v, -1, -1);
    ensures  nexts:    same_nexts{Pre,Post}(v, prev, prev);
*/
static void write_next(struct uses_view v, int k, int prev, int next)
{
    if (prev >= 0)
        v.slot[prev].next = next;
    else
        v.node[k].head = next;
}

/* Slot prev comes before slot next, if there is one. */
/*@ requires valid:    valid_uses(v);
    requires slots:    -1 <= next < v.m;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1];
    ensures  next:     next >= 0 ==> v.slot[next].prev == prev;
    ensures  in:       same_in{Pre,Post}(v);
    ensures  users:    same_users{Pre,Post}(v);
    ensures  heads:    same_heads{Pre,Post}(v, -1);
    ensures  prevs:    same_prevs{Pre,Post}(v, next, next);
    ensures  nexts:    same_nexts{Pre,Post}(v, -1, -1);
*/
static void write_prev(struct uses_view v, int prev, int next)
{
    if (next >= 0)
        v.slot[next].prev = prev;
}

/* Slot s is on no list, and one of the users of node k less. */
/*@ requires valid:    valid_uses(v);
    requires slots:    0 <= s < v.m && 0 <= k < v.n && 0 < v.node[k].count;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[k].count;
    ensures  slot:     v.slot[s].user == -1;
    ensures  count:    v.node[k].count == \old(v.node[k].count) - 1;
    ensures  head:     v.node[k].head == \old(v.node[k].head);
    ensures  in:       same_in{Pre,Post}(v);
    ensures  users:    same_users_but{Pre,Post}(v, s);
    ensures  heads:    same_heads{Pre,Post}(v, k);
    ensures  prevs:    same_prevs{Pre,Post}(v, s, s);
    ensures  nexts:    same_nexts{Pre,Post}(v, s, s);
*/
static void write_off(struct uses_view v, int s, int k)
{
    v.slot[s].user = v.slot[s].next = v.slot[s].prev = -1;
    v.node[k].count--;
}

/* Slot s leaves its place between slots prev and next in the list of node k. */
/*@ requires valid:    valid_uses(v);
    requires slots:    0 <= s < v.m && -1 <= next < v.m && -1 <= prev < v.m && next != s && prev != s && 0 <= k < v.n;
    requires count:    0 < v.node[k].count <= v.m;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[k].head, v.node[k].count;
    ensures  slot:     v.slot[s].user == -1;
    ensures  next:     next >= 0 ==> v.slot[next].prev == prev;
    ensures  prev:     prev >= 0 ==> v.slot[prev].next == next;
    ensures  head:     v.node[k].head == (prev < 0 ? next : \old(v.node[k].head));
    ensures  count:    v.node[k].count == \old(v.node[k].count) - 1;
    ensures  in:       same_in{Pre,Post}(v);
    ensures  users:    same_users_but{Pre,Post}(v, s);
    ensures  heads:    same_heads{Pre,Post}(v, k);
    ensures  prevs:    same_prevs{Pre,Post}(v, s, next);
    ensures  nexts:    same_nexts{Pre,Post}(v, s, prev);
*/
static void write_cut(struct uses_view v, int s, int k, int prev, int next)
{
    write_next(v, k, prev, next);
    write_prev(v, prev, next);
    /*@ assert in:    same_in{Pre,Here}(v); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert heads: same_heads{Pre,Here}(v, k); */
    /*@ assert prevs: same_prevs{Pre,Here}(v, next, next); */
    /*@ assert nexts: same_nexts{Pre,Here}(v, prev, prev); */
    /*@ assert put: (prev >= 0 ==> v.slot[prev].next == next) && (next >= 0 ==> v.slot[next].prev == prev) &&
                    v.node[k].count == \at(v.node[k].count, Pre) &&
                    v.node[k].head == (prev < 0 ? next : \at(v.node[k].head, Pre)); */
    write_off(v, s, k);
}

void uses_cut(struct uses_view v, int s)
{
    int node = v.in[s], prev = v.slot[s].prev, next = v.slot[s].next;

    /*@ assert here: next_ok(v, s) && prev_ok(v, s) && 0 <= node < v.n && head_ok(v, node) && lists(v); */
    /*@ assert mine: in_slots(holders(v, node), s); */
    /*@ assert count: v.node[node].count == card(holders(v, node), v.m); */
    /*@ assert some: 0 < card(holders(v, node), v.m) <= v.m; */
    /*@ assert twice: \forall integer t; linked(v, t) ==> t != s ==>
                      (v.slot[t].next >= 0 ==> v.slot[t].next != next) && (v.slot[t].prev >= 0 ==> v.slot[t].prev != prev); */
    /*@ assert to:    \forall integer t; linked(v, t) ==> v.slot[t].next == s ==> t == prev; */
    /*@ assert from:  \forall integer t; linked(v, t) ==> v.slot[t].prev == s ==> t == next; */
    /*@ assert hds:   \forall integer k; 0 <= k < v.n ==> v.node[k].head == s ==> k == node && prev < 0; */
    /*@ assert top:   \forall integer k; 0 <= k < v.n ==> v.node[k].head >= 0 ==>
                      holds(v, v.node[k].head, k) && v.slot[v.node[k].head].prev == -1; */
    /*@ assert tops:  \forall integer k; 0 <= k < v.n ==> k != node ==> v.node[k].head != s &&
                      (v.node[k].head >= 0 ==> v.node[k].head != next); */
    /*@ assert apart: prev != s && next != s; */
    write_cut(v, s, node, prev, next);
    /*@ assert gone:  !linked(v, s); */
    /*@ assert rest:  \forall integer t; t != s ==> linked{Pre}(v, t) ==> linked(v, t); */
    /*@ assert left:  \forall integer t; linked(v, t) ==> t != s && linked{Pre}(v, t); */
    /*@ assert all:   \forall integer t; linked(v, t) <==> t != s && linked{Pre}(v, t); */
    /*@ assert held:  \forall integer t, k; holds(v, t, k) <==> t != s && holds{Pre}(v, t, k); */
    /*@ assert next_old: \forall integer t; linked{Pre}(v, t) ==> t != s ==> t != prev ==> next_ok(v, t); */
    /*@ assert next_new: prev >= 0 ==> next_ok(v, prev); */
    /*@ assert back_old: \forall integer t; linked{Pre}(v, t) ==> t != s ==> t != next ==> prev_ok(v, t); */
    /*@ assert back_new: next >= 0 ==> prev_ok(v, next); */
    /*@ assert nexts: \forall integer t; linked(v, t) ==> 0 <= v.in[t] < v.n && next_ok(v, t); */
    /*@ assert backs: \forall integer t; linked(v, t) ==> prev_ok(v, t); */
    /*@ assert head_new: head_ok(v, node); */
    /*@ assert head_top: \forall integer k; 0 <= k < v.n ==> k != node ==> v.node[k].head == \at(v.node[k].head, Pre) &&
                         -1 <= v.node[k].head < v.m; */
    /*@ assert head_prev: \forall integer k; 0 <= k < v.n ==> k != node ==> v.node[k].head >= 0 ==>
                          v.slot[v.node[k].head].prev == -1; */
    /*@ assert head_held: \forall integer k; 0 <= k < v.n ==> k != node ==> v.node[k].head >= 0 ==>
                          holds{Pre}(v, v.node[k].head, k); */
    /*@ assert head_far: \forall integer k; 0 <= k < v.n ==> k != node ==> v.node[k].head >= 0 ==>
                         holds(v, v.node[k].head, k) && v.node[k].head != s && v.node[k].head != next; */
    /*@ assert head_old: \forall integer k; 0 <= k < v.n ==> k != node ==> head_ok(v, k); */
    /*@ assert heads: \forall integer k; 0 <= k < v.n ==> head_ok(v, k); */
    /*@ assert lists: lists(v); */
    /*@ assert ranked: \forall ranks r; ranked{Pre}(v, r) ==> ranked(v, r); */
    /*@ assert some_rank: ranked{Pre}(v, some_ranks{Pre}(v)); */
    /*@ assert orderly: orderly(v); */
    /*@ assert unchanged: \forall integer k; k != node ==> same_holders{Pre,Here}(v, k); */
    /*@ assert others: \forall integer k; 0 <= k < v.n ==> k != node ==>
                       card(holders(v, k), v.m) == card(holders{Pre}(v, k), v.m); */
    /*@ assert sets: \forall integer t; t != s ==>
                     (in_slots(holders(v, node), t) <==> in_slots(holders{Pre}(v, node), t)); */
    /*@ assert lost: !in_slots(holders(v, node), s) && in_slots(holders{Pre}(v, node), s); */
    /*@ assert less: card(holders(v, node), v.m) == card(holders{Pre}(v, node), v.m) - 1; */
    /*@ assert counted: counted(v); */
}

/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires slot:     0 <= s < v.m && v.slot[s].user < 0;
    terminates \true;
    exits    never:    \false;
    assigns  v.in[s];
    ensures  ok:       uses_ok(v);
    ensures  put:      v.in[s] == k;
    ensures  rest:     \forall integer t; 0 <= t < v.m && t != s ==> v.in[t] == \old(v.in[t]);
    ensures  users:    same_users_but{Pre,Post}(v, -1);
    ensures  heads:    same_heads{Pre,Post}(v, -1);
*/
static void put_held(struct uses_view v, int s, int k)
{
    v.in[s] = k;
    /*@ assert in: \forall integer t; 0 <= t < v.m && t != s ==> v.in[t] == \at(v.in[t], Pre); */
    /*@ assert prevs: same_prevs{Pre,Here}(v, -1, -1); */
    /*@ assert nexts_same: same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert far:   \forall integer t; linked(v, t) ==> t != s && linked{Pre}(v, t); */
    /*@ assert held:  \forall integer t, x; holds(v, t, x) <==> holds{Pre}(v, t, x); */
    /*@ assert nexts: \forall integer t; linked(v, t) ==> 0 <= v.in[t] < v.n && next_ok(v, t); */
    /*@ assert backs: \forall integer t; linked(v, t) ==> prev_ok(v, t); */
    /*@ assert tops:  \forall integer x; 0 <= x < v.n ==> head_ok(v, x); */
    /*@ assert lists: lists(v); */
    /*@ assert ranked: \forall ranks r; ranked{Pre}(v, r) ==> ranked(v, r); */
    /*@ assert some_rank: ranked{Pre}(v, some_ranks{Pre}(v)); */
    /*@ assert orderly: orderly(v); */
    /*@ assert unchanged: \forall integer x; same_holders{Pre,Here}(v, x); */
    /*@ assert same: \forall integer x; 0 <= x < v.n ==>
                     card(holders(v, x), v.m) == card(holders{Pre}(v, x), v.m); */
    /*@ assert counted: counted(v); */
}

/* The first slot that holds `from` now holds `to`. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires nodes:    0 <= from < v.n && 0 <= to < v.n && from != to && v.node[from].head >= 0;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1], v.node[from].head, v.node[from].count,
             v.node[to].head, v.node[to].count;
    ensures  ok:       uses_ok(v);
    ensures  users:    same_users{Pre,Post}(v);
    ensures  first:    holds{Pre}(v, \old(v.node[from].head), from) && v.in[\old(v.node[from].head)] == to;
    ensures  rest:     \forall integer t; 0 <= t < v.m && t != \old(v.node[from].head) ==> v.in[t] == \old(v.in[t]);
    ensures  count:    v.node[from].count == \old(v.node[from].count) - 1;
*/
static void move_first(struct uses_view v, int from, int to)
{
    int s = v.node[from].head, user = v.slot[s].user;

    /*@ assert head: head_ok(v, from) && holds(v, s, from) && user >= 0; */
    uses_cut(v, s);
    /*@ assert cut: same_users_but{Pre,Here}(v, s) && same_in{Pre,Here}(v) &&
                    v.node[from].count == \at(v.node[from].count, Pre) - 1; */
    put_held(v, s, to);
    /*@ assert put: same_users_but{Pre,Here}(v, s) && v.node[from].count == \at(v.node[from].count, Pre) - 1; */
    uses_link(v, s, user);
    /*@ assert back: v.slot[s].user == user && same_users_but{Pre,Here}(v, s); */
}

void uses_redirect(struct uses_view v, int from, int to)
{
    /*@ loop invariant ok:      uses_ok(v);
        loop invariant users:   same_users{Pre,Here}(v);
        loop invariant moved:   \forall integer t; 0 <= t < v.m ==> v.in[t] == \at(v.in[t], Pre) ||
                                (holds{Pre}(v, t, from) && v.in[t] == to);
        loop assigns v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1], v.node[from].head, v.node[from].count,
                     v.node[to].head, v.node[to].count;
        loop variant v.node[from].count;
    */
    while (v.node[from].head >= 0) {
        /*@ assert some: v.node[from].count == card(holders(v, from), v.m); */
        move_first(v, from, to);
    }
    /*@ ghost uses_all(v); */
    /*@ assert none: \forall integer t; !holds(v, t, from); */
}

/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires slot:     0 <= s < v.m && v.slot[s].user < 0 && v.in[s] < v.n && 0 <= k;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  user:     v.slot[s].user == (v.in[s] >= 0 ? k : \old(v.slot[s].user));
    ensures  users:    same_users_but{Pre,Post}(v, s);
    ensures  in:       same_in{Pre,Post}(v);
*/
static void enter_slot(struct uses_view v, int s, int k)
{
    if (v.in[s] >= 0)
        uses_link(v, s, k);
}

void uses_enter(struct uses_view v, int first, int n, int k)
{
    /*@ loop invariant range:  first <= s <= first + n;
        loop invariant ok:     uses_ok(v);
        loop invariant new:    \forall integer t; first <= t < s ==>
                               v.slot[t].user == (v.in[t] >= 0 ? k : \at(v.slot[t].user, Pre));
        loop invariant old:    \forall integer t; 0 <= t < v.m ==> t < first || t >= s ==>
                               v.slot[t].user == \at(v.slot[t].user, Pre);
        loop assigns s, v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
        loop variant first + n - s;
    */
    for (int s = first; s < first + n; s++) {
        /*@ assert free: v.slot[s].user < 0; */
        /*@ assert input: v.in[s] < v.n; */
        enter_slot(v, s, k);
    }
}

/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires slot:     0 <= s < v.m && 0 <= k;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  user:     v.slot[s].user == (\old(v.slot[s].user) == k ? -1 : \old(v.slot[s].user));
    ensures  users:    same_users_but{Pre,Post}(v, s);
    ensures  others:   same_heads{Pre,Post}(v, v.in[s]);
    ensures  in:       same_in{Pre,Post}(v);
*/
static void leave_slot(struct uses_view v, int s, int k)
{
    if (v.slot[s].user == k) {
        /*@ assert in: linked(v, s) && 0 <= v.in[s] < v.n; */
        uses_cut(v, s);
    }
}

void uses_leave(struct uses_view v, int first, int n, int k)
{
    /*@ loop invariant range:  first <= s <= first + n;
        loop invariant ok:     uses_ok(v);
        loop invariant gone:   \forall integer t; first <= t < s ==>
                               v.slot[t].user == (\at(v.slot[t].user, Pre) == k ? -1 : \at(v.slot[t].user, Pre));
        loop invariant old:    \forall integer t; 0 <= t < v.m ==> t < first || t >= s ==>
                               v.slot[t].user == \at(v.slot[t].user, Pre);
        loop invariant others: \forall integer x; 0 <= x < v.n ==> (\forall integer t; first <= t < s ==> v.in[t] != x) ==>
                               v.node[x].head == \at(v.node[x].head, Pre) && v.node[x].count == \at(v.node[x].count, Pre);
        loop invariant in:     same_in{Pre,Here}(v);
        loop assigns s, v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
        loop variant first + n - s;
    */
    for (int s = first; s < first + n; s++)
        leave_slot(v, s, k);
}

/*@ ghost
/@ requires valid:    valid_outputs(v);
   requires some:     out_after(v, -1, k);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  found:    0 <= \result < v.m && v.next[\result] == k;
@/
int output_before(struct output_view v, int k)
{
    /@ loop invariant range: 0 <= p <= v.m;
       loop invariant none:  \forall integer q; 0 <= q < p ==> v.next[q] != k;
       loop assigns p;
       loop variant v.m - p;
    @/
    for (int p = 0; p < v.m; p++)
        if (v.next[p] == k)
            return p;
    /@ assert never: \false; @/
    return 0;
}

/@ requires valid:    valid_outputs(v);
   requires ok:       outputs_ok(v);
   requires output:   0 <= k < v.m;
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  found:    on_outputs(v, v.node[v.out[k].node].output, k);
@/
void outputs_complete(struct output_view v, int k)
{
    int t = k;

    /@ assert ranked: out_ranked(v, -1, some_output_ranks(v, -1)); @/
    /@ loop invariant here:  put(v, -1, t) && v.out[t].node == v.out[k].node;
       loop invariant back:  \forall slots a; closed_outputs(v, a) ==> in_slots(a, t) ==> in_slots(a, k);
       loop assigns t;
       loop variant top(some_output_ranks(v, -1)) - rank(some_output_ranks(v, -1), t);
    @/
    while (v.node[v.out[t].node].output != t)
        t = output_before(v, t);
}

void outputs_all(struct output_view v)
{
    /@ loop invariant range: 0 <= k <= v.m;
       loop invariant found: \forall integer t; 0 <= t < k ==> on_outputs(v, v.node[v.out[t].node].output, t);
       loop assigns k;
       loop variant v.m - k;
    @/
    for (int k = 0; k < v.m; k++)
        outputs_complete(v, k);
}
*/

/* Output k comes first on the list of node x. */
/*@ requires valid:    valid_outputs(v);
    requires range:    0 <= k < v.m && 0 <= x < v.n && v.node[x].outputs < v.m;
    terminates \true;
    exits    never:    \false;
    assigns  v.next[0 .. v.m - 1], v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  next:     v.next[k] == \old(v.node[x].output);
    ensures  head:     v.node[x].output == k && v.node[x].outputs == \old(v.node[x].outputs) + 1;
    ensures  nexts:    same_out_nexts{Pre,Post}(v, k);
    ensures  heads:    same_out_heads{Pre,Post}(v, x);
    ensures  outs:     same_outs{Pre,Post}(v, -1);
*/
static void write_output(struct output_view v, int k, int x)
{
    v.next[k] = v.node[x].output;
    v.node[x].output = k;
    v.node[x].outputs++;
}

/* Output k, on no list, comes first on that of the node it is. */
/*@ requires valid:    valid_outputs(v);
    requires output:   0 <= k < v.m && 0 <= v.out[k].node < v.n;
    requires ok:       outputs_but(v, k);
    terminates \true;
    exits    never:    \false;
    assigns  v.next[0 .. v.m - 1], v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  ok:       outputs_ok(v);
    ensures  heads:    same_out_heads{Pre,Post}(v, v.out[k].node);
    ensures  outs:     same_outs{Pre,Post}(v, -1);
*/
static void put_output(struct output_view v, int k)
{
    int x = v.out[k].node;

    /*@ ghost int h = v.node[x].output; */
    /*@ assert head: out_head_ok(v, k, x) && h != k; */
    /*@ assert off: \forall integer p; put(v, k, p) ==> out_next_ok(v, k, p) && v.next[p] != k; */
    /*@ assert far: \forall integer p; put(v, k, p) ==> v.next[p] >= 0 ==> v.next[p] != h; */
    /*@ assert tops: \forall integer y; 0 <= y < v.n ==> out_head_ok(v, k, y) && v.node[y].output != k; */
    /*@ assert count: v.node[x].outputs == card(outputs_of(v, k, x), v.m); */
    /*@ assert off_set: !in_slots(outputs_of(v, k, x), k); */
    /*@ assert room: card(outputs_of(v, k, x), v.m) < v.m; */
    write_output(v, k, x);
    /*@ assert nodes: \forall integer p; 0 <= p < v.m ==> v.out[p].node == \at(v.out[p].node, Pre); */
    /*@ assert same: \forall integer p; put(v, k, p) ==> v.next[p] == \at(v.next[p], Pre); */
    /*@ assert heads: \forall integer y; 0 <= y < v.n ==> y != x ==> v.node[y].output == \at(v.node[y].output, Pre); */
    /*@ assert next_old: \forall integer p; put(v, k, p) ==> out_next_ok(v, -1, p); */
    /*@ assert next_new: out_next_ok(v, -1, k); */
    /*@ assert head_old: \forall integer y; 0 <= y < v.n ==> y != x ==> out_head_ok(v, -1, y); */
    /*@ assert head_new: out_head_ok(v, -1, x); */
    /*@ assert once_k: \forall integer p; put(v, k, p) ==> v.next[k] >= 0 ==> v.next[p] != v.next[k]; */
    /*@ assert once: out_once(v, -1); */
    /*@ assert first_k: \forall integer y; 0 <= y < v.n ==> v.next[k] >= 0 ==> v.next[k] != v.node[y].output; */
    /*@ assert first_x: \forall integer p; put(v, k, p) ==> v.next[p] != v.node[x].output; */
    /*@ assert first: out_first(v, -1); */
    /*@ assert after_h: h >= 0 ==> out_after(v, -1, h); */
    /*@ assert after_old: \forall integer j; out_after{Pre}(v, k, j) ==> out_after(v, -1, j); */
    /*@ assert all_x: \forall integer j; put(v, k, j) ==> \at(v.node[v.out[j].node].output, Pre) == j ==>
                      v.node[v.out[j].node].output == j || out_after(v, -1, j); */
    /*@ assert all: out_all(v, -1); */
    /*@ assert some: out_ranked{Pre}(v, k, some_output_ranks{Pre}(v, k)); */
    /*@ assert new: \let r = some_output_ranks{Pre}(v, k); out_ranked(v, -1, rank_put(r, k, h < 0 ? 0 : rank(r, h) + 1)); */
    /*@ assert orderly: out_orderly(v, -1); */
    /*@ assert sets: \forall integer y, j; y != x ==>
                     (in_slots(outputs_of(v, -1, y), j) <==> in_slots(outputs_of{Pre}(v, k, y), j)); */
    /*@ assert others: \forall integer y; 0 <= y < v.n ==> y != x ==>
                       card(outputs_of(v, -1, y), v.m) == card(outputs_of{Pre}(v, k, y), v.m); */
    /*@ assert set: \forall integer j; j != k ==>
                    (in_slots(outputs_of(v, -1, x), j) <==> in_slots(outputs_of{Pre}(v, k, x), j)); */
    /*@ assert gets: in_slots(outputs_of(v, -1, x), k) && !in_slots(outputs_of{Pre}(v, k, x), k); */
    /*@ assert more: card(outputs_of(v, -1, x), v.m) == card(outputs_of{Pre}(v, k, x), v.m) + 1; */
    /*@ assert counted: out_counted(v, -1); */
}

/* The first output of node x leaves its list. */
/*@ requires valid:    valid_outputs(v);
    requires range:    0 <= x < v.n && 0 <= v.node[x].output < v.m && 0 < v.node[x].outputs;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  result:   \result == \old(v.node[x].output);
    ensures  head:     v.node[x].output == \old(v.next[v.node[x].output]) && v.node[x].outputs == \old(v.node[x].outputs) - 1;
    ensures  nexts:    same_out_nexts{Pre,Post}(v, -1);
    ensures  heads:    same_out_heads{Pre,Post}(v, x);
    ensures  outs:     same_outs{Pre,Post}(v, -1);
*/
static int write_taken(struct output_view v, int x)
{
    int k = v.node[x].output;

    v.node[x].output = v.next[k];
    v.node[x].outputs--;
    return k;
}

/*@ requires valid:    valid_outputs(v);
    requires node:     0 <= x < v.n && v.node[x].output >= 0;
    requires ok:       outputs_ok(v);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  result:   0 <= \result < v.m && v.out[\result].node == x;
    ensures  ok:       outputs_but(v, \result);
    ensures  count:    v.node[x].outputs == \old(v.node[x].outputs) - 1 >= 0;
    ensures  outs:     same_outs{Pre,Post}(v, -1);
*/
static int take_output(struct output_view v, int x)
{
    int k;

    /*@ assert head: out_head_ok(v, -1, x); */
    /*@ assert mine: in_slots(outputs_of(v, -1, x), v.node[x].output); */
    /*@ assert count: v.node[x].outputs == card(outputs_of(v, -1, x), v.m); */
    /*@ assert some: 0 < card(outputs_of(v, -1, x), v.m); */
    /*@ assert far: \forall integer p; put(v, -1, p) ==> v.next[p] != v.node[x].output; */
    /*@ assert tops_old: \forall integer y; 0 <= y < v.n ==> out_head_ok(v, -1, y) && -1 <= v.node[y].output < v.m &&
                         (v.node[y].output >= 0 ==> v.out[v.node[y].output].node == y); */
    /*@ assert nexts_old: \forall integer p; put(v, -1, p) ==> out_next_ok(v, -1, p) && 0 <= v.out[p].node < v.n &&
                          -1 <= v.next[p] < v.m && (v.next[p] >= 0 ==> v.out[v.next[p]].node == v.out[p].node); */
    /*@ assert tops: \forall integer y; 0 <= y < v.n ==> y != x ==> v.node[y].output != v.node[x].output; */
    /*@ assert once_old: \forall integer p, q; 0 <= p < v.m ==> 0 <= q < v.m ==> v.next[p] >= 0 ==>
                         v.next[p] == v.next[q] ==> p == q; */
    k = write_taken(v, x);
    /*@ assert nodes: \forall integer p; 0 <= p < v.m ==> v.out[p].node == \at(v.out[p].node, Pre); */
    /*@ assert same: \forall integer p; 0 <= p < v.m ==> v.next[p] == \at(v.next[p], Pre) && v.next[p] != k; */
    /*@ assert heads: \forall integer y; 0 <= y < v.n ==> y != x ==> v.node[y].output == \at(v.node[y].output, Pre); */
    /*@ assert next_still: \forall integer p; put(v, k, p) ==> out_next_ok(v, k, p); */
    /*@ assert next: out_nexts(v, k); */
    /*@ assert head_x: out_head_ok(v, k, x); */
    /*@ assert head_y: \forall integer y; 0 <= y < v.n ==> y != x ==> out_head_ok(v, k, y); */
    /*@ assert tops_ok: out_heads(v, k); */
    /*@ assert once_now: \forall integer p, q; 0 <= p < v.m ==> 0 <= q < v.m ==> v.next[p] >= 0 ==>
                         v.next[p] == v.next[q] ==> p == q; */
    /*@ assert once: out_once(v, k); */
    /*@ assert first_x: \forall integer p; put(v, k, p) ==> v.next[p] >= 0 ==> v.next[p] != v.node[x].output; */
    /*@ assert first: out_first(v, k); */
    /*@ assert after: \forall integer j; put(v, k, j) ==> out_after{Pre}(v, -1, j) ==>
                      out_after(v, k, j) || v.node[x].output == j; */
    /*@ assert head_j: \forall integer j; put(v, k, j) ==> v.node[x].output == j ==> v.out[j].node == x; */
    /*@ assert all: out_all(v, k); */
    /*@ assert ranked: out_ranked{Pre}(v, -1, some_output_ranks{Pre}(v, -1)); */
    /*@ assert still: out_ranked(v, k, some_output_ranks{Pre}(v, -1)); */
    /*@ assert orderly: out_orderly(v, k); */
    /*@ assert sets: \forall integer y, j; y != x ==>
                     (in_slots(outputs_of(v, k, y), j) <==> in_slots(outputs_of{Pre}(v, -1, y), j)); */
    /*@ assert others: \forall integer y; 0 <= y < v.n ==> y != x ==>
                       card(outputs_of(v, k, y), v.m) == card(outputs_of{Pre}(v, -1, y), v.m); */
    /*@ assert set: \forall integer j; j != k ==>
                    (in_slots(outputs_of(v, k, x), j) <==> in_slots(outputs_of{Pre}(v, -1, x), j)); */
    /*@ assert loses: !in_slots(outputs_of(v, k, x), k) && in_slots(outputs_of{Pre}(v, -1, x), k); */
    /*@ assert less: card(outputs_of(v, k, x), v.m) == card(outputs_of{Pre}(v, -1, x), v.m) - 1; */
    /*@ assert counted: out_counted(v, k); */
    return k;
}

/* Output k, on no list, now is x. */
/*@ requires valid:    valid_outputs(v);
    requires output:   0 <= k < v.m && 0 <= x < v.n;
    requires ok:       outputs_but(v, k);
    terminates \true;
    exits    never:    \false;
    assigns  v.out[0 .. v.m - 1].node;
    ensures  ok:       outputs_but(v, k);
    ensures  node:     v.out[k].node == x;
    ensures  outs:     same_outs{Pre,Post}(v, k);
    ensures  heads:    same_out_heads{Pre,Post}(v, -1);
*/
static void set_output(struct output_view v, int k, int x)
{
    /*@ assert tops_old: \forall integer y; 0 <= y < v.n ==> out_head_ok(v, k, y) && -1 <= v.node[y].output < v.m &&
                         v.node[y].output != k && (v.node[y].output >= 0 ==> v.out[v.node[y].output].node == y); */
    v.out[k].node = x;
    /*@ assert nodes: \forall integer p; put(v, k, p) ==> v.out[p].node == \at(v.out[p].node, Pre); */
    /*@ assert same: same_out_nexts{Pre,Here}(v, -1) && same_out_heads{Pre,Here}(v, -1); */
    /*@ assert next: out_nexts(v, k); */
    /*@ assert tops: \forall integer y; 0 <= y < v.n ==> v.node[y].output >= 0 ==> v.out[v.node[y].output].node == y; */
    /*@ assert heads: out_heads(v, k); */
    /*@ assert once: out_once(v, k); */
    /*@ assert first: out_first(v, k); */
    /*@ assert after: \forall integer j; out_after{Pre}(v, k, j) ==> out_after(v, k, j); */
    /*@ assert all: out_all(v, k); */
    /*@ assert ranked: out_ranked{Pre}(v, k, some_output_ranks{Pre}(v, k)); */
    /*@ assert still: out_ranked(v, k, some_output_ranks{Pre}(v, k)); */
    /*@ assert orderly: out_orderly(v, k); */
    /*@ assert sets: \forall integer y, j; (in_slots(outputs_of(v, k, y), j) <==> in_slots(outputs_of{Pre}(v, k, y), j)); */
    /*@ assert cards: \forall integer y; card(outputs_of(v, k, y), v.m) == card(outputs_of{Pre}(v, k, y), v.m); */
    /*@ assert counted: out_counted(v, k); */
}

void outputs_build(struct output_view v)
{
    struct output_view r = v;

    r.m = 0;
    /*@ assert empty: \forall integer x; card(outputs_of(r, -1, x), 0) == 0; */
    /*@ assert ranks: out_ranked(r, -1, some_output_ranks(r, -1)); */
    /*@ assert none: outputs_ok(r); */
    /*@ loop invariant range: 0 <= r.m <= v.m && r.node == v.node && r.next == v.next && r.out == v.out && r.n == v.n;
        loop invariant ok:    outputs_ok(r);
        loop invariant same:  same_outs{Pre,Here}(v, -1);
        loop assigns r, v.next[0 .. v.m - 1], v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
        loop variant v.m - r.m;
    */
    while (r.m < v.m) {
        r.m++;
        /*@ assert but: outputs_but(r, r.m - 1); */
        put_output(r, r.m - 1);
        /*@ assert rest_node: \forall integer k; 0 <= k < v.m ==> v.out[k].node == \at(v.out[k].node, LoopCurrent); */
        /*@ assert rest_name: \forall integer k; 0 <= k < v.m ==> v.out[k].name == \at(v.out[k].name, LoopCurrent); */
        /*@ assert rest: same_outs{LoopCurrent,Here}(v, -1); */
    }
}

/* The first output that is `from` is `to`. */
/*@ requires valid:    valid_outputs(v);
    requires ok:       outputs_ok(v);
    requires nodes:    0 <= from < v.n && 0 <= to < v.n && from != to && v.node[from].output >= 0;
    terminates \true;
    exits    never:    \false;
    assigns  v.next[0 .. v.m - 1], v.out[0 .. v.m - 1].node, v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  ok:       outputs_ok(v);
    ensures  moved:    \forall integer k; 0 <= k < v.m ==> v.out[k].node == \old(v.out[k].node) ||
                       (\old(v.out[k].node) == from && v.out[k].node == to);
    ensures  less:     0 <= v.node[from].outputs < \old(v.node[from].outputs);
*/
static void move_output(struct output_view v, int from, int to)
{
    int k = take_output(v, from);

    set_output(v, k, to);
    put_output(v, k);
}

void outputs_move(struct output_view v, int from, int to)
{
    /*@ loop invariant ok:      outputs_ok(v);
        loop invariant moved:   \forall integer k; 0 <= k < v.m ==> v.out[k].node == \at(v.out[k].node, Pre) ||
                                (\at(v.out[k].node, Pre) == from && v.out[k].node == to);
        loop assigns v.next[0 .. v.m - 1], v.out[0 .. v.m - 1].node, v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
        loop variant v.node[from].outputs;
    */
    while (v.node[from].output >= 0)
        move_output(v, from, to);
    /*@ ghost outputs_all(v); */
    /*@ assert none: \forall integer k; 0 <= k < v.m ==> v.out[k].node != from; */
    /*@ assert count: card(outputs_of(v, -1, from), v.m) == 0; */
}

#ifdef __FRAMAC__
#include "graph/relabel.acsl"
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
    /*@ assert output: \forall integer y; 0 <= y < v.n ==> v.node[y].output == \at(v.node[y].output, Pre); */
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

struct order_view uses_order(const struct uses *u)
{
    return (struct order_view){ .node = u->node.a, .n = u->node.n, .first = u->first, .last = u->last };
}

void uses_reorder(struct uses *u, struct order_view v)
{
    u->first = (int)v.first;
    u->last = (int)v.last;
}

void uses_place(struct uses *u, int node, int next)
    /*@ ghost (struct order_view o) */
{
    struct order_view v = uses_order(u);

    /*@ assert view: v == o; */
    v = order_place(v, node, next);
    /*@ assert ok: order_ok(v); */
    uses_reorder(u, v);
    /*@ assert still: order_ok(v); */
}

struct uses_view uses_lists(const struct uses *u, const struct graph *g)
{
    return (struct uses_view){ .node = u->node.a, .slot = u->slot.a, .in = g->in.a, .n = u->node.n, .m = u->slot.n };
}

struct output_view uses_outputs(const struct uses *u, const struct graph *g)
{
    return (struct output_view){ .node = u->node.a, .next = u->output.a, .out = g->output.a, .n = u->node.n,
                                 .m = u->output.n };
}

void uses_unlink(struct uses *u, struct graph *g, int node)
    /*@ ghost (struct uses_view v) */
{
    struct uses_view lists = uses_lists(u, g);

    /*@ assert view: lists == v; */
    uses_leave(lists, g->node.a[node].in, g->node.a[node].nin, node);
}

void uses_drop(struct uses *u, struct graph *g, int node)
    /*@ ghost (struct uses_view v, const struct node *nd) */
{
    struct uses_view lists = uses_lists(u, g);
    int n;

    /*@ assert view: lists == v; */
    n = uses_die(lists, g->node.a, node);
    /*@ assert nodes_in: \forall integer k; 0 <= k < v.n ==> nd[k].in == \at(nd[k].in, Pre); */
    /*@ assert nodes_nin: \forall integer k; 0 <= k < v.n ==> nd[k].nin == \at(nd[k].nin, Pre); */
    /*@ assert nodes: valid_nodes(v, nd); */
    /*@ assert kinds: \forall integer k; 0 <= k < v.n ==> nd[k].kind == \at(nd[k].kind, Pre); */
    /*@ assert data: \forall integer k; 0 <= k < v.n ==> nd[k].data == \at(nd[k].data, Pre); */
    /*@ assert number: g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert tensors: valid_data(g, nd, v.n); */
    /*@ assert none: none_dead(v); */
    uses_free_data(g, lists, n) /*@ ghost (nd) */;
}

/* uses_grow, with whole nodes in `assigns`: so the provers see what it leaves. */
/*@ GROW_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  w.node[0 .. w.n - 1], w.slot[0 .. w.m - 1];
    GROW_ENSURES
*/
static struct order_view grow_filled(struct uses_view v, struct uses_view w, struct order_view o, const struct node *nd)
{
    /*@ assert range: 0 <= v.n <= w.n && 0 <= w.m && w.node == v.node; */
    return uses_grow(v, w, o, nd);
}

struct order_view lists_grow(struct uses_view v, struct uses_view w, struct order_view o, const struct node *nd)
    /*@ ghost (struct output_view p, struct output_view q) */
{
    struct order_view r;

    /*@ assert far: \forall integer k; 0 <= k < p.m ==> 0 <= p.out[k].node < p.n; */
    /*@ assert far_node: \forall integer k; 0 <= k < q.m ==> \separated(q.out + k, w.node + (0 .. w.n - 1)); */
    /*@ assert far_slot: \forall integer k; 0 <= k < q.m ==> \separated(q.out + k, w.slot + (0 .. w.m - 1)); */
    r = grow_filled(v, w, o, nd);
    /*@ assert outs_node: \forall integer k; 0 <= k < p.m ==> p.out[k].node == \at(p.out[k].node, Pre); */
    /*@ assert outs_name: \forall integer k; 0 <= k < p.m ==> p.out[k].name == \at(p.out[k].name, Pre); */
    /*@ assert outs: same_outs{Pre,Here}(p, -1); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(p, -1); */
    /*@ assert heads: same_out_heads{Pre,Here}(p, -1); */
    /*@ assert grew: outputs_grew{Pre,Here}(p, q); */
    return r;
}

/* The lists of outputs from scratch; those of users stay. */
/*@ requires valid:    valid_uses(v) && valid_outputs(o) && side_by_side(v, o);
    requires graph:    valid_nodes(v, nd) && nodes_aside(o, nd);
    requires ok:       uses_ok(v);
    requires fresh:    \forall integer x; 0 <= x < o.n ==> o.node[x].output == -1 && o.node[x].outputs == 0;
    requires nodes:    \forall integer k; 0 <= k < o.m ==> 0 <= o.out[k].node < o.n;
    terminates \true;
    exits    never:    \false;
    assigns  o.next[0 .. o.m - 1], o.node[0 .. o.n - 1].output, o.node[0 .. o.n - 1].outputs;
    ensures  ok:       outputs_ok(o);
    ensures  uses:     uses_ok(v);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
    ensures  still:    same_use_lists{Pre,Post}(v);
*/
static void build_beside(struct uses_view v, struct output_view o)
    /*@ ghost (const struct node *nd) */
{
    (void)v; /* only the contract speaks of them */
    /*@ assert far: \forall integer x; 0 <= x < v.n ==> \separated(&v.node[x].head, o.next + (0 .. o.m - 1)); */
    /*@ assert far_count: \forall integer x; 0 <= x < v.n ==> \separated(&v.node[x].count, o.next + (0 .. o.m - 1)); */
    /*@ assert own: \forall integer x, y; 0 <= x < v.n ==> 0 <= y < v.n ==> &v.node[x].head != &o.node[y].output; */
    /*@ assert own_count: \forall integer x, y; 0 <= x < v.n ==> 0 <= y < v.n ==> &v.node[x].count != &o.node[y].output; */
    outputs_build(o);
    /*@ assert nodes_in: \forall integer y; 0 <= y < v.n ==> nd[y].in == \at(nd[y].in, Pre); */
    /*@ assert nodes_nin: \forall integer y; 0 <= y < v.n ==> nd[y].nin == \at(nd[y].nin, Pre); */
    /*@ assert nodes_kind: \forall integer y; 0 <= y < v.n ==> nd[y].kind == \at(nd[y].kind, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert heads_head: \forall integer x; 0 <= x < v.n ==> v.node[x].head == \at(v.node[x].head, Pre); */
    /*@ assert heads_count: \forall integer x; 0 <= x < v.n ==> v.node[x].count == \at(v.node[x].count, Pre); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert prevs: same_prevs{Pre,Here}(v, -1, -1); */
    /*@ assert nexts: same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert in: same_in{Pre,Here}(v); */
}

struct order_view lists_fill(struct uses_view w, struct output_view q, const struct node *nd)
{
    struct uses_view none = w;
    struct order_view o = { .node = w.node, .n = 0, .first = -1, .last = -1 };

    none.n = none.m = 0;
    /*@ assert start: uses_ok(none) && exact(none, nd) && order_ok(o); */
    /*@ assert valid: valid_nodes(none, nd); */
    /*@ assert inputs: new_inputs(w, nd, 0, 0); */
    o = grow_filled(none, w, o, nd);
    /*@ ghost Grown: ; */
    /*@ assert nodes_in: \forall integer y; 0 <= y < w.n ==> nd[y].in == \at(nd[y].in, Pre); */
    /*@ assert nodes_nin: \forall integer y; 0 <= y < w.n ==> nd[y].nin == \at(nd[y].nin, Pre); */
    /*@ assert graph: valid_nodes(w, nd); */
    /*@ assert outs: \forall integer k; 0 <= k < q.m ==> 0 <= q.out[k].node < q.n; */
    /*@ assert same_nodes: q.node == w.node && q.n == w.n; */
    build_beside(w, q) /*@ ghost (nd) */;
    /*@ assert same: same_use_lists{Grown,Here}(w) && same_dead{Grown,Here}(w); */
    return o;
}

/* All lists from scratch, where there is room for them. */
/*@ requires held:     held_uses(u) && held_nodes(g) && in_no_array(\base_addr(u), u, g) && \separated(u, g) && blocks_aside(u, g) &&
                       in_no_array(\base_addr(g), u, g);
    requires room:     room_for(u, g->node.n, g->in.n, g->output.n);
    requires graph:    ranges_in(g->node.a, g->node.n, g->in.n) && apart_from(g->node.a, 0, g->node.n) &&
                       ids_in(g->in.a, 0, g->in.n, g->node.n) && outs_in(g->output.a, g->output.n, g->node.n);
    terminates \true;
    exits    never:    \false;
    assigns  *u, u->node.a[0 .. g->node.n - 1], u->slot.a[0 .. g->in.n - 1], u->output.a[0 .. g->output.n - 1];
    ensures  held:     held_uses(u);
    ensures  where:    u->node.a == \old(u->node.a) && u->slot.a == \old(u->slot.a) && u->output.a == \old(u->output.a);
    ensures  caps:     u->node.cap == \old(u->node.cap) && u->slot.cap == \old(u->slot.cap) && u->output.cap == \old(u->output.cap);
    ensures  same:     graph_kept{Pre,Post}(g) && u->mem == \old(u->mem);
    ensures  all:      u->node.n == g->node.n && u->slot.n == g->in.n && u->output.n == g->output.n;
    ensures  ready:    uses_ready(u, g);
    ensures  numbers:  appended(u->node.a, 0, u->node.n);
    ensures  alive:    \forall integer k; 0 <= k < u->node.n ==> !u->node.a[k].dead;
*/
static void fill(struct uses *u, const struct graph *g)
{
    struct uses_view v = uses_lists(u, g);
    struct output_view p = uses_outputs(u, g);
    struct order_view r;

    v.n = p.n = g->node.n;
    v.m = g->in.n;
    p.m = g->output.n;
    /*@ assert valid: valid_uses(v); */
    /*@ assert nodes: valid_nodes(v, g->node.a); */
    /*@ assert own: own_inputs(v, g->node.a); */
    /*@ assert outputs: valid_outputs(p); */
    /*@ assert beside: side_by_side(v, p); */
    /*@ assert nodes_beside: nodes_aside(p, g->node.a); */
    /*@ assert far_node: \forall integer k; 0 <= k < g->in.n ==> \separated(g->in.a + k, u->node.a + (0 .. v.n - 1)); */
    /*@ assert far_slot: \forall integer k; 0 <= k < g->in.n ==> \separated(g->in.a + k, u->slot.a + (0 .. v.m - 1)); */
    /*@ assert far_next: \forall integer k; 0 <= k < g->in.n ==> \separated(g->in.a + k, u->output.a + (0 .. p.m - 1)); */
    /*@ assert off_node: \forall integer k; 0 <= k < g->output.n ==> \separated(g->output.a + k, u->node.a + (0 .. v.n - 1)); */
    /*@ assert off_slot: \forall integer k; 0 <= k < g->output.n ==> \separated(g->output.a + k, u->slot.a + (0 .. v.m - 1)); */
    /*@ assert off_next: \forall integer k; 0 <= k < g->output.n ==> \separated(g->output.a + k, u->output.a + (0 .. p.m - 1)); */
    /*@ assert g_far: \base_addr(g) != \base_addr(v.node) && \base_addr(g) != \base_addr(v.slot) && \base_addr(g) != \base_addr(p.next); */
    r = lists_fill(v, p, g->node.a);
    /*@ ghost Filled: ; */
    /*@ assert ends: -1 <= r.first < r.n && -1 <= r.last < r.n; */
    /*@ assert g_n: g->node.n == v.n; */
    /*@ assert g_m: g->in.n == v.m; */
    /*@ assert g_k: g->output.n == p.m; */
    /*@ assert still_in: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].in == \at(g->node.a[k].in, Pre); */
    /*@ assert still_nin: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].nin == \at(g->node.a[k].nin, Pre); */
    /*@ assert still_kind: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].kind == \at(g->node.a[k].kind, Pre); */
    /*@ assert still_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert still_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert still_outs: carried_outs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert still: graph_kept{Pre,Here}(g); */
    /*@ assert u_n: u->node.n == \at(u->node.n, Pre) && u->node.cap == \at(u->node.cap, Pre); */
    /*@ assert u_m: u->slot.n == \at(u->slot.n, Pre) && u->slot.cap == \at(u->slot.cap, Pre); */
    /*@ assert u_k: u->output.n == \at(u->output.n, Pre) && u->output.cap == \at(u->output.cap, Pre); */
    /*@ assert u_a: u->node.a == \at(u->node.a, Pre) && u->slot.a == \at(u->slot.a, Pre) && u->output.a == \at(u->output.a, Pre); */
    /*@ assert held: held_uses(u); */
    /*@ assert valid_now: valid_nodes(v, g->node.a); */
    uses_take(u, g, v, p, r);
    /*@ assert after_in: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].in == \at(g->node.a[k].in, Pre); */
    /*@ assert after_nin: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].nin == \at(g->node.a[k].nin, Pre); */
    /*@ assert after_kind: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].kind == \at(g->node.a[k].kind, Pre); */
    /*@ assert after_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert after_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert after_outs: carried_outs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert after: graph_kept{Pre,Here}(g); */
    /*@ assert labels: kept_labels{Filled,Here}(v.node, v.n, -1); */
    /*@ assert last: appended(v.node, 0, v.n); */
    /*@ assert alive: \forall integer k; 0 <= k < v.n ==> !v.node[k].dead; */
}

enum calque_status uses_build(struct uses *u, const struct graph *g, struct diag *d)
{
    enum calque_status status = uses_room(u, g, g->node.n, g->in.n, g->output.n, d);

    if (status != CALQUE_OK)
        return status;
    /*@ assert ranges: ranges_in(g->node.a, g->node.n, g->in.n); */
    /*@ assert apart: apart_from(g->node.a, 0, g->node.n); */
    /*@ assert ids: ids_in(g->in.a, 0, g->in.n, g->node.n); */
    /*@ assert outs: outs_in(g->output.a, g->output.n, g->node.n); */
    fill(u, g);
    /*@ assert same_in: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].in == \at(g->node.a[k].in, Pre); */
    /*@ assert same_nin: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].nin == \at(g->node.a[k].nin, Pre); */
    /*@ assert same_kind: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].kind == \at(g->node.a[k].kind, Pre); */
    /*@ assert same_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert same_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert same_outs: carried_outs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert same: graph_kept{Pre,Here}(g); */
    /*@ assert arrays: blocks_aside(u, g); */
    /*@ assert no_u: in_no_array(\base_addr(u), u, g); */
    /*@ assert no_mem: in_no_array(\base_addr(u->mem), u, g); */
    /*@ assert no_g: in_no_array(\base_addr(g), u, g); */
    /*@ assert no_d: in_no_array(\base_addr(d), u, g); */
    /*@ assert aside: aside(u, g, d); */
    return CALQUE_OK;
}

#ifdef __FRAMAC__
#include "graph/carry_ranges.acsl"
#endif

/* uses_room, and the lists are those of the graph wherever they stand. */
/*@ requires held:     held_uses(u) && held_nodes(g) && aside(u, g, d);
    requires ready:    uses_ready(u, g);
    requires new:      new_nodes(u, g);
    terminates \true;
    exits    never:    \false;
    assigns  *u, *u->mem, *d, { *p | struct use_node *p; \true }, { *q | struct use_slot *q; \true }, { *k | int *k; \true };
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  held:     held_uses(u) && held_nodes(g) && aside(u, g, d);
    ensures  same:     same_uses{Pre,Post}(u) && graph_kept{Pre,Post}(g);
    ensures  moved:    moved_uses{Pre,Post}(u);
    ensures  room:     \result == CALQUE_OK ==> room_for(u, g->node.n, g->in.n, u->output.n);
    ensures  ready:    uses_ready(u, g);
    ensures  new:      new_nodes(u, g);
    ensures  caller:   held_apart{Pre}(u, d) ==> held_same{Pre,Post} && held_apart(u, d);
*/
static enum calque_status make_room(struct uses *u, const struct graph *g, struct diag *d)
{
    enum calque_status status;
    /*@ ghost struct uses_view v = { .node = u->node.a, .slot = u->slot.a, .in = g->in.a, .n = u->node.n, .m = u->slot.n }; */
    /*@ ghost struct output_view p = { .node = u->node.a, .next = u->output.a, .out = g->output.a, .n = u->node.n,
                                       .m = u->output.n }; */
    /*@ ghost struct order_view o = { .node = u->node.a, .n = u->node.n, .first = u->first, .last = u->last }; */

    /*@ assert views: views_of(v, p, o, u, g); */
    /*@ assert lists: lists_ready(v, p, o, g->node.a); */
    /*@ ghost Before: ; */
    status = uses_room(u, g, g->node.n, g->in.n, u->output.n, d);
    /*@ assert caller: held_apart{Pre}(u, d) ==> held_same{Pre,Here} && held_apart(u, d); */
    /*@ ghost struct uses_view w = v;
              struct output_view q = p;
              struct order_view r = o; */
    /*@ ghost w.node = q.node = r.node = u->node.a;
              w.slot = u->slot.a;
              q.next = u->output.a; */
    /*@ assert views_now: views_of(w, q, r, u, g); */
    /*@ assert heads: carried_heads{Before,Here}(v.node, w.node, v.n); */
    /*@ assert slots: carried_slots{Before,Here}(v.slot, w.slot, v.m); */
    /*@ assert ids: carried_ints{Before,Here}(v.in, w.in, v.m); */
    /*@ assert dead: carried_dead{Before,Here}(v.node, w.node, v.n); */
    /*@ assert nodes: carried_nodes{Before,Here}(g->node.a, v.n); */
    /*@ assert all: carried_all{Before,Here}(v, w, g->node.a); */
    /*@ assert valid: valid_nodes(w, g->node.a); */
    /*@ assert uses: uses_ok(w); */
    /*@ assert exact: exact(w, g->node.a); */
    /*@ assert outputs: carried_outputs{Before,Here}(p, q); */
    /*@ assert outputs_ok: outputs_ok(q); */
    /*@ assert order: carried_order{Before,Here}(o, r); */
    /*@ assert order_ok: order_ok(r); */
    /*@ assert ranges_old: ranges_in(g->node.a, u->node.n, u->slot.n); */
    /*@ assert ranges: ranges_in(g->node.a, g->node.n, g->in.n); */
    /*@ assert counts: g->node.n == \at(g->node.n, Pre) && u->node.n == \at(u->node.n, Pre); */
    /*@ assert all_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert apart_old: apart_from{Pre}(g->node.a, u->node.n, g->node.n); */
    /*@ assert apart: apart_from(g->node.a, u->node.n, g->node.n); */
    /*@ assert new_slots: \forall integer k; u->node.n <= k < g->node.n ==> u->slot.n <= g->node.a[k].in ||
                          g->node.a[k].nin == 0; */
    /*@ assert new_ids: ids_in(g->in.a, u->slot.n, g->in.n, g->node.n); */
    /*@ assert living_old: hold_living{Pre}(g->in.a, u->slot.n, g->in.n, v.node, u->node.n); */
    /*@ assert all_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert living: hold_living(g->in.a, u->slot.n, g->in.n, u->node.a, u->node.n); */
    /*@ assert new_dead: \forall integer s; u->slot.n <= s < g->in.n ==> 0 <= g->in.a[s] < u->node.n ==>
                         !u->node.a[g->in.a[s]].dead; */
    return status;
}

/* The new nodes come in, where there is room for them. */
/*@ requires held:     held_uses(u) && held_nodes(g) && in_no_array(\base_addr(u), u, g) && \separated(u, g) && blocks_aside(u, g) &&
                       in_no_array(\base_addr(g), u, g);
    requires ready:    uses_ready(u, g);
    requires new:      new_nodes(u, g);
    requires room:     room_for(u, g->node.n, g->in.n, u->output.n);
    terminates \true;
    exits    never:    \false;
    assigns  *u, u->node.a[0 .. g->node.n - 1], u->slot.a[0 .. g->in.n - 1];
    ensures  held:     held_uses(u);
    ensures  where:    u->node.a == \old(u->node.a) && u->slot.a == \old(u->slot.a) && u->output.a == \old(u->output.a);
    ensures  caps:     u->node.cap == \old(u->node.cap) && u->slot.cap == \old(u->slot.cap) && u->output.cap == \old(u->output.cap);
    ensures  same:     graph_kept{Pre,Post}(g) && u->mem == \old(u->mem);
    ensures  all:      u->node.n == g->node.n && u->slot.n == g->in.n && u->output.n == g->output.n;
    ensures  ready:    uses_ready(u, g);
    ensures  kept:     kept_labels{Pre,Post}(u->node.a, \old(u->node.n), -1);
    ensures  last:     appended(u->node.a, \old(u->node.n), u->node.n);
    ensures  dead:     carried_dead{Pre,Post}(u->node.a, u->node.a, \old(u->node.n));
    ensures  alive:    \forall integer k; \old(u->node.n) <= k < u->node.n ==> !u->node.a[k].dead;
*/
static void grow_extended(struct uses *u, const struct graph *g)
{
    struct uses_view v = uses_lists(u, g), w = v;
    struct order_view o = uses_order(u);
    struct output_view q = uses_outputs(u, g);
    /*@ ghost struct output_view p = q; */

    w.n = g->node.n;
    w.m = g->in.n;
    q.n = w.n;
    /*@ assert views: views_of(v, p, o, u, g); */
    /*@ assert lists: lists_ready(v, p, o, g->node.a); */
    /*@ assert valid: valid_uses(w); */
    /*@ assert nodes_old: valid_nodes(v, g->node.a); */
    /*@ assert ranges: ranges_in(g->node.a, w.n, w.m); */
    /*@ assert nodes: valid_nodes(w, g->node.a); */
    /*@ assert inputs_new: \forall integer k, s; v.n <= k < w.n ==> slot_of(g->node.a, k, s) ==> v.m <= s; */
    /*@ assert inputs_own: \forall integer j, k, s; v.n <= j < w.n ==> v.n <= k < w.n ==> slot_of(g->node.a, j, s) ==>
                           slot_of(g->node.a, k, s) ==> j == k; */
    /*@ assert inputs: new_inputs(w, g->node.a, v.n, v.m); */
    /*@ assert outputs: valid_outputs(q); */
    /*@ assert beside: side_by_side(w, q); */
    /*@ assert far_node: \forall integer k; 0 <= k < g->in.n ==> \separated(g->in.a + k, u->node.a + (0 .. w.n - 1)); */
    /*@ assert far_slot: \forall integer k; 0 <= k < g->in.n ==> \separated(g->in.a + k, u->slot.a + (0 .. w.m - 1)); */
    /*@ assert off_node: \forall integer k; 0 <= k < g->output.n ==> \separated(g->output.a + k, u->node.a + (0 .. w.n - 1)); */
    /*@ assert off_slot: \forall integer k; 0 <= k < g->output.n ==> \separated(g->output.a + k, u->slot.a + (0 .. w.m - 1)); */
    /*@ assert g_far: \base_addr(g) != \base_addr(v.node) && \base_addr(g) != \base_addr(v.slot); */
    o = lists_grow(v, w, o, g->node.a) /*@ ghost (p, q) */;
    /*@ ghost Grown: ; */
    /*@ assert ends: -1 <= o.first < o.n && -1 <= o.last < o.n; */
    /*@ assert g_n: g->node.n == w.n; */
    /*@ assert g_m: g->in.n == w.m; */
    /*@ assert g_k: g->output.n == q.m; */
    /*@ assert still_in: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].in == \at(g->node.a[k].in, Pre); */
    /*@ assert still_nin: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].nin == \at(g->node.a[k].nin, Pre); */
    /*@ assert still_kind: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].kind == \at(g->node.a[k].kind, Pre); */
    /*@ assert still_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert still_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert still_outs: carried_outs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert still: graph_kept{Pre,Here}(g); */
    /*@ assert u_n: u->node.n == \at(u->node.n, Pre) && u->node.cap == \at(u->node.cap, Pre); */
    /*@ assert u_m: u->slot.n == \at(u->slot.n, Pre) && u->slot.cap == \at(u->slot.cap, Pre); */
    /*@ assert u_k: u->output.n == \at(u->output.n, Pre) && u->output.cap == \at(u->output.cap, Pre); */
    /*@ assert u_a: u->node.a == \at(u->node.a, Pre) && u->slot.a == \at(u->slot.a, Pre) && u->output.a == \at(u->output.a, Pre); */
    /*@ assert held: held_uses(u); */
    /*@ assert valid_now: valid_nodes(w, g->node.a); */
    uses_take(u, g, w, q, o);
    /*@ assert after_in: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].in == \at(g->node.a[k].in, Pre); */
    /*@ assert after_nin: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].nin == \at(g->node.a[k].nin, Pre); */
    /*@ assert after_kind: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].kind == \at(g->node.a[k].kind, Pre); */
    /*@ assert after_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert after_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert after_outs: carried_outs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert after: graph_kept{Pre,Here}(g); */
    /*@ assert labels: kept_labels{Grown,Here}(w.node, w.n, -1); */
    /*@ assert last: appended(w.node, v.n, w.n); */
    /*@ assert alive: \forall integer k; v.n <= k < w.n ==> !w.node[k].dead; */
}

enum calque_status uses_extend(struct uses *u, const struct graph *g, struct diag *d)
{
    enum calque_status status = make_room(u, g, d);

    /*@ ghost Room: ; */
    if (status != CALQUE_OK)
        return status;
    grow_extended(u, g);
    /*@ assert held_int: held_apart{Room}(u, d) ==> held_ints{Room,Here}; */
    /*@ assert held_long: held_apart{Room}(u, d) ==> held_longs{Room,Here}; */
    /*@ assert held_label: held_apart{Room}(u, d) ==> held_labels{Room,Here}; */
    /*@ assert held_still: held_apart{Room}(u, d) ==> held_apart(u, d); */
    /*@ assert caller: held_apart{Pre}(u, d) ==> held_same{Pre,Here} && held_apart(u, d); */
    /*@ assert labels: kept_labels{Room,Here}(u->node.a, \at(u->node.n, Pre), -1); */
    /*@ assert where: u->node.a == \at(u->node.a, Room); */
    /*@ assert moved: carried_labels{Pre,Room}(\at(u->node.a, Pre), u->node.a, \at(u->node.n, Pre)); */
    /*@ assert still: moved_labels{Pre,Here}(\at(u->node.a, Pre), u->node.a, \at(u->node.n, Pre)); */
    /*@ assert dead: carried_dead{Pre,Here}(\at(u->node.a, Pre), u->node.a, \at(u->node.n, Pre)); */
    /*@ assert same_in: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].in == \at(g->node.a[k].in, Pre); */
    /*@ assert same_nin: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].nin == \at(g->node.a[k].nin, Pre); */
    /*@ assert same_kind: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].kind == \at(g->node.a[k].kind, Pre); */
    /*@ assert same_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert same_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert same_outs: carried_outs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert same: graph_kept{Pre,Here}(g); */
    /*@ assert arrays: blocks_aside(u, g); */
    /*@ assert no_u: in_no_array(\base_addr(u), u, g); */
    /*@ assert no_mem: in_no_array(\base_addr(u->mem), u, g); */
    /*@ assert no_g: in_no_array(\base_addr(g), u, g); */
    /*@ assert no_d: in_no_array(\base_addr(d), u, g); */
    /*@ assert aside: aside(u, g, d); */
    return CALQUE_OK;
}

/* What u says of its arrays. */
/*@ requires valid:    \valid(u) && -1 <= r.first < r.n && -1 <= r.last < r.n;
    terminates \true;
    exits    never:    \false;
    assigns  *u;
    ensures  counts:   u->node.n == v.n && u->slot.n == v.m && u->output.n == m;
    ensures  ends:     u->first == r.first && u->last == r.last;
    ensures  arrays:   u->node.a == \old(u->node.a) && u->slot.a == \old(u->slot.a) && u->output.a == \old(u->output.a);
    ensures  caps:     u->node.cap == \old(u->node.cap) && u->slot.cap == \old(u->slot.cap) && u->output.cap == \old(u->output.cap);
    ensures  mem:      u->mem == \old(u->mem);
*/
static void put(struct uses *u, struct uses_view v, int m, struct order_view r)
{
    u->node.n = v.n;
    u->slot.n = v.m;
    u->output.n = m;
    u->first = (int)r.first;
    u->last = (int)r.last;
}

void uses_take(struct uses *u, const struct graph *g, struct uses_view v, struct output_view p, struct order_view r)
{
    (void)g; /* only the contract speaks of it */
    put(u, v, p.m, r);
    /*@ assert graph_in: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].in == \at(g->node.a[k].in, Pre); */
    /*@ assert graph_nin: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].nin == \at(g->node.a[k].nin, Pre); */
    /*@ assert graph_kind: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].kind == \at(g->node.a[k].kind, Pre); */
    /*@ assert graph_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert graph_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert graph_outs: carried_outs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert graph: graph_kept{Pre,Here}(g); */
    /*@ assert head: \forall integer k; 0 <= k < v.n ==> v.node[k].head == \at(v.node[k].head, Pre); */
    /*@ assert count: \forall integer k; 0 <= k < v.n ==> v.node[k].count == \at(v.node[k].count, Pre); */
    /*@ assert user: \forall integer s; 0 <= s < v.m ==> v.slot[s].user == \at(v.slot[s].user, Pre); */
    /*@ assert next: \forall integer s; 0 <= s < v.m ==> v.slot[s].next == \at(v.slot[s].next, Pre); */
    /*@ assert prev: \forall integer s; 0 <= s < v.m ==> v.slot[s].prev == \at(v.slot[s].prev, Pre); */
    /*@ assert dead: carried_dead{Pre,Here}(v.node, v.node, v.n); */
    /*@ assert lists: carried_lists{Pre,Here}(v, v); */
    /*@ assert all: carried_all{Pre,Here}(v, v, g->node.a); */
    /*@ assert valid: valid_nodes(v, g->node.a); */
    /*@ assert uses: uses_ok(v); */
    /*@ assert exact: exact(v, g->node.a); */
    /*@ assert output: \forall integer k; 0 <= k < v.n ==> v.node[k].output == \at(v.node[k].output, Pre); */
    /*@ assert outputs: \forall integer k; 0 <= k < v.n ==> v.node[k].outputs == \at(v.node[k].outputs, Pre); */
    /*@ assert nexts: carried_ints{Pre,Here}(p.next, p.next, p.m); */
    /*@ assert carried: carried_outputs{Pre,Here}(p, p); */
    /*@ assert outputs_ok: outputs_ok(p); */
    /*@ assert links: carried_links{Pre,Here}(r.node, r.node, r.n); */
    /*@ assert labels: carried_labels{Pre,Here}(r.node, r.node, r.n); */
    /*@ assert order: order_ok(r); */
    /*@ assert view_v: lists_of(v, u, g); */
    /*@ assert view_p: outputs_in(p, u, g); */
    /*@ assert view_r: order_of(r, u); */
}
