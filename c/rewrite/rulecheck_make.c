/* A random graph that the source of a rule is meant to match. Whether it does is for the matcher to say. */
#include "rewrite/rulecheck_internal.h"

#include <stdio.h>
#include <string.h>

static const char *text(const struct maker *k, int id)
{
    return strs_text(k->g->strs, id);
}

long make_draw(struct maker *k, long n)
{
    unsigned long z = k->rng += 0x9e3779b97f4a7c15UL;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
    return (long)((z ^ (z >> 31)) % (unsigned long)n);
}

static long taped(struct tape *t, long n)
{
    int at = t->n;

    if (at == TAPE_MAX)
        return 0;
    t->bound[at] = n > INT32_MAX ? INT32_MAX : (int)n;
    t->n++;
    for (int j = 0; j < t->changes; j++)
        if (t->place[j] == at)
            return t->value[j] < n ? t->value[j] : n - 1;
    return 0;
}

long make_random(struct maker *k, long n)
{
    return k->tape.on ? taped(&k->tape, n) : make_draw(k, n);
}

bool make_chance(struct maker *k, int percent)
{
    return k->tape.on ? (taped(&k->tape, 2) == 0) == (percent >= 50) : make_draw(k, 100) < percent;
}

static int fail(struct maker *k, bool memory)
{
    k->nomem |= !memory;
    return MAKE_FAILED;
}

/* ---- addresses ---- */

static int *address(struct maker *k, int p, int i)
{
    const struct pattern *q = &k->r->pattern.a[p];

    if (q->template && i == 0 && q->first >= 0)
        return &k->one[q->first];
    if (q->template && i >= 0 && i < MAKE_INSTANCES)
        return &k->many[p * MAKE_INSTANCES + i];
    return &k->one[p];
}

/* The pattern whose constraints hold at the address. */
static int governing(const struct maker *k, int p, int i)
{
    const struct pattern *q = &k->r->pattern.a[p];

    return q->template && i == 0 && q->first >= 0 ? q->first : p;
}

/* ---- attributes of what is made ---- */

static int shape_value(struct maker *k, const struct shape *s)
{
    return s->rank < 0 ? -1 : value_ints(k->g->values, s->dim, s->rank);
}

static int label_of(struct maker *k, int p, int node, const char *label)
{
    const struct pattern *q = &k->r->pattern.a[p];
    const struct node *nd;
    int value = -1;

    if (q->kind == PATTERN_OPTIONAL && strcmp(label, "present") == 0 && node != MAKE_UNSET)
        return value_bool(k->g->values, node >= 0);
    if (q->kind == PATTERN_VARIADIC && strcmp(label, "length") == 0)
        return k->length[p] < 0 ? -1 : value_int(k->g->values, k->length[p]);
    if (node < 0)
        return -1;
    nd = &k->g->node.a[node];
    if (nd->kind == NODE_OP && (value = graph_attr(k->g, node, label)) >= 0)
        return value;
    if (nd->kind == NODE_PROJ && strcmp(label, "index") == 0)
        return value_int(k->g->values, nd->index);
    if (nd->kind == NODE_CONST && strcmp(label, "value") == 0)
        return graph_const_attr(k->g, node, &value) ? value : -1;
    if (strcmp(label, "shape") == 0)
        return shape_value(k, &nd->shape);
    if (strcmp(label, "ndim") == 0)
        return nd->shape.rank < 0 ? -1 : value_int(k->g->values, nd->shape.rank);
    if (strcmp(label, "dtype") == 0 && nd->dtype != DTYPE_UNKNOWN)
        return value_str(k->g->values, strs_addz(k->g->strs, dtype_name(nd->dtype)));
    return -1;
}

static enum attr_result instance_label(void *ctx, int p, long i, int label, int *out)
{
    struct maker *k = ctx;

    if (i < 0 || i >= MAKE_INSTANCES)
        return ATTR_STUCK;
    *out = label_of(k, governing(k, p, (int)i), *address(k, p, (int)i), text(k, label));
    return *out < 0 ? ATTR_STUCK : ATTR_VALUE;
}

static int taken(void *ctx, int p)
{
    const struct maker *k = ctx;

    return k->taken[p];
}

static void fill_env(struct maker *k, int i)
{
    const struct attrs *t = &k->r->attrs;

    for (int s = 0; s < t->slot.n; s++) {
        int p = t->slot.a[s].pattern;
        k->env.slot[s] = label_of(k, governing(k, p, i), *address(k, p, i), text(k, t->slot.a[s].label));
    }
    for (int s = 0; s < k->env.nsymbol; s++)
        k->env.symbol[s] = i < 0 ? -1 : value_int(k->g->values, i);
    k->env.n = t->slot.n;
    k->env.inst = instance_label;
    k->env.taken = taken;
    k->env.ctx = k;
}

int make_eval(struct maker *k, int e, int i)
{
    struct attrs t = k->r->attrs; /* evaluation appends to the arena of values only */
    int out;

    fill_env(k, i);
    return attr_eval(&t, &k->env, e, &out) == ATTR_VALUE ? out : -1;
}

int make_listed(const struct maker *k, int p, const char *label)
{
    const struct pattern *q = &k->r->pattern.a[p];

    for (int j = q->attr; j < q->attr + q->nattr; j++)
        if (strcmp(text(k, k->r->attr.a[j].label), label) == 0)
            return k->r->attr.a[j].expr;
    return -1;
}

int make_ints(struct maker *k, int e, int i, long *out, int max)
{
    const struct attr_node *nd = e < 0 ? NULL : &k->r->attrs.node.a[e];
    const struct values *vs = k->g->values;
    int n, value;

    if (!nd)
        return -1;
    if (nd->kind == ATTR_TUPLE) {
        n = nd->b < max ? nd->b : max;
        for (int j = 0; j < n; j++) {
            value = make_eval(k, k->r->attrs.kid.a[nd->a + j], i);
            out[j] = value >= 0 && vs->v[value].kind == VALUE_INT ? vs->v[value].num : -1;
        }
        return n;
    }
    value = make_eval(k, e, i);
    if (value < 0 || vs->v[value].kind != VALUE_TUPLE)
        return -1;
    n = vs->v[value].len < max ? vs->v[value].len : max;
    for (int j = 0; j < n; j++) {
        int x = vs->pool[vs->v[value].first + j];
        out[j] = vs->v[x].kind == VALUE_INT ? vs->v[x].num : -1;
    }
    return n;
}

long make_int(struct maker *k, int p, int i, const char *label, long otherwise)
{
    int e = make_listed(k, p, label), value = e < 0 ? -1 : make_eval(k, e, i);

    return value >= 0 && k->g->values->v[value].kind == VALUE_INT ? k->g->values->v[value].num : otherwise;
}

/* ---- leaves ---- */

static double number(struct maker *k, bool positive)
{
    long n = make_draw(k, 7) - 3;

    if (positive)
        return k->integers ? (double)(1 + make_draw(k, 3)) : 0.5 + (double)make_draw(k, 1 << 20) / (1 << 19);
    return k->integers ? (double)n : (double)(make_draw(k, 1 << 21) - (1 << 20)) / (1 << 19);
}

static int make_tensor(struct maker *k, int dtype, const struct shape *s, bool positive)
{
    struct tensor t;
    struct diag d;
    long n = shape_elems(s);
    int node;

    diag_clear(&d);
    if (tensor_new(k->g->mem, dtype, s, &t, &d) != CALQUE_OK)
        return fail(k, d.status != CALQUE_NOMEM);
    for (long j = 0; j < n; j++)
        if (dtype == DTYPE_F32)
            tensor_f32(&t)[j] = (float)number(k, positive);
        else if (dtype == DTYPE_I64)
            tensor_i64(&t)[j] = make_draw(k, 3);
        else if (dtype == DTYPE_BOOL)
            ((unsigned char *)t.data)[j] = (unsigned char)make_draw(k, 2);
    node = graph_const(k->g, -1, &t);
    tensor_free(&t);
    return node < 0 ? fail(k, false) : node;
}

/* A constant of the value: a number, or a tuple of numbers. */
static int const_of(struct maker *k, int value, int dtype, const struct shape *hint)
{
    const struct values *vs = k->g->values;
    const struct value *v = &vs->v[value];
    struct shape s = {.rank = v->kind == VALUE_TUPLE};
    int node;
    long n;

    s.dim[0] = v->kind == VALUE_TUPLE ? v->len : 1;
    if (v->kind != VALUE_TUPLE && hint && shape_elems(hint) == 1)
        s = *hint;
    node = make_tensor(k, dtype, &s, false);
    n = shape_elems(&s);
    for (long j = 0; node >= 0 && j < n; j++) {
        const struct value *x = v->kind == VALUE_TUPLE ? &vs->v[vs->pool[v->first + j]] : v;
        struct tensor *t = &k->g->tensor.a[k->g->node.a[node].data];
        double z = x->kind == VALUE_FLOAT ? value_real(vs, (int)(x - vs->v)) : (double)x->num;
        if (dtype == DTYPE_F32)
            tensor_f32(t)[j] = (float)z;
        else if (dtype == DTYPE_BOOL)
            ((bool *)t->data)[j] = z < 0 || z > 0;
        else
            tensor_i64(t)[j] = (long)z;
    }
    return node;
}

static int leaf_type(struct maker *k, int p, int i, int otherwise)
{
    int e = make_listed(k, p, "dtype"), value = e < 0 ? -1 : make_eval(k, e, i), type;
    const struct value *v = value < 0 ? NULL : &k->g->values->v[value];

    if (!v || v->kind != VALUE_STR)
        return otherwise;
    type = dtype_of_name(text(k, (int)v->num), (size_t)strs_len(k->g->strs, (int)v->num));
    return type == DTYPE_I64 || type == DTYPE_BOOL ? type : DTYPE_F32;
}

/* The shape the pattern asks for put over the one proposed. */
static void listed_shape(struct maker *k, int p, int i, struct shape *s)
{
    long dim[RANK_MAX], rank = make_int(k, p, i, "ndim", -1);
    int n = make_ints(k, make_listed(k, p, "shape"), i, dim, RANK_MAX);

    if (rank >= 0 && rank <= RANK_MAX && s->rank != rank) {
        for (int j = s->rank < 0 ? 0 : s->rank; j < rank; j++)
            s->dim[j] = 1 + make_random(k, k->size);
        s->rank = (int)rank;
    }
    if (n < 0)
        return;
    for (int j = 0; j < n; j++)
        if (dim[j] >= 0)
            s->dim[j] = dim[j];
        else if (j >= s->rank)
            s->dim[j] = 1 + make_random(k, k->size);
    s->rank = n;
}

static int make_leaf(struct maker *k, int p, int i, const struct shape *hint, bool positive, bool truth)
{
    const struct pattern *q = &k->r->pattern.a[p];
    struct shape s = {.rank = -1};
    int type = leaf_type(k, p, i, truth ? DTYPE_BOOL : DTYPE_F32), node, value;

    if (hint)
        s = *hint;
    listed_shape(k, p, i, &s);
    if (q->kind == PATTERN_CONST && q->value >= 0) {
        value = make_eval(k, q->value, i);
        return value < 0 ? MAKE_FAILED : const_of(k, value, type, hint ? &s : NULL);
    }
    if (s.rank < 0) {
        s.rank = (int)(1 + make_random(k, 4));
        for (int j = 0; j < s.rank; j++)
            s.dim[j] = 1 + make_random(k, k->size);
    }
    if (shape_elems(&s) > 1 << 12)
        return MAKE_FAILED;
    if (q->kind == PATTERN_CONST || (q->kind == PATTERN_VARIABLE && make_chance(k, 50)))
        return make_tensor(k, type, &s, positive);
    node = graph_input(k->g, -1, type, &s);
    if (node < 0)
        return fail(k, false);
    if (node < MAKE_NODES)
        k->positive[node] = positive;
    return node;
}

/* ---- applications ---- */

static int make(struct maker *k, int p, int i);

static bool is_leaf(const struct pattern *q)
{
    return q->kind == PATTERN_WILDCARD || q->kind == PATTERN_VARIABLE || q->kind == PATTERN_CONST;
}

/* Input number j of op: a divisor, a variance, an argument of a root or logarithm. */
static bool wants_positive(int op, int j)
{
    return ((op == OP_Div || op == OP_Mod) && j == 1) || op == OP_Sqrt || op == OP_Log || (op == OP_Pow && j == 0) ||
           (op == OP_BatchNormalization && j == 4) || op == OP_Reciprocal;
}

/* A condition, or a truth value. */
static bool wants_truth(int op, int j)
{
    return (op == OP_Where && j == 0) || op == OP_Not || op == OP_And || op == OP_Or || op == OP_Xor;
}

/* How many instances: what the pattern says, else a few. */
static int choose_length(struct maker *k, int v, int i)
{
    const struct pattern *q = &k->r->pattern.a[v];
    int value = q->value < 0 ? -1 : make_eval(k, q->value, i);
    long n = value >= 0 && k->g->values->v[value].kind == VALUE_INT ? k->g->values->v[value].num
                                                                   : 1 + make_random(k, MAKE_INSTANCES - 1);

    if (k->length[v] < 0)
        k->length[v] = (int)(n < q->least ? q->least : n);
    return k->length[v] > MAKE_INSTANCES || k->length[v] < 0 ? -1 : k->length[v];
}

/* An optional's inner pattern where it is present, else -1. */
static int present(struct maker *k, int p, int i)
{
    const struct pattern *q = &k->r->pattern.a[p];
    int *at = address(k, p, i);

    if (q->kind == PATTERN_NONE)
        return -1;
    if (q->kind != PATTERN_OPTIONAL)
        return p;
    if (*at == MAKE_UNSET && make_chance(k, 50))
        *at = MAKE_ABSENT;
    return *at == MAKE_ABSENT ? -1 : k->r->kid.a[q->kid];
}

/* What the inputs of an application, tuple or variadic pattern are: patterns and instances; their number, or -1. */
static int inputs(struct maker *k, int p, int i, int *pat, int *inst)
{
    const struct pattern *q = &k->r->pattern.a[p];
    const int *kid = k->r->kid.a + q->kid;
    int n = q->nkid, v = p;

    if (q->kind != PATTERN_VARIADIC)
        v = n == 1 && k->r->pattern.a[kid[0]].kind == PATTERN_VARIADIC ? kid[0] : -1;
    if (v >= 0) {
        n = choose_length(k, v, i);
        for (int j = 0; j < n; j++) {
            pat[j] = k->r->kid.a[k->r->pattern.a[v].kid];
            inst[j] = j;
        }
        return n;
    }
    if (n > MAKE_KIDS)
        return -1;
    for (int j = 0; j < n; j++) {
        pat[j] = kid[j];
        inst[j] = i;
    }
    return n;
}

static bool set_listed(struct maker *k, int node, int p, int i)
{
    const struct pattern *q = &k->r->pattern.a[p];

    for (int j = q->attr; j < q->attr + q->nattr; j++) {
        const struct pattern_attr *a = &k->r->attr.a[j];
        int value = op_has_attr(k->g->node.a[node].op, text(k, a->label)) ? make_eval(k, a->expr, i) : -1;
        if (value >= 0 && !graph_set_attr(k->g, node, a->label, value))
            return fail(k, false), false;
    }
    return true;
}

static int choose_op(struct maker *k, const struct pattern *q)
{
    const struct pattern *o;

    if (q->op >= 0)
        return q->op;
    o = &k->r->pattern.a[q->opat];
    if (k->op[q->opat] < 0)
        k->op[q->opat] = k->r->kid.a[o->kid + make_random(k, o->nkid)];
    k->one[q->opat] = MAKE_ABSENT;
    return k->op[q->opat];
}

/* The inputs' nodes: applications first, then the leaves, whose shapes fit them. */
static bool make_inputs(struct maker *k, int op, int p, int i, int *in, int *n)
{
    int pat[MAKE_KIDS], inst[MAKE_KIDS], inner[MAKE_KIDS];
    struct shape s[MAKE_KIDS];
    bool open[MAKE_KIDS];

    *n = inputs(k, p, i, pat, inst);
    for (int j = 0; j < *n; j++) {
        inner[j] = present(k, pat[j], inst[j]);
        s[j].rank = -1;
        open[j] = inner[j] >= 0 && is_leaf(&k->r->pattern.a[inner[j]]) && *address(k, inner[j], inst[j]) == MAKE_UNSET;
        in[j] = inner[j] < 0 ? MAKE_ABSENT : open[j] ? MAKE_UNSET : make(k, inner[j], inst[j]);
        if (in[j] == MAKE_FAILED)
            return false;
        if (in[j] >= 0)
            s[j] = k->g->node.a[in[j]].shape;
    }
    for (int j = 0; j < *n; j++)
        if (open[j])
            listed_shape(k, governing(k, inner[j], inst[j]), inst[j], &s[j]);
    if (*n > 0)
        make_shapes(k, op, p, i, s, *n);
    for (int j = 0; j < *n; j++) {
        int *at;
        if (!open[j])
            continue;
        at = address(k, inner[j], inst[j]);
        if (*at == MAKE_UNSET) /* the same leaf may be two inputs */
            *at = make_leaf(k, governing(k, inner[j], inst[j]), inst[j], s[j].rank < 0 ? NULL : &s[j],
                            wants_positive(op, j), wants_truth(op, j));
        in[j] = *at;
        if (in[j] == MAKE_FAILED)
            return false;
        if (k->r->pattern.a[pat[j]].kind == PATTERN_OPTIONAL)
            *address(k, pat[j], inst[j]) = in[j];
    }
    return *n >= 0;
}

static int make_call(struct maker *k, int p, int i)
{
    const struct pattern *q = &k->r->pattern.a[p];
    int in[MAKE_KIDS], n, node, outputs = 1, op = choose_op(k, q);
    struct diag d;

    diag_clear(&d);
    if (!make_inputs(k, op, p, i, in, &n))
        return MAKE_FAILED;
    while (n > op_info(op)->least && n > 0 && in[n - 1] == MAKE_ABSENT)
        n--;
    node = graph_op(k->g, op, -1, in, n, NULL, 0, 1);
    if (node < 0)
        return fail(k, false);
    if (!set_listed(k, node, p, i) || !make_attrs(k, node, &outputs))
        return MAKE_FAILED;
    k->g->node.a[node].index = outputs;
    if (op_infer(k->g, node, &d) != CALQUE_OK)
        return fail(k, d.status != CALQUE_NOMEM);
    return node;
}

static int make_tuple(struct maker *k, int p, int i)
{
    int pat[MAKE_KIDS], inst[MAKE_KIDS], in[MAKE_KIDS], n = inputs(k, p, i, pat, inst), node;

    for (int j = 0; j < n; j++)
        if ((in[j] = make(k, pat[j], inst[j])) < 0)
            return MAKE_FAILED;
    node = n < 0 ? -1 : graph_tuple(k->g, in, n);
    return n < 0 ? MAKE_FAILED : node < 0 ? fail(k, false) : node;
}

static int make_proj(struct maker *k, int p, int i)
{
    const struct pattern *q = &k->r->pattern.a[p];
    int of = make(k, k->r->kid.a[q->kid], i), value, node;
    const struct node *nd;
    struct diag d;
    long index, n;

    if (of < 0)
        return MAKE_FAILED;
    nd = &k->g->node.a[of];
    n = nd->kind == NODE_TUPLE ? nd->nin : nd->index;
    value = q->value < 0 ? -1 : make_eval(k, q->value, i);
    index = value >= 0 && k->g->values->v[value].kind == VALUE_INT ? k->g->values->v[value].num
            : n > 0                                                 ? make_random(k, n)
                                                                    : -1;
    if (index < 0 || index >= n)
        return MAKE_FAILED;
    diag_clear(&d);
    node = graph_proj(k->g, of, (int)index, -1);
    return node < 0 ? fail(k, false) : op_infer(k->g, node, &d) == CALQUE_OK ? node : fail(k, d.status != CALQUE_NOMEM);
}

static int make_new(struct maker *k, int p, int i)
{
    const struct pattern *q = &k->r->pattern.a[p];

    switch (q->kind) {
    case PATTERN_WILDCARD:
    case PATTERN_VARIABLE:
    case PATTERN_CONST:
        return make_leaf(k, p, i, NULL, false, false);
    case PATTERN_CALL:
        return make_call(k, p, i);
    case PATTERN_TUPLE:
    case PATTERN_VARIADIC:
        return make_tuple(k, p, i);
    case PATTERN_PROJ:
        return make_proj(k, p, i);
    case PATTERN_ALT:
        k->taken[p] = (int)make_random(k, q->nkid);
        return make(k, k->r->kid.a[q->kid + k->taken[p]], i);
    default:
        return MAKE_FAILED;
    }
}

/* The node at the address; recursion follows the pattern. */
static int make(struct maker *k, int p, int i)
{
    int *at = address(k, p, i), g = governing(k, p, i);

    if (*at != MAKE_UNSET)
        return *at;
    if (k->depth >= MAKE_DEPTH || k->g->node.n >= MAKE_NODES)
        return MAKE_FAILED;
    k->depth++;
    *at = make_new(k, g, g == p ? i : -1);
    k->depth--;
    return *at;
}

static bool output(struct maker *k, int p, int i)
{
    int node = make(k, p, i), id;
    char name[16];

    if (node < 0 || graph_multi(k->g, node))
        return false;
    for (int j = 0; j < k->g->output.n; j++)
        if (k->g->output.a[j].node == node)
            return false;
    snprintf(name, sizeof name, "y%d", k->g->output.n);
    id = strs_addz(k->g->strs, name);
    if (id < 0 || !graph_output(k->g, node, id))
        return fail(k, false), false;
    if (k->g->node.a[node].name < 0)
        k->g->node.a[node].name = id;
    return true;
}

bool make_graph(struct maker *k)
{
    struct diag d;
    int p = k->r->source.a[0], n;

    if (k->r->pattern.a[p].kind == PATTERN_VARIADIC) {
        n = choose_length(k, p, -1);
        for (int j = 0; j < n; j++)
            if (!output(k, k->r->kid.a[k->r->pattern.a[p].kid], j))
                return false;
        if (n < 1)
            return false;
    } else {
        for (int j = 0; j < k->r->source.n; j++)
            if (!output(k, k->r->source.a[j], -1))
                return false;
    }
    diag_clear(&d);
    if (graph_fill_names(k->g, &d) != CALQUE_OK)
        return fail(k, false), false;
    return true;
}
