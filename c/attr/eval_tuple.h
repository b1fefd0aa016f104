/* The proved evaluator's case of tuples. */
#ifndef CALQUE_ATTR_EVAL_TUPLE_H
#define CALQUE_ATTR_EVAL_TUPLE_H

#include "attr/eval.h"

/* The tuple of the values of the children of tuple or function i. */
/*@ requires kind:     t.node[i].kind == ATTR_TUPLE || t.node[i].kind == ATTR_FUNC;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 3;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       arguments(\old(EXPRS), \old(ENV), i, RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> none(\old(EXPRS), \old(ENV), i);
*/
struct value_step attr_eval_elements(struct attr_view t, struct values vs, int sp, int i);

/* AE_Tuple */
/*@ requires kind:     t.node[i].kind == ATTR_TUPLE;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 4;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
struct value_step attr_eval_tuple(struct attr_view t, struct values vs, int sp, int i);

/* The tuple of the ids at stack[sp ..]. */
/*@ requires ready:    ready(t, vs, vs.n, vs.npool);
    requires range:    0 <= sp && 0 <= len && sp + len <= vs.capstack;
    requires ids:      \forall integer k; sp <= k < sp + len ==> vs.stack[k] < vs.n;
    terminates \true;
    exits    never:    \false;
    APPLY_ASSIGNS
    EVAL_KEEPS
    ensures  made:     \result.code != STEP_STUCK;
    ensures  tuple:    \result.code == STEP_DONE ==>
                       v_kind(RESULT_VALUE) == VALUE_TUPLE && v_len(RESULT_VALUE) == len;
    ensures  elements: \result.code == STEP_DONE ==> \forall integer k; 0 <= k < len ==>
                       v_nth(RESULT_VALUE, k) == val(\old(VALS(vs)), \old(vs.stack[sp + k]));
*/
struct value_step attr_stack_tuple(struct attr_view t, struct values vs, int sp, int len);

#endif
