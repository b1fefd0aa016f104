/* The evaluator's cases of conditions, reductions and functions. */
#ifndef CALQUE_ATTR_EVAL_APPLY_H
#define CALQUE_ATTR_EVAL_APPLY_H

#include "attr/eval.h"

/* AE_Cond */
struct value_step attr_eval_cond(struct attr_view t, struct values vs, int sp, int i);
/* AE_Sum */
struct value_step attr_eval_reduce(struct attr_view t, struct values vs, int sp, int i);
/* AE_Func */
struct value_step attr_eval_func(struct attr_view t, struct values vs, int sp, int i);

#endif
