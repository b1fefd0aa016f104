/* One ONNX operator to the internal form of tensor/ops.def: which function does it, elementwise operators,
   normalisations and the operators of the domain "calque". Invariant: CALQUE_NO leaves the node opaque; what is built
   means what ONNX says at the model's opset. */
#include "onnx/onnx_internal.h"

#include <string.h>

#define EXACT ((long)1 << 53) /* integers up to here are doubles */

enum calque_status canonical_softmax(struct onnx_node *n)
{
    const struct shape *x = onnx_in_shape(n, 0);
    long axis, wide = -1;
    int several = 0;
    enum calque_status st;

    if (x->rank < 0)
        return CALQUE_NO;
    axis = onnx_attr_i(n, "axis", n->opset < 13 ? 1 : -1);
    if (n->opset < 13 && (axis == x->rank || x->rank == 0))
        return onnx_no(n, "over no axis"); /* flattened to one column */
    st = onnx_axis(n, axis, x->rank, 0, &axis);
    if (st)
        return st;
    /* Before opset 13 the dimensions from axis on are one; with at most one of them not of size 1 that is
       the same as along that one. */
    for (int i = (int)axis; n->opset < 13 && i < x->rank; i++)
        if (x->dim[i] != 1) {
            several++;
            wide = i;
        }
    onnx_set_i(n, "axis", several == 1 ? wide : axis);
    onnx_set_i(n, "flatten", several > 1);
    return CALQUE_OK;
}

static enum calque_status axis_of(struct onnx_node *n, int beyond, long otherwise)
{
    long axis = onnx_attr_i(n, "axis", otherwise);
    enum calque_status st;

    if (onnx_in_rank(n, 0) < 0)
        return CALQUE_NO;
    st = onnx_axis(n, axis, onnx_in_rank(n, 0), beyond, &axis);
    if (!st)
        onnx_set_i(n, "axis", axis);
    return st;
}

/* A scalar of one element of type f32 or bool from a constant input. */
static enum calque_status scalar_input(const struct onnx_node *n, int k, int dtype, float *out)
{
    struct tensor t;
    enum calque_status st = onnx_const_input(n, k, &t);

    if (st)
        return st;
    if (t.dtype != dtype || shape_elems(&t.shape) != 1)
        st = CALQUE_NO;
    else if (dtype == DTYPE_F32)
        *out = *tensor_f32(&t);
    else
        *out = *(unsigned char *)t.data != 0;
    tensor_free(&t);
    return st;
}

/* From opset 12 on the mask of inference is all true: a constant. */
static enum calque_status dropout_mask(struct onnx_node *n)
{
    struct graph *g = n->r->g;
    const struct shape *x = onnx_in_shape(n, 0);
    struct tensor t;
    enum calque_status st;
    int id, name;

    if (n->opset < 12 || x->rank < 0 || (size_t)shape_elems(x) > ONNX_CONST_BUDGET)
        return CALQUE_NO;
    st = tensor_new(g->mem, ONNX__TENSOR_PROTO__DATA_TYPE__BOOL, x, &t, n->r->f.diag);
    if (st)
        return st;
    if (t.bytes)
        memset(t.data, 1, t.bytes);
    name = strs_addz(g->strs, n->p->output[1]);
    id = name < 0 ? -1 : graph_const(g, name, &t);
    if (id < 0) {
        tensor_free(&t);
        return diag_nomem(n->r->f.diag);
    }
    n->nout = 1;
    return onnx_define(n->r, n->p->output[1], id);
}

enum calque_status canonical_dropout(struct onnx_node *n)
{
    float ratio = onnx_attr_f(n, "ratio", 0.5f), training = 0;
    enum calque_status st = CALQUE_OK;

    if (n->opset < 7 && !onnx_attr_i(n, "is_test", 0))
        return onnx_no(n, "in training mode");
    if (n->in.n > 1 && n->in.a[1] >= 0)
        st = scalar_input(n, 1, DTYPE_F32, &ratio);
    if (!st && n->in.n > 2 && n->in.a[2] >= 0)
        st = scalar_input(n, 2, ONNX__TENSOR_PROTO__DATA_TYPE__BOOL, &training);
    if (!st && training != 0.0f && ratio != 0.0f)
        st = onnx_no(n, "in training mode");
    if (!st && n->nout > 1)
        st = dropout_mask(n);
    if (st)
        return st;
    onnx_set_f(n, "ratio", (double)ratio);
    n->in.n = 1;
    return CALQUE_OK;
}

enum calque_status canonical_batch(struct onnx_node *n)
{
    /* More than one output is how opsets before 14 ask for training. */
    if (n->nout > 1 || onnx_attr_i(n, "training_mode", 0) || !onnx_attr_i(n, "spatial", 1) ||
        (n->opset < 7 && !onnx_attr_i(n, "is_test", 0)))
        return onnx_no(n, "in training mode");
    onnx_set_f(n, "epsilon", (double)onnx_attr_f(n, "epsilon", 1e-5f));
    return CALQUE_OK;
}

enum calque_status canonical_gemm(struct onnx_node *n)
{
    onnx_set_f(n, "alpha", (double)onnx_attr_f(n, "alpha", 1.0f));
    onnx_set_f(n, "beta", (double)onnx_attr_f(n, "beta", 1.0f));
    onnx_set_i(n, "transA", onnx_attr_i(n, "transA", 0) != 0);
    onnx_set_i(n, "transB", onnx_attr_i(n, "transB", 0) != 0);
    return CALQUE_OK;
}

enum calque_status canonical_lrn(struct onnx_node *n)
{
    onnx_set_f(n, "alpha", (double)onnx_attr_f(n, "alpha", 0.0001f));
    onnx_set_f(n, "beta", (double)onnx_attr_f(n, "beta", 0.75f));
    onnx_set_f(n, "bias", (double)onnx_attr_f(n, "bias", 1.0f));
    onnx_set_i(n, "size", onnx_attr_i(n, "size", 1));
    return CALQUE_OK;
}

/* The tensor of this shape filled with the one element of t: for what the operator's attribute cannot hold. */
static enum calque_status filled(struct onnx_node *n, const struct shape *s, const struct tensor *t)
{
    long elems = shape_elems(s);
    enum calque_status st;

    if (elems < 0 || (size_t)elems > ONNX_CONST_BUDGET / t->bytes)
        return CALQUE_NO;
    st = tensor_new(n->r->f.mem, t->dtype, s, &n->value, n->r->f.diag);
    for (long i = 0; !st && i < elems; i++)
        memcpy((char *)n->value.data + (size_t)i * t->bytes, t->data, t->bytes);
    n->is_const = !st;
    return st;
}

static enum calque_status fill(struct onnx_node *n, const struct shape *s, const struct tensor *t)
{
    double x;

    if (shape_elems(&t->shape) != 1)
        return onnx_fail(n, CALQUE_BAD, "attribute 'value' must have one element");
    if (t->dtype == DTYPE_F32)
        x = (double)*tensor_f32(t);
    else if (t->dtype == DTYPE_I64 && *tensor_i64(t) >= -EXACT && *tensor_i64(t) <= EXACT)
        x = (double)*tensor_i64(t);
    else if (t->dtype == DTYPE_BOOL)
        x = *(const unsigned char *)t->data != 0;
    else
        return filled(n, s, t);
    onnx_set_is(n, "shape", s->dim, (size_t)s->rank);
    onnx_set_f(n, "value", x);
    onnx_set_i(n, "dtype", t->dtype);
    n->in.n = 0;
    return CALQUE_OK;
}

enum calque_status canonical_constant_of_shape(struct onnx_node *n)
{
    const Onnx__AttributeProto *a = onnx_attr(n, "value");
    float zero = 0;
    struct tensor t = {DTYPE_F32, {1, {1}}, sizeof zero, &zero};
    struct shape s = {0, {0}};
    struct onnx_list l;
    enum calque_status st = onnx_list_get(n, "shape", 0, &l);

    if (!st && l.n > RANK_MAX)
        st = onnx_fail(n, CALQUE_LIMIT, "the result has more than %d dimensions", RANK_MAX);
    for (size_t i = 0; !st && i < l.n; i++) {
        s.dim[s.rank++] = l.a[i];
        if (l.a[i] < 0)
            st = onnx_fail(n, CALQUE_BAD, "dimension %zu is negative (%ld)", i, l.a[i]);
    }
    onnx_list_free(&l);
    if (!st && a) /* the file keeps its own copy: the node may still become opaque */
        st = onnx_tensor_take(&n->r->f, a->t, &t);
    if (!st)
        st = fill(n, &s, &t);
    if (t.data != &zero)
        tensor_free(&t);
    return st;
}

/* The element types kernels load and store: conversion to or from another is opaque. */
bool onnx_computed(long dtype)
{
    return dtype == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT ||
           dtype == ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE ||
           dtype == ONNX__TENSOR_PROTO__DATA_TYPE__INT32 ||
           dtype == ONNX__TENSOR_PROTO__DATA_TYPE__INT64 ||
           dtype == ONNX__TENSOR_PROTO__DATA_TYPE__INT8 ||
           dtype == ONNX__TENSOR_PROTO__DATA_TYPE__UINT8 ||
           dtype == ONNX__TENSOR_PROTO__DATA_TYPE__BOOL;
}

enum calque_status canonical_cast(struct onnx_node *n)
{
    long to = onnx_attr_i(n, "to", 0);

    if (!onnx_computed(to) || !onnx_computed(onnx_in_dtype(n, 0)))
        return onnx_no(n, "from %s to %s", dtype_name(onnx_in_dtype(n, 0)), dtype_name((int)to));
    onnx_set_i(n, "to", to);
    return CALQUE_OK;
}

/* Opset 6: input 1 is lined up with input 0 from `axis` on (or at the end); numpy lines up the ends, so
   size-1 dimensions are appended. */
enum calque_status canonical_binary(struct onnx_node *n)
{
    int a = onnx_in_rank(n, 0), b = onnx_in_rank(n, 1);
    long axes[RANK_MAX], axis, k = 0;
    enum calque_status st;

    if (n->opset >= 7 || !onnx_attr_i(n, "broadcast", 0) || !onnx_attr(n, "axis"))
        return CALQUE_OK;
    if (a < 0 || b < 0)
        return CALQUE_NO;
    st = onnx_axis(n, onnx_attr_i(n, "axis", 0), a, 1, &axis);
    if (st)
        return st;
    if (axis + b > a)
        return onnx_fail(n, CALQUE_BAD, "input 1 of rank %d does not fit input 0 from axis %ld", b,
                         axis);
    for (; k < a - axis - b; k++)
        axes[k] = b + k;
    return k ? onnx_insert_unsqueeze(n, 1, axes, (size_t)k) : CALQUE_OK;
}

enum calque_status canonical_join(struct onnx_node *n) { return axis_of(n, 0, 0); }
enum calque_status canonical_flatten(struct onnx_node *n) { return axis_of(n, 1, 1); }

enum calque_status canonical_leaky(struct onnx_node *n)
{
    onnx_set_f(n, "alpha", (double)onnx_attr_f(n, "alpha", 0.01f));
    return CALQUE_OK;
}

/* The slopes broadcast from opset 7 on. */
enum calque_status canonical_prelu(struct onnx_node *n)
{
    return n->opset < 7 ? onnx_expand_by(n, expand_slopes) : CALQUE_OK;
}

/* ---- normalisations, and the operators of the domain "calque" ---- */

enum calque_status canonical_epsilon(struct onnx_node *n)
{
    onnx_set_f(n, "epsilon", (double)onnx_attr_f(n, "epsilon", 1e-5f));
    return CALQUE_OK;
}

enum calque_status canonical_lp(struct onnx_node *n)
{
    long axis = 0;
    enum calque_status st;

    if (onnx_in_rank(n, 0) < 0)
        return CALQUE_NO;
    st = onnx_axis(n, onnx_attr_i(n, "axis", -1), onnx_in_rank(n, 0), 0, &axis);
    onnx_set_i(n, "axis", axis);
    onnx_set_i(n, "p", onnx_attr_i(n, "p", 2));
    return st;
}

/* A typed node without a name; -1 with *st set on failure. */
static int make(const struct onnx_node *n, int op, int a, int b, const struct node_attr *attr, int nattr,
                enum calque_status *st)
{
    struct graph *g = n->r->g;
    int in[2] = {a, b}, id = -1;

    if (!*st && (id = graph_op(g, op, -1, in, b < 0 ? 1 : 2, attr, nattr, 1)) < 0)
        *st = diag_nomem(n->r->f.diag);
    if (!*st)
        *st = op_infer(g, id, n->r->f.diag);
    return *st ? -1 : id;
}

static enum calque_status name_output(const struct onnx_node *n, int k, int id)
{
    struct graph *g = n->r->g;
    const char *name = n->p->output[k];
    int str;

    if (!name[0])
        return CALQUE_OK;
    if ((str = strs_addz(g->strs, name)) < 0)
        return diag_nomem(n->r->f.diag);
    g->node.a[id].name = str;
    return onnx_define(n->r, name, id);
}

/* The outputs Mean and InvStdDev as operators of their own: 1 / sqrt(mean (X - Mean)^2 + epsilon). */
static enum calque_status statistics(struct onnx_node *n, long axis)
{
    struct graph *g = n->r->g;
    long axes[RANK_MAX];
    int rank = onnx_in_rank(n, 0), count = 0, x = n->in.a[0], mean, id = -1, eps = -1;
    float epsilon = onnx_attr_f(n, "epsilon", 1e-5f);
    struct shape scalar = {0, {0}};
    struct tensor t;
    struct node_attr attr[2];
    enum calque_status st;

    for (long i = axis; i < rank; i++)
        axes[count++] = i;
    attr[0] = (struct node_attr){strs_addz(g->strs, "axes"), value_ints(g->values, axes, count)};
    attr[1] = (struct node_attr){strs_addz(g->strs, "keepdims"), value_int(g->values, 1)};
    st = attr[0].label < 0 || attr[0].value < 0 || attr[1].label < 0 || attr[1].value < 0 ? diag_nomem(n->r->f.diag)
         : tensor_new(g->mem, DTYPE_F32, &scalar, &t, n->r->f.diag);
    if (!st) {
        *tensor_f32(&t) = epsilon;
        if ((eps = graph_const(g, -1, &t)) < 0) {
            tensor_free(&t);
            st = diag_nomem(n->r->f.diag);
        }
    }
    mean = make(n, OP_ReduceMean, x, -1, attr, 2, &st);
    if (!st && n->nout > 2) {
        id = make(n, OP_Sub, x, mean, NULL, 0, &st);
        id = make(n, OP_Mul, id, id, NULL, 0, &st);
        id = make(n, OP_ReduceMean, id, -1, attr, 2, &st);
        id = make(n, OP_Add, id, eps, NULL, 0, &st);
        id = make(n, OP_Sqrt, id, -1, NULL, 0, &st);
        id = make(n, OP_Reciprocal, id, -1, NULL, 0, &st);
        if (!st)
            st = name_output(n, 2, id);
    }
    return st ? st : name_output(n, 1, mean);
}

enum calque_status canonical_layer(struct onnx_node *n)
{
    long axis = 0;
    int type;
    enum calque_status st;

    for (int k = 0; k < n->in.n; k++)
        if (onnx_in_rank(n, k) < 0 || onnx_in_dtype(n, k) == DTYPE_UNKNOWN)
            return CALQUE_NO;
    type = onnx_in_dtype(n, 0);
    if (onnx_attr_i(n, "stash_type", ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT) !=
            (type == DTYPE_F64 ? ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE : ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT) ||
        (n->nout > 1 && type != DTYPE_F32))
        return CALQUE_NO; /* the mean and the deviation of another type than the input's */
    st = onnx_axis(n, onnx_attr_i(n, "axis", -1), onnx_in_rank(n, 0), 0, &axis);
    if (!st && n->nout > 1)
        st = statistics(n, axis);
    if (st)
        return st;
    n->nout = 1;
    onnx_set_i(n, "axis", axis);
    return canonical_epsilon(n);
}

/* The root's type as the input's. */
enum calque_status canonical_rms(struct onnx_node *n)
{
    int type = onnx_in_dtype(n, 0);
    long axis;
    enum calque_status st;

    if (onnx_in_rank(n, 0) < 0)
        return CALQUE_NO;
    if (onnx_attr_i(n, "stash_type", ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT) !=
        (type == DTYPE_F64 ? ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE : ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT))
        return onnx_no(n, "with a root of another type than the input's");
    st = onnx_axis(n, onnx_attr_i(n, "axis", -1), onnx_in_rank(n, 0), 0, &axis);
    if (st)
        return st;
    onnx_set_i(n, "axis", axis);
    return canonical_epsilon(n);
}

/* fmod 1: of the dividend's sign; of floats it is no operator here. */
enum calque_status canonical_mod(struct onnx_node *n)
{
    int type = onnx_in_dtype(n, 0);

    if (type != DTYPE_I32 && type != DTYPE_I64 && !dtype_is_byte(type))
        return onnx_no(n, "of %s", dtype_name(type));
    return onnx_attr_i(n, "fmod", 0) ? onnx_expand_by(n, expand_fmod) : CALQUE_OK;
}

/* Attributes as they are. */
enum calque_status canonical_given(struct onnx_node *n)
{
    for (int k = 0; k < n->in.n; k++)
        if (onnx_in_rank(n, k) < 0 || onnx_in_dtype(n, k) == DTYPE_UNKNOWN)
            return CALQUE_NO;
    for (size_t i = 0; i < n->p->n_attribute; i++) {
        const Onnx__AttributeProto *a = n->p->attribute[i];
        switch (onnx_attr_type(a)) {
        case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT:
            onnx_set_i(n, a->name, a->i);
            break;
        case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT:
            onnx_set_f(n, a->name, (double)a->f);
            break;
        case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING:
            onnx_set_s(n, a->name, (const char *)a->s.data, a->s.len);
            break;
        default:
            onnx_set_is(n, a->name, a->ints, a->n_ints);
        }
    }
    return CALQUE_OK;
}

static enum calque_status (*const readers[OP_COUNT])(struct onnx_node *) = {
#define ONNX_CANONICAL(op, function) [OP_##op] = canonical_##function,
#include "onnx/forms.def"
};

enum calque_status onnx_canonicalize(struct onnx_node *n)
{
    if (n->op >= OP_COUNT)
        return onnx_expand(n);
    if (op_info(n->op)->traits & OP_CALQUE)
        return canonical_given(n);
    return readers[n->op] ? readers[n->op](n) : CALQUE_OK;
}

/* Convolution and pooling: auto_pad and defaults resolved, so that the attributes say the whole window. */

#define WINDOW_MAX ((long)1 << 31) /* keeps the arithmetic below far from overflow */

static enum calque_status read_list(const struct onnx_node *n, const char *label, size_t want,
                                    long least, long *out)
{
    struct onnx_list l;
    enum calque_status st = onnx_list_get(n, label, -1, &l);

    if (st || !l.given)
        return st;
    if (l.n != want)
        return onnx_fail(n, CALQUE_BAD, "attribute '%s' must have %zu elements, has %zu", label,
                         want, l.n);
    for (size_t i = 0; i < want; i++) {
        if (l.a[i] < least || l.a[i] > WINDOW_MAX)
            return onnx_fail(n, CALQUE_BAD, "attribute '%s': %ld is out of range", label, l.a[i]);
        out[i] = l.a[i];
    }
    return CALQUE_OK;
}

/* auto_pad SAME_*: output = ceil(input / stride); the odd cell of padding goes to the end for
   SAME_UPPER, to the beginning for SAME_LOWER. */
static enum calque_status resolve_pads(const struct onnx_node *n, struct onnx_window *w)
{
    const Onnx__AttributeProto *a = onnx_attr(n, "auto_pad");
    const struct shape *x = onnx_in_shape(n, 0);
    bool upper;

    if (!a || onnx_attr_is(a, "NOTSET") || a->s.len == 0)
        return read_list(n, "pads", 2 * (size_t)w->n, 0, w->pad);
    w->fixed_pads = true;
    upper = onnx_attr_is(a, "SAME_UPPER");
    if (onnx_attr_is(a, "VALID"))
        return CALQUE_OK;
    if (!upper && !onnx_attr_is(a, "SAME_LOWER"))
        return onnx_fail(n, CALQUE_BAD, "auto_pad must be NOTSET, SAME_UPPER, SAME_LOWER or VALID");
    for (int i = 0; i < w->n; i++) {
        long in = x->dim[2 + i], extent = (w->kernel[i] - 1) * w->dilation[i] + 1;
        long out = in / w->stride[i] + (in % w->stride[i] != 0);
        long total = (out - 1) * w->stride[i] + extent - in;
        if (total < 0)
            total = 0;
        w->pad[i] = upper ? total / 2 : total - total / 2;
        w->pad[i + w->n] = total - w->pad[i];
    }
    return CALQUE_OK;
}

enum calque_status onnx_window_read(const struct onnx_node *n, struct onnx_window *w)
{
    size_t k;
    enum calque_status st;

    for (int i = 0; i < RANK_MAX; i++)
        w->stride[i] = w->dilation[i] = 1;
    if (onnx_in_rank(n, 0) < 2)
        return onnx_in_rank(n, 0) < 0 ? onnx_no(n, "with an input 0 of unknown shape")
                                      : onnx_fail(n, CALQUE_BAD, "input 0 has rank %d, not 3 or more",
                                                  onnx_in_rank(n, 0));
    w->n = onnx_in_rank(n, 0) - 2;
    k = (size_t)w->n;
    st = read_list(n, "kernel_shape", k, 1, w->kernel);
    if (!st)
        st = read_list(n, "strides", k, 1, w->stride);
    if (!st)
        st = read_list(n, "dilations", k, 1, w->dilation);
    return st ? st : resolve_pads(n, w);
}

static void set_window(struct onnx_node *n, const struct onnx_window *w, bool dilations)
{
    onnx_set_is(n, "kernel_shape", w->kernel, (size_t)w->n);
    onnx_set_is(n, "strides", w->stride, (size_t)w->n);
    onnx_set_is(n, "pads", w->pad, 2 * (size_t)w->n);
    if (dilations)
        onnx_set_is(n, "dilations", w->dilation, (size_t)w->n);
}

enum calque_status canonical_conv(struct onnx_node *n)
{
    struct onnx_window w = {0};
    const struct shape *f = onnx_in_shape(n, 1);
    enum calque_status st;

    if (f->rank < 0 || onnx_in_rank(n, 0) < 0)
        return onnx_no(n, "with an input %d of unknown shape", f->rank < 0);
    if (f->rank != onnx_in_rank(n, 0))
        return onnx_fail(n, CALQUE_BAD, "input 0 has rank %d, the weights rank %d",
                         onnx_in_rank(n, 0), f->rank);
    for (int i = 2; i < f->rank; i++)
        w.kernel[i - 2] = f->dim[i];
    st = onnx_window_read(n, &w);
    if (st)
        return st;
    set_window(n, &w, true);
    onnx_set_i(n, "group", onnx_attr_i(n, "group", 1));
    return CALQUE_OK;
}

enum calque_status canonical_pool(struct onnx_node *n)
{
    struct onnx_window w = {0};
    enum calque_status st;

    if (n->nout > 1)
        return onnx_no(n, "with an Indices output");
    st = onnx_window_read(n, &w);
    if (st)
        return st;
    for (int i = 0; n->op == OP_AveragePool && i < w.n; i++)
        if (w.dilation[i] != 1) /* the internal form has none */
            return onnx_expand_by(n, expand_average);
    set_window(n, &w, n->op == OP_MaxPool);
    onnx_set_i(n, "ceil_mode", !w.fixed_pads && onnx_attr_i(n, "ceil_mode", 0) != 0);
    if (n->op == OP_AveragePool)
        onnx_set_i(n, "count_include_pad", onnx_attr_i(n, "count_include_pad", 0) != 0);
    return CALQUE_OK;
}
