#include "pattern/uses_fill.h"

struct order_view lists_grow(struct uses_view v, struct uses_view w, struct order_view o, const struct node *nd)
    /*@ ghost (struct output_view p, struct output_view q) */
{
    struct order_view r;

    /*@ assert far: \forall integer k; 0 <= k < p.m ==> 0 <= p.out[k].node < p.n; */
    r = uses_grow(v, w, o, nd);
    /*@ assert outs_node: \forall integer k; 0 <= k < p.m ==> p.out[k].node == \at(p.out[k].node, Pre); */
    /*@ assert outs_name: \forall integer k; 0 <= k < p.m ==> p.out[k].name == \at(p.out[k].name, Pre); */
    /*@ assert outs: same_outs{Pre,Here}(p, -1); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(p, -1); */
    /*@ assert heads: same_out_heads{Pre,Here}(p, -1); */
    /*@ assert grew: outputs_grew{Pre,Here}(p, q); */
    return r;
}

struct order_view lists_fill(struct uses_view w, struct output_view q, const struct node *nd)
{
    struct uses_view none = w;
    struct order_view o = { .node = w.node, .n = 0, .first = -1, .last = -1 };

    none.n = none.m = 0;
    /*@ assert start: uses_ok(none) && exact(none, nd) && order_ok(o); */
    /*@ assert valid: valid_nodes(none, nd); */
    /*@ assert inputs: new_inputs(w, nd, 0, 0); */
    o = uses_grow(none, w, o, nd);
    /*@ ghost Grown: ; */
    /*@ assert outs: \forall integer k; 0 <= k < q.m ==> 0 <= q.out[k].node < q.n; */
    outputs_build(q);
    /*@ assert nodes_in: \forall integer y; 0 <= y < w.n ==> nd[y].in == \at(nd[y].in, Grown); */
    /*@ assert nodes_nin: \forall integer y; 0 <= y < w.n ==> nd[y].nin == \at(nd[y].nin, Grown); */
    /*@ assert nodes_kind: \forall integer y; 0 <= y < w.n ==> nd[y].kind == \at(nd[y].kind, Grown); */
    /*@ assert nodes: same_nodes{Grown,Here}(w, nd); */
    /*@ assert heads_head: \forall integer x; 0 <= x < w.n ==> w.node[x].head == \at(w.node[x].head, Grown); */
    /*@ assert heads_count: \forall integer x; 0 <= x < w.n ==> w.node[x].count == \at(w.node[x].count, Grown); */
    /*@ assert heads: same_heads{Grown,Here}(w, -1); */
    /*@ assert users: same_users{Grown,Here}(w); */
    /*@ assert prevs: same_prevs{Grown,Here}(w, -1, -1); */
    /*@ assert nexts: same_nexts{Grown,Here}(w, -1, -1); */
    /*@ assert in: same_in{Grown,Here}(w); */
    /*@ assert same: same_use_lists{Grown,Here}(w) && same_dead{Grown,Here}(w); */
    return o;
}
