/* The operators and their traits, as the table tensor/ops.def has them. */
#ifndef CALQUE_TENSOR_OP_CODE_H
#define CALQUE_TENSOR_OP_CODE_H

#include <stdbool.h>

enum op_trait {
    OP_ELEMENTWISE = 1, /* output cell i depends on input cells i only (after broadcasting); has no attributes, so
                           that rules may take two applications of it to the same inputs for equal */
    OP_BROADCAST = 2,   /* numpy broadcasting of the inputs */
    OP_COMMUTATIVE = 4,
    OP_MULTI = 8,       /* several outputs: read through NODE_PROJ */
    OP_FLOAT = 16,      /* floating-point element types only */
    OP_CALQUE = 32,     /* of the domain "calque", not ONNX's */
    OP_POINTWISE = 64,  /* like OP_ELEMENTWISE, but with attributes */
    OP_BOOL = 128       /* takes booleans too; no other operator does */
};

enum op {
#define OP(name, least, most, traits, words) OP_##name,
#include "tensor/ops.def"
    OP_COUNT
};

/* Has the operator the trait OP_MULTI? */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  multi:    \result == 1 <==> op == OP_Split;
*/
bool op_multi(int op);

#endif
