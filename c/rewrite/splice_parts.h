/* The parts of a substitution, each seen from all the lists of a graph: what it does to them, and that they stay right. In the
   contracts v, w are the lists of u for g, o is the order, nd the nodes of g. */
#ifndef CALQUE_REWRITE_SPLICE_PARTS_H
#define CALQUE_REWRITE_SPLICE_PARTS_H

#include "rewrite/splice_edges.h"
#include "rewrite/splice_move.h"
#include "rewrite/splice_names.h"
#include "rewrite/splice_place.h"

#ifdef __FRAMAC__
#include "rewrite/splice_step.acsl"

#define STEP_STATE                                                                                                       \
    requires kept:     lists_kept(u, g, v, w, nd) && \valid(u) && \valid(g->node.a + (0 .. v.n - 1));                    \
    requires right:    o.node == v.node && o.n == v.n && lists_right(v, w, o, nd);                                       \
    requires heads:    heads_off(u, g, v, w, nd);
#define STEP_IDS                                                                                                         \
    requires ids:      0 <= outs && \valid_read(out + (0 .. outs - 1)) && \valid_read(root + (0 .. outs - 1));           \
    requires apart:    off_both(\base_addr(out), u, g, v, w, nd) && off_both(\base_addr(root), u, g, v, w, nd);
#define STEP_SAME                                                                                                        \
    ensures  kept:     lists_kept(u, g, v, w, nd) && \valid(u) && \valid(g->node.a + (0 .. v.n - 1));                    \
    ensures  heads:    heads_off(u, g, v, w, nd);                                                                        \
    ensures  fields:   same_fields{Pre,Post}(u, g);
#define STEP_SAME_IDS                                                                                                    \
    ensures  ids:      same_ids{Pre,Post}(out, outs) && same_ids{Pre,Post}(root, outs);                                  \
    ensures  apart:    off_both(\base_addr(out), u, g, v, w, nd) && off_both(\base_addr(root), u, g, v, w, nd);
#define STEP_LISTED                                                                                                      \
    requires room:     off_both(\base_addr(l.list), u, g, v, w, nd) && \base_addr(l.list) != \base_addr(out) &&          \
                       \base_addr(l.list) != \base_addr(root);                                                           \
    requires list:     step_list(v, l, low);                                                                             \
    requires outs:     step_outs(v, l, out, outs, low);                                                                  \
    requires roots:    step_roots(v, l, out, root, outs, low);
#endif

/* The order has the ends of o. */
/*@ STEP_STATE
    requires nodes:    -1 <= o.first < o.n && -1 <= o.last < o.n;
    terminates \true;
    exits    never:    \false;
    assigns  u->first, u->last;
    STEP_SAME
    ensures  right:    order_of(o, u) && lists_right(v, w, o, nd);
    ensures  lists:    same_lists{Pre,Post}(v, w, nd);
*/
void step_order(struct uses *u, struct graph *g, struct order_view o)
    /*@ ghost (struct uses_view v, struct output_view w, const struct node *nd) */;

/* splice_list; what is on the list is none of the outputs, and every root is or stands before `low`. */
/*@ STEP_STATE
    STEP_IDS
    STEP_LISTED
    terminates \true;
    exits    never:    \false;
    assigns  l.list[0 .. l.nearly + (l.n - l.first) - 1];
    STEP_SAME
    STEP_SAME_IDS
    ensures  right:    lists_right(v, w, o, nd);
    ensures  lists:    same_lists{Pre,Post}(v, w, nd);
    ensures  number:   \result == l.nearly + (l.n - l.first);
    ensures  nodes:    \forall integer j; 0 <= j < \result ==> 0 <= l.list[j] < v.n && earlier(v, low, l.list[j]);
    ensures  distinct: \forall integer i, j; 0 <= i < j < \result ==> l.list[i] != l.list[j];
    ensures  supplied: \forall integer j; 0 <= j < \result ==> supplied(v, l.list, j, low);
    ensures  outs:     \forall integer k; 0 <= k < outs ==> !among(l.list, \result, out[k]);
    ensures  roots:    \forall integer k; 0 <= k < outs ==> earlier(v, root[k], low) || among(l.list, \result, root[k]);
    ensures  moving:   \forall integer x; among(l.list, \result, x) ==> l.first <= x || early_node{Pre}(l, x);
*/
int step_listed(struct uses *u, struct graph *g, struct list_view l, struct uses_view v, int low)
    /*@ ghost (struct output_view w, struct order_view o, const struct node *nd, const int *out, const int *root, int outs) */;

/* splice_place, seen from all the lists. */
/*@ TARGET_REQUIRES
    requires kept:     lists_kept(u, g, v, w, nd) && \valid(u) && \valid(g->node.a + (0 .. v.n - 1));
    requires right:    lists_right(v, w, o, nd);
    requires heads:    heads_off(u, g, v, w, nd);
    requires alive:    roots_alive(v, t.root, t.outs);
    requires off:      off_both(\base_addr(t.out), u, g, v, w, nd) && off_both(\base_addr(t.root), u, g, v, w, nd) &&
                       off_both(\base_addr(t.list), u, g, v, w, nd);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1];
    STEP_SAME
    ensures  view:     \result.node == v.node && \result.n == v.n;
    ensures  right:    lists_right(v, w, \result, nd);
    ensures  ends:     -1 <= \result.first < \result.n && -1 <= \result.last < \result.n;
    ensures  users:    same_users{Pre,Post}(v);
    ensures  moved:    edges_moved{Pre,Post}(v, t.out, t.root, t.outs);
    ensures  gone:     \forall integer s, k; 0 <= k < t.outs ==> !holds(v, s, t.out[k]);
    ensures  order:    kept_but{Pre,Post}(v, t.list, t.n);
    ensures  dead:     same_dead{Pre,Post}(v);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
    ensures  lists:    same_output_lists{Pre,Post}(w);
    ensures  found:    heads_found(v);
    ensures  ids:      same_ids{Pre,Post}(t.out, t.outs) && same_ids{Pre,Post}(t.root, t.outs);
    ensures  off:      off_both(\base_addr(t.out), u, g, v, w, nd) && off_both(\base_addr(t.root), u, g, v, w, nd);
*/
struct order_view step_put(struct uses *u, struct graph *g, struct uses_view v, struct order_view o, struct target_view t)
    /*@ ghost (struct output_view w, const struct node *nd) */;

#endif
