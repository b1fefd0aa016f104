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

#endif
