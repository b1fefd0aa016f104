/* The proved part of making tuples of given values. */
#ifndef CALQUE_ATTR_VALUE_MAKE_H
#define CALQUE_ATTR_VALUE_MAKE_H

#include "attr/value_core.h"

/* Appends the tuple of the n values elems[0 .. n - 1]; stuck when one of them is no value. */
/*@ OP_REQUIRES
    requires len:      0 <= n <= vs.cappool - vs.npool;
    requires elems:    \valid_read(elems + (0 .. n - 1));
    requires apart:    \separated(elems + (0 .. n - 1), vs.v + (0 .. vs.cap - 1)) &&
                       \separated(elems + (0 .. n - 1), vs.pool + (vs.npool .. vs.cappool - 1));
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
    OP_KEEPS
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  next:     \result.code == STEP_DONE ==>
                       \result.id == vs.n && \result.n == vs.n + 1 && \result.npool == vs.npool + n;
    ensures  room:     \result.code == STEP_ROOM ==> vs.n >= vs.cap;
    ensures  stuck:    \result.code == STEP_STUCK <==> \exists integer k; 0 <= k < n && !(0 <= \old(elems[k]) < vs.n);
    ensures  tuple:    \result.code == STEP_DONE ==>
                       v_kind(RESULT_VALUE) == VALUE_TUPLE && v_len(RESULT_VALUE) == n;
    ensures  elements: \result.code == STEP_DONE ==> \forall integer k; 0 <= k < n ==>
                       v_nth(RESULT_VALUE, k) == val(\old(VALS(vs)), \old(elems[k]));
*/
struct value_step value_put_elems(struct values vs, const int *elems, int n);

/* Appends the tuple of the n ints x[0 .. n - 1]. */
/*@ OP_REQUIRES
    requires len:      0 <= n <= vs.cappool - vs.npool && n < vs.cap - vs.n;
    requires nums:     \valid_read(x + (0 .. n - 1));
    requires apart:    \separated(x + (0 .. n - 1), vs.v + (0 .. vs.cap - 1));
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1], vs.pool[vs.npool .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  room:     \result.code == STEP_DONE || \result.code == STEP_LIMIT;
    ensures  next:     \result.code == STEP_DONE ==>
                       \result.id == vs.n + n && \result.n == vs.n + n + 1 && \result.npool == vs.npool + n;
    ensures  tuple:    \result.code == STEP_DONE ==>
                       v_kind(RESULT_VALUE) == VALUE_TUPLE && v_len(RESULT_VALUE) == n;
    ensures  elements: \result.code == STEP_DONE ==> \forall integer k; 0 <= k < n ==>
                       is_int(v_nth(RESULT_VALUE, k), \old(x[k]));
*/
struct value_step value_put_ints(struct values vs, const long *x, int n);

#endif
