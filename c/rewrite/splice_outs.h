/* The parts of a substitution after its edges have moved, each seen from all the lists of a graph: names and outputs. In the
   contracts v, w are the lists of u for g, o is the order, nd the nodes of g. */
#ifndef CALQUE_REWRITE_SPLICE_OUTS_H
#define CALQUE_REWRITE_SPLICE_OUTS_H

#include "rewrite/splice_parts.h"

#ifdef __FRAMAC__
#define STEP_PAIRS                                                                                                       \
    requires nodes:    \forall integer k; 0 <= k < outs ==> 0 <= out[k] < v.n && 0 <= root[k] < v.n &&                   \
                       !among(out, outs, root[k]);                                                                       \
    requires once:     \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j];
#define STEP_NAMED                                                                                                       \
    ensures  inside:   same_inside{Pre,Post}(nd, v.n);                                                                   \
    ensures  named:    \forall integer k; 0 <= k < outs ==> root[k] >= first ==> \old(nd[out[k]].name) >= 0 ==>          \
                       nd[root[k]].name >= 0;                                                                            \
    ensures  names:    \forall integer x; 0 <= x < first ==> !among{Pre}(out, outs, x) ==>                               \
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);                               \
    ensures  signed:   \forall integer x; 0 <= x < v.n ==>                                                               \
                       nd[x].origin == (first <= x && nd[x].kind != NODE_CONST ? from : \old(nd[x].origin));
#define STEP_MOVED                                                                                                       \
    ensures  right:    order_of(o, u) && lists_right(v, w, o, nd);                                                       \
    ensures  lists:    same_use_lists{Pre,Post}(v) && same_dead{Pre,Post}(v) && same_order{Pre,Post}(v) && same_nodes{Pre,Post}(v, nd);\
    ensures  moved:    outputs_moved{Pre,Post}(w, out, root, outs);                                                      \
    ensures  out_names: same_out_names{Pre,Post}(w);                                                                     \
    ensures  none:     \forall integer k; 0 <= k < outs ==> w.node[out[k]].outputs == 0;
#endif

/* Names and origins. */
/*@ STEP_STATE
    STEP_IDS
    requires view:     order_of(o, u);
    requires first:    0 <= first <= v.n;
    STEP_PAIRS
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[0 .. v.n - 1];
    STEP_SAME
    STEP_SAME_IDS
    ensures  right:    order_of(o, u) && lists_right(v, w, o, nd);
    ensures  lists:    same_lists{Pre,Post}(v, w, nd);
    STEP_NAMED
*/
void step_names(struct uses *u, struct graph *g, const int *out, const int *root, int outs, int first, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */;

/* splice_move, seen from all the lists. */
/*@ STEP_STATE
    STEP_IDS
    requires view:     order_of(o, u);
    STEP_PAIRS
    terminates \true;
    exits    never:    \false;
    assigns  w.next[0 .. w.m - 1], w.out[0 .. w.m - 1], w.node[0 .. w.n - 1];
    STEP_SAME
    STEP_SAME_IDS
    STEP_MOVED
*/
void step_outputs(struct uses *u, struct graph *g, const int *out, const int *root, int outs)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */;

#endif
