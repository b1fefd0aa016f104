/* What a substitution's check has found, in the order of the graph. */
#ifndef CALQUE_REWRITE_SPLICE_SORT_H
#define CALQUE_REWRITE_SPLICE_SORT_H

#include "pattern/key_sort.h"
#include "rewrite/splice_core.h"

#ifdef __FRAMAC__
#include "rewrite/splice_found.acsl"
#endif

/* early, the nodes to be moved, comes into the order that they have now. */
/*@ requires valid:    valid_list(l) && l.early == early && l.nearly == n && \valid(early + (0 .. n - 1)) && valid_uses(v) &&
                       l.n == v.n && 0 <= low < l.first;
    requires apart:    off_uses(\base_addr(early), v);
    requires found:    early_found(v, l, low) && labels_differ(v);
    terminates \true;
    exits    never:    \false;
    assigns  early[0 .. n - 1];
    ensures  sorted:   early_sorted(v, l, low);
    ensures  nodes:    \forall integer x; early_node(l, x) <==> early_node{Pre}(l, x);
*/
void splice_sort(struct match_key *early, int n) /*@ ghost (struct uses_view v, struct list_view l, int low) */;

#endif
