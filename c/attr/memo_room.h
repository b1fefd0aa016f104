/* Memory for a memo. Trusted: memory management; these contracts are what memo.c is proved from. */
#ifndef CALQUE_ATTR_MEMO_ROOM_H
#define CALQUE_ATTR_MEMO_ROOM_H

#include "attr/memo.h"

#ifdef __FRAMAC__
#include "attr/attr_put.h"
#include "attr/eval.h"
#include "attr/value_core.h"

#include "attr/memo_room.acsl"
#endif

/* Room for n expressions, and a table of this size, which is the caller's; NULL, and m has none, when memory is out. The
   arena t stays apart from it. What the arrays of m held is lost. */
/*@ requires held:     held_memo(m) && held_source(t) && off_memo(t, m);
    requires sizes:    0 <= n && 0 < size;
    terminates \true;
    exits    never:    \false;
    assigns  *m, *m->mem, m->node[0 .. m->cap - 1], m->of[0 .. m->capof - 1], \result \from indirect:n, indirect:size;
    ensures  same:     same_source{Pre,Post}(t) && held_source(t);
    ensures  exprs:    same_exprs{Pre,Post}(\old(t->node.a), \old(t->node.n)) &&
                       same_ints{Pre,Post}(\old(t->kid.a), \old(t->kid.n));
    ensures  held:     held_memo(m) && off_memo(t, m);
    ensures  mem:      m->mem == \old(m->mem);
    ensures  count:    m->n == (\result == \null ? 0 : n);
    ensures  table:    \result == \null || held_table(t, m, \result, size);
*/
int *memo_room(struct attr_memo *m, int n, int size) /*@ ghost (const struct attrs *t) */;
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
*/
void memo_table_free(int *table);

#endif
