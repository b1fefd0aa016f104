/* Evaluation with a memo, as the driver runs it. */
#ifndef CALQUE_ATTR_MEMO_EVAL_H
#define CALQUE_ATTR_MEMO_EVAL_H

#include "attr/attr_internal.h"
#include "attr/eval_driver.h"
#include "attr/memo.h"
#include "attr/memo_internal.h"

#ifdef __FRAMAC__
#include "attr/value_internal.h"

#include "attr/arena.acsl"
#include "attr/memo_eval.acsl"
#endif

/*@ requires valid:    \valid_read(t) && \valid_read(t->values);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  arena:    \result == arena_of(t);
*/
struct attr_put memo_source(const struct attrs *t);
/* As many nodes as m has, from `node`; the rest is that of t. */
/*@ requires valid:    \valid_read(m) && \valid_read(t) && \valid_read(t->values);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  arena:    \result == memo_of(m, t, node);
*/
struct attr_put memo_arena(const struct attr_memo *m, const struct attrs *t, struct attr_node *node);

/* The proved part of evaluation with a memo. */
/* The value of expression i; it is remembered when `keep`. */
/*@ requires room:     room_run(r);
    requires hand:     r.env == at_hand;
    requires state:    run_memo(r, p, of);
    requires expr:     0 <= i < p.n;
    requires keep:     keep != 0 ==> closed(memo_exprs, i) || closed(memo_exprs, of[i].first);
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of);
    ensures  classes:  same_class_links{Pre,Post}(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  more:     \old(r.vs->n) <= r.vs->n;
    ensures  old:      extends(\old(VALS(*r.vs)), VALS(*r.vs), \old(r.vs->n));
    ensures  code:     \result.code == ATTR_VALUE || \result.code == ATTR_STUCK || \result.code == ATTR_FULL;
    ensures  sound:    \result.code == ATTR_VALUE ==> 0 <= \result.id < r.vs->n &&
                       decided(memo_exprs, memo_env, i, val(VALS(*r.vs), \result.id));
    ensures  complete: \result.code == ATTR_STUCK ==> none(memo_exprs, memo_env, i);
*/
struct run_said memo_try(struct run r, struct attr_put p, struct attr_memo_class *of, int i, bool keep);

/* The proved part of evaluation with a memo: what an expression consists of, the smaller first. */
/* The value of expression a; what is worth remembering of what it consists of is remembered. */
/*@ requires room:     room_run(r);
    requires hand:     r.env == at_hand;
    requires state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    requires expr:     0 <= a < p.n && p.nvalue == r.vs->n;
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. p.n - 1].tried, of[0 .. p.n - 1].marked,
             *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  more:     \old(r.vs->n) <= r.vs->n;
    ensures  old:      extends(\old(VALS(*r.vs)), VALS(*r.vs), \old(r.vs->n));
    ensures  code:     \result.code == ATTR_VALUE || \result.code == ATTR_STUCK || \result.code == ATTR_FULL;
    ensures  sound:    \result.code == ATTR_VALUE ==> 0 <= \result.id < r.vs->n &&
                       decided(memo_exprs, memo_env, a, val(VALS(*r.vs), \result.id));
    ensures  complete: \result.code == ATTR_STUCK ==> none(memo_exprs, memo_env, a);
*/
struct run_said memo_eval(struct run r, struct attr_put p, struct attr_memo_class *of, int a);

/* Hands the value to the caller. */
/*@ requires room:     room_run(r) && r.nout == 1;
    requires state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    requires id:       0 <= id < r.vs->n;
    terminates \true;
    exits    never:    \false;
    assigns  *r.out;
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  out:      *r.out == id;
    ensures  values:   r.vs->n == \old(r.vs->n) && extends(\old(VALS(*r.vs)), VALS(*r.vs), r.vs->n);
*/
void memo_give(struct run r, struct attr_put p, struct attr_memo_class *of, int id);

/* The contract of evaluation with a memo, which memo.h declares for all. A memo of fewer expressions than there are is not
   used. */
/* As attr_eval: the value of expression a of t, not of what the memo has in its place. A memo that was right for this
   environment is right afterwards; one for another environment is as right when these agree but for symbols
   (acsl/attr/memo.acsl, remembers_other), so a memo is for one environment, symbols aside. */
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
