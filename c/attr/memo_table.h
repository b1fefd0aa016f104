/* Hash-consing: which nodes of an arena are the same expression. */
#ifndef CALQUE_ATTR_MEMO_TABLE_H
#define CALQUE_ATTR_MEMO_TABLE_H

#include "attr/memo_find.h"

/* Finds for each node the least one that is the same expression. */
/*@ requires valid:    valid_memo(m, vs);
    terminates \true;
    exits    never:    \false;
    assigns  m.of[0 .. m.t.n - 1], m.table[0 .. m.size - 1];
    ensures  classes:  \forall integer i, j; 0 <= i < m.t.n ==> 0 <= j < m.t.n ==>
                       (m.of[i].first == m.of[j].first <==> EX(i) == EX(j));
    ensures  least:    \forall integer i; 0 <= i < m.t.n ==> class_ok(m, vs, i);
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
*/
void memo_classify(struct memo_view m, struct values vs);

#endif
