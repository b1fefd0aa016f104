#include "pattern/uses_build.h"

#include "pattern/uses_fill.h"
#include "pattern/uses_take.h"

/* All lists from scratch, where there is room for them. */
/*@ requires held:     held_uses(u) && held_nodes(g) && in_no_array(\base_addr(u), u, g) && \separated(u, g) && blocks_aside(u, g) &&
                       in_no_array(\base_addr(g), u, g);
    requires room:     room_for(u, g->node.n, g->in.n, g->output.n);
    requires graph:    ranges_in(g->node.a, g->node.n, g->in.n) && apart_from(g->node.a, 0, g->node.n) &&
                       ids_in(g->in.a, 0, g->in.n, g->node.n) && outs_in(g->output.a, g->output.n, g->node.n);
    terminates \true;
    exits    never:    \false;
    assigns  *u, u->node.a[0 .. g->node.n - 1], u->slot.a[0 .. g->in.n - 1], u->output.a[0 .. g->output.n - 1];
    ensures  held:     held_uses(u);
    ensures  where:    u->node.a == \old(u->node.a) && u->slot.a == \old(u->slot.a) && u->output.a == \old(u->output.a);
    ensures  caps:     u->node.cap == \old(u->node.cap) && u->slot.cap == \old(u->slot.cap) && u->output.cap == \old(u->output.cap);
    ensures  same:     graph_kept{Pre,Post}(g) && u->mem == \old(u->mem);
    ensures  all:      u->node.n == g->node.n && u->slot.n == g->in.n && u->output.n == g->output.n;
    ensures  ready:    uses_ready(u, g);
    ensures  numbers:  appended(u->node.a, 0, u->node.n);
    ensures  alive:    \forall integer k; 0 <= k < u->node.n ==> !u->node.a[k].dead;
*/
static void fill(struct uses *u, const struct graph *g)
{
    struct uses_view v = uses_lists(u, g);
    struct output_view p = uses_outputs(u, g);
    struct order_view r;

    v.n = p.n = g->node.n;
    v.m = g->in.n;
    p.m = g->output.n;
    /*@ assert valid: valid_uses(v); */
    /*@ assert nodes: valid_nodes(v, g->node.a); */
    /*@ assert own: own_inputs(v, g->node.a); */
    /*@ assert outputs: valid_outputs(p); */
    /*@ assert beside: side_by_side(v, p); */
    /*@ assert nodes_beside: nodes_aside(p, g->node.a); */
    /*@ assert far_node: \forall integer k; 0 <= k < g->in.n ==> \separated(g->in.a + k, u->node.a + (0 .. v.n - 1)); */
    /*@ assert far_slot: \forall integer k; 0 <= k < g->in.n ==> \separated(g->in.a + k, u->slot.a + (0 .. v.m - 1)); */
    /*@ assert far_next: \forall integer k; 0 <= k < g->in.n ==> \separated(g->in.a + k, u->output.a + (0 .. p.m - 1)); */
    /*@ assert off_node: \forall integer k; 0 <= k < g->output.n ==> \separated(g->output.a + k, u->node.a + (0 .. v.n - 1)); */
    /*@ assert off_slot: \forall integer k; 0 <= k < g->output.n ==> \separated(g->output.a + k, u->slot.a + (0 .. v.m - 1)); */
    /*@ assert off_next: \forall integer k; 0 <= k < g->output.n ==> \separated(g->output.a + k, u->output.a + (0 .. p.m - 1)); */
    /*@ assert g_far: \base_addr(g) != \base_addr(v.node) && \base_addr(g) != \base_addr(v.slot) && \base_addr(g) != \base_addr(p.next); */
    r = lists_fill(v, p, g->node.a);
    /*@ ghost Filled: ; */
    /*@ assert ends: -1 <= r.first < r.n && -1 <= r.last < r.n; */
    /*@ assert g_n: g->node.n == v.n; */
    /*@ assert g_m: g->in.n == v.m; */
    /*@ assert g_k: g->output.n == p.m; */
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
    /*@ assert valid_now: valid_nodes(v, g->node.a); */
    uses_take(u, g, v, p, r);
    /*@ assert after_in: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].in == \at(g->node.a[k].in, Pre); */
    /*@ assert after_nin: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].nin == \at(g->node.a[k].nin, Pre); */
    /*@ assert after_kind: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].kind == \at(g->node.a[k].kind, Pre); */
    /*@ assert after_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert after_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert after_outs: carried_outs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert after: graph_kept{Pre,Here}(g); */
    /*@ assert labels: kept_labels{Filled,Here}(v.node, v.n, -1); */
    /*@ assert last: appended(v.node, 0, v.n); */
    /*@ assert alive: \forall integer k; 0 <= k < v.n ==> !v.node[k].dead; */
}

enum calque_status uses_build(struct uses *u, const struct graph *g, struct diag *d)
{
    enum calque_status status = uses_room(u, g, g->node.n, g->in.n, g->output.n, d);

    if (status != CALQUE_OK)
        return status;
    /*@ assert ranges: ranges_in(g->node.a, g->node.n, g->in.n); */
    /*@ assert apart: apart_from(g->node.a, 0, g->node.n); */
    /*@ assert ids: ids_in(g->in.a, 0, g->in.n, g->node.n); */
    /*@ assert outs: outs_in(g->output.a, g->output.n, g->node.n); */
    fill(u, g);
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
