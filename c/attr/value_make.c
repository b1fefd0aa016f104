#include "attr/value_make.h"

/* pool[npool + k] = elems[k] up to the first that is no value: its position, or n. */
/*@ requires valid:    valid_values(vs);
    requires len:      0 <= n <= vs.cappool - vs.npool;
    requires elems:    \valid_read(elems + (0 .. n - 1));
    requires apart:    \separated(elems + (0 .. n - 1), vs.pool + (vs.npool .. vs.cappool - 1));
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[vs.npool .. vs.cappool - 1];
    ensures  range:    0 <= \result <= n;
    ensures  copied:   \forall integer k; vs.npool <= k < vs.npool + \result ==>
                       vs.pool[k] == \old(elems[k - vs.npool]) && 0 <= vs.pool[k] < vs.n;
    ensures  first:    \result < n ==> !(0 <= \old(elems[\result]) < vs.n);
*/
static int take(struct values vs, const int *elems, int n)
{
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant copied: \forall integer j; vs.npool <= j < vs.npool + k ==>
                               vs.pool[j] == \at(elems[j - vs.npool], Pre) && 0 <= vs.pool[j] < vs.n;
        loop invariant elems:  \forall integer j; 0 <= j < n ==> elems[j] == \at(elems[j], Pre);
        loop assigns k, vs.pool[vs.npool .. vs.cappool - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        /*@ assert elem: elems[k] == \at(elems[\at(k, Here)], Pre); */
        if (elems[k] < 0 || elems[k] >= vs.n)
            return k;
        vs.pool[vs.npool + k] = elems[k];
    }
    return n;
}

struct value_step value_put_elems(struct values vs, const int *elems, int n)
{
    struct value_step r = { STEP_STUCK, 0, vs.n, vs.npool };
    int k = take(vs, elems, n);

    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert wf:   WF_VALUES(vs); */
    /*@ assert mid:  extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    if (k < n)
        return r;
    /*@ assert ids:  \forall integer j; 0 <= j < n ==> vs.pool[vs.npool + j] == \at(elems[j], Pre); */
    /*@ assert all:  \forall integer j; 0 <= j < n ==> 0 <= \at(elems[j], Pre) < vs.n; */
    /*@ assert vals: \forall integer j; 0 <= j < n ==>
                     val(VALS(vs), vs.pool[vs.npool + j]) == val(\at(VALS(vs), Pre), \at(elems[j], Pre)); */
    r = value_put_tuple(vs, n);
    /*@ assert ext:  r.code == STEP_DONE ==>
                     extends(\at(VALS(vs), Pre), vals_of(vs.v, vs.pool, r.n, r.npool), vs.n); */
    return r;
}

/* Value vs.n becomes the int z, and element k of those behind the arena's. */
/*@ OP_REQUIRES
    requires place:    0 <= k < vs.cappool - vs.npool && vs.n < vs.cap;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool + k];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  place:    vs.pool[vs.npool + k] == vs.n;
    ensures  others:   \forall integer j; vs.npool <= j < vs.npool + k ==> vs.pool[j] == \old(vs.pool[j]);
    ensures  wf:       wf_values(vs.v, vs.pool, vs.n + 1, vs.npool);
    ensures  old:      extends(\old(VALS(vs)), vals_of(vs.v, vs.pool, vs.n + 1, vs.npool), vs.n);
    ensures  value:    is_int(val(vals_of(vs.v, vs.pool, vs.n + 1, vs.npool), vs.n), z);
*/
static void put_int(struct values vs, long z, int k)
{
    vs.pool[vs.npool + k] = vs.n;
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    /*@ assert wf:   WF_VALUES(vs); */
    /*@ assert ext:  extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    value_put(vs, VALUE_INT, z);
}

struct value_step value_put_ints(struct values vs, const long *x, int n)
{
    struct value_step r;
    struct values us = vs;

    /*@ loop invariant range:  0 <= k <= n;
        loop invariant arena:  us == {vs \with .n = (int)(vs.n + k)};
        loop invariant wf:     WF_VALUES(us);
        loop invariant same:   same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool);
        loop invariant old:    extends(\at(VALS(vs), Pre), VALS(us), vs.n);
        loop invariant ids:    \forall integer j; vs.npool <= j < vs.npool + k ==> vs.pool[j] == vs.n + j - vs.npool;
        loop invariant ints:   are_ints{Pre,Here}(x, VALS(us), vs.n, k);
        loop invariant nums:   \forall integer j; 0 <= j < n ==> x[j] == \at(x[j], Pre);
        loop assigns k, us, vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        put_int(us, x[k], k);
        /*@ assert more: are_ints{Pre,Here}(x, vals_of(us.v, us.pool, us.n + 1, us.npool), vs.n, k); */
        us.n++;
        /*@ assert last: is_int(val(VALS(us), vs.n + k), \at(x[\at(k, Here)], Pre)); */
    }
    /*@ ghost All: ; */
    r = value_put_tuple(us, n);
    /*@ assert elems: r.code == STEP_DONE ==> \forall integer k; 0 <= k < n ==>
                      v_nth(val(vals_of(vs.v, vs.pool, r.n, r.npool), r.id), k) == val(\at(VALS(us), All), vs.n + k); */
    /*@ assert same: same_values{Pre,Here}(vs.v, vs.pool, vs.n, vs.npool); */
    return r;
}
