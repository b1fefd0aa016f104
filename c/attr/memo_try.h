/* The proved part of evaluation with a memo. */
#ifndef CALQUE_ATTR_MEMO_TRY_H
#define CALQUE_ATTR_MEMO_TRY_H

#include "attr/memo_learn.h"
#include "attr/run.h"

#ifdef __FRAMAC__
#include "attr/memo_eval.acsl"
#endif

/* The value of expression i; it is remembered when `keep`. */
/*@ requires room:     room_run(r);
    requires hand:     r.env == at_hand;
    requires state:    run_memo(r, p, of);
    requires expr:     0 <= i < p.n;
    requires keep:     keep != 0 ==> closed(memo_exprs, i) || closed(memo_exprs, of[i].first);
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of);
    ensures  classes:  same_classes{Pre,Post}(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  more:     \old(r.vs->n) <= r.vs->n;
    ensures  old:      extends(\old(VALS(*r.vs)), VALS(*r.vs), \old(r.vs->n));
    ensures  code:     \result.code == ATTR_VALUE || \result.code == ATTR_STUCK || \result.code == ATTR_FULL;
    ensures  sound:    \result.code == ATTR_VALUE ==> 0 <= \result.id < r.vs->n &&
                       decided(memo_exprs, memo_env, i, val(VALS(*r.vs), \result.id));
    ensures  complete: \result.code == ATTR_STUCK ==> none(memo_exprs, memo_env, i);
*/
struct run_said memo_try(struct run r, struct attr_put p, struct attr_memo_class *of, int i, bool keep);

#endif
