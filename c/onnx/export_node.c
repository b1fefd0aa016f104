/* One operator of the internal form as ONNX has it at the model's opset: attributes or constant inputs, and the
   binary operators of opset 6. Reading it back gives the same node. */
#include "onnx/onnx_internal.h"

#include <math.h>
#include <string.h>

/* How opset 6 writes a binary operator: input 0, input 1 and the run of input 0's dimensions that input 1 has. */
struct legacy {
    int a, b; /* nodes; after a swap if the operator is commutative */
    bool swapped, equal;
    int at, n;   /* the run is dim[at .. at + n - 1] of a */
    int through; /* the input of b, if b only reshapes it from the run's shape; else -1 */
};

static const struct shape *shape_of(const struct onnx_writer *w, int node)
{
    return &w->g->node.a[node].shape;
}

static bool run_of(const struct shape *a, const struct shape *b, int *at, int *n)
{
    int off = a->rank - b->rank, first = -1, last = -1;

    if (off < 0)
        return false;
    for (int i = 0; i < b->rank; i++)
        if (b->dim[i] != 1) {
            first = first < 0 ? i : first;
            last = i;
        }
    for (int i = first; first >= 0 && i <= last; i++)
        if (b->dim[i] != a->dim[off + i])
            return false;
    *at = first < 0 ? a->rank : off + first;
    *n = first < 0 ? 0 : last - first + 1;
    return true;
}

static bool is_run(const struct shape *s, const struct shape *a, int at, int n)
{
    if (s->rank != n)
        return false;
    for (int i = 0; i < n; i++)
        if (s->dim[i] != a->dim[at + i])
            return false;
    return true;
}

/* False when opset 6 cannot say it. */
static bool plan(const struct onnx_writer *w, int node, struct legacy *l)
{
    const struct node *b;

    l->a = w->rep[graph_in(w->g, node, 0)];
    l->b = w->rep[graph_in(w->g, node, 1)];
    l->swapped = false;
    l->through = -1;
    l->at = l->n = 0;
    if (shape_of(w, l->a)->rank < 0 || shape_of(w, l->b)->rank < 0)
        return false;
    l->equal = shape_equal(shape_of(w, l->a), shape_of(w, l->b));
    if (l->equal)
        return true;
    if (!run_of(shape_of(w, l->a), shape_of(w, l->b), &l->at, &l->n)) {
        int t = l->a;
        l->a = l->b;
        l->b = t;
        l->swapped = true;
        if (!(op_info(w->g->node.a[node].op)->traits & OP_COMMUTATIVE) ||
            !run_of(shape_of(w, l->a), shape_of(w, l->b), &l->at, &l->n))
            return false;
    }
    b = &w->g->node.a[l->b];
    if (b->kind == NODE_OP && (b->op == OP_Unsqueeze || b->op == OP_Reshape)) {
        int x = w->rep[graph_in(w->g, l->b, 0)];
        if (is_run(shape_of(w, x), shape_of(w, l->a), l->at, l->n))
            l->through = x;
    }
    return true;
}

/* export_node.c: binary operators before opset 7, which broadcast input 1 along a run of dimensions of input 0. */
static enum calque_status onnx_legacy_binary(struct onnx_out *o, int node)
{
    struct onnx_writer *w = o->w;
    struct legacy l;
    struct onnx_out r;
    struct shape run;
    enum calque_status st;
    int t;

    if (!plan(w, node, &l))
        return onnx_write_fail(w, node, CALQUE_LIMIT, "opset 6 cannot broadcast these shapes");
    o->in.a[0] = w->name[l.a];
    o->in.a[1] = w->name[l.through >= 0 ? l.through : l.b];
    if (l.equal)
        return CALQUE_OK;
    onnx_out_i(o, "broadcast", 1);
    if (l.n > 0)
        onnx_out_i(o, "axis", l.at);
    if (l.through >= 0 || is_run(shape_of(w, l.b), shape_of(w, l.a), l.at, l.n))
        return CALQUE_OK;
    onnx_out_init(&r, w, "Reshape");
    t = onnx_fresh(w, "");
    onnx_out_in(&r, o->in.a[1]);
    onnx_out_out(&r, t);
    onnx_out_const(&r, "shape", DTYPE_I64, 1, shape_of(w, l.a)->dim + l.at, l.n);
    o->in.a[1] = t;
    r.nomem = r.nomem || t < 0;
    run.rank = l.n;
    for (int i = 0; i < l.n; i++)
        run.dim[i] = shape_of(w, l.a)->dim[l.at + i];
    onnx_value_info_put(&w->infos, 13, strs_text(w->f.strs, t), w->g->node.a[l.b].dtype, &run);
    st = onnx_out_flush(&r, -1, -1);
    onnx_out_free(&r);
    return st;
}

static bool is_binary(const struct node *n)
{
    return n->kind == NODE_OP && (n->op == OP_Add || n->op == OP_Sub || n->op == OP_Mul ||
                                  n->op == OP_Div || n->op == OP_Pow);
}

enum calque_status onnx_legacy_skip(struct onnx_writer *w)
{
    const struct graph *g = w->g;

    if (w->opset >= 7)
        return CALQUE_OK;
    w->skip = mem_zero(w->f.mem, (size_t)g->node.n, sizeof *w->skip);
    if (!w->skip)
        return diag_nomem(w->f.diag);
    for (int i = 0; i < g->node.n; i++) {
        struct legacy l;
        if (is_binary(&g->node.a[i]) && plan(w, i, &l) && !l.equal && l.through >= 0)
            w->skip[l.b] = true;
    }
    /* Any other use keeps them. */
    for (int i = 0; i < g->node.n; i++) {
        const struct node *n = &g->node.a[i];
        struct legacy l = {-1, -1, false, true, 0, 0, -1};
        bool passes = is_binary(n) && plan(w, i, &l) && !l.equal && l.through >= 0;
        for (int k = 0; k < n->nin; k++) {
            int m = graph_in(g, i, k);
            if (m >= 0 && !(passes && w->rep[m] == l.b))
                w->skip[w->rep[m]] = false;
        }
    }
    for (int i = 0; i < g->output.n; i++)
        w->skip[w->rep[g->output.a[i].node]] = false;
    return CALQUE_OK;
}

/* One operator application being written. */
struct exporting {
    struct onnx_writer *w;
    const struct node *n;
    int node;
    struct onnx_out o;
};

static enum calque_status limit(const struct exporting *x, const char *text)
{
    return onnx_write_fail(x->w, x->node, CALQUE_LIMIT, text);
}

static bool has_form(const struct exporting *x, const char *label)
{
    return onnx_attr_form_find(x->n->op, label, x->w->opset) != NULL;
}

static const struct shape *in_shape(const struct exporting *x, int k)
{
    static const struct shape unknown = {-1, {0}};
    int m = graph_in(x->w->g, x->node, k);

    return m < 0 ? &unknown : &x->w->g->node.a[m].shape;
}

/* The ints of an attribute in a new array; NULL with *n 0 when absent or memory is out (nomem set). */
static long *take_ints(struct exporting *x, const char *label, long *n)
{
    int len = graph_attr_ints(x->w->g, x->node, label, NULL, 0);
    long *a;

    *n = 0;
    if (len < 0)
        return NULL;
    a = mem_resize(x->w->f.mem, NULL, (size_t)len, sizeof *a);
    if (!a) {
        x->o.nomem = true;
        return NULL;
    }
    *n = graph_attr_ints(x->w->g, x->node, label, a, len);
    return a;
}

/* Every attribute of the internal form that ONNX has under the same name at this opset. */
static void put_attrs(struct exporting *x)
{
    const struct graph *g = x->w->g;

    for (int i = x->n->attr; i < x->n->attr + x->n->nattr; i++) {
        const struct value *v = &g->values->v[g->attr.a[i].value];
        const char *label = strs_text(g->strs, g->attr.a[i].label);
        const struct onnx_attr_form *form = onnx_attr_form_find(x->n->op, label, x->w->opset);
        long *ints, n;

        if (!form || form->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR ||
            x->o.nattr == ONNX_OUT_ATTRS - 1 || x->n->op == OP_Slice)
            continue;
        /* The label outlives strs: it is the table's. */
        if (v->kind == VALUE_INT)
            onnx_out_i(&x->o, form->label, v->num);
        else if (v->kind == VALUE_FLOAT)
            onnx_out_f(&x->o, form->label, value_real(g->values, g->attr.a[i].value));
        else if (v->kind == VALUE_STR)
            onnx_out_s(&x->o, form->label, (int)v->num);
        else if (v->kind == VALUE_TUPLE && (ints = take_ints(x, form->label, &n))) {
            onnx_out_is(&x->o, form->label, ints, (size_t)n);
            mem_free(ints);
        }
    }
}

/* Attributes of ONNX that the internal form needs not, at the value that it stands for: nothing is left to a default. */
static void put_fixed(struct exporting *x)
{
    static const struct {
        const char *label;
        long value; /* -1: NOTSET */
    } fixed[] = {{"allowzero", 0}, {"auto_pad", -1}, {"noop_with_empty_axes", 0}, {"saturate", 1}, {"storage_order", 0}};

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed && x->o.nattr < ONNX_OUT_ATTRS; i++) {
        int notset = -1;
        if (!has_form(x, fixed[i].label))
            continue;
        if (fixed[i].value >= 0)
            onnx_out_i(&x->o, fixed[i].label, fixed[i].value);
        else if ((notset = strs_addz(x->w->f.strs, "NOTSET")) >= 0)
            onnx_out_s(&x->o, fixed[i].label, notset);
        else
            x->o.nomem = true;
    }
}

/* A list that is an attribute at some opsets (then put_attrs wrote it) and input k at others. */
static void put_list_input(struct exporting *x, const char *label)
{
    long *a, n;

    if (has_form(x, label))
        return;
    a = take_ints(x, label, &n);
    if (a)
        onnx_out_const(&x->o, label, DTYPE_I64, 1, a, n);
    mem_free(a);
}

static bool all_are(struct exporting *x, const char *label, long value)
{
    long *a, n;
    bool yes = true;

    a = take_ints(x, label, &n);
    for (long i = 0; i < n; i++)
        yes = yes && a[i] == value;
    mem_free(a);
    return yes;
}

/* What this opset cannot say must have its default. */
static enum calque_status export_pool(struct exporting *x)
{
    const struct graph *g = x->w->g;

    if (!has_form(x, "ceil_mode") && graph_attr_int(g, x->node, "ceil_mode", 0))
        return limit(x, "ceil_mode needs opset 10");
    if (x->n->op == OP_MaxPool && !has_form(x, "dilations") && !all_are(x, "dilations", 1))
        return limit(x, "dilations need opset 10");
    if (x->n->op == OP_AveragePool && !has_form(x, "count_include_pad") &&
        graph_attr_int(g, x->node, "count_include_pad", 0))
        return limit(x, "count_include_pad needs opset 7");
    return CALQUE_OK;
}

static enum calque_status export_dropout(struct exporting *x)
{
    float ratio = (float)graph_attr_real(x->w->g, x->node, "ratio", 0.5);

    if (x->w->opset < 7)
        onnx_out_i(&x->o, "is_test", 1);
    if (!has_form(x, "ratio") && ratio != 0.5f)
        onnx_out_const(&x->o, "ratio", DTYPE_F32, 0, &ratio, 1);
    return CALQUE_OK;
}

static enum calque_status export_gemm(struct exporting *x)
{
    const struct shape *c = in_shape(x, 2);
    float zero = 0;
    long izero = 0;

    if (x->w->opset < 11 && x->o.in.n < 3) {
        bool is_int = x->n->dtype == DTYPE_I64;
        onnx_out_const(&x->o, "zero", is_int ? DTYPE_I64 : DTYPE_F32, 1,
                       is_int ? (void *)&izero : (void *)&zero, 1);
    }
    if (x->w->opset < 7)
        onnx_out_i(&x->o, "broadcast", c->rank < 0 || !shape_equal(c, &x->n->shape));
    return CALQUE_OK;
}

/* `value` in memory that lives as long as *f and *i do. */
static void constant_of_shape(struct exporting *x, struct tensor *t, float *f, long *i)
{
    double v = graph_attr_real(x->w->g, x->node, "value", 0.0);

    *f = (float)v;
    *i = (long)v;
    memset(t, 0, sizeof *t);
    t->dtype = (int)graph_attr_int(x->w->g, x->node, "dtype", DTYPE_F32);
    t->shape.rank = 1;
    t->shape.dim[0] = 1;
    t->bytes = dtype_size(t->dtype);
    t->data = t->dtype == DTYPE_F32 ? (void *)f : (void *)i; /* a bool is the first byte of 0 or 1 */
    if (t->dtype == DTYPE_BOOL)
        *i = v < 0 || v > 0;
    put_list_input(x, "shape");
    onnx_out_t(&x->o, "value", t);
}

/* starts, ends, axes, steps from starts, steps, sizes. An end before the first element is written as -dim - 1. */
static enum calque_status export_slice(struct exporting *x)
{
    long start[RANK_MAX], step[RANK_MAX], size[RANK_MAX], end[RANK_MAX], axis[RANK_MAX];
    const struct shape *in = in_shape(x, 0);
    const struct graph *g = x->w->g;
    int rank = graph_attr_ints(g, x->node, "starts", start, RANK_MAX);
    bool stepped = false;

    if (rank < 0 || rank > RANK_MAX || in->rank != rank ||
        graph_attr_ints(g, x->node, "steps", step, RANK_MAX) != rank ||
        graph_attr_ints(g, x->node, "sizes", size, RANK_MAX) != rank)
        return limit(x, "its type is unknown");
    for (int i = 0; i < rank; i++) {
        end[i] = start[i] + step[i] * size[i];
        if (step[i] < 0 && end[i] < 0)
            end[i] = -in->dim[i] - 1;
        if (step[i] > 0 && end[i] > in->dim[i])
            end[i] = in->dim[i];
        axis[i] = i;
        stepped = stepped || step[i] != 1;
    }
    if (x->w->opset < 10) {
        onnx_out_is(&x->o, "starts", start, (size_t)rank);
        onnx_out_is(&x->o, "ends", end, (size_t)rank);
        onnx_out_is(&x->o, "axes", axis, (size_t)rank);
        return stepped ? limit(x, "steps need opset 10") : CALQUE_OK;
    }
    onnx_out_const(&x->o, "starts", DTYPE_I64, 1, start, rank);
    onnx_out_const(&x->o, "ends", DTYPE_I64, 1, end, rank);
    onnx_out_const(&x->o, "axes", DTYPE_I64, 1, axis, rank);
    if (stepped)
        onnx_out_const(&x->o, "steps", DTYPE_I64, 1, step, rank);
    return CALQUE_OK;
}

/* Before opset 8 these did not broadcast. */
static enum calque_status export_variadic(struct exporting *x)
{
    for (int k = 1; x->w->opset < 8 && k < x->n->nin; k++)
        if (!shape_equal(in_shape(x, 0), in_shape(x, k)))
            return limit(x, "opset 7 cannot broadcast the inputs of this operator");
    return CALQUE_OK;
}

static enum calque_status export_shape(struct exporting *x)
{
    int rank = in_shape(x, 0)->rank;

    if (!has_form(x, "start") &&
        (graph_attr_int(x->w->g, x->node, "start", 0) ||
         (rank >= 0 && graph_attr_int(x->w->g, x->node, "end", rank) != rank)))
        return limit(x, "start and end need opset 15");
    return CALQUE_OK;
}

/* flatten 1 at opset 13 and later: Flatten, the operator over the second dimension, Reshape back. */
static enum calque_status softmax_flat(struct exporting *x)
{
    struct onnx_writer *w = x->w;
    struct onnx_out f, r;
    int flat = onnx_fresh(w, ""), done = onnx_fresh(w, "");
    long axis = graph_attr_int(w->g, x->node, "axis", 1);
    struct shape two = {2, {1, 1}};
    enum calque_status st;

    if (x->n->shape.rank < 0)
        return limit(x, "its type is unknown");
    for (int i = 0; i < x->n->shape.rank; i++)
        two.dim[i >= axis] *= x->n->shape.dim[i];
    onnx_value_info_put(&w->infos, 13, strs_text(w->f.strs, flat), x->n->dtype, &two);
    onnx_value_info_put(&w->infos, 13, strs_text(w->f.strs, done), x->n->dtype, &two);
    onnx_out_init(&f, w, "Flatten");
    onnx_out_in(&f, x->o.in.a[0]);
    onnx_out_out(&f, flat);
    onnx_out_i(&f, "axis", axis);
    f.nomem = f.nomem || flat < 0 || done < 0;
    st = onnx_out_flush(&f, -1, -1);
    onnx_out_free(&f);
    if (st)
        return st;
    onnx_out_init(&r, w, op_info(x->n->op)->name);
    onnx_out_in(&r, flat);
    onnx_out_out(&r, done);
    onnx_out_i(&r, "axis", 1);
    st = onnx_out_flush(&r, x->n->label, x->n->origin);
    onnx_out_free(&r);
    x->o.op = "Reshape";
    x->o.nattr = 0;
    if (onnx_attr_form_find(OP_Reshape, "allowzero", w->opset))
        onnx_out_i(&x->o, "allowzero", 0);
    x->o.in.a[0] = done;
    onnx_out_const(&x->o, "shape", DTYPE_I64, 1, x->n->shape.dim, x->n->shape.rank);
    return st;
}

static enum calque_status export_softmax(struct exporting *x)
{
    bool flatten = graph_attr_int(x->w->g, x->node, "flatten", 0) != 0;
    long axis = graph_attr_int(x->w->g, x->node, "axis", 0);

    if (x->w->opset >= 13)
        return flatten ? softmax_flat(x) : CALQUE_OK;
    for (long i = axis + 1; !flatten && i < x->n->shape.rank; i++)
        if (x->n->shape.dim[i] != 1)
            return limit(x, "a softmax along an inner axis needs opset 13");
    return x->n->shape.rank < 0 && !flatten ? limit(x, "its type is unknown") : CALQUE_OK;
}

/* A scalar of the node's element type as the next input. */
static enum calque_status put_scalar(struct exporting *x, const char *suffix, double v)
{
    float f = (float)v;
    long l = v >= -0x1p62 && v <= 0x1p62 ? (long)v : 0;
    bool truth = v < 0 || v > 0;
    int32_t i = (int32_t)(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
    int8_t i8 = (int8_t)(v < INT8_MIN ? INT8_MIN : v > INT8_MAX ? INT8_MAX : v);
    uint8_t u8 = (uint8_t)(v < 0 ? 0 : v > UINT8_MAX ? UINT8_MAX : v);
    const void *data = x->n->dtype == DTYPE_F32   ? (void *)&f
                       : x->n->dtype == DTYPE_F64 ? (void *)&v
                       : x->n->dtype == DTYPE_I64 ? (void *)&l
                       : x->n->dtype == DTYPE_I32 ? (void *)&i
                       : x->n->dtype == DTYPE_I8  ? (void *)&i8
                       : x->n->dtype == DTYPE_U8  ? (void *)&u8
                       : x->n->dtype == DTYPE_BOOL ? (void *)&truth
                                                   : NULL;
    double held = x->n->dtype == DTYPE_I64   ? (double)l
                  : x->n->dtype == DTYPE_I32 ? (double)i
                  : x->n->dtype == DTYPE_I8  ? (double)i8
                  : x->n->dtype == DTYPE_U8  ? (double)u8
                                             : v;

    if (!data || (held < v || held > v))
        return limit(x, "its value is none of its element type");
    onnx_out_const(&x->o, suffix, x->n->dtype, 0, data, 1);
    return CALQUE_OK;
}

static enum calque_status export_pad(struct exporting *x)
{
    double value = graph_attr_real(x->w->g, x->node, "value", 0);

    put_list_input(x, "pads");
    return has_form(x, "value") || value == 0 ? CALQUE_OK : put_scalar(x, "value", value);
}

/* Bounds that are infinite are left out. */
static enum calque_status export_clip(struct exporting *x)
{
    double lo = graph_attr_real(x->w->g, x->node, "min", -(double)INFINITY);
    double hi = graph_attr_real(x->w->g, x->node, "max", (double)INFINITY);
    enum calque_status st = CALQUE_OK;

    if (has_form(x, "min"))
        return CALQUE_OK;
    if (isinf(lo) && lo < 0)
        onnx_out_in(&x->o, -1);
    else
        st = put_scalar(x, "min", lo);
    return st || (isinf(hi) && hi > 0) ? st : put_scalar(x, "max", hi);
}

static enum calque_status export_prelu(struct exporting *x)
{
    return x->w->opset < 7 ? limit(x, "slopes that broadcast need opset 7") : CALQUE_OK;
}

static enum calque_status export_batch(struct exporting *x)
{
    if (x->w->opset < 7)
        onnx_out_i(&x->o, "is_test", 1);
    return CALQUE_OK;
}

static enum calque_status export_layer(struct exporting *x)
{
    /* the type of the mean and the deviation */
    onnx_out_i(&x->o, "stash_type", x->n->dtype == DTYPE_F64 ? ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE : ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT);
    return CALQUE_OK;
}

static enum calque_status export_list(struct exporting *x, const char *label)
{
    put_list_input(x, label);
    return CALQUE_OK;
}

static enum calque_status export_shape_list(struct exporting *x) { return export_list(x, "shape"); }
static enum calque_status export_axes(struct exporting *x) { return export_list(x, "axes"); }
static enum calque_status export_split(struct exporting *x) { return export_list(x, "split"); }

static enum calque_status export_binary(struct exporting *x)
{
    return x->w->opset < 7 ? onnx_legacy_binary(&x->o, x->node) : CALQUE_OK;
}

/* What the internal attributes alone do not say. */
static enum calque_status (*const special[OP_COUNT])(struct exporting *) = {
#define ONNX_EXPORT(op, function) [OP_##op] = export_##function,
#include "onnx/forms.def"
};

/* Empty lists of axes mean "all" in ONNX, nothing in the internal form. */
static bool is_identity(const struct exporting *x)
{
    switch (x->n->op) {
    case OP_Unsqueeze:
    case OP_Squeeze:
    case OP_ReduceSum:
    case OP_ReduceMean:
    case OP_ReduceMax:
        return graph_attr_ints(x->w->g, x->node, "axes", NULL, 0) == 0;
    case OP_Slice:
        return graph_attr_ints(x->w->g, x->node, "starts", NULL, 0) == 0;
    default:
        return false;
    }
}

static void put_names(struct exporting *x)
{
    struct onnx_writer *w = x->w;

    for (int k = 0; k < x->n->nin; k++) {
        int m = graph_in(w->g, x->node, k);
        onnx_out_in(&x->o, m < 0 ? -1 : w->name[w->rep[m]]);
    }
    if (!graph_multi(w->g, x->node)) {
        onnx_out_out(&x->o, w->name[x->node]);
        return;
    }
    for (int k = 0; k < x->n->index; k++) {
        int slot = w->slots.a[w->slot[x->node] + k];
        int name = slot >= 0 ? w->name[slot] : onnx_fresh(w, "");
        x->o.nomem = x->o.nomem || name < 0;
        onnx_out_out(&x->o, name);
    }
}

enum calque_status onnx_export_node(struct onnx_writer *w, int node)
{
    struct exporting x = {w, &w->g->node.a[node], node, {0}};
    struct tensor fill;
    float f;
    long i;
    enum calque_status st;

    if (w->opset > ONNX_OPSET_KNOWN && !(op_info(x.n->op)->traits & OP_CALQUE))
        return limit(&x, "the form of operators in the model's opset is not known: it is too new");
    if (!onnx_form_find(x.n->op, w->opset))
        return limit(&x, "the operator does not exist in the model's opset");
    if (w->foreign && (op_info(x.n->op)->traits & OP_CALQUE))
        return limit(&x, "the model imports another version of the domain calque than 1");
    onnx_out_init(&x.o, w, op_info(x.n->op)->name);
    if (op_info(x.n->op)->traits & OP_CALQUE)
        x.o.domain = ONNX_CALQUE;
    put_names(&x);
    if (is_identity(&x)) {
        x.o.op = "Identity";
        x.o.domain = NULL;
        st = CALQUE_OK;
    } else {
        put_attrs(&x);
        put_fixed(&x);
        if (x.n->op == OP_ConstantOfShape)
            constant_of_shape(&x, &fill, &f, &i);
        st = x.o.nomem ? diag_nomem(w->f.diag) : special[x.n->op] ? special[x.n->op](&x) : CALQUE_OK;
    }
    if (!st)
        st = onnx_out_flush(&x.o, x.n->label, x.n->origin);
    onnx_out_free(&x.o);
    return st;
}
