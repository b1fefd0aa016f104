/* The core again and again, with more room and more answers, until it makes a claim or there is nothing more. */
#ifndef CALQUE_ATTR_RUN_TRY_H
#define CALQUE_ATTR_RUN_TRY_H

#include "attr/match.h"
#include "attr/run_ask.h"

/* The value of expression a. */
/*@ requires ready:    ready_run(r) && symbol_room(r);
    requires hand:     r.env == at_hand;
    requires expr:     0 <= a < r.view.n;
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  ready:    ready_run(r);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  code:     STEP_DONE <= \result.code <= STEP_ASK;
    ensures  frame:    \result.code == STEP_DONE ==> step_of(r, \result);
    ensures  sound:    \result.code == STEP_DONE ==>
                       decided(\old(RUN_EXPRS(r, VALS(*r.vs))), \old(SAID(r, VALS(*r.vs))), a,
                               val(vals_of(r.vs->v, r.vs->pool, \result.n, \result.npool), \result.id));
    ensures  complete: \result.code == STEP_STUCK ==>
                       none(\old(RUN_EXPRS(r, VALS(*r.vs))), \old(SAID(r, VALS(*r.vs))), a);
*/
struct value_step run_eval(struct run r, int a);

/* Does expression a match the value? */
/*@ requires ready:    ready_run(r) && symbol_room(r);
    requires hand:     r.env == at_hand;
    requires expr:     0 <= a < r.view.n && 0 <= value < r.vs->n;
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  ready:    ready_run(r);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  code:     MATCH_NO <= \result <= MATCH_ASK;
    ensures  sound:    \result == MATCH_YES ==>
                       am(\old(RUN_EXPRS(r, VALS(*r.vs))), \old(SAID(r, VALS(*r.vs))), a, val(\old(VALS(*r.vs)), value));
    ensures  complete: \result == MATCH_NO ==>
                       !am(\old(RUN_EXPRS(r, VALS(*r.vs))), \old(SAID(r, VALS(*r.vs))), a, val(\old(VALS(*r.vs)), value));
*/
int run_match(struct run r, int a, int value);

#endif
