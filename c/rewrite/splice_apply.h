/* What a check has found is put into order, and the substitution is made. In the contract v, w, o are the lists of u for g
   and the order, nd its nodes. */
#ifndef CALQUE_REWRITE_SPLICE_APPLY_H
#define CALQUE_REWRITE_SPLICE_APPLY_H

#include "rewrite/splice_ready.h"
#include "rewrite/splice_step.h"

#ifdef __FRAMAC__
#define APPLY_GIVEN                                                                                                      \
    STEP_STATE                                                                                                           \
    STEP_IDS                                                                                                             \
    requires view:     order_of(o, u);                                                                                   \
    requires early:    l.early == early && \valid(early + (0 .. l.nearly - 1)) &&                                        \
                       off_both(\base_addr(early), u, g, v, w, nd) && \base_addr(early) != \base_addr(out) &&            \
                       \base_addr(early) != \base_addr(root);                                                            \
    requires room:     off_both(\base_addr(l.list), u, g, v, w, nd) && \base_addr(l.list) != \base_addr(out) &&          \
                       \base_addr(l.list) != \base_addr(root);
#define APPLY_DOES                                                                                                       \
    assigns  early[0 .. l.nearly - 1], u->first, u->last, v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1],\
             w.next[0 .. w.m - 1], w.out[0 .. w.m - 1], l.list[0 .. l.nearly + (l.n - l.first) - 1], g->node.a[0 .. v.n - 1],\
             g->tensor.a[0 .. g->tensor.n - 1].bytes;                                                                    \
    assigns  g->tensor.a[0 .. g->tensor.n - 1].data \from \nothing;                                                      \
    ensures  kept:     lists_kept(u, g, v, w, nd);                                                                       \
    ensures  right:    \forall struct order_view p; order_of(p, u) ==> lists_right(v, w, p, nd);                         \
    ensures  moved:    edges_moved{Pre,Post}(v, out, root, outs);                                                        \
    ensures  users:    \forall integer s; linked(v, s) ==> linked{Pre}(v, s) && v.slot[s].user == \old(v.slot[s].user);  \
    ensures  outputs:  outputs_moved{Pre,Post}(w, out, root, outs);                                                      \
    ensures  out_names: same_out_names{Pre,Post}(w);                                                                     \
    ensures  order:    \forall integer a, b; 0 <= a < l.first ==> 0 <= b < l.first ==> !early_node{Pre}(l, a) ==>        \
                       !early_node{Pre}(l, b) ==> (earlier(v, a, b) <==> earlier{Pre}(v, a, b));                         \
    ensures  stays:    stay_dead{Pre,Post}(v);                                                                           \
    ensures  unneeded: died_unneeded{Pre,Post}(v, nd);                                                                   \
    ensures  replaced: \forall integer k; 0 <= k < outs ==> nd[\old(out[k])].kind != NODE_INPUT ==> v.node[\old(out[k])].dead;\
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && !among{Pre}(out, outs, x) && x < l.first;\
    ensures  inside:   same_inside{Pre,Post}(nd, v.n);                                                                   \
    ensures  named:    \forall integer k; 0 <= k < outs ==> \old(root[k]) >= l.first ==> \old(nd[out[k]].name) >= 0 ==>  \
                       nd[\old(root[k])].name >= 0;                                                                      \
    ensures  names:    \forall integer x; 0 <= x < l.first ==> !among{Pre}(out, outs, x) ==>                             \
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);                               \
    ensures  signed:   \forall integer x; 0 <= x < v.n ==>                                                               \
                       nd[x].origin == (l.first <= x && nd[x].kind != NODE_CONST ? from : \old(nd[x].origin));
#endif

/* splice_ready and then splice_step: `early`, what is to be moved, need not be in order. */
/*@ APPLY_GIVEN
    READY_FOUND
    terminates \true;
    exits    never:    \false;
    APPLY_DOES
*/
void splice_apply(struct uses *u, struct graph *g, struct match_key *early, struct list_view l, int low, const int *out,
                  const int *root, int outs, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */;

#endif
