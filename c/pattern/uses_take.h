/* Lists and an order that the arrays of a struct uses hold become its own. */
#ifndef CALQUE_PATTERN_USES_TAKE_H
#define CALQUE_PATTERN_USES_TAKE_H

#include "pattern/uses_edit.h"

#ifdef __FRAMAC__
#include "pattern/room.acsl"
#endif

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

#endif
