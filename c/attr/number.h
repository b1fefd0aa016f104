/* The comparisons of numbers of which one is a float: of the exact numbers. */
#ifndef CALQUE_ATTR_NUMBER_H
#define CALQUE_ATTR_NUMBER_H

#include "attr/attr.h"
#include "attr/value_core.h"

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

#endif
