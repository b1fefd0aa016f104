#include "pattern/uses_fill.h"

/* uses_grow, with whole nodes in `assigns`: so the provers see what it leaves. */
/*@ GROW_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  w.node[0 .. w.n - 1], w.slot[0 .. w.m - 1];
    GROW_ENSURES
*/
static struct order_view grow(struct uses_view v, struct uses_view w, struct order_view o, const struct node *nd)
{
    /*@ assert range: 0 <= v.n <= w.n && 0 <= w.m && w.node == v.node; */
    return uses_grow(v, w, o, nd);
}

struct order_view lists_grow(struct uses_view v, struct uses_view w, struct order_view o, const struct node *nd)
    /*@ ghost (struct output_view p, struct output_view q) */
{
    struct order_view r;

    /*@ assert far: \forall integer k; 0 <= k < p.m ==> 0 <= p.out[k].node < p.n; */
    /*@ assert far_node: \forall integer k; 0 <= k < q.m ==> \separated(q.out + k, w.node + (0 .. w.n - 1)); */
    /*@ assert far_slot: \forall integer k; 0 <= k < q.m ==> \separated(q.out + k, w.slot + (0 .. w.m - 1)); */
    r = grow(v, w, o, nd);
    /*@ assert outs_node: \forall integer k; 0 <= k < p.m ==> p.out[k].node == \at(p.out[k].node, Pre); */
    /*@ assert outs_name: \forall integer k; 0 <= k < p.m ==> p.out[k].name == \at(p.out[k].name, Pre); */
    /*@ assert outs: same_outs{Pre,Here}(p, -1); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(p, -1); */
    /*@ assert heads: same_out_heads{Pre,Here}(p, -1); */
    /*@ assert grew: outputs_grew{Pre,Here}(p, q); */
    return r;
}

/* The lists of outputs from scratch; those of users stay. */
/*@ requires valid:    valid_uses(v) && valid_outputs(o) && side_by_side(v, o);
    requires graph:    valid_nodes(v, nd) && nodes_aside(o, nd);
    requires ok:       uses_ok(v);
    requires fresh:    \forall integer x; 0 <= x < o.n ==> o.node[x].output == -1 && o.node[x].outputs == 0;
    requires nodes:    \forall integer k; 0 <= k < o.m ==> 0 <= o.out[k].node < o.n;
    terminates \true;
    exits    never:    \false;
    assigns  o.next[0 .. o.m - 1], o.node[0 .. o.n - 1].output, o.node[0 .. o.n - 1].outputs;
    ensures  ok:       outputs_ok(o);
    ensures  uses:     uses_ok(v);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
    ensures  still:    same_use_lists{Pre,Post}(v);
*/
static void build_beside(struct uses_view v, struct output_view o)
    /*@ ghost (const struct node *nd) */
{
    (void)v; /* only the contract speaks of them */
    /*@ assert far: \forall integer x; 0 <= x < v.n ==> \separated(&v.node[x].head, o.next + (0 .. o.m - 1)); */
    /*@ assert far_count: \forall integer x; 0 <= x < v.n ==> \separated(&v.node[x].count, o.next + (0 .. o.m - 1)); */
    /*@ assert own: \forall integer x, y; 0 <= x < v.n ==> 0 <= y < v.n ==> &v.node[x].head != &o.node[y].output; */
    /*@ assert own_count: \forall integer x, y; 0 <= x < v.n ==> 0 <= y < v.n ==> &v.node[x].count != &o.node[y].output; */
    outputs_build(o);
    /*@ assert nodes_in: \forall integer y; 0 <= y < v.n ==> nd[y].in == \at(nd[y].in, Pre); */
    /*@ assert nodes_nin: \forall integer y; 0 <= y < v.n ==> nd[y].nin == \at(nd[y].nin, Pre); */
    /*@ assert nodes_kind: \forall integer y; 0 <= y < v.n ==> nd[y].kind == \at(nd[y].kind, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert heads_head: \forall integer x; 0 <= x < v.n ==> v.node[x].head == \at(v.node[x].head, Pre); */
    /*@ assert heads_count: \forall integer x; 0 <= x < v.n ==> v.node[x].count == \at(v.node[x].count, Pre); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert prevs: same_prevs{Pre,Here}(v, -1, -1); */
    /*@ assert nexts: same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert in: same_in{Pre,Here}(v); */
}

struct order_view lists_fill(struct uses_view w, struct output_view q, const struct node *nd)
{
    struct uses_view none = w;
    struct order_view o = { .node = w.node, .n = 0, .first = -1, .last = -1 };

    none.n = none.m = 0;
    /*@ assert start: uses_ok(none) && exact(none, nd) && order_ok(o); */
    /*@ assert valid: valid_nodes(none, nd); */
    /*@ assert inputs: new_inputs(w, nd, 0, 0); */
    o = grow(none, w, o, nd);
    /*@ ghost Grown: ; */
    /*@ assert nodes_in: \forall integer y; 0 <= y < w.n ==> nd[y].in == \at(nd[y].in, Pre); */
    /*@ assert nodes_nin: \forall integer y; 0 <= y < w.n ==> nd[y].nin == \at(nd[y].nin, Pre); */
    /*@ assert graph: valid_nodes(w, nd); */
    /*@ assert outs: \forall integer k; 0 <= k < q.m ==> 0 <= q.out[k].node < q.n; */
    /*@ assert same_nodes: q.node == w.node && q.n == w.n; */
    build_beside(w, q) /*@ ghost (nd) */;
    /*@ assert same: same_use_lists{Grown,Here}(w) && same_dead{Grown,Here}(w); */
    return o;
}
