/* Building the target of a rule for one match, M;p => e (PE-Match, PE-Const, PE-Call, PE-Tuple, PE-Proj, PE-Make,
   PE-Default, PE-Cond, PE-Choice, PE-Shared): goals on a stack, children first. Invariant: an address is built once,
   old nodes do not change; a refusal leaves new nodes that nobody uses. */
#include "rewrite/rewrite.h"

#include "onnx/onnx.h"
#include "pattern/gsl.h"
#include "tensor/op.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct build_goal {
    int pattern, instance;
    bool planned; /* its children are on the stack above it, or done */
};

struct builder {
    struct matcher *m;
    const struct rule *r;
    struct graph *g;
    struct addresses built; /* address -> node that stands for it in the target, or PATTERN_ABSENT */
    struct { struct build_goal *a; int n, cap; } goal;
    struct attr_memo memo; /* of the whole target, if the rule's plan allows it */
    struct ints in; /* scratch: inputs of a new node */
    int old;        /* nodes of the graph before */
    struct diag *d; /* its text: what is wrong, of REFUSE_TYPE and REFUSE_OPSET */
    enum refusal why;
    enum calque_status status;
};

/* Always false. */
static bool build_refuse(struct builder *b, enum refusal why)
{
    b->why = why;
    return false;
}

/* REFUSE_TYPE, with what is wrong in words. Always false. */
static bool build_ill_typed(struct builder *b, const char *format, ...) CALQUE_PRINTF(2, 3);

static bool build_ill_typed(struct builder *b, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vsnprintf(b->d->text, sizeof b->d->text, format, ap);
    va_end(ap);
    return build_refuse(b, REFUSE_TYPE);
}

static bool build_nomem(struct builder *b)
{
    b->status = CALQUE_NOMEM;
    return false;
}

/* M;expr => value in instance k */
static bool build_eval(struct builder *b, int expr, int k, int *value)
{
    switch (match_eval(b->m, expr, k, b->m->plan[b->m->rule].memo ? &b->memo : NULL, value)) {
    case ATTR_VALUE:
        return true;
    case ATTR_STUCK:
        return build_refuse(b, REFUSE_STUCK);
    default:
        return match_full(b->g->mem) == CALQUE_NOMEM ? build_nomem(b) : build_refuse(b, REFUSE_LIMIT);
    }
}

/* PE-Match, and look-ups of instances. */
static bool looked_up(struct builder *b, int p, int k, int *node)
{
    const struct pattern *q = &b->r->pattern.a[p];
    const struct value *v;
    int value;

    *node = match_node(b->m, p, k);
    if (*node != PATTERN_UNBOUND) {
        if (q->kind == PATTERN_OPTIONAL && q->value >= 0 && *node == PATTERN_ABSENT)
            *node = PATTERN_UNBOUND;
        return true;
    }
    if (q->kind == PATTERN_NONE)
        *node = PATTERN_ABSENT;
    if (q->kind != PATTERN_INST)
        return true;
    if (!build_eval(b, q->value, k, &value))
        return false;
    v = &b->g->values->v[value];
    if (v->kind == VALUE_INT && v->num >= 0 && v->num <= INT32_MAX)
        *node = match_node(b->m, b->r->kid.a[q->kid], (int)v->num);
    return *node != PATTERN_UNBOUND || build_refuse(b, REFUSE_STUCK);
}

/* The address of p in instance k among what is built. */
static int instance_of(const struct builder *b, int p, int k)
{
    return b->r->pattern.a[p].template ? k : -1;
}

/* The node of p in instance k if it is looked up or built already, else PATTERN_UNBOUND; false: refused. */
static bool build_known(struct builder *b, int p, int k, int *node)
{
    *node = addresses_get(&b->built, p, instance_of(b, p, k));
    return *node != PATTERN_UNBOUND || looked_up(b, p, k, node);
}

/* The kids of q in instance k: one after another, or the instances of a variadic pattern. *n of them. */
static bool build_parts(struct builder *b, const struct pattern *q, int k, int *n)
{
    const struct pattern *v = q->nkid == 1 ? &b->r->pattern.a[b->r->kid.a[q->kid]] : NULL;
    const struct value *x;
    int value;

    *n = q->nkid;
    if (!v || v->kind != PATTERN_VARIADIC)
        return true;
    if (v->value < 0)
        return build_refuse(b, REFUSE_STUCK);
    if (!build_eval(b, v->value, k, &value))
        return false;
    x = &b->g->values->v[value];
    if (x->kind != VALUE_INT || x->num < 0 || x->num > ATTR_COUNT_MAX)
        return build_refuse(b, REFUSE_STUCK);
    *n = (int)x->num;
    return true;
}

static struct build_goal build_part(const struct builder *b, const struct pattern *q, int k, int j)
{
    int kid = q->nkid == 1 ? b->r->kid.a[q->kid] : -1;

    if (kid >= 0 && b->r->pattern.a[kid].kind == PATTERN_VARIADIC)
        return (struct build_goal){ b->r->kid.a[b->r->pattern.a[kid].kid], j, false };
    return (struct build_goal){ b->r->kid.a[q->kid + j], k, false };
}

/* ---- new nodes, from children that are known: each build_* sets *out or refuses ---- */

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
static bool build_const(struct builder *b, const struct pattern *q, int k, int *out)
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
static bool build_default(struct builder *b, const struct pattern *q, int k, int *out)
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
static bool build_call(struct builder *b, const struct pattern *q, int k, int *out)
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
static bool build_tuple(struct builder *b, const struct pattern *q, int k, int *out)
{
    if (!build_inputs(b, q, k, false, -1))
        return false;
    *out = graph_tuple(b->g, b->in.a, b->in.n);
    return *out >= 0 || build_nomem(b);
}

/* PE-Proj; a field of a tuple is that field. */
static bool build_proj(struct builder *b, const struct pattern *q, int k, int *out)
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

/* ---- the order of building ---- */

/* PE-Cond, PE-Choice: the child that stands for it. */
static bool chosen(struct builder *b, const struct pattern *q, int k, int *kid)
{
    const int *kids = b->r->kid.a + q->kid;
    const struct value *v;
    int value, taken;

    if (q->kind == PATTERN_MATCH) {
        taken = b->m->taken[kids[0]];
        if (taken < 0 || taken + 1 >= q->nkid)
            return build_refuse(b, REFUSE_STUCK);
        *kid = kids[taken + 1];
        return true;
    }
    if (!build_eval(b, q->value, k, &value))
        return false;
    v = &b->g->values->v[value];
    if (v->kind != VALUE_BOOL)
        return build_refuse(b, REFUSE_STUCK);
    *kid = kids[v->num ? 0 : 1];
    return true;
}

static bool push(struct builder *b, struct build_goal goal)
{
    int node;

    if (!build_known(b, goal.pattern, goal.instance, &node))
        return false;
    if (node != PATTERN_UNBOUND)
        return true;
    if (!vec_room(b->g->mem, &b->goal, 1))
        return build_nomem(b);
    b->goal.a[b->goal.n++] = goal;
    return true;
}

/* Puts the children that are not known yet on the stack, the first on top. */
static bool plan(struct builder *b, struct build_goal goal)
{
    const struct pattern *q = &b->r->pattern.a[goal.pattern];
    int n, kid;

    switch (q->kind) {
    case PATTERN_CALL:
    case PATTERN_TUPLE:
        if (!build_parts(b, q, goal.instance, &n))
            return false;
        for (int j = n - 1; j >= 0; j--)
            if (!push(b, build_part(b, q, goal.instance, j)))
                return false;
        return true;
    case PATTERN_CONST: /* takes the element type of its neighbour */
        return q->like < 0 || push(b, (struct build_goal){ q->like, goal.instance, false });
    case PATTERN_PROJ:
        return push(b, (struct build_goal){ b->r->kid.a[q->kid], goal.instance, false });
    case PATTERN_COND:
    case PATTERN_MATCH:
        return chosen(b, q, goal.instance, &kid) && push(b, (struct build_goal){ kid, goal.instance, false });
    default:
        return true;
    }
}

static bool finish(struct builder *b, struct build_goal goal)
{
    const struct pattern *q = &b->r->pattern.a[goal.pattern];
    int node = PATTERN_UNBOUND, kid;
    bool ok;

    switch (q->kind) {
    case PATTERN_CONST:
        ok = build_const(b, q, goal.instance, &node);
        break;
    case PATTERN_CALL:
        ok = build_call(b, q, goal.instance, &node);
        break;
    case PATTERN_TUPLE:
        ok = build_tuple(b, q, goal.instance, &node);
        break;
    case PATTERN_PROJ:
        ok = build_proj(b, q, goal.instance, &node);
        break;
    case PATTERN_COND:
    case PATTERN_MATCH:
        ok = chosen(b, q, goal.instance, &kid) && build_known(b, kid, goal.instance, &node);
        break;
    case PATTERN_OPTIONAL:
        ok = build_default(b, q, goal.instance, &node);
        break;
    default: /* of the source, and the match did not bind it */
        ok = build_refuse(b, REFUSE_STUCK);
    }
    return ok && (addresses_put(&b->built, goal.pattern, instance_of(b, goal.pattern, goal.instance), node) ||
                  build_nomem(b));
}

/* PE-Make, PE-Shared: children first; a goal is met twice, before and after them, and built once. */
static bool build(struct builder *b, int p, int k, int *node)
{
    b->goal.n = 0;
    if (!push(b, (struct build_goal){ p, k, false }))
        return false;
    while (b->goal.n > 0) {
        struct build_goal *top = &b->goal.a[b->goal.n - 1], goal = *top;
        int known;

        if (!build_known(b, goal.pattern, goal.instance, &known))
            return false;
        if (known != PATTERN_UNBOUND || goal.planned) {
            if (known == PATTERN_UNBOUND && !finish(b, goal))
                return false;
            b->goal.n--;
            continue;
        }
        top->planned = true;
        if (!plan(b, goal))
            return false;
    }
    return build_known(b, p, k, node);
}

/* Same operator on the same inputs with the same attributes? */
static bool same_application(const struct graph *g, int a, int b)
{
    const struct node *x = &g->node.a[a], *y = &g->node.a[b];

    if (a == b)
        return true;
    if (x->kind != NODE_OP || y->kind != NODE_OP || x->op != y->op || x->nin != y->nin ||
        x->nattr != y->nattr || (x->op == OP_Opaque && !opaque_same(g, a, b)))
        return false;
    for (int k = 0; k < x->nin; k++)
        if (g->in.a[x->in + k] != g->in.a[y->in + k])
            return false;
    for (int k = 0; k < x->nattr; k++) {
        const struct node_attr *u = &g->attr.a[x->attr + k], *v = &g->attr.a[y->attr + k];
        if (u->label != v->label || !value_equal(g->values, u->value, v->value))
            return false;
    }
    return true;
}

/* May root take the place of output `out`? Their types must be known and the same. That of an operator without a meaning here is
   not known: then the rule says that they are the same, and the type that is known is that of both. */
static bool fits(struct builder *b, int out, int root)
{
    struct graph *g = b->g;
    const struct node *old = &g->node.a[out];
    struct node *new;
    char was[SHAPE_TEXT], is[SHAPE_TEXT];
    bool said;

    if (root < 0 || graph_multi(g, root) || graph_multi(g, out))
        return build_ill_typed(b, "the target is absent, or has several values, where the source has one");
    new = &g->node.a[root];
    said = rule_unknown(b->r) >= 0;
    if (said && root >= b->old && new->dtype == DTYPE_UNKNOWN && new->shape.rank < 0) {
        new->dtype = old->dtype;
        new->shape = old->shape;
        return true;
    }
    if (said && old->dtype == DTYPE_UNKNOWN && old->shape.rank < 0)
        return true;
    if (new->dtype != DTYPE_UNKNOWN && new->dtype == old->dtype && new->shape.rank >= 0 && shape_equal(&new->shape, &old->shape))
        return true;
    return build_ill_typed(b, "the source is %s[%s], the target %s[%s]", dtype_name(old->dtype), shape_text(&old->shape, was),
                           dtype_name(new->dtype), shape_text(&new->shape, is));
}

/* The patterns that take the place of the outputs: one for each, or the instances of a field. */
static struct build_goal root_goal(const struct builder *b, int j)
{
    const struct rule *r = b->r;
    const struct pattern *q = &r->pattern.a[r->target.a[0]];

    if (r->target.n == 1 && q->kind == PATTERN_VARIADIC)
        return (struct build_goal){ r->kid.a[q->kid], j, false };
    return (struct build_goal){ r->target.a[j], -1, false };
}

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Does one node take the place of several outputs? Then the graph changes, though every output is computed as before. */
static bool any_twice(struct builder *b, const int *root, int n)
{
    bool twice = false;

    b->in.n = 0;
    for (int j = 0; j < n; j++)
        if (!ints_push(b->g->mem, &b->in, root[j]))
            return build_nomem(b);
    qsort(b->in.a, (size_t)n, sizeof *b->in.a, compare);
    for (int j = 1; j < n; j++)
        twice |= b->in.a[j] == b->in.a[j - 1];
    return twice;
}

static bool build_roots(struct builder *b, int *root)
{
    const struct rule *r = b->r;
    int n = b->m->outs.n;
    bool identity = true;

    if (r->target.n != n && r->pattern.a[r->target.a[0]].kind != PATTERN_VARIADIC)
        return build_ill_typed(b, "the target has %d outputs, the source %d", r->target.n, n);
    for (int j = 0; j < n; j++) {
        struct build_goal goal = root_goal(b, j);
        if (!build(b, goal.pattern, goal.instance, &root[j]))
            return false;
    }
    for (int j = 0; j < n; j++) {
        if (!fits(b, b->m->outs.a[j], root[j]))
            return false;
        identity &= same_application(b->g, b->m->outs.a[j], root[j]);
    }
    return !identity || any_twice(b, root, n) || build_refuse(b, REFUSE_IDENTITY);
}

enum calque_status build_target(struct matcher *m, struct graph *g, int *root, enum refusal *why, struct diag *d)
{
    struct diag own;
    struct builder b = { .m = m, .r = &m->rules->rule.a[m->rule], .g = g, .d = d ? d : &own, .why = REFUSE_NO, .status = CALQUE_OK,
                         .old = g->node.n };
    int node = g->node.n, in = g->in.n, attr = g->attr.n, tensor = g->tensor.n, raw = g->raw.n;
    bool ok;

    attr_memo_init(&b.memo, g->mem);
    ok = addresses_init(&b.built, g->mem, b.r->pattern.n) || build_nomem(&b);
    if (ok && m->plan[m->rule].memo)
        ok = attr_memo_start(&b.memo, &b.r->attrs) || build_nomem(&b);
    ok = ok && build_roots(&b, root);
    addresses_free(&b.built);
    attr_memo_free(&b.memo);
    mem_free(b.goal.a);
    ints_free(&b.in);
    *why = b.why;
    if (!ok) {
        while (g->tensor.n > tensor)
            tensor_free(&g->tensor.a[--g->tensor.n]);
        while (g->raw.n > raw)
            mem_free(g->raw.a[--g->raw.n].a);
        g->node.n = node;
        g->in.n = in;
        g->attr.n = attr;
    }
    return b.status == CALQUE_NOMEM ? diag_nomem(d) : CALQUE_OK;
}
