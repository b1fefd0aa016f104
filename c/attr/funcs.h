/* The functions of values: in, reversed, range, slice, zip, remap. */
#ifndef CALQUE_ATTR_FUNCS_H
#define CALQUE_ATTR_FUNCS_H

#include "attr/ops.h"

#ifdef __FRAMAC__
#include "attr/range.acsl"
#endif

/* The ints lo, lo + step, .. before hi, at most ATTR_COUNT_MAX; step 0 is stuck. */
/*@ OP_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==> range(lo, hi, step, RESULT_VALUE);
    ensures  long:     \result.code == STEP_STUCK ==>
                       step == 0 || before(nth_of(lo, step, ATTR_COUNT_MAX), hi, step);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w; !range(lo, hi, step, w);
*/
struct value_step attr_op_range(struct values vs, long lo, long hi, long step);
/* Function op (enum attr_func_op) of the elements of tuple x. */
/*@ requires valid:    valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires op:       0 <= op < ATTR_FUNC_OPS;
    requires id:       0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  code:     STEP_DONE <= \result.code <= STEP_LIMIT;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result);
    ensures  sound:    \result.code == STEP_DONE ==> func_op(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==> \forall value w;
                       func_op(op, val(\old(VALS(vs)), x), w) ==> w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !func_op(op, val(\old(VALS(vs)), x), w);
*/
struct value_step attr_op_func(struct values vs, int op, int x);

#endif
