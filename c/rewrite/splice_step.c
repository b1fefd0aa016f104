#include "rewrite/splice_step.h"

#include "rewrite/splice_turns.h"

#ifdef __FRAMAC__
/* What nodes have inside, but for their dimensions, is as it was. */
#define SAME_INTS                                                                                                        \
    \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre) && nd[x].op == \at(nd[x].op, Pre) &&          \
        nd[x].in == \at(nd[x].in, Pre) && nd[x].nin == \at(nd[x].nin, Pre) && nd[x].attr == \at(nd[x].attr, Pre) &&       \
        nd[x].nattr == \at(nd[x].nattr, Pre) && nd[x].index == \at(nd[x].index, Pre) &&                                  \
        nd[x].dtype == \at(nd[x].dtype, Pre) && nd[x].data == \at(nd[x].data, Pre) &&                                    \
        nd[x].shape.rank == \at(nd[x].shape.rank, Pre)
#endif

/* step_place; nodes are called what they were. */
/*@ STEP_STATE
    STEP_IDS
    requires view:     order_of(o, u);
    STEP_LISTED
    terminates \true;
    exits    never:    \false;
    STEP_PLACED
    ensures  outs:     \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first && 0 <= root[k] < v.n &&
                       !among(out, outs, root[k]);
    ensures  once:     \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j];
    ensures  inside:   same_inside{Pre,Post}(nd, v.n);
    ensures  called:   \forall integer x; 0 <= x < v.n ==> nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label) &&
                       nd[x].origin == \old(nd[x].origin);
*/
static struct order_view step_placed(struct uses *u, struct graph *g, struct list_view l, int low, const int *out,
                                     const int *root, int outs)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    struct order_view r;

    /*@ assert outs_before: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first; */
    /*@ assert roots_before: \forall integer k; 0 <= k < outs ==> 0 <= root[k] < v.n && !among(out, outs, root[k]); */
    /*@ assert once_before: \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j]; */
    r = step_place(u, g, l, low, out, root, outs) /*@ ghost (v, w, o, nd) */;
    /*@ assert same_out: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert same_root: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    /*@ assert outs: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first; */
    /*@ assert range: \forall integer k; 0 <= k < outs ==> 0 <= root[k] < v.n; */
    /*@ assert none_before: \forall integer k; 0 <= k < outs ==> !among{Pre}(out, outs, \at(root[k], Pre)); */
    /*@ assert none_at: \forall integer k; 0 <= k < outs ==> !among(out, outs, \at(root[k], Pre)); */
    /*@ assert once: \forall integer i, j; 0 <= i < j < outs ==> out[i] != out[j]; */
    /*@ assert none: \forall integer k; 0 <= k < outs ==> !among(out, outs, root[k]); */
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
    /*@ assert placed_ints: SAME_INTS; */
    /*@ assert placed_inside: same_inside{Pre,Here}(nd, v.n); */
    /*@ assert placed_name: \forall integer x; 0 <= x < v.n ==> nd[x].name == \at(nd[x].name, Pre); */
    /*@ assert placed_label: \forall integer x; 0 <= x < v.n ==> nd[x].label == \at(nd[x].label, Pre); */
    /*@ assert placed_origin: \forall integer x; 0 <= x < v.n ==> nd[x].origin == \at(nd[x].origin, Pre); */
    return r;
}

/* splice_drop, seen from all the lists. */
/*@ STEP_STATE
    STEP_IDS
    requires view:     order_of(o, u);
    requires first:    0 <= first <= v.n;
    requires nodes:    \forall integer k; 0 <= k < outs ==> 0 <= out[k] < v.n;
    requires gone:     none_held(v, out, outs);
    requires none:     \forall integer k; 0 <= k < outs ==> w.node[out[k]].outputs == 0;
    terminates \true;
    exits    never:    \false;
    DROP_ASSIGNS
    ensures  kept:     lists_kept(u, g, v, w, nd);
    STEP_SAME_IDS
    ensures  right:    order_of(o, u) && lists_right(v, w, o, nd);
    ensures  order:    same_order{Pre,Post}(v);
    ensures  fewer:    fewer_users{Pre,Post}(v);
    ensures  in:       same_in{Pre,Post}(v);
    ensures  outs:     same_outs{Pre,Post}(w, -1);
    ensures  stays:    stay_dead{Pre,Post}(v);
    ensures  unneeded: died_unneeded{Pre,Post}(v, nd);
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && !among(out, outs, x) && x < first;
    ensures  replaced: \forall integer k; 0 <= k < outs ==> nd[out[k]].kind != NODE_INPUT ==> v.node[out[k]].dead;
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
    ensures  inside:   same_inside{Pre,Post}(nd, v.n);
    ensures  called:   \forall integer x; 0 <= x < v.n ==> nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label) &&
                       nd[x].origin == \old(nd[x].origin);
*/
static void step_dropped(struct uses *u, struct graph *g, const int *out, int outs, int first)
    /*@ ghost (const int *root, struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    /*@ assert own: own_block(v, root) && \base_addr(root) != \base_addr(g->tensor.a); */
    splice_drop(u, g, out, outs, first) /*@ ghost (v, w, nd) */;
    /*@ assert end_kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert end_op: \forall integer x; 0 <= x < v.n ==> nd[x].op == \at(nd[x].op, Pre); */
    /*@ assert end_in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert end_nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert end_attr: \forall integer x; 0 <= x < v.n ==> nd[x].attr == \at(nd[x].attr, Pre); */
    /*@ assert end_nattr: \forall integer x; 0 <= x < v.n ==> nd[x].nattr == \at(nd[x].nattr, Pre); */
    /*@ assert end_index: \forall integer x; 0 <= x < v.n ==> nd[x].index == \at(nd[x].index, Pre); */
    /*@ assert end_dtype: \forall integer x; 0 <= x < v.n ==> nd[x].dtype == \at(nd[x].dtype, Pre); */
    /*@ assert end_data: \forall integer x; 0 <= x < v.n ==> nd[x].data == \at(nd[x].data, Pre); */
    /*@ assert end_shape_rank: \forall integer x; 0 <= x < v.n ==> nd[x].shape.rank == \at(nd[x].shape.rank, Pre); */
    /*@ assert end_dim: \forall integer x, i; 0 <= x < v.n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Pre); */
    /*@ assert end_ints: SAME_INTS; */
    /*@ assert end_inside: same_inside{Pre,Here}(nd, v.n); */
    /*@ assert end_name: \forall integer x; 0 <= x < v.n ==> nd[x].name == \at(nd[x].name, Pre); */
    /*@ assert end_label: \forall integer x; 0 <= x < v.n ==> nd[x].label == \at(nd[x].label, Pre); */
    /*@ assert end_origin: \forall integer x; 0 <= x < v.n ==> nd[x].origin == \at(nd[x].origin, Pre); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert ids_out: \forall integer j; 0 <= j < outs ==> out[j] == \at(out[j], Pre); */
    /*@ assert ids_root: \forall integer j; 0 <= j < outs ==> root[j] == \at(root[j], Pre); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert view_first: u->first == \at(u->first, Pre); */
    /*@ assert view_last: u->last == \at(u->last, Pre); */
    /*@ assert view: order_of(o, u); */
    /*@ assert order: order_ok(o); */
    /*@ assert unneeded: \forall integer k; 0 <= k < outs ==> nd[out[k]].kind != NODE_INPUT ==> unneeded(v, nd, out[k]); */
    /*@ assert among: \forall integer k; 0 <= k < outs ==> among(out, outs, out[k]); */
}

void splice_step(struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root, int outs, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    struct order_view r;

    r = step_placed(u, g, l, low, out, root, outs) /*@ ghost (v, w, o, nd) */;
    (void)r;
    /*@ ghost Placed: ; */
    /*@ assert names_placed: \forall integer k; 0 <= k < outs ==> \at(nd[out[k]].name, Pre) >= 0 ==> nd[out[k]].name >= 0; */
    step_rest(u, g, out, root, outs, l.first, from) /*@ ghost (v, w, r, nd) */;
    /*@ ghost Moved: ; */
    /*@ assert roots_moved: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Placed); */
    /*@ assert named_moved: \forall integer k; 0 <= k < outs ==> root[k] >= l.first ==> \at(nd[out[k]].name, Pre) >= 0 ==>
                    nd[root[k]].name >= 0; */
    /*@ assert edges: edges_moved{Pre,Here}(v, out, root, outs); */
    /*@ assert outputs: outputs_moved{Pre,Here}(w, out, root, outs); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert same_nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert found: heads_found(v); */
    /*@ assert gone: none_held(v, out, outs); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert back: \forall integer x; unneeded(v, nd, x) ==> !among(out, outs, x) ==> unneeded{Pre}(v, nd, x); */
    step_dropped(u, g, out, outs, l.first) /*@ ghost (root, v, w, r, nd) */;
    /*@ assert ids_end: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert roots_end: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Moved); */
    /*@ assert roots_range: \forall integer k; 0 <= k < outs ==> 0 <= root[k] < v.n; */
    /*@ assert named_end: \forall integer k; 0 <= k < outs ==> root[k] >= l.first ==> \at(nd[out[k]].name, Pre) >= 0 ==>
                    nd[root[k]].name >= 0; */
    /*@ assert right: lists_right(v, w, r, nd); */
    /*@ assert edges_end: edges_moved{Pre,Here}(v, out, root, outs); */
    /*@ assert outputs_end: outputs_moved{Pre,Here}(w, out, root, outs); */
}
