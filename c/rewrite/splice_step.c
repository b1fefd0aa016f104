#include "rewrite/splice_step.h"

#include "rewrite/splice_turns.h"

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
