/* The parts of use lists: linking and cutting slots, outputs, dead nodes, new nodes, growth; what makes room. */
#ifndef CALQUE_GRAPH_USE_LIST_INTERNAL_H
#define CALQUE_GRAPH_USE_LIST_INTERNAL_H

#include "graph/topo_order.h"
#include "graph/use_list.h"

/* The arrays: n nodes, m slots; in is the graph's. */
struct uses_view {
    struct use_node *node;
    struct use_slot *slot;
    int *in;
    int n, m;
};

/* n nodes, m outputs, which are the graph's; next[k]: the next one of the same node, or -1. */
struct output_view {
    struct use_node *node;
    int *next;
    struct graph_output *out;
    int n, m;
};

#ifdef __FRAMAC__
#include "graph/uses.acsl"
#endif

/* Nothing is missing: what holds a node is met when its list is walked. With the lemma on_list_holds, the lists are exactly
   the inverse of g->in. */
/*@ ghost
/@ requires valid:    valid_uses(v);
   requires ok:       uses_ok(v);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  all:      \forall integer s; linked(v, s) ==> on_list(v, v.node[v.in[s]].head, s);
@/
void uses_all(struct uses_view v);
*/

/* Slot s, on no list, comes first on the list of the node it holds. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires slot:     0 <= s < v.m && v.slot[s].user < 0 && 0 <= v.in[s] < v.n;
    requires user:     0 <= user;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[v.in[s]].head, v.node[v.in[s]].count;
    ensures  ok:       uses_ok(v);
    ensures  user:     v.slot[s].user == user;
    ensures  users:    same_users_but{Pre,Post}(v, s);
    ensures  count:    v.node[v.in[s]].count == \old(v.node[v.in[s]].count) + 1;
    ensures  others:   same_heads{Pre,Post}(v, v.in[s]);
    ensures  in:       same_in{Pre,Post}(v);
*/
void uses_link(struct uses_view v, int s, int user);

/* Slot s leaves its list. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires slot:     linked(v, s);
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[v.in[s]].head, v.node[v.in[s]].count;
    ensures  ok:       uses_ok(v);
    ensures  user:     v.slot[s].user == -1;
    ensures  users:    same_users_but{Pre,Post}(v, s);
    ensures  count:    v.node[v.in[s]].count == \old(v.node[v.in[s]].count) - 1;
    ensures  others:   same_heads{Pre,Post}(v, v.in[s]);
    ensures  in:       same_in{Pre,Post}(v);
*/
void uses_cut(struct uses_view v, int s);

/* Every slot on a list that holds `from` now holds `to`. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires nodes:    0 <= from < v.n && 0 <= to < v.n && from != to;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1], v.node[from].head, v.node[from].count,
             v.node[to].head, v.node[to].count;
    ensures  ok:       uses_ok(v);
    ensures  users:    same_users{Pre,Post}(v);
    ensures  moved:    \forall integer s; 0 <= s < v.m ==>
                       v.in[s] == (\old(v.slot[s].user >= 0 && v.in[s] == from) ? to : \old(v.in[s]));
    ensures  none:     v.node[from].head == -1;
*/
void uses_redirect(struct uses_view v, int from, int to);

/* The inputs of node k, slots first .. first+n-1 on no list yet, come on the lists of the nodes they hold. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires range:    0 <= first && 0 <= n && first + n <= v.m && 0 <= k < v.n;
    requires fresh:    \forall integer s; first <= s < first + n ==> v.slot[s].user < 0 && v.in[s] < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  new:      \forall integer s; first <= s < first + n ==>
                       v.slot[s].user == (v.in[s] >= 0 ? k : \old(v.slot[s].user));
    ensures  old:      \forall integer s; 0 <= s < v.m ==> s < first || s >= first + n ==>
                       v.slot[s].user == \old(v.slot[s].user);
*/
void uses_enter(struct uses_view v, int first, int n, int k);

/* The slots first .. first+n-1 leave their lists, so far as node k uses them. */
/*@ requires valid:    valid_uses(v);
    requires ok:       uses_ok(v);
    requires range:    0 <= first && 0 <= n && first + n <= v.m && 0 <= k;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  gone:     \forall integer s; first <= s < first + n ==>
                       v.slot[s].user == (\old(v.slot[s].user) == k ? -1 : \old(v.slot[s].user));
    ensures  old:      \forall integer s; 0 <= s < v.m ==> s < first || s >= first + n ==>
                       v.slot[s].user == \old(v.slot[s].user);
    ensures  others:   \forall integer x; 0 <= x < v.n ==> (\forall integer s; first <= s < first + n ==> v.in[s] != x) ==>
                       v.node[x].head == \old(v.node[x].head) && v.node[x].count == \old(v.node[x].count);
    ensures  in:       same_in{Pre,Post}(v);
*/
void uses_leave(struct uses_view v, int first, int n, int k);

/* The proved lists of outputs: for each node the outputs of the graph that are it, linked one way. */

/* Nothing is missing: each output is met when the list of its node is walked. */
/*@ ghost
/@ requires valid:    valid_outputs(v);
   requires ok:       outputs_ok(v);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  all:      \forall integer k; 0 <= k < v.m ==> on_outputs(v, v.node[v.out[k].node].output, k);
@/
void outputs_all(struct output_view v);
*/

/* From scratch, for nodes that are on no list. */
/*@ requires valid:    valid_outputs(v);
    requires fresh:    \forall integer x; 0 <= x < v.n ==> v.node[x].output == -1 && v.node[x].outputs == 0;
    requires nodes:    \forall integer k; 0 <= k < v.m ==> 0 <= v.out[k].node < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.next[0 .. v.m - 1], v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  ok:       outputs_ok(v);
    ensures  same:     same_outs{Pre,Post}(v, -1);
*/
void outputs_build(struct output_view v);

/* Every output that is `from` now is `to`. */
/*@ requires valid:    valid_outputs(v);
    requires ok:       outputs_ok(v);
    requires nodes:    0 <= from < v.n && 0 <= to < v.n && from != to;
    terminates \true;
    exits    never:    \false;
    assigns  v.next[0 .. v.m - 1], v.out[0 .. v.m - 1].node, v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
    ensures  ok:       outputs_ok(v);
    ensures  moved:    \forall integer k; 0 <= k < v.m ==>
                       v.out[k].node == (\old(v.out[k].node) == from ? to : \old(v.out[k].node));
    ensures  none:     v.node[from].output == -1 && v.node[from].outputs == 0;
*/
void outputs_move(struct output_view v, int from, int to);

/* Dropping a node: what nothing needs any more dies, and its inputs lose their users. */
/* Node `node` dies if nothing needs it, and then its inputs likewise. The nodes that died are v.node[0 .. result-1].died. */
/*@ requires valid:    valid_uses(v) && valid_nodes(v, nd);
    requires ok:       uses_ok(v) && own_slots(v, nd) && inputs_linked(v, nd) && none_dead(v) && pending(v, 0, 0);
    requires inputs:   \forall integer s; 0 <= s < v.m ==> v.in[s] < v.n;
    requires node:     0 <= node < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count, v.node[0 .. v.n - 1].dead,
             v.node[0 .. v.n - 1].died;
    ensures  ok:       uses_ok(v);
    ensures  own:      own_slots(v, nd) && inputs_linked(v, nd);
    ensures  users:    pending(v, 0, 0);
    ensures  reads:    \forall integer k, s; 0 <= k < v.n ==> !v.node[k].dead ==> slot_of(nd, k, s) ==> v.in[s] >= 0 ==>
                       0 <= v.in[s] < v.n && !v.node[v.in[s]].dead;
    ensures  stays:    \forall integer x; 0 <= x < v.n ==> \old(v.node[x].dead) ==> v.node[x].dead;
    ensures  unneeded: \forall integer x; 0 <= x < v.n ==> v.node[x].dead ==> !\old(v.node[x].dead) ==> unneeded(v, nd, x);
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && x != node;
    ensures  written:  0 <= \result <= v.n && written(v, \result);
*/
int uses_die(struct uses_view v, const struct node *nd, int node);

/* Nodes appended to a graph come into the lists of users and, last, into the order. */
#ifdef __FRAMAC__
/* What growing requires and does; what it may assign is said where the provers see it best. */
#define GROW_REQUIRES                                                                          \
    requires valid:    valid_uses(w) && valid_nodes(v, nd) && valid_nodes(w, nd);              \
    requires views:    longer(v, w) && o.node == v.node && o.n == v.n;                         \
    requires ok:       uses_ok(v) && exact(v, nd);                                             \
    requires order:    order_ok(o);                                                            \
    requires inputs:   new_inputs(w, nd, v.n, v.m);
#define GROW_ENSURES                                                                           \
    ensures  view:     \result.node == w.node && \result.n == w.n;                             \
    ensures  ok:       uses_ok(w);                                                             \
    ensures  exact:    exact(w, nd);                                                           \
    ensures  old:      same_users{Pre,Post}(v);                                                \
    ensures  new:      entered(w, nd, v.n, w.n);                                               \
    ensures  order:    order_ok(\result);                                                      \
    ensures  kept:     kept_labels{Pre,Post}(w.node, v.n, -1);                                 \
    ensures  appended: appended(w.node, v.n, w.n);                                             \
    ensures  fresh:    \forall integer k; v.n <= k < w.n ==> w.node[k].outputs == 0 && w.node[k].output == -1 && !w.node[k].dead; \
    ensures  outputs:  \forall integer k; 0 <= k < v.n ==> w.node[k].outputs == \old(w.node[k].outputs) && \
                       w.node[k].output == \old(w.node[k].output) && w.node[k].dead == \old(w.node[k].dead);
#endif

/* From the lists v and order o to the lists w and the order that is returned; what w has more than v is not written yet. */
/*@ GROW_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  w.node[v.n .. w.n - 1].outputs, w.node[v.n .. w.n - 1].output, w.node[v.n .. w.n - 1].dead,
             w.node[v.n .. w.n - 1].died, w.node[0 .. w.n - 1].head, w.node[0 .. w.n - 1].count,
             w.node[0 .. w.n - 1].before, w.node[0 .. w.n - 1].after, w.node[0 .. w.n - 1].order, w.slot[0 .. w.m - 1];
    GROW_ENSURES
*/
struct order_view uses_grow(struct uses_view v, struct uses_view w, struct order_view o, const struct node *nd);

/* The order of the nodes of a graph's lists of users. */
/* The order of the nodes of u, and its ends as they are now. */
/*@ requires valid:    \valid_read(u);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     order_of(\result, u);
*/
struct order_view uses_order(const struct uses *u);

/* Its ends are those of v. */
/*@ requires valid:    \valid(u);
    requires view:     v.node == u->node.a && v.n == u->node.n;
    requires ends:     -1 <= v.first < v.n && -1 <= v.last < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  u->first, u->last;
    ensures  view:     order_of(v, u);
*/
void uses_reorder(struct uses *u, struct order_view v);

/* Node moves in the order to just before `next`; all others stand to each other as they did. o is the order of u. */
/*@ requires valid:    \valid(u) && valid_order(o);
    requires view:     order_of(o, u);
    requires ok:       order_ok(o);
    requires nodes:    0 <= node < o.n && 0 <= next < o.n;
    requires apart:    \base_addr(u) != \base_addr(o.node);
    terminates \true;
    exits    never:    \false;
    assigns  u->first, u->last, o.node[0 .. o.n - 1].before, o.node[0 .. o.n - 1].after, o.node[0 .. o.n - 1].order;
    ensures  order:    \forall struct order_view p; order_of(p, u) ==> order_ok(p);
    ensures  kept:     kept{Pre,Post}(o, node);
    ensures  here:     node != next ==> just_before(o, node, next);
    ensures  same:     node == next ==> kept{Pre,Post}(o, -1);
*/
void uses_place(struct uses *u, int node, int next) /*@ ghost (struct order_view o) */;

/* The lists of users and the order, kept those of a graph while it changes. In the contracts v, o are the lists of u for g. */
/* The lists of users that u keeps for g, and those of outputs. */
/*@ requires valid:    \valid_read(u) && \valid_read(g);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     lists_of(\result, u, g);
*/
struct uses_view uses_lists(const struct uses *u, const struct graph *g);
/*@ requires valid:    \valid_read(u) && \valid_read(g);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     outputs_in(\result, u, g);
*/
struct output_view uses_outputs(const struct uses *u, const struct graph *g);

/* Node loses its inputs (it became a constant). */
/*@ requires views:    \valid_read(u) && \valid_read(g) && lists_of(v, u, g);
    requires valid:    valid_uses(v) && valid_nodes(v, g->node.a) && \valid_read(g->node.a + (0 .. v.n - 1));
    requires ok:       uses_ok(v);
    requires node:     0 <= node < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count;
    ensures  ok:       uses_ok(v);
    ensures  gone:     \forall integer s; \old(slot_of(g->node.a, node, s)) ==>
                       v.slot[s].user == (\old(v.slot[s].user) == node ? -1 : \old(v.slot[s].user));
    ensures  old:      \forall integer s; 0 <= s < v.m ==> !\old(slot_of(g->node.a, node, s)) ==>
                       v.slot[s].user == \old(v.slot[s].user);
    ensures  in:       same_in{Pre,Post}(v);
*/
void uses_unlink(struct uses *u, struct graph *g, int node) /*@ ghost (struct uses_view v) */;

/* Marks node dead if nothing uses it, and then its inputs likewise; data of dead constants is freed. Graph
   inputs never die. */
/*@ requires views:    \valid_read(u) && \valid_read(g) && lists_of(v, u, g) && nd == g->node.a;
    requires valid:    valid_uses(v) && valid_nodes(v, nd) && valid_data(g, nd, v.n);
    requires apart:    \base_addr(g) != \base_addr(v.node) && \base_addr(g) != \base_addr(v.slot) &&
                       \base_addr(g) != \base_addr(g->tensor.a);
    requires ok:       uses_ok(v) && exact(v, nd);
    requires inputs:   \forall integer s; 0 <= s < v.m ==> v.in[s] < v.n;
    requires node:     0 <= node < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  v.slot[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count, v.node[0 .. v.n - 1].dead,
             v.node[0 .. v.n - 1].died, g->tensor.a[0 .. g->tensor.n - 1].bytes;
    assigns  g->tensor.a[0 .. g->tensor.n - 1].data \from \nothing;
    ensures  ok:       uses_ok(v) && exact(v, nd);
    ensures  stays:    \forall integer x; 0 <= x < v.n ==> \old(v.node[x].dead) ==> v.node[x].dead;
    ensures  unneeded: \forall integer x; 0 <= x < v.n ==> v.node[x].dead ==> !\old(v.node[x].dead) ==> unneeded(v, nd, x);
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && x != node;
*/
void uses_drop(struct uses *u, struct graph *g, int node)
    /*@ ghost (struct uses_view v, const struct node *nd) */;

/* All lists at once: those of a graph that has grown, and those of a graph from scratch. */
/* As uses_grow; the lists of outputs p, now q, stay: new nodes are no outputs. */
/*@ GROW_REQUIRES
    requires beside:   wider_outputs(p, q) && valid_outputs(q) && side_by_side(w, q) && p.n == v.n && outputs_ok(p);
    terminates \true;
    exits    never:    \false;
    assigns  w.node[0 .. w.n - 1], w.slot[0 .. w.m - 1];
    GROW_ENSURES
    ensures  lists:    outputs_ok(q);
*/
struct order_view lists_grow(struct uses_view v, struct uses_view w, struct order_view o, const struct node *nd)
    /*@ ghost (struct output_view p, struct output_view q) */;

/* From scratch: the lists are exactly the inverse of the inputs and outputs of the graph, and the order is that of the numbers. */
/*@ requires valid:    valid_uses(w) && valid_nodes(w, nd);
    requires outputs:  valid_outputs(q) && side_by_side(w, q) && nodes_aside(q, nd);
    requires inputs:   own_inputs(w, nd) && \forall integer s; 0 <= s < w.m ==> w.in[s] < w.n;
    requires nodes:    \forall integer k; 0 <= k < q.m ==> 0 <= q.out[k].node < q.n;
    terminates \true;
    exits    never:    \false;
    assigns  w.node[0 .. w.n - 1], w.slot[0 .. w.m - 1], q.next[0 .. q.m - 1];
    ensures  view:     \result.node == w.node && \result.n == w.n;
    ensures  ok:       uses_ok(w) && exact(w, nd);
    ensures  outputs:  outputs_ok(q);
    ensures  users:    entered(w, nd, 0, w.n);
    ensures  order:    order_ok(\result);
    ensures  numbers:  appended(w.node, 0, w.n);
    ensures  alive:    \forall integer k; 0 <= k < w.n ==> !w.node[k].dead;
*/
struct order_view lists_fill(struct uses_view w, struct output_view q, const struct node *nd);

/* Memory for the lists. Trusted: memory management; this contract is what use_list.c is proved from. */
#ifdef __FRAMAC__
#include "graph/carry.acsl"
#endif

/* Room for so many nodes, input slots and outputs in all; what is there stays as it is when memory is out. An array that
   grows is a block of its own, none of those that a caller holds, and these stay as they are. */
/*@ requires held:     held_uses(u) && held_nodes(g) && aside(u, g, d);
    requires counts:   0 <= nodes && 0 <= slots && 0 <= outputs;
    terminates \true;
    exits    never:    \false;
    assigns  *u, *u->mem, *d, { *p | struct use_node *p; \true }, { *q | struct use_slot *q; \true }, { *k | int *k; \true };
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  held:     held_uses(u) && held_nodes(g) && aside(u, g, d);
    ensures  same:     same_uses{Pre,Post}(u) && graph_kept{Pre,Post}(g);
    ensures  moved:    moved_uses{Pre,Post}(u);
    ensures  room:     \result == CALQUE_OK ==> room_for(u, nodes, slots, outputs);
    ensures  caller:   held_apart{Pre}(u, d) ==> held_same{Pre,Post} && held_apart(u, d);
*/
enum calque_status uses_room(struct uses *u, const struct graph *g, int nodes, int slots, int outputs, struct diag *d);

/* The lists of users and outputs and the order: from scratch, and for a graph that has grown. */
/* From scratch for graph g. When memory is out all is as it was. */
/*@ requires held:     held_uses(u) && held_nodes(g) && aside(u, g, d);
    requires graph:    ranges_in(g->node.a, g->node.n, g->in.n) && apart_from(g->node.a, 0, g->node.n) &&
                       ids_in(g->in.a, 0, g->in.n, g->node.n) && outs_in(g->output.a, g->output.n, g->node.n);
    terminates \true;
    exits    never:    \false;
    assigns  *u, *u->mem, *d, { *p | struct use_node *p; \true }, { *q | struct use_slot *q; \true }, { *k | int *k; \true };
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  held:     held_uses(u) && aside(u, g, d);
    ensures  same:     graph_kept{Pre,Post}(g) && u->mem == \old(u->mem);
    ensures  none:     \result != CALQUE_OK ==> same_uses{Pre,Post}(u) && moved_uses{Pre,Post}(u);
    ensures  all:      \result == CALQUE_OK ==> u->node.n == g->node.n && u->slot.n == g->in.n && u->output.n == g->output.n;
    ensures  ready:    \result == CALQUE_OK ==> uses_ready(u, g);
    ensures  numbers:  \result == CALQUE_OK ==> appended(u->node.a, 0, u->node.n);
    ensures  alive:    \result == CALQUE_OK ==> \forall integer k; 0 <= k < u->node.n ==> !u->node.a[k].dead;
*/
enum calque_status uses_build(struct uses *u, const struct graph *g, struct diag *d);

/* Takes in the nodes appended to g since; in the order they come last. When memory is out all is as it was. */
/*@ requires held:     held_uses(u) && held_nodes(g) && aside(u, g, d);
    requires ready:    uses_ready(u, g);
    requires new:      new_nodes(u, g);
    terminates \true;
    exits    never:    \false;
    assigns  *u, *u->mem, *d, { *p | struct use_node *p; \true }, { *q | struct use_slot *q; \true }, { *k | int *k; \true };
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  held:     held_uses(u) && aside(u, g, d);
    ensures  same:     graph_kept{Pre,Post}(g) && u->mem == \old(u->mem);
    ensures  none:     \result != CALQUE_OK ==> same_uses{Pre,Post}(u) && moved_uses{Pre,Post}(u);
    ensures  all:      \result == CALQUE_OK ==> u->node.n == g->node.n && u->slot.n == g->in.n && u->output.n == g->output.n;
    ensures  ready:    uses_ready(u, g);
    ensures  kept:     moved_labels{Pre,Post}(\old(u->node.a), u->node.a, \old(u->node.n));
    ensures  last:     \result == CALQUE_OK ==> appended(u->node.a, \old(u->node.n), u->node.n);
    ensures  dead:     carried_dead{Pre,Post}(\old(u->node.a), u->node.a, \old(u->node.n));
    ensures  alive:    \result == CALQUE_OK ==> \forall integer k; \old(u->node.n) <= k < u->node.n ==> !u->node.a[k].dead;
    ensures  caller:   held_apart{Pre}(u, d) ==> held_same{Pre,Post} && held_apart(u, d);
*/
enum calque_status uses_extend(struct uses *u, const struct graph *g, struct diag *d);

/* Lists and an order that the arrays of a struct uses hold become its own. */
/* The lists v, p and the order r, which the arrays of u now hold, are those of u. */
/*@ requires held:     held_uses(u) && held_nodes(g) && in_no_array(\base_addr(u), u, g) && \separated(u, g);
    requires views:    arrays_of(v, p, u, g) && r.node == v.node && r.n == v.n;
    requires room:     room_for(u, v.n, v.m, p.m) && v.n <= g->node.n && 0 <= v.n && 0 <= v.m && 0 <= p.m;
    requires nodes:    valid_nodes(v, g->node.a) && v.n == g->node.n && v.m == g->in.n && p.m == g->output.n;
    requires ready:    lists_ready(v, p, r, g->node.a);
    requires ends:     -1 <= r.first < r.n && -1 <= r.last < r.n;
    terminates \true;
    exits    never:    \false;
    assigns  *u;
    ensures  held:     held_uses(u);
    ensures  where:    u->node.a == \old(u->node.a) && u->slot.a == \old(u->slot.a) && u->output.a == \old(u->output.a);
    ensures  caps:     u->node.cap == \old(u->node.cap) && u->slot.cap == \old(u->slot.cap) && u->output.cap == \old(u->output.cap);
    ensures  views:    views_of(v, p, r, u, g);
    ensures  ready:    lists_ready(v, p, r, g->node.a);
    ensures  same:     graph_kept{Pre,Post}(g) && u->mem == \old(u->mem);
    ensures  dead:     carried_dead{Pre,Post}(v.node, v.node, v.n);
    ensures  labels:   carried_labels{Pre,Post}(v.node, v.node, v.n);
*/
void uses_take(struct uses *u, const struct graph *g, struct uses_view v, struct output_view p, struct order_view r);

/* The tensors of the constants among the nodes v.node[0 .. n - 1].died are freed. */
/*@ requires valid:    \valid_read(g) && nd == g->node.a && valid_uses(v) && valid_nodes(v, nd) && valid_data(g, nd, v.n);
    requires apart:    \base_addr(g) != \base_addr(g->tensor.a);
    requires nodes:    0 <= n <= v.n && \forall integer i; 0 <= i < n ==> 0 <= v.node[i].died < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  g->tensor.a[0 .. g->tensor.n - 1].bytes;
    assigns  g->tensor.a[0 .. g->tensor.n - 1].data \from \nothing;
    ensures  freed:    \forall integer i; 0 <= i < n ==> nd[v.node[i].died].kind == NODE_CONST ==>
                       no_data(g, nd[v.node[i].died].data);
*/
void uses_free_data(struct graph *g, struct uses_view v, int n) /*@ ghost (const struct node *nd) */;

#endif
