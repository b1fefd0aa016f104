/* Functions on values: reductions, membership, range, slice, zip, remap; reading a string by its id. */
#ifndef CALQUE_ATTR_FUNCS_H
#define CALQUE_ATTR_FUNCS_H

#include "attr/ops.h"
#include "base/strs.h"
#include "base/text.h"
#include "attr/value_internal.h"

/* Reduces tuple x from the left: op is one of enum attr_reduction. */
/*@ requires valid:    valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires op:       0 <= op < ATTR_REDUCTIONS;
    requires id:       0 <= x < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  code:     STEP_DONE <= \result.code <= STEP_LIMIT;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result);
    ensures  sound:    \result.code == STEP_DONE ==> v_kind(val(\old(VALS(vs)), x)) == VALUE_TUPLE &&
                       reduce(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==> \forall value w;
                       reduce(op, val(\old(VALS(vs)), x), w) ==> w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !(v_kind(val(\old(VALS(vs)), x)) == VALUE_TUPLE && reduce(op, val(\old(VALS(vs)), x), w));
*/
struct value_step attr_op_reduce(struct values vs, int op, int x);

/* The function remap, which reads strings. */
#ifdef __FRAMAC__
#include "attr/sequences.acsl"
#endif

/* remap of the strings a and b: each letter of b is in a. Without a table of strings it exceeds the limits. (On trust:
   attr/value_internal.h.) */
/*@ OP_REQUIRES
    requires ids:      0 <= a < vs.n && 0 <= b < vs.n;
    requires strings:  vs.v[a].kind == VALUE_STR && vs.v[b].kind == VALUE_STR;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       remap(val(\old(VALS(vs)), a), val(\old(VALS(vs)), b), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !remap(val(\old(VALS(vs)), a), val(\old(VALS(vs)), b), w);
*/
struct value_step attr_op_remap(struct values vs, int a, int b);

/* The function zip. */
/* The tuple of the tuples of the elements number 0, 1, .. of the tuples in x, as far as all have one. */
/*@ OP_REQUIRES
    requires tuple:    0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==> zip(val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w; !zip(val(\old(VALS(vs)), x), w);
*/
struct value_step attr_op_zip(struct values vs, int x);

/* The functions of values: in, reversed, range, slice, zip, remap. */
/* The ints lo, lo + step, .. before hi, at most ATTR_COUNT_MAX; step 0 is stuck. */
/*@ OP_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==> range(lo, hi, step, RESULT_VALUE);
    ensures  long:     \result.code == STEP_STUCK ==>
                       step == 0 || before(nth_of(lo, step, ATTR_COUNT_MAX), hi, step);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w; !range(lo, hi, step, w);
*/
struct value_step attr_op_range(struct values vs, long lo, long hi, long step);
/* Function op (enum attr_func_op) of the elements of tuple x. */
/*@ requires valid:    valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires op:       0 <= op < ATTR_FUNC_OPS;
    requires id:       0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  code:     STEP_DONE <= \result.code <= STEP_LIMIT;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result);
    ensures  sound:    \result.code == STEP_DONE ==> func_op(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==> \forall value w;
                       func_op(op, val(\old(VALS(vs)), x), w) ==> w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !func_op(op, val(\old(VALS(vs)), x), w);
*/
struct value_step attr_op_func(struct values vs, int op, int x);

/* Reading the string that an id names. Trusted: that s is the table that gave the ids, so that what strs.c is proved to read of a
   table (base/strs_internal.h) is the string. */
#ifdef __FRAMAC__
/*@ terminates \true;
    exits    never:    \false;
    assigns  \result \from s, id;
    ensures  valid:    \valid_read(\result + (0 .. text_len(id) - 1));
    ensures  own:      \forall struct text *t; apart_strs(t, s) ==>
                       \separated(\result + (0 .. text_len(id) - 1), t->a + (0 .. t->cap - 1));
    ensures  text:     \forall integer k; 0 <= k < text_len(id) ==> \result[k] == text_char(id, k);
*/
const char *strs_text(const struct strs *s, int id);
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  len:      0 <= \result == text_len(id);
*/
int strs_len(const struct strs *s, int id);
#endif

#endif
