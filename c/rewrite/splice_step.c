#include "rewrite/splice_step.h"

#ifdef __FRAMAC__
#include "rewrite/splice_steps.acsl"
#endif

/* The nodes of the list come to stand before `low`, and the edges move. */
/*@ STEP_STATE
    STEP_IDS
    requires view:     order_of(o, u);
    requires room:     off_both(\base_addr(l.list), u, g, v, w, nd) && \base_addr(l.list) != \base_addr(out) &&
                       \base_addr(l.list) != \base_addr(root);
    requires list:     step_list(v, l, low);
    requires outs:     step_outs(v, l, out, outs, low);
    requires roots:    step_roots(v, l, out, root, outs, low);
    terminates \true;
    exits    never:    \false;
    assigns  u->first, u->last, v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1],
             l.list[0 .. l.nearly + (l.n - l.first) - 1];
    STEP_SAME
    STEP_SAME_IDS
    ensures  right:    order_of(\result, u) && lists_right(v, w, \result, nd);
    ensures  users:    same_users{Pre,Post}(v);
    ensures  moved:    edges_moved{Pre,Post}(v, out, root, outs);
    ensures  gone:     none_held(v, out, outs);
    ensures  order:    \forall integer a, b; 0 <= a < l.first ==> 0 <= b < l.first ==> !early_node{Pre}(l, a) ==>
                       !early_node{Pre}(l, b) ==> (earlier(v, a, b) <==> earlier{Pre}(v, a, b));
    ensures  dead:     same_dead{Pre,Post}(v);
    ensures  lists:    same_output_lists{Pre,Post}(w);
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
    ensures  found:    heads_found(v);
*/
static struct order_view step_place(struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root,
                                    int outs)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    struct uses_view x = uses_lists(u, g);
    struct order_view r = uses_order(u);
    int n;

    /*@ assert view: x == v; */
    /*@ assert order_view: r == o; */
    n = step_listed(u, g, l, x, low) /*@ ghost (w, o, nd, out, root, outs) */;
    /*@ ghost Listed: ; */
    /*@ assert alive: roots_alive(v, root, outs); */
    /*@ assert outs: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first && (out[k] == low || earlier(v, low, out[k])); */
    /*@ assert once: \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j]; */
    /*@ assert roots: \forall integer k; 0 <= k < outs ==> 0 <= root[k] < v.n && !among(out, outs, root[k]); */
    /*@ assert own: own_block(v, out) && own_block(v, root); */
    /*@ assert stays: \forall integer x; 0 <= x < l.first ==> !early_node{Pre}(l, x) ==> !among(l.list, n, x); */
    /*@ assert as_before: \forall integer a, b; 0 <= a < v.n ==> 0 <= b < v.n ==> (earlier(v, a, b) <==> earlier{Pre}(v, a, b)); */
    r = step_put(u, g, x, r, (struct target_view){ .list = l.list, .n = n, .low = low, .out = out, .root = root, .outs = outs })
        /*@ ghost (w, nd) */;
    /*@ ghost Put: ; */
    /*@ assert moved: edges_moved{Pre,Here}(v, out, root, outs); */
    /*@ assert gone: none_held(v, out, outs); */
    /*@ assert order: \forall integer a, b; 0 <= a < l.first ==> 0 <= b < l.first ==> !early_node{Pre}(l, a) ==>
                      !early_node{Pre}(l, b) ==> (earlier(v, a, b) <==> earlier{Listed}(v, a, b)); */
    step_order(u, g, r) /*@ ghost (v, w, nd) */;
    /*@ assert same: same_in{Put,Here}(v) && same_users{Put,Here}(v); */
    /*@ assert as_put: \forall integer a, b; 0 <= a < v.n ==> 0 <= b < v.n ==> (earlier(v, a, b) <==> earlier{Put}(v, a, b)); */
    /*@ assert ids_put: same_ids{Put,Here}(out, outs) && same_ids{Put,Here}(root, outs); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    return r;
}

/* Names, origins, and the outputs of the graph. */
/*@ STEP_STATE
    STEP_IDS
    requires view:     order_of(o, u);
    requires first:    0 <= first <= v.n;
    requires nodes:    \forall integer k; 0 <= k < outs ==> 0 <= out[k] < v.n && 0 <= root[k] < v.n &&
                       !among(out, outs, root[k]);
    requires once:     \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j];
    terminates \true;
    exits    never:    \false;
    assigns  w.next[0 .. w.m - 1], w.out[0 .. w.m - 1], w.node[0 .. w.n - 1],
             g->node.a[0 .. v.n - 1];
    STEP_SAME
    STEP_SAME_IDS
    ensures  right:    order_of(o, u) && lists_right(v, w, o, nd);
    ensures  lists:    same_use_lists{Pre,Post}(v) && same_dead{Pre,Post}(v) && same_order{Pre,Post}(v) && same_nodes{Pre,Post}(v, nd);
    ensures  moved:    outputs_moved{Pre,Post}(w, out, root, outs);
    ensures  out_names: same_out_names{Pre,Post}(w);
    ensures  none:     \forall integer k; 0 <= k < outs ==> w.node[out[k]].outputs == 0;
    ensures  inside:   same_inside{Pre,Post}(nd, v.n);
    ensures  named:    \forall integer k; 0 <= k < outs ==> root[k] >= first ==> \old(nd[out[k]].name) >= 0 ==>
                       nd[root[k]].name >= 0;
    ensures  names:    \forall integer x; 0 <= x < first ==> !among{Pre}(out, outs, x) ==>
                       nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label);
    ensures  signed:   \forall integer x; 0 <= x < v.n ==>
                       nd[x].origin == (first <= x && nd[x].kind != NODE_CONST ? from : \old(nd[x].origin));
*/
static void step_rest(struct uses *u, struct graph *g, const int *out, const int *root, int outs, int first, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    step_names(u, g, out, root, outs, first, from) /*@ ghost (v, w, o, nd) */;
    /*@ ghost Named: ; */
    /*@ assert nodes: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < v.n && 0 <= root[k] < v.n && !among(out, outs, root[k]); */
    step_outputs(u, g, out, root, outs) /*@ ghost (v, w, o, nd) */;
    /*@ assert moved_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Named); */
    /*@ assert moved_op: \forall integer x; 0 <= x < v.n ==> nd[x].op == \at(nd[x].op, Named); */
    /*@ assert moved_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Named); */
    /*@ assert moved_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Named); */
    /*@ assert moved_attr: \forall integer x; 0 <= x < v.n ==> nd[x].attr == \at(nd[x].attr, Named); */
    /*@ assert moved_nattr: \forall integer x; 0 <= x < v.n ==> nd[x].nattr == \at(nd[x].nattr, Named); */
    /*@ assert moved_index: \forall integer x; 0 <= x < v.n ==> nd[x].index == \at(nd[x].index, Named); */
    /*@ assert moved_dtype: \forall integer x; 0 <= x < v.n ==> nd[x].dtype == \at(nd[x].dtype, Named); */
    /*@ assert moved_data: \forall integer x; 0 <= x < v.n ==> nd[x].data == \at(nd[x].data, Named); */
    /*@ assert moved_shape_rank: \forall integer x; 0 <= x < v.n ==> nd[x].shape.rank == \at(nd[x].shape.rank, Named); */
    /*@ assert moved_dim: \forall integer x, i; 0 <= x < v.n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Named); */
    /*@ assert moved_inside: same_inside{Named,Here}(nd, v.n); */
    /*@ assert moved_name: \forall integer x; 0 <= x < v.n ==> nd[x].name == \at(nd[x].name, Named); */
    /*@ assert moved_label: \forall integer x; 0 <= x < v.n ==> nd[x].label == \at(nd[x].label, Named); */
    /*@ assert moved_origin: \forall integer x; 0 <= x < v.n ==> nd[x].origin == \at(nd[x].origin, Named); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v) && same_in{Pre,Here}(v); */
    /*@ assert links: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert order: same_order{Pre,Here}(v); */
    /*@ assert nodes_same: same_nodes{Pre,Here}(v, nd); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
}

void splice_step(struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root, int outs, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    struct order_view r;

    r = step_place(u, g, l, low, out, root, outs) /*@ ghost (v, w, o, nd) */;
    (void)r;
    /*@ ghost Placed: ; */
    /*@ assert nodes: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first && 0 <= root[k] < v.n && !among(out, outs, root[k]); */
    /*@ assert once: \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j]; */
    /*@ assert placed_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert placed_op: \forall integer x; 0 <= x < v.n ==> nd[x].op == \at(nd[x].op, Pre); */
    /*@ assert placed_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert placed_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert placed_attr: \forall integer x; 0 <= x < v.n ==> nd[x].attr == \at(nd[x].attr, Pre); */
    /*@ assert placed_nattr: \forall integer x; 0 <= x < v.n ==> nd[x].nattr == \at(nd[x].nattr, Pre); */
    /*@ assert placed_index: \forall integer x; 0 <= x < v.n ==> nd[x].index == \at(nd[x].index, Pre); */
    /*@ assert placed_dtype: \forall integer x; 0 <= x < v.n ==> nd[x].dtype == \at(nd[x].dtype, Pre); */
    /*@ assert placed_data: \forall integer x; 0 <= x < v.n ==> nd[x].data == \at(nd[x].data, Pre); */
    /*@ assert placed_shape_rank: \forall integer x; 0 <= x < v.n ==> nd[x].shape.rank == \at(nd[x].shape.rank, Pre); */
    /*@ assert placed_dim: \forall integer x, i; 0 <= x < v.n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Pre); */
    /*@ assert placed_inside: same_inside{Pre,Here}(nd, v.n); */
    /*@ assert placed_name: \forall integer x; 0 <= x < v.n ==> nd[x].name == \at(nd[x].name, Pre); */
    /*@ assert placed_label: \forall integer x; 0 <= x < v.n ==> nd[x].label == \at(nd[x].label, Pre); */
    /*@ assert placed_origin: \forall integer x; 0 <= x < v.n ==> nd[x].origin == \at(nd[x].origin, Pre); */
    step_rest(u, g, out, root, outs, l.first, from) /*@ ghost (v, w, r, nd) */;
    /*@ ghost Moved: ; */
    /*@ assert edges: edges_moved{Pre,Here}(v, out, root, outs); */
    /*@ assert outputs: outputs_moved{Pre,Here}(w, out, root, outs); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert same_nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert found: heads_found(v); */
    /*@ assert gone: none_held(v, out, outs); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert back: \forall integer x; unneeded(v, nd, x) ==> !among(out, outs, x) ==> unneeded{Pre}(v, nd, x); */
    splice_drop(u, g, out, outs, l.first) /*@ ghost (v, w, nd) */;
    /*@ assert end_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Moved); */
    /*@ assert end_op: \forall integer x; 0 <= x < v.n ==> nd[x].op == \at(nd[x].op, Moved); */
    /*@ assert end_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Moved); */
    /*@ assert end_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Moved); */
    /*@ assert end_attr: \forall integer x; 0 <= x < v.n ==> nd[x].attr == \at(nd[x].attr, Moved); */
    /*@ assert end_nattr: \forall integer x; 0 <= x < v.n ==> nd[x].nattr == \at(nd[x].nattr, Moved); */
    /*@ assert end_index: \forall integer x; 0 <= x < v.n ==> nd[x].index == \at(nd[x].index, Moved); */
    /*@ assert end_dtype: \forall integer x; 0 <= x < v.n ==> nd[x].dtype == \at(nd[x].dtype, Moved); */
    /*@ assert end_data: \forall integer x; 0 <= x < v.n ==> nd[x].data == \at(nd[x].data, Moved); */
    /*@ assert end_shape_rank: \forall integer x; 0 <= x < v.n ==> nd[x].shape.rank == \at(nd[x].shape.rank, Moved); */
    /*@ assert end_dim: \forall integer x, i; 0 <= x < v.n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Moved); */
    /*@ assert end_inside: same_inside{Moved,Here}(nd, v.n); */
    /*@ assert end_name: \forall integer x; 0 <= x < v.n ==> nd[x].name == \at(nd[x].name, Moved); */
    /*@ assert end_label: \forall integer x; 0 <= x < v.n ==> nd[x].label == \at(nd[x].label, Moved); */
    /*@ assert end_origin: \forall integer x; 0 <= x < v.n ==> nd[x].origin == \at(nd[x].origin, Moved); */
    /*@ assert same_end: same_nodes{Moved,Here}(v, nd); */
    /*@ assert ids_end: same_ids{Moved,Here}(out, outs) && same_ids{Moved,Here}(root, outs); */
    /*@ assert view: order_of(r, u); */
    /*@ assert order: order_ok(r); */
    /*@ assert right: lists_right(v, w, r, nd); */
    /*@ assert edges_end: edges_moved{Pre,Here}(v, out, root, outs); */
    /*@ assert outputs_end: outputs_moved{Pre,Here}(w, out, root, outs); */
    /*@ assert unneeded: \forall integer k; 0 <= k < outs ==> nd[out[k]].kind != NODE_INPUT ==> unneeded(v, nd, out[k]); */
}
