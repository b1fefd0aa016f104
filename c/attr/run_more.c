#include "attr/run_more.h"

#include <limits.h>

#include "attr/answer_sort.h"
#include "attr/eval_ask.h"
#include "attr/run_core.h"

/* One answer more. */
/*@ requires held:     held(r, x) && known(r, x);
    requires slot:     -1 <= slot < INT_MAX;
    requires id:       id < (slot >= 0 ? r.vs->n : INT_MAX);
    requires fresh:    fresh(x.a, x.n, slot + 1, key(k));
    requires right:    right_answer(r.env, VALS(*r.vs), slot + 1, key(k), id < 0 ? 0 : id + 1);
    terminates \true;
    exits    never:    \false;
    assigns  *r.mem, { *p | struct attr_answer *p; \true };
    ensures  held:     held(r, \result) && known(r, \result);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  old:      moved_answers{Pre,Post}(x.a, \result.a, x.n) && \result.batch == x.batch;
    ensures  ok:       \result.ok == 0 || \result.ok == 1;
    ensures  full:     \result.ok == 0 ==> \result.n == x.n;
    ensures  new:      \result.ok == 1 ==> \result.n == x.n + 1 && \result.a[x.n].slot == slot + 1 &&
                       \result.a[x.n].k == key(k);
*/
static struct run_answers put_answer(struct run r, struct run_answers x, int slot, long k, int id)
{
    x = run_answer_room(r, x);
    /*@ ghost Moved: ; */
    /*@ assert right: right(r.env, VALS(*r.vs), x.a, x.n); */
    /*@ assert known: known(r, x); */
    /*@ assert fresh: fresh(x.a, x.n, slot + 1, key(k)); */
    x.ok = x.n < x.cap;
    /*@ assert places: answers_room(r, x); */
    if (x.ok) {
        x.a[x.n] = attr_answer_of(slot, k, id);
        /*@ assert old:   same_answers{Moved,Here}(x.a, x.n); */
        /*@ assert still: right(r.env, VALS(*r.vs), x.a, x.n) && grown{Moved,Here}(r) && ready_run(r) && symbol_room(r); */
        /*@ assert last:  right_answer(r.env, VALS(*r.vs), x.a[x.n].slot, x.a[x.n].k, x.a[x.n].id); */
        x.n++;
        /*@ assert all:   right(r.env, VALS(*r.vs), x.a, x.n); */
        /*@ assert more:  answers_room(r, x); */
        /*@ assert distinct: distinct(x.a, x.n); */
        /*@ assert wf:    wf_answers(x.a, x.n, r.vs->n); */
    }
    /*@ assert room: answers_room(r, x); */
    return x;
}

/* Instance k of the slot, and the ones behind it that were not asked for yet, as far as there are any, twice as many each
   time: restarts are rare then. */
/*@ requires held:     held(r, x) && known(r, x) && sorted(x.a, x.n);
    requires hand:     r.env == at_hand;
    requires slot:     0 <= slot < r.nslot;
    requires fresh:    fresh(x.a, x.n, slot + 1, key(k));
    terminates \true;
    exits    never:    \false;
    assigns  *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  held:     held(r, \result) && known(r, \result);
    ensures  grown:    grown{Pre,Post}(r);
    ensures  ok:       \result.ok == 0 || \result.ok == 1;
    ensures  more:     \result.ok == 1 ==> \result.n > x.n;
*/
static struct run_answers ask_instances(struct run r, struct run_answers x, int slot, long k)
{
    const int known = x.n, batch = x.batch;

    /*@ ghost long first = k; */
    if (batch <= 1 << 15)
        x.batch = 2 * batch;
    /*@ assert room: answers_room(r, x); */
    /*@ loop invariant range: 0 <= j <= batch && x.n >= known + j && (j > 0 ==> x.ok == 1) && k == first + (x.n - known);
        loop invariant held:  held(r, x) && known(r, x) && grown{Pre,Here}(r);
        loop invariant old:   sorted(x.a, known);
        loop invariant new:   \forall integer i; known <= i < x.n ==> x.a[i].k == key(first + (i - known));
        loop invariant fresh: fresh(x.a, known, slot + 1, key(k));
        loop assigns j, k, x, *r.vs, *r.mem, { *p | struct value *p; \true }, { *q | int *q; \true },
                     { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
        loop variant batch - j;
    */
    for (int j = 0; j < batch; j++) {
        /*@ ghost Head: ; */
        struct run_said s = run_inst(r, x, slot, k);
        int some = s.code == ATTR_VALUE;

        /*@ ghost Told: ; */
        /*@ assert ready:  ready_run(r) && symbol_room(r) && answers_room(r, x); */
        /*@ assert known:  known(r, x) && grown{Pre,Here}(r); */
        /*@ assert sorted: sorted(x.a, known) && fresh(x.a, known, slot + 1, key(k)); */
        /*@ assert run:    \forall integer i; known <= i < x.n ==> x.a[i].k == key(first + (i - known)); */
        if (s.code != ATTR_STUCK && (!some || s.id < 0 || s.id >= r.vs->n)) {
            x.ok = x.n > known;
            /*@ assert room: answers_room(r, x); */
            return x;
        }
        /*@ ghost struct run_answers y = x; */
        /*@ assert one:    \forall integer l; in_int64(l) ==> key(l) == key(k) ==> l == k; */
        /*@ assert right:  right_inst(r.env, VALS(*r.vs), slot, key(k), some ? s.id + 1 : 0); */
        /*@ assert behind: \forall integer i; known <= i < x.n ==> x.a[i].k != key(k); */
        x = put_answer(r, x, slot, k, some ? s.id : -1);
        /*@ assert moved: moved_answers{Told,Here}(y.a, x.a, known) && sorted(x.a, known); */
        /*@ assert all:   x.ok == 1 ==> \forall integer i; known <= i < x.n ==> x.a[i].k == key(first + (i - known)); */
        if (!x.ok || !some || k == INT64_MAX ||
            attr_answer_find(x.a, known, (unsigned long)slot + 1, (unsigned long)(k + 1)) >= 0)
            return x;
        k++;
    }
    return x;
}

/* The instance number that is written so in an answer. (C leaves open what (long)k is above LONG_MAX.) */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  number:   \result == (k <= LONG_MAX ? k : k - ULONG_MAX - 1);
*/
static long number_of(unsigned long k)
{
    return k <= LONG_MAX ? (long)k : -(long)(ULONG_MAX - k) - 1;
}

/* Asks what the core wants to know. */
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
    ensures  more:     \result.ok == 1 ==> \result.n > x.n;
*/
static struct run_answers run_ask(struct run r, struct run_answers x)
{
    unsigned long slot = r.vs->symbol[r.view.nsymbol], k = r.vs->symbol[r.view.nsymbol + 1];
    int id;

    x.ok = 0;
    /*@ assert room: answers_room(r, x); */
    /*@ assert held: held(r, x) && known(r, x); */
    /*@ assert same: grown{Pre,Here}(r); */
    if (attr_answer_find(x.a, x.n, slot, k) >= 0)
        return x;
    /*@ assert none: fresh(x.a, x.n, slot, k); */
    if (slot > 0) {
        long number = number_of(k);

        if (slot > (unsigned long)r.nslot || (unsigned long)number != k)
            return x;
        /*@ assert key:  key(number) == k; */
        /*@ assert slot: 0 < slot <= r.nslot && (int)(slot - 1) == slot - 1; */
        x = ask_instances(r, x, (int)(slot - 1), number);
    } else {
        if (k > INT_MAX)
            return x;
        id = run_taken(r, x, (int)k);
        if (id == INT_MAX)
            return x;
        x = put_answer(r, x, -1, (long)k, id);
    }
    /*@ assert grown: grown{Pre,Here}(r); */
    if (x.ok) {
        /*@ ghost Asked: ; */
        /*@ assert away:   \forall unsigned long *p; kept_long(p) ==> \separated(p, x.a + (0 .. x.cap - 1)); */
        answer_sort(x.a, x.n);
        /*@ assert longs:  \forall unsigned long *p; kept_long(p) ==> *p == \at(*p, Asked); */
        /*@ assert kept:   same_kept{Asked,Here}; */
        /*@ assert since:  grown{Asked,Here}(r); */
        /*@ assert places: answers_room(r, x) && symbol_room(r) && ready_run(r); */
        /*@ assert right:  known(r, x); */
        /*@ assert still:  grown{Pre,Here}(r); */
    }
    return x;
}

struct run_answers run_more(struct run r, struct run_answers x, int ask)
{
    if (ask)
        return run_ask(r, x);
    x.ok = run_enlarge(r, x);
    /*@ assert sorted: sorted(x.a, x.n); */
    /*@ assert room:   answers_room(r, x); */
    return x;
}

struct run_answers run_no_answers(struct run r)
{
    struct run_answers x = { .a = NULL, .n = 0, .cap = 0, .batch = 1, .ok = 1 };

    (void)r;
    /*@ assert room: answers_room(r, x); */
    return x;
}
