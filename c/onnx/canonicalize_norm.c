/* Normalisations, and the operators of the domain "calque". */
#include "onnx/onnx_internal.h"

enum calque_status onnx_normal_epsilon(struct onnx_node *n)
{
    onnx_set_f(n, "epsilon", (double)onnx_attr_f(n, "epsilon", 1e-5f));
    return CALQUE_OK;
}

enum calque_status onnx_normal_lp(struct onnx_node *n)
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

enum calque_status onnx_normal_layer(struct onnx_node *n)
{
    long axis = 0;
    enum calque_status st;

    for (int k = 0; k < n->in.n; k++)
        if (onnx_in_rank(n, k) < 0 || onnx_in_dtype(n, k) == DTYPE_UNKNOWN)
            return CALQUE_NO;
    if (onnx_attr_i(n, "stash_type", 1) != 1 || (n->nout > 1 && onnx_in_dtype(n, 0) != DTYPE_F32))
        return CALQUE_NO;
    st = onnx_axis(n, onnx_attr_i(n, "axis", -1), onnx_in_rank(n, 0), 0, &axis);
    if (!st && n->nout > 1)
        st = statistics(n, axis);
    if (st)
        return st;
    n->nout = 1;
    onnx_set_i(n, "axis", axis);
    return onnx_normal_epsilon(n);
}

enum calque_status onnx_normal_calque(struct onnx_node *n)
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
