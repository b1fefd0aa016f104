/* Operators whose fill values, bounds and shapes newer opsets take from constant inputs. */
#include "graph/onnx_impl.h"

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
    else
        st = CALQUE_NO;
    if (!st && t.dtype == DTYPE_F64 ? (double)(float)*out != *out
                                    : !st && t.dtype != DTYPE_F32 && fabs(*out) > EXACT)
        st = CALQUE_NO;
    tensor_free(&t);
    return st;
}

static bool is_text(const Onnx__AttributeProto *a, const char *s)
{
    return a->s.len == strlen(s) && memcmp(a->s.data, s, a->s.len) == 0;
}

enum calque_status onnx_normal_pad(struct onnx_node *n)
{
    static const char *const modes[] = {"constant", "edge", "reflect"};
    const Onnx__AttributeProto *a = onnx_attr(n, "mode");
    double value = (double)onnx_attr_f(n, "value", 0);
    struct onnx_list l;
    size_t k = 0;
    enum calque_status st;

    while (a && k < 3 && !is_text(a, modes[k]))
        k++;
    if (k == 3)
        return onnx_fail(n, CALQUE_BAD, "mode must be constant, edge or reflect");
    if (onnx_in_rank(n, 0) < 0)
        return CALQUE_NO;
    st = onnx_list_get(n, "pads", 1, &l);
    if (!st && l.n != 2 * (size_t)onnx_in_rank(n, 0))
        st = onnx_fail(n, CALQUE_BAD, "pads has %zu elements, the input rank %d", l.n, onnx_in_rank(n, 0));
    if (!st && k == 0)
        st = scalar(n, 2, &value);
    if (!st) {
        onnx_set_is(n, "pads", l.a, l.n);
        onnx_set_s(n, "mode", modes[k], strlen(modes[k]));
        onnx_set_f(n, "value", k ? 0 : value);
        n->in.n = 1;
    }
    onnx_list_free(&l);
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
