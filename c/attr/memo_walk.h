/* The proved part of evaluation with a memo: what an expression consists of, the smaller first. */
#ifndef CALQUE_ATTR_MEMO_WALK_H
#define CALQUE_ATTR_MEMO_WALK_H

#include "attr/memo_due.h"
#include "attr/memo_try.h"

/* The value of expression a; what is worth remembering of what it consists of is remembered. */
/*@ requires room:     room_run(r);
    requires hand:     r.env == at_hand;
    requires state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    requires expr:     0 <= a < p.n && p.nvalue == r.vs->n;
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. p.n - 1].tried, of[0 .. p.n - 1].marked,
             *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  more:     \old(r.vs->n) <= r.vs->n;
    ensures  old:      extends(\old(VALS(*r.vs)), VALS(*r.vs), \old(r.vs->n));
    ensures  code:     \result.code == ATTR_VALUE || \result.code == ATTR_STUCK || \result.code == ATTR_FULL;
    ensures  sound:    \result.code == ATTR_VALUE ==> 0 <= \result.id < r.vs->n &&
                       decided(memo_exprs, memo_env, a, val(VALS(*r.vs), \result.id));
    ensures  complete: \result.code == ATTR_STUCK ==> none(memo_exprs, memo_env, a);
*/
struct run_said memo_eval(struct run r, struct attr_put p, struct attr_memo_class *of, int a);

/* Hands the value to the caller. */
/*@ requires room:     room_run(r) && r.nout == 1;
    requires state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    requires id:       0 <= id < r.vs->n;
    terminates \true;
    exits    never:    \false;
    assigns  *r.out;
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  out:      *r.out == id;
    ensures  values:   r.vs->n == \old(r.vs->n) && extends(\old(VALS(*r.vs)), VALS(*r.vs), r.vs->n);
*/
void memo_give(struct run r, struct attr_put p, struct attr_memo_class *of, int id);

#endif
