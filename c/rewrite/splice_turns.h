/* The two halves of a substitution before the dying: what stands where and the edges; names, origins and outputs. In the
   contracts v, w are the lists of u for g, o is the order, nd the nodes of g. */
#ifndef CALQUE_REWRITE_SPLICE_TURNS_H
#define CALQUE_REWRITE_SPLICE_TURNS_H

#include "rewrite/splice_outs.h"

#ifdef __FRAMAC__
#include "rewrite/splice_steps.acsl"

#define STEP_PLACED                                                                                                      \
    assigns  u->first, u->last, v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1],                          \
             l.list[0 .. l.nearly + (l.n - l.first) - 1];                                                                \
    STEP_SAME                                                                                                            \
    STEP_SAME_IDS                                                                                                        \
    ensures  right:    order_of(\result, u) && lists_right(v, w, \result, nd);                                           \
    ensures  users:    same_users{Pre,Post}(v);                                                                          \
    ensures  moved:    edges_moved{Pre,Post}(v, out, root, outs);                                                        \
    ensures  gone:     none_held(v, out, outs);                                                                          \
    ensures  order:    \forall integer a, b; 0 <= a < l.first ==> 0 <= b < l.first ==> !early_node{Pre}(l, a) ==>        \
                       !early_node{Pre}(l, b) ==> (earlier(v, a, b) <==> earlier{Pre}(v, a, b));                         \
    ensures  dead:     same_dead{Pre,Post}(v);                                                                           \
    ensures  lists:    same_output_lists{Pre,Post}(w);                                                                   \
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);                                                                      \
    ensures  found:    heads_found(v);
#endif

/* The nodes of the list come to stand before `low`, and the edges move. */
/*@ STEP_STATE
    STEP_IDS
    requires view:     order_of(o, u);
    STEP_LISTED
    terminates \true;
    exits    never:    \false;
    STEP_PLACED
*/
struct order_view step_place(struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root,
                             int outs)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */;

/* Names, origins, and the outputs of the graph. */
/*@ STEP_STATE
    STEP_IDS
    requires view:     order_of(o, u);
    requires first:    0 <= first <= v.n;
    STEP_PAIRS
    terminates \true;
    exits    never:    \false;
    assigns  w.next[0 .. w.m - 1], w.out[0 .. w.m - 1], w.node[0 .. w.n - 1],
             g->node.a[0 .. v.n - 1];
    STEP_SAME
    STEP_SAME_IDS
    STEP_MOVED
    STEP_NAMED
*/
void step_rest(struct uses *u, struct graph *g, const int *out, const int *root, int outs, int first, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */;

#endif
