/* The proved part of making room for a memo. */
#ifndef CALQUE_ATTR_MEMO_TAKE_H
#define CALQUE_ATTR_MEMO_TAKE_H

#include "attr/memo_room.h"

/* memo_room for as many expressions as t has; t is as it was. */
/*@ requires ready:    ready_source(t);
    requires held:     held_memo(m) && off_memo(t, m);
    requires size:     0 < size;
    terminates \true;
    exits    never:    \false;
    assigns  *m, *m->mem, m->node[0 .. m->cap - 1], m->of[0 .. m->capof - 1], \result \from indirect:t->node.n, indirect:size;
    ensures  ready:    ready_source(t);
    ensures  same:     same_source{Pre,Post}(t);
    ensures  held:     held_memo(m) && off_memo(t, m);
    ensures  mem:      m->mem == \old(m->mem);
    ensures  count:    m->n == (\result == \null ? 0 : t->node.n);
    ensures  table:    \result == \null || held_table(t, m, \result, size);
*/
int *memo_take(struct attr_memo *m, const struct attrs *t, int size);

#endif
