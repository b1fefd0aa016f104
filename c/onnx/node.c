/* What canonicalization reads of an ONNX node and sets of the internal one: attributes, constant inputs, axes,
   errors. */
#include "onnx/onnx_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum calque_status onnx_fail(const struct onnx_node *n, enum calque_status st, const char *format,
                             ...)
{
    char what[DIAG_TEXT], who[ONNX_SHOW], op[ONNX_SHOW];
    va_list ap;

    va_start(ap, format);
    vsnprintf(what, sizeof what, format, ap);
    va_end(ap);
    onnx_show(op, n->p->op_type ? n->p->op_type : "");
    if (n->p->name && n->p->name[0])
        onnx_show(who, n->p->name);
    else
        snprintf(who, sizeof who, "#%d", n->number);
    return diag_set(n->r->f.diag, st, n->r->f.file, 0, 0, "node '%s' (%s): %.300s", who, op, what);
}

enum calque_status onnx_no(const struct onnx_node *n, const char *format, ...)
{
    va_list ap;

    if (n->r->no[0])
        return CALQUE_NO;
    va_start(ap, format);
    vsnprintf(n->r->no, sizeof n->r->no, format, ap);
    va_end(ap);
    return CALQUE_NO;
}

const Onnx__AttributeProto *onnx_attr(const struct onnx_node *n, const char *label)
{
    for (size_t i = 0; i < n->p->n_attribute; i++)
        if (n->p->attribute[i]->name && strcmp(n->p->attribute[i]->name, label) == 0)
            return n->p->attribute[i];
    return NULL;
}

long onnx_attr_i(const struct onnx_node *n, const char *label, long otherwise)
{
    const Onnx__AttributeProto *a = onnx_attr(n, label);

    return a ? a->i : otherwise;
}

float onnx_attr_f(const struct onnx_node *n, const char *label, float otherwise)
{
    const Onnx__AttributeProto *a = onnx_attr(n, label);

    return a ? a->f : otherwise;
}

bool onnx_attr_is(const Onnx__AttributeProto *a, const char *s)
{
    return a->s.len == strlen(s) && memcmp(a->s.data, s, a->s.len) == 0;
}

static const struct node *input_node(const struct onnx_node *n, int k)
{
    int id = k >= 0 && k < n->in.n ? n->in.a[k] : -1;

    return id >= 0 ? &n->r->g->node.a[id] : NULL;
}

int onnx_in_dtype(const struct onnx_node *n, int k)
{
    const struct node *x = input_node(n, k);

    return x ? x->dtype : DTYPE_UNKNOWN;
}

const struct shape *onnx_in_shape(const struct onnx_node *n, int k)
{
    static const struct shape unknown = {-1, {0}};
    const struct node *x = input_node(n, k);

    return x ? &x->shape : &unknown;
}

int onnx_in_rank(const struct onnx_node *n, int k)
{
    return onnx_in_shape(n, k)->rank;
}

enum calque_status onnx_const_input(const struct onnx_node *n, int k, struct tensor *t)
{
    const struct graph *g = n->r->g;
    const struct node *x = input_node(n, k);
    enum calque_status st;

    memset(t, 0, sizeof *t);
    if (!x)
        return CALQUE_NO;
    if (x->kind == NODE_CONST) {
        if (g->tensor.a[x->data].bytes > ONNX_CONST_BUDGET)
            return onnx_no(n, "with a constant of more than %zu bytes as input %d", ONNX_CONST_BUDGET, k);
        return tensor_copy(g->mem, &g->tensor.a[x->data], t, n->r->f.diag);
    }
    if (x->shape.rank < 0 || x->dtype == DTYPE_UNKNOWN)
        return onnx_no(n, "with an input %d of unknown type", k);
    st = graph_const_value(g, n->in.a[k], ONNX_CONST_BUDGET, NULL, t, n->r->f.diag);
    if (st == CALQUE_OK || st == CALQUE_NOMEM)
        return st;
    diag_clear(n->r->f.diag); /* what cannot be computed (no kernel, over budget) is not a constant to us */
    return onnx_no(n, "with an input %d that is not constant", k);
}

/* 32-bit indices are allowed where a list is: widen them in place of the tensor. */
static enum calque_status widen(const struct onnx_node *n, struct tensor *t)
{
    struct tensor wide;
    enum calque_status st;
    size_t count = t->bytes / sizeof(int32_t);

    st = tensor_new(n->r->g->mem, DTYPE_I64, &t->shape, &wide, n->r->f.diag);
    if (!st)
        for (size_t i = 0; i < count; i++) {
            int32_t x;
            memcpy(&x, (char *)t->data + i * sizeof x, sizeof x);
            tensor_i64(&wide)[i] = x;
        }
    tensor_free(t);
    if (!st)
        *t = wide;
    return st;
}

enum calque_status onnx_list_get(const struct onnx_node *n, const char *label, int k,
                                 struct onnx_list *l)
{
    const Onnx__AttributeProto *a = label ? onnx_attr(n, label) : NULL;
    enum calque_status st;

    memset(l, 0, sizeof *l);
    if (a) {
        l->a = a->ints;
        l->n = a->n_ints;
        l->given = true;
        return CALQUE_OK;
    }
    if (!input_node(n, k))
        return CALQUE_OK;
    st = onnx_const_input(n, k, &l->own);
    if (st)
        return st;
    if (l->own.dtype == ONNX__TENSOR_PROTO__DATA_TYPE__INT32)
        st = widen(n, &l->own);
    if (!st && (l->own.dtype != DTYPE_I64 || l->own.shape.rank > 1))
        st = onnx_fail(n, CALQUE_BAD, "input %d%s%s%s must be a 1-d tensor of int64", k, label ? " (" : "",
                       label ? label : "", label ? ")" : "");
    if (st) {
        tensor_free(&l->own);
        return st;
    }
    l->a = tensor_i64(&l->own);
    l->n = l->own.bytes / sizeof(long);
    l->given = true;
    return CALQUE_OK;
}

void onnx_list_free(struct onnx_list *l)
{
    tensor_free(&l->own);
    memset(l, 0, sizeof *l);
}

enum calque_status onnx_axis(const struct onnx_node *n, long axis, int rank, int beyond, long *out)
{
    if (axis < -rank || axis >= rank + beyond)
        return onnx_fail(n, CALQUE_BAD, "axis %ld is out of range for rank %d", axis, rank);
    *out = axis < 0 ? axis + rank : axis;
    return CALQUE_OK;
}

enum calque_status onnx_axes(const struct onnx_node *n, const struct onnx_list *l, int rank,
                             long *out)
{
    bool set[RANK_MAX] = {false};
    size_t k = 0;

    for (size_t i = 0; i < l->n; i++) {
        long axis = 0;
        enum calque_status st = onnx_axis(n, l->a[i], rank, 0, &axis);
        if (st)
            return st;
        if (set[axis])
            return onnx_fail(n, CALQUE_BAD, "axis %ld is given twice", axis);
        set[axis] = true;
    }
    for (int i = 0; i < rank; i++)
        if (set[i])
            out[k++] = i;
    return CALQUE_OK;
}

static void set(struct onnx_node *n, const char *label, int value)
{
    int id = strs_addz(n->r->g->strs, label);

    if (id < 0 || value < 0) {
        n->nomem = true;
        return;
    }
    n->attr[n->nattr].label = id;
    n->attr[n->nattr++].value = value;
}

void onnx_set_i(struct onnx_node *n, const char *label, long x)
{
    set(n, label, value_int(n->r->g->values, x));
}

void onnx_set_f(struct onnx_node *n, const char *label, double x)
{
    set(n, label, value_float(n->r->g->values, x));
}

void onnx_set_s(struct onnx_node *n, const char *label, const char *s, size_t k)
{
    set(n, label, value_str(n->r->g->values, strs_add(n->r->g->strs, s, k)));
}

void onnx_set_is(struct onnx_node *n, const char *label, const long *x, size_t k)
{
    set(n, label, value_ints(n->r->g->values, x, (int)k));
}

enum calque_status onnx_insert_unsqueeze(struct onnx_node *n, int k, const long *axes, size_t naxes)
{
    struct graph *g = n->r->g;
    struct node_attr a = {strs_addz(g->strs, "axes"), value_ints(g->values, axes, (int)naxes)};
    int id = -1;

    if (a.label >= 0 && a.value >= 0)
        id = graph_op(g, OP_Unsqueeze, -1, &n->in.a[k], 1, &a, 1, 1);
    if (id < 0)
        return diag_nomem(n->r->f.diag);
    n->in.a[k] = id;
    return op_infer(g, id, n->r->f.diag);
}
