/* Does an operator have several outputs? */
#include "tensor/op_code.h"

bool op_multi(int op)
{
    /* A sum of which at most one term is not 0. */
#define OP(name, least, most, traits, words) + (op == OP_##name) * (((traits) & OP_MULTI) / OP_MULTI)
    return (0
#include "tensor/ops.def"
    ) != 0;
}
