/* The edges of a substitution, once its nodes are placed: they move to the roots, and what nothing needs any more dies. In
   the contracts v, o are the lists of u for g, nd its nodes. */
#ifndef CALQUE_REWRITE_SPLICE_EDGES_H
#define CALQUE_REWRITE_SPLICE_EDGES_H

#include "pattern/uses_edit.h"
#include "rewrite/splice_core.h"

#ifdef __FRAMAC__
#include "rewrite/splice_edges.acsl"

#define DROP_ASSIGNS                                                                                                     \
    assigns  v.node[0 .. v.n - 1], v.slot[0 .. v.m - 1], g->tensor.a[0 .. g->tensor.n - 1].bytes;                        \
    assigns  g->tensor.a[0 .. g->tensor.n - 1].data \from \nothing;
#define DROP_KEEPS                                                                                                       \
    ensures  kept:     lists_kept(u, g, v, o, nd);                                                                       \
    ensures  ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd);                                                      \
    ensures  topology: topological(v);                                                                                   \
    ensures  order:    same_order{Pre,Post}(v);                                                                          \
    ensures  fewer:    fewer_users{Pre,Post}(v);                                                                         \
    ensures  in:       same_in{Pre,Post}(v);                                                                             \
    ensures  outs:     same_outs{Pre,Post}(o, -1);                                                                       \
    ensures  heads:    same_out_heads{Pre,Post}(o, -1);                                                                  \
    ensures  tensors:  g->tensor.a == \old(g->tensor.a) && g->tensor.n == \old(g->tensor.n);                             \
    ensures  stays:    stay_dead{Pre,Post}(v);                                                                           \
    ensures  unneeded: died_unneeded{Pre,Post}(v, nd);
#endif

/* The old outputs die, as far as nothing needs them, and so does what was built, from node `first` on; then their inputs
   likewise. */
/*@ requires kept:     lists_kept(u, g, v, o, nd);
    requires ok:       uses_ok(v) && outputs_ok(o) && exact(v, nd) && topological(v);
    requires nodes:    0 <= first && 0 <= outs && \valid_read(out + (0 .. outs - 1)) && own_block(v, out) &&
                       \forall integer k; 0 <= k < outs ==> 0 <= out[k] < v.n;
    terminates \true;
    exits    never:    \false;
    DROP_ASSIGNS
    DROP_KEEPS
    ensures  rest:     \forall integer x; garbage(v, nd, x) ==> garbage{Pre}(v, nd, x) && !among(out, outs, x) && x < first;
*/
void splice_drop(struct uses *u, struct graph *g, const int *out, int outs, int first)
    /*@ ghost (struct uses_view v, struct output_view o, const struct node *nd) */;

#endif
