/* The answers of a run, and more of them. */
#ifndef CALQUE_ATTR_RUN_MORE_H
#define CALQUE_ATTR_RUN_MORE_H

#include "attr/run_ask.h"

/*@ requires ready:    ready_run(r) && symbol_room(r);
    requires hand:     r.env == at_hand;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  held:     held(r, \result) && known(r, \result) && sorted(\result.a, \result.n);
*/
struct run_answers run_no_answers(struct run r);

/* More of what the core asked for, an answer or room: not `ok` when there is none. */
/*@ requires held:     held(r, x) && known(r, x) && sorted(x.a, x.n);
    requires hand:     r.env == at_hand;
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  held:     held(r, \result) && known(r, \result);
    ensures  sorted:   \result.ok == 1 ==> sorted(\result.a, \result.n);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  ok:       \result.ok == 0 || \result.ok == 1;
    ensures  more:     \result.ok == 1 ==> \result.n >= x.n && (\result.n > x.n || r.vs->cap > \old(r.vs->cap));
*/
struct run_answers run_more(struct run r, struct run_answers x, int ask);

#endif
