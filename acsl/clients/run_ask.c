/* The callbacks of evaluation asked twice in one turn. Guards: eval_driver.h, run.acsl, eval.acsl. */
#include "attr/eval_driver.h"

/*@ requires held: held(r, x);
    requires slot: 0 <= slot < r.nslot;
    requires hand: r.env == at_hand;
    requires one:  in_int64(k);
*/
void client_run_inst(struct run r, struct run_answers x, int slot, long k)
{
    struct run_said a = run_inst(r, x, slot, k), b;
    bool there = a.code == ATTR_VALUE && 0 <= a.id && a.id < r.vs->n;

    /*@ assert first:  there == 1 ==> said(r.env, slot, k); */
    b = run_inst(r, x, slot, k);
    /*@ assert second: b.code == ATTR_STUCK ==> !said(r.env, slot, k); */
    /*@ assert some:   there == 1 ==> b.code != ATTR_STUCK; */
    /*@ assert BOOM: \false; */
}

/*@ requires held: held(r, x);
    requires hand: r.env == at_hand;
*/
void client_run_taken(struct run r, struct run_answers x, int p)
{
    int a = run_taken(r, x, p), b = run_taken(r, x, p);

    /*@ assert same: a >= 0 ==> a == b; */
    /*@ assert BOOM: \false; */
}

/*@ requires held: held(r, x); */
void client_run_room(struct run r, struct run_answers x)
{
    bool a = run_enlarge(r, x), b;
    struct run_answers y;

    /*@ assert larger: a == 1 ==> r.vs->cap > \at(r.vs->cap, Pre); */
    y = run_answer_room(r, x);
    /*@ assert count:  y.n == x.n && y.ok == x.ok; */
    b = run_symbol_room(r);
    /*@ assert room:   b == 1 ==> symbol_room(r); */
    run_free(y);
    /*@ assert BOOM: \false; */
}

/* Evaluation, twice. */
/*@ requires room: room_run(r) && ids_run(r);
    requires hand: r.env == at_hand;
*/
void client_two_evaluations(struct run r, int a)
{
    struct run_said p = attr_run_value(r, a), q;

    /*@ assert exprs: RUN_EXPRS(r, VALS(*r.vs)) == \at(RUN_EXPRS(r, VALS(*r.vs)), Pre); */
    /*@ assert said:  SAID(r, VALS(*r.vs)) == \at(SAID(r, VALS(*r.vs)), Pre); */
    q = attr_run_value(r, a);
    /*@ assert none:  p.code == ATTR_VALUE ==> q.code != ATTR_STUCK; */
    /*@ assert BOOM: \false; */
}
