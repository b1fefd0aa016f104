#include "rewrite/splice_outs.h"

/* p is no name and no label of the nodes. */
/*@ predicate off_names(int *p, struct node *nd, integer n) =
    \forall integer j; 0 <= j < n ==> &nd[j].name != p && &nd[j].label != p; */

/* splice_names, with whole nodes in `assigns`: so the provers see what it leaves. */
/*@ requires valid:    0 <= n && \valid(nd + (0 .. n - 1)) && 0 <= outs && \valid_read(out + (0 .. outs - 1)) &&
                       \valid_read(root + (0 .. outs - 1)) && \base_addr(out) != \base_addr(nd) &&
                       \base_addr(root) != \base_addr(nd);
    requires nodes:    \forall integer k; 0 <= k < outs ==> 0 <= out[k] < n && 0 <= root[k] < n;
    requires roots:    \forall integer k; 0 <= k < outs ==> !among(out, outs, root[k]);
    requires once:     \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j];
    terminates \true;
    exits    never:    \false;
    assigns  nd[0 .. n - 1];
    ensures  kind: \forall integer x; 0 <= x < n ==> nd[x].kind == \old(nd[x].kind);
    ensures  op: \forall integer x; 0 <= x < n ==> nd[x].op == \old(nd[x].op);
    ensures  in: \forall integer x; 0 <= x < n ==> nd[x].in == \old(nd[x].in);
    ensures  nin: \forall integer x; 0 <= x < n ==> nd[x].nin == \old(nd[x].nin);
    ensures  attr: \forall integer x; 0 <= x < n ==> nd[x].attr == \old(nd[x].attr);
    ensures  nattr: \forall integer x; 0 <= x < n ==> nd[x].nattr == \old(nd[x].nattr);
    ensures  index: \forall integer x; 0 <= x < n ==> nd[x].index == \old(nd[x].index);
    ensures  dtype: \forall integer x; 0 <= x < n ==> nd[x].dtype == \old(nd[x].dtype);
    ensures  data: \forall integer x; 0 <= x < n ==> nd[x].data == \old(nd[x].data);
    ensures  shape_rank: \forall integer x; 0 <= x < n ==> nd[x].shape.rank == \old(nd[x].shape.rank);
    ensures  origin: \forall integer x; 0 <= x < n ==> nd[x].origin == \old(nd[x].origin);
    ensures  dim:      \forall integer x, i; 0 <= x < n ==> 0 <= i < RANK_MAX ==>
                       nd[x].shape.dim[i] == \old(nd[x].shape.dim[i]);
    ensures  ids:      same_ids{Pre,Post}(out, outs) && same_ids{Pre,Post}(root, outs);
    ensures  old:      \forall integer x; 0 <= x < first && x < n ==> !among{Pre}(out, outs, x) ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  taken:    \forall integer k; 0 <= k < outs ==> root[k] >= first ==> \old(nd[out[k]].name) >= 0 ==>
                       nd[root[k]].name >= 0;
*/
static void names_whole(struct node *nd, int n, const int *out, const int *root, int outs, int first)
{
    /*@ assert far_kind: \forall integer x; 0 <= x < n ==> off_names(&nd[x].kind, nd, n); */
    /*@ assert far_op: \forall integer x; 0 <= x < n ==> off_names(&nd[x].op, nd, n); */
    /*@ assert far_in: \forall integer x; 0 <= x < n ==> off_names(&nd[x].in, nd, n); */
    /*@ assert far_nin: \forall integer x; 0 <= x < n ==> off_names(&nd[x].nin, nd, n); */
    /*@ assert far_attr: \forall integer x; 0 <= x < n ==> off_names(&nd[x].attr, nd, n); */
    /*@ assert far_nattr: \forall integer x; 0 <= x < n ==> off_names(&nd[x].nattr, nd, n); */
    /*@ assert far_index: \forall integer x; 0 <= x < n ==> off_names(&nd[x].index, nd, n); */
    /*@ assert far_dtype: \forall integer x; 0 <= x < n ==> off_names(&nd[x].dtype, nd, n); */
    /*@ assert far_rank: \forall integer x; 0 <= x < n ==> off_names(&nd[x].shape.rank, nd, n); */
    /*@ assert far_data: \forall integer x; 0 <= x < n ==> off_names(&nd[x].data, nd, n); */
    /*@ assert far_origin: \forall integer x; 0 <= x < n ==> off_names(&nd[x].origin, nd, n); */
    splice_names(nd, n, out, root, outs, first);
    /*@ assert outs: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert roots: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
}

/* Origins and names; all else of the nodes stays. */
/*@ requires valid:    0 <= first <= n && \valid(nd + (0 .. n - 1)) && 0 <= outs && \valid_read(out + (0 .. outs - 1)) &&
                       \valid_read(root + (0 .. outs - 1)) && \base_addr(out) != \base_addr(nd) &&
                       \base_addr(root) != \base_addr(nd);
    requires nodes:    \forall integer k; 0 <= k < outs ==> 0 <= out[k] < n && 0 <= root[k] < n;
    requires roots:    \forall integer k; 0 <= k < outs ==> !among(out, outs, root[k]);
    requires once:     \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j];
    terminates \true;
    exits    never:    \false;
    assigns  nd[0 .. n - 1];
    ensures  same:     same_inside{Pre,Post}(nd, n);
    ensures  named:    \forall integer k; 0 <= k < outs ==> \old(root[k]) >= first ==> \old(nd[out[k]].name) >= 0 ==>
                       nd[\old(root[k])].name >= 0;
    ensures  names:    \forall integer x; 0 <= x < first ==> !among{Pre}(out, outs, x) ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  signed:   \forall integer x; 0 <= x < n ==>
                       nd[x].origin == (first <= x && nd[x].kind != NODE_CONST ? from : \old(nd[x].origin));
*/
static void name_whole(struct node *nd, int n, const int *out, const int *root, int outs, int first, int from)
{
    splice_sign(nd, first, n, from);
    /*@ ghost Signed: ; */
    /*@ assert outs: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert roots: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    /*@ assert names: \forall integer x; 0 <= x < n ==> nd[x].name == \at(nd[x].name, Pre); */
    /*@ assert labels: \forall integer x; 0 <= x < n ==> nd[x].label == \at(nd[x].label, Pre); */
    /*@ assert origins: \forall integer x; 0 <= x < first ==> nd[x].origin == \at(nd[x].origin, Pre); */
    /*@ assert sign_kind: \forall integer x; 0 <= x < n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert sign_op: \forall integer x; 0 <= x < n ==> nd[x].op == \at(nd[x].op, Pre); */
    /*@ assert sign_in: \forall integer x; 0 <= x < n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert sign_nin: \forall integer x; 0 <= x < n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert sign_attr: \forall integer x; 0 <= x < n ==> nd[x].attr == \at(nd[x].attr, Pre); */
    /*@ assert sign_nattr: \forall integer x; 0 <= x < n ==> nd[x].nattr == \at(nd[x].nattr, Pre); */
    /*@ assert sign_index: \forall integer x; 0 <= x < n ==> nd[x].index == \at(nd[x].index, Pre); */
    /*@ assert sign_dtype: \forall integer x; 0 <= x < n ==> nd[x].dtype == \at(nd[x].dtype, Pre); */
    /*@ assert sign_data: \forall integer x; 0 <= x < n ==> nd[x].data == \at(nd[x].data, Pre); */
    /*@ assert sign_shape_rank: \forall integer x; 0 <= x < n ==> nd[x].shape.rank == \at(nd[x].shape.rank, Pre); */
    /*@ assert sign_dim: \forall integer x, i; 0 <= x < n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Pre); */
    /*@ assert new: \forall integer x; first <= x < n ==> nd[x].kind != NODE_CONST ==> nd[x].origin == from; */
    /*@ assert constants: \forall integer x; first <= x < n ==> nd[x].kind == NODE_CONST ==>
                    nd[x].origin == \at(nd[x].origin, Pre); */
    /*@ assert inside: same_inside{Pre,Here}(nd, n); */
    names_whole(nd, n, out, root, outs, first);
    /*@ assert same: same_inside{Signed,Here}(nd, n); */
    /*@ assert kinds: \forall integer x; 0 <= x < n ==> nd[x].kind == \at(nd[x].kind, Signed); */
    /*@ assert signs: \forall integer x; 0 <= x < n ==> nd[x].origin == \at(nd[x].origin, Signed); */
    /*@ assert new_end: \forall integer x; first <= x < n ==> nd[x].kind != NODE_CONST ==> nd[x].origin == from; */
    /*@ assert constants_end: \forall integer x; first <= x < n ==> nd[x].kind == NODE_CONST ==>
                    nd[x].origin == \at(nd[x].origin, Pre); */
    /*@ assert old_end: \forall integer x; 0 <= x < first ==> nd[x].origin == \at(nd[x].origin, Pre); */
}

void step_names(struct uses *u, struct graph *g, const int *out, const int *root, int outs, int first, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    (void)u;
    name_whole(g->node.a, g->node.n, out, root, outs, first, from);
    /*@ assert inside: same_inside{Pre,Here}(nd, v.n); */
    /*@ assert still_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert still_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert still_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre); */
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
}

/* splice_move, with whole nodes in `assigns`. */
/*@ requires valid:    valid_outputs(o) && 0 <= n && \valid_read(out + (0 .. n - 1)) && \valid_read(root + (0 .. n - 1));
    requires apart:    off_outputs(o, out) && off_outputs(o, root);
    requires ok:       outputs_ok(o);
    requires nodes:    \forall integer k; 0 <= k < n ==> 0 <= out[k] < o.n && 0 <= root[k] < o.n;
    requires once:     \forall integer i, j; 0 <= i < j < n ==> out[i] != out[j];
    requires roots:    \forall integer k; 0 <= k < n ==> !among(out, n, root[k]);
    terminates \true;
    exits    never:    \false;
    assigns  o.next[0 .. o.m - 1], o.out[0 .. o.m - 1], o.node[0 .. o.n - 1];
    ensures  ok:       outputs_ok(o);
    ensures  moved:    outputs_moved{Pre,Post}(o, out, root, n);
    ensures  none:     \forall integer k; 0 <= k < n ==> o.node[out[k]].outputs == 0;
    ensures  out_names: same_out_names{Pre,Post}(o);
    ensures  heads:    \forall integer x; 0 <= x < o.n ==> o.node[x].head == \old(o.node[x].head);
    ensures  counts:   \forall integer x; 0 <= x < o.n ==> o.node[x].count == \old(o.node[x].count);
    ensures  dead:     \forall integer x; 0 <= x < o.n ==> o.node[x].dead == \old(o.node[x].dead);
    ensures  before:   \forall integer x; 0 <= x < o.n ==> o.node[x].before == \old(o.node[x].before);
    ensures  after:    \forall integer x; 0 <= x < o.n ==> o.node[x].after == \old(o.node[x].after);
    ensures  labels:   \forall integer x; 0 <= x < o.n ==> o.node[x].order == \old(o.node[x].order);
*/
static void move_whole(struct output_view o, const int *out, const int *root, int n)
{
    /*@ assert far_next: \forall integer x; 0 <= x < o.n ==> \separated(&o.node[x].head, o.next + (0 .. o.m - 1)) &&
                         \separated(&o.node[x].count, o.next + (0 .. o.m - 1)); */
    /*@ assert far_out: \forall integer x, p; 0 <= x < o.n ==> 0 <= p < o.m ==> &o.node[x].head != &o.out[p].node &&
                        &o.node[x].count != &o.out[p].node; */
    splice_move(o, out, root, n);
}

void step_outputs(struct uses *u, struct graph *g, const int *out, const int *root, int outs)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    struct output_view x = uses_outputs(u, g);

    /*@ assert view: x == w; */
    /*@ assert apart: lists_apart(u, g, v, w, nd); */
    /*@ assert off: off_lists(\base_addr(u), g, v, w, nd) && off_lists(\base_addr(g), g, v, w, nd); */
    /*@ assert far_in: \forall integer s; 0 <= s < v.m ==> \separated(v.in + s, w.next + (0 .. w.m - 1)); */
    /*@ assert far_out: \forall integer s; 0 <= s < v.m ==> \separated(v.in + s, w.out + (0 .. w.m - 1)); */
    /*@ assert far_node: \forall integer s; 0 <= s < v.m ==> \separated(v.in + s, w.node + (0 .. w.n - 1)); */
    move_whole(x, out, root, outs);
    /*@ assert nodes_n: v.n == u->node.n; */
    /*@ assert slots_n: v.m == u->slot.n; */
    /*@ assert outputs_n: w.m == u->output.n; */
    /*@ assert graph_n: g->node.n == v.n; */
    /*@ assert tensors: g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert first: u->first == \at(u->first, Pre); */
    /*@ assert last: u->last == \at(u->last, Pre); */
    /*@ assert view_still: order_of(o, u); */
    /*@ assert arrays: v.node == u->node.a && v.slot == u->slot.a && w.next == u->output.a; */
    /*@ assert graph: v.in == g->in.a && w.out == g->output.a && nd == g->node.a && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert in_at: \forall integer s; 0 <= s < v.m ==> v.in[s] == \at(v.in[s], Pre); */
    /*@ assert still_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert still_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert still_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert ids_out: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert ids_root: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    /*@ assert fields: same_fields{Pre,Here}(u, g); */
    /*@ assert in: same_in{Pre,Here}(v); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert links: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert uses: same_use_lists{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert order: same_order{Pre,Here}(v); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert data: same_data{Pre,Here}(nd, v.n); */
    /*@ assert valid: valid_lists(u, g, v, w, nd); */
    /*@ assert in_nodes: in_nodes(v); */
    /*@ assert kept: lists_kept(u, g, v, w, nd); */
    /*@ assert uses_ok: uses_ok(v); */
    /*@ assert exact: exact(v, nd); */
    /*@ assert topology: topological(v); */
    /*@ assert order_ok: order_ok(o); */
    /*@ assert right: lists_right(v, w, o, nd); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
}
