/* The children of a node, in the order in which they are evaluated and printed. */
#ifndef CALQUE_ATTR_ATTR_KIDS_H
#define CALQUE_ATTR_ATTR_KIDS_H

#include "attr/attr_put.h"

/* Do nodes of this kind have their children in the pool, any number of them? (Declared for all in attr.h.) */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  kids:     \result == 1 <==> family_kind(kind);
*/
bool attr_has_kids(int kind);

/* The number of children of node i, and child k. */
/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= i < t.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  count:    \result == n_kids(t, i) && 0 <= \result;
*/
int attr_kids(struct attr_put t, int i);
/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= i < t.n;
    requires kid:      0 <= k < n_kids(t, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  kid:      \result == kid_of(t, i, k);
    ensures  less:     0 <= \result < i;
    ensures  deep:     0 <= t.node[\result].depth < t.node[i].depth;
*/
int attr_kid(struct attr_put t, int i, int k);

#endif
