/* Functions that no kernel computes: of a constant they are a constant, as in the computation of shapes and tables. */
#include "onnx/expand.h"

#include <math.h>

int expand_constant(struct onnx_build *b, double (*f)(double))
{
    struct tensor *t = &b->n->value;
    long n;

    if (!expand_is_float(b, expand_in(b, 0)))
        make_no(b);
    if (!b->st)
        b->st = onnx_const_input(b->n, 0, t);
    b->n->is_const = !b->st;
    n = b->st ? 0 : shape_elems(&t->shape);
    for (long i = 0; i < n; i++) {
        if (t->dtype == DTYPE_F32)
            tensor_f32(t)[i] = (float)f((double)tensor_f32(t)[i]);
        else
            ((double *)t->data)[i] = f(((double *)t->data)[i]);
    }
    return -1;
}

int expand_asin(struct onnx_build *b) { return expand_constant(b, asin); }
int expand_acos(struct onnx_build *b) { return expand_constant(b, acos); }
int expand_atan(struct onnx_build *b) { return expand_constant(b, atan); }
int expand_asinh(struct onnx_build *b) { return expand_constant(b, asinh); }
int expand_acosh(struct onnx_build *b) { return expand_constant(b, acosh); }
int expand_atanh(struct onnx_build *b) { return expand_constant(b, atanh); }
int expand_floor(struct onnx_build *b) { return expand_constant(b, floor); }
int expand_ceil(struct onnx_build *b) { return expand_constant(b, ceil); }
int expand_round(struct onnx_build *b) { return expand_constant(b, nearbyint); } /* halves to even */
