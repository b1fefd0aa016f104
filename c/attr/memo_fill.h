/* The proved part of a memo's start. */
#ifndef CALQUE_ATTR_MEMO_FILL_H
#define CALQUE_ATTR_MEMO_FILL_H

#include "attr/memo_core.h"
#include "attr/memo_free.h"
#include "attr/memo_table.h"

#ifdef __FRAMAC__
#include "attr/memo_fill.acsl"
#endif

/* Forgets everything: `node` are the expressions of m.t, m.of their classes, lists, free symbols. */
/*@ requires valid:    valid_memo(m, vs) && wf_attrs(m.t.node, m.t.kid, m.t.n, m.t.nkid, m.t.nvalue);
    requires values:   m.t.nvalue == vs.n;
    requires node:     \valid(node + (0 .. m.t.n - 1)) &&
                       \separated(node + (0 .. m.t.n - 1), m.of + (0 .. m.t.n - 1), m.t.node + (0 .. m.t.cap - 1),
                                  m.t.kid + (0 .. m.t.capkid - 1), vs.v + (0 .. vs.cap - 1), vs.pool + (0 .. vs.cappool - 1));
    requires table:    \separated(node + (0 .. m.t.n - 1), m.table + (0 .. m.size - 1));
    terminates \true;
    exits    never:    \false;
    assigns  m.of[0 .. m.t.n - 1], m.table[0 .. m.size - 1], node[0 .. m.t.n - 1];
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  wf:       wf_attrs(node, m.t.kid, m.t.n, m.t.nkid, m.t.nvalue);
    ensures  classes:  \forall integer i, j; 0 <= i < m.t.n ==> 0 <= j < m.t.n ==>
                       (m.of[i].first == m.of[j].first <==> EX(i) == EX(j));
    ensures  lists:    firsts_ok(m.of, m.t.n) && lists_ok(m.of, m.t.n);
    ensures  sets:     sets_ok(m.t, m.of, m.t.n) && keeps_ok(m.of, m.t.n);
    ensures  tried:    \forall integer i; 0 <= i < m.t.n ==> !m.of[i].tried;
    ensures  copied:   copied(m.t.node, node, m.t.n);
    ensures  right:    \forall env g; memo_right({m.t \with .node = node}, m.of, VALS(vs), TREES(m.t, VALS(vs)), g);
*/
void memo_fill(struct memo_view m, struct values vs, struct attr_node *node);

#endif
