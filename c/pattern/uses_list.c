#include "pattern/uses_list.h"

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
    for (int s = first; s < first + n; s++)
        enter_slot(v, s, k);
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
