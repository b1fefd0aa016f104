/* The proved part of what is worth remembering: the free symbols of expressions, and which are closed. */
#ifndef CALQUE_ATTR_MEMO_FREE_H
#define CALQUE_ATTR_MEMO_FREE_H

#include "attr/eval.h"
#include "attr/memo_find.h"

#ifdef __FRAMAC__
#include "attr/memo_free.acsl"
#endif

/* The free symbols of each expression, and what is worth remembering: closed, no leaf, and written several times, or with
   several uses, or with one in an expression that is not closed. */
/*@ requires arena:    valid_arena(t) && wf_trees(t);
    requires valid:    \valid(of + (0 .. t.n - 1));
    requires firsts:   firsts_ok(of, t.n);
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. t.n - 1].free, of[0 .. t.n - 1].keep, of[0 .. t.n - 1].used;
    ensures  sets:     sets_ok(t, of, t.n);
    ensures  closed:   \forall vals u; frees_ok(of, t.n, TREES(t, u));
    ensures  keeps:    keeps_ok(of, t.n);
    ensures  classes:  same_firsts{Pre,Post}(of, t.n) && same_nexts{Pre,Post}(of, t.n);
*/
void memo_survey(struct attr_put t, struct attr_memo_class *of);

#endif
