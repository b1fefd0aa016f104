/* What a substitution's check has found comes into order: then the substitution (splice_step.h) may be made. In the contract
   v, w are the lists of u for g, o is the order, nd the nodes of g. */
#ifndef CALQUE_REWRITE_SPLICE_READY_H
#define CALQUE_REWRITE_SPLICE_READY_H

#include "rewrite/splice_parts.h"
#include "rewrite/splice_sort.h"

#ifdef __FRAMAC__
#define READY_FOUND                                                                                                         \
    requires list:     valid_list(l) && l.n == v.n && 0 <= low < l.first && new_last(v, l, low) && early_closed(v, l, low); \
    requires found:    early_found(v, l, low);                                                                              \
    requires outs:     step_outs(v, l, out, outs, low);                                                                     \
    requires roots:    step_roots(v, l, out, root, outs, low);
#define READY_GIVEN                                                                                             \
    STEP_STATE                                                                                                  \
    STEP_IDS                                                                                                    \
    requires view:     order_of(o, u);                                                                          \
    requires early:    l.early == early && l.nearly == n && \valid(early + (0 .. n - 1)) &&                     \
                       off_both(\base_addr(early), u, g, v, w, nd) && \base_addr(early) != \base_addr(out) &&   \
                       \base_addr(early) != \base_addr(root);                                                   \
    requires room:     off_both(\base_addr(l.list), u, g, v, w, nd) && \base_addr(l.list) != \base_addr(out) && \
                       \base_addr(l.list) != \base_addr(root);                                                  \
    READY_FOUND
#define READY_DOES                                                                     \
    assigns  early[0 .. n - 1];                                                        \
    STEP_SAME                                                                          \
    STEP_SAME_IDS                                                                      \
    ensures  right:    order_of(o, u) && lists_right(v, w, o, nd);                     \
    ensures  lists:    same_lists{Pre,Post}(v, w, nd);                                 \
    ensures  room:     off_both(\base_addr(l.list), u, g, v, w, nd);                   \
    ensures  early:    \forall integer x; early_node(l, x) <==> early_node{Pre}(l, x); \
    ensures  list:     step_list(v, l, low);                                           \
    ensures  outs:     step_outs(v, l, out, outs, low);                                \
    ensures  roots:    step_roots(v, l, out, root, outs, low);
#endif

/* splice_sort, seen from all the lists; what it ensures is what splice_step requires. */
/*@ READY_GIVEN
    terminates \true;
    exits    never:    \false;
    READY_DOES
*/
void splice_ready(struct match_key *early, int n)
    /*@ ghost (struct uses *u, struct graph *g, struct list_view l, int low, const int *out, const int *root, int outs,
               struct uses_view v, struct output_view w, struct order_view o, const struct node *nd) */;

#endif
