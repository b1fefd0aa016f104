#include "pattern/uses_edges.h"

/* uses_redirect, with all fields of a kind in `assigns`: so the provers see what it leaves. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires nodes:    0 <= from < v.n && 0 <= to < v.n && from != to;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  users:    same_users{Pre,Post}(v);
    ensures  moved:    \forall integer s; 0 <= s < v.m ==>
                       v.in[s] == (\old(v.slot[s].user >= 0 && v.in[s] == from) ? to : \old(v.in[s]));
    ensures  none:     v.node[from].head == -1;
*/
static void redirect(struct uses_view v, int from, int to)
{
    uses_redirect(v, from, to);
}

/* The slots move; the lists of outputs stay. */
/*@ requires valid:    valid_uses(v) && valid_outputs(o) && side_by_side(v, o);
    requires graph:    valid_nodes(v, nd) && nodes_aside(o, nd);
    requires ok:       uses_ok(v) && outputs_ok(o);
    requires nodes:    0 <= from < v.n && 0 <= to < v.n && from != to;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  outputs:  outputs_ok(o);
    ensures  users:    same_users{Pre,Post}(v);
    ensures  moved:    moved_in{Pre,Post}(v, from, to);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
    ensures  still:    same_output_lists{Pre,Post}(o);
    ensures  none:     v.node[from].head == -1;
*/
static void move_users(struct uses_view v, struct output_view o, int from, int to)
    /*@ ghost (const struct node *nd) */
{
    (void)o; /* only the contract speaks of them */
    /*@ assert far_slot: \forall integer x; 0 <= x < v.n ==> \separated(&o.node[x].output, v.slot + (0 .. v.m - 1)); */
    /*@ assert far_in: \forall integer x; 0 <= x < v.n ==> \separated(&o.node[x].output, v.in + (0 .. v.m - 1)); */
    /*@ assert own_head: \forall integer x, y; 0 <= x < v.n ==> 0 <= y < v.n ==> &o.node[x].output != &v.node[y].head; */
    /*@ assert own_count: \forall integer x, y; 0 <= x < v.n ==> 0 <= y < v.n ==> &o.node[x].output != &v.node[y].count; */
    redirect(v, from, to);
    /*@ assert nodes_in: \forall integer y; 0 <= y < v.n ==> nd[y].in == \at(nd[y].in, Pre); */
    /*@ assert nodes_nin: \forall integer y; 0 <= y < v.n ==> nd[y].nin == \at(nd[y].nin, Pre); */
    /*@ assert nodes_kind: \forall integer y; 0 <= y < v.n ==> nd[y].kind == \at(nd[y].kind, Pre); */
    /*@ assert outs_node: \forall integer k; 0 <= k < o.m ==> o.out[k].node == \at(o.out[k].node, Pre); */
    /*@ assert outs_name: \forall integer k; 0 <= k < o.m ==> o.out[k].name == \at(o.out[k].name, Pre); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(o, -1); */
    /*@ assert heads_output: \forall integer x; 0 <= x < v.n ==> o.node[x].output == \at(o.node[x].output, Pre); */
    /*@ assert heads_outputs: \forall integer x; 0 <= x < v.n ==> o.node[x].outputs == \at(o.node[x].outputs, Pre); */
    /*@ assert outs: same_outs{Pre,Here}(o, -1) && same_out_heads{Pre,Here}(o, -1); */
    /*@ assert grew: wider_outputs(o, o) && outputs_grew{Pre,Here}(o, o); */
}

/* The outputs move; the lists of users stay. */
/*@ requires valid:    valid_uses(v) && valid_outputs(o) && side_by_side(v, o);
    requires graph:    valid_nodes(v, nd) && nodes_aside(o, nd);
    requires ok:       uses_ok(v) && outputs_ok(o);
    requires nodes:    0 <= from < v.n && 0 <= to < v.n && from != to;
    terminates \true;
    exits    never:    \false;
    assigns  o.next[0 .. o.m - 1], o.out[0 .. o.m - 1].node, v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  ok:       outputs_ok(o);
    ensures  uses:     uses_ok(v);
    ensures  moved:    \forall integer k; 0 <= k < o.m ==>
                       o.out[k].node == (\old(o.out[k].node) == from ? to : \old(o.out[k].node));
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
    ensures  still:    same_use_lists{Pre,Post}(v);
    ensures  none:     v.node[from].outputs == 0;
*/
static void move_outputs(struct uses_view v, struct output_view o, int from, int to)
    /*@ ghost (const struct node *nd) */
{
    (void)v; /* only the contract speaks of them */
    /*@ assert far: \forall integer x; 0 <= x < v.n ==> \separated(&v.node[x].head, o.next + (0 .. o.m - 1)); */
    /*@ assert far_count: \forall integer x; 0 <= x < v.n ==> \separated(&v.node[x].count, o.next + (0 .. o.m - 1)); */
    /*@ assert own: \forall integer x, y; 0 <= x < v.n ==> 0 <= y < v.n ==> &v.node[x].head != &o.node[y].output; */
    /*@ assert own_count: \forall integer x, y; 0 <= x < v.n ==> 0 <= y < v.n ==> &v.node[x].count != &o.node[y].output; */
    /*@ assert out_count: \forall integer x, k; 0 <= x < v.n ==> 0 <= k < o.m ==> &v.node[x].count != &o.out[k].node; */
    /*@ assert far_out: \forall integer x, k; 0 <= x < v.n ==> 0 <= k < o.m ==> &v.node[x].head != &o.out[k].node; */
    outputs_move(o, from, to);
    /*@ assert nodes_in: \forall integer y; 0 <= y < v.n ==> nd[y].in == \at(nd[y].in, Pre); */
    /*@ assert nodes_nin: \forall integer y; 0 <= y < v.n ==> nd[y].nin == \at(nd[y].nin, Pre); */
    /*@ assert nodes_kind: \forall integer y; 0 <= y < v.n ==> nd[y].kind == \at(nd[y].kind, Pre); */
    /*@ assert heads_head: \forall integer x; 0 <= x < v.n ==> v.node[x].head == \at(v.node[x].head, Pre); */
    /*@ assert heads_count: \forall integer x; 0 <= x < v.n ==> v.node[x].count == \at(v.node[x].count, Pre); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert prevs: same_prevs{Pre,Here}(v, -1, -1); */
    /*@ assert nexts: same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert in: same_in{Pre,Here}(v); */
}

void edges_move(struct uses_view v, struct output_view o, int from, int to)
    /*@ ghost (const struct node *nd) */
{
    if (from == to)
        return;
    move_users(v, o, from, to) /*@ ghost (nd) */;
    /*@ assert outs: same_outs{Pre,Here}(o, -1); */
    move_outputs(v, o, from, to) /*@ ghost (nd) */;
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert moved: moved_in{Pre,Here}(v, from, to); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
}
