/* The lists of users and outputs and the order: from scratch, and for a graph that has grown. */
#ifndef CALQUE_PATTERN_USES_BUILD_H
#define CALQUE_PATTERN_USES_BUILD_H

#include "pattern/uses_arrays.h"

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

#endif
