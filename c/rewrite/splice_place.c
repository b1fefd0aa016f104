#include "rewrite/splice_place.h"

struct order_view splice_place(struct uses_view v, struct order_view o, struct target_view t)
    /*@ ghost (struct output_view w, const struct node *nd) */
{
    struct order_view r;

    /*@ assert far_slot: \forall integer x; 0 <= x < v.n ==> \separated(&w.node[x].output, v.slot + (0 .. v.m - 1)); */
    /*@ assert far_in: \forall integer x; 0 <= x < v.n ==> \separated(&w.node[x].output, v.in + (0 .. v.m - 1)); */
    /*@ assert own_head: \forall integer x, y; 0 <= x < v.n ==> 0 <= y < v.n ==> &w.node[x].output != &v.node[y].head; */
    /*@ assert own_count: \forall integer x, y; 0 <= x < v.n ==> 0 <= y < v.n ==> &w.node[x].output != &v.node[y].count; */
    /*@ assert far_node: \forall integer k; 0 <= k < w.m ==> \separated(&w.out[k].node, v.slot + (0 .. v.m - 1)) &&
                       \separated(&w.out[k].node, v.in + (0 .. v.m - 1)); */
    /*@ assert own_node: \forall integer k, y; 0 <= k < w.m ==> 0 <= y < v.n ==> &w.out[k].node != &v.node[y].head &&
                       &w.out[k].node != &v.node[y].count; */
    /*@ assert far_name: \forall integer k; 0 <= k < w.m ==> \separated(&w.out[k].name, v.slot + (0 .. v.m - 1)) &&
                       \separated(&w.out[k].name, v.in + (0 .. v.m - 1)); */
    /*@ assert own_name: \forall integer k, y; 0 <= k < w.m ==> 0 <= y < v.n ==> &w.out[k].name != &v.node[y].head &&
                       &w.out[k].name != &v.node[y].count; */
    /*@ assert far_next: \forall integer k; 0 <= k < w.m ==> \separated(&w.next[k], v.slot + (0 .. v.m - 1)) &&
                       \separated(&w.next[k], v.in + (0 .. v.m - 1)); */
    /*@ assert own_next: \forall integer k, y; 0 <= k < w.m ==> 0 <= y < v.n ==> &w.next[k] != &v.node[y].head &&
                       &w.next[k] != &v.node[y].count; */
    r = place_target(v, o, t);
    /*@ assert nodes_in: \forall integer y; 0 <= y < v.n ==> nd[y].in == \at(nd[y].in, Pre); */
    /*@ assert nodes_nin: \forall integer y; 0 <= y < v.n ==> nd[y].nin == \at(nd[y].nin, Pre); */
    /*@ assert nodes_kind: \forall integer y; 0 <= y < v.n ==> nd[y].kind == \at(nd[y].kind, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert exact: exact(v, nd); */
    /*@ assert outs_node: \forall integer k; 0 <= k < w.m ==> w.out[k].node == \at(w.out[k].node, Pre); */
    /*@ assert outs_name: \forall integer k; 0 <= k < w.m ==> w.out[k].name == \at(w.out[k].name, Pre); */
    /*@ assert outs_next: \forall integer k; 0 <= k < w.m ==> w.next[k] == \at(w.next[k], Pre); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(w, -1); */
    /*@ assert heads_output: \forall integer x; 0 <= x < v.n ==> w.node[x].output == \at(w.node[x].output, Pre); */
    /*@ assert heads_outputs: \forall integer x; 0 <= x < v.n ==> w.node[x].outputs == \at(w.node[x].outputs, Pre); */
    /*@ assert outs: same_outs{Pre,Here}(w, -1) && same_out_heads{Pre,Here}(w, -1); */
    /*@ assert grew: wider_outputs(w, w) && outputs_grew{Pre,Here}(w, w); */
    return r;
}
