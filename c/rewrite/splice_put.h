/* The substitution as a whole, but for the memory of its list and the text of its origin: from what the check has found
   (splice_find.h) to a graph with the target in the place of the outputs. */
#ifndef CALQUE_REWRITE_SPLICE_PUT_H
#define CALQUE_REWRITE_SPLICE_PUT_H

#include "pattern/uses_build.h"
#include "rewrite/splice_apply.h"
#include "rewrite/splice_early.h"

#ifdef __FRAMAC__
#include "rewrite/splice_steps.acsl"
#include "rewrite/splice_bridge.acsl"
#include "rewrite/splice_put.acsl"

/* The lists are those of the graph but for the new nodes; the check has found l.early. */
#define PUT_REQUIRES                                                                                                     \
    requires held:     held_uses(u) && held_nodes(g) && aside(u, g, d) && \valid(g->node.a + (0 .. g->node.n - 1)) &&    \
                       valid_data(g, g->node.a, g->node.n);                                                              \
    requires ready:    uses_ready(u, g);                                                                                 \
    requires topology: \forall struct uses_view v; lists_of(v, u, g) ==> topological(v);                                 \
    requires new:      new_nodes(u, g) && reads_back(g->node.a, g->in.a, u->node.n, g->node.n);                          \
    requires inputs:   ids_in(g->in.a, 0, g->in.n, g->node.n);                                                           \
    requires caller:   held_apart(u, d) && put_held(g, e, l) && put_apart(g, e, l);                                      \
    requires view:     put_view(u, g, e, l);                                                                             \
    requires list:     valid_list(l) && \valid(l.early + (0 .. l.nearly - 1));                                           \
    requires found:    keys_found(e, l.early, l.nearly);                                                                 \
    requires ids:      0 < e.nouts && \valid_read(e.outs + (0 .. e.nouts - 1)) && \valid_read(e.root + (0 .. e.nouts - 1)); \
    requires outs:     (\forall integer k; 0 <= k < e.nouts ==> 0 <= e.outs[k] < l.first) &&                             \
                       \forall integer j, k; 0 <= j < k < e.nouts ==> e.outs[j] != e.outs[k];                            \
    requires roots:    \forall integer k; 0 <= k < e.nouts ==> 0 <= e.root[k] < l.n &&                                   \
                       (e.root[k] < l.first ==> !u->node.a[e.root[k]].dead);
#endif

/* The lists take in the new nodes, from l.first on; then what must stand before the first output is moved there, and root[k]
   takes the place of out[k] (splice_step.h). When memory is out the graph is as it was. New nodes come from `from`. */
/*@ PUT_REQUIRES
    requires same:     early == l.early && out == e.outs && root == e.root && outs == e.nouts;
    terminates \true;
    exits    never:    \false;
    assigns  *u, *u->mem, *d, { *p | struct use_node *p; \true }, { *q | struct use_slot *q; \true }, { *k | int *k; \true },
             early[0 .. l.nearly - 1], l.list[0 .. l.nearly + (l.n - l.first) - 1], g->node.a[0 .. l.n - 1],
             g->in.a[0 .. g->in.n - 1], g->output.a[0 .. g->output.n - 1], g->tensor.a[0 .. g->tensor.n - 1].bytes;
    assigns  g->tensor.a[0 .. g->tensor.n - 1].data \from \nothing;
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  none:     \result != CALQUE_OK ==> same_uses{Pre,Post}(u) && moved_uses{Pre,Post}(u) && graph_kept{Pre,Post}(g) &&
                       uses_ready(u, g);
    ensures  all:      \result == CALQUE_OK ==> all_in(u, g);
    ensures  graph:    g->node.a == \old(g->node.a) && g->node.n == \old(g->node.n) && g->in.a == \old(g->in.a) &&
                       g->in.n == \old(g->in.n) && g->output.a == \old(g->output.a) && g->output.n == \old(g->output.n);
    ensures  right:    \result == CALQUE_OK ==> \forall struct uses_view v, struct output_view w, struct order_view o;
                       views_of(v, w, o, u, g) ==> lists_kept(u, g, v, w, g->node.a) && lists_right(v, w, o, g->node.a);
    ensures  moved:    \result == CALQUE_OK ==> put_moved{Pre,Post}(u, g, e, l);
    ensures  others:   \result == CALQUE_OK ==> \forall integer s; 0 <= s < g->in.n ==>
                       !among{Pre}(out, outs, \old(g->in.a[s])) ==> g->in.a[s] == \old(g->in.a[s]);
    ensures  outputs:  \result == CALQUE_OK ==> \forall struct output_view w; outputs_in(w, u, g) ==>
                       outputs_moved{Pre,Post}(w, out, root, outs) && same_out_names{Pre,Post}(w);
    ensures  order:    \result == CALQUE_OK ==> put_order{Pre,Post}(\old(u->node.a), u->node.a, l);
    ensures  stays:    \result == CALQUE_OK ==> \forall integer x; 0 <= x < l.first ==> \old(u->node.a[x].dead) ==>
                       u->node.a[x].dead;
    ensures  unneeded: \result == CALQUE_OK ==> \forall struct uses_view v, integer x; lists_of(v, u, g) ==> 0 <= x < v.n ==>
                       v.node[x].dead ==> (x < l.first && \old(u->node.a[x].dead)) || unneeded(v, g->node.a, x);
    ensures  replaced: \result == CALQUE_OK ==> \forall integer k; 0 <= k < outs ==>
                       g->node.a[\old(out[k])].kind != NODE_INPUT ==> u->node.a[\old(out[k])].dead;
    ensures  rest:     \result == CALQUE_OK ==> \forall struct uses_view v, integer x; lists_of(v, u, g) ==>
                       garbage(v, g->node.a, x) ==> !among{Pre}(out, outs, x) && x < l.first;
    ensures  inside:   same_inside{Pre,Post}(g->node.a, l.n);
    ensures  named:    \result == CALQUE_OK ==> \forall integer k; 0 <= k < outs ==> \old(root[k]) >= l.first ==>
                       \old(g->node.a[out[k]].name) >= 0 ==> g->node.a[\old(root[k])].name >= 0;
    ensures  names:    \forall integer x; 0 <= x < l.first ==> !among{Pre}(out, outs, x) ==>
                       g->node.a[x].name == \old(g->node.a[x].name) && g->node.a[x].label == \old(g->node.a[x].label);
    ensures  signed:   \result == CALQUE_OK ==> \forall integer x; 0 <= x < l.n ==> g->node.a[x].origin ==
                       (l.first <= x && g->node.a[x].kind != NODE_CONST ? from : \old(g->node.a[x].origin));
*/
enum calque_status splice_put(struct uses *u, struct graph *g, struct match_key *early, struct list_view l, const int *out,
                              const int *root, int outs, int from, struct diag *d)
    /*@ ghost (struct early_view e) */;

#endif
