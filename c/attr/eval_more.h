/* The kinds of expression whose evaluation is not proved. */
#ifndef CALQUE_ATTR_EVAL_MORE_H
#define CALQUE_ATTR_EVAL_MORE_H

#include "attr/eval.h"

/* The value of expression i, of one of these kinds. The proofs are about expressions without them. */
/*@ requires unproved: \false;
    terminates \true;
    assigns  \nothing;
*/
struct value_step attr_eval_more(struct attr_view t, struct values vs, int sp, int i);

#endif
