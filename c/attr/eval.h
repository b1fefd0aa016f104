/* The proved evaluator: judgement AE. */
#ifndef CALQUE_ATTR_EVAL_H
#define CALQUE_ATTR_EVAL_H

#include "attr/attr.h"
#include "attr/value_core.h"

/* What a callback of the environment answered: instance k of slot `slot - 1` has value `id - 1`, or the alternative that
   pattern k matched by is `id - 1` (slot 0); id 0: none. (The proofs rest on this memory having a type of its own.) */
struct attr_answer {
    unsigned long slot, k, id;
};

/* The arrays of an expression arena and of an environment. symbol[s] is 1 + the value of symbol s, or 0; the two
   entries behind say what is asked when the answer is STEP_ASK: 1 + the slot, and k as unsigned. */
struct attr_view {
    const struct attr_node *node;
    const int *kid;
    const int *slot;
    unsigned long *symbol;
    const struct attr_answer *answer; /* sorted by slot, then k */
    int n, nkid, nslot, nsymbol, nanswer;
};

#ifdef __FRAMAC__
#include "attr/eval.acsl"
#endif

/* The value of expression i. stack[sp ..] is free for use. */
/*@ EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 7;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
struct value_step attr_eval_core(struct attr_view t, struct values vs, int sp, int i);

#endif
