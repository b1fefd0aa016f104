#include "rewrite/splice_turns.h"

struct order_view step_place(struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root,
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

void step_rest(struct uses *u, struct graph *g, const int *out, const int *root, int outs, int first, int from)
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
    /*@ assert heads_head: \forall integer x; 0 <= x < v.n ==> v.node[x].head == \at(v.node[x].head, Pre); */
    /*@ assert heads_count: \forall integer x; 0 <= x < v.n ==> v.node[x].count == \at(v.node[x].count, Pre); */
    /*@ assert heads: same_heads{Pre,Here}(v, -1); */
    /*@ assert users: same_users{Pre,Here}(v) && same_in{Pre,Here}(v); */
    /*@ assert links: same_prevs{Pre,Here}(v, -1, -1) && same_nexts{Pre,Here}(v, -1, -1); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert order_order: \forall integer x; 0 <= x < v.n ==> v.node[x].order == \at(v.node[x].order, Pre); */
    /*@ assert order_before: \forall integer x; 0 <= x < v.n ==> v.node[x].before == \at(v.node[x].before, Pre); */
    /*@ assert order_after: \forall integer x; 0 <= x < v.n ==> v.node[x].after == \at(v.node[x].after, Pre); */
    /*@ assert order: same_order{Pre,Here}(v); */
    /*@ assert nodes_same: same_nodes{Pre,Here}(v, nd); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
}
