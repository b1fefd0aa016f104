#include "rewrite/splice_apply.h"

#ifdef __FRAMAC__
#include "rewrite/splice_steps.acsl"
#endif

/* splice_ready; nodes are called what they were, and have inside what they had. */
/*@ READY_GIVEN
    terminates \true;
    exits    never:    \false;
    READY_DOES
    ensures  inside:   same_inside{Pre,Post}(nd, v.n);
    ensures  called:   \forall integer x; 0 <= x < v.n ==> nd[x].name == \old(nd[x].name) && nd[x].label == \old(nd[x].label) &&
                       nd[x].origin == \old(nd[x].origin);
*/
static void apply_ready(struct match_key *early, int n)
    /*@ ghost (struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root, int outs,
               struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    splice_ready(early, n) /*@ ghost (u, g, l, low, out, root, outs, v, w, o, nd) */;
    /*@ assert kind: \forall integer x; 0 <= x < v.n ==> nd[x].kind == \at(nd[x].kind, Pre); */
    /*@ assert op: \forall integer x; 0 <= x < v.n ==> nd[x].op == \at(nd[x].op, Pre); */
    /*@ assert in: \forall integer x; 0 <= x < v.n ==> nd[x].in == \at(nd[x].in, Pre); */
    /*@ assert nin: \forall integer x; 0 <= x < v.n ==> nd[x].nin == \at(nd[x].nin, Pre); */
    /*@ assert attr: \forall integer x; 0 <= x < v.n ==> nd[x].attr == \at(nd[x].attr, Pre); */
    /*@ assert nattr: \forall integer x; 0 <= x < v.n ==> nd[x].nattr == \at(nd[x].nattr, Pre); */
    /*@ assert index: \forall integer x; 0 <= x < v.n ==> nd[x].index == \at(nd[x].index, Pre); */
    /*@ assert dtype: \forall integer x; 0 <= x < v.n ==> nd[x].dtype == \at(nd[x].dtype, Pre); */
    /*@ assert data: \forall integer x; 0 <= x < v.n ==> nd[x].data == \at(nd[x].data, Pre); */
    /*@ assert rank: \forall integer x; 0 <= x < v.n ==> nd[x].shape.rank == \at(nd[x].shape.rank, Pre); */
    /*@ assert dim: \forall integer x, i; 0 <= x < v.n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Pre); */
    /*@ assert name: \forall integer x; 0 <= x < v.n ==> nd[x].name == \at(nd[x].name, Pre); */
    /*@ assert label: \forall integer x; 0 <= x < v.n ==> nd[x].label == \at(nd[x].label, Pre); */
    /*@ assert origin: \forall integer x; 0 <= x < v.n ==> nd[x].origin == \at(nd[x].origin, Pre); */
}

void splice_apply(struct uses *u, struct graph *g, struct match_key *early, struct list_view l, int low, const int *out,
                  const int *root, int outs, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    /*@ assert roots_before: \forall integer k; 0 <= k < outs ==> 0 <= root[k] < v.n; */
    apply_ready(early, l.nearly) /*@ ghost (u, g, l, low, out, root, outs, v, w, o, nd) */;
    /*@ ghost Ready: ; */
    /*@ assert lists: same_lists{Pre,Here}(v, w, nd); */
    /*@ assert inside: same_inside{Pre,Here}(nd, v.n); */
    /*@ assert users: same_users{Pre,Here}(v); */
    /*@ assert in: same_in{Pre,Here}(v); */
    /*@ assert dead: same_dead{Pre,Here}(v); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert ids: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert among: \forall integer x; among(out, outs, x) <==> among{Pre}(out, outs, x); */
    /*@ assert linked: \forall integer s; linked(v, s) <==> linked{Pre}(v, s); */
    /*@ assert earlier: \forall integer a, b; 0 <= a < v.n ==> 0 <= b < v.n ==> (earlier(v, a, b) <==> earlier{Pre}(v, a, b)); */
    /*@ assert garbage: \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x); */
    /*@ assert outs: same_outs{Pre,Here}(w, -1); */
    /*@ assert out_names: same_out_names{Pre,Here}(w); */
    splice_step(u, g, l, low, out, root, outs, from) /*@ ghost (v, w, o, nd) */;
    /*@ assert moved_step: edges_moved{Ready,Here}(v, out, root, outs); */
    /*@ assert moved: edges_moved{Pre,Here}(v, out, root, outs); */
    /*@ assert outputs_step: outputs_moved{Ready,Here}(w, out, root, outs); */
    /*@ assert outputs: outputs_moved{Pre,Here}(w, out, root, outs); */
    /*@ assert ids_end: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert same_out: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert same_root: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    /*@ assert among_end: \forall integer x; among(out, outs, x) <==> among{Pre}(out, outs, x); */
    /*@ assert outs_range: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first; */
    /*@ assert roots_range: \forall integer k; 0 <= k < outs ==> 0 <= \at(root[k], Pre) < v.n; */
    /*@ assert inside_step: same_inside{Ready,Here}(nd, v.n); */
    /*@ assert dims: \forall integer x, i; 0 <= x < v.n ==> 0 <= i < RANK_MAX ==>
                    nd[x].shape.dim[i] == \at(nd[x].shape.dim[i], Pre); */
    /*@ assert inside_end: same_inside{Pre,Here}(nd, v.n); */
}
