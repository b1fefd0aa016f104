/* Random graphs for the compile matrix, over every operator that can be emitted, most with a chain of the operators whose
   code has guards: Concat, Split, Pad, Slice, Expand, windows at borders; odd sizes, sizes 0 and 1, merged axes.
   usage: emit_matrix SEED COUNT DIR
   Writes DIR/gK.graph and the directory DIR/gK as `calque emit --name gK --vectors 1` does, with the options of
   DIR/gK.options: none, --seq, --no-fuse, or --acsl and --math=calque, one of them or both. On standard output: one line for each operator with the number of its nodes; exit status 1 if one never
   occurs that is not in the list `never`, or if a graph is refused that should not be. */
#include "../tensor/apply.h"

#include <sys/stat.h>

#include "emit/emit.h"
#include "graph/text.h"

enum { VALUES = 64, CELLS_MAX = 12000, CELLS_ALL = 60000, TRIES = 40, CHAIN = 7 };

/* Operators without kernel, which emission refuses. */
static const int never[] = { OP_Opaque };

/* A graph while it grows: values that can be used, and among them the graph's outputs. */
struct grow {
    struct bench b;
    struct draw *r;
    int value[VALUES], n;
    bool used[VALUES];
    long cells;
};

static const struct shape *shape_of(const struct grow *w, int v)
{
    return &w->b.g.node.a[v].shape;
}

/* Takes the node if its type can be emitted and is small; false otherwise (it is dead then). */
static bool take(struct grow *w, int node)
{
    struct node *x = &w->b.g.node.a[node];
    long n = x->shape.rank < 0 ? -1 : shape_elems(&x->shape);
    char name[16];

    if (n < 0 || n > CELLS_MAX || w->cells + n > CELLS_ALL || x->shape.rank > 6 || w->n == VALUES ||
        (x->dtype != DTYPE_F32 && x->dtype != DTYPE_I64 && x->dtype != DTYPE_BOOL))
        return false;
    snprintf(name, sizeof name, "n%d", w->n);
    x->name = strs_addz(&w->b.strs, name);
    w->cells += n;
    w->used[w->n] = false;
    w->value[w->n++] = node;
    return x->name >= 0;
}

/* A new graph input of the type that w->r->type says; -1 when it is too large. */
static int fresh(struct grow *w, const long *dim, int rank)
{
    struct shape s = { .rank = rank };
    int id;

    for (int i = 0; i < rank; i++)
        s.dim[i] = dim[i];
    if (shape_elems(&s) > CELLS_MAX || w->cells + shape_elems(&s) > CELLS_ALL)
        return -1;
    id = graph_input(&w->b.g, -1, w->r->type == 'f' ? DTYPE_F32 : DTYPE_I64, &s);
    w->cells += shape_elems(&s);
    return id;
}

/* The operator with the attributes of w->r->attrs over these values; takes it or its parts. */
static bool apply(struct grow *w, int op, const int *in, int nin, int nout)
{
    int node = bench_op(&w->b, op, w->r->attrs, nout, in, nin), before = w->n;

    if (node < 0 || op_infer(&w->b.g, node, &w->b.d) != CALQUE_OK)
        return false;
    if (!(op_info(op)->traits & OP_MULTI))
        return take(w, node);
    w->b.g.node.a[node].name = -1;
    for (int i = 0; i < nout; i++) {
        int part = graph_proj(&w->b.g, node, i, -1);
        if (part < 0 || op_infer(&w->b.g, part, &w->b.d) != CALQUE_OK)
            return false;
        take(w, part);
    }
    return w->n > before;
}

static bool chain_concat(struct grow *w, int v)
{
    struct shape s = *shape_of(w, v);
    bool tall = s.rank == 3 && s.dim[0] == 1 && pick(w->r, 0, 3); /* as the boxes of detectors */
    int in[6], n = (int)pick(w->r, 2, 6), axis = tall ? 1 : (int)pick(w->r, 0, s.rank - 1), at = (int)pick(w->r, 0, n - 1);
    long most = tall ? 2400 : pick(w->r, 0, 3) ? 9 : 700;

    for (int i = 0; i < n; i++) {
        long dim[RANK_MAX];
        memcpy(dim, s.dim, sizeof dim);
        dim[axis] = pick(w->r, 0, 9) ? pick(w->r, 1, pick(w->r, 0, 1) ? most : most < 60 ? most : 60) : 0;
        in[i] = i == at || !pick(w->r, 0, 5) ? v : fresh(w, dim, s.rank);
        if (in[i] < 0)
            return false;
    }
    put_int(w->r, "axis", axis);
    return apply(w, OP_Concat, in, n, 1);
}

static bool chain_split(struct grow *w, int v)
{
    const struct shape *s = shape_of(w, v);
    int axis = (int)pick(w->r, 0, s->rank - 1), n = 0;
    long part[5], left = s->dim[axis];

    while (n < 4 && left > 0) {
        part[n] = pick(w->r, pick(w->r, 0, 7) ? 1 : 0, left);
        left -= part[n++];
    }
    part[n++] = left;
    put_int(w->r, "axis", axis);
    put_ints(w->r, "split", part, n);
    return apply(w, OP_Split, &v, 1, n);
}

static bool chain_pad(struct grow *w, int v)
{
    static const char *const modes[] = {"constant", "edge", "reflect"};
    const struct shape *s = shape_of(w, v);
    int k = (int)pick(w->r, 0, 2), n = s->rank;
    long p[2 * RANK_MAX];

    for (int i = 0; i < 2 * n; i++) {
        long d = s->dim[i % n];
        p[i] = pick(w->r, 0, 1) ? 0 : k == 2 ? pick(w->r, 0, d - 1 < 9 ? d - 1 : 9) : pick(w->r, k ? 0 : -1, 5);
        if (k && d == 0)
            p[i] = 0;
    }
    put_ints(w->r, "pads", p, 2 * n);
    if (k == 0)
        put_real(w->r, "value", true);
    put(w->r->attrs, " mode='%s'", modes[k]);
    return apply(w, OP_Pad, &v, 1, 1);
}

static bool chain_slice(struct grow *w, int v)
{
    const struct shape *s = shape_of(w, v);
    long start[RANK_MAX], step[RANK_MAX], size[RANK_MAX];

    for (int i = 0; i < s->rank; i++) {
        long d = s->dim[i];
        start[i] = 0;
        step[i] = 1;
        size[i] = d;
        if (d == 0 || pick(w->r, 0, 1))
            continue;
        start[i] = pick(w->r, 0, d - 1);
        step[i] = pick(w->r, 0, 1) ? pick(w->r, 1, 4) : -pick(w->r, 1, 4);
        size[i] = pick(w->r, 1, step[i] > 0 ? (d - 1 - start[i]) / step[i] + 1 : start[i] / -step[i] + 1);
    }
    put_ints(w->r, "starts", start, s->rank);
    put_ints(w->r, "steps", step, s->rank);
    put_ints(w->r, "sizes", size, s->rank);
    return apply(w, OP_Slice, &v, 1, 1);
}

static bool chain_expand(struct grow *w, int v)
{
    const struct shape *s = shape_of(w, v);
    long dim[RANK_MAX];
    int more = (int)pick(w->r, 0, s->rank < 5 ? 1 : 0);

    for (int i = 0; i < more; i++)
        dim[i] = pick(w->r, 1, 5);
    for (int i = 0; i < s->rank; i++)
        dim[i + more] = s->dim[i] == 1 ? pick(w->r, 1, 17) : s->dim[i];
    put_ints(w->r, "shape", dim, s->rank + more);
    return apply(w, OP_Expand, &v, 1, 1);
}

/* Neighbouring dimensions become one, or one is taken apart. */
static bool chain_reshape(struct grow *w, int v)
{
    const struct shape *s = shape_of(w, v);
    long dim[RANK_MAX];
    int n = 0, at = (int)pick(w->r, 0, s->rank - 1);

    if (shape_elems(s) == 0)
        return false;
    if (s->rank > 1 && pick(w->r, 0, 3)) {
        for (int i = 0; i < s->rank; i++)
            if (i == at && i > 0)
                dim[n - 1] *= s->dim[i];
            else
                dim[n++] = s->dim[i];
    } else {
        for (int i = 0; i < s->rank && n < RANK_MAX - 1; i++) {
            long f = i != at ? 1 : s->dim[i] % 3 == 0 ? 3 : s->dim[i] % 2 == 0 ? 2 : 1;
            if (f > 1)
                dim[n++] = f;
            dim[n++] = s->dim[i] / f;
        }
    }
    put_ints(w->r, "shape", dim, n);
    return apply(w, OP_Reshape, &v, 1, 1);
}

static bool chain_transpose(struct grow *w, int v)
{
    int n = shape_of(w, v)->rank;
    long perm[RANK_MAX];

    draw_permutation(w->r, n, perm);
    put_ints(w->r, "perm", perm, n);
    return apply(w, OP_Transpose, &v, 1, 1);
}

/* A window over all but the first two dimensions, over the border. */
static bool chain_window(struct grow *w, int v)
{
    static const int ops[] = {OP_MaxPool, OP_AveragePool, OP_Conv};
    struct shape s = *shape_of(w, v);
    int op = ops[pick(w->r, 0, 2)], n = s.rank - 2, in[2] = {v};
    long k[RANK_MAX], p[2 * RANK_MAX], st[RANK_MAX], d[RANK_MAX];

    if (n < 1 || n > 3 || w->r->type != 'f' || shape_elems(&s) == 0 || shape_elems(&s) > 4000)
        return false;
    for (int i = 0; i < n; i++) {
        k[i] = pick(w->r, 1, 3);
        d[i] = op == OP_AveragePool ? 1 : pick(w->r, 1, 2);
        st[i] = pick(w->r, 1, 3);
        p[i] = pick(w->r, 0, op == OP_Conv ? 3 : k[i] - 1);
        p[n + i] = pick(w->r, 0, op == OP_Conv ? 3 : k[i] - 1);
    }
    put_ints(w->r, "pads", p, 2 * n);
    put_ints(w->r, "strides", st, n);
    if (op != OP_AveragePool)
        put_ints(w->r, "dilations", d, n);
    if (op == OP_Conv) {
        long dim[RANK_MAX] = {pick(w->r, 1, 9), s.dim[1]};
        memcpy(dim + 2, k, (size_t)n * sizeof *k);
        in[1] = fresh(w, dim, n + 2);
        return in[1] >= 0 && apply(w, op, in, 2, 1);
    }
    put_ints(w->r, "kernel_shape", k, n);
    put_int(w->r, "ceil_mode", pick(w->r, 0, 1));
    if (op == OP_AveragePool)
        put_int(w->r, "count_include_pad", pick(w->r, 0, 1));
    return apply(w, op, in, 1, 1);
}

static bool chain_reduce(struct grow *w, int v)
{
    const struct shape *s = shape_of(w, v);
    long axis[1] = {pick(w->r, 0, s->rank - 1)};

    put_ints(w->r, "axes", axis, 1);
    put_int(w->r, "keepdims", pick(w->r, 0, 1));
    return apply(w, w->r->type == 'f' && pick(w->r, 0, 1) ? OP_ReduceMean : OP_ReduceSum, &v, 1, 1);
}

/* Sums along a new last dimension, about as long as sums in lanes are. */
static bool chain_sums(struct grow *w, int v)
{
    static const long sizes[] = {31, 32, 33, 48, 64, 100};
    struct shape s = *shape_of(w, v);
    long axis[1] = {s.rank};
    int in[2], ops = w->r->type == 'f' ? 3 : 0;

    if (s.rank > 4)
        return false;
    s.dim[s.rank] = sizes[pick(w->r, 0, 5)];
    in[1] = fresh(w, s.dim, s.rank + 1);
    put_ints(w->r, "axes", axis, 1);
    if (in[1] < 0 || !apply(w, OP_Unsqueeze, &v, 1, 1))
        return false;
    *w->r->attrs = '\0';
    in[0] = w->value[w->n - 1];
    if (!apply(w, OP_Mul, in, 2, 1))
        return false;
    in[0] = w->value[w->n - 1];
    if (pick(w->r, 0, ops) == 3) {
        put_int(w->r, "axis", s.rank);
        return apply(w, pick(w->r, 0, 1) ? OP_Softmax : OP_LogSoftmax, in, 1, 1);
    }
    put_ints(w->r, "axes", axis, 1);
    put_int(w->r, "keepdims", 0);
    return apply(w, ops && pick(w->r, 0, 1) ? OP_ReduceMean : OP_ReduceSum, in, 1, 1);
}

static bool chain_pair(struct grow *w, int v)
{
    static const int ops[] = {OP_Add, OP_Sub, OP_Mul, OP_Max, OP_Min};
    struct shape s = *shape_of(w, v);
    long part[RANK_MAX];
    int in[2] = {v, fresh(w, part, draw_part(w->r, s.dim, s.rank, part))};

    return in[1] >= 0 && apply(w, ops[pick(w->r, 0, 4)], in, 2, 1);
}

static bool chain_one(struct grow *w, int v)
{
    static const int ops[] = {OP_Neg, OP_Abs, OP_Relu, OP_Clip, OP_Identity, OP_Sigmoid, OP_LeakyRelu};

    return apply(w, ops[pick(w->r, 0, w->r->type == 'f' ? 6 : 4)], &v, 1, 1);
}

static bool chain_step(struct grow *w, int v)
{
    if (w->b.g.node.a[v].dtype != DTYPE_F32 && w->b.g.node.a[v].dtype != DTYPE_I64)
        return false;
    *w->r->attrs = '\0';
    w->r->type = w->b.g.node.a[v].dtype == DTYPE_F32 ? 'f' : 'i';
    if (shape_of(w, v)->rank == 0)
        return chain_one(w, v);
    switch (pick(w->r, 0, 15)) {
    case 0: case 1: case 2: return chain_concat(w, v);
    case 3: case 4: case 5: return chain_pad(w, v);
    case 6: case 7: return chain_slice(w, v);
    case 8: return chain_split(w, v);
    case 9: return chain_expand(w, v);
    case 10: return chain_reshape(w, v);
    case 11: return chain_transpose(w, v);
    case 12: return chain_window(w, v);
    case 13: return pick(w->r, 0, 2) ? chain_sums(w, v) : chain_reduce(w, v);
    case 14: return chain_pair(w, v);
    default: return chain_one(w, v);
    }
}

/* A chain that starts at an input, or at the value `start`; values on its way are used again now and then. */
static void chain(struct grow *w, int start)
{
    static const long sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 13, 15, 16, 17, 31, 33, 64, 600};
    long dim[RANK_MAX];
    int rank = (int)pick(w->r, 1, 5), at = start, steps = (int)pick(w->r, 1, CHAIN);

    if (at < 0) {
        for (int i = 0; i < rank; i++)
            dim[i] = sizes[pick(w->r, 0, i == rank / 2 && !pick(w->r, 0, 2) ? 15 : 13 - 2 * rank)];
        if (rank == 3 && pick(w->r, 0, 1)) {
            dim[0] = 1;
            dim[1] = pick(w->r, 1, 900);
            dim[2] = pick(w->r, 1, 4);
        }
        if (!pick(w->r, 0, 15))
            dim[pick(w->r, 0, rank - 1)] = 0;
        at = fresh(w, dim, rank);
    }
    for (int i = 0; at >= 0 && i < steps; i++) {
        int first = w->n;
        if (!chain_step(w, at))
            continue;
        for (int k = 0; k < first; k++)
            w->used[k] = w->used[k] || w->value[k] == at;
        at = w->value[pick(w->r, pick(w->r, 0, 3) ? first : 0, w->n - 1)];
    }
}

/* Not all operators have a kernel on integers. */
static bool has_kernel(struct grow *w, int node)
{
    struct text t;
    bool ok;

    text_init(&t, &w->b.mem);
    ok = op_kernel_text(&w->b.g, node, &t, &w->b.d) == CALQUE_OK;
    text_free(&t);
    return ok;
}

/* One application of the operator as tests/tensor/draw.h draws it, of f32, i64 or truth values; false when it is refused. */
static bool drawn(struct grow *w, int op)
{
    struct draw *r = w->r;
    int node, before = w->n;

    do
        draw_operator(r, op);
    while (r->type != 'f' && r->type != 'i' && r->type != 'b');
    node = draw_node(r, &w->b, op);
    if (node < 0 || op_infer(&w->b.g, node, &w->b.d) != CALQUE_OK || !has_kernel(w, node))
        return false;
    if (!(op_info(op)->traits & OP_MULTI))
        return take(w, node);
    w->b.g.node.a[node].name = -1;
    for (int i = 0; i < w->b.g.node.a[node].index; i++) {
        int part = graph_proj(&w->b.g, node, i, -1);
        if (part >= 0 && op_infer(&w->b.g, part, &w->b.d) == CALQUE_OK)
            take(w, part);
    }
    return w->n > before;
}

/* Outputs: what nothing uses, and some of the rest. */
static bool outputs(struct grow *w)
{
    for (int i = 0; i < w->n; i++)
        if ((!w->used[i] || !pick(w->r, 0, 4)) &&
            !graph_output(&w->b.g, w->value[i], w->b.g.node.a[w->value[i]].name))
            return false;
    return w->n > 0;
}

/* The text of a new graph: a drawn application of `op`, a chain from it or from an input, another chain. */
static bool make_text(struct draw *r, int op, struct text *t)
{
    struct grow w = { .r = r };
    bool ok;

    bench_init(&w.b);
    ok = drawn(&w, op);
    if (ok && !pick(r, 0, 2))
        chain(&w, w.value[w.n - 1]);
    r->type = pick(r, 0, 6) ? 'f' : 'i';
    if (ok)
        chain(&w, -1);
    ok = ok && outputs(&w) && graph_compact(&w.b.g, NULL, &w.b.d) == CALQUE_OK &&
         graph_fill_names(&w.b.g, &w.b.d) == CALQUE_OK;
    if (ok)
        graph_text_write(t, &w.b.g);
    bench_free(&w.b);
    return ok && !t->failed;
}

/* Reads the text back, as the command would, and emits it; *why says what was refused. */
static bool emit_text(const struct text *t, const char *dir, int k, struct draw *r, long *count, struct diag *why)
{
    struct bench b;
    struct emit_files files = {0};
    char name[32], path[4096];
    struct emit_options o = { .name = name, .vectors = 1 };
    enum calque_status st;
    long mode = pick(r, 0, 19);
    static const char *const options[20] = {"--acsl", "--no-fuse", "--no-fuse", "--seq", "", "--math=calque", "--acsl --math=calque", "--sums=lanes", "--sums=lanes",
        "--sums=lanes", "--no-fuse --sums=lanes", "--acsl --sums=lanes", "", "", "", "", "--fma", "--fma", "--fma --sums=lanes", "--no-fuse --fma"};

    snprintf(name, sizeof name, "g%d", k);
    snprintf(path, sizeof path, "%s/%s.graph", dir, name);
    o.acsl = mode == 0 || mode == 6 || mode == 11;
    o.no_fuse = mode == 1 || mode == 2 || mode == 10 || mode == 19;
    o.seq = mode == 3;
    o.numbers.fma = mode >= 16;
    o.numbers.sums = (mode >= 7 && mode <= 11) || mode == 18 ? SUMS_LANES : SUMS_SEQUENTIAL;
    o.numbers.math = mode == 5 || mode == 6 ? MATH_CALQUE : MATH_LIBM;
    bench_init(&b);
    st = file_write(path, t->a, (size_t)t->n, why);
    snprintf(path, sizeof path, "%s/%s.options", dir, name);
    if (st == CALQUE_OK)
        st = file_write(path, options[mode], strlen(options[mode]), why);
    if (st == CALQUE_OK)
        st = graph_text_read(&b.g, path, t->a, (size_t)t->n, why);
    if (st == CALQUE_OK)
        st = emit_model(&b.g, &o, &files, why);
    if (st == CALQUE_OK && files.fallback.n > 0)
        st = diag_set(why, CALQUE_NO, "", 0, 0, "a check failed: %s", files.notes.a + files.fallback.a[0].reason);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (st == CALQUE_OK)
        st = emit_files_write(&files, path, why);
    for (int i = 0; st == CALQUE_OK && i < b.g.node.n; i++)
        if (b.g.node.a[i].kind == NODE_OP)
            count[b.g.node.a[i].op]++;
    emit_files_free(&files);
    bench_free(&b);
    return st == CALQUE_OK;
}

static int report(const long *count)
{
    int missing = 0;

    for (int op = 0; op < OP_COUNT; op++) {
        bool expected = true;
        for (size_t i = 0; i < sizeof never / sizeof *never; i++)
            expected = expected && never[i] != op;
        if (expected)
            printf("%s %ld\n", op_info(op)->name, count[op]);
        if (expected == (count[op] == 0)) {
            fprintf(stderr, "%s: %s\n", op_info(op)->name, expected ? "in no graph" : "in a graph, but listed as never");
            missing++;
        }
    }
    return missing;
}

int main(int argc, char **argv)
{
    struct mem mem = MEM_INIT;
    struct draw r = {.type = 'f'};
    long count[OP_COUNT] = {0};
    int n = argc == 4 ? atoi(argv[2]) : 0;

    if (n <= 0)
        return fputs("usage: emit_matrix SEED COUNT DIR\n", stderr), 2;
    r.seed = (unsigned)strtoul(argv[1], NULL, 10) * 2654435761u + 12345u;
    for (int k = 0; k < n; k++) {
        int op = 1 + k % (OP_COUNT - 1), tries = 0;
        struct text t;
        struct diag why;
        bool made = false;
        diag_clear(&why);
        for (; tries < TRIES && !made; tries++) {
            text_init(&t, &mem);
            made = make_text(&r, op, &t);
            if (made && !emit_text(&t, argv[3], k, &r, count, &why)) {
                if (strstr(why.text, "division by zero")) { /* of integers, in the test vectors: they have no value */
                    made = false;
                    text_free(&t);
                    continue;
                }
                fprintf(stderr, "g%d (%s): %s\n%s", k, op_info(op)->name, why.text, t.a);
                text_free(&t);
                return 1;
            }
            text_free(&t);
        }
        if (!made)
            return fprintf(stderr, "%s: no graph in %d tries\n", op_info(op)->name, tries), 1;
    }
    return report(count) > 0;
}
