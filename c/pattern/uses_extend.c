#include "pattern/uses_build.h"

#include "pattern/uses_fill.h"
#include "pattern/uses_take.h"

#ifdef __FRAMAC__
#include "pattern/carry_ranges.acsl"
#endif

/* uses_room, and the lists are those of the graph wherever they stand. */
/*@ requires held:     held_uses(u) && held_nodes(g) && aside(u, g, d);
    requires ready:    uses_ready(u, g);
    requires new:      new_nodes(u, g);
    terminates \true;
    exits    never:    \false;
    assigns  *u, *u->mem, *d, { *p | struct use_node *p; \true }, { *q | struct use_slot *q; \true }, { *k | int *k; \true };
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  held:     held_uses(u) && held_nodes(g) && aside(u, g, d);
    ensures  same:     same_uses{Pre,Post}(u) && graph_kept{Pre,Post}(g);
    ensures  moved:    moved_uses{Pre,Post}(u);
    ensures  room:     \result == CALQUE_OK ==> room_for(u, g->node.n, g->in.n, u->output.n);
    ensures  ready:    uses_ready(u, g);
    ensures  new:      new_nodes(u, g);
    ensures  caller:   held_apart{Pre}(u, d) ==> held_same{Pre,Post} && held_apart(u, d);
*/
static enum calque_status make_room(struct uses *u, const struct graph *g, struct diag *d)
{
    enum calque_status status;
    /*@ ghost struct uses_view v = { .node = u->node.a, .slot = u->slot.a, .in = g->in.a, .n = u->node.n, .m = u->slot.n }; */
    /*@ ghost struct output_view p = { .node = u->node.a, .next = u->output.a, .out = g->output.a, .n = u->node.n,
                                       .m = u->output.n }; */
    /*@ ghost struct order_view o = { .node = u->node.a, .n = u->node.n, .first = u->first, .last = u->last }; */

    /*@ assert views: views_of(v, p, o, u, g); */
    /*@ assert lists: lists_ready(v, p, o, g->node.a); */
    /*@ ghost Before: ; */
    status = uses_room(u, g, g->node.n, g->in.n, u->output.n, d);
    /*@ assert caller: held_apart{Pre}(u, d) ==> held_same{Pre,Here} && held_apart(u, d); */
    /*@ ghost struct uses_view w = v;
              struct output_view q = p;
              struct order_view r = o; */
    /*@ ghost w.node = q.node = r.node = u->node.a;
              w.slot = u->slot.a;
              q.next = u->output.a; */
    /*@ assert views_now: views_of(w, q, r, u, g); */
    /*@ assert heads: carried_heads{Before,Here}(v.node, w.node, v.n); */
    /*@ assert slots: carried_slots{Before,Here}(v.slot, w.slot, v.m); */
    /*@ assert ids: carried_ints{Before,Here}(v.in, w.in, v.m); */
    /*@ assert dead: carried_dead{Before,Here}(v.node, w.node, v.n); */
    /*@ assert nodes: carried_nodes{Before,Here}(g->node.a, v.n); */
    /*@ assert all: carried_all{Before,Here}(v, w, g->node.a); */
    /*@ assert valid: valid_nodes(w, g->node.a); */
    /*@ assert uses: uses_ok(w); */
    /*@ assert exact: exact(w, g->node.a); */
    /*@ assert outputs: carried_outputs{Before,Here}(p, q); */
    /*@ assert outputs_ok: outputs_ok(q); */
    /*@ assert order: carried_order{Before,Here}(o, r); */
    /*@ assert order_ok: order_ok(r); */
    /*@ assert ranges_old: ranges_in(g->node.a, u->node.n, u->slot.n); */
    /*@ assert ranges: ranges_in(g->node.a, g->node.n, g->in.n); */
    /*@ assert counts: g->node.n == \at(g->node.n, Pre) && u->node.n == \at(u->node.n, Pre); */
    /*@ assert all_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert apart_old: apart_from{Pre}(g->node.a, u->node.n, g->node.n); */
    /*@ assert apart: apart_from(g->node.a, u->node.n, g->node.n); */
    /*@ assert new_slots: \forall integer k; u->node.n <= k < g->node.n ==> u->slot.n <= g->node.a[k].in ||
                          g->node.a[k].nin == 0; */
    /*@ assert new_ids: ids_in(g->in.a, u->slot.n, g->in.n, g->node.n); */
    /*@ assert living_old: hold_living{Pre}(g->in.a, u->slot.n, g->in.n, v.node, u->node.n); */
    /*@ assert all_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert living: hold_living(g->in.a, u->slot.n, g->in.n, u->node.a, u->node.n); */
    /*@ assert new_dead: \forall integer s; u->slot.n <= s < g->in.n ==> 0 <= g->in.a[s] < u->node.n ==>
                         !u->node.a[g->in.a[s]].dead; */
    return status;
}

/* The new nodes come in, where there is room for them. */
/*@ requires held:     held_uses(u) && held_nodes(g) && in_no_array(\base_addr(u), u, g) && \separated(u, g) && blocks_aside(u, g) &&
                       in_no_array(\base_addr(g), u, g);
    requires ready:    uses_ready(u, g);
    requires new:      new_nodes(u, g);
    requires room:     room_for(u, g->node.n, g->in.n, u->output.n);
    terminates \true;
    exits    never:    \false;
    assigns  *u, u->node.a[0 .. g->node.n - 1], u->slot.a[0 .. g->in.n - 1];
    ensures  held:     held_uses(u);
    ensures  where:    u->node.a == \old(u->node.a) && u->slot.a == \old(u->slot.a) && u->output.a == \old(u->output.a);
    ensures  caps:     u->node.cap == \old(u->node.cap) && u->slot.cap == \old(u->slot.cap) && u->output.cap == \old(u->output.cap);
    ensures  same:     graph_kept{Pre,Post}(g) && u->mem == \old(u->mem);
    ensures  all:      u->node.n == g->node.n && u->slot.n == g->in.n && u->output.n == g->output.n;
    ensures  ready:    uses_ready(u, g);
    ensures  kept:     kept_labels{Pre,Post}(u->node.a, \old(u->node.n), -1);
    ensures  last:     appended(u->node.a, \old(u->node.n), u->node.n);
    ensures  dead:     carried_dead{Pre,Post}(u->node.a, u->node.a, \old(u->node.n));
    ensures  alive:    \forall integer k; \old(u->node.n) <= k < u->node.n ==> !u->node.a[k].dead;
*/
static void grow(struct uses *u, const struct graph *g)
{
    struct uses_view v = uses_lists(u, g), w = v;
    struct order_view o = uses_order(u);
    struct output_view q = uses_outputs(u, g);
    /*@ ghost struct output_view p = q; */

    w.n = g->node.n;
    w.m = g->in.n;
    q.n = w.n;
    /*@ assert views: views_of(v, p, o, u, g); */
    /*@ assert lists: lists_ready(v, p, o, g->node.a); */
    /*@ assert valid: valid_uses(w); */
    /*@ assert nodes_old: valid_nodes(v, g->node.a); */
    /*@ assert ranges: ranges_in(g->node.a, w.n, w.m); */
    /*@ assert nodes: valid_nodes(w, g->node.a); */
    /*@ assert inputs_new: \forall integer k, s; v.n <= k < w.n ==> slot_of(g->node.a, k, s) ==> v.m <= s; */
    /*@ assert inputs_own: \forall integer j, k, s; v.n <= j < w.n ==> v.n <= k < w.n ==> slot_of(g->node.a, j, s) ==>
                           slot_of(g->node.a, k, s) ==> j == k; */
    /*@ assert inputs: new_inputs(w, g->node.a, v.n, v.m); */
    /*@ assert outputs: valid_outputs(q); */
    /*@ assert beside: side_by_side(w, q); */
    /*@ assert far_node: \forall integer k; 0 <= k < g->in.n ==> \separated(g->in.a + k, u->node.a + (0 .. w.n - 1)); */
    /*@ assert far_slot: \forall integer k; 0 <= k < g->in.n ==> \separated(g->in.a + k, u->slot.a + (0 .. w.m - 1)); */
    /*@ assert off_node: \forall integer k; 0 <= k < g->output.n ==> \separated(g->output.a + k, u->node.a + (0 .. w.n - 1)); */
    /*@ assert off_slot: \forall integer k; 0 <= k < g->output.n ==> \separated(g->output.a + k, u->slot.a + (0 .. w.m - 1)); */
    /*@ assert g_far: \base_addr(g) != \base_addr(v.node) && \base_addr(g) != \base_addr(v.slot); */
    o = lists_grow(v, w, o, g->node.a) /*@ ghost (p, q) */;
    /*@ ghost Grown: ; */
    /*@ assert ends: -1 <= o.first < o.n && -1 <= o.last < o.n; */
    /*@ assert g_n: g->node.n == w.n; */
    /*@ assert g_m: g->in.n == w.m; */
    /*@ assert g_k: g->output.n == q.m; */
    /*@ assert still_in: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].in == \at(g->node.a[k].in, Pre); */
    /*@ assert still_nin: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].nin == \at(g->node.a[k].nin, Pre); */
    /*@ assert still_kind: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].kind == \at(g->node.a[k].kind, Pre); */
    /*@ assert still_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert still_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert still_outs: carried_outs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert still: graph_kept{Pre,Here}(g); */
    /*@ assert u_n: u->node.n == \at(u->node.n, Pre) && u->node.cap == \at(u->node.cap, Pre); */
    /*@ assert u_m: u->slot.n == \at(u->slot.n, Pre) && u->slot.cap == \at(u->slot.cap, Pre); */
    /*@ assert u_k: u->output.n == \at(u->output.n, Pre) && u->output.cap == \at(u->output.cap, Pre); */
    /*@ assert u_a: u->node.a == \at(u->node.a, Pre) && u->slot.a == \at(u->slot.a, Pre) && u->output.a == \at(u->output.a, Pre); */
    /*@ assert held: held_uses(u); */
    /*@ assert valid_now: valid_nodes(w, g->node.a); */
    uses_take(u, g, w, q, o);
    /*@ assert after_in: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].in == \at(g->node.a[k].in, Pre); */
    /*@ assert after_nin: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].nin == \at(g->node.a[k].nin, Pre); */
    /*@ assert after_kind: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].kind == \at(g->node.a[k].kind, Pre); */
    /*@ assert after_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert after_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert after_outs: carried_outs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert after: graph_kept{Pre,Here}(g); */
    /*@ assert labels: kept_labels{Grown,Here}(w.node, w.n, -1); */
    /*@ assert last: appended(w.node, v.n, w.n); */
    /*@ assert alive: \forall integer k; v.n <= k < w.n ==> !w.node[k].dead; */
}

enum calque_status uses_extend(struct uses *u, const struct graph *g, struct diag *d)
{
    enum calque_status status = make_room(u, g, d);

    /*@ ghost Room: ; */
    if (status != CALQUE_OK)
        return status;
    grow(u, g);
    /*@ assert held_int: held_apart{Room}(u, d) ==> held_ints{Room,Here}; */
    /*@ assert held_long: held_apart{Room}(u, d) ==> held_longs{Room,Here}; */
    /*@ assert held_label: held_apart{Room}(u, d) ==> held_labels{Room,Here}; */
    /*@ assert held_still: held_apart{Room}(u, d) ==> held_apart(u, d); */
    /*@ assert caller: held_apart{Pre}(u, d) ==> held_same{Pre,Here} && held_apart(u, d); */
    /*@ assert labels: kept_labels{Room,Here}(u->node.a, \at(u->node.n, Pre), -1); */
    /*@ assert where: u->node.a == \at(u->node.a, Room); */
    /*@ assert moved: carried_labels{Pre,Room}(\at(u->node.a, Pre), u->node.a, \at(u->node.n, Pre)); */
    /*@ assert still: moved_labels{Pre,Here}(\at(u->node.a, Pre), u->node.a, \at(u->node.n, Pre)); */
    /*@ assert dead: carried_dead{Pre,Here}(\at(u->node.a, Pre), u->node.a, \at(u->node.n, Pre)); */
    /*@ assert same_in: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].in == \at(g->node.a[k].in, Pre); */
    /*@ assert same_nin: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].nin == \at(g->node.a[k].nin, Pre); */
    /*@ assert same_kind: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].kind == \at(g->node.a[k].kind, Pre); */
    /*@ assert same_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert same_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert same_outs: carried_outs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert same: graph_kept{Pre,Here}(g); */
    /*@ assert arrays: blocks_aside(u, g); */
    /*@ assert no_u: in_no_array(\base_addr(u), u, g); */
    /*@ assert no_mem: in_no_array(\base_addr(u->mem), u, g); */
    /*@ assert no_g: in_no_array(\base_addr(g), u, g); */
    /*@ assert no_d: in_no_array(\base_addr(d), u, g); */
    /*@ assert aside: aside(u, g, d); */
    return CALQUE_OK;
}
