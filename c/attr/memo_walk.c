#include "attr/memo_walk.h"

/* Marks what expression a consists of. */
/*@ requires room:     room_run(r);
    requires state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    requires expr:     0 <= a < p.n && p.nvalue == r.vs->n;
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. p.n - 1].marked;
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  marks:    marks_ok(p, of, a);
    ensures  values:   r.vs->n == \old(r.vs->n) && extends(\old(VALS(*r.vs)), VALS(*r.vs), r.vs->n);
*/
static void mark(struct run r, struct attr_put p, struct attr_memo_class *of, int a)
{
    (void)r;
    /*@ assert attrs:  wf_attrs(p.node, p.kid, p.n, p.nkid, p.nvalue); */
    /*@ assert arena:  wf_arena(p) && valid_arena(p); */
    memo_mark_only(p, of, a);
    /*@ assert keeps:  same_keeps{Pre,Here}(of, p.n); */
    /*@ assert frees:  same_frees{Pre,Here}(of, p.n); */
}

/* What expression i is, is remembered if it is worth it. */
/*@ requires room:     room_run(r);
    requires hand:     r.env == at_hand;
    requires state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    requires expr:     0 <= i < p.n;
    terminates \true;
    exits    never:    \false;
    assigns  of[0 .. p.n - 1].tried,
             *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  room:     room_run(r);
    ensures  state:    run_memo(r, p, of) && keeps_ok(of, p.n);
    ensures  kept:     same_kept{Pre,Post};
    ensures  more:     \old(r.vs->n) <= r.vs->n;
    ensures  old:      extends(\old(VALS(*r.vs)), VALS(*r.vs), \old(r.vs->n));
*/
static void memo_step(struct run r, struct attr_put p, struct attr_memo_class *of, int i)
{
    bool due = memo_due(of, p.n, i);
    /*@ ghost Due: ; */

    /*@ assert firsts: first_ok(of, i); */
    /*@ assert keeps:  keeps_ok(of, p.n); */
    /*@ assert first:  0 <= of[i].first < p.n; */
    /*@ assert class:  due == 1 ==> of[of[i].first].keep == 1; */
    /*@ assert right:  memo_classes(of, p.n); */
    /*@ assert closed: due == 1 ==> closed(memo_exprs, of[i].first); */
    /*@ assert state:  run_memo(r, p, of) && room_run(r); */
    if (due)
        (void)memo_try(r, p, of, i, true);
    /*@ assert same:   same_keeps{Due,Here}(of, p.n) && same_classes{Due,Here}(of, p.n); */
}

/* What is stuck, or too large, is left to the evaluation of the whole: perhaps it is not needed. */
struct run_said memo_eval(struct run r, struct attr_put p, struct attr_memo_class *of, int a)
{
    struct run_said s;

    mark(r, p, of, a);
    /*@ loop invariant range:  0 <= i <= a + 1;
        loop invariant room:   room_run(r);
        loop invariant state:  run_memo(r, p, of);
        loop invariant keeps:  keeps_ok(of, p.n);
        loop invariant kept:   same_kept{Pre,Here};
        loop invariant more:   \at(r.vs->n, Pre) <= r.vs->n;
        loop invariant values: extends(\at(VALS(*r.vs), Pre), VALS(*r.vs), \at(r.vs->n, Pre));
        loop assigns i, of[0 .. p.n - 1].tried,
                     *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
                     { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
        loop variant a - i;
    */
    for (int i = 0; i <= a; i++)
        memo_step(r, p, of, i);
    /*@ ghost Last: ; */
    /*@ assert place:  memo_place(r, p, of); */
    /*@ assert right:  memo_classes(of, p.n); */
    /*@ assert valid:  \valid(of + a); */
    /*@ assert closed: of[a].free == 0 ==> closed(memo_exprs, a); */
    s = memo_try(r, p, of, a, of[a].free == 0);
    /*@ assert same:   same_keeps{Last,Here}(of, p.n) && same_classes{Last,Here}(of, p.n); */
    return s;
}

void memo_give(struct run r, struct attr_put p, struct attr_memo_class *of, int id)
{
    (void)p;
    (void)of;
    attr_run_put(r, id);
    /*@ assert kept:    same_kept{Pre,Here}; */
    /*@ assert firsts:  same_firsts{Pre,Here}(of, p.n); */
    /*@ assert nexts:   same_nexts{Pre,Here}(of, p.n); */
    /*@ assert frees:   same_frees{Pre,Here}(of, p.n); */
    /*@ assert classes: same_classes{Pre,Here}(of, p.n); */
    /*@ assert sizes:   same_sizes{Pre,Here}(p.node, p.n); */
    /*@ assert rest:    rest_ok(p); */
    /*@ assert all:     memo_classes(of, p.n); */
    /*@ assert place:   memo_place(r, p, of) && kept_places(p, of); */
    /*@ assert holds:   memo_holds(r, p, of); */
    /*@ assert ids:     ids_run(r) ==> \at(ids_run(r), Pre); */
    /*@ assert there:   memo_there(r); */
    /*@ assert keeps:   keeps_ok(of, p.n); */
}
