/* The callbacks of evaluation asked twice in one turn, and in two. Guards: run_ask.h, run.acsl, attr.acsl. */
#include "attr/run.h"
#include "attr/run_ask.h"

/*@ requires held: held(r, x);
    requires slot: 0 <= slot < r.nslot;
    requires hand: r.env == at_hand;
    requires one:  in_int64(k);
*/
void client_run_inst(struct run r, struct run_answers x, int slot, long k)
{
    struct run_said a = run_inst(r, x, slot, k), b = run_inst(r, x, slot, k);

    /*@ assert some: a.code == ATTR_VALUE ==> b.code != ATTR_STUCK; */
    /*@ assert same: a.code == ATTR_VALUE && b.code == ATTR_VALUE ==> val(VALS(*r.vs), a.id) == val(VALS(*r.vs), b.id); */
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

/* Two turns: the second answer is another question's. */
/*@ requires held: held(r, x);
    requires hand: r.env == at_hand;
*/
void client_two_turns(struct run r, struct run_answers x, int p)
{
    int a = run_taken(r, x, p), b;

    /*@ ghost attr_turn = 1 - attr_turn / 2; */
    b = run_taken(r, x, p);
    if (a != b && a >= 0) {
        /*@ assert turn: said_taken{Here}(r.env, p) != a; */
    }
    /*@ assert BOOM: \false; */
}

/*@ requires held: held(r, x); */
void client_run_room(struct run r, struct run_answers x)
{
    bool a = run_enlarge(r, x);
    struct run_answers y = run_answer_room(r, x);
    bool b = run_enlarge(r, y), c = run_symbol_room(r);

    /*@ assert held: held(r, y) || c == 0; */
    /*@ assert cap:  a == 1 && b == 1 ==> r.vs->cap >= 2 + \at(r.vs->cap, Pre); */
    /*@ assert none: 0 < x.n ==> y.a[0].slot == \at(x.a[0].slot, Pre); */
    run_free(y);
    /*@ assert BOOM: \false; */
}

/* Evaluation, twice. */
/*@ requires room: room_run(r) && ids_run(r);
    requires hand: r.env == at_hand;
*/
void client_two_evaluations(struct run r, int a)
{
    struct run_said p = attr_run_value(r, a), q = attr_run_value(r, a);

    /*@ assert none: p.code == ATTR_VALUE ==> q.code != ATTR_STUCK; */
    /*@ assert same: p.code == ATTR_VALUE && q.code == ATTR_VALUE ==> val(VALS(*r.vs), p.id) == val(VALS(*r.vs), q.id); */
    /*@ assert BOOM: \false; */
}
