/* Building the operators that stand for one of ONNX. Invariant: nodes are typed as they are added; the first failure
   stays. */
#include "onnx/onnx_internal.h"

#include <string.h>

void make_init(struct onnx_build *b, struct onnx_node *n)
{
    b->n = n;
    b->first = n->r->g->node.n;
    b->st = CALQUE_OK;
    for (int k = 0; k < MAKE_OUTPUTS; k++)
        b->output[k] = -1;
}

void make_no(struct onnx_build *b)
{
    if (!b->st)
        b->st = CALQUE_NO;
}

static int nomem(struct onnx_build *b)
{
    if (!b->st)
        b->st = diag_nomem(b->n->r->f.diag);
    return -1;
}

struct shape make_shape(const struct onnx_build *b, int x)
{
    struct shape none = {-1, {0}};

    return b->st || x < 0 ? none : b->n->r->g->node.a[x].shape;
}

int make_dtype(const struct onnx_build *b, int x)
{
    return b->st || x < 0 ? DTYPE_UNKNOWN : b->n->r->g->node.a[x].dtype;
}

static struct node_attr attr_of(struct onnx_build *b, const char *label, int value)
{
    struct node_attr a = {strs_addz(b->n->r->g->strs, label), value};

    if (a.label < 0 || a.value < 0)
        nomem(b);
    return a;
}

struct node_attr make_i(struct onnx_build *b, const char *label, long x)
{
    return attr_of(b, label, value_int(b->n->r->g->values, x));
}

struct node_attr make_f(struct onnx_build *b, const char *label, double x)
{
    return attr_of(b, label, value_float(b->n->r->g->values, x));
}

struct node_attr make_is(struct onnx_build *b, const char *label, const long *x, int n)
{
    return attr_of(b, label, value_ints(b->n->r->g->values, x, n));
}

/* The types of a node follow from its inputs'. An error of inference is one of the operator that is built. */
static int typed(struct onnx_build *b, int id)
{
    struct onnx_reader *r = b->n->r;
    struct diag d = {0};

    if (id < 0)
        return nomem(b);
    b->st = op_infer(r->g, id, &d);
    if (b->st == CALQUE_NOMEM)
        diag_nomem(r->f.diag);
    else if (b->st)
        onnx_fail(b->n, b->st, "%s", d.text);
    return b->st ? -1 : id;
}

static int add(struct onnx_build *b, int op, const int *in, int nin, const struct node_attr *attr, int nattr, int nout)
{
    if (!b->st && !onnx_form_find(op, b->n->opset))
        b->st = CALQUE_NO;
    if (b->st)
        return -1;
    return typed(b, graph_op(b->n->r->g, op, -1, in, nin, attr, nattr, nout));
}

int make_op(struct onnx_build *b, int op, const int *in, int nin, const struct node_attr *attr, int nattr)
{
    return add(b, op, in, nin, attr, nattr, 1);
}

int make_unary(struct onnx_build *b, int op, int x)
{
    return make_op(b, op, &x, 1, NULL, 0);
}

int make_binary(struct onnx_build *b, int op, int x, int y)
{
    int in[2] = {x, y};

    return make_op(b, op, in, 2, NULL, 0);
}

int make_const(struct onnx_build *b, struct tensor *t)
{
    int id = b->st ? -1 : graph_const(b->n->r->g, -1, t);

    if (id >= 0)
        return id;
    tensor_free(t);
    return nomem(b);
}

static void put(struct tensor *t, long i, double v)
{
    switch (t->dtype) {
    case DTYPE_F32:
        tensor_f32(t)[i] = (float)v;
        break;
    case DTYPE_F64:
        ((double *)t->data)[i] = v;
        break;
    case DTYPE_I32:
        ((int32_t *)t->data)[i] = (int32_t)v;
        break;
    case DTYPE_I8:
        ((int8_t *)t->data)[i] = (int8_t)v;
        break;
    case DTYPE_U8:
        ((uint8_t *)t->data)[i] = (uint8_t)v;
        break;
    default:
        tensor_i64(t)[i] = (long)v;
    }
}

int make_values(struct onnx_build *b, int dtype, const struct shape *s, const double *value)
{
    struct onnx_reader *r = b->n->r;
    struct tensor t;
    long n = shape_elems(s);

    if (b->st)
        return -1;
    if (dtype == DTYPE_BOOL || dtype_elem(dtype) == ELEM_OWN)
        make_no(b);
    else
        b->st = tensor_new(r->f.mem, dtype, s, &t, r->f.diag);
    if (b->st)
        return -1;
    for (long i = 0; i < n; i++)
        put(&t, i, value[i]);
    return make_const(b, &t);
}

int make_scalar(struct onnx_build *b, int dtype, double value)
{
    struct shape s = {0, {0}};

    return make_values(b, dtype, &s, &value);
}

int make_with(struct onnx_build *b, int op, int x, double scalar)
{
    return make_binary(b, op, x, make_scalar(b, make_dtype(b, x), scalar));
}

int make_clip(struct onnx_build *b, int x, double lo, double hi)
{
    struct node_attr attr[2] = {make_f(b, "min", lo), make_f(b, "max", hi)};
    int dtype = make_dtype(b, x);

    if (b->n->opset < 12 && dtype != DTYPE_F32 && dtype != DTYPE_F64)
        make_no(b); /* Clip of integers came with opset 12 */
    return make_op(b, OP_Clip, &x, 1, attr, 2);
}

int make_cast(struct onnx_build *b, int x, int dtype)
{
    struct node_attr to = make_i(b, "to", dtype);

    return make_op(b, OP_Cast, &x, 1, &to, 1);
}

int make_reshape(struct onnx_build *b, int x, const long *dim, int rank)
{
    struct node_attr shape = make_is(b, "shape", dim, rank);
    struct shape now = make_shape(b, x), want = {rank, {0}};

    memcpy(want.dim, dim, (size_t)rank * sizeof *dim);
    return shape_equal(&now, &want) ? x : make_op(b, OP_Reshape, &x, 1, &shape, 1);
}

int make_transpose(struct onnx_build *b, int x, const long *perm)
{
    int rank = make_shape(b, x).rank;
    struct node_attr a;
    bool sorted = true;

    if (b->st)
        return -1;
    for (int i = 0; i < rank; i++)
        sorted = sorted && perm[i] == i;
    if (sorted)
        return x;
    a = make_is(b, "perm", perm, rank);
    return make_op(b, OP_Transpose, &x, 1, &a, 1);
}

int make_reduce(struct onnx_build *b, int op, int x, const long *axes, int n, bool keep)
{
    struct node_attr attr[2] = {make_is(b, "axes", axes, n), make_i(b, "keepdims", keep)};

    return n ? make_op(b, op, &x, 1, attr, 2) : x;
}

int make_take(struct onnx_build *b, int x, int axis, const long *index, int n)
{
    struct node_attr a = make_i(b, "axis", axis);
    struct shape s = {1, {n}};
    struct tensor t;
    int in[2] = {x, -1};

    if (!b->st)
        b->st = tensor_new(b->n->r->f.mem, DTYPE_I64, &s, &t, b->n->r->f.diag);
    if (b->st)
        return -1;
    if (n)
        memcpy(t.data, index, (size_t)n * sizeof *index);
    in[1] = make_const(b, &t);
    return make_op(b, OP_Gather, in, 2, &a, 1);
}

int make_slice(struct onnx_build *b, int x, int axis, long start, long step, long size)
{
    struct shape s = make_shape(b, x);
    long starts[RANK_MAX] = {0}, steps[RANK_MAX];
    struct node_attr attr[3];

    if (!b->st && step != 1 && b->n->opset < 10) /* Slice has no steps */
        make_no(b);
    if (b->st || (start == 0 && step == 1 && size == s.dim[axis]))
        return x;
    for (int i = 0; i < s.rank; i++)
        steps[i] = 1;
    starts[axis] = start;
    steps[axis] = step;
    s.dim[axis] = size;
    attr[0] = make_is(b, "starts", starts, s.rank);
    attr[1] = make_is(b, "steps", steps, s.rank);
    attr[2] = make_is(b, "sizes", s.dim, s.rank);
    return make_op(b, OP_Slice, &x, 1, attr, 3);
}

int make_concat(struct onnx_build *b, const int *in, int nin, int axis)
{
    struct node_attr a = make_i(b, "axis", axis);

    return nin == 1 ? in[0] : make_op(b, OP_Concat, in, nin, &a, 1);
}

int make_pad(struct onnx_build *b, int x, const long *pads, const char *mode, double value)
{
    struct values *vs = b->n->r->g->values;
    int rank = b->st ? 0 : make_shape(b, x).rank, text = value_str(vs, strs_addz(b->n->r->g->strs, mode));
    struct node_attr attr[3] = {make_is(b, "pads", pads, 2 * rank), attr_of(b, "mode", text), make_f(b, "value", value)};
    bool none = true;

    for (int i = 0; i < 2 * rank; i++)
        none = none && pads[i] == 0;
    return none ? x : make_op(b, OP_Pad, &x, 1, attr, 3);
}

int make_split(struct onnx_build *b, int x, int axis)
{
    struct shape s = make_shape(b, x);
    struct node_attr attr[2];
    long *size;
    int id = -1, n = b->st ? 0 : (int)s.dim[axis];

    if (b->st || !(size = mem_resize(b->n->r->f.mem, NULL, (size_t)n, sizeof *size)))
        return nomem(b);
    for (int i = 0; i < n; i++)
        size[i] = 1;
    attr[0] = make_i(b, "axis", axis);
    attr[1] = make_is(b, "split", size, n);
    id = add(b, OP_Split, &x, 1, attr, 2, n);
    mem_free(size);
    return id;
}

int make_part(struct onnx_build *b, int split, int k)
{
    return b->st ? -1 : typed(b, graph_proj(b->n->r->g, split, k, -1));
}

int make_folded(struct onnx_build *b, int x)
{
    struct graph *g = b->n->r->g;
    struct diag d = {0};
    struct tensor t = {0};
    enum calque_status st;

    if (b->st || g->node.a[x].kind == NODE_CONST)
        return x;
    st = graph_const_value(g, x, ONNX_CONST_BUDGET, NULL, &t, &d);
    if (st == CALQUE_NOMEM)
        return nomem(b);
    return st ? x : make_const(b, &t);
}

void make_output(struct onnx_build *b, int k, int x)
{
    b->output[k] = x;
}

static void name_output(struct onnx_build *b, int k, int x)
{
    struct graph *g = b->n->r->g;
    const char *name = k < b->n->nout ? b->n->p->output[k] : "";
    int str;

    if (b->st || x < 0 || !name[0])
        return;
    if (x < b->first || g->node.a[x].name >= 0) /* it has a name already */
        x = make_unary(b, OP_Identity, x);
    str = strs_addz(g->strs, name);
    if (str < 0)
        nomem(b);
    if (b->st)
        return;
    g->node.a[x].name = str;
    b->st = onnx_define(b->n->r, name, x);
}

enum calque_status make_done(struct onnx_build *b, int x)
{
    for (int k = 1; k < MAKE_OUTPUTS; k++)
        name_output(b, k, b->output[k]);
    /* an older node keeps its own name, and so does one that is another output too */
    if (!b->st && (x < b->first || b->n->r->g->node.a[x].name >= 0))
        x = make_unary(b, OP_Identity, x);
    if (!b->st)
        b->n->nout = b->n->nout > 1 ? 1 : b->n->nout; /* the others have their names */
    b->n->made = x;
    return b->st;
}
