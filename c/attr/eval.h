/* The evaluator: judgement AE. attr_eval_core does not allocate and asks nobody: it answers STEP_ROOM or STEP_ASK, and is run again. */
#ifndef CALQUE_ATTR_EVAL_H
#define CALQUE_ATTR_EVAL_H

#include "attr/attr.h"
#include "attr/value_internal.h"

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

/* The evaluator's cases of symbols, and of what the environment's callbacks answered: STEP_ASK when they were not asked. */
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

/* The proved evaluator's case of tuples. */
/* The tuple of the values of the children of tuple or function i. */
/*@ requires kind:     t.node[i].kind == ATTR_TUPLE || t.node[i].kind == ATTR_FUNC;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 3;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       arguments(\old(EXPRS), \old(ENV), i, RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> none(\old(EXPRS), \old(ENV), i);
*/
struct value_step attr_eval_elements(struct attr_view t, struct values vs, int sp, int i);

/* AE_Tuple */
/*@ requires kind:     t.node[i].kind == ATTR_TUPLE;
    EVAL_REQUIRES
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 4;
    exits    never:    \false;
    EVAL_ASSIGNS
    EVAL_KEEPS
    EVAL_DECIDES
*/
struct value_step attr_eval_tuple(struct attr_view t, struct values vs, int sp, int i);

/* The tuple of the ids at stack[sp ..]. */
/*@ requires ready:    ready(t, vs, vs.n, vs.npool);
    requires range:    0 <= sp && 0 <= len && sp + len <= vs.capstack;
    requires ids:      \forall integer k; sp <= k < sp + len ==> vs.stack[k] < vs.n;
    terminates \true;
    exits    never:    \false;
    APPLY_ASSIGNS
    EVAL_KEEPS
    ensures  made:     \result.code != STEP_STUCK;
    ensures  tuple:    \result.code == STEP_DONE ==>
                       v_kind(RESULT_VALUE) == VALUE_TUPLE && v_len(RESULT_VALUE) == len;
    ensures  elements: \result.code == STEP_DONE ==> \forall integer k; 0 <= k < len ==>
                       v_nth(RESULT_VALUE, k) == val(\old(VALS(vs)), \old(vs.stack[sp + k]));
*/
struct value_step attr_stack_tuple(struct attr_view t, struct values vs, int sp, int len);

/* The evaluator's cases of conditions, alternatives, reductions and functions. */
/* AE_Sum */
/*@ EVAL_CASE(ATTR_REDUCE)
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_CASE_DOES
*/
struct value_step attr_eval_reduce(struct attr_view t, struct values vs, int sp, int i);

/* AE_Cond */
/*@ EVAL_CASE(ATTR_COND)
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_CASE_DOES
*/
struct value_step attr_eval_cond(struct attr_view t, struct values vs, int sp, int i);

/* AE_Func */
/*@ EVAL_CASE(ATTR_FUNC)
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_CASE_DOES
*/
struct value_step attr_eval_func(struct attr_view t, struct values vs, int sp, int i);

/* AE_Match */
/*@ EVAL_CASE(ATTR_MATCH)
    terminates \true;
    decreases 8 * t_depth(EXPRS, i) + 6;
    exits    never:    \false;
    EVAL_CASE_DOES
*/
struct value_step attr_eval_match(struct attr_view t, struct values vs, int sp, int i);

/* The evaluator's cases of comprehensions. */
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
