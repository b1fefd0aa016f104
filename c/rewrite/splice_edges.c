#include "rewrite/splice_edges.h"

/* uses_drop, with whole nodes in `assigns`: so the provers see what it leaves. */
/*@ requires kept:     lists_kept(u, g, v, o, nd);
    requires ok:       uses_ok(v) && exact(v, nd);
    requires node:     0 <= x < v.n;
    terminates \true;
    exits    never:    \false;
    DROP_ASSIGNS
    ensures  ok:       uses_ok(v) && exact(v, nd);
    ensures  stays:    stay_dead{Pre,Post}(v);
    ensures  unneeded: died_unneeded{Pre,Post}(v, nd);
    ensures  rest:     \forall integer y; garbage(v, nd, y) ==> garbage{Pre}(v, nd, y) && y != x;
    ensures  order:    same_order{Pre,Post}(v);
    ensures  outputs:  same_out_heads{Pre,Post}(o, -1);
*/
static void drop_node(struct uses *u, struct graph *g, int x)
    /*@ ghost (struct uses_view v, struct output_view o, const struct node *nd) */
{
    /*@ assert far_output: \forall integer y; \separated(&o.node[y].output, v.slot + (0 .. v.m - 1)); */
    /*@ assert own_output: \forall integer y, z; &o.node[y].output != &v.node[z].head && &o.node[y].output != &v.node[z].count; */
    uses_drop(u, g, x) /*@ ghost (v, nd) */;
    /*@ assert before: \forall integer y; 0 <= y < v.n ==> v.node[y].before == \at(v.node[y].before, Pre); */
    /*@ assert after: \forall integer y; 0 <= y < v.n ==> v.node[y].after == \at(v.node[y].after, Pre); */
    /*@ assert labels: \forall integer y; 0 <= y < v.n ==> v.node[y].order == \at(v.node[y].order, Pre); */
    /*@ assert output: \forall integer y; 0 <= y < v.n ==> o.node[y].output == \at(o.node[y].output, Pre); */
    /*@ assert outputs: \forall integer y; 0 <= y < v.n ==> o.node[y].outputs == \at(o.node[y].outputs, Pre); */
}

/* Node x dies, if nothing needs it, and then its inputs likewise. */
/*@ requires kept:     lists_kept(u, g, v, o, nd);
    requires ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd) && topological(v);
    requires node:     0 <= x < v.n;
    terminates \true;
    exits    never:    \false;
    DROP_ASSIGNS
    DROP_KEEPS
    ensures  still:    \forall integer y; unneeded{Pre}(v, nd, y) ==> unneeded(v, nd, y);
    ensures  rest:     \forall integer y; garbage(v, nd, y) ==> garbage{Pre}(v, nd, y) && y != x;
*/
static void drop(struct uses *u, struct graph *g, int x)
    /*@ ghost (struct uses_view v, struct output_view o, const struct node *nd) */
{
    /*@ assert apart: lists_apart(u, g, v, o, nd); */
    /*@ ghost uses_all(v); */
    /*@ assert unread: \forall integer y, s; unneeded(v, nd, y) ==> linked(v, s) ==> v.in[s] != y; */
    drop_node(u, g, x) /*@ ghost (v, o, nd) */;
    /*@ assert nodes_n: v.n == u->node.n; */
    /*@ assert slots_n: v.m == u->slot.n; */
    /*@ assert outputs_n: o.m == u->output.n; */
    /*@ assert graph_n: g->node.n == v.n; */
    /*@ assert tensors: g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert arrays: v.node == u->node.a && v.slot == u->slot.a && o.next == u->output.a; */
    /*@ assert graph: v.in == g->in.a && o.out == g->output.a && nd == g->node.a && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert views: lists_of(v, u, g) && outputs_in(o, u, g); */
    /*@ assert nodes_in: \forall integer k; 0 <= k < v.n ==> nd[k].in == \at(nd[k].in, Pre); */
    /*@ assert nodes_nin: \forall integer k; 0 <= k < v.n ==> nd[k].nin == \at(nd[k].nin, Pre); */
    /*@ assert nodes_kind: \forall integer k; 0 <= k < v.n ==> nd[k].kind == \at(nd[k].kind, Pre); */
    /*@ assert nodes_data: \forall integer k; 0 <= k < v.n ==> nd[k].data == \at(nd[k].data, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd) && valid_data(g, nd, v.n); */
    /*@ assert in: \forall integer s; 0 <= s < v.m ==> v.in[s] == \at(v.in[s], Pre); */
    /*@ assert fewer: same_in{Pre,Here}(v) && fewer_users{Pre,Here}(v); */
    /*@ assert out: \forall integer k; 0 <= k < o.m ==> o.out[k].node == \at(o.out[k].node, Pre); */
    /*@ assert out_name: \forall integer k; 0 <= k < o.m ==> o.out[k].name == \at(o.out[k].name, Pre); */
    /*@ assert out_next: \forall integer k; 0 <= k < o.m ==> o.next[k] == \at(o.next[k], Pre); */
    /*@ assert nexts: same_outs{Pre,Here}(o, -1) && same_out_nexts{Pre,Here}(o, -1); */
    /*@ assert lists: same_output_lists{Pre,Here}(o); */
    /*@ assert grew: wider_outputs(o, o) && outputs_grew{Pre,Here}(o, o); */
    /*@ assert ok: uses_ok(v) && outputs_ok(o); */
    /*@ assert heads: \forall integer y; 0 <= y < v.n ==> v.node[y].head >= 0 ==> holds(v, v.node[y].head, y); */
    /*@ assert held: \forall integer y, s; holds(v, s, y) ==> linked{Pre}(v, s) && \at(v.in[s], Pre) == y; */
    /*@ assert unread_still: \forall integer y, s; unneeded{Pre}(v, nd, y) ==> holds(v, s, y) ==> \false; */
    /*@ assert range: \forall integer y; unneeded{Pre}(v, nd, y) ==> 0 <= y < v.n; */
    /*@ assert unheld: \forall integer y; unneeded{Pre}(v, nd, y) ==> v.node[y].head < 0; */
    /*@ assert slots: \forall integer k; 0 <= k < v.n ==> 0 <= nd[k].in && 0 <= nd[k].nin && nd[k].in + nd[k].nin <= v.m; */
    /*@ assert valid_nodes: valid_nodes(v, nd); */
    /*@ assert valid: valid_uses(v) && valid_outputs(o) && side_by_side(v, o) && nodes_aside(o, nd); */
    /*@ assert still_apart: lists_apart(u, g, v, o, nd); */
}

/* The outputs do. */
/*@ requires kept:     lists_kept(u, g, v, o, nd);
    requires ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd) && topological(v);
    requires nodes:    0 <= outs && \valid_read(out + (0 .. outs - 1)) && own_block(v, out) &&
                       \forall integer k; 0 <= k < outs ==> 0 <= out[k] < v.n;
    terminates \true;
    exits    never:    \false;
    DROP_ASSIGNS
    DROP_KEEPS
    ensures  still:    \forall integer y; unneeded{Pre}(v, nd, y) ==> unneeded(v, nd, y);
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && !among(out, outs, x);
    ensures  same:     \forall integer k; 0 <= k < outs ==> out[k] == \old(out[k]);
*/
static void drop_outs(struct uses *u, struct graph *g, const int *out, int outs)
    /*@ ghost (struct uses_view v, struct output_view o, const struct node *nd) */
{
    /*@ ghost struct tensor *ts = g->tensor.a; int nts = g->tensor.n; */
    /*@ loop invariant range:    0 <= k <= outs;
        loop invariant kept:     lists_kept(u, g, v, o, nd);
        loop invariant ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd);
        loop invariant topology: topological(v);
        loop invariant order:    same_order{Pre,Here}(v);
        loop invariant fewer:    fewer_users{Pre,Here}(v);
        loop invariant in:       same_in{Pre,Here}(v);
        loop invariant graph:    same_outs{Pre,Here}(o, -1);
        loop invariant heads:    same_out_heads{Pre,Here}(o, -1);
        loop invariant tensors:  g->tensor.a == ts && g->tensor.n == nts;
        loop invariant stays:    stay_dead{Pre,Here}(v);
        loop invariant unneeded: died_unneeded{Pre,Here}(v, nd);
        loop invariant still:    \forall integer y; unneeded{Pre}(v, nd, y) ==> unneeded(v, nd, y);
        loop invariant rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && !among{Pre}(out, k, x);
        loop invariant same:     \forall integer j; 0 <= j < outs ==> out[j] == \at(out[j], Pre);
        loop assigns k, v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], ts[0 .. nts - 1].bytes, ts[0 .. nts - 1].data;
        loop variant outs - k;
    */
    for (int k = 0; k < outs; k++)
        drop(u, g, out[k]) /*@ ghost (v, o, nd) */;
}

/* The new nodes do. */
/*@ requires kept:     lists_kept(u, g, v, o, nd);
    requires ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd) && topological(v);
    requires nodes:    0 <= first;
    terminates \true;
    exits    never:    \false;
    DROP_ASSIGNS
    DROP_KEEPS
    ensures  still:    \forall integer y; unneeded{Pre}(v, nd, y) ==> unneeded(v, nd, y);
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && x < first;
*/
static void drop_new(struct uses *u, struct graph *g, int first)
    /*@ ghost (struct uses_view v, struct output_view o, const struct node *nd) */
{
    /*@ ghost struct tensor *ts = g->tensor.a; int nts = g->tensor.n; */
    /*@ loop invariant range:    first <= k && (k <= v.n || k == first);
        loop invariant kept:     lists_kept(u, g, v, o, nd);
        loop invariant ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd);
        loop invariant topology: topological(v);
        loop invariant order:    same_order{Pre,Here}(v);
        loop invariant fewer:    fewer_users{Pre,Here}(v);
        loop invariant in:       same_in{Pre,Here}(v);
        loop invariant graph:    same_outs{Pre,Here}(o, -1);
        loop invariant heads:    same_out_heads{Pre,Here}(o, -1);
        loop invariant tensors:  g->tensor.a == ts && g->tensor.n == nts;
        loop invariant stays:    stay_dead{Pre,Here}(v);
        loop invariant unneeded: died_unneeded{Pre,Here}(v, nd);
        loop invariant still:    \forall integer y; unneeded{Pre}(v, nd, y) ==> unneeded(v, nd, y);
        loop invariant rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && !(first <= x < k);
        loop assigns k, v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], ts[0 .. nts - 1].bytes, ts[0 .. nts - 1].data;
        loop variant v.n - k;
    */
    for (int k = first; k < g->node.n; k++)
        drop(u, g, k) /*@ ghost (v, o, nd) */;
}

void splice_drop(struct uses *u, struct graph *g, const int *out, int outs, int first)
    /*@ ghost (struct uses_view v, struct output_view o, const struct node *nd) */
{
    drop_outs(u, g, out, outs) /*@ ghost (v, o, nd) */;
    drop_new(u, g, first) /*@ ghost (v, o, nd) */;
}
