/* The evaluator's cases that look up what the environment's callbacks answered: STEP_ASK when they were not asked. */
#ifndef CALQUE_ATTR_EVAL_ASK_H
#define CALQUE_ATTR_EVAL_ASK_H

#include "attr/eval.h"

/* AE_Inst */
struct value_step attr_eval_inst(struct attr_view t, struct values vs, int sp, int i);
/* AE_Match */
struct value_step attr_eval_match(struct attr_view t, struct values vs, int sp, int i);
/* The index of the answer about (slot, k), or -1. */
int attr_answer_find(const struct attr_answer *answer, int n, int slot, long k);

#endif
