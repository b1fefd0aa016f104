/* One evaluation or match as a value, and the evaluation: over the nodes of an arena, or over another copy of them. */
#ifndef CALQUE_ATTR_RUN_H
#define CALQUE_ATTR_RUN_H

#include "attr/run_ask.h"

/* In the arenas of t and in env, as many nodes as t has read from `node`; nout ints at out are the caller's. */
/*@ requires can:      can_run(t, node, env, out, nout);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  run:      \result.t == t && \result.env == env && \result.view.node == node && \result.out == out &&
                       \result.nout == nout && is_run(\result);
    ensures  room:     room_run(\result);
*/
struct run attr_run_of(const struct attrs *t, const struct attr_node *node, const struct attr_env *env, int *out, int nout);

/* The value of expression a, and its id. */
/*@ requires room:     room_run(r);
    requires hand:     r.env == at_hand;
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  room:     room_run(r);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  code:     \result.code == ATTR_VALUE || \result.code == ATTR_STUCK || \result.code == ATTR_FULL;
    ensures  none:     !\old(ids_run(r)) ==> \result.code == ATTR_FULL && !ids_run(r);
    ensures  sound:    \result.code == ATTR_VALUE ==> 0 <= \result.id < r.vs->n &&
                       decided(\old(RUN_EXPRS(r, VALS(*r.vs))), \old(SAID(r, VALS(*r.vs))), a,
                               val(VALS(*r.vs), \result.id));
    ensures  complete: \result.code == ATTR_STUCK ==>
                       none(\old(RUN_EXPRS(r, VALS(*r.vs))), \old(SAID(r, VALS(*r.vs))), a);
*/
struct run_said attr_run_value(struct run r, int a);

/* Hands the value to the caller. */
/*@ requires room:     room_run(r) && r.nout == 1;
    requires id:       0 <= id < r.vs->n;
    terminates \true;
    exits    never:    \false;
    assigns  *r.out;
    ensures  room:     room_run(r);
    ensures  out:      *r.out == id;
    ensures  grown:    grown{Pre,Post}(r) && r.vs->n == \old(r.vs->n);
*/
void attr_run_put(struct run r, int id);

/* The evaluation that attr.h declares for all. */
/*@ requires can:      can_run(t, t->node.a, env, out, 1);
    requires hand:     env == at_hand;
    terminates \true;
    exits    never:    \false;
    assigns  *t->values, *t->values->mem, *out, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  can:      can_run(t, \old(t->node.a), env, out, 1);
    ensures  result:   \result == ATTR_VALUE || \result == ATTR_STUCK || \result == ATTR_FULL;
    ensures  old:      extends(\old(VALS(*t->values)), VALS(*t->values), \old(t->values->n));
    ensures  exprs:    EXPRS_OF(t, \old(t->node.a)) == \old(EXPRS_OF(t, t->node.a));
    ensures  kept:     same_kept{Pre,Post};
    ensures  sound:    \result == ATTR_VALUE ==> 0 <= *out < t->values->n &&
                       decided(\old(EXPRS_OF(t, t->node.a)), \old(ENV_OF(t, env)), a, val(VALS(*t->values), *out));
    ensures  complete: \result == ATTR_STUCK ==> none(\old(EXPRS_OF(t, t->node.a)), \old(ENV_OF(t, env)), a);
*/
enum attr_result attr_eval(struct attrs *t, const struct attr_env *env, int a, int *out);

#endif
