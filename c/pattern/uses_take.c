#include "pattern/uses_take.h"

/* What u says of its arrays. */
/*@ requires valid:    \valid(u) && -1 <= r.first < r.n && -1 <= r.last < r.n;
    terminates \true;
    exits    never:    \false;
    assigns  *u;
    ensures  counts:   u->node.n == v.n && u->slot.n == v.m && u->output.n == m;
    ensures  ends:     u->first == r.first && u->last == r.last;
    ensures  arrays:   u->node.a == \old(u->node.a) && u->slot.a == \old(u->slot.a) && u->output.a == \old(u->output.a);
    ensures  caps:     u->node.cap == \old(u->node.cap) && u->slot.cap == \old(u->slot.cap) && u->output.cap == \old(u->output.cap);
    ensures  mem:      u->mem == \old(u->mem);
*/
static void put(struct uses *u, struct uses_view v, int m, struct order_view r)
{
    u->node.n = v.n;
    u->slot.n = v.m;
    u->output.n = m;
    u->first = (int)r.first;
    u->last = (int)r.last;
}

void uses_take(struct uses *u, const struct graph *g, struct uses_view v, struct output_view p, struct order_view r)
{
    (void)g; /* only the contract speaks of it */
    put(u, v, p.m, r);
    /*@ assert graph_in: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].in == \at(g->node.a[k].in, Pre); */
    /*@ assert graph_nin: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].nin == \at(g->node.a[k].nin, Pre); */
    /*@ assert graph_kind: \forall integer k; 0 <= k < g->node.n ==> g->node.a[k].kind == \at(g->node.a[k].kind, Pre); */
    /*@ assert graph_nodes: carried_nodes{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert graph_ids: carried_ints{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert graph_outs: carried_outs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert graph: graph_kept{Pre,Here}(g); */
    /*@ assert head: \forall integer k; 0 <= k < v.n ==> v.node[k].head == \at(v.node[k].head, Pre); */
    /*@ assert count: \forall integer k; 0 <= k < v.n ==> v.node[k].count == \at(v.node[k].count, Pre); */
    /*@ assert user: \forall integer s; 0 <= s < v.m ==> v.slot[s].user == \at(v.slot[s].user, Pre); */
    /*@ assert next: \forall integer s; 0 <= s < v.m ==> v.slot[s].next == \at(v.slot[s].next, Pre); */
    /*@ assert prev: \forall integer s; 0 <= s < v.m ==> v.slot[s].prev == \at(v.slot[s].prev, Pre); */
    /*@ assert dead: carried_dead{Pre,Here}(v.node, v.node, v.n); */
    /*@ assert lists: carried_lists{Pre,Here}(v, v); */
    /*@ assert all: carried_all{Pre,Here}(v, v, g->node.a); */
    /*@ assert valid: valid_nodes(v, g->node.a); */
    /*@ assert uses: uses_ok(v); */
    /*@ assert exact: exact(v, g->node.a); */
    /*@ assert output: \forall integer k; 0 <= k < v.n ==> v.node[k].output == \at(v.node[k].output, Pre); */
    /*@ assert outputs: \forall integer k; 0 <= k < v.n ==> v.node[k].outputs == \at(v.node[k].outputs, Pre); */
    /*@ assert nexts: carried_ints{Pre,Here}(p.next, p.next, p.m); */
    /*@ assert carried: carried_outputs{Pre,Here}(p, p); */
    /*@ assert outputs_ok: outputs_ok(p); */
    /*@ assert links: carried_links{Pre,Here}(r.node, r.node, r.n); */
    /*@ assert labels: carried_labels{Pre,Here}(r.node, r.node, r.n); */
    /*@ assert order: order_ok(r); */
    /*@ assert view_v: lists_of(v, u, g); */
    /*@ assert view_p: outputs_in(p, u, g); */
    /*@ assert view_r: order_of(r, u); */
}
