#include "rewrite/build.h"

#include <string.h>

#include "tensor/op.h"

enum { NOT_BUILT = -3 };

struct builder {
    const struct matcher *m;
    const struct rule *r;
    struct graph *g;
    int *node; /* pattern -> node that stands for it in the target, PATTERN_ABSENT, NOT_BUILT */
    bool *need;
    enum refusal why;
    enum calque_status status;
};

static bool refuse(struct builder *b, enum refusal why)
{
    b->why = why;
    return false;
}

static bool nomem(struct builder *b)
{
    b->status = CALQUE_NOMEM;
    return false;
}

/* M |- expr => value */
static bool eval(struct builder *b, int expr, int *value)
{
    struct attrs t = b->r->attrs; /* evaluation changes only the shared values */

    switch (attr_eval(&t, &b->m->env, expr, value)) {
    case ATTR_VALUE:
        return true;
    case ATTR_STUCK:
        return refuse(b, REFUSE_STUCK);
    default:
        return match_full(b->g->mem) == CALQUE_NOMEM ? nomem(b) : refuse(b, REFUSE_LIMIT);
    }
}

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

/* A constant tensor of this value: a number is a scalar, a tuple of numbers a vector. */
static bool new_const(struct builder *b, int value, int dtype, int *out)
{
    const struct values *vs = b->g->values;
    const struct value *v = &vs->v[value];
    struct shape shape = { .rank = 0 };
    struct tensor t;
    int n = 1;

    if (!is_number(vs, v, &dtype))
        return refuse(b, REFUSE_TYPE);
    if (v->kind == VALUE_TUPLE) {
        shape.rank = 1;
        shape.dim[0] = n = v->len;
    }
    if (tensor_new(b->g->mem, dtype, &shape, &t, NULL) != CALQUE_OK)
        return nomem(b);
    for (int k = 0; k < n; k++) {
        const struct value *x = scalar(vs, v, k);
        double real;
        memcpy(&real, &x->num, sizeof real);
        if (dtype == DTYPE_I64)
            tensor_i64(&t)[k] = x->num;
        else
            tensor_f32(&t)[k] = x->kind == VALUE_INT ? (float)x->num : (float)real;
    }
    *out = graph_const(b->g, -1, &t);
    tensor_free(&t);
    return *out >= 0 || nomem(b);
}

/* PE-Const */
static bool build_const(struct builder *b, const struct pattern *q, int *out)
{
    int value, dtype = DTYPE_UNKNOWN;

    if (q->nattr == 1) { /* dtype= */
        const struct value *v;
        if (!eval(b, b->r->attr.a[q->attr].expr, &value))
            return false;
        v = &b->g->values->v[value];
        if (v->kind == VALUE_STR)
            dtype =
                dtype_of_name(strs_text(b->g->strs, (int)v->num), (size_t)strs_len(b->g->strs, (int)v->num));
        if (dtype == DTYPE_UNKNOWN)
            return refuse(b, REFUSE_TYPE);
    } else if (q->like >= 0 && b->node[q->like] >= 0) {
        dtype = b->g->node.a[b->node[q->like]].dtype;
    }
    return eval(b, q->value, &value) && new_const(b, value, dtype, out);
}

/* PE-Match, and PE-Optional: an absent input is its default, or stays absent. */
static bool build_match(struct builder *b, int p, int *out)
{
    const struct pattern *q = &b->r->pattern.a[p];
    int value;

    *out = b->m->node[p];
    if (*out >= 0 || q->kind != PATTERN_OPTIONAL || q->value < 0)
        return true;
    return eval(b, q->value, &value) && new_const(b, value, DTYPE_UNKNOWN, out);
}

static bool attr_kind_ok(const struct values *vs, const struct value *v, enum op_attr_kind kind)
{
    switch (kind) {
    case OP_ATTR_I:
        return v->kind == VALUE_INT;
    case OP_ATTR_F:
        return v->kind == VALUE_FLOAT;
    case OP_ATTR_S:
        return v->kind == VALUE_STR;
    default:
        for (int k = 0; v->kind == VALUE_TUPLE && k < v->len; k++)
            if (vs->v[vs->pool[v->first + k]].kind != VALUE_INT)
                return false;
        return v->kind == VALUE_TUPLE;
    }
}

static enum op_attr_kind kind_of_attr(int op, const char *label)
{
    int n, k = 0;
    const struct op_attr_info *a = op_attrs(op, &n);

    while (strcmp(a[k].label, label) != 0) /* the rule's check found it there */
        k++;
    return a[k].kind;
}

/* Evaluates the attributes given; *parts: the number of outputs a Split says it has. */
static bool build_attrs(struct builder *b, const struct pattern *q, struct node_attr *attr, int *parts)
{
    const struct values *vs = b->g->values;

    *parts = 1;
    for (int k = 0; k < q->nattr; k++) {
        const struct pattern_attr *a = &b->r->attr.a[q->attr + k];
        const char *label = strs_text(b->g->strs, a->label);
        const struct value *v;

        attr[k].label = a->label;
        if (!eval(b, a->expr, &attr[k].value))
            return false;
        v = &vs->v[attr[k].value];
        if (!attr_kind_ok(vs, v, kind_of_attr(q->op, label)))
            return refuse(b, REFUSE_TYPE);
        if (q->op == OP_Split && strcmp(label, "split") == 0)
            *parts = v->len;
    }
    return true;
}

/* Inputs of a new node; trailing absent ones are left out. Its number, or -1. */
static int build_inputs(struct builder *b, const struct pattern *q, int *in)
{
    const struct op_info *info = op_info(q->op);
    int n = 0;

    for (int k = 0; k < q->nkid; k++) {
        int node = b->node[b->r->kid.a[q->kid + k]];
        in[k] = node < 0 ? -1 : node;
        if ((node < 0 && (k < info->least || info->most < 0)) || (node >= 0 && graph_multi(b->g, node))) {
            refuse(b, REFUSE_TYPE);
            return -1;
        }
        n = node < 0 ? n : k + 1;
    }
    return n;
}

/* Types a new node; no type is a refusal. */
static bool infer(struct builder *b, int node)
{
    struct diag d;
    enum calque_status status = op_infer(b->g, node, &d);

    if (status == CALQUE_OK)
        return true;
    return status == CALQUE_NOMEM ? nomem(b) : refuse(b, REFUSE_TYPE);
}

/* PE-Call */
static bool build_call(struct builder *b, const struct pattern *q, int *out)
{
    struct node_attr *attr = mem_zero(b->g->mem, (size_t)q->nattr + 1, sizeof *attr);
    int *in = mem_zero(b->g->mem, (size_t)q->nkid + 1, sizeof *in), n = -1, parts;
    bool ok = attr && in;

    *out = -1;
    if (!ok)
        nomem(b);
    if (ok)
        n = build_inputs(b, q, in);
    if (n >= 0 && build_attrs(b, q, attr, &parts)) {
        *out = graph_op(b->g, q->op, -1, in, n, attr, q->nattr, parts);
        if (*out < 0)
            nomem(b);
    }
    mem_free(attr);
    mem_free(in);
    return *out >= 0 && infer(b, *out);
}

/* PE-Tuple */
static bool build_tuple(struct builder *b, const struct pattern *q, int *out)
{
    int *in = mem_zero(b->g->mem, (size_t)q->nkid + 1, sizeof *in);

    if (!in)
        return nomem(b);
    for (int k = 0; k < q->nkid; k++) {
        in[k] = b->node[b->r->kid.a[q->kid + k]];
        if (in[k] < 0 || graph_multi(b->g, in[k])) {
            mem_free(in);
            return refuse(b, REFUSE_TYPE);
        }
    }
    *out = graph_tuple(b->g, in, q->nkid);
    mem_free(in);
    return *out >= 0 || nomem(b);
}

/* PE-Proj; a field of a tuple is that field. */
static bool build_proj(struct builder *b, const struct pattern *q, int *out)
{
    int of = b->node[b->r->kid.a[q->kid]], value;
    const struct value *v;
    const struct node *nd;
    long n;

    if (!eval(b, q->value, &value))
        return false;
    v = &b->g->values->v[value];
    if (of < 0 || !graph_multi(b->g, of) || v->kind != VALUE_INT)
        return refuse(b, REFUSE_TYPE);
    nd = &b->g->node.a[of];
    n = nd->kind == NODE_TUPLE ? nd->nin : nd->index;
    if (v->num < 0 || v->num >= n)
        return refuse(b, REFUSE_STUCK);
    if (nd->kind == NODE_TUPLE) {
        *out = graph_in(b->g, of, (int)v->num);
        return *out >= 0 || refuse(b, REFUSE_TYPE);
    }
    *out = graph_proj(b->g, of, (int)v->num, -1);
    return *out >= 0 ? infer(b, *out) : nomem(b);
}

static bool build(struct builder *b, int p)
{
    const struct pattern *q = &b->r->pattern.a[p];
    int *out = &b->node[p];

    if (q->in_source)
        return build_match(b, p, out);
    switch (q->kind) {
    case PATTERN_CONST:
        return build_const(b, q, out);
    case PATTERN_CALL:
        return build_call(b, q, out);
    case PATTERN_TUPLE:
        return build_tuple(b, q, out);
    case PATTERN_PROJ:
        return build_proj(b, q, out);
    default: /* the rule's check leaves only `none` */
        *out = PATTERN_ABSENT;
        return true;
    }
}

static void mark_needed(struct builder *b)
{
    b->need[b->r->target.a[0]] = true;
    for (int p = b->r->target.a[0]; p >= 0; p--) {
        const struct pattern *q = &b->r->pattern.a[p];
        b->node[p] = NOT_BUILT;
        for (int k = 0; b->need[p] && !q->in_source && k < q->nkid; k++)
            b->need[b->r->kid.a[q->kid + k]] = true;
    }
}

/* Same operator on the same inputs with the same attributes? */
static bool same_application(const struct graph *g, int a, int b)
{
    const struct node *x = &g->node.a[a], *y = &g->node.a[b];

    if (a == b)
        return true;
    if (x->kind != NODE_OP || y->kind != NODE_OP || x->op != y->op || x->nin != y->nin ||
        x->nattr != y->nattr)
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

/* May root take the place of the match's root? Their types must be known and the same. */
static bool fits(struct builder *b, int root)
{
    const struct graph *g = b->g;
    const struct node *old = &g->node.a[b->m->root], *new;

    if (root < 0 || graph_multi(g, root) || graph_multi(g, b->m->root))
        return refuse(b, REFUSE_TYPE);
    new = &g->node.a[root];
    if (new->dtype == DTYPE_UNKNOWN || new->dtype != old->dtype || new->shape.rank < 0 ||
        !shape_equal(&new->shape, &old->shape))
        return refuse(b, REFUSE_TYPE);
    return !same_application(g, root, b->m->root) || refuse(b, REFUSE_IDENTITY);
}

enum calque_status build_target(const struct matcher *m, struct graph *g, int *root, enum refusal *why,
                                struct diag *d)
{
    const struct rule *r = &m->rules->rule.a[m->rule];
    struct builder b = { .m = m, .r = r, .g = g, .why = REFUSE_NO, .status = CALQUE_OK };
    int node = g->node.n, in = g->in.n, attr = g->attr.n, tensor = g->tensor.n;
    bool ok;

    b.node = mem_zero(g->mem, (size_t)r->pattern.n, sizeof *b.node);
    b.need = mem_zero(g->mem, (size_t)r->pattern.n, sizeof *b.need);
    ok = (b.node && b.need) || nomem(&b);
    if (ok)
        mark_needed(&b);
    for (int p = 0; p <= r->target.a[0] && ok; p++)
        ok = !b.need[p] || build(&b, p);
    *root = ok ? b.node[r->target.a[0]] : -1;
    ok = ok && fits(&b, *root);
    mem_free(b.node);
    mem_free(b.need);
    *why = b.why;
    if (!ok) {
        while (g->tensor.n > tensor)
            tensor_free(&g->tensor.a[--g->tensor.n]);
        g->node.n = node;
        g->in.n = in;
        g->attr.n = attr;
    }
    return b.status == CALQUE_NOMEM ? diag_nomem(d) : CALQUE_OK;
}
