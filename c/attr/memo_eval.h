/* The contract of evaluation with a memo, which memo.h declares for all. A memo of fewer expressions than there are is not
   used. */
#ifndef CALQUE_ATTR_MEMO_EVAL_H
#define CALQUE_ATTR_MEMO_EVAL_H

#include "attr/memo_arena.h"
#include "attr/memo_walk.h"

#ifdef __FRAMAC__
#include "attr/memo_call.acsl"
#endif

/* As attr_eval: the value of expression a of t, not of what the memo has in its place. A memo that was right for this
   environment is right afterwards; one for another environment is as right when these agree but for symbols
   (acsl/attr/memo_const.acsl, remembers_other), so a memo is for one environment, symbols aside. */
/*@ requires hand:     env == at_hand;
    requires valid:    \valid_read(m) && \valid_read(t);
    requires can:      m->n != t->node.n ==> can_run(t, t->node.a, env, out, 1);
    requires memo:     m->n == t->node.n ==> memo_can(t, m, env, out);
    requires about:    EXPRS_OF(t, t->node.a) == memo_exprs && ENV_OF(t, env) == memo_env;
    terminates \true;
    exits    never:    \false;
    assigns  m->of[0 .. m->n - 1].tried, m->of[0 .. m->n - 1].marked,
             *t->values, *t->values->mem, *out, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  can:      \old(m->n != t->node.n) ==> can_run(t, \old(t->node.a), env, out, 1);
    ensures  memo:     \old(m->n == t->node.n) ==> m->n == t->node.n && memo_can(t, m, env, out);
    ensures  result:   \result == ATTR_VALUE || \result == ATTR_STUCK || \result == ATTR_FULL;
    ensures  old:      extends(\old(VALS(*t->values)), VALS(*t->values), \old(t->values->n));
    ensures  kept:     same_kept{Pre,Post};
    ensures  sound:    \result == ATTR_VALUE ==> 0 <= *out < t->values->n &&
                       decided(\old(EXPRS_OF(t, t->node.a)), \old(ENV_OF(t, env)), a, val(VALS(*t->values), *out));
    ensures  complete: \result == ATTR_STUCK ==> none(\old(EXPRS_OF(t, t->node.a)), \old(ENV_OF(t, env)), a);
*/
enum attr_result attr_eval_memo(struct attrs *t, const struct attr_env *env, struct attr_memo *m, int a, int *out);

#endif
