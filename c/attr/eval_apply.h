/* The evaluator's cases of conditions, alternatives, reductions and functions. */
#ifndef CALQUE_ATTR_EVAL_APPLY_H
#define CALQUE_ATTR_EVAL_APPLY_H

#include "attr/eval.h"

/* AE_Sum */
/*@ EVAL_CASE(ATTR_REDUCE)
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_CASE_DOES
*/
struct value_step attr_eval_reduce(struct attr_view t, struct values vs, int sp, int i);

/* AE_Cond */
/*@ EVAL_CASE(ATTR_COND)
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_CASE_DOES
*/
struct value_step attr_eval_cond(struct attr_view t, struct values vs, int sp, int i);

/* AE_Func */
/*@ EVAL_CASE(ATTR_FUNC)
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_CASE_DOES
*/
struct value_step attr_eval_func(struct attr_view t, struct values vs, int sp, int i);

/* AE_Match */
/*@ EVAL_CASE(ATTR_MATCH)
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_CASE_DOES
*/
struct value_step attr_eval_match(struct attr_view t, struct values vs, int sp, int i);

#endif
