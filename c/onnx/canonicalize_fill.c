/* Operators whose fill values, bounds and shapes newer opsets take from constant inputs. */
#include "onnx/expand.h"

#include <math.h>
#include <string.h>

#define EXACT 0x1p24 /* integers up to here are binary32, as attributes are */

/* The one element of constant input k, of the type of input 0, where a binary32 holds it; absent: *out stays. */
static enum calque_status scalar(const struct onnx_node *n, int k, double *out)
{
    struct tensor t;
    enum calque_status st;

    if (k >= n->in.n || n->in.a[k] < 0)
        return CALQUE_OK;
    st = onnx_const_input(n, k, &t);
    if (st)
        return st;
    if (t.dtype != onnx_in_dtype(n, 0))
        st = CALQUE_NO;
    else if (shape_elems(&t.shape) != 1)
        st = onnx_fail(n, CALQUE_BAD, "input %d must have one element", k);
    else if (t.dtype == DTYPE_F32)
        *out = (double)*tensor_f32(&t);
    else if (t.dtype == DTYPE_F64)
        memcpy(out, t.data, sizeof *out);
    else if (t.dtype == DTYPE_I64)
        *out = (double)*tensor_i64(&t);
    else if (t.dtype == DTYPE_I32)
        *out = (double)*(const int32_t *)t.data;
    else if (t.dtype == DTYPE_BOOL)
        *out = *(const unsigned char *)t.data != 0;
    else
        st = CALQUE_NO;
    if (!st && t.dtype == DTYPE_F64 ? (double)(float)*out != *out
                                    : !st && t.dtype != DTYPE_F32 && fabs(*out) > EXACT)
        st = CALQUE_NO;
    tensor_free(&t);
    return st;
}

enum calque_status onnx_pads(const struct onnx_node *n, long *out)
{
    struct onnx_list pads, axes = {0};
    int rank = onnx_in_rank(n, 0);
    long sorted[RANK_MAX];
    enum calque_status st = onnx_list_get(n, "pads", 1, &pads);
    size_t count;

    if (!st)
        st = onnx_list_get(n, NULL, 3, &axes);
    count = axes.given ? axes.n : (size_t)rank;
    if (!st && pads.n != 2 * count)
        st = axes.given ? onnx_fail(n, CALQUE_BAD, "pads has %zu elements for %zu axes", pads.n, count)
                        : onnx_fail(n, CALQUE_BAD, "pads has %zu elements, the input rank %d", pads.n, rank);
    if (!st)
        st = onnx_axes(n, &axes, rank, sorted);
    memset(out, 0, 2 * (size_t)rank * sizeof *out);
    for (size_t i = 0; !st && i < count; i++) {
        long axis = axes.given ? axes.a[i] : (long)i;
        axis += axis < 0 ? rank : 0;
        out[axis] = pads.a[i];
        out[axis + rank] = pads.a[i + count];
    }
    onnx_list_free(&axes);
    onnx_list_free(&pads);
    return st;
}

enum { PAD_MODES = 4, PAD_WRAP = 3 };

enum calque_status onnx_normal_pad(struct onnx_node *n)
{
    static const char *const modes[PAD_MODES] = {"constant", "edge", "reflect", "wrap"};
    const Onnx__AttributeProto *a = onnx_attr(n, "mode");
    double value = (double)onnx_attr_f(n, "value", 0);
    int rank = onnx_in_rank(n, 0);
    long pads[2 * RANK_MAX];
    size_t k = 0, known = n->opset >= 19 ? PAD_MODES : PAD_WRAP;
    enum calque_status st;

    while (a && k < known && !onnx_attr_is(a, modes[k]))
        k++;
    if (k == known)
        return onnx_fail(n, CALQUE_BAD, "mode must be constant, edge %s", k == PAD_WRAP ? "or reflect" : "reflect or wrap");
    if (rank < 0)
        return CALQUE_NO;
    if (k == PAD_WRAP)
        return onnx_expand_by(n, expand_wrap);
    st = onnx_pads(n, pads);
    if (!st && k == 0)
        st = scalar(n, 2, &value);
    if (!st) {
        onnx_set_is(n, "pads", pads, 2 * (size_t)rank);
        onnx_set_s(n, "mode", modes[k], strlen(modes[k]));
        onnx_set_f(n, "value", k ? 0 : value);
        n->in.n = 1;
    }
    return st;
}

enum calque_status onnx_normal_expand(struct onnx_node *n)
{
    struct onnx_list l;
    enum calque_status st;

    if (onnx_in_rank(n, 0) < 0)
        return CALQUE_NO;
    st = onnx_list_get(n, "shape", 1, &l);
    if (!st && l.n > RANK_MAX)
        st = onnx_fail(n, CALQUE_LIMIT, "the result has more than %d dimensions", RANK_MAX);
    if (!st) {
        onnx_set_is(n, "shape", l.a, l.n);
        n->in.n = 1;
    }
    onnx_list_free(&l);
    return st;
}

/* Before opset 11 an absent bound is the greatest finite number. */
enum calque_status onnx_normal_clip(struct onnx_node *n)
{
    double lo = -(double)INFINITY, hi = (double)INFINITY;
    enum calque_status st;

    if (n->opset < 11) {
        lo = (double)onnx_attr_f(n, "min", -0x1.fffffep+127f);
        hi = (double)onnx_attr_f(n, "max", 0x1.fffffep+127f);
    }
    if ((st = scalar(n, 1, &lo)) || (st = scalar(n, 2, &hi)))
        return st;
    onnx_set_f(n, "min", lo);
    onnx_set_f(n, "max", hi);
    n->in.n = 1;
    return CALQUE_OK;
}

enum calque_status onnx_normal_eye(struct onnx_node *n)
{
    if (onnx_in_rank(n, 0) < 0 || (!onnx_attr(n, "dtype") && onnx_in_dtype(n, 0) == DTYPE_UNKNOWN))
        return CALQUE_NO;
    onnx_set_i(n, "k", onnx_attr_i(n, "k", 0));
    onnx_set_i(n, "dtype", onnx_attr_i(n, "dtype", onnx_in_dtype(n, 0)));
    return CALQUE_OK;
}
