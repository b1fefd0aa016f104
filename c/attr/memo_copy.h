/* The proved part of copying the nodes of an arena. */
#ifndef CALQUE_ATTR_MEMO_COPY_H
#define CALQUE_ATTR_MEMO_COPY_H

#include "attr/attr_put.h"

#ifdef __FRAMAC__
#include "attr/eval.h"

#include "attr/memo_twin.acsl"
#endif

/* The nodes of c become those of t. */
/*@ requires twin:     is_twin(t, c) && valid_arena(t) && valid_arena(c) &&
                       \separated(c.node + (0 .. c.n - 1), t.node + (0 .. t.n - 1), t.kid + (0 .. t.nkid - 1));
    terminates \true;
    exits    never:    \false;
    assigns  c.node[0 .. c.n - 1];
    ensures  copied:   copied(t, c, t.n);
    ensures  same:     same_arena{Pre,Post}(t);
*/
void memo_copy(struct attr_put t, struct attr_put c);

#endif
