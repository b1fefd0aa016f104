/* Operators that move cells, reduce or fill: axes, shapes, pads and bounds become attributes, whether an opset has
   them as attributes or as constant inputs. Inputs that are not constant: CALQUE_NO. */
#include "onnx/onnx_internal.h"

#include <math.h>
#include <string.h>

/* Only the data input stays: the others became attributes. */
static void keep_one(struct onnx_node *n)
{
    n->in.n = 1;
}

/* An operator that does nothing for these attributes. */
static enum calque_status identity(struct onnx_node *n)
{
    n->op = OP_Identity;
    n->nattr = 0;
    keep_one(n);
    return CALQUE_OK;
}

enum calque_status canonical_unsqueeze(struct onnx_node *n)
{
    struct onnx_list l;
    long axes[RANK_MAX];
    size_t k;
    int rank = onnx_in_rank(n, 0);
    enum calque_status st = onnx_list_get(n, "axes", 1, &l);

    if (st)
        return st;
    k = l.n;
    if (rank < 0 || (long)k > RANK_MAX - rank)
        st = rank < 0 ? CALQUE_NO
                      : onnx_fail(n, CALQUE_LIMIT, "the result has more than %d dimensions",
                                  RANK_MAX);
    if (!st)
        st = onnx_axes(n, &l, rank + (int)k, axes);
    onnx_list_free(&l);
    if (st || k == 0)
        return st ? st : identity(n);
    onnx_set_is(n, "axes", axes, k);
    keep_one(n);
    return CALQUE_OK;
}

enum calque_status canonical_squeeze(struct onnx_node *n)
{
    struct onnx_list l;
    const struct shape *x = onnx_in_shape(n, 0);
    long axes[RANK_MAX];
    size_t k = 0;
    enum calque_status st = onnx_list_get(n, "axes", 1, &l);

    if (st)
        return st;
    if (x->rank < 0)
        st = CALQUE_NO;
    else if (l.given)
        st = onnx_axes(n, &l, x->rank, axes);
    k = l.given ? l.n : 0;
    for (int i = 0; !l.given && i < x->rank; i++)
        if (x->dim[i] == 1)
            axes[k++] = i;
    onnx_list_free(&l);
    if (st || k == 0)
        return st ? st : identity(n);
    onnx_set_is(n, "axes", axes, k);
    keep_one(n);
    return CALQUE_OK;
}

enum calque_status canonical_reduce(struct onnx_node *n)
{
    struct onnx_list l;
    int rank = onnx_in_rank(n, 0);
    long axes[RANK_MAX];
    size_t k;
    enum calque_status st = onnx_list_get(n, "axes", 1, &l);

    if (st)
        return st;
    k = l.n;
    if (rank < 0)
        st = CALQUE_NO;
    else
        st = onnx_axes(n, &l, rank, axes);
    onnx_list_free(&l);
    if (st)
        return st;
    if (k == 0 && (rank == 0 || onnx_attr_i(n, "noop_with_empty_axes", 0)))
        return identity(n);
    if (k == 0)
        for (; k < (size_t)rank; k++)
            axes[k] = (long)k;
    onnx_set_is(n, "axes", axes, k);
    onnx_set_i(n, "keepdims", onnx_attr_i(n, "keepdims", 1) != 0);
    keep_one(n);
    return CALQUE_OK;
}

enum calque_status canonical_greatest(struct onnx_node *n)
{
    const struct shape *s = onnx_in_shape(n, 0);

    if (!onnx_computed(onnx_in_dtype(n, 0)) || onnx_in_dtype(n, 0) == DTYPE_BOOL)
        return onnx_no(n, "of %s", dtype_name(onnx_in_dtype(n, 0)));
    return s->rank >= 0 && shape_elems(s) == 0 ? onnx_no(n, "of no element") : canonical_reduce(n);
}

enum calque_status canonical_transpose(struct onnx_node *n)
{
    struct onnx_list l;
    int rank = onnx_in_rank(n, 0);
    long perm[RANK_MAX], sorted[RANK_MAX];
    enum calque_status st = onnx_list_get(n, "perm", -1, &l);

    if (st || rank < 0)
        return st ? st : CALQUE_NO;
    if (rank == 0)
        return identity(n);
    if (l.given && l.n != (size_t)rank)
        return onnx_fail(n, CALQUE_BAD, "perm has %zu elements, the input has rank %d", l.n, rank);
    for (int i = 0; i < rank; i++) {
        perm[i] = l.given ? l.a[i] : rank - 1 - i;
        if (perm[i] < 0)
            return onnx_fail(n, CALQUE_BAD, "perm is not a permutation: element %ld", perm[i]);
    }
    st = l.given ? onnx_axes(n, &l, rank, sorted) : CALQUE_OK;
    if (st)
        return st;
    onnx_set_is(n, "perm", perm, (size_t)rank);
    return CALQUE_OK;
}

/* Resolves 0 (copy) and -1 (the rest) of the target shape in place. */
static enum calque_status resolve_shape(const struct onnx_node *n, long *to, size_t k)
{
    const struct shape *x = onnx_in_shape(n, 0);
    bool copy = !onnx_attr_i(n, "allowzero", 0);
    struct shape s = {(int)k, {0}};
    int rest = -1;
    long elems, known;

    for (size_t i = 0; i < k; i++) {
        if (to[i] == 0 && copy) {
            if (x->rank >= 0 && (int)i >= x->rank)
                return onnx_fail(n, CALQUE_BAD, "shape element %zu copies no input dimension", i);
            if (x->rank < 0)
                return CALQUE_NO;
            to[i] = x->dim[i];
        } else if (to[i] == -1 && rest < 0) {
            rest = (int)i;
        } else if (to[i] < 0) {
            return onnx_fail(n, CALQUE_BAD, "shape element %ld at %zu", to[i], i);
        }
        s.dim[i] = (int)i == rest ? 1 : to[i];
    }
    if (x->rank < 0)
        return rest < 0 ? CALQUE_OK : CALQUE_NO;
    elems = shape_elems(x);
    known = shape_elems(&s);
    if (rest >= 0 && known > 0 && elems % known == 0) {
        to[rest] = elems / known;
        known = elems;
    }
    if (known != elems)
        return onnx_fail(n, CALQUE_BAD, "cannot reshape %ld elements to %s%ld", elems,
                         rest < 0 ? "" : "a multiple of ", known);
    return CALQUE_OK;
}

/* In the internal form too a 0 stands for the input's dimension. Another empty result is made from nothing. */
static enum calque_status empty_result(struct onnx_node *n, const long *to, size_t k)
{
    int dtype = onnx_in_dtype(n, 0);

    if (n->opset < 9 || (dtype != DTYPE_F32 && dtype != DTYPE_I64))
        return CALQUE_NO;
    n->op = OP_ConstantOfShape;
    n->in.n = 0;
    onnx_set_is(n, "shape", to, k);
    onnx_set_f(n, "value", 0.0);
    onnx_set_i(n, "dtype", dtype);
    return CALQUE_OK;
}

enum calque_status canonical_reshape(struct onnx_node *n)
{
    const struct shape *x = onnx_in_shape(n, 0);
    struct onnx_list l;
    long to[RANK_MAX];
    size_t k;
    enum calque_status st = onnx_list_get(n, "shape", 1, &l);

    if (st)
        return st;
    k = l.n;
    if (k > RANK_MAX)
        st = onnx_fail(n, CALQUE_LIMIT, "the result has more than %d dimensions", RANK_MAX);
    else if (k)
        memcpy(to, l.a, k * sizeof *to);
    onnx_list_free(&l);
    if (!st)
        st = resolve_shape(n, to, k);
    if (st)
        return st;
    for (size_t i = 0; i < k; i++)
        if (to[i] == 0 && !((int)i < x->rank && x->dim[i] == 0))
            return empty_result(n, to, k);
    onnx_set_is(n, "shape", to, k);
    keep_one(n);
    return CALQUE_OK;
}

/* numpy's slice of one dimension as (start, step, size). A slice of at most one element has step 1. */
static void slice_dim(long dim, long start, long end, long step, long *out)
{
    long low = step > 0 ? 0 : -1, high = step > 0 ? dim : dim - 1, size;

    start = start < 0 ? start + dim : start;
    start = start < low ? low : start > high ? high : start;
    if (step < 0 && start < 0)
        start = -1;
    end = end < 0 ? end + dim : end;
    end = end < low ? low : end > high ? high : end;
    if (step > 0)
        size = end > start ? (end - start - 1) / step + 1 : 0;
    else /* -(step + 1) cannot overflow */
        size = start > end ? (long)((unsigned long)(start - end - 1) /
                                    ((unsigned long)-(step + 1) + 1)) + 1
                           : 0;
    out[0] = size ? start : 0;
    out[1] = size > 1 ? step : 1;
    out[2] = size;
}

struct slice {
    struct onnx_list starts, ends, axes, steps;
};

static enum calque_status slice_set(struct onnx_node *n, const struct slice *s)
{
    const struct shape *x = onnx_in_shape(n, 0);
    long start[RANK_MAX], step[RANK_MAX], size[RANK_MAX], one[3], sorted[RANK_MAX];
    enum calque_status st = onnx_axes(n, &s->axes, x->rank, sorted);

    if (st)
        return st;
    if (s->ends.n != s->starts.n || (s->axes.given && s->axes.n != s->starts.n) ||
        (s->steps.given && s->steps.n != s->starts.n) || s->starts.n > (size_t)x->rank)
        return onnx_fail(n, CALQUE_BAD, "starts, ends, axes and steps have different lengths");
    for (int i = 0; i < x->rank; i++) {
        start[i] = 0;
        step[i] = 1;
        size[i] = x->dim[i];
    }
    for (size_t i = 0; i < s->starts.n; i++) {
        long axis = s->axes.given ? s->axes.a[i] : (long)i, by = s->steps.given ? s->steps.a[i] : 1;
        if (axis < 0)
            axis += x->rank;
        if (by == 0)
            return onnx_fail(n, CALQUE_BAD, "step 0 along axis %ld", axis);
        slice_dim(x->dim[axis], s->starts.a[i], s->ends.a[i], by, one);
        start[axis] = one[0];
        step[axis] = one[1];
        size[axis] = one[2];
    }
    onnx_set_is(n, "starts", start, (size_t)x->rank);
    onnx_set_is(n, "steps", step, (size_t)x->rank);
    onnx_set_is(n, "sizes", size, (size_t)x->rank);
    keep_one(n);
    return CALQUE_OK;
}

enum calque_status canonical_slice(struct onnx_node *n)
{
    struct slice s = {0};
    enum calque_status st;

    if (onnx_in_rank(n, 0) < 0)
        return CALQUE_NO;
    if (onnx_in_rank(n, 0) == 0)
        return onnx_fail(n, CALQUE_BAD, "a scalar cannot be sliced");
    st = onnx_list_get(n, "starts", 1, &s.starts);
    if (!st)
        st = onnx_list_get(n, "ends", 2, &s.ends);
    if (!st)
        st = onnx_list_get(n, "axes", 3, &s.axes);
    if (!st)
        st = onnx_list_get(n, "steps", 4, &s.steps);
    if (!st)
        st = slice_set(n, &s);
    onnx_list_free(&s.starts);
    onnx_list_free(&s.ends);
    onnx_list_free(&s.axes);
    onnx_list_free(&s.steps);
    return st;
}

/* Sizes without a list: num_outputs (opset 18) gives equal parts of which the last may be smaller, else all are equal. */
static enum calque_status equal_sizes(const struct onnx_node *n, long dim, long *size, long parts)
{
    long count = onnx_attr_i(n, "num_outputs", parts), part = dim / parts + (dim % parts != 0);

    if (count != parts)
        return onnx_fail(n, CALQUE_BAD, "num_outputs is %ld, but there are %ld outputs", count, parts);
    if (onnx_attr(n, "num_outputs") ? dim - part * (parts - 1) < 0 : dim % parts != 0)
        return onnx_fail(n, CALQUE_BAD, "%ld cannot be split into %ld %sparts", dim, parts,
                         onnx_attr(n, "num_outputs") ? "" : "equal ");
    for (long i = 0; i < parts; i++)
        size[i] = i < parts - 1 ? part : dim - part * (parts - 1);
    return CALQUE_OK;
}

static enum calque_status given_sizes(const struct onnx_node *n, const struct onnx_list *l, long dim, long *size,
                                      size_t parts)
{
    long total = 0;

    if (onnx_attr(n, "num_outputs"))
        return onnx_fail(n, CALQUE_BAD, "has both sizes and num_outputs");
    if (l->n != parts)
        return onnx_fail(n, CALQUE_BAD, "split has %zu sizes for %zu outputs", l->n, parts);
    for (size_t i = 0; i < parts; i++) {
        if (l->a[i] < 0 || l->a[i] > dim - total)
            return onnx_fail(n, CALQUE_BAD, "split size %ld does not fit into %ld", l->a[i], dim);
        total += size[i] = l->a[i];
    }
    if (total != dim)
        return onnx_fail(n, CALQUE_BAD, "the split sizes add up to %ld, not %ld", total, dim);
    return CALQUE_OK;
}

/* Parts along axis. */
static enum calque_status split_sizes(struct onnx_node *n, const struct onnx_list *l, long dim)
{
    size_t parts = (size_t)n->nout;
    long *size;
    enum calque_status st;

    if (parts > VALUE_LEN_MAX)
        return onnx_fail(n, CALQUE_LIMIT, "more than %d outputs", VALUE_LEN_MAX);
    size = mem_resize(n->r->g->mem, NULL, parts, sizeof *size);
    if (!size)
        return diag_nomem(n->r->f.diag);
    st = l->given ? given_sizes(n, l, dim, size, parts) : equal_sizes(n, dim, size, (long)parts);
    if (!st)
        onnx_set_is(n, "split", size, parts);
    mem_free(size);
    return st;
}

enum calque_status canonical_split(struct onnx_node *n)
{
    const struct shape *x = onnx_in_shape(n, 0);
    struct onnx_list l;
    long axis;
    enum calque_status st;

    if (x->rank < 0)
        return CALQUE_NO;
    st = onnx_axis(n, onnx_attr_i(n, "axis", 0), x->rank, 0, &axis);
    if (st)
        return st;
    st = onnx_list_get(n, "split", 1, &l);
    if (!st)
        st = split_sizes(n, &l, x->dim[axis]);
    onnx_list_free(&l);
    if (st)
        return st;
    if (n->nout == 1)
        return identity(n);
    onnx_set_i(n, "axis", axis);
    keep_one(n);
    return CALQUE_OK;
}

enum calque_status canonical_shape(struct onnx_node *n)
{
    int rank = onnx_in_rank(n, 0);
    long bound[2] = {onnx_attr_i(n, "start", 0), onnx_attr_i(n, "end", rank)};

    if (rank < 0)
        return CALQUE_NO;
    for (int i = 0; i < 2; i++) {
        if (bound[i] < 0)
            bound[i] += rank;
        bound[i] = bound[i] < 0 ? 0 : bound[i] > rank ? rank : bound[i];
    }
    if (bound[1] < bound[0])
        bound[1] = bound[0];
    onnx_set_i(n, "start", bound[0]);
    onnx_set_i(n, "end", bound[1]);
    return CALQUE_OK;
}

/* Operators whose fill values, bounds and shapes newer opsets take from constant inputs. */

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
    else if (t.dtype == DTYPE_I8)
        *out = *(const int8_t *)t.data;
    else if (t.dtype == DTYPE_U8)
        *out = *(const uint8_t *)t.data;
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

enum calque_status canonical_pad(struct onnx_node *n)
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

enum calque_status canonical_expand(struct onnx_node *n)
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
enum calque_status canonical_clip(struct onnx_node *n)
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

enum calque_status canonical_eye(struct onnx_node *n)
{
    if (onnx_in_rank(n, 0) < 0 || (!onnx_attr(n, "dtype") && onnx_in_dtype(n, 0) == DTYPE_UNKNOWN))
        return CALQUE_NO;
    onnx_set_i(n, "k", onnx_attr_i(n, "k", 0));
    onnx_set_i(n, "dtype", onnx_attr_i(n, "dtype", onnx_in_dtype(n, 0)));
    return CALQUE_OK;
}
