/* The lists of users and the order, kept those of a graph while it changes. In the contracts v, o are the lists of u for g. */
#ifndef CALQUE_PATTERN_USES_EDIT_H
#define CALQUE_PATTERN_USES_EDIT_H

#include "pattern/uses_grow.h"
#include "pattern/uses_order.h"
#include "pattern/uses_output.h"

#ifdef __FRAMAC__
#include "pattern/edges.acsl"
#include "pattern/views.acsl"
#endif

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
    requires apart:    \base_addr(g) != \base_addr(v.node) && \base_addr(g) != \base_addr(v.slot);
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

#endif
