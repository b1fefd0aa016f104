/* One evaluation: room, callbacks, and the core again. */
#ifndef CALQUE_ATTR_EVAL_DRIVER_H
#define CALQUE_ATTR_EVAL_DRIVER_H

#include "attr/attr.h"
#include "attr/eval.h"
#include "attr/match.h"

/* Are id[0 .. n-1] ids of the first nv values, or -1? */
/*@ requires valid:    \valid_read(id + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  ids:      \result == 1 <==> 0 <= n && \forall integer s; 0 <= s < n ==> -1 <= id[s] < nv;
*/
int attr_ids_ok(const int *id, int n, int nv);

/* The symbols in scope as the core reads them: those of id[0 .. n-1], the others unbound. */
/*@ requires valid:    0 <= n && \valid_read(id + (0 .. n - 1)) && \valid(symbol + (0 .. nsymbol - 1));
    requires ids:      \forall integer s; 0 <= s < n ==> -1 <= id[s] < nv;
    requires apart:    \separated(id + (0 .. n - 1), symbol + (0 .. nsymbol - 1));
    terminates \true;
    exits    never:    \false;
    assigns  symbol[0 .. nsymbol - 1];
    ensures  bound:    \forall integer s; 0 <= s < nsymbol ==> s < n ==> symbol[s] == id[s] + 1;
    ensures  rest:     \forall integer s; n <= s < nsymbol ==> symbol[s] == 0;
    ensures  wf:       0 <= nv ==> \forall integer s; 0 <= s < nsymbol ==> symbol[s] <= nv;
*/
void attr_put_symbols(unsigned long *symbol, int nsymbol, const int *id, int n, int nv);

/* The answer that instance k of the slot has value id, or that pattern k (slot -1) matched by alternative id; id < 0: none. */
/*@ requires slot:     -1 <= slot < INT_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  slot:     \result.slot == slot + 1;
    ensures  key:      \result.k == key(k);
    ensures  id:       \result.id == (id < 0 ? 0 : id + 1);
*/
struct attr_answer attr_answer_of(int slot, long k, int id);

/* The order of the answers. */
/*@ requires valid:    \valid_read(x) && \valid_read(y);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  below:    \result < 0 <==> key_below(x->slot, x->k, y->slot, y->k);
    ensures  above:    \result > 0 <==> key_below(y->slot, y->k, x->slot, x->k);
*/
int attr_answer_order(const struct attr_answer *x, const struct attr_answer *y);

/* What one evaluation or match asks of its environment and of the allocator. Trusted: the callbacks, which are code of the
   caller, and the memory that grows. These contracts are what run.c is proved from. They say that in one turn
   (`attr_turn`, acsl/attr/eval.acsl) the callbacks are functions of their arguments (their answers are those of the logic functions
   `said`, `said_value`, `said_taken`), end, and may append to the arena of values but leave expressions, slots, symbols, answers and what the caller keeps as they are.
   A slot stands for its pattern and label. */
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

/* The same answers in the order of attr_answer_order. */
/*@ requires valid:    0 <= n && \valid(a + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  sorted:   sorted(a, n);
    ensures  distinct: distinct{Pre}(a, n) ==> distinct(a, n);
    ensures  same:     among{Pre,Post}(a, n) && among{Post,Pre}(a, n);
*/
void answer_sort(struct attr_answer *a, int n);

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

/* The answers of a run, and more of them. */
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

/* The core again and again, with more room and more answers, until it makes a claim or there is nothing more. */
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

/* One evaluation or match as a value, and the evaluation: over the nodes of an arena, or over another copy of them. */
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
