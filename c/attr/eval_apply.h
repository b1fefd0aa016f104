/* The evaluator's cases of conditions, alternatives, reductions and functions. */
#ifndef CALQUE_ATTR_EVAL_APPLY_H
#define CALQUE_ATTR_EVAL_APPLY_H

#include "attr/eval.h"

/* AE_Sum */
/*@ requires kind:     t.node[i].kind == ATTR_REDUCE;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
struct value_step attr_eval_reduce(struct attr_view t, struct values vs, int sp, int i);

/* AE_Cond */
/*@ requires kind:     t.node[i].kind == ATTR_COND;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
struct value_step attr_eval_cond(struct attr_view t, struct values vs, int sp, int i);

/* AE_Func */
/*@ requires kind:     t.node[i].kind == ATTR_FUNC;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
struct value_step attr_eval_func(struct attr_view t, struct values vs, int sp, int i);

/* AE_Match */
/*@ requires kind:     t.node[i].kind == ATTR_MATCH;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
struct value_step attr_eval_match(struct attr_view t, struct values vs, int sp, int i);

#endif
