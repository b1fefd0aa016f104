/* The evaluator's cases of comprehensions. */
#ifndef CALQUE_ATTR_EVAL_BIND_H
#define CALQUE_ATTR_EVAL_BIND_H

#include "attr/eval.h"

/* AE_Var */
/*@ EVAL_CASE(ATTR_VAR)
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_CASE_DOES
*/
struct value_step attr_eval_var(struct attr_view t, struct values vs, int sp, int i);

/* AE_Map */
/*@ EVAL_CASE(ATTR_MAP)
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_CASE_DOES
*/
struct value_step attr_eval_map(struct attr_view t, struct values vs, int sp, int i);

#endif
