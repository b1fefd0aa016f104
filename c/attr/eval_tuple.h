/* The proved evaluator's case of tuples. */
#ifndef CALQUE_ATTR_EVAL_TUPLE_H
#define CALQUE_ATTR_EVAL_TUPLE_H

#include "attr/eval.h"

/* AE_Tuple */
/*@ requires kind:     t.node[i].kind == ATTR_TUPLE;
    EVAL_REQUIRES
    terminates \true;
    decreases 5 * t_depth(EXPRS, i) + 3;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
struct value_step attr_eval_tuple(struct attr_view t, struct values vs, int sp, int i);

#endif
