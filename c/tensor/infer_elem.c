/* Type rules of the elementwise operators (arithmetic, comparisons, truth values, the choice by them), sums and
   products. */
#include "tensor/op_internal.h"

#include <string.h>

enum calque_status infer_Opaque(struct infer *x)
{
    x->out.rank = -1;
    return CALQUE_OK;
}

/* The result has the type of input 0. */
static enum calque_status same(struct infer *x)
{
    return infer_same_type(x);
}

enum calque_status infer_Abs(struct infer *x) { return same(x); }
enum calque_status infer_Clip(struct infer *x) { return same(x); }
enum calque_status infer_LeakyRelu(struct infer *x) { return same(x); }

/* The result has the shape that all inputs broadcast to. */
static enum calque_status infer_broadcast(struct infer *x)
{
    char a[SHAPE_TEXT], b[SHAPE_TEXT];

    for (int k = 1; k < x->nin; k++)
        if (!shape_broadcast(&x->out, infer_in(x, k), &x->out))
            return infer_bad(x, "shapes %s and %s (input %d) do not broadcast",
                             shape_text(&x->out, a), shape_text(infer_in(x, k), b), k);
    return CALQUE_OK;
}

static enum calque_status broadcast(struct infer *x)
{
    enum calque_status s = infer_same_type(x);
    return s ? s : infer_broadcast(x);
}

/* The other inputs broadcast to the shape of the first. */
static enum calque_status onto(struct infer *x)
{
    enum calque_status s = broadcast(x);
    char a[SHAPE_TEXT], b[SHAPE_TEXT];

    if (!s && !shape_equal(&x->out, infer_in(x, 0)))
        s = infer_bad(x, "input 1 of shape %s does not broadcast to %s", shape_text(infer_in(x, 1), a), shape_text(infer_in(x, 0), b));
    return s;
}

/* Remainders are those of integers. */
static enum calque_status whole(struct infer *x)
{
    enum calque_status s = broadcast(x);

    if (!s && !dtype_is_int(x->dtype) && !dtype_is_byte(x->dtype))
        s = infer_bad(x, "input 0 has element type %s, expected integers", dtype_name(x->dtype));
    return s;
}

enum calque_status infer_Div(struct infer *x) { return broadcast(x); }

/* ONNX lets the exponent have a type of its own. */
enum calque_status infer_Pow(struct infer *x) { return infer_broadcast(x); }

enum calque_status infer_Cast(struct infer *x)
{
    enum calque_status s;
    long to;

    if ((s = infer_int(x, "to", 1, 64, &to)))
        return s;
    x->dtype = (int)to;
    return CALQUE_OK;
}

static enum calque_status softmax(struct infer *x)
{
    enum calque_status s;
    long flatten;
    int axis;

    if ((s = infer_int(x, "flatten", 0, 1, &flatten)))
        return s;
    if (graph_attr(x->g, x->node, "axis") < 0 && x->out.rank > 0 &&
        (s = infer_put_int(x, "axis", flatten ? (x->out.rank > 1) : x->out.rank - 1)))
        return s;
    return infer_axis(x, "axis", x->out.rank, x->out.rank, &axis);
}

enum calque_status infer_Softmax(struct infer *x) { return softmax(x); }
enum calque_status infer_LogSoftmax(struct infer *x) { return softmax(x); }

enum calque_status infer_LRN(struct infer *x)
{
    long size;

    if (x->out.rank < 2)
        return infer_bad(x, "input 0 has rank %d, expected at least 2", x->out.rank);
    return infer_int(x, "size", 1, ATTR_INT_MAX, &size);
}

enum calque_status infer_BatchNormalization(struct infer *x)
{
    enum calque_status s = infer_same_type(x);

    if (!s && x->out.rank < 1)
        return infer_bad(x, "input 0 is a scalar");
    for (int k = 1; k < 5 && !s; k++) /* a vector is a batch of one channel */
        s = infer_vector(x, k, x->out.rank > 1 ? x->out.dim[1] : 1);
    return s;
}

enum calque_status infer_Gemm(struct infer *x)
{
    enum calque_status s = infer_same_type(x);
    long ta = 0, tb = 0;
    const struct shape *a, *b;
    struct shape both;
    char text[SHAPE_TEXT], want[SHAPE_TEXT];

    if (s || (s = infer_rank(x, 0, 2)) || (s = infer_rank(x, 1, 2)) ||
        (s = infer_int(x, "transA", 0, 1, &ta)) || (s = infer_int(x, "transB", 0, 1, &tb)))
        return s;
    a = infer_in(x, 0);
    b = infer_in(x, 1);
    if (a->dim[!ta] != b->dim[tb])
        return infer_bad(x, "inner dimensions %ld and %ld differ", a->dim[!ta], b->dim[tb]);
    x->out = (struct shape){.rank = 2, .dim = {a->dim[ta], b->dim[!tb]}};
    if (x->nin > 2 && (!shape_broadcast(&x->out, infer_in(x, 2), &both) ||
                       !shape_equal(&both, &x->out)))
        return infer_bad(x, "input 2 of shape %s does not broadcast to %s",
                         shape_text(infer_in(x, 2), text), shape_text(&x->out, want));
    return CALQUE_OK;
}

enum calque_status infer_MatMul(struct infer *x)
{
    enum calque_status s = infer_same_type(x);
    struct shape a = *infer_in(x, 0), b = *infer_in(x, 1), batch;
    bool va = a.rank == 1, vb = b.rank == 1;
    long rows, cols;
    char ta[SHAPE_TEXT], tb[SHAPE_TEXT];

    if (s)
        return s;
    if (a.rank == 0 || b.rank == 0)
        return infer_bad(x, "input %d is a scalar", a.rank ? 1 : 0);
    if (a.dim[a.rank - 1] != b.dim[vb ? 0 : b.rank - 2])
        return infer_bad(x, "inner dimensions %ld and %ld differ", a.dim[a.rank - 1],
                         b.dim[vb ? 0 : b.rank - 2]);
    rows = va ? 1 : a.dim[a.rank - 2];
    cols = vb ? 1 : b.dim[b.rank - 1];
    a.rank = va ? 0 : a.rank - 2;
    b.rank = vb ? 0 : b.rank - 2;
    if (!shape_broadcast(&a, &b, &batch))
        return infer_bad(x, "batch shapes %s and %s do not broadcast", shape_text(&a, ta),
                         shape_text(&b, tb));
    if (!va)
        batch.dim[batch.rank++] = rows;
    if (!vb)
        batch.dim[batch.rank++] = cols;
    x->out = batch;
    return CALQUE_OK;
}

/* full: of no cells there is no result. */
static enum calque_status reduce(struct infer *x, bool full)
{
    bool set[RANK_MAX];
    long all[RANK_MAX], keep;
    struct shape in = x->out;
    enum calque_status s;
    int n;

    if ((s = infer_int(x, "keepdims", 0, 1, &keep)) || (s = infer_axes(x, in.rank, set, &n)))
        return s;
    if (n < 0) {
        for (int i = 0; i < in.rank; i++) {
            all[i] = i;
            set[i] = true;
        }
        if ((s = infer_put(x, "axes", all, in.rank)))
            return s;
    }
    x->out.rank = 0;
    for (int i = 0; i < in.rank; i++)
        if (full && set[i] && in.dim[i] == 0)
            return infer_bad(x, "dimension %d has no cell", i);
    for (int i = 0; i < in.rank; i++)
        if (!set[i] || keep)
            x->out.dim[x->out.rank++] = set[i] ? 1 : in.dim[i];
    return CALQUE_OK;
}

enum calque_status infer_ReduceMean(struct infer *x) { return reduce(x, false); }
enum calque_status infer_ReduceSum(struct infer *x) { return reduce(x, false); }
enum calque_status infer_ReduceMax(struct infer *x) { return reduce(x, true); }

/* ---- comparisons, truth values and the choice by them ---- */

/* The result is bool, in the shape that all inputs broadcast to. */
static enum calque_status truth(struct infer *x)
{
    x->dtype = DTYPE_BOOL;
    return infer_broadcast(x);
}

static enum calque_status compare(struct infer *x)
{
    enum calque_status s = infer_same_type(x);

    return s ? s : truth(x);
}

static enum calque_status is_bool(struct infer *x, int k)
{
    if (infer_type(x, k) == DTYPE_BOOL)
        return CALQUE_OK;
    return infer_bad(x, "input %d has element type %s, expected bool", k, dtype_name(infer_type(x, k)));
}

static enum calque_status logic(struct infer *x)
{
    enum calque_status s = CALQUE_OK;

    for (int k = 0; k < x->nin && !s; k++)
        s = is_bool(x, k);
    return s ? s : truth(x);
}

#define ELEMENTWISE(op, types, formula) enum calque_status infer_##op(struct infer *x) { return types(x); }
#define FLOATS(op, formula) enum calque_status infer_##op(struct infer *x) { return same(x); }
#define FOLD(op, text) enum calque_status infer_##op(struct infer *x) { return broadcast(x); }
#include "tensor/elementwise.def"

enum calque_status infer_Where(struct infer *x)
{
    enum calque_status s = is_bool(x, 0);

    if (s)
        return s;
    if (infer_type(x, 1) != infer_type(x, 2))
        return infer_bad(x, "element types %s and %s of inputs 1 and 2 differ", dtype_name(infer_type(x, 1)),
                         dtype_name(infer_type(x, 2)));
    x->dtype = infer_type(x, 1);
    return infer_broadcast(x);
}

enum calque_status infer_Gelu(struct infer *x)
{
    const char *by = strs_text(x->g->strs, (int)x->g->values->v[graph_attr(x->g, x->node, "approximate")].num);

    if (strcmp(by, "none") != 0 && strcmp(by, "tanh") != 0)
        return infer_bad(x, "attribute approximate is %.40s, expected none or tanh", by);
    return same(x);
}
