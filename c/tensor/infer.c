/* op_infer: what holds for every operator, then the operator's own rule. */
#include "tensor/op_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum calque_status (*const rules[OP_COUNT])(struct infer *) = {
#define OP(name, least, most, traits, words) infer_##name,
#include "tensor/ops.def"
};

enum calque_status infer_bad(struct infer *x, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    node_verror(x->g, x->node, x->d, CALQUE_BAD, format, ap);
    va_end(ap);
    return CALQUE_BAD;
}

bool infer_has(const struct infer *x, int k)
{
    return graph_in(x->g, x->node, k) >= 0;
}

const struct shape *infer_in(const struct infer *x, int k)
{
    return &x->g->node.a[graph_in(x->g, x->node, k)].shape;
}

int infer_type(const struct infer *x, int k)
{
    return x->g->node.a[graph_in(x->g, x->node, k)].dtype;
}

enum calque_status infer_same_type(struct infer *x)
{
    for (int k = 1; k < x->nin; k++)
        if (infer_has(x, k) && infer_type(x, k) != infer_type(x, 0))
            return infer_bad(x, "element types %s and %s of inputs 0 and %d differ",
                             dtype_name(infer_type(x, 0)), dtype_name(infer_type(x, k)), k);
    return CALQUE_OK;
}

enum calque_status infer_rank(struct infer *x, int k, int rank)
{
    if (infer_in(x, k)->rank != rank)
        return infer_bad(x, "input %d has rank %d, expected %d", k, infer_in(x, k)->rank, rank);
    return CALQUE_OK;
}

enum calque_status infer_vector(struct infer *x, int k, long n)
{
    const struct shape *s = infer_in(x, k);
    char text[SHAPE_TEXT];

    if (s->rank != 1 || s->dim[0] != n)
        return infer_bad(x, "input %d has shape %s, expected %ld", k, shape_text(s, text), n);
    return CALQUE_OK;
}

enum calque_status infer_int(struct infer *x, const char *label, long lo, long hi, long *out)
{
    int id = graph_attr(x->g, x->node, label);

    if (id < 0)
        return infer_bad(x, "attribute %s is missing", label);
    *out = x->g->values->v[id].num;
    if (*out < lo || *out > hi)
        return infer_bad(x, "attribute %s is %ld, expected %ld to %ld", label, *out, lo, hi);
    return CALQUE_OK;
}

enum calque_status infer_read(struct infer *x, const char *label, long *out, int *n)
{
    int id = graph_attr(x->g, x->node, label);

    *n = -1;
    if (id < 0)
        return CALQUE_OK;
    if (x->g->values->v[id].len > INTS_MAX)
        return infer_bad(x, "attribute %s has %d elements, more than %d", label,
                         x->g->values->v[id].len, INTS_MAX);
    *n = graph_attr_ints(x->g, x->node, label, out, INTS_MAX);
    return CALQUE_OK;
}

static enum calque_status put(struct infer *x, const char *label, int value)
{
    int id = strs_addz(x->g->strs, label);

    if (id < 0 || value < 0 || !graph_set_attr(x->g, x->node, id, value))
        return diag_nomem(x->d);
    return CALQUE_OK;
}

enum calque_status infer_put(struct infer *x, const char *label, const long *v, int n)
{
    long old[INTS_MAX];
    int len = graph_attr_ints(x->g, x->node, label, old, INTS_MAX);

    if (len == n && (n == 0 || memcmp(old, v, (size_t)n * sizeof *v) == 0))
        return CALQUE_OK;
    return put(x, label, value_ints(x->g->values, v, n));
}

/* The tuple of n times v. */
enum calque_status infer_put_copies(struct infer *x, const char *label, long v, int n)
{
    int one = value_int(x->g->values, v);
    int *a = mem_resize(x->g->mem, NULL, (size_t)n, sizeof *a);
    enum calque_status s;

    if (!a)
        return diag_nomem(x->d);
    for (int i = 0; i < n; i++)
        a[i] = one;
    s = put(x, label, one < 0 ? -1 : value_tuple(x->g->values, a, n));
    mem_free(a);
    return s;
}

enum calque_status infer_put_int(struct infer *x, const char *label, long v)
{
    int id = graph_attr(x->g, x->node, label);

    if (id >= 0 && x->g->values->v[id].num == v)
        return CALQUE_OK;
    return put(x, label, value_int(x->g->values, v));
}

enum calque_status infer_ints(struct infer *x, const char *label, int n, long otherwise, long lo,
                              long *out)
{
    enum calque_status s;
    int len;

    if ((s = infer_read(x, label, out, &len)))
        return s;
    if (len < 0) {
        if (otherwise < lo)
            return infer_bad(x, "attribute %s is missing", label);
        for (int i = 0; i < n; i++)
            out[i] = otherwise;
        return infer_put(x, label, out, n);
    }
    if (len != n)
        return infer_bad(x, "attribute %s has %d elements, expected %d", label, len, n);
    for (int i = 0; i < n; i++)
        if (out[i] < lo || out[i] > ATTR_INT_MAX)
            return infer_bad(x, "attribute %s has element %ld, expected %ld to %ld", label, out[i],
                             lo, ATTR_INT_MAX);
    return CALQUE_OK;
}

enum calque_status infer_axis(struct infer *x, const char *label, int rank, int limit, int *axis)
{
    enum calque_status s;
    long a = 0;

    if (limit <= 0)
        return infer_bad(x, "a scalar has no axis");
    if ((s = infer_int(x, label, -rank, limit - 1, &a)))
        return s;
    *axis = (int)(a < 0 ? a + rank : a);
    return infer_put_int(x, label, *axis);
}

enum calque_status infer_axes(struct infer *x, int rank, bool *set, int *n)
{
    long v[INTS_MAX];
    enum calque_status s;
    int k = 0;

    memset(set, 0, RANK_MAX * sizeof *set);
    if ((s = infer_read(x, "axes", v, n)) || *n < 0)
        return s;
    for (int i = 0; i < *n; i++) {
        long a = v[i] < 0 ? v[i] + rank : v[i];
        if (a < 0 || a >= rank)
            return infer_bad(x, "axis %ld is outside rank %d", v[i], rank);
        if (set[a])
            return infer_bad(x, "axis %ld occurs twice", a);
        set[a] = true;
    }
    for (int a = 0; a < rank; a++)
        if (set[a])
            v[k++] = a;
    return infer_put(x, "axes", v, k);
}

/* Every attribute is one of the table's, of its kind; missing ones with a default are filled in. */
static enum calque_status check_kind(struct infer *x, const struct op_attr_info *a, int value)
{
    static const char *const names[] = {"an int", "a tuple of ints", "a float", "a string"};
    static const int kinds[] = {VALUE_INT, VALUE_TUPLE, VALUE_FLOAT, VALUE_STR};
    const struct values *vs = x->g->values;
    bool good = vs->v[value].kind == kinds[a->kind];

    for (int i = 0; good && a->kind == OP_ATTR_IS && i < vs->v[value].len; i++)
        good = vs->v[vs->pool[vs->v[value].first + i]].kind == VALUE_INT;
    return good ? CALQUE_OK : infer_bad(x, "attribute %s is not %s", a->label, names[a->kind]);
}

static enum calque_status check_attrs(struct infer *x)
{
    const struct node *n = &x->g->node.a[x->node];
    int count;
    const struct op_attr_info *table = op_attrs(n->op, &count);
    enum calque_status s = CALQUE_OK;

    for (int i = 0; i < n->nattr; i++) {
        struct node_attr a = x->g->attr.a[n->attr + i];
        const char *label = strs_text(x->g->strs, a.label);
        int k = 0;
        while (k < count && strcmp(table[k].label, label) != 0)
            k++;
        if (k == count)
            return infer_bad(x, "unknown attribute %.64s", label);
        if ((s = check_kind(x, &table[k], a.value)))
            return s;
    }
    for (int k = 0; k < count && !s; k++) {
        if (strcmp(table[k].otherwise, "-") == 0 || graph_attr(x->g, x->node, table[k].label) >= 0)
            continue;
        if (table[k].kind == OP_ATTR_I)
            s = put(x, table[k].label,
                    value_int(x->g->values, strtol(table[k].otherwise, NULL, 10)));
        else if (table[k].kind == OP_ATTR_S)
            s = put(x, table[k].label, value_str(x->g->values, strs_addz(x->g->strs, table[k].otherwise)));
        else
            s = put(x, table[k].label,
                    value_float(x->g->values, strtod(table[k].otherwise, NULL)));
    }
    return s;
}

/* Sizes small enough that the rules' sums and products of two do not overflow. */
static bool moderate(const struct shape *s)
{
    for (int i = 0; i < s->rank; i++)
        if (s->dim[i] < 0 || s->dim[i] > TENSOR_ELEMS_MAX)
            return false;
    return shape_elems(s) >= 0;
}

/* Arity and that every input is a tensor; *known: all inputs are typed. */
static enum calque_status check_inputs(struct infer *x, const struct op_info *info, bool *known)
{
    *known = true;
    if (x->nin < info->least || (info->most >= 0 && x->nin > info->most))
        return infer_bad(x, "%d inputs, expected %d to %d", x->nin, info->least, info->most);
    for (int k = 0; k < x->nin; k++) {
        int id = graph_in(x->g, x->node, k);
        const struct node *m;
        if (id < 0) {
            if (k < info->least || info->most < 0)
                return infer_bad(x, "input %d is missing", k);
            continue;
        }
        m = &x->g->node.a[id];
        if (m->kind == NODE_TUPLE)
            return infer_bad(x, "input %d is a tuple", k);
        if (m->kind == NODE_OP && (m->index != 1 || (op_info(m->op)->traits & OP_MULTI)))
            return infer_bad(x, "input %d is a multi-output operator, not one of its outputs", k);
        if (!node_typed(x->g, id))
            *known = false;
        else if (!moderate(&m->shape))
            return infer_bad(x, "input %d has too many elements", k);
        else if ((info->traits & OP_FLOAT) && (dtype_is_int(m->dtype) || dtype_is_byte(m->dtype)))
            return infer_bad(x, "input %d has element type %s, expected a float type", k,
                             dtype_name(m->dtype));
        else if (m->dtype == DTYPE_BOOL && !(info->traits & OP_BOOL))
            return infer_bad(x, "input %d has element type bool, which the operator does not take", k);
    }
    return CALQUE_OK;
}

static enum calque_status infer_op(struct infer *x)
{
    const struct node *n = &x->g->node.a[x->node];
    const struct op_info *info = op_info(n->op);
    enum calque_status s;
    bool known;

    if (!info)
        return infer_bad(x, "operator number %d does not exist", n->op);
    if (n->op == OP_Opaque)
        return CALQUE_OK;
    if (n->index < 1 || (n->index > 1 && !(info->traits & OP_MULTI)))
        return infer_bad(x, "%d outputs, expected 1", n->index);
    x->nin = n->nin;
    while (x->nin > info->least && !infer_has(x, x->nin - 1))
        x->nin--; /* trailing absent inputs */
    if ((s = check_inputs(x, info, &known)) || (s = check_attrs(x)) || !known)
        return s;
    if (x->nin > 0) {
        x->dtype = infer_type(x, 0);
        x->out = *infer_in(x, 0);
    }
    if ((s = rules[n->op](x)))
        return s;
    if (x->out.rank > RANK_MAX)
        return infer_bad(x, "the result has rank %d, more than %d", x->out.rank, RANK_MAX);
    if (shape_elems(&x->out) < 0)
        return node_error(x->g, x->node, x->d, CALQUE_LIMIT, "the result has too many elements");
    if (!(info->traits & OP_MULTI)) {
        x->g->node.a[x->node].dtype = x->dtype;
        x->g->node.a[x->node].shape = x->out;
    }
    return CALQUE_OK;
}

/* Part `index` of a Split that is as its own inference left it, without another look at all its parts; false: it is not. */
static bool split_part(struct graph *g, int node, int of)
{
    struct node *n = &g->node.a[node];
    const struct node *m = &g->node.a[of];
    const struct values *vs = g->values;
    int in = m->nin > 0 ? graph_in(g, of, 0) : -1, axis = graph_attr(g, of, "axis"), split = graph_attr(g, of, "split");
    const struct shape *s = in < 0 ? NULL : &g->node.a[in].shape;
    long at, size;

    if (m->op != OP_Split || !s || !node_typed(g, in) || axis < 0 || split < 0 || vs->v[axis].kind != VALUE_INT ||
        vs->v[split].kind != VALUE_TUPLE || vs->v[split].len != m->index)
        return false;
    at = vs->v[axis].num;
    split = vs->pool[vs->v[split].first + n->index];
    size = vs->v[split].num;
    if (at < 0 || at >= s->rank || vs->v[split].kind != VALUE_INT || size < 0 || size > s->dim[at])
        return false;
    n->dtype = g->node.a[in].dtype;
    n->shape = *s;
    n->shape.dim[at] = size;
    return true;
}

/* The type of field `index` of a tuple or of an operator with several outputs. */
static enum calque_status infer_proj(struct graph *g, int node, struct diag *d)
{
    struct node *n = &g->node.a[node];
    int of = graph_in(g, node, 0);
    const struct node *m;
    enum calque_status s;

    if (of < 0)
        return node_error(g, node, d, CALQUE_BAD, "projection of nothing");
    m = &g->node.a[of];
    if (m->kind == NODE_TUPLE) {
        int field = graph_in(g, of, n->index);
        if (n->index < 0 || field < 0)
            return node_error(g, node, d, CALQUE_BAD, "field %d of a tuple of %d", n->index,
                              m->nin);
        n->dtype = g->node.a[field].dtype;
        n->shape = g->node.a[field].shape;
        return CALQUE_OK;
    }
    if (m->kind != NODE_OP || n->index < 0 || n->index >= m->index)
        return node_error(g, node, d, CALQUE_BAD, "output %d of a node of %d", n->index,
                          node_outputs(g, of));
    if (m->op != OP_Opaque && !split_part(g, node, of)) {
        struct infer x = {.g = g, .node = of, .index = n->index, .out = {.rank = -1}, .d = d};
        if ((s = infer_op(&x)))
            return s;
        if (x.out.rank >= 0) {
            n->dtype = x.dtype;
            n->shape = x.out;
        }
    }
    return CALQUE_OK;
}

enum calque_status op_infer(struct graph *g, int node, struct diag *d)
{
    struct infer x = {.g = g, .node = node, .out = {.rank = -1}, .d = d};

    switch (g->node.a[node].kind) {
    case NODE_OP:
        return infer_op(&x);
    case NODE_PROJ:
        return infer_proj(g, node, d);
    default:
        return CALQUE_OK;
    }
}

enum calque_status graph_infer(struct graph *g, struct diag *d)
{
    enum calque_status s = CALQUE_OK;

    for (int i = 0; i < g->node.n && !s; i++)
        s = op_infer(g, i, d);
    return s;
}
