/* The evaluator's cases of comprehensions. */
#ifndef CALQUE_ATTR_EVAL_BIND_H
#define CALQUE_ATTR_EVAL_BIND_H

#include "attr/eval.h"

/* AE_Var */
struct value_step attr_eval_var(struct attr_view t, struct values vs, int sp, int i);
/* AE_Map */
struct value_step attr_eval_map(struct attr_view t, struct values vs, int sp, int i);

#endif
