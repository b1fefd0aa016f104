/* The proved part of looking for an equal expression: its hash, and the probing of the table. */
#ifndef CALQUE_ATTR_MEMO_FIND_H
#define CALQUE_ATTR_MEMO_FIND_H

#include "attr/attr_kids.h"
#include "attr/memo.h"
#include "attr/value_core.h"

/* An arena, a class for each of its nodes, and a table of `size` entries, more than there are nodes. */
struct memo_view {
    struct attr_put t;
    struct attr_memo_class *of;
    int *table;
    int size;
};

#ifdef __FRAMAC__
#include "attr/memo.acsl"
#endif

/* The hash of node i; those of its children are in their classes. */
/*@ requires valid:    valid_memo(m, vs);
    requires node:     0 <= i < m.t.n;
    requires classes:  classes_ok(m, vs, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  hash:     \result == hash_of(EX(i));
*/
unsigned long memo_hash(struct memo_view m, struct values vs, int i);

/* The position of the first node that is the same expression as i, or, when none is, a free one on the way from home. */
/*@ requires valid:    valid_memo(m, vs);
    requires node:     0 <= i < m.t.n;
    requires index:    index_ok(m, vs, i);
    requires free:     \exists integer p; 0 <= p < m.size && m.table[p] < 0;
    requires hash:     h == hash_of(EX(i));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    0 <= \result < m.size;
    ensures  found:    m.table[\result] >= 0 ==> m.table[\result] < i && EX(m.table[\result]) == EX(i);
    ensures  absent:   m.table[\result] < 0 ==> absent(m, vs, i);
    ensures  full:     full(m, home(h, m.size), \result);
*/
int memo_find(struct memo_view m, struct values vs, int i, unsigned long h);

#endif
