#include "rewrite/splice_put.h"

/* The lists take in the new nodes; wherever they stand then, all is as splice_apply requires it. */
/*@ PUT_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *u, *u->mem, *d, { *p | struct use_node *p; \true }, { *q | struct use_slot *q; \true }, { *k | int *k; \true };
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  none:     \result != CALQUE_OK ==> same_uses{Pre,Post}(u) && moved_uses{Pre,Post}(u) && uses_ready(u, g);
    ensures  all:      \result == CALQUE_OK ==> all_in(u, g);
    ensures  graph:    graph_kept{Pre,Post}(g) && g->tensor.a == \old(g->tensor.a) && g->tensor.n == \old(g->tensor.n);
    ensures  lists:    \result == CALQUE_OK ==> \forall struct uses_view v, struct output_view w, struct order_view o;
                       views_of(v, w, o, u, g) ==> put_lists(u, g, v, w, o, g->node.a);
    ensures  found:    \result == CALQUE_OK ==> \forall struct uses_view v, integer low; lists_of(v, u, g) ==>
                       first_of(v, e.outs, e.nouts, low) ==> 0 <= low < l.first && put_found(v, l, e.outs, e.root, e.nouts, low);
    ensures  caller:   held_same{Pre,Post} && held_apart(u, d) && put_held(g, e, l) && put_apart(g, e, l);
    ensures  keys:     same_keys{Pre,Post}(l.early, l.nearly);
    ensures  ids:      same_ids{Pre,Post}(e.outs, e.nouts) && same_ids{Pre,Post}(e.root, e.nouts);
    ensures  inside:   same_inside{Pre,Post}(g->node.a, l.n) && same_called{Pre,Post}(g->node.a, l.n);
    ensures  outs:     \forall struct output_view w; w.out == g->output.a ==> same_outs{Pre,Post}(w, -1);
    ensures  kept:     moved_labels{Pre,Post}(\old(u->node.a), u->node.a, \old(u->node.n));
    ensures  dead:     carried_dead{Pre,Post}(\old(u->node.a), u->node.a, \old(u->node.n));
    ensures  alive:    \result == CALQUE_OK ==> \forall integer k; l.first <= k < l.n ==> !u->node.a[k].dead;
*/
static enum calque_status put_extend(struct uses *u, const struct graph *g, struct diag *d)
    /*@ ghost (struct early_view e, struct list_view l) */
{
    enum calque_status status;
    /*@ ghost struct uses_view v = { .node = u->node.a, .slot = u->slot.a, .in = g->in.a, .n = u->node.n, .m = u->slot.n }; */
    /*@ ghost struct output_view p = { .node = u->node.a, .next = u->output.a, .out = g->output.a, .n = u->node.n,
                                       .m = u->output.n }; */
    /*@ ghost struct order_view o = { .node = u->node.a, .n = u->node.n, .first = u->first, .last = u->last }; */
    /*@ ghost const struct node *nd = g->node.a; */

    /*@ assert views: views_of(v, p, o, u, g); */ /*@ assert lists: lists_ready(v, p, o, nd); */
    /*@ assert topology: topological(v); */
    /*@ assert outputs_in: \forall integer x; is_output(e, x) ==> 0 <= x < e.r.g.n; */
    status = uses_extend(u, g, d);
    /*@ assert keys: same_keys{Pre,Here}(l.early, l.nearly); */
    /*@ assert outs: same_ids{Pre,Here}(e.outs, e.nouts); */
    /*@ assert roots: same_ids{Pre,Here}(e.root, e.nouts); */
    /*@ assert inside: same_inside{Pre,Here}(nd, l.n); */
    /*@ assert called: same_called{Pre,Here}(nd, l.n); */
    /*@ assert tensors: g->tensor.n == \at(g->tensor.n, Pre); */ /*@ assert arrays: g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert held: put_held(g, e, l) && put_apart(g, e, l); */
    if (status != CALQUE_OK)
        return status;
    /*@ ghost struct uses_view w = { .node = u->node.a, .slot = u->slot.a, .in = g->in.a, .n = u->node.n, .m = u->slot.n }; */
    /*@ ghost struct output_view q = { .node = u->node.a, .next = u->output.a, .out = g->output.a, .n = u->node.n,
                                       .m = u->output.n }; */
    /*@ ghost struct order_view r = { .node = u->node.a, .n = u->node.n, .first = u->first, .last = u->last }; */
    /*@ assert views_now: views_of(w, q, r, u, g); */
    /*@ assert lists_now: lists_ready(w, q, r, nd); */ /*@ assert all: all_in(u, g); */
    /*@ assert held_nodes: held_nodes(g); */ /*@ assert same_nodes: same_nodes{Pre,Here}(w, nd); */
    /*@ assert same_in: same_in{Pre,Here}(w); */ /*@ assert taken: taken_in{Pre,Here}(v, w, nd); */
    /*@ assert topology_now: topological(w); */ /*@ assert data: same_data{Pre,Here}(nd, l.n); */
    /*@ assert ranges: ranges_in(nd, g->node.n, g->in.n); */
    /*@ assert inputs: ids_in(g->in.a, 0, g->in.n, g->node.n); */
    /*@ assert valid_data: valid_data(g, nd, l.n); */
    /*@ assert uses: valid_uses(w); */ /*@ assert outputs: valid_outputs(q); */
    /*@ assert beside: side_by_side(w, q); */ /*@ assert nodes: valid_nodes(w, nd); */
    /*@ assert apart: lists_apart(u, g, w, q, nd) && nodes_aside(q, nd) && heads_off(u, g, w, q, nd); */
    /*@ assert kept: lists_kept(u, g, w, q, nd); */ /*@ assert right: lists_right(w, q, r, nd); */
    /*@ assert differ: labels_differ(w); */ /*@ assert stood: stood{Pre,Here}(e, w); */
    /*@ assert check_kept: check_kept{Pre,Here}(e, w, nd, l); */
    /*@ assert alive: roots_alive(w, e.root, e.nouts); */
    /*@ assert appended: appended(w.node, l.first, l.n); */
    /*@ assert new_last: \forall integer low; new_last(w, l, low); */
    /*@ assert first: \forall integer low; first_of(w, e.outs, e.nouts, low) ==> is_first{Pre}(e, low); */
    /*@ assert closed: \forall integer low; first_of(w, e.outs, e.nouts, low) ==> early_closed(w, l, low); */
    /*@ assert early: \forall integer low; first_of(w, e.outs, e.nouts, low) ==> early_found(w, l, low); */
    /*@ assert once: \forall integer i, j; 0 <= i < j < e.nouts ==> e.outs[i] != e.outs[j]; */
    /*@ assert step_outs: \forall integer low; first_of(w, e.outs, e.nouts, low) ==> step_outs(w, l, e.outs, e.nouts, low); */
    /*@ assert step_roots: \forall integer low; first_of(w, e.outs, e.nouts, low) ==>
                           step_roots(w, l, e.outs, e.root, e.nouts, low); */
    /*@ assert one_view: \forall struct uses_view x; lists_of(x, u, g) ==> x == w; */
    /*@ assert one_output: \forall struct output_view x; outputs_in(x, u, g) ==> x == q; */
    /*@ assert one_order: \forall struct order_view x; order_of(x, u) ==> x == r; */
    return CALQUE_OK;
}

/* splice_apply before the first of the outputs; the graph's numbers stay. */
/*@ APPLY_GIVEN
    requires list:     valid_list(l) && l.n == v.n;
    requires outs:     0 < outs && \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first;
    requires found:    \forall integer low; first_of(v, out, outs, low) ==> 0 <= low < l.first &&
                       put_found(v, l, out, root, outs, low);
    terminates \true;
    exits    never:    \false;
    APPLY_DOES
    ensures  counts:   g->in.n == \old(g->in.n) && g->output.n == \old(g->output.n);
*/
static void put_apply(struct uses *u, struct graph *g, struct match_key *early, struct list_view l, const int *out,
                      const int *root, int outs, int from)
    /*@ ghost (struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */
{
    int low = early_first(u->node.a, out, outs);

    /*@ assert first: first_of(v, out, outs, low); */
    /*@ assert found: 0 <= low < l.first && put_found(v, l, out, root, outs, low); */
    /*@ assert off_node: \base_addr(g) != \base_addr(v.node); */
    /*@ assert off_slot: \base_addr(g) != \base_addr(v.slot); */
    /*@ assert off_in: \base_addr(g) != \base_addr(v.in); */
    /*@ assert off_next: \base_addr(g) != \base_addr(w.next) && \base_addr(g) != \base_addr(w.out); */
    /*@ assert off_nodes: \base_addr(g) != \base_addr(nd) && \base_addr(g) != \base_addr(g->node.a); */
    /*@ assert off_tensor: \base_addr(g) != \base_addr(g->tensor.a) && \base_addr(g) != \base_addr(u); */
    /*@ assert off_keys: \base_addr(g) != \base_addr(early) && \base_addr(g) != \base_addr(l.list); */
    /*@ assert far_lists: \separated(&g->in.n, v.node + (0 .. v.n - 1)) && \separated(&g->in.n, v.slot + (0 .. v.m - 1)) &&
                          \separated(&g->in.n, v.in + (0 .. v.m - 1)); */
    /*@ assert far_outputs: \separated(&g->in.n, w.next + (0 .. w.m - 1)) && \separated(&g->in.n, w.out + (0 .. w.m - 1)); */
    /*@ assert far_rest: \separated(&g->in.n, early + (0 .. l.nearly - 1)) && \separated(&g->in.n, nd + (0 .. v.n - 1)) &&
                         \separated(&g->in.n, l.list + (0 .. l.nearly + (l.n - l.first) - 1)) && \separated(&g->in.n, u); */
    /*@ assert off_lists: \separated(&g->output.n, v.node + (0 .. v.n - 1)) && \separated(&g->output.n, v.slot + (0 .. v.m - 1)) &&
                          \separated(&g->output.n, v.in + (0 .. v.m - 1)); */
    /*@ assert off_outputs: \separated(&g->output.n, w.next + (0 .. w.m - 1)) && \separated(&g->output.n, w.out + (0 .. w.m - 1)); */
    /*@ assert off_rest: \separated(&g->output.n, early + (0 .. l.nearly - 1)) && \separated(&g->output.n, nd + (0 .. v.n - 1)) &&
                         \separated(&g->output.n, l.list + (0 .. l.nearly + (l.n - l.first) - 1)) && \separated(&g->output.n, u); */
    splice_apply(u, g, early, l, low, out, root, outs, from) /*@ ghost (v, w, o, nd) */;
    /*@ assert in_n: g->in.n == \at(g->in.n, Pre); */
    /*@ assert output_n: g->output.n == \at(g->output.n, Pre); */
}

enum calque_status splice_put(struct uses *u, struct graph *g, struct match_key *early, struct list_view l, const int *out,
                              const int *root, int outs, int from, struct diag *d)
    /*@ ghost (struct early_view e) */
{
    enum calque_status status;
    /*@ ghost const struct node *nd = g->node.a; */

    /*@ assert outs_before: \forall integer k; 0 <= k < outs ==> 0 <= out[k] < l.first; */
    /*@ assert roots_before: \forall integer k; 0 <= k < outs ==> 0 <= root[k] < l.n; */
    status = put_extend(u, g, d) /*@ ghost (e, l) */;
    if (status != CALQUE_OK)
        return status;
    /*@ ghost Taken: ; */
    /*@ ghost struct uses_view v = { .node = u->node.a, .slot = u->slot.a, .in = g->in.a, .n = u->node.n, .m = u->slot.n }; */
    /*@ ghost struct output_view w = { .node = u->node.a, .next = u->output.a, .out = g->output.a, .n = u->node.n,
                                       .m = u->output.n }; */
    /*@ ghost struct order_view o = { .node = u->node.a, .n = u->node.n, .first = u->first, .last = u->last }; */
    /*@ assert of_v: lists_of(v, u, g); */
    /*@ assert of_w: outputs_in(w, u, g); */
    /*@ assert of_o: order_of(o, u); */
    /*@ assert views: views_of(v, w, o, u, g); */
    /*@ assert lists: put_lists(u, g, v, w, o, nd); */
    /*@ assert outs_taken: \forall integer k; 0 <= k < outs ==> out[k] == \at(out[k], Pre); */
    /*@ assert roots_taken: \forall integer k; 0 <= k < outs ==> root[k] == \at(root[k], Pre); */
    /*@ assert off_out: off_both(\base_addr(out), u, g, v, w, nd) && off_both(\base_addr(root), u, g, v, w, nd); */
    /*@ assert off_early: off_both(\base_addr(early), u, g, v, w, nd) && off_both(\base_addr(l.list), u, g, v, w, nd); */
    /*@ assert among: \forall integer x; among(out, outs, x) <==> among{Pre}(out, outs, x); */
    /*@ assert nodes: same_nodes{Pre,Here}(v, nd); */
    /*@ assert in_taken: \forall integer s; 0 <= s < v.m ==> v.in[s] == \at(g->in.a[s], Pre); */
    /*@ assert names_taken: same_called{Pre,Here}(nd, l.n); */
    /*@ assert keys_taken: same_keys{Pre,Here}(l.early, l.nearly); */
    /*@ assert keys: \forall integer x; early_node(l, x) <==> early_node{Pre}(l, x); */
    /*@ assert living: \forall integer x; 0 <= x < l.n ==>
                    (v.node[x].dead <==> x < l.first && \at(u->node.a[x].dead, Pre)); */
    /*@ assert labels: moved_labels{Pre,Here}(\at(u->node.a, Pre), v.node, l.first); */
    /*@ assert outs_same: same_outs{Pre,Here}(w, -1); */
    /*@ assert ids_same: same_ids{Pre,Here}(out, outs) && same_ids{Pre,Here}(root, outs); */
    /*@ assert linked: put_linked{Pre,Here}(u, v, nd, l); */
    put_apply(u, g, early, l, out, root, outs, from) /*@ ghost (v, w, o, nd) */;
    /*@ assert edges: edges_moved{Taken,Here}(v, out, root, outs); */
    /*@ assert edges_in: \forall integer s, j; linked{Taken}(v, s) ==> 0 <= j < outs ==> \at(g->in.a[s], Pre) == \at(out[j], Pre) ==>
                    v.in[s] == \at(root[j], Pre); */
    /*@ assert edges_kept: \forall integer s; 0 <= s < v.m ==> !among{Pre}(out, outs, \at(g->in.a[s], Pre)) ==>
                    v.in[s] == \at(g->in.a[s], Pre); */
    /*@ assert moved: put_moved{Pre,Here}(u, g, e, l); */
    /*@ assert outputs: outputs_moved{Taken,Here}(w, out, root, outs); */
    /*@ assert outputs_pre: outputs_moved{Pre,Here}(w, out, root, outs); */
    /*@ assert out_names: same_out_names{Pre,Here}(w); */
    /*@ assert order: put_stays{Pre,Taken,Here}(v, l); */
    /*@ assert order_pre: put_order{Pre,Here}(\at(u->node.a, Pre), v.node, l); */
    /*@ assert inside: same_inside{Pre,Here}(nd, l.n); */
    /*@ assert one_view: \forall struct uses_view x; lists_of(x, u, g) ==> x == v; */
    /*@ assert one_output: \forall struct output_view x; outputs_in(x, u, g) ==> x == w; */
    /*@ assert array: u->node.a == v.node; */
    /*@ assert named_out: \forall integer k; 0 <= k < outs ==> \at(nd[out[k]].name, Taken) == \at(g->node.a[out[k]].name, Pre); */
    /*@ assert named: \forall integer k; 0 <= k < outs ==> \at(root[k], Pre) >= l.first ==>
                    \at(g->node.a[out[k]].name, Pre) >= 0 ==> nd[\at(root[k], Pre)].name >= 0; */
    /*@ assert graph: g->node.a == nd && g->node.n == l.n && g->in.a == v.in && g->output.a == w.out; */
    return CALQUE_OK;
}
