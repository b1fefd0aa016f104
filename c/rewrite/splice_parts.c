#include "rewrite/splice_parts.h"

/* splice_list; what is on the list is none of the outputs, and every root is or stands before `low`. */
/*@ requires valid:    valid_uses(v) && own_block(v, l.list) && uses_ok(v) && topological(v);
    requires apart:    \base_addr(l.list) != \base_addr(out) && \base_addr(l.list) != \base_addr(root);
    requires list:     step_list(v, l, low);
    requires outs:     step_outs(v, l, out, outs, low);
    requires roots:    step_roots(v, l, out, root, outs, low);
    terminates \true;
    exits    never:    \false;
    assigns  l.list[0 .. l.nearly + (l.n - l.first) - 1];
    ensures  number:   \result == l.nearly + (l.n - l.first);
    ensures  nodes:    \forall integer j; 0 <= j < \result ==> 0 <= l.list[j] < v.n && earlier(v, low, l.list[j]);
    ensures  distinct: \forall integer i, j; 0 <= i < j < \result ==> l.list[i] != l.list[j];
    ensures  supplied: \forall integer j; 0 <= j < \result ==> supplied(v, l.list, j, low);
    ensures  outs:     \forall integer k; 0 <= k < outs ==> !among(l.list, \result, out[k]);
    ensures  roots:    \forall integer k; 0 <= k < outs ==> earlier(v, root[k], low) || among(l.list, \result, root[k]);
    ensures  moving:   \forall integer x; among(l.list, \result, x) ==> l.first <= x || early_node{Pre}(l, x);
*/
static int step_nodes(struct list_view l, struct uses_view v, int low)
    /*@ ghost (const int *out, const int *root, int outs) */
{
    int n = splice_list(l, v, low);

    /*@ assert early: \forall integer j; 0 <= j < l.nearly ==> early_node{Pre}(l, l.list[j]); */
    /*@ assert early_at: \forall integer j; 0 <= j < l.nearly ==> l.list[j] == \at(l.early[j].node, Pre); */
    /*@ assert early_in: \forall integer x; early_node{Pre}(l, x) ==> among(l.list, n, x); */
    /*@ assert new: \forall integer j; l.nearly <= j < n ==> l.list[j] >= l.first; */
    /*@ assert new_at: \forall integer x; l.first <= x < l.n ==> new_at(l, x); */
    /*@ assert new_found: \forall integer x; l.first <= x < l.n ==> new_at(l, x) && among(l.list, n, x); */
    /*@ assert new_in: \forall integer x; l.first <= x < l.n ==> among(l.list, n, x); */
    /*@ assert moving: \forall integer x; among(l.list, n, x) ==> l.first <= x || early_node{Pre}(l, x); */
    /*@ assert same_out: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert same_root: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    return n;
}

void step_order(struct uses *u, struct graph *g, struct order_view o)
    /*@ ghost (struct uses_view v, struct output_view w, const struct node *nd) */
{
    (void)g;
    uses_reorder(u, o);
    /*@ assert fields: same_fields{Pre,Here}(u, g); */
    /*@ assert in: same_in{Pre,Here}(v); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert links: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert uses: same_use_lists{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert order: same_order{Pre,Here}(v); */
    /*@ assert outs: same_outs{Pre,Here}(w, -1); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(w, -1); */
    /*@ assert tops: same_out_heads{Pre,Here}(w, -1); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert data: same_data{Pre,Here}(nd, v.n); */
    /*@ assert lists: same_lists{Pre,Here}(v, w, nd); */
    /*@ assert valid: valid_lists(u, g, v, w, nd); */
    /*@ assert in_nodes: in_nodes(v); */
    /*@ assert kept: lists_kept(u, g, v, w, nd); */
    /*@ assert right: lists_right(v, w, o, nd); */
}

int step_listed(struct uses *u, struct graph *g, struct list_view l, struct uses_view v, int low)
    /*@ ghost (struct output_view w, struct order_view o, const struct node *nd, const int *out, const int *root, int outs) */
{
    int n;

    (void)u;
    (void)g;
    n = step_nodes(l, v, low) /*@ ghost (out, root, outs) */;
    /*@ assert fields: same_fields{Pre,Here}(u, g); */
    /*@ assert in: same_in{Pre,Here}(v); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert links: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert uses: same_use_lists{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert order: same_order{Pre,Here}(v); */
    /*@ assert outs: same_outs{Pre,Here}(w, -1); */
    /*@ assert nexts: same_out_nexts{Pre,Here}(w, -1); */
    /*@ assert tops: same_out_heads{Pre,Here}(w, -1); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert data: same_data{Pre,Here}(nd, v.n); */
    /*@ assert lists: same_lists{Pre,Here}(v, w, nd); */
    /*@ assert valid: valid_lists(u, g, v, w, nd); */
    /*@ assert in_nodes: in_nodes(v); */
    /*@ assert kept: lists_kept(u, g, v, w, nd); */
    /*@ assert right: lists_right(v, w, o, nd); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    return n;
}

/* splice_place, with whole nodes in `assigns`: so the provers see what it leaves. */
/*@ TARGET_REQUIRES
    requires beside:   valid_outputs(w) && side_by_side(v, w) && valid_nodes(v, nd) && nodes_aside(w, nd);
    requires exact:    outputs_ok(w) && exact(v, nd);
    requires alive:    roots_alive(v, t.root, t.outs);
    terminates \true;
    exits    never:    \false;
    assigns  v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1];
    TARGET_ENSURES
    ensures  outputs:  outputs_ok(w) && same_output_lists{Pre,Post}(w);
    ensures  exact:    exact(v, nd);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd) && same_dead{Pre,Post}(v);
    ensures  found:    heads_found(v);
*/
static struct order_view put_whole(struct uses_view v, struct order_view o, struct target_view t)
    /*@ ghost (struct output_view w, const struct node *nd) */
{
    o = splice_place(v, o, t) /*@ ghost (w, nd) */;
    /*@ ghost uses_all(v); */
    return o;
}

struct order_view step_put(struct uses *u, struct graph *g, struct uses_view v, struct order_view o, struct target_view t)
    /*@ ghost (struct output_view w, const struct node *nd) */
{
    (void)u;
    (void)g;
    o = put_whole(v, o, t) /*@ ghost (w, nd) */;
    /*@ assert ids_out: \forall integer k; 0 <= k < t.outs ==> t.out[k] == \at(t.out[k], Pre); */
    /*@ assert ids_root: \forall integer k; 0 <= k < t.outs ==> t.root[k] == \at(t.root[k], Pre); */
    /*@ assert nodes_n: v.n == u->node.n; */
    /*@ assert slots_n: v.m == u->slot.n; */
    /*@ assert outputs_n: w.m == u->output.n; */
    /*@ assert graph_n: g->node.n == v.n; */
    /*@ assert tensors: g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert arrays: v.node == u->node.a && v.slot == u->slot.a && w.next == u->output.a; */
    /*@ assert graph: v.in == g->in.a && w.out == g->output.a && nd == g->node.a && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert fields: same_fields{Pre,Here}(u, g); */
    /*@ assert data: same_data{Pre,Here}(nd, v.n); */
    /*@ assert valid: valid_lists(u, g, v, w, nd); */
    /*@ assert in_old: \forall integer s; 0 <= s < v.m ==> !linked{Pre}(v, s) ==> v.in[s] < v.n; */
    /*@ assert in_nodes: in_nodes(v); */
    /*@ assert kept: lists_kept(u, g, v, w, nd); */
    return o;
}
