/* LSTM, GRU and RNN, step by step: one MatMul for the inputs of all steps, then each step's own operators. */
#include "onnx/onnx_internal.h"

#include <string.h>

enum { STEPS_MAX = 256, GATES_MAX = 4 };

enum recurrence { PLAIN, GATED, LONG_SHORT };

struct recurrent {
    struct onnx_build *b;
    enum recurrence kind;
    int gates, directions;
    bool reverse, by_batch; /* layout 1: batch, then steps */
    long steps, batch, in, hidden;
    int x; /* [steps, batch, in] */
};

/* The state of one direction. */
struct state {
    int d;
    int weights, bias, bias_state; /* R[d] transposed; what is added once; GRU: to the hidden gate's state */
    int peephole[3];
    int h, c;
};

static int slice_of(struct onnx_build *b, int x, int axis, long at, const long *dim, int rank)
{
    return make_reshape(b, make_slice(b, x, axis, at, 1, 1), dim, rank);
}

static int part(struct onnx_build *b, int x, int axis, long k, long size)
{
    return make_slice(b, x, axis, k * size, 1, size);
}

/* Only what the formulas below say: the usual activations, no clipping, all steps. */
static void check_usual(struct recurrent *r)
{
    static const char *const usual[][3] = {{"Tanh"}, {"Sigmoid", "Tanh"}, {"Sigmoid", "Tanh", "Tanh"}};
    struct onnx_build *b = r->b;
    const Onnx__AttributeProto *a = onnx_attr(b->n, "activations");
    struct onnx_list l = {0};

    for (size_t i = 0; a && i < a->n_strings; i++) {
        const char *want = usual[r->kind][i % (size_t)(r->kind + 1)];
        if (a->strings[i].len != strlen(want) || memcmp(a->strings[i].data, want, strlen(want)) != 0)
            make_no(b);
    }
    if (onnx_attr(b->n, "clip") || onnx_attr_i(b->n, "input_forget", 0) || onnx_attr(b->n, "activation_alpha") ||
        onnx_attr(b->n, "activation_beta"))
        make_no(b);
    if (!b->st)
        b->st = onnx_list_get(b->n, NULL, 4, &l);
    for (size_t i = 0; i < l.n; i++)
        if (l.a[i] != r->steps)
            make_no(b);
    onnx_list_free(&l);
}

static void read_recurrent(struct recurrent *r)
{
    static const long swap[] = {1, 0, 2};
    struct onnx_build *b = r->b;
    const Onnx__AttributeProto *direction = onnx_attr(b->n, "direction");
    struct shape x, w = make_shape(b, expand_in(b, 1)), s = make_shape(b, expand_in(b, 2));

    r->directions = direction && onnx_attr_is(direction, "bidirectional") ? 2 : 1;
    r->reverse = direction && onnx_attr_is(direction, "reverse");
    r->by_batch = onnx_attr_i(b->n, "layout", 0) != 0;
    r->x = expand_real_input(b);
    x = make_shape(b, r->x);
    if (!b->st && (x.rank != 3 || w.rank != 3 || s.rank != 3 || w.dim[0] != r->directions || s.dim[0] != r->directions ||
                   w.dim[2] != x.dim[2] || s.dim[1] != r->gates * s.dim[2] || w.dim[1] != s.dim[1]))
        b->st = onnx_fail(b->n, CALQUE_BAD, "input and weights do not fit");
    if (b->st)
        return;
    if (r->by_batch)
        r->x = make_transpose(b, r->x, swap);
    x = make_shape(b, r->x);
    r->steps = x.dim[0];
    r->batch = x.dim[1];
    r->in = x.dim[2];
    r->hidden = s.dim[2];
    if (onnx_attr_i(b->n, "hidden_size", r->hidden) != r->hidden)
        b->st = onnx_fail(b->n, CALQUE_BAD, "hidden_size is not that of the weights");
    if (r->steps > STEPS_MAX || shape_elems(&x) == 0 || r->hidden == 0 || s.dim[1] > 1 << 20)
        make_no(b);
    check_usual(r);
}

/* W[d] or R[d] as a matrix [its inputs, gates * hidden]. */
static int matrix(const struct recurrent *r, int input, int d, long rows)
{
    static const long turn[] = {1, 0};
    long two[2] = {r->gates * r->hidden, rows};

    return make_folded(r->b, make_transpose(r->b, slice_of(r->b, expand_in(r->b, input), 0, d, two, 2), turn));
}

/* The initial state: input k, or zeros. */
static int initial(const struct recurrent *r, int k, int d)
{
    struct onnx_build *b = r->b;
    long two[2] = {r->batch, r->hidden};
    struct shape s = {2, {r->batch, r->hidden}};
    double *zeros;
    int x;

    if (expand_in(b, k) >= 0)
        return slice_of(b, expand_in(b, k), r->by_batch, d, two, 2);
    if (shape_elems(&s) < 0 || (size_t)shape_elems(&s) > ONNX_CONST_BUDGET / sizeof *zeros)
        make_no(b);
    if (b->st)
        return -1;
    if (!(zeros = mem_zero(b->n->r->f.mem, (size_t)shape_elems(&s), sizeof *zeros))) {
        b->st = diag_nomem(b->n->r->f.diag);
        return -1;
    }
    x = make_values(b, make_dtype(b, r->x), &s, zeros);
    mem_free(zeros);
    return x;
}

static void read_state(const struct recurrent *r, struct state *s, int d)
{
    struct onnx_build *b = r->b;
    long wide = r->gates * r->hidden, one[1] = {2 * wide}, three[1] = {3 * r->hidden};
    int bias = -1, p = expand_in(b, 7);
    bool late = r->kind == GATED && onnx_attr_i(b->n, "linear_before_reset", 0) != 0;

    memset(s, -1, sizeof *s);
    s->d = d;
    s->weights = matrix(r, 2, d, r->hidden);
    if (expand_in(b, 3) >= 0) {
        bias = slice_of(b, expand_in(b, 3), 0, d, one, 1);
        s->bias = part(b, bias, 0, 0, wide);
        s->bias_state = part(b, bias, 0, 1, wide);
        if (!late) {
            s->bias = make_folded(b, make_binary(b, OP_Add, s->bias, s->bias_state));
            s->bias_state = -1;
        }
    }
    for (int k = 0; r->kind == LONG_SHORT && p >= 0 && k < 3; k++)
        s->peephole[k] = part(b, slice_of(b, p, 0, d, three, 1), 0, k, r->hidden);
    s->h = initial(r, 5, d);
    if (r->kind == LONG_SHORT)
        s->c = initial(r, 6, d);
}

static int plus(struct onnx_build *b, int x, int y)
{
    return y < 0 ? x : make_binary(b, OP_Add, x, y);
}

/* Gate k of what the inputs and the state give together. */
static int gate(const struct recurrent *r, int sum, int k)
{
    return part(r->b, sum, 1, k, r->hidden);
}

static int looked(const struct recurrent *r, const struct state *s, int x, int k, int c)
{
    return s->peephole[k] < 0 ? x : make_binary(r->b, OP_Add, x, make_binary(r->b, OP_Mul, s->peephole[k], c));
}

/* Gates input, output, forget, cell. */
static void step_long_short(const struct recurrent *r, struct state *s, int xw)
{
    struct onnx_build *b = r->b;
    int sum = make_binary(b, OP_Add, xw, make_binary(b, OP_MatMul, s->h, s->weights));
    int i = make_unary(b, OP_Sigmoid, looked(r, s, gate(r, sum, 0), 0, s->c));
    int f = make_unary(b, OP_Sigmoid, looked(r, s, gate(r, sum, 2), 2, s->c));
    int g = make_unary(b, OP_Tanh, gate(r, sum, 3)), o;

    i = make_binary(b, OP_Mul, i, g);
    s->c = make_binary(b, OP_Add, make_binary(b, OP_Mul, f, s->c), i);
    o = make_unary(b, OP_Sigmoid, looked(r, s, gate(r, sum, 1), 1, s->c));
    s->h = make_binary(b, OP_Mul, o, make_unary(b, OP_Tanh, s->c));
}

/* Gate k of the inputs and the state, each of which gives its part. */
static int both(const struct recurrent *r, int xw, int hw, int k)
{
    int h = gate(r, hw, k);

    return make_unary(r->b, OP_Sigmoid, make_binary(r->b, OP_Add, gate(r, xw, k), h));
}

/* Gates update, reset, hidden. */
static void step_gated(const struct recurrent *r, struct state *s, int xw)
{
    struct onnx_build *b = r->b;
    bool late = onnx_attr_i(b->n, "linear_before_reset", 0) != 0;
    int hw = plus(b, make_binary(b, OP_MatMul, s->h, s->weights), s->bias_state);
    int z = both(r, xw, hw, 0), reset = both(r, xw, hw, 1), g;

    g = gate(r, late ? hw : s->weights, 2);
    if (late)
        g = make_binary(b, OP_Mul, reset, g);
    else
        g = make_binary(b, OP_MatMul, make_binary(b, OP_Mul, reset, s->h), g);
    g = make_unary(b, OP_Tanh, make_binary(b, OP_Add, gate(r, xw, 2), g));
    s->h = make_binary(b, OP_Mul, z, s->h);
    s->h = make_binary(b, OP_Add, make_binary(b, OP_Mul, make_with(b, OP_Add, make_unary(b, OP_Neg, z), 1), g), s->h);
}

static void step(const struct recurrent *r, struct state *s, int xw)
{
    struct onnx_build *b = r->b;

    if (r->kind == LONG_SHORT)
        step_long_short(r, s, xw);
    else if (r->kind == GATED)
        step_gated(r, s, xw);
    else
        s->h = make_unary(b, OP_Tanh, make_binary(b, OP_Add, xw, make_binary(b, OP_MatMul, s->h, s->weights)));
}

/* All steps of one direction: their states as [steps, 1, batch, hidden]. */
static int run(const struct recurrent *r, struct state *s)
{
    struct onnx_build *b = r->b;
    long two[2] = {r->batch, r->gates * r->hidden}, four[4] = {1, 1, r->batch, r->hidden};
    int all = plus(b, make_binary(b, OP_MatMul, r->x, matrix(r, 1, s->d, r->in)), s->bias), y[STEPS_MAX];
    bool back = r->reverse || s->d == 1;

    for (long k = 0; k < r->steps && !b->st; k++) {
        long t = back ? r->steps - 1 - k : k;
        step(r, s, slice_of(b, all, 0, t, two, 2));
        y[t] = make_reshape(b, s->h, four, 4);
    }
    return b->st ? -1 : make_concat(b, y, (int)r->steps, 0);
}

/* The last states of the directions: [directions, batch, hidden], by batch first in layout 1. */
static int last(const struct recurrent *r, const int *state)
{
    static const long swap[] = {1, 0, 2};
    long three[3] = {1, r->batch, r->hidden};
    int x[2] = {-1, -1}, y;

    for (int d = 0; d < r->directions; d++)
        x[d] = make_reshape(r->b, state[d], three, 3);
    y = make_concat(r->b, x, r->directions, 0);
    return r->by_batch ? make_transpose(r->b, y, swap) : y;
}

static int recurrent(struct onnx_build *b, enum recurrence kind, int gates)
{
    static const long swap[] = {2, 0, 1, 3};
    struct recurrent r = {.b = b, .kind = kind, .gates = gates};
    int y[2] = {-1, -1}, h[2], c[2], all;

    read_recurrent(&r);
    for (int d = 0; d < r.directions && !b->st; d++) {
        struct state s;
        read_state(&r, &s, d);
        y[d] = run(&r, &s);
        h[d] = s.h;
        c[d] = s.c;
    }
    if (b->st)
        return -1;
    all = make_concat(b, y, r.directions, 1);
    if (r.by_batch)
        all = make_transpose(b, all, swap);
    make_output(b, 1, last(&r, h));
    if (kind == LONG_SHORT)
        make_output(b, 2, last(&r, c));
    return all;
}

int expand_rnn(struct onnx_build *b) { return recurrent(b, PLAIN, 1); }
int expand_gru(struct onnx_build *b) { return recurrent(b, GATED, 3); }
int expand_lstm(struct onnx_build *b) { return recurrent(b, LONG_SHORT, 4); }
