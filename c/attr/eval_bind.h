/* The evaluator's cases of comprehensions. */
/* not proved: not tried as a whole since ae.acsl changed. */
#ifndef CALQUE_ATTR_EVAL_BIND_H
#define CALQUE_ATTR_EVAL_BIND_H

#include "attr/eval.h"

/* AE_Var */
/*@ requires kind:     t.node[i].kind == ATTR_VAR;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
struct value_step attr_eval_var(struct attr_view t, struct values vs, int sp, int i);

/* AE_Map */
/*@ requires kind:     t.node[i].kind == ATTR_MAP;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
struct value_step attr_eval_map(struct attr_view t, struct values vs, int sp, int i);

#endif
