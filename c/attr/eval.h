/* The proved evaluator: judgement AE. */
#ifndef CALQUE_ATTR_EVAL_H
#define CALQUE_ATTR_EVAL_H

#include "attr/attr.h"
#include "attr/value_core.h"

/* The arrays of an expression arena and of an environment. */
struct attr_view {
    const struct attr_node *node;
    const int *kid;
    const int *slot;
    int n, nkid, nslot;
};

#ifdef __FRAMAC__
#include "attr/eval.acsl"
#endif

/* The value of expression i. stack[sp ..] is free for use. */
/*@ EVAL_REQUIRES
    terminates \true;
    decreases 5 * t_depth(EXPRS, i) + 4;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
struct value_step attr_eval_core(struct attr_view t, struct values vs, int sp, int i);

#endif
