/* Random graphs that mix element types, over every operator: applications as draw.h draws them, whose inputs are made, by Cast,
   Reshape, Slice, Concat and Clip, of values that are there already, or are new inputs and constants.
   usage: model_graphs N SEED DIR            writes DIR/1.graph .. DIR/N.graph; prints how many draws were left out, by reason
          model_graphs --smaller GRAPH DIR   writes DIR/1.graph ..: graphs that are one step smaller */
#include "apply.h"

#include <math.h>

#include "graph/text.h"

enum { VALUES = 48, CELLS_MAX = 200, CELLS_ALL = 2500, STEPS = 6, TRIES = 60 };

/* Why a draw is left out. */
enum left { TOO_LARGE, REFUSED, NO_KERNEL, LEFTS };
static const char *const lefts[LEFTS] = {"too large", "refused", "without kernel"};

/* A graph while it grows: the values that can be used. */
struct grow {
    struct bench b;
    struct draw *r;
    int value[VALUES], n;
    bool used[VALUES];
    long cells;
    long left[LEFTS];
};

static struct node *node_of(struct grow *w, int id)
{
    return &w->b.g.node.a[id];
}

/* Inferred, small, and with a kernel? A node that is not is dead. */
static bool fits(struct grow *w, int node)
{
    struct text t;
    bool ok;

    if (node < 0 || op_infer(&w->b.g, node, &w->b.d) != CALQUE_OK)
        return w->left[REFUSED]++, false;
    text_init(&t, &w->b.mem);
    ok = op_kernel_text(&w->b.g, node, &t, &w->b.d) == CALQUE_OK;
    text_free(&t);
    return ok || (w->left[NO_KERNEL]++, false);
}

static bool small(struct grow *w, int node)
{
    long n = shape_elems(&node_of(w, node)->shape);

    if (n < 0 || n > CELLS_MAX || w->cells + n > CELLS_ALL)
        return w->left[TOO_LARGE]++, false;
    w->cells += n;
    return true;
}

static void keep(struct grow *w, int node)
{
    if (w->n < VALUES) {
        w->used[w->n] = false;
        w->value[w->n++] = node;
    }
}

/* One operator of one output over values; -1 when it is left out. */
static int apply(struct grow *w, int op, const char *attrs, const int *in, int nin)
{
    int node = bench_op(&w->b, op, attrs, 1, in, nin);

    return fits(w, node) && small(w, node) ? node : -1;
}

/* Numbers that are exact in few bits, and now and then others and special ones. */
static double number(struct draw *r)
{
    static const double some[] = {-0.0, HUGE_VAL, -HUGE_VAL, (double)NAN, 0x1p-149, 0x1.fffffep+127, 0.1, 3e-39, 1e10, -3e9, 2.5, 0x1p-1074};

    if (!pick(r, 0, 19))
        return some[pick(r, 0, 11)];
    return pick(r, 0, 3) ? (double)pick(r, -24, 24) / 4 : (double)pick(r, -100000, 100000) / 731;
}

static long integer(struct draw *r, bool wide)
{
    static const long some[] = {0, 1, -1, 0x7fffffff, -0x80000000L, 0x7fffffffffffffff, -0x7fffffffffffffff - 1, 0x20000000000001, 0x100000000};

    return pick(r, 0, 19) ? pick(r, -9, 9) : some[pick(r, 0, wide ? 8 : 4)];
}

static int constant(struct grow *w, int dtype, const struct shape *shape)
{
    struct tensor t;

    if (tensor_new(&w->b.mem, dtype, shape, &t, &w->b.d))
        return -1;
    for (long i = 0; i < shape_elems(shape); i++)
        switch (dtype) {
        case DTYPE_F32: tensor_f32(&t)[i] = (float)number(w->r); break;
        case DTYPE_F64: ((double *)t.data)[i] = number(w->r); break;
        case DTYPE_I64: tensor_i64(&t)[i] = integer(w->r, true); break;
        case DTYPE_I32: ((int32_t *)t.data)[i] = (int32_t)integer(w->r, false); break;
        case DTYPE_I8: case DTYPE_U8: ((unsigned char *)t.data)[i] = (unsigned char)pick(w->r, 0, 255); break;
        default: ((unsigned char *)t.data)[i] = (unsigned char)pick(w->r, 0, 1);
        }
    return graph_const(&w->b.g, -1, &t);
}

/* The value as a vector of n cells: a part of it, or copies one after the other. */
static int as_vector(struct grow *w, int v, long n)
{
    char attrs[128];
    long have = shape_elems(&node_of(w, v)->shape), start;
    int in[CELLS_MAX];

    snprintf(attrs, sizeof attrs, "shape=%ld,", have);
    v = apply(w, OP_Reshape, attrs, &v, 1);
    if (v >= 0 && have < n && n <= CELLS_MAX) {
        int copies = (int)((n + have - 1) / have);
        for (int i = 0; i < copies; i++)
            in[i] = v;
        v = apply(w, OP_Concat, "axis=0", in, copies);
        have *= copies;
    }
    if (v < 0 || have == n)
        return v;
    start = pick(w->r, 0, have - n);
    snprintf(attrs, sizeof attrs, "starts=%ld, steps=1, sizes=%ld,", start, n);
    return apply(w, OP_Slice, attrs, &v, 1);
}

/* The value with this element type: by Cast, or by a comparison. */
static int as_type(struct grow *w, int v, int dtype)
{
    int in[2] = {v, v}, from = node_of(w, v)->dtype;
    struct shape scalar = {.rank = 0};
    char attrs[32];

    if (from == dtype)
        return v;
    if (dtype == DTYPE_BOOL && pick(w->r, 0, 1)) {
        in[1] = constant(w, from, &scalar);
        return in[1] < 0 ? -1 : apply(w, pick(w->r, 0, 1) ? OP_Less : OP_GreaterOrEqual, "", in, 2);
    }
    snprintf(attrs, sizeof attrs, "to=%d", dtype);
    return apply(w, OP_Cast, attrs, in, 1);
}

/* A value that is there, brought to this type and shape; -1: none is. */
static int adapt(struct grow *w, int dtype, const struct shape *shape)
{
    int at = (int)pick(w->r, w->n > 4 && pick(w->r, 0, 1) ? w->n - 4 : 0, w->n - 1), v, from = w->n ? w->value[at] : -1;
    long n = shape_elems(shape);
    char attrs[DRAW_TEXT] = "shape=";

    if (from < 0 || n <= 0 || shape_elems(&node_of(w, from)->shape) <= 0)
        return -1;
    v = pick(w->r, 0, 9) ? from : as_type(w, from, pick(w->r, 0, 1) ? DTYPE_I8 : DTYPE_U8);
    v = v < 0 ? v : as_type(w, v, dtype);
    if (v >= 0 && !shape_equal(&node_of(w, v)->shape, shape)) {
        v = as_vector(w, v, n);
        for (int i = 0; i < shape->rank; i++)
            put(attrs, "%ld,", shape->dim[i]);
        if (v >= 0)
            v = apply(w, OP_Reshape, shape->rank ? attrs : "shape=()", &v, 1);
    }
    if (v >= 0)
        w->used[at] = true;
    return v;
}

static int fresh(struct grow *w, int dtype, const struct shape *shape)
{
    long n = shape_elems(shape);
    int id;

    if (n < 0 || n > CELLS_MAX || w->cells + n > CELLS_ALL)
        return w->left[TOO_LARGE]++, -1;
    w->cells += n;
    id = pick(w->r, 0, 1) ? constant(w, dtype, shape) : graph_input(&w->b.g, -1, dtype, shape);
    if (id >= 0)
        keep(w, id);
    return id;
}

/* Constant indices, all inside. */
static int known_indices(struct grow *w, int dtype, const struct shape *shape, long size)
{
    struct tensor t;
    int id;

    if (w->cells + shape_elems(shape) > CELLS_ALL || tensor_new(&w->b.mem, dtype, shape, &t, &w->b.d))
        return -1;
    w->cells += shape_elems(shape);
    for (long i = 0; i < shape_elems(shape); i++) {
        long at = pick(w->r, -size, size - 1);
        if (dtype == DTYPE_I64)
            tensor_i64(&t)[i] = at;
        else
            ((int32_t *)t.data)[i] = (int32_t)at;
    }
    id = graph_const(&w->b.g, -1, &t);
    if (id >= 0)
        keep(w, id);
    return id;
}

/* Indices of a Gather, of i64 or i32: mostly inside, and some of them constants. */
static int indices(struct grow *w, const struct shape *x, const struct shape *shape)
{
    long axis = strtol(strstr(w->r->attrs, "axis=") + 5, NULL, 10), size = x->dim[axis];
    int dtype = pick(w->r, 0, 2) ? DTYPE_I64 : DTYPE_I32, v;
    char attrs[64];

    if (size > 0 && !pick(w->r, 0, 2))
        return known_indices(w, dtype, shape, size);
    v = pick(w->r, 0, 2) ? adapt(w, dtype, shape) : -1;
    if (v < 0)
        v = fresh(w, dtype, shape);
    if (v < 0 || !pick(w->r, 0, 19))
        return v;
    snprintf(attrs, sizeof attrs, "min=%ld.0 max=%ld.0", -size, size - 1);
    return apply(w, OP_Clip, attrs, &v, 1);
}

/* Inputs whose values do not matter may have any type. */
static int wanted(struct grow *w, int op, int k, int dtype)
{
    static const int all[] = {DTYPE_F32, DTYPE_F64, DTYPE_I64, DTYPE_I32, DTYPE_BOOL, DTYPE_I8, DTYPE_U8};

    return (op == OP_ReshapeLike || op == OP_BroadcastLike) && k == 1 ? all[pick(w->r, 0, 6)] : dtype;
}

/* The inputs that r->in describes; -1 when one is left out. */
static int inputs(struct grow *w, int op, int *in)
{
    const char *s = w->r->in;
    int n = 0;

    for (; *s && n < BENCH_INPUTS; n++) {
        struct shape shape = {.rank = 0};
        int dtype;

        type_parse(s, &dtype, &shape);
        s += strcspn(s, " ");
        s += *s == ' ';
        dtype = wanted(w, op, n, dtype);
        if (op == OP_Gather && n == 1)
            in[n] = indices(w, &node_of(w, in[0])->shape, &shape);
        else
            in[n] = pick(w->r, 0, 2) ? adapt(w, dtype, &shape) : -1;
        if (in[n] < 0 && !(op == OP_Gather && n == 1))
            in[n] = fresh(w, dtype, &shape);
        if (in[n] < 0)
            return -1;
    }
    return n;
}

/* One application of the operator, of its parts if it has several; false when it is left out. */
static bool step(struct grow *w, int op)
{
    int in[BENCH_INPUTS], nin, nout = 1, node;
    const char *parts;

    draw_operator(w->r, op);
    parts = strstr(w->r->attrs, "split=");
    for (const char *c = parts; op == OP_Split && *c && *c != ' '; c++)
        nout += *c == ',';
    nout -= op == OP_Split;
    nin = inputs(w, op, in);
    node = nin < 0 ? -1 : bench_op(&w->b, op, w->r->attrs, nout, in, nin);
    if (nin < 0 || !fits(w, node))
        return false;
    if (op != OP_Split)
        return small(w, node) && (keep(w, node), true);
    for (int i = 0; i < nout; i++) {
        int part = graph_proj(&w->b.g, node, i, -1);
        if (part < 0 || op_infer(&w->b.g, part, &w->b.d) != CALQUE_OK || !small(w, part))
            return false;
        keep(w, part);
    }
    return true;
}

static bool name_nodes(struct grow *w)
{
    char name[16];

    for (int i = 0; i < w->b.g.node.n; i++) {
        snprintf(name, sizeof name, "n%d", i);
        node_of(w, i)->name = strs_addz(&w->b.strs, name);
        if (node_of(w, i)->name < 0)
            return false;
    }
    return true;
}

/* Only nodes and inputs that an output needs. */
static bool prune(struct bench *b)
{
    struct graph *g = &b->g;
    bool *need = calloc((size_t)g->node.n, sizeof *need);
    int n = 0;

    for (int i = 0; need && i < g->output.n; i++)
        need[g->output.a[i].node] = true;
    for (bool again = true; need && again;) {
        again = false;
        for (int i = g->node.n - 1; i >= 0; i--)
            for (int k = 0; need[i] && k < g->node.a[i].nin; k++) {
                int in = graph_in(g, i, k);
                again = again || (in >= 0 && !need[in]);
                if (in >= 0)
                    need[in] = true;
            }
    }
    for (int i = 0; need && i < g->input.n; i++)
        if (need[g->input.a[i]])
            g->input.a[n++] = g->input.a[i];
    g->input.n = need ? n : g->input.n;
    free(need);
    return graph_compact(g, NULL, &b->d) == CALQUE_OK;
}

/* Outputs: the last value, what nothing uses, and some of the rest. */
static bool outputs(struct grow *w)
{
    if (w->n == 0 || !name_nodes(w))
        return false;
    for (int i = 0; i < w->n; i++)
        if ((i == w->n - 1 || (!w->used[i] && pick(w->r, 0, 2)) || !pick(w->r, 0, 9)) &&
            !graph_output(&w->b.g, w->value[i], node_of(w, w->value[i])->name))
            return false;
    return prune(&w->b);
}

/* The text of a new graph: `op`, and operators before and behind it. */
static bool make_text(struct draw *r, int op, struct text *t, long *left)
{
    struct grow w = {.r = r};
    int steps = (int)pick(r, 1, STEPS), at = (int)pick(r, 0, steps - 1);
    bool ok = true, there = false;

    bench_init(&w.b);
    for (int i = 0; i < steps; i++)
        there = step(&w, i == at ? op : 1 + (int)pick(r, 0, OP_COUNT - 2)) ? there || i == at : there;
    ok = there && outputs(&w);
    if (ok)
        graph_text_write(t, &w.b.g);
    for (int i = 0; i < LEFTS; i++)
        left[i] += w.left[i];
    bench_free(&w.b);
    return ok && !t->failed;
}

static bool write_text(const struct text *t, const char *dir, int k)
{
    char path[4096];
    struct diag d;

    snprintf(path, sizeof path, "%s/%d.graph", dir, k);
    return file_write(path, t->a, (size_t)t->n, &d) == CALQUE_OK;
}

static int generate(int n, unsigned seed, const char *dir)
{
    struct mem mem = MEM_INIT;
    struct draw r = {.type = 'f', .seed = seed * 2654435761u + 77u};
    long left[LEFTS] = {0};
    int again = 0;

    for (int k = 1; k <= n; k++) {
        bool made = false;
        for (int tries = 0; tries < TRIES && !made; tries++) {
            struct text t;
            text_init(&t, &mem);
            made = make_text(&r, 1 + (k - 1) % (OP_COUNT - 1), &t, left);
            again += !made;
            if (made && !write_text(&t, dir, k))
                return fprintf(stderr, "%s/%d.graph cannot be written\n", dir, k), 3;
            text_free(&t);
        }
        if (!made)
            return fprintf(stderr, "%s: no graph in %d tries\n", op_info(1 + (k - 1) % (OP_COUNT - 1))->name, TRIES), 1;
    }
    printf("%d graphs, %d drawn again; applications left out:", n, again);
    for (int i = 0; i < LEFTS; i++)
        printf("%s %ld %s", i ? "," : "", left[i], lefts[i]);
    printf("\n");
    return 0;
}

/* ---- smaller graphs ---- */

/* Operator k, or part k of one, becomes a new input; false when it cannot. */
static bool cut(struct bench *b, int k)
{
    struct graph *g = &b->g;
    struct shape shape = g->node.a[k].shape;
    int dtype = g->node.a[k].dtype, id, number = 0;
    char text[16];

    if ((g->node.a[k].kind != NODE_OP && g->node.a[k].kind != NODE_PROJ) || shape.rank < 0 || dtype == DTYPE_UNKNOWN)
        return false;
    for (int i = 0; i < g->output.n; i++)
        if (g->output.a[i].node == k)
            return false;
    do
        snprintf(text, sizeof text, "c%d", ++number);
    while (strs_find(&b->strs, text, strlen(text)) >= 0);
    id = graph_input(g, strs_addz(&b->strs, text), dtype, &shape);
    for (int e = 0; id >= 0 && e < g->in.n; e++)
        if (g->in.a[e] == k)
            g->in.a[e] = id;
    return id >= 0;
}

/* How many ways there are to make the graph smaller: one output alone; of one output, one of its inputs in its place; an
   operator cut off. */
static int ways(const struct graph *g)
{
    return (g->output.n > 1 ? g->output.n : g->node.a[g->output.a[0].node].nin) + g->node.n;
}

/* Does way k change the graph? */
static bool smaller(struct bench *b, int k)
{
    struct graph *g = &b->g;
    int first = ways(g) - g->node.n, in;

    if (k >= first)
        return cut(b, k - first);
    if (g->output.n > 1) {
        g->output.a[0] = g->output.a[k];
        g->output.n = 1;
        return true;
    }
    in = graph_in(g, g->output.a[0].node, k);
    if (in < 0 || g->node.a[in].shape.rank < 0)
        return false;
    g->output.a[0].node = in;
    return true;
}

/* The text of way k of the graph; false when there is none. *more: is there another? */
static bool smaller_text(const char *path, int k, struct text *t, bool *more)
{
    struct bench b;
    char *data = NULL;
    size_t n = 0;
    bool ok;

    *more = false;
    bench_init(&b);
    ok = file_read(&b.mem, path, &data, &n, &b.d) == CALQUE_OK && graph_text_read(&b.g, path, data, n, &b.d) == CALQUE_OK &&
         b.g.output.n > 0;
    if (ok) {
        *more = k + 1 < ways(&b.g);
        ok = smaller(&b, k) && prune(&b);
    } else {
        fprintf(stderr, "%s: %s\n", path, b.d.text);
    }
    if (ok)
        graph_text_write(t, &b.g);
    mem_free(data);
    bench_free(&b);
    return ok && !t->failed;
}

static int all_smaller(const char *path, const char *dir)
{
    struct mem mem = MEM_INIT;
    bool more = true;
    int made = 0;

    for (int k = 0; more; k++) {
        struct text t;
        text_init(&t, &mem);
        if (smaller_text(path, k, &t, &more) && !write_text(&t, dir, ++made))
            return 3;
        text_free(&t);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int n = argc == 4 ? atoi(argv[1]) : 0;

    if (argc == 4 && strcmp(argv[1], "--smaller") == 0)
        return all_smaller(argv[2], argv[3]);
    if (n <= 0)
        return fputs("usage: model_graphs N SEED DIR, or model_graphs --smaller GRAPH DIR\n", stderr), 2;
    return generate(n, (unsigned)strtoul(argv[2], NULL, 10), argv[3]);
}
