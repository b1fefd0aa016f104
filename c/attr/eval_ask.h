/* The evaluator's cases of symbols, and of what the environment's callbacks answered: STEP_ASK when they were not asked. */
#ifndef CALQUE_ATTR_EVAL_ASK_H
#define CALQUE_ATTR_EVAL_ASK_H

#include "attr/eval.h"

/* AE_Symbol */
/*@ EVAL_CASE(ATTR_SYMBOL)
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_CASE_DOES
*/
struct value_step attr_eval_symbol(struct attr_view t, struct values vs, int sp, int i);

/* AE_Inst */
/*@ EVAL_CASE(ATTR_INST)
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_CASE_DOES
*/
struct value_step attr_eval_inst(struct attr_view t, struct values vs, int sp, int i);

/* The index of the answer about (slot, k), or -1; the answers are sorted. */
/*@ requires valid:    0 <= n && \valid_read(answer + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    -1 <= \result < n;
    ensures  found:    \result >= 0 ==> answer[\result].slot == slot && answer[\result].k == k;
    ensures  none:     sorted(answer, n) ==> \result < 0 ==>
                       \forall integer j; 0 <= j < n ==> !(answer[j].slot == slot && answer[j].k == k);
*/
int attr_answer_find(const struct attr_answer *answer, int n, unsigned long slot, unsigned long k);

/* Asks for (slot, k). */
/*@ requires ready:    ready(t, vs, vs.n, vs.npool);
    terminates \true;
    exits    never:    \false;
    assigns  t.symbol[t.nsymbol .. t.nsymbol + 1];
    ensures  ask:      \result.code == STEP_ASK && \result.n == vs.n && \result.npool == vs.npool;
    ensures  asked:    t.symbol[t.nsymbol] == slot && t.symbol[t.nsymbol + 1] == k;
    ensures  view:     same_view{Pre,Post}(t);
*/
struct value_step attr_ask(struct attr_view t, struct values vs, unsigned long slot, unsigned long k);

#endif
