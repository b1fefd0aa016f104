/* The two halves of a substitution before the dying: what stands where and the edges; names, origins and outputs. In the
   contracts v, w are the lists of u for g, o is the order, nd the nodes of g. */
#ifndef CALQUE_REWRITE_SPLICE_TURNS_H
#define CALQUE_REWRITE_SPLICE_TURNS_H

#include "rewrite/splice_outs.h"

#ifdef __FRAMAC__
#include "rewrite/splice_steps.acsl"
#endif

/* The nodes of the list come to stand before `low`, and the edges move. */
/*@ STEP_STATE
    STEP_IDS
    requires view:     order_of(o, u);
    requires room:     off_both(\base_addr(l.list), u, g, v, w, nd) && \base_addr(l.list) != \base_addr(out) &&
                       \base_addr(l.list) != \base_addr(root);
    requires list:     step_list(v, l, low);
    requires outs:     step_outs(v, l, out, outs, low);
    requires roots:    step_roots(v, l, out, root, outs, low);
    terminates \true;
    exits    never:    \false;
    assigns  u->first, u->last, v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1],
             l.list[0 .. l.nearly + (l.n - l.first) - 1];
    STEP_SAME
    STEP_SAME_IDS
    ensures  right:    order_of(\result, u) && lists_right(v, w, \result, nd);
    ensures  users:    same_users{Pre,Post}(v);
    ensures  moved:    edges_moved{Pre,Post}(v, out, root, outs);
    ensures  gone:     none_held(v, out, outs);
    ensures  order:    \forall integer a, b; 0 <= a < l.first ==> 0 <= b < l.first ==> !early_node{Pre}(l, a) ==>
                       !early_node{Pre}(l, b) ==> (earlier(v, a, b) <==> earlier{Pre}(v, a, b));
    ensures  dead:     same_dead{Pre,Post}(v);
    ensures  lists:    same_output_lists{Pre,Post}(w);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
    ensures  found:    heads_found(v);
*/
struct order_view step_place(struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root,
                             int outs)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */;

/* Names, origins, and the outputs of the graph. */
/*@ STEP_STATE
    STEP_IDS
    requires view:     order_of(o, u);
    requires first:    0 <= first <= v.n;
    requires nodes:    \forall integer k; 0 <= k < outs ==> 0 <= out[k] < v.n && 0 <= root[k] < v.n &&
                       !among(out, outs, root[k]);
    requires once:     \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j];
    terminates \true;
    exits    never:    \false;
    assigns  w.next[0 .. w.m - 1], w.out[0 .. w.m - 1], w.node[0 .. w.n - 1],
             g->node.a[0 .. v.n - 1];
    STEP_SAME
    STEP_SAME_IDS
    ensures  right:    order_of(o, u) && lists_right(v, w, o, nd);
    ensures  lists:    same_use_lists{Pre,Post}(v) && same_dead{Pre,Post}(v) && same_order{Pre,Post}(v) && same_nodes{Pre,Post}(v, nd);
    ensures  moved:    outputs_moved{Pre,Post}(w, out, root, outs);
    ensures  out_names: same_out_names{Pre,Post}(w);
    ensures  none:     \forall integer k; 0 <= k < outs ==> w.node[out[k]].outputs == 0;
    ensures  inside:   same_inside{Pre,Post}(nd, v.n);
    ensures  named:    \forall integer k; 0 <= k < outs ==> root[k] >= first ==> \old(nd[out[k]].name) >= 0 ==>
                       nd[root[k]].name >= 0;
    ensures  names:    \forall integer x; 0 <= x < first ==> !among{Pre}(out, outs, x) ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  signed:   \forall integer x; 0 <= x < v.n ==>
                       nd[x].origin == (first <= x && nd[x].kind != NODE_CONST ? from : \old(nd[x].origin));
*/
void step_rest(struct uses *u, struct graph *g, const int *out, const int *root, int outs, int first, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */;

#endif
