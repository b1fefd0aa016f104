/* The expressions of an arena and those of a memo of it, as the cores take them. */
#ifndef CALQUE_ATTR_MEMO_ARENA_H
#define CALQUE_ATTR_MEMO_ARENA_H

#include "attr/attr_put.h"
#include "attr/memo.h"

#ifdef __FRAMAC__
#include "attr/value_core.h"

#include "attr/attr_room.acsl"
#include "attr/memo_of.acsl"
#endif

/*@ requires valid:    \valid_read(t) && \valid_read(t->values);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  arena:    \result == arena_of(t);
*/
struct attr_put memo_source(const struct attrs *t);
/* As many nodes as m has, from `node`; the rest is that of t. */
/*@ requires valid:    \valid_read(m) && \valid_read(t) && \valid_read(t->values);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  arena:    \result == memo_of(m, t, node);
*/
struct attr_put memo_arena(const struct attr_memo *m, const struct attrs *t, struct attr_node *node);

#endif
