#include "rewrite/splice_ready.h"

void splice_ready(struct match_key *early, int n)
    /*@ ghost (struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root, int outs,
               struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    /*@ assert differ: labels_differ(v); */
    /*@ assert outs_before: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first; */
    /*@ assert roots_before: \forall integer j, k; 0 <= j < outs ==> 0 <= k < outs ==> out[j] != root[k]; */
    splice_sort(early, n) /*@ ghost (v, l, low) */;
    /*@ assert fields: same_fields{Pre,Here}(u, g); */
    /*@ assert ends: u->first == \at(u->first, Pre) && u->last == \at(u->last, Pre); */
    /*@ assert list_order: \forall integer x; 0 <= x < v.n ==> v.node[x].order == \at(v.node[x].order, Pre); */
    /*@ assert list_before: \forall integer x; 0 <= x < v.n ==> v.node[x].before == \at(v.node[x].before, Pre); */
    /*@ assert list_after: \forall integer x; 0 <= x < v.n ==> v.node[x].after == \at(v.node[x].after, Pre); */
    /*@ assert list_head: \forall integer x; 0 <= x < v.n ==> v.node[x].head == \at(v.node[x].head, Pre); */
    /*@ assert list_count: \forall integer x; 0 <= x < v.n ==> v.node[x].count == \at(v.node[x].count, Pre); */
    /*@ assert list_dead: \forall integer x; 0 <= x < v.n ==> v.node[x].dead == \at(v.node[x].dead, Pre); */
    /*@ assert list_output: \forall integer x; 0 <= x < v.n ==> v.node[x].output == \at(v.node[x].output, Pre); */
    /*@ assert list_outputs: \forall integer x; 0 <= x < v.n ==> v.node[x].outputs == \at(v.node[x].outputs, Pre); */
    /*@ assert in: same_in{Pre,Here}(v); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert links: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert uses: same_use_lists{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert order: same_order{Pre,Here}(v); */
    /*@ assert outputs: same_outs{Pre,Here}(w, -1); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(w, -1); */
    /*@ assert tops: same_out_heads{Pre,Here}(w, -1); */
    /*@ assert nodes_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert nodes_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert nodes_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert nodes_data: \forall integer x; 0 <= x < v.n ==> nd[x].data == \at(nd[x].data, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert data: same_data{Pre,Here}(nd, v.n); */
    /*@ assert lists: same_lists{Pre,Here}(v, w, nd); */
    /*@ assert valid: valid_lists(u, g, v, w, nd); */
    /*@ assert in_nodes: in_nodes(v); */
    /*@ assert kept: lists_kept(u, g, v, w, nd); */
    /*@ assert right: lists_right(v, w, o, nd); */
    /*@ assert same_out: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert same_root: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    /*@ assert earlier: \forall integer a, b; 0 <= a < v.n ==> 0 <= b < v.n ==> (earlier(v, a, b) <==> earlier{Pre}(v, a, b)); */
    /*@ assert new_last: new_last(v, l, low); */
    /*@ assert linked: \forall integer s; linked(v, s) <==> linked{Pre}(v, s); */
    /*@ assert inputs: \forall integer s; linked(v, s) ==> 0 <= v.in[s] < v.n; */
    /*@ assert closed: early_closed(v, l, low); */
    /*@ assert list: step_list(v, l, low); */
    /*@ assert outs_early: \forall integer k; 0 <= k < outs ==> !early_node(l, out[k]); */
    /*@ assert outs_after: \forall integer k; 0 <= k < outs ==> out[k] == low || earlier(v, low, out[k]); */
    /*@ assert outs_once: \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j]; */
    /*@ assert outs: step_outs(v, l, out, outs, low); */
    /*@ assert roots_alive: roots_alive(v, root, outs); */
    /*@ assert roots_differ: \forall integer j, k; 0 <= j < outs ==> 0 <= k < outs ==> out[j] != root[k]; */
    /*@ assert roots_at: \forall integer k; 0 <= k < outs ==>
                    root[k] >= l.first || early_node(l, root[k]) || earlier(v, root[k], low); */
    /*@ assert roots: step_roots(v, l, out, root, outs, low); */
}
