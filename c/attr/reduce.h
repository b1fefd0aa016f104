/* Reductions of a tuple. */
#ifndef CALQUE_ATTR_REDUCE_H
#define CALQUE_ATTR_REDUCE_H

#include "attr/ops.h"

/* Reduces tuple x from the left: op is one of enum attr_reduction. */
/*@ requires valid:    valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires op:       0 <= op < ATTR_REDUCTIONS;
    requires id:       0 <= x < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  code:     STEP_DONE <= \result.code <= STEP_LIMIT;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result);
    ensures  sound:    \result.code == STEP_DONE ==> v_kind(val(\old(VALS(vs)), x)) == VALUE_TUPLE &&
                       reduce(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==> \forall value w;
                       reduce(op, val(\old(VALS(vs)), x), w) ==> w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !(v_kind(val(\old(VALS(vs)), x)) == VALUE_TUPLE && reduce(op, val(\old(VALS(vs)), x), w));
*/
struct value_step attr_op_reduce(struct values vs, int op, int x);

#endif
