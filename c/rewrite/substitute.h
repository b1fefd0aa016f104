/* A substitution, from its parts to the whole: names, edges, places, outputs, what dies; check and commit. */
#ifndef CALQUE_REWRITE_SUBSTITUTE_H
#define CALQUE_REWRITE_SUBSTITUTE_H

#include <limits.h>

#include "graph/use_list_internal.h"
#include "pattern/visited.h"
#include "pattern/match.h"
#include "rewrite/hoist.h"
#include "rewrite/reorder.h"

/* Early nodes, which stood in the graph of `first` nodes behind the first output; the new ones are first .. n-1. */
struct list_view {
    const struct match_key *early;
    int nearly, first, n;
    int *list; /* room for all of them */
};

/* Putting a built target in the place of a match's outputs, in a cost of the order of the match: edges move, nodes that
   nothing needs any more die, and the topological order is repaired between the first output and what the target reads.
   One substitution is splice_room (substitute.h), splice_check, and if that allows it splice_origin, splice_commit. */
struct splice {
    struct graph *g;
    struct uses *uses;
    struct walker walk;
    struct { struct match_key *a; int n, cap; } early; /* to be moved before the first output */
    struct ints list; /* the nodes of early and then the new ones */
};

#ifdef __FRAMAC__
#include "rewrite/substitute.acsl"
#endif

/* The early nodes in their order and then the new ones: the number of them. It is what place_target asks for: what each
   reads stands before `low` or earlier in the list. */
/*@ requires valid:    valid_list(v) && valid_uses(u) && u.n == v.n && own_block(u, v.list);
    requires low:      0 <= low < v.first;
    requires topology: uses_ok(u) && topological(u);
    requires sorted:   early_sorted(u, v, low) && new_last(u, v, low);
    requires closed:   early_closed(u, v, low);
    terminates \true;
    exits    never:    \false;
    assigns  v.list[0 .. v.nearly + (v.n - v.first) - 1];
    ensures  number:   \result == v.nearly + (v.n - v.first);
    ensures  list:     filled(v, \result);
    ensures  same:     \forall integer s; linked(u, s) <==> linked{Pre}(u, s);
    ensures  nodes:    \forall integer j; 0 <= j < \result ==> 0 <= v.list[j] < u.n && earlier(u, low, v.list[j]);
    ensures  distinct: \forall integer i, j; 0 <= i < j < \result ==> v.list[i] != v.list[j];
    ensures  supplied: \forall integer j; 0 <= j < \result ==> supplied(u, v.list, j, low);
*/
int splice_list(struct list_view v, struct uses_view u, int low);

/* A new node without a name takes the one of the node it stands for, and its label if it is an operator. */
/*@ requires valid:    \valid(to) && \valid(from) && \separated(to, from);
    terminates \true;
    exits    never:    \false;
    assigns  to->name, to->label, from->name, from->label;
    ensures  kept:     \old(to->name) >= 0 ==> to->name == \old(to->name) && to->label == \old(to->label) &&
                       from->name == \old(from->name) && from->label == \old(from->label);
    ensures  taken:    \old(to->name) < 0 ==> to->name == \old(from->name) && from->name == -1 && from->label == -1;
    ensures  label:    \old(to->name) < 0 ==> to->label == (to->kind == NODE_OP ? \old(from->label) : -1);
*/
void splice_name(struct node *to, struct node *from);

/* What a substitution's check has found, with its labels. */
/* The nodes that a walk has taken, work[n - done .. n - 1], the first one first. */
/*@ requires valid:    0 <= done <= n && \valid_read(work + (0 .. n - 1)) && \valid(key + (0 .. done - 1));
    requires nodes:    \forall integer j; n - done <= j < n ==> 0 <= work[j] <= INT_MAX && \valid_read(use + work[j]);
    requires apart:    \base_addr(key) != \base_addr(use);
    terminates \true;
    exits    never:    \false;
    assigns  key[0 .. done - 1];
    ensures  nodes:    \forall integer k; 0 <= k < done ==> key[k].node == work[n - 1 - k];
    ensures  labels:   \forall integer k; 0 <= k < done ==> key[k].order == use[work[n - 1 - k]].order;
*/
void splice_keys(const struct use_node *use, const long *work, int n, int done, struct match_key *key);

/* What a substitution's check has found, in the order of the graph. */
/* early, the nodes to be moved, comes into the order that they have now. */
/*@ requires valid:    valid_list(l) && l.early == early && l.nearly == n && \valid(early + (0 .. n - 1)) && valid_uses(v) &&
                       l.n == v.n && 0 <= low < l.first;
    requires apart:    off_uses(\base_addr(early), v);
    requires found:    early_found(v, l, low) && labels_differ(v);
    terminates \true;
    exits    never:    \false;
    assigns  early[0 .. n - 1];
    ensures  sorted:   early_sorted(v, l, low);
    ensures  nodes:    \forall integer x; early_node(l, x) <==> early_node{Pre}(l, x);
*/
void splice_sort(struct match_key *early, int n) /*@ ghost (struct uses_view v, struct list_view l, int low) */;

/* What the nodes of a target are called, and where they come from. */
/* The new nodes, from number `first` on, but for constants, come from `from`. */
/*@ requires valid:    0 <= first <= n && \valid(nd + (first .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  nd[first .. n - 1].origin;
    ensures  signed:   \forall integer k; first <= k < n ==>
                       nd[k].origin == (nd[k].kind == NODE_CONST ? \old(nd[k].origin) : from);
*/
void splice_sign(struct node *nd, int first, int n, int from);

/* New roots take the names of their outputs. */
/*@ requires valid:    0 <= n && \valid(nd + (0 .. n - 1)) && 0 <= outs && \valid_read(out + (0 .. outs - 1)) &&
                       \valid_read(root + (0 .. outs - 1)) && \base_addr(out) != \base_addr(nd) &&
                       \base_addr(root) != \base_addr(nd);
    requires nodes:    \forall integer k; 0 <= k < outs ==> 0 <= out[k] < n && 0 <= root[k] < n;
    requires roots:    \forall integer k; 0 <= k < outs ==> !among(out, outs, root[k]);
    requires once:     \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j];
    terminates \true;
    exits    never:    \false;
    assigns  nd[0 .. n - 1].name, nd[0 .. n - 1].label;
    ensures  others:   \forall integer x; 0 <= x < n ==> !among(out, outs, x) ==> !among(root, outs, x) ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  old:      \forall integer x; 0 <= x < first && x < n ==> !among(out, outs, x) ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  named:    \forall integer x; 0 <= x < n ==> !among(out, outs, x) ==> \old(nd[x].name) >= 0 ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  taken:    \forall integer k; 0 <= k < outs ==> root[k] >= first ==> \old(nd[out[k]].name) >= 0 ==>
                       nd[root[k]].name >= 0;
*/
void splice_names(struct node *nd, int n, const int *out, const int *root, int outs, int first);

/* The edges of a substitution, once its nodes are placed: they move to the roots, and what nothing needs any more dies. In
   the contracts v, o are the lists of u for g, nd its nodes. */
#ifdef __FRAMAC__
#define DROP_ASSIGNS                                                                                                     \
    assigns  v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], g->tensor.a[0 .. g->tensor.n - 1].bytes;                        \
    assigns  g->tensor.a[0 .. g->tensor.n - 1].data \from \nothing;
#define DROP_KEEPS                                                                                                       \
    ensures  kept:     lists_kept(u, g, v, o, nd);                                                                       \
    ensures  ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd);                                                      \
    ensures  topology: topological(v);                                                                                   \
    ensures  order:    same_order{Pre,Post}(v);                                                                          \
    ensures  fewer:    fewer_users{Pre,Post}(v);                                                                         \
    ensures  in:       same_in{Pre,Post}(v);                                                                             \
    ensures  outs:     same_outs{Pre,Post}(o, -1);                                                                       \
    ensures  heads:    same_out_heads{Pre,Post}(o, -1);                                                                  \
    ensures  tensors:  g->tensor.a == \old(g->tensor.a) && g->tensor.n == \old(g->tensor.n);                             \
    ensures  stays:    stay_dead{Pre,Post}(v);                                                                           \
    ensures  unneeded: died_unneeded{Pre,Post}(v, nd);
#endif

/* The old outputs die, as far as nothing needs them, and so does what was built, from node `first` on; then their inputs
   likewise. */
/*@ requires kept:     lists_kept(u, g, v, o, nd);
    requires ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd) && topological(v);
    requires nodes:    0 <= first && 0 <= outs && \valid_read(out + (0 .. outs - 1)) && own_block(v, out) &&
                       \forall integer k; 0 <= k < outs ==> 0 <= out[k] < v.n;
    terminates \true;
    exits    never:    \false;
    DROP_ASSIGNS
    DROP_KEEPS
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && !among(out, outs, x) && x < first;
*/
void splice_drop(struct uses *u, struct graph *g, const int *out, int outs, int first)
    /*@ ghost (struct uses_view v, struct output_view o, const struct node *nd) */;

/* The outputs of the graph among what is replaced: the roots take their place. */
/* Every graph output that is out[k] now is root[k]. */
/*@ requires valid:    valid_outputs(o) && 0 <= n && \valid_read(out + (0 .. n - 1)) && \valid_read(root + (0 .. n - 1));
    requires apart:    off_outputs(o, out) && off_outputs(o, root);
    requires ok:       outputs_ok(o);
    requires nodes:    \forall integer k; 0 <= k < n ==> 0 <= out[k] < o.n && 0 <= root[k] < o.n;
    requires once:     \forall integer i, j; 0 <= i < j < n ==> out[i] != out[j];
    requires roots:    \forall integer k; 0 <= k < n ==> !among(out, n, root[k]);
    terminates \true;
    exits    never:    \false;
    assigns  o.next[0 .. o.m - 1], o.out[0 .. o.m - 1].node, o.node[0 .. o.n - 1].output, o.node[0 .. o.n - 1].outputs;
    ensures  ok:       outputs_ok(o);
    ensures  moved:    outputs_moved{Pre,Post}(o, out, root, n);
    ensures  none:     \forall integer k; 0 <= k < n ==> o.node[out[k]].outputs == 0;
*/
void splice_move(struct output_view o, const int *out, const int *root, int n);

/* Putting a target in place, seen from the lists side by side: those of outputs stay, those of users stay exact. */
#ifdef __FRAMAC__
#include "graph/uses.acsl"
#endif

/* place_target in the lists of a graph with the nodes nd, beside the lists w of its outputs. */
/*@ TARGET_REQUIRES
    requires beside:   valid_outputs(w) && side_by_side(v, w) && valid_nodes(v, nd) && nodes_aside(w, nd);
    requires exact:    outputs_ok(w) && exact(v, nd);
    requires alive:    roots_alive(v, t.root, t.outs);
    terminates \true;
    exits    never:    \false;
    TARGET_ASSIGNS
    TARGET_ENSURES
    ensures  outputs:  outputs_ok(w) && same_output_lists{Pre,Post}(w);
    ensures  exact:    exact(v, nd);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd) && same_dead{Pre,Post}(v);
*/
struct order_view splice_place(struct uses_view v, struct order_view o, struct target_view t)
    /*@ ghost (struct output_view w, const struct node *nd) */;

/* The parts of a substitution, each seen from all the lists of a graph: what it does to them, and that they stay right. In the
   contracts v, w are the lists of u for g, o is the order, nd the nodes of g. */
#ifdef __FRAMAC__
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

/* The parts of a substitution after its edges have moved, each seen from all the lists of a graph: names and outputs. In the
   contracts v, w are the lists of u for g, o is the order, nd the nodes of g. */
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

/* The two halves of a substitution before the dying: what stands where and the edges; names, origins and outputs. In the
   contracts v, w are the lists of u for g, o is the order, nd the nodes of g. */
#ifdef __FRAMAC__
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

/* The substitution itself: a target that was built and checked takes the place of the outputs of a match. In the contracts
   v, w, o are the lists of u for g and the order, nd its nodes. */
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

/* What a substitution's check has found comes into order: then the substitution (substitute.h) may be made. In the contract
   v, w are the lists of u for g, o is the order, nd the nodes of g. */
#ifdef __FRAMAC__
#define READY_FOUND                                                                                                         \
    requires list:     valid_list(l) && l.n == v.n && 0 <= low < l.first && new_last(v, l, low) && early_closed(v, l, low); \
    requires found:    early_found(v, l, low);                                                                              \
    requires outs:     step_outs(v, l, out, outs, low);                                                                     \
    requires roots:    step_roots(v, l, out, root, outs, low);
#define READY_GIVEN                                                                                             \
    STEP_STATE                                                                                                  \
    STEP_IDS                                                                                                    \
    requires view:     order_of(o, u);                                                                          \
    requires early:    l.early == early && l.nearly == n && \valid(early + (0 .. n - 1)) &&                     \
                       off_both(\base_addr(early), u, g, v, w, nd) && \base_addr(early) != \base_addr(out) &&   \
                       \base_addr(early) != \base_addr(root);                                                   \
    requires room:     off_both(\base_addr(l.list), u, g, v, w, nd) && \base_addr(l.list) != \base_addr(out) && \
                       \base_addr(l.list) != \base_addr(root);                                                  \
    READY_FOUND
#define READY_DOES                                                                     \
    assigns  early[0 .. n - 1];                                                        \
    STEP_SAME                                                                          \
    STEP_SAME_IDS                                                                      \
    ensures  right:    order_of(o, u) && lists_right(v, w, o, nd);                     \
    ensures  lists:    same_lists{Pre,Post}(v, w, nd);                                 \
    ensures  room:     off_both(\base_addr(l.list), u, g, v, w, nd);                   \
    ensures  early:    \forall integer x; early_node(l, x) <==> early_node{Pre}(l, x); \
    ensures  list:     step_list(v, l, low);                                           \
    ensures  outs:     step_outs(v, l, out, outs, low);                                \
    ensures  roots:    step_roots(v, l, out, root, outs, low);
#endif

/* splice_sort, seen from all the lists; what it ensures is what splice_step requires. */
/*@ READY_GIVEN
    terminates \true;
    exits    never:    \false;
    READY_DOES
*/
void splice_ready(struct match_key *early, int n)
    /*@ ghost (struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root, int outs,
               struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */;

/* What a check has found is put into order, and the substitution is made. In the contract v, w, o are the lists of u for g
   and the order, nd its nodes. */
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

/* What a check has found, as keys. */
#ifdef __FRAMAC__
#include "pattern/keys.acsl"
#endif

/* What the walk of a check has taken, with its labels. */
/*@ requires valid:    valid_early(v) && \valid(key + (0 .. done - 1)) && off_early(\base_addr(key), v);
    requires passed:   check_passed(v, done);
    terminates \true;
    exits    never:    \false;
    assigns  key[0 .. done - 1];
    ensures  found:    keys_found(v, key, done);
*/
void splice_early(struct early_view v, int done, struct match_key *key);

/* The substitution's check as a whole, but for its memory: may a target take the place of the outputs, and what moves then? */
/* early_check; if nothing hits, key[0 .. done - 1] is what is to be moved before the first output, with its labels. */
/*@ requires valid:    valid_early(v) && \valid(key + (0 .. v.r.g.n - 1)) && off_early(\base_addr(key), v);
    requires stamps:   stamps_ok(v.r);
    terminates \true;
    exits    never:    \false;
    assigns  v.r.seen[0 .. v.r.g.n - 1], v.r.work[0 .. v.r.g.n - 1], key[0 .. v.r.g.n - 1];
    ensures  convex:   \result.hit < 0 <==> convex_rewrite{Pre}(v);
    ensures  witness:  \result.hit >= 0 ==> is_output{Pre}(v, \result.hit) && needed{Pre}(v, \result.hit);
    ensures  found:    \result.hit < 0 ==> 0 <= \result.done <= v.r.g.n && keys_found(v, key, \result.done);
    ensures  stamps:   \forall integer x; 0 <= x < v.r.g.n ==> v.r.seen[x] <= \result.stamp;
*/
struct early_end splice_find(struct early_view v, struct match_key *key);

/* The substitution as a whole, but for the memory of its list and the text of its origin: from what the check has found
   (substitute.h) to a graph with the target in the place of the outputs. */
#ifdef __FRAMAC__
/* The lists are those of the graph but for the new nodes; the check has found l.early. */
#define PUT_REQUIRES                                                                                                     \
    requires held:     held_uses(u) && held_nodes(g) && aside(u, g, d) && \valid(g->node.a + (0 .. g->node.n - 1)) &&    \
                       valid_data(g, g->node.a, g->node.n);                                                              \
    requires ready:    uses_ready(u, g);                                                                                 \
    requires topology: \forall struct uses_view v; lists_of(v, u, g) ==> topological(v);                                 \
    requires new:      new_nodes(u, g) && reads_back(g->node.a, g->in.a, u->node.n, g->node.n);                          \
    requires inputs:   ids_in(g->in.a, 0, g->in.n, g->node.n);                                                           \
    requires caller:   held_apart(u, d) && put_held(g, e, l) && put_apart(g, e, l);                                      \
    requires view:     put_view(u, g, e, l);                                                                             \
    requires list:     valid_list(l) && \valid(l.early + (0 .. l.nearly - 1));                                           \
    requires found:    keys_found(e, l.early, l.nearly);                                                                 \
    requires ids:      0 < e.nouts && \valid_read(e.outs + (0 .. e.nouts - 1)) && \valid_read(e.root + (0 .. e.nouts - 1)); \
    requires outs:     (\forall integer k; 0 <= k < e.nouts ==> 0 <= e.outs[k] < l.first) &&                             \
                       \forall integer j, k; 0 <= j < k < e.nouts ==> e.outs[j] != e.outs[k];                            \
    requires roots:    \forall integer k; 0 <= k < e.nouts ==> 0 <= e.root[k] < l.n &&                                   \
                       (e.root[k] < l.first ==> !u->node.a[e.root[k]].dead);
#endif

/* The lists take in the new nodes, from l.first on; then what must stand before the first output is moved there, and root[k]
   takes the place of out[k] (substitute.h). When memory is out the graph is as it was. New nodes come from `from`. */
/*@ PUT_REQUIRES
    requires same:     early == l.early && out == e.outs && root == e.root && outs == e.nouts;
    terminates \true;
    exits    never:    \false;
    assigns  *u, *u->mem, *d, { *p | struct use_node *p; \true }, { *q | struct use_slot *q; \true }, { *k | int *k; \true },
             early[0 .. l.nearly - 1], l.list[0 .. l.nearly + (l.n - l.first) - 1], g->node.a[0 .. l.n - 1],
             g->in.a[0 .. g->in.n - 1], g->output.a[0 .. g->output.n - 1], g->tensor.a[0 .. g->tensor.n - 1].bytes;
    assigns  g->tensor.a[0 .. g->tensor.n - 1].data \from \nothing;
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  none:     \result != CALQUE_OK ==> same_uses{Pre,Post}(u) && moved_uses{Pre,Post}(u) && graph_kept{Pre,Post}(g) &&
                       uses_ready(u, g);
    ensures  all:      \result == CALQUE_OK ==> all_in(u, g);
    ensures  graph:    g->node.a == \old(g->node.a) && g->node.n == \old(g->node.n) && g->in.a == \old(g->in.a) &&
                       g->in.n == \old(g->in.n) && g->output.a == \old(g->output.a) && g->output.n == \old(g->output.n);
    ensures  right:    \result == CALQUE_OK ==> \forall struct uses_view v, struct output_view w, struct order_view o;
                       views_of(v, w, o, u, g) ==> lists_kept(u, g, v, w, g->node.a) && lists_right(v, w, o, g->node.a);
    ensures  moved:    \result == CALQUE_OK ==> put_moved{Pre,Post}(u, g, e, l);
    ensures  others:   \result == CALQUE_OK ==> \forall integer s; 0 <= s < g->in.n ==>
                       !among{Pre}(out, outs, \old(g->in.a[s])) ==> g->in.a[s] == \old(g->in.a[s]);
    ensures  outputs:  \result == CALQUE_OK ==> \forall struct output_view w; outputs_in(w, u, g) ==>
                       outputs_moved{Pre,Post}(w, out, root, outs) && same_out_names{Pre,Post}(w);
    ensures  order:    \result == CALQUE_OK ==> put_order{Pre,Post}(\old(u->node.a), u->node.a, l);
    ensures  stays:    \result == CALQUE_OK ==> \forall integer x; 0 <= x < l.first ==> \old(u->node.a[x].dead) ==>
                       u->node.a[x].dead;
    ensures  unneeded: \result == CALQUE_OK ==> \forall struct uses_view v, integer x; lists_of(v, u, g) ==> 0 <= x < v.n ==>
                       v.node[x].dead ==> (x < l.first && \old(u->node.a[x].dead)) || unneeded(v, g->node.a, x);
    ensures  replaced: \result == CALQUE_OK ==> \forall integer k; 0 <= k < outs ==>
                       g->node.a[\old(out[k])].kind != NODE_INPUT ==> u->node.a[\old(out[k])].dead;
    ensures  rest:     \result == CALQUE_OK ==> \forall struct uses_view v, integer x; lists_of(v, u, g) ==>
                       garbage(v, g->node.a, x) ==> !among{Pre}(out, outs, x) && x < l.first;
    ensures  inside:   same_inside{Pre,Post}(g->node.a, l.n);
    ensures  named:    \result == CALQUE_OK ==> \forall integer k; 0 <= k < outs ==> \old(root[k]) >= l.first ==>
                       \old(g->node.a[out[k]].name) >= 0 ==> g->node.a[\old(root[k])].name >= 0;
    ensures  names:    \forall integer x; 0 <= x < l.first ==> !among{Pre}(out, outs, x) ==>
                       g->node.a[x].name == \old(g->node.a[x].name) && g->node.a[x].label == \old(g->node.a[x].label);
    ensures  signed:   \result == CALQUE_OK ==> \forall integer x; 0 <= x < l.n ==> g->node.a[x].origin ==
                       (l.first <= x && g->node.a[x].kind != NODE_CONST ? from : \old(g->node.a[x].origin));
*/
enum calque_status splice_put(struct uses *u, struct graph *g, struct match_key *early, struct list_view l, const int *out,
                              const int *root, int outs, int from, struct diag *d)
    /*@ ghost (struct early_view e) */;

/* What the new nodes (from `first` on) and the roots are computed from and stands after the first output goes to
   s->early. CALQUE_NO: one of them is computed from an output, so the result would have a cycle. */
/*@ requires held:     held_splice(s, m) && splice_aside(s, m, root);
    requires valid:    valid_early(early_of(s, m, root, first));
    requires room:     \valid(s->early.a + (0 .. first - 1)) && off_early(\base_addr(s->early.a), early_of(s, m, root, first));
    requires stamps:   held_stamps(s) && first <= s->walk.seen.n;
    terminates \true;
    exits    never:    \false;
    assigns  s->walk.stamp, s->walk.seen.n, s->early.n, s->walk.seen.a[0 .. first - 1], s->walk.work.a[0 .. first - 1],
             s->early.a[0 .. first - 1];
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NO;
    ensures  convex:   \result == CALQUE_OK <==> convex_rewrite{Pre}(\at(early_of(s, m, root, first), Pre));
    ensures  witness:  \result == CALQUE_NO ==> \exists integer x; is_output{Pre}(\at(early_of(s, m, root, first), Pre), x) &&
                       needed{Pre}(\at(early_of(s, m, root, first), Pre), x);
    ensures  found:    \result == CALQUE_OK ==> 0 <= s->early.n <= first &&
                       keys_found(early_of(s, m, root, first), s->early.a, s->early.n);
    ensures  none:     \result == CALQUE_NO ==> s->early.n == 0;
    ensures  stamps:   s->walk.seen.n == first && held_stamps(s);
*/
enum calque_status splice_check(struct splice *s, const struct matcher *m, const int *root, int first);

/* root[k] takes the place of m->outs.a[k]: its users, and if it is new its name; after splice_check. New nodes come from
   `from`. When memory is out the graph is as it was. */
/*@ requires held:     held_uses(s->uses) && held_nodes(s->g) && aside(s->uses, s->g, d) &&
                       \valid(s->g->node.a + (0 .. s->g->node.n - 1)) && valid_data(s->g, s->g->node.a, s->g->node.n);
    requires splice:   held_splice(s, m);
    requires ready:    uses_ready(s->uses, s->g);
    requires topology: \forall struct uses_view v; lists_of(v, s->uses, s->g) ==> topological(v);
    requires new:      first == s->uses->node.n && new_nodes(s->uses, s->g) &&
                       reads_back(s->g->node.a, s->g->in.a, first, s->g->node.n);
    requires inputs:   ids_in(s->g->in.a, 0, s->g->in.n, s->g->node.n);
    requires caller:   held_apart(s->uses, d) && put_held(s->g, early_of(s, m, root, first), list_of(s, first)) &&
                       put_apart(s->g, early_of(s, m, root, first), list_of(s, first));
    requires list:     valid_list(list_of(s, first)) && \valid(s->early.a + (0 .. s->early.n - 1));
    requires found:    keys_found(early_of(s, m, root, first), s->early.a, s->early.n);
    requires ids:      0 < m->outs.n && \valid_read(m->outs.a + (0 .. m->outs.n - 1)) &&
                       \valid_read(root + (0 .. m->outs.n - 1));
    requires outs:     (\forall integer k; 0 <= k < m->outs.n ==> 0 <= m->outs.a[k] < first) &&
                       \forall integer j, k; 0 <= j < k < m->outs.n ==> m->outs.a[j] != m->outs.a[k];
    requires roots:    \forall integer k; 0 <= k < m->outs.n ==> 0 <= root[k] < s->g->node.n &&
                       (root[k] < first ==> !s->uses->node.a[root[k]].dead);
    terminates \true;
    exits    never:    \false;
    assigns  *s->uses, *s->uses->mem, *d, { *p | struct use_node *p; \true }, { *q | struct use_slot *q; \true },
             { *k | int *k; \true }, s->early.a[0 .. s->early.n - 1],
             s->list.a[0 .. s->early.n + (s->g->node.n - first) - 1], s->g->node.a[0 .. s->g->node.n - 1],
             s->g->in.a[0 .. s->g->in.n - 1], s->g->output.a[0 .. s->g->output.n - 1],
             s->g->tensor.a[0 .. s->g->tensor.n - 1].bytes;
    assigns  s->g->tensor.a[0 .. s->g->tensor.n - 1].data \from \nothing;
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  none:     \let u = \old(s->uses); \let g = \old(s->g); \result != CALQUE_OK ==>
                       same_uses{Pre,Post}(u) && moved_uses{Pre,Post}(u) && graph_kept{Pre,Post}(g) && uses_ready(u, g);
    ensures  all:      \result == CALQUE_OK ==> all_in(\old(s->uses), \old(s->g));
    ensures  graph:    \let g = \old(s->g); g->node.a == \old(s->g->node.a) && g->node.n == \old(s->g->node.n) &&
                       g->in.a == \old(s->g->in.a) && g->in.n == \old(s->g->in.n) &&
                       g->output.a == \old(s->g->output.a) && g->output.n == \old(s->g->output.n);
    ensures  right:    \let u = \old(s->uses); \let g = \old(s->g); \result == CALQUE_OK ==>
                       \forall struct uses_view v, struct output_view w, struct order_view o;
                       views_of(v, w, o, u, g) ==> lists_kept(u, g, v, w, g->node.a) && lists_right(v, w, o, g->node.a);
    ensures  moved:    \result == CALQUE_OK ==> put_moved{Pre,Post}(\old(s->uses), \old(s->g),
                       \old(early_of(s, m, root, first)), \old(list_of(s, first)));
    ensures  others:   \let g = \old(s->g); \let outs = \old(m->outs.a); \let n = \old(m->outs.n); \result == CALQUE_OK ==>
                       \forall integer i; 0 <= i < g->in.n ==> !among{Pre}(outs, n, \at(g->in.a[i], Pre)) ==>
                       g->in.a[i] == \at(g->in.a[i], Pre);
    ensures  outputs:  \let outs = \old(m->outs.a); \let n = \old(m->outs.n); \result == CALQUE_OK ==>
                       \forall struct output_view w; outputs_in(w, \old(s->uses), \old(s->g)) ==>
                       outputs_moved{Pre,Post}(w, outs, root, n) && same_out_names{Pre,Post}(w);
    ensures  order:    \let u = \old(s->uses); \result == CALQUE_OK ==>
                       put_order{Pre,Post}(\at(u->node.a, Pre), u->node.a, \old(list_of(s, first)));
    ensures  stays:    \let u = \old(s->uses); \result == CALQUE_OK ==> \forall integer x; 0 <= x < first ==>
                       \at(u->node.a[x].dead, Pre) ==> u->node.a[x].dead;
    ensures  unneeded: \let u = \old(s->uses); \let g = \old(s->g); \result == CALQUE_OK ==>
                       \forall struct uses_view v, integer x; lists_of(v, u, g) ==> 0 <= x < v.n ==> v.node[x].dead ==>
                       (x < first && \at(u->node.a[x].dead, Pre)) || unneeded(v, g->node.a, x);
    ensures  replaced: \let u = \old(s->uses); \let g = \old(s->g); \result == CALQUE_OK ==>
                       \forall integer k; 0 <= k < \old(m->outs.n) ==>
                       g->node.a[\at(m->outs.a[k], Pre)].kind != NODE_INPUT ==> u->node.a[\at(m->outs.a[k], Pre)].dead;
    ensures  rest:     \let g = \old(s->g); \let outs = \old(m->outs.a); \let n = \old(m->outs.n); \result == CALQUE_OK ==>
                       \forall struct uses_view v, integer x; lists_of(v, \old(s->uses), g) ==> garbage(v, g->node.a, x) ==>
                       !among{Pre}(outs, n, x) && x < first;
    ensures  inside:   same_inside{Pre,Post}(\old(s->g->node.a), \old(s->g->node.n));
    ensures  named:    \let g = \old(s->g); \result == CALQUE_OK ==> \forall integer k; 0 <= k < \old(m->outs.n) ==>
                       \at(root[k], Pre) >= first ==> \at(g->node.a[m->outs.a[k]].name, Pre) >= 0 ==>
                       g->node.a[\at(root[k], Pre)].name >= 0;
    ensures  names:    \let g = \old(s->g); \let outs = \old(m->outs.a); \let n = \old(m->outs.n);
                       \forall integer x; 0 <= x < first ==> !among{Pre}(outs, n, x) ==>
                       g->node.a[x].name == \at(g->node.a[x].name, Pre) && g->node.a[x].label == \at(g->node.a[x].label, Pre);
    ensures  signed:   \let g = \old(s->g); \result == CALQUE_OK ==> \forall integer x; 0 <= x < \old(s->g->node.n) ==>
                       g->node.a[x].origin ==
                       (first <= x && g->node.a[x].kind != NODE_CONST ? from : \at(g->node.a[x].origin, Pre));
*/
enum calque_status splice_commit(struct splice *s, const struct matcher *m, const int *root, int first, int from,
                                 struct diag *d);

/* The memory of substitutions and the text of where new nodes come from. Not proved: memory management, printed text. */
/*@ requires valid:    \valid(s);
    terminates \true;
    exits    never:    \false;
    assigns  s->walk, s->list, s->early;
    ensures  empty:    s->early.n == 0 && s->early.cap == 0 && s->list.n == 0 && s->walk.seen.n == 0;
*/
void splice_free(struct splice *s);
/* The room that splice_check and splice_commit require, in arrays that are nothing else's: a stamp of each node that was
   there (new ones: 0), room for each of them in the walk and in s->early, for all nodes in s->list. */
/*@ requires valid:    \valid(s) && \valid_read(s->g) && 0 <= first <= s->g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  *s, *s->g->mem, *d, { *u | unsigned *u; \true };
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  empty:    s->early.n == 0 && s->list.n == 0;
    ensures  room:     \result == CALQUE_OK ==> \valid(s->early.a + (0 .. first - 1)) &&
                       \valid(s->list.a + (0 .. s->g->node.n - 1));
    ensures  stamps:   \result == CALQUE_OK ==> held_stamps(s) && first <= s->walk.seen.n;
*/
enum calque_status splice_room(struct splice *s, int first, struct diag *d);
/* What the match's rule is called and what it replaces: a string id, or -1 when memory is out. */
/*@ requires match:    \valid_read(s) && \valid_read(s->g) && \valid_read(m) && \valid_read(m->rules) &&
                       0 <= m->rule < m->rules->rule.n;
    terminates \true;
    exits    never:    \false;
    assigns  *s->g->strs, *s->g->strs->mem, *s->g->mem, *m->rules->mem, { *e | struct str_entry *e; \true },
             { *q | int *q; \true }, { *p | char *p; \true };
    ensures  id:       -1 <= \result < s->g->strs->entry.n;
*/
int splice_origin(const struct splice *s, const struct matcher *m);

#endif
