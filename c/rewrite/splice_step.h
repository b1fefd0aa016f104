/* The substitution itself: a target that was built and checked takes the place of the outputs of a match. In the contracts
   v, w, o are the lists of u for g and the order, nd its nodes. */
#ifndef CALQUE_REWRITE_SPLICE_STEP_H
#define CALQUE_REWRITE_SPLICE_STEP_H

#include "rewrite/splice_outs.h"

/* l: what is to stand before `low`, the first of the outputs, in the order of its early part. root[k] takes the place of
   out[k]: its users, the graph's outputs and, if it is new, its name; then what nothing needs any more dies. New nodes come
   from `from`. */
/*@ requires kept:     lists_kept(u, g, v, w, nd) && \valid(u) && \valid(g->node.a + (0 .. v.n - 1));
    requires right:    order_of(o, u) && lists_right(v, w, o, nd);
    requires apart:    heads_off(u, g, v, w, nd) && off_both(\base_addr(l.list), u, g, v, w, nd) &&
                       off_both(\base_addr(out), u, g, v, w, nd) && off_both(\base_addr(root), u, g, v, w, nd) &&
                       \base_addr(l.list) != \base_addr(out) && \base_addr(l.list) != \base_addr(root);
    requires list:     step_list(v, l, low);
    requires outs:     step_outs(v, l, out, outs, low);
    requires roots:    step_roots(v, l, out, root, outs, low);
    terminates \true;
    exits    never:    \false;
    assigns  u->first, u->last, v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1], w.next[0 .. w.m - 1],
             w.out[0 .. w.m - 1], l.list[0 .. l.nearly + (l.n - l.first) - 1], g->node.a[0 .. v.n - 1],
             g->tensor.a[0 .. g->tensor.n - 1].bytes;
    assigns  g->tensor.a[0 .. g->tensor.n - 1].data \from \nothing;
    ensures  kept:     lists_kept(u, g, v, w, nd);
    ensures  right:    \forall struct order_view p; order_of(p, u) ==> lists_right(v, w, p, nd);
    ensures  ids:      same_ids{Pre,Post}(out, outs) && same_ids{Pre,Post}(root, outs);
    ensures  moved:    edges_moved{Pre,Post}(v, out, root, outs);
    ensures  users:    \forall integer s; linked(v, s) ==> linked{Pre}(v, s) && v.slot[s].user == \old(v.slot[s].user);
    ensures  outputs:  outputs_moved{Pre,Post}(w, out, root, outs);
    ensures  out_names: same_out_names{Pre,Post}(w);
    ensures  order:    \forall integer a, b; 0 <= a < l.first ==> 0 <= b < l.first ==> !early_node{Pre}(l, a) ==>
                       !early_node{Pre}(l, b) ==> (earlier(v, a, b) <==> earlier{Pre}(v, a, b));
    ensures  stays:    stay_dead{Pre,Post}(v);
    ensures  unneeded: died_unneeded{Pre,Post}(v, nd);
    ensures  replaced: \forall integer k; 0 <= k < outs ==> nd[out[k]].kind != NODE_INPUT ==> v.node[out[k]].dead;
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && !among(out, outs, x) && x < l.first;
    ensures  inside:   same_inside{Pre,Post}(nd, v.n);
    ensures  named:    \forall integer k; 0 <= k < outs ==> root[k] >= l.first ==> \old(nd[out[k]].name) >= 0 ==>
                       nd[root[k]].name >= 0;
    ensures  names:    \forall integer x; 0 <= x < l.first ==> !among(out, outs, x) ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  signed:   \forall integer x; 0 <= x < v.n ==>
                       nd[x].origin == (l.first <= x && nd[x].kind != NODE_CONST ? from : \old(nd[x].origin));
*/
void splice_step(struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root, int outs, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */;

#endif
