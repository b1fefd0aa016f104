/* The proved part of the start of a memo. */
#ifndef CALQUE_ATTR_MEMO_FILL_H
#define CALQUE_ATTR_MEMO_FILL_H

#include "attr/memo_copy.h"
#include "attr/memo_core.h"
#include "attr/memo_free.h"
#include "attr/memo_table.h"

#ifdef __FRAMAC__
#include "attr/memo_fill.acsl"
#endif

/* The nodes of c become those of m.t, and m.of their classes: a memo that remembers nothing, right in every environment. */
/*@ requires valid:    valid_memo(m, vs);
    requires trees:    wf_trees(m.t);
    requires twin:     is_twin(m.t, c) && valid_arena(c) && apart_twin(m, vs, c);
    terminates \true;
    exits    never:    \false;
    assigns  c.node[0 .. c.n - 1], m.of[0 .. m.t.n - 1], m.table[0 .. m.size - 1];
    ensures  same:     same_arena{Pre,Post}(m.t) && same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  copied:   copied(m.t, c, m.t.n);
    ensures  classes:  classes_same(m, vs);
    ensures  untried:  untried(m.of, m.t.n);
    ensures  started:  \forall env g; memo_state(c, m.of, VALS(vs), TREES(m.t, VALS(vs)), g);
*/
void memo_fill(struct memo_view m, struct values vs, struct attr_put c);

#endif
