/* Putting a built target in the place of a match's outputs, in a cost of the order of the match: edges move, nodes that
   nothing needs any more die, and the topological order is repaired between the first output and what the target reads.
   One substitution is splice_room (splice_room.h), splice_check, and if that allows it splice_origin, splice_commit. */
#ifndef CALQUE_REWRITE_SPLICE_H
#define CALQUE_REWRITE_SPLICE_H

#include "pattern/match.h"
#include "pattern/uses_build.h"
#include "rewrite/splice_find.h"
#include "rewrite/splice_put.h"

struct splice {
    struct graph *g;
    struct uses *uses;
    struct walker walk;
    struct { struct match_key *a; int n, cap; } early; /* to be moved before the first output */
    struct ints list; /* the nodes of early and then the new ones */
};

#ifdef __FRAMAC__
#include "rewrite/splice_whole.acsl"
#endif

/* What the new nodes (from `first` on) and the roots are computed from and stands after the first output goes to
   s->early. CALQUE_NO: one of them is computed from an output, so the result would have a cycle. */
/*@ requires held:     held_splice(s, m) && splice_aside(s, m, root);
    requires valid:    valid_early(early_of(s, m, root, first));
    requires room:     \valid(s->early.a + (0 .. first - 1)) && off_early(\base_addr(s->early.a), early_of(s, m, root, first));
    requires stamps:   held_stamps(s) && first <= s->walk.seen.n;
    terminates \true;
    exits    never:    \false;
    assigns  s->walk.stamp, s->walk.seen.n, s->early.n, s->walk.seen.a[0 .. first - 1], s->walk.work.a[0 .. first - 1],
             s->early.a[0 .. first - 1];
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NO;
    ensures  convex:   \result == CALQUE_OK <==> convex_rewrite{Pre}(\at(early_of(s, m, root, first), Pre));
    ensures  witness:  \result == CALQUE_NO ==> \exists integer x; is_output{Pre}(\at(early_of(s, m, root, first), Pre), x) &&
                       needed{Pre}(\at(early_of(s, m, root, first), Pre), x);
    ensures  found:    \result == CALQUE_OK ==> 0 <= s->early.n <= first &&
                       keys_found(early_of(s, m, root, first), s->early.a, s->early.n);
    ensures  none:     \result == CALQUE_NO ==> s->early.n == 0;
    ensures  stamps:   s->walk.seen.n == first && held_stamps(s);
*/
enum calque_status splice_check(struct splice *s, const struct matcher *m, const int *root, int first);

/* root[k] takes the place of m->outs.a[k]: its users, and if it is new its name; after splice_check. New nodes come from
   `from`. When memory is out the graph is as it was. */
/*@ requires held:     held_uses(s->uses) && held_nodes(s->g) && aside(s->uses, s->g, d) &&
                       \valid(s->g->node.a + (0 .. s->g->node.n - 1)) && valid_data(s->g, s->g->node.a, s->g->node.n);
    requires splice:   held_splice(s, m);
    requires ready:    uses_ready(s->uses, s->g);
    requires topology: \forall struct uses_view v; lists_of(v, s->uses, s->g) ==> topological(v);
    requires new:      first == s->uses->node.n && new_nodes(s->uses, s->g) &&
                       reads_back(s->g->node.a, s->g->in.a, first, s->g->node.n);
    requires inputs:   ids_in(s->g->in.a, 0, s->g->in.n, s->g->node.n);
    requires caller:   held_apart(s->uses, d) && put_held(s->g, early_of(s, m, root, first), list_of(s, first)) &&
                       put_apart(s->g, early_of(s, m, root, first), list_of(s, first));
    requires list:     valid_list(list_of(s, first)) && \valid(s->early.a + (0 .. s->early.n - 1));
    requires found:    keys_found(early_of(s, m, root, first), s->early.a, s->early.n);
    requires ids:      0 < m->outs.n && \valid_read(m->outs.a + (0 .. m->outs.n - 1)) &&
                       \valid_read(root + (0 .. m->outs.n - 1));
    requires outs:     (\forall integer k; 0 <= k < m->outs.n ==> 0 <= m->outs.a[k] < first) &&
                       \forall integer j, k; 0 <= j < k < m->outs.n ==> m->outs.a[j] != m->outs.a[k];
    requires roots:    \forall integer k; 0 <= k < m->outs.n ==> 0 <= root[k] < s->g->node.n &&
                       (root[k] < first ==> !s->uses->node.a[root[k]].dead);
    terminates \true;
    exits    never:    \false;
    assigns  *s->uses, *s->uses->mem, *d, { *p | struct use_node *p; \true }, { *q | struct use_slot *q; \true },
             { *k | int *k; \true }, s->early.a[0 .. s->early.n - 1],
             s->list.a[0 .. s->early.n + (s->g->node.n - first) - 1], s->g->node.a[0 .. s->g->node.n - 1],
             s->g->in.a[0 .. s->g->in.n - 1], s->g->output.a[0 .. s->g->output.n - 1],
             s->g->tensor.a[0 .. s->g->tensor.n - 1].bytes;
    assigns  s->g->tensor.a[0 .. s->g->tensor.n - 1].data \from \nothing;
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  none:     \let u = \old(s->uses); \let g = \old(s->g); \result != CALQUE_OK ==>
                       same_uses{Pre,Post}(u) && moved_uses{Pre,Post}(u) && graph_kept{Pre,Post}(g) && uses_ready(u, g);
    ensures  all:      \result == CALQUE_OK ==> all_in(\old(s->uses), \old(s->g));
    ensures  graph:    \let g = \old(s->g); g->node.a == \old(s->g->node.a) && g->node.n == \old(s->g->node.n) &&
                       g->in.a == \old(s->g->in.a) && g->in.n == \old(s->g->in.n) &&
                       g->output.a == \old(s->g->output.a) && g->output.n == \old(s->g->output.n);
    ensures  right:    \let u = \old(s->uses); \let g = \old(s->g); \result == CALQUE_OK ==>
                       \forall struct uses_view v, struct output_view w, struct order_view o;
                       views_of(v, w, o, u, g) ==> lists_kept(u, g, v, w, g->node.a) && lists_right(v, w, o, g->node.a);
    ensures  moved:    \result == CALQUE_OK ==> put_moved{Pre,Post}(\old(s->uses), \old(s->g),
                       \old(early_of(s, m, root, first)), \old(list_of(s, first)));
    ensures  others:   \let g = \old(s->g); \let outs = \old(m->outs.a); \let n = \old(m->outs.n); \result == CALQUE_OK ==>
                       \forall integer i; 0 <= i < g->in.n ==> !among{Pre}(outs, n, \at(g->in.a[i], Pre)) ==>
                       g->in.a[i] == \at(g->in.a[i], Pre);
    ensures  outputs:  \let outs = \old(m->outs.a); \let n = \old(m->outs.n); \result == CALQUE_OK ==>
                       \forall struct output_view w; outputs_in(w, \old(s->uses), \old(s->g)) ==>
                       outputs_moved{Pre,Post}(w, outs, root, n) && same_out_names{Pre,Post}(w);
    ensures  order:    \let u = \old(s->uses); \result == CALQUE_OK ==>
                       put_order{Pre,Post}(\at(u->node.a, Pre), u->node.a, \old(list_of(s, first)));
    ensures  stays:    \let u = \old(s->uses); \result == CALQUE_OK ==> \forall integer x; 0 <= x < first ==>
                       \at(u->node.a[x].dead, Pre) ==> u->node.a[x].dead;
    ensures  unneeded: \let u = \old(s->uses); \let g = \old(s->g); \result == CALQUE_OK ==>
                       \forall struct uses_view v, integer x; lists_of(v, u, g) ==> 0 <= x < v.n ==> v.node[x].dead ==>
                       (x < first && \at(u->node.a[x].dead, Pre)) || unneeded(v, g->node.a, x);
    ensures  replaced: \let u = \old(s->uses); \let g = \old(s->g); \result == CALQUE_OK ==>
                       \forall integer k; 0 <= k < \old(m->outs.n) ==>
                       g->node.a[\at(m->outs.a[k], Pre)].kind != NODE_INPUT ==> u->node.a[\at(m->outs.a[k], Pre)].dead;
    ensures  rest:     \let g = \old(s->g); \let outs = \old(m->outs.a); \let n = \old(m->outs.n); \result == CALQUE_OK ==>
                       \forall struct uses_view v, integer x; lists_of(v, \old(s->uses), g) ==> garbage(v, g->node.a, x) ==>
                       !among{Pre}(outs, n, x) && x < first;
    ensures  inside:   same_inside{Pre,Post}(\old(s->g->node.a), \old(s->g->node.n));
    ensures  named:    \let g = \old(s->g); \result == CALQUE_OK ==> \forall integer k; 0 <= k < \old(m->outs.n) ==>
                       \at(root[k], Pre) >= first ==> \at(g->node.a[m->outs.a[k]].name, Pre) >= 0 ==>
                       g->node.a[\at(root[k], Pre)].name >= 0;
    ensures  names:    \let g = \old(s->g); \let outs = \old(m->outs.a); \let n = \old(m->outs.n);
                       \forall integer x; 0 <= x < first ==> !among{Pre}(outs, n, x) ==>
                       g->node.a[x].name == \at(g->node.a[x].name, Pre) && g->node.a[x].label == \at(g->node.a[x].label, Pre);
    ensures  signed:   \let g = \old(s->g); \result == CALQUE_OK ==> \forall integer x; 0 <= x < \old(s->g->node.n) ==>
                       g->node.a[x].origin ==
                       (first <= x && g->node.a[x].kind != NODE_CONST ? from : \at(g->node.a[x].origin, Pre));
*/
enum calque_status splice_commit(struct splice *s, const struct matcher *m, const int *root, int first, int from,
                                 struct diag *d);

#endif
