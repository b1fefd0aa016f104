/* Operations on values, unary and binary; the numbers that floats are. */
#ifndef CALQUE_ATTR_OPS_H
#define CALQUE_ATTR_OPS_H

#include "attr/attr.h"
#include "attr/value_internal.h"

/* Bits of a binary64 without its sign: one step of the exponent, and an infinity. What is more is a NaN. */
#define FLOAT_STEP 0x10000000000000
#define FLOAT_INFINITE 0x7FF0000000000000

#ifdef __FRAMAC__
#include "attr/number.acsl"
#endif

/* Values of two kinds, or two floats. */
/*@ OP_REQUIRES
    requires op:       0 <= op < ATTR_BINARY_OPS && op != ATTR_EQ && op != ATTR_NE;
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    requires kinds:    vs.v[x].kind != vs.v[y].kind || vs.v[x].kind == VALUE_FLOAT;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[vs.n .. vs.cap - 1];
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w);
*/
struct value_step attr_op_numbers(struct values vs, int op, int x, int y);

/* The proved operations on values: unary, binary, projection. */
/*@ requires valid:    valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires op:       0 <= op < ATTR_UNARY_OPS;
    requires id:       0 <= x < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  code:     STEP_DONE <= \result.code <= STEP_LIMIT;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result);
    ensures  sound:    \result.code == STEP_DONE ==>
                       unary_op(op, val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==>
                       \forall value w; unary_op(op, val(\old(VALS(vs)), x), w) ==> w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==>
                       \forall value w; !unary_op(op, val(\old(VALS(vs)), x), w);
*/
struct value_step attr_op_unary(struct values vs, int op, int x);

/*@ requires valid:    valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires op:       0 <= op < ATTR_BINARY_OPS;
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    ensures  code:     STEP_DONE <= \result.code <= STEP_LIMIT;
    ensures  frame:    \result.code == STEP_DONE ==> stepped{Pre,Post}(vs, \result);
    ensures  sound:    \result.code == STEP_DONE ==>
                       binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), RESULT_VALUE);
    ensures  det:      \result.code == STEP_DONE ==> \forall value w;
                       binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w) ==>
                       w == RESULT_VALUE;
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !binary_op(op, val(\old(VALS(vs)), x), val(\old(VALS(vs)), y), w);
*/
struct value_step attr_op_binary(struct values vs, int op, int x, int y);

/* Element number y of tuple x; negative numbers count from the end. Appends nothing. */
/*@ requires valid:    valid_values(vs);
    requires wf:       WF_VALUES(vs);
    requires ids:      0 <= x < vs.n && 0 <= y < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  code:     \result.code == STEP_DONE || \result.code == STEP_STUCK;
    ensures  frame:    \result.n == vs.n && \result.npool == vs.npool;
    ensures  id:       \result.code == STEP_DONE ==> 0 <= \result.id < vs.n;
    ensures  sound:    \result.code == STEP_DONE ==> v_kind(val(VALS(vs), x)) == VALUE_TUPLE &&
                       index_at(val(VALS(vs), x), val(VALS(vs), y), val(VALS(vs), \result.id));
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !(v_kind(val(VALS(vs), x)) == VALUE_TUPLE &&
                         index_at(val(VALS(vs), x), val(VALS(vs), y), w));
*/
struct value_step attr_op_proj(struct values vs, int x, int y);

#endif
