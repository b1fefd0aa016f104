#include "attr/funcs.h"

#include <limits.h>

/* Is there an element at z? */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  before:   \result != 0 <==> before(z, hi, step);
*/
static int before_end(long z, long hi, long step)
{
    return step > 0 ? z < hi : z > hi;
}

/* Would z + step leave int64? Then there is no element behind z. */
/*@ requires step:     step != 0;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  end:      \result == 0 <==> LONG_MIN <= z + step <= LONG_MAX;
*/
static int at_end(long z, long step)
{
    return step > 0 ? z > LONG_MAX - step : z < LONG_MIN - step;
}

/* Appends int z and writes it to pool[npool + k], after the first k. */
/*@ OP_REQUIRES
    requires number:   0 <= k <= ATTR_COUNT_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  before:   \forall integer j; vs.npool <= j < vs.npool + k ==> vs.pool[j] == \old(vs.pool[j]);
    ensures  room:     \result.code == STEP_DONE ==> k < vs.cappool - vs.npool;
    ensures  code:     \result.code == STEP_DONE || \result.code == STEP_ROOM;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result) && \result.npool == vs.npool;
    ensures  value:    \result.code == STEP_DONE ==>
                       vs.pool[vs.npool + k] == \result.id && is_int(RESULT_VALUE, z);
*/
static struct value_step range_put(struct values vs, long z, int k)
{
    struct value_step r = { STEP_ROOM, 0, vs.n, vs.npool };

    if (k >= vs.cappool - vs.npool)
        return r;
    vs.pool[vs.npool + k] = vs.n;
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert wf:   WF_VALUES(vs); */
    /*@ assert ext:  extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    r = value_put(vs, VALUE_INT, z);
    return r;
}

/* The ints from lo on, by step, before hi. */
/*@ requires step:     step != 0;
    OP_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==> range(lo, hi, step, RESULT_VALUE);
    ensures  long:     \result.code == STEP_STUCK ==>
                       \forall integer k; 0 <= k <= ATTR_COUNT_MAX ==> before(nth_of(lo, step, k), hi, step);
*/
static struct value_step range_ints(struct values vs, long lo, long hi, long step)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    struct values us = vs;
    int k = 0, more = before_end(lo, hi, step);
    long z = lo;

    /*@ loop invariant number: 0 <= k <= ATTR_COUNT_MAX && k <= vs.cappool - vs.npool;
        loop invariant arena:  us.v == vs.v && us.pool == vs.pool && us.cap == vs.cap && us.cappool == vs.cappool &&
                               us.npool == vs.npool && vs.n <= us.n <= us.cap;
        loop invariant wf:     WF_VALUES(us);
        loop invariant same:   same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant ext:    extends(\at(VALS(vs), Pre), VALS(us), vs.n);
        loop invariant next:   more != 0 ==> z == nth_of(lo, step, k) && before(z, hi, step);
        loop invariant end:    more == 0 ==> !before(nth_of(lo, step, k), hi, step);
        loop invariant places: \forall integer j; 0 <= j < k ==> before(nth_of(lo, step, j), hi, step);
        loop invariant ids:    \forall integer j; vs.npool <= j < vs.npool + k ==> 0 <= vs.pool[j] < us.n;
        loop invariant ints:   \forall integer j; 0 <= j < k ==>
                               is_int(val(VALS(us), vs.pool[vs.npool + j]), nth_of(lo, step, j));
        loop assigns k, z, more, r, us, vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
        loop variant ATTR_COUNT_MAX + 1 - k;
    */
    while (more) {
        if (k >= ATTR_COUNT_MAX) {
            r.code = STEP_STUCK;
            return r;
        }
        r = range_put(us, z, k);
        if (r.code != STEP_DONE)
            return r;
        /*@ assert old: extends(VALS(us), VALS(us), us.n); */
        us.n = r.n;
        k++;
        /*@ assert step: nth_of(lo, step, k) == z + step; */
        more = !at_end(z, step);
        if (more) {
            z += step;
            more = before_end(z, hi, step);
        }
    }
    r = value_put_tuple(us, k);
    return r;
}

struct value_step attr_op_range(struct values vs, long lo, long hi, long step)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };

    if (step != 0)
        r = range_ints(vs, lo, hi, step);
    return r;
}
