/* Nodes that nobody uses any more die, and what only they used. Invariant: a dead node is in no list. */
#include "graph/use_list_internal.h"

/* Node x dies if nothing needs it; the number of nodes that died. */
/*@ requires valid:    valid_uses(v) && valid_nodes(v, nd);
    requires ok:       uses_ok(v) && inputs_linked(v, nd) && none_dead(v);
    requires users:    pending(v, h, t);
    requires room:     room(v, t) && written(v, t) && h <= t;
    requires node:     0 <= x < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].dead, v.node[0 .. v.n - 1].died;
    ensures  ok:       inputs_linked(v, nd);
    ensures  none:     none_dead(v);
    ensures  users:    pending(v, h, \result);
    ensures  room:     room(v, \result) && t <= \result;
    ensures  written:  written(v, \result);
    ensures  same:     \forall integer i; 0 <= i < t ==> v.node[i].died == \old(v.node[i].died);
    ensures  others:   \forall integer y; 0 <= y < v.n ==> y != x ==> v.node[y].dead == \old(v.node[y].dead);
    ensures  stays:    \old(v.node[x].dead) ==> v.node[x].dead;
    ensures  unneeded: v.node[x].dead ==> !\old(v.node[x].dead) ==> unneeded(v, nd, x);
    ensures  gone:     !garbage(v, nd, x);
*/
static int die(struct uses_view v, const struct node *nd, int x, int h, int t)
{
    (void)h; /* only the contract speaks of it */
    if (v.node[x].head >= 0 || v.node[x].outputs != 0 || v.node[x].dead || nd[x].kind == NODE_INPUT)
        return t;
    /*@ ghost uses_all(v); */
    /*@ assert unread: \forall integer s; linked(v, s) ==> v.in[s] != x; */
    /*@ assert alive: in_slots(living(v), x); */
    /*@ assert some: 0 < card(living(v), v.n); */
    v.node[x].dead = true;
    v.node[t].died = x;
    /*@ assert others: \forall integer y; 0 <= y < v.n ==> y != x ==> v.node[y].dead == \at(v.node[y].dead, Pre); */
    /*@ assert dead: !in_slots(living(v), x); */
    /*@ assert less: card(\at(living(v), Pre), v.n) == card(living(v), v.n) + 1; */
    return t + 1;
}

/* The inputs of node k die so far as nothing needs them. */
/*@ requires valid:    valid_uses(v) && valid_nodes(v, nd);
    requires ok:       uses_ok(v) && inputs_linked(v, nd) && none_dead(v);
    requires users:    pending(v, h, t);
    requires room:     room(v, t) && written(v, t) && h <= t;
    requires node:     0 <= k < v.n && \forall integer s; slot_of(nd, k, s) ==> v.in[s] < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1].dead, v.node[0 .. v.n - 1].died;
    ensures  ok:       inputs_linked(v, nd);
    ensures  none:     none_dead(v);
    ensures  users:    pending(v, h, \result);
    ensures  room:     room(v, \result) && t <= \result;
    ensures  written:  written(v, \result);
    ensures  same:     \forall integer i; 0 <= i < t ==> v.node[i].died == \old(v.node[i].died);
    ensures  stays:    \forall integer y; 0 <= y < v.n ==> \old(v.node[y].dead) ==> v.node[y].dead;
    ensures  unneeded: \forall integer y; 0 <= y < v.n ==> v.node[y].dead ==> !\old(v.node[y].dead) ==> unneeded(v, nd, y);
    ensures  gone:     \forall integer s; slot_of(nd, k, s) ==> v.in[s] >= 0 ==> !garbage(v, nd, v.in[s]);
*/
static int inputs_die(struct uses_view v, const struct node *nd, int k, int h, int t)
{
    int r = t;

    /*@ loop invariant range:    nd[k].in <= s <= nd[k].in + nd[k].nin;
        loop invariant linked:   inputs_linked(v, nd);
        loop invariant none:     none_dead(v);
        loop invariant users:    pending(v, h, r);
        loop invariant room:     room(v, r) && t <= r;
        loop invariant written:  written(v, r);
        loop invariant same:     \forall integer i; 0 <= i < t ==> v.node[i].died == \at(v.node[i].died, Pre);
        loop invariant stays:    \forall integer y; 0 <= y < v.n ==> \at(v.node[y].dead, Pre) ==> v.node[y].dead;
        loop invariant unneeded: \forall integer y; 0 <= y < v.n ==> v.node[y].dead ==> !\at(v.node[y].dead, Pre) ==>
                                 unneeded(v, nd, y);
        loop invariant gone:     \forall integer i; nd[k].in <= i < s ==> v.in[i] >= 0 ==> !garbage(v, nd, v.in[i]);
        loop assigns s, r, v.node[0 .. v.n - 1].dead, v.node[0 .. v.n - 1].died;
        loop variant nd[k].in + nd[k].nin - s;
    */
    for (int s = nd[k].in; s < nd[k].in + nd[k].nin; s++)
        if (v.in[s] >= 0)
            r = die(v, nd, v.in[s], h, r);
    return r;
}

/* Dead node k leaves the lists of its inputs. */
/*@ requires valid:    valid_uses(v) && valid_nodes(v, nd);
    requires ok:       uses_ok(v) && own_slots(v, nd) && inputs_linked(v, nd) && none_dead(v);
    requires node:     0 <= k < v.n && v.node[k].dead;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  own:      own_slots(v, nd);
    ensures  linked:   inputs_linked(v, nd);
    ensures  none:     none_dead(v);
    ensures  users:    \forall integer s; linked(v, s) ==> linked{Pre}(v, s) && v.slot[s].user == \old(v.slot[s].user) &&
                       v.slot[s].user != k;
    ensures  nodes:    same_nodes{Pre,Post}(v, nd) && same_in{Pre,Post}(v);
    ensures  still:    \forall integer y; unneeded{Pre}(v, nd, y) ==> unneeded(v, nd, y);
    ensures  others:   \forall integer y; 0 <= y < v.n ==> (\forall integer s; slot_of(nd, k, s) ==> v.in[s] != y) ==>
                       v.node[y].head == \old(v.node[y].head);
*/
static void leave(struct uses_view v, const struct node *nd, int k)
{
    int first = nd[k].in, n = nd[k].nin;

    /*@ ghost uses_all(v); */
    /*@ assert unread: \forall integer y, s; unneeded(v, nd, y) ==> linked(v, s) ==> v.in[s] != y; */
    uses_leave(v, first, n, k);
    /*@ assert nodes_in: \forall integer y; 0 <= y < v.n ==> nd[y].in == \at(nd[y].in, Pre); */
    /*@ assert nodes_nin: \forall integer y; 0 <= y < v.n ==> nd[y].nin == \at(nd[y].nin, Pre); */
    /*@ assert nodes_kind: \forall integer y; 0 <= y < v.n ==> nd[y].kind == \at(nd[y].kind, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert in: same_in{Pre,Here}(v); */
    /*@ assert slots: \forall integer y, s; 0 <= y < v.n ==> (slot_of(nd, y, s) <==> slot_of{Pre}(nd, y, s)); */
    /*@ assert range: \forall integer y, s; 0 <= y < v.n ==> slot_of(nd, y, s) ==> 0 <= s < v.m; */
    /*@ assert fewer: \forall integer s; linked(v, s) ==> linked{Pre}(v, s) && v.slot[s].user == \at(v.slot[s].user, Pre) &&
                      v.slot[s].user != k; */
    /*@ assert stay: \forall integer s; linked{Pre}(v, s) ==> \at(v.slot[s].user, Pre) != k ==>
                     v.slot[s].user == \at(v.slot[s].user, Pre) && linked(v, s); */
    /*@ assert was: \forall integer y, s; 0 <= y < v.n ==> !v.node[y].dead ==> slot_of{Pre}(nd, y, s) ==>
                    \at(v.in[s], Pre) >= 0 ==> linked{Pre}(v, s) && \at(v.slot[s].user, Pre) == y && y != k; */
    /*@ assert is: \forall integer y, s; 0 <= y < v.n ==> !v.node[y].dead ==> slot_of(nd, y, s) ==>
                   v.in[s] >= 0 ==> linked(v, s) && v.slot[s].user == y; */
    /*@ assert linked: inputs_linked(v, nd); */
    /*@ assert mine: \forall integer s; slot_of(nd, k, s) <==> first <= s < first + n; */
    /*@ assert others: \forall integer y; 0 <= y < v.n ==> (\forall integer s; first <= s < first + n ==> v.in[s] != y) ==>
                       v.node[y].head == \at(v.node[y].head, Pre); */
}

/* Node number h of those that died leaves the lists of its inputs, which die so far as nothing needs them. */
/*@ requires valid:    valid_uses(v) && valid_nodes(v, nd);
    requires ok:       uses_ok(v) && own_slots(v, nd) && inputs_linked(v, nd) && none_dead(v);
    requires users:    pending(v, h, t);
    requires room:     room(v, t) && written(v, t) && 0 <= h < t;
    requires inputs:   \forall integer s; 0 <= s < v.m ==> v.in[s] < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count, v.node[0 .. v.n - 1].dead,
             v.node[0 .. v.n - 1].died;
    ensures  ok:       uses_ok(v);
    ensures  own:      own_slots(v, nd);
    ensures  linked:   inputs_linked(v, nd);
    ensures  none:     none_dead(v);
    ensures  users:    pending(v, h + 1, \result);
    ensures  room:     room(v, \result) && t <= \result;
    ensures  written:  written(v, \result);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd) && same_in{Pre,Post}(v);
    ensures  stays:    \forall integer y; 0 <= y < v.n ==> \old(v.node[y].dead) ==> v.node[y].dead;
    ensures  unneeded: \forall integer y; 0 <= y < v.n ==> v.node[y].dead ==> !\old(v.node[y].dead) ==> unneeded(v, nd, y);
    ensures  still:    \forall integer y; unneeded{Pre}(v, nd, y) ==> unneeded(v, nd, y);
    ensures  rest:     \forall integer y; garbage(v, nd, y) ==> garbage{Pre}(v, nd, y);
*/
static int leave_and_die(struct uses_view v, const struct node *nd, int h, int t)
{
    int k = (int)v.node[h].died, r;

    leave(v, nd, k);
    /*@ assert users: pending(v, h + 1, t); */
    r = inputs_die(v, nd, k, h + 1, t);
    /*@ assert live: \forall integer y, s; garbage(v, nd, y) ==> slot_of(nd, k, s) ==> v.in[s] != y; */
    /*@ assert same: \forall integer y; garbage(v, nd, y) ==> v.node[y].head == \at(v.node[y].head, Pre); */
    return r;
}

int uses_die(struct uses_view v, const struct node *nd, int node)
{
    int t = die(v, nd, node, 0, 0);

    /*@ loop invariant range:    0 <= h <= t;
        loop invariant ok:       uses_ok(v);
        loop invariant own:      own_slots(v, nd);
        loop invariant linked:   inputs_linked(v, nd);
        loop invariant none:     none_dead(v);
        loop invariant users:    pending(v, h, t);
        loop invariant room:     room(v, t);
        loop invariant written:  written(v, t);
        loop invariant nodes:    same_nodes{Pre,Here}(v, nd) && same_in{Pre,Here}(v);
        loop invariant stays:    \forall integer y; 0 <= y < v.n ==> \at(v.node[y].dead, Pre) ==> v.node[y].dead;
        loop invariant unneeded: \forall integer y; 0 <= y < v.n ==> v.node[y].dead ==> !\at(v.node[y].dead, Pre) ==>
                                 unneeded(v, nd, y);
        loop invariant rest:     \forall integer y; garbage(v, nd, y) ==> garbage{Pre}(v, nd, y) && y != node;
        loop assigns h, t, v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count,
                     v.node[0 .. v.n - 1].dead, v.node[0 .. v.n - 1].died;
        loop variant v.n - h;
    */
    for (int h = 0; h < t; h++)
        t = leave_and_die(v, nd, h, t);
    return t;
}
