/* What one evaluation or match asks of its environment and of the allocator. Trusted: the callbacks, which are code of the
   caller, and the memory that grows. These contracts are what run.c is proved from. They say that in one turn
   (`attr_turn`, acsl/attr/attr.acsl) the callbacks are functions of their arguments (their answers are those of the logic functions
   `said`, `said_value`, `said_taken`), end, and may append to the arena of values but leave expressions, slots, symbols, answers and what the caller keeps as they are.
   A slot stands for its pattern and label. */
#ifndef CALQUE_ATTR_RUN_ASK_H
#define CALQUE_ATTR_RUN_ASK_H

#include "attr/attr.h"
#include "attr/eval.h"

/* The answers so far. */
struct run_answers {
    struct attr_answer *a;
    int n, cap;
    int batch; /* how many instances are asked for next time */
    int ok;    /* 0: memory, a limit or what the callback can do is exceeded */
};

/* One evaluation or match. Of `view` symbol, answer and nanswer are filled in for each call of the core. */
struct run {
    const struct attrs *t;
    const struct attr_env *env;
    struct values *vs;
    struct mem *mem;
    struct attr_view view;
    const int *symbol;       /* the environment's */
    int nbound, nslot;       /* how many these are; slots of t */
    int *out;                /* the caller's: out[0 .. nout-1] */
    int nout;
};

/* What a callback, or an evaluation, answered. */
struct run_said {
    int code, id; /* enum attr_result */
};

#ifdef __FRAMAC__
#include "attr/run.acsl"
#endif

/* The value of the slot of instance k. The id is the callback's: perhaps none. */
/*@ requires held:     held(r, x);
    requires slot:     0 <= slot < r.nslot;
    requires hand:     r.env == at_hand;
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true };
    ensures  held:     held(r, x);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  answers:  same_answers{Pre,Post}(x.a, x.n);
    ensures  value:    \result.code == ATTR_VALUE ==> 0 <= \result.id < r.vs->n ==>
                       said(r.env, slot, k) && said_value(r.env, slot, k) == val(VALS(*r.vs), \result.id);
    ensures  stuck:    \result.code == ATTR_STUCK ==> !said(r.env, slot, k);
*/
struct run_said run_inst(struct run r, struct run_answers x, int slot, long k);

/* The alternative that a pattern matched by; any negative number: none. */
/*@ requires held:     held(r, x);
    requires hand:     r.env == at_hand;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  taken:    said_taken(r.env, pattern) == (\result < 0 ? -1 : \result);
*/
int run_taken(struct run r, struct run_answers x, int pattern);

/* Room for one answer more; when memory is out there is none afterwards. */
/*@ requires held:     held(r, x);
    terminates \true;
    exits    never:    \false;
    assigns  *r.mem, { *p | struct attr_answer *p; \true };
    ensures  held:     held(r, \result);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  answers:  \result.n == x.n && moved_answers{Pre,Post}(x.a, \result.a, x.n);
    ensures  rest:     \result.batch == x.batch && \result.ok == x.ok;
*/
struct run_answers run_answer_room(struct run r, struct run_answers x);

/* A larger arena of values. */
/*@ requires held:     held(r, x);
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held(r, x);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  answers:  same_answers{Pre,Post}(x.a, x.n);
    ensures  larger:   \result == 1 ==> r.vs->cap > \old(r.vs->cap);
*/
bool run_enlarge(struct run r, struct run_answers x);

/* Room for the symbols in scope, and two entries more. */
/*@ requires ready:    ready_run(r);
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | unsigned long *p; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  ready:    ready_run(r);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  room:     \result == 1 ==> symbol_room(r);
*/
bool run_symbol_room(struct run r);

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
*/
void run_free(struct run_answers x);

#endif
