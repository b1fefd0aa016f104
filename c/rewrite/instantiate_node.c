/* The new nodes of a target. */
#include "rewrite/instantiate_internal.h"

#include <stdio.h>
#include <string.h>

#include "onnx/onnx.h"
#include "onnx/opaque.h"
#include "pattern/unknown.h"
#include "tensor/op.h"

/* The scalars of a value: itself, or the elements of a tuple. */
static const struct value *scalar(const struct values *vs, const struct value *v, int k)
{
    return v->kind == VALUE_TUPLE ? &vs->v[vs->pool[v->first + k]] : v;
}

static bool is_number(const struct values *vs, const struct value *v, int *dtype)
{
    int n = v->kind == VALUE_TUPLE ? v->len : 1;

    for (int k = 0; k < n; k++) {
        int kind = scalar(vs, v, k)->kind;
        if (kind != VALUE_INT && kind != VALUE_FLOAT)
            return false;
        if (*dtype == DTYPE_UNKNOWN)
            *dtype = kind == VALUE_INT ? DTYPE_I64 : DTYPE_F32;
        if (*dtype == DTYPE_I64 && kind != VALUE_INT)
            return false;
    }
    return *dtype == DTYPE_F32 || *dtype == DTYPE_I64;
}

/* A constant tensor of this value: a number is a scalar, a tuple of numbers a vector; a shape that is given has as
   many elements, or the number everywhere. */
static bool new_const(struct builder *b, int value, int dtype, const struct shape *given, int *out)
{
    const struct values *vs = b->g->values;
    const struct value *v = &vs->v[value];
    struct shape shape = { .rank = 0 };
    struct tensor t;
    long n = 1;

    if (!is_number(vs, v, &dtype))
        return build_ill_typed(b, "Const: its value is no %s number or tuple of them", dtype_name(dtype));
    if (v->kind == VALUE_TUPLE) {
        shape.rank = 1;
        shape.dim[0] = n = v->len;
    }
    if (given->rank >= 0) {
        shape = *given;
        n = shape_elems(&shape);
        if (n < 0 || (v->kind == VALUE_TUPLE && n != v->len))
            return build_ill_typed(b, "Const: %d numbers for a shape of %ld elements", v->len, n);
    }
    if (tensor_new(b->g->mem, dtype, &shape, &t, NULL) != CALQUE_OK)
        return match_full(b->g->mem) == CALQUE_NOMEM ? build_nomem(b) : build_refuse(b, REFUSE_LIMIT);
    for (long k = 0; k < n; k++) {
        const struct value *x = scalar(vs, v, (int)k);
        double real;
        memcpy(&real, &x->num, sizeof real);
        if (dtype == DTYPE_I64)
            tensor_i64(&t)[k] = x->num;
        else
            tensor_f32(&t)[k] = x->kind == VALUE_INT ? (float)x->num : (float)real;
    }
    *out = graph_const(b->g, -1, &t);
    tensor_free(&t);
    return *out >= 0 || build_nomem(b);
}

/* The value of dtype= as an element type. */
static bool dtype_of(struct builder *b, int value, int *dtype)
{
    const struct value *v = &b->g->values->v[value];
    const struct strs *strs = b->g->strs;

    if (v->kind == VALUE_STR)
        *dtype = dtype_of_name(strs_text(strs, (int)v->num), (size_t)strs_len(strs, (int)v->num));
    return *dtype != DTYPE_UNKNOWN || build_ill_typed(b, "Const: attribute dtype is no element type");
}

static bool shape_of(struct builder *b, int value, struct shape *shape)
{
    const struct values *vs = b->g->values;
    const struct value *v = &vs->v[value];

    if (v->kind != VALUE_TUPLE || v->len > RANK_MAX)
        return build_ill_typed(b, "Const: attribute shape is no tuple of at most %d dimensions", RANK_MAX);
    shape->rank = v->len;
    for (int k = 0; k < v->len; k++) {
        const struct value *x = scalar(vs, v, k);
        if (x->kind != VALUE_INT || x->num < 0)
            return build_ill_typed(b, "Const: dimension %d of attribute shape is no dimension", k);
        shape->dim[k] = x->num;
    }
    return true;
}

/* PE-Const */
bool build_const(struct builder *b, const struct pattern *q, int k, int *out)
{
    struct shape shape = { .rank = -1 };
    int value, dtype = DTYPE_UNKNOWN, like = PATTERN_UNBOUND;

    for (int j = q->attr; j < q->attr + q->nattr; j++) {
        const char *label = strs_text(b->g->strs, b->r->attr.a[j].label);
        if (!build_eval(b, b->r->attr.a[j].expr, k, &value))
            return false;
        if (strcmp(label, "dtype") == 0 ? !dtype_of(b, value, &dtype)
                                        : strcmp(label, "shape") == 0 && !shape_of(b, value, &shape))
            return false;
    }
    if (dtype == DTYPE_UNKNOWN && q->like >= 0 && !build_known(b, q->like, k, &like))
        return false;
    if (like >= 0)
        dtype = b->g->node.a[like].dtype;
    if (q->value < 0)
        return build_refuse(b, REFUSE_STUCK);
    return build_eval(b, q->value, k, &value) && new_const(b, value, dtype, &shape, out);
}

/* PE-Default: an input that the match left out. */
bool build_default(struct builder *b, const struct pattern *q, int k, int *out)
{
    static const struct shape none = { .rank = -1 };
    int value;

    if (q->value < 0)
        return build_refuse(b, REFUSE_STUCK);
    return build_eval(b, q->value, k, &value) && new_const(b, value, DTYPE_UNKNOWN, &none, out);
}

/* The kind of an operator's attribute; false: it has none of this name. */
static bool kind_of_attr(int op, const char *label, enum op_attr_kind *kind)
{
    int n;
    const struct op_attr_info *a = op_attrs(op, &n);

    for (int k = 0; k < n; k++)
        if (strcmp(a[k].label, label) == 0) {
            *kind = a[k].kind;
            return true;
        }
    return false;
}

/* The bytes of a new node of an operator without a meaning here, with the attributes given. */
static bool build_bytes(struct builder *b, const struct pattern *q, int k, struct node_attr *attr, int *raw)
{
    const char *name = rule_unknown_name(b->m->rules, b->r, (int)(q - b->r->pattern.a));
    struct text t;
    int bad;

    for (int j = 0; j < q->nattr; j++) {
        attr[j].label = b->r->attr.a[q->attr + j].label;
        if (!build_eval(b, b->r->attr.a[q->attr + j].expr, k, &attr[j].value))
            return false;
    }
    text_init(&t, b->g->mem);
    bad = opaque_bytes(&t, b->g, name, attr, q->nattr);
    *raw = bad >= 0 || t.failed ? -1 : graph_raw(b->g, t.a, (size_t)t.n);
    text_free(&t);
    if (bad >= 0)
        return build_ill_typed(b, "%s: attribute %s is no number, string or tuple of numbers or strings", name,
                               strs_text(b->g->strs, bad));
    return *raw >= 0 || build_nomem(b);
}

/* Evaluates the attributes given; *parts: the number of outputs a Split says it has. */
static bool build_attrs(struct builder *b, const struct pattern *q, int op, int k, struct node_attr *attr, int *parts)
{
    const struct values *vs = b->g->values;

    *parts = 1;
    for (int j = 0; j < q->nattr; j++) {
        const struct pattern_attr *a = &b->r->attr.a[q->attr + j];
        const char *label = strs_text(b->g->strs, a->label);
        const struct value *v;
        enum op_attr_kind kind;

        attr[j].label = a->label;
        if (!build_eval(b, a->expr, k, &attr[j].value))
            return false;
        v = &vs->v[attr[j].value];
        if (!kind_of_attr(op, label, &kind) || !op_attr_holds(vs, v, kind))
            return build_ill_typed(b, "%s: attribute %s has a value of another kind", op_info(op)->name, label);
        if (op == OP_Split && strcmp(label, "split") == 0)
            *parts = v->len;
    }
    return true;
}

/* The children of a new node into b->in; what is absent at the end is left out. */
static bool build_inputs(struct builder *b, const struct pattern *q, int k, bool call, int op)
{
    const struct op_info *info = call ? op_info(op) : NULL;
    int n, last = 0;

    b->in.n = 0;
    if (!build_parts(b, q, k, &n))
        return false;
    for (int j = 0; j < n; j++) {
        struct build_goal part = build_part(b, q, k, j);
        int node;
        if (!build_known(b, part.pattern, part.instance, &node))
            return false;
        if ((node < 0 && op != OP_Opaque && (!call || j < info->least || info->most < 0)) || (node >= 0 && graph_multi(b->g, node)) ||
            (call && info->most >= 0 && node >= 0 && j >= info->most))
            return build_ill_typed(b, "%s: input %d is %s", call ? info->name : "a tuple", j,
                                   node < 0 ? "absent" : graph_multi(b->g, node) ? "no single value" : "one too many");
        if (!ints_push(b->g->mem, &b->in, node < 0 ? -1 : node))
            return build_nomem(b);
        last = node < 0 ? last : j + 1;
    }
    b->in.n = last;
    return true;
}

/* Types a new node; no type is a refusal. */
static bool infer(struct builder *b, int node)
{
    enum calque_status status = op_infer(b->g, node, b->d);

    if (status == CALQUE_OK)
        return true;
    return status == CALQUE_NOMEM ? build_nomem(b) : build_refuse(b, REFUSE_TYPE);
}

/* The model could not be written. Always false. */
static bool absent(struct builder *b, int op)
{
    snprintf(b->d->text, sizeof b->d->text, "%s is not in opset %d", op_info(op)->name, b->g->opset);
    return build_refuse(b, REFUSE_OPSET);
}

/* PE-Call, of an operator without a meaning here. */
static bool build_unknown(struct builder *b, const struct pattern *q, int k, struct node_attr *attr, int *out)
{
    int raw;

    if (!build_inputs(b, q, k, true, OP_Opaque) || !build_bytes(b, q, k, attr, &raw))
        return false;
    *out = graph_op(b->g, OP_Opaque, -1, b->in.a, b->in.n, NULL, 0, 1);
    if (*out < 0)
        return build_nomem(b);
    b->g->node.a[*out].data = raw;
    return true;
}

/* PE-Call */
bool build_call(struct builder *b, const struct pattern *q, int k, int *out)
{
    int op = q->opat < 0 ? q->op : match_op(b->m, q->opat), parts;
    struct node_attr *attr = mem_zero(b->g->mem, (size_t)q->nattr + 1, sizeof *attr);

    *out = -1;
    if (op < 0)
        build_refuse(b, REFUSE_STUCK);
    else if (!attr)
        build_nomem(b);
    else if (op == OP_Opaque)
        build_unknown(b, q, k, attr, out);
    else if (!onnx_has_form(op, b->g->opset))
        absent(b, op);
    else if (build_inputs(b, q, k, true, op) && build_attrs(b, q, op, k, attr, &parts)) {
        *out = graph_op(b->g, op, -1, b->in.a, b->in.n, attr, q->nattr, parts);
        if (*out < 0)
            build_nomem(b);
    }
    mem_free(attr);
    return *out >= 0 && infer(b, *out);
}

/* PE-Tuple */
bool build_tuple(struct builder *b, const struct pattern *q, int k, int *out)
{
    if (!build_inputs(b, q, k, false, -1))
        return false;
    *out = graph_tuple(b->g, b->in.a, b->in.n);
    return *out >= 0 || build_nomem(b);
}

/* PE-Proj; a field of a tuple is that field. */
bool build_proj(struct builder *b, const struct pattern *q, int k, int *out)
{
    const struct value *v;
    const struct node *nd;
    int of, value;
    long n;

    if (q->value < 0)
        return build_refuse(b, REFUSE_STUCK);
    if (!build_known(b, b->r->kid.a[q->kid], k, &of) || !build_eval(b, q->value, k, &value))
        return false;
    v = &b->g->values->v[value];
    if (of < 0 || !graph_multi(b->g, of) || v->kind != VALUE_INT)
        return build_ill_typed(b, "a field is taken of what has one value, or by an index that is no integer");
    nd = &b->g->node.a[of];
    n = nd->kind == NODE_TUPLE ? nd->nin : nd->index;
    if (v->num < 0 || v->num >= n)
        return build_refuse(b, REFUSE_STUCK);
    if (nd->kind == NODE_TUPLE) {
        *out = graph_in(b->g, of, (int)v->num);
        return *out >= 0 || build_ill_typed(b, "field %ld of a tuple is absent", v->num);
    }
    *out = graph_proj(b->g, of, (int)v->num, -1);
    return *out >= 0 ? infer(b, *out) : build_nomem(b);
}
