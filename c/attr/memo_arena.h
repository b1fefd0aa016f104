/* The expressions of a memo as an arena: for its start (memo.c) and for evaluation (memo_eval.c). */
#ifndef CALQUE_ATTR_MEMO_ARENA_H
#define CALQUE_ATTR_MEMO_ARENA_H

#include "attr/memo_find.h"

/* As many nodes as m has, from `node`; the rest is that of t. */
struct attr_put memo_arena(const struct attr_memo *m, const struct attrs *t, struct attr_node *node);

#endif
