/* Attention and RotaryEmbedding made of products, sums and softmax. */
#include "onnx/onnx_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* [batch, steps, heads * size] as [batch, heads, steps, size]. */
static int by_head(struct onnx_build *b, int x, long heads)
{
    static const long swap[] = {0, 2, 1, 3};
    struct shape s = make_shape(b, x);
    long dim[4] = {s.dim[0], s.dim[1], heads, 0};

    if (b->st || s.rank == 4)
        return x;
    if (s.rank != 3 || heads < 1 || s.dim[2] % heads) {
        b->st = onnx_fail(b->n, CALQUE_BAD, "an input of rank %d does not have %ld heads", s.rank, heads);
        return -1;
    }
    dim[3] = s.dim[2] / heads;
    return make_transpose(b, make_reshape(b, x, dim, 4), swap);
}

static int by_step(struct onnx_build *b, int x)
{
    static const long swap[] = {0, 2, 1, 3};
    struct shape s = make_shape(b, x);
    long dim[3] = {s.dim[0], s.dim[2], s.dim[1] * s.dim[3]};

    return b->st ? -1 : make_reshape(b, make_transpose(b, x, swap), dim, 3);
}

/* Each head k times, one after the other. */
static int shared(struct onnx_build *b, int x, long k)
{
    struct shape s = make_shape(b, x);
    long one[5] = {s.dim[0], s.dim[1], 1, s.dim[2], s.dim[3]}, many[5] = {s.dim[0], s.dim[1], k, s.dim[2], s.dim[3]};
    long dim[4] = {s.dim[0], s.dim[1] * k, s.dim[2], s.dim[3]};
    struct node_attr a = make_is(b, "shape", many, 5);

    if (b->st || k == 1)
        return x;
    x = make_reshape(b, x, one, 5);
    return make_reshape(b, make_op(b, OP_Expand, &x, 1, &a, 1), dim, 4);
}

/* 0 where query i may read key j <= i, else -infinity. */
static int causal(struct onnx_build *b, long queries, long keys, int dtype)
{
    struct shape s = {2, {queries, keys}};
    double *v;
    int x;

    if (b->st || queries > 1 << 16 || keys > 1 << 16 || (size_t)(queries * keys) > ONNX_CONST_BUDGET / sizeof *v) {
        make_no(b);
        return -1;
    }
    if (!(v = mem_resize(b->n->r->f.mem, NULL, (size_t)(queries * keys), sizeof *v))) {
        b->st = diag_nomem(b->n->r->f.diag);
        return -1;
    }
    for (long i = 0; i < queries; i++)
        for (long j = 0; j < keys; j++)
            v[i * keys + j] = j <= i ? 0 : -HUGE_VAL;
    x = make_values(b, dtype, &s, v);
    mem_free(v);
    return x;
}

/* Softmax over the keys; a row without any key is 0. */
static int weights(struct onnx_build *b, int score, bool masked)
{
    struct node_attr attr[2] = {make_i(b, "axis", 3), make_i(b, "flatten", 0)};
    int p;

    if (masked)
        score = make_clip(b, score, -(double)FLT_MAX, HUGE_VAL);
    p = make_op(b, OP_Softmax, &score, 1, attr, 2);
    return masked ? make_binary(b, OP_Mul, p, expand_positive(b, make_with(b, OP_Add, score, (double)FLT_MAX))) : p;
}

/* The scores of each query and key before softmax, and qk_matmul_output on the way. */
static int scores(struct onnx_build *b, int q, int k, bool past, bool *masked)
{
    static const long swap[] = {0, 1, 3, 2};
    struct shape s = make_shape(b, q), t = make_shape(b, k);
    long mode = onnx_attr_i(b->n, "qk_matmul_output_mode", 0);
    double cap = (double)onnx_attr_f(b->n, "softcap", 0), scale;
    int x, mask = expand_in(b, 3);

    if (b->st)
        return -1;
    scale = sqrt((double)onnx_attr_f(b->n, "scale", (float)(1 / sqrt((double)s.dim[3]))));
    k = make_transpose(b, make_with(b, OP_Mul, k, scale), swap);
    x = make_binary(b, OP_MatMul, make_with(b, OP_Mul, q, scale), k);
    if (mode == 0)
        make_output(b, 3, x);
    if (cap != 0)
        x = make_with(b, OP_Mul, make_unary(b, OP_Tanh, make_with(b, OP_Div, x, cap)), cap);
    if (mode == 1)
        make_output(b, 3, x);
    *masked = mask >= 0;
    if (mask >= 0 && make_dtype(b, mask) != DTYPE_F32) /* a boolean one */
        make_no(b);
    if (mask >= 0)
        x = make_binary(b, OP_Add, x, mask);
    if (onnx_attr_i(b->n, "is_causal", 0)) {
        if (past) /* versions of ONNX differ on which keys come first */
            make_no(b);
        x = make_binary(b, OP_Add, x, causal(b, s.dim[2], t.dim[2], DTYPE_F32));
    }
    if (mode == 2)
        make_output(b, 3, x);
    return x;
}

/* x after the state of earlier steps, which is output k too. */
static int with_past(struct onnx_build *b, int x, int past, int k)
{
    int in[2] = {past, x};

    x = past < 0 ? x : make_concat(b, in, 2, 2);
    make_output(b, k, x);
    return x;
}

/* What cannot be said is found before any output is defined. */
static bool is_usual(const struct onnx_build *b)
{
    int mask = expand_in(b, 3);

    for (int k = 0; k < 6; k++)
        if (expand_in(b, k) >= 0 && make_dtype(b, expand_in(b, k)) != DTYPE_F32)
            return false;
    return expand_in(b, 6) < 0 && onnx_attr_i(b->n, "softmax_precision", 1) == 1 &&
           !(onnx_attr_i(b->n, "is_causal", 0) && expand_in(b, 4) >= 0) && (mask < 0 || make_shape(b, mask).rank <= 4) &&
           onnx_attr_f(b->n, "scale", 1) > 0 && (expand_in(b, 4) < 0) == (expand_in(b, 5) < 0);
}

int expand_attention(struct onnx_build *b)
{
    long heads = onnx_attr_i(b->n, "q_num_heads", 0), own = onnx_attr_i(b->n, "kv_num_heads", 0);
    bool flat = make_shape(b, expand_in(b, 0)).rank == 3, masked = false;
    struct shape q, k, v;
    int x, y, w;

    if (!is_usual(b))
        make_no(b);
    x = by_head(b, expand_in(b, 0), heads);
    y = by_head(b, expand_in(b, 1), own);
    w = by_head(b, expand_in(b, 2), own);
    q = make_shape(b, x);
    k = make_shape(b, y);
    v = make_shape(b, w);
    if (!b->st && (q.rank != 4 || k.rank != 4 || v.rank != 4 || k.dim[1] < 1 || q.dim[1] % k.dim[1] || k.dim[1] != v.dim[1]))
        b->st = onnx_fail(b->n, CALQUE_BAD, "queries, keys and values do not fit");
    if (!b->st && (shape_elems(&q) == 0 || shape_elems(&k) == 0 || shape_elems(&v) == 0))
        make_no(b);
    if (b->st)
        return -1;
    y = with_past(b, y, expand_in(b, 4), 1);
    w = with_past(b, w, expand_in(b, 5), 2);
    x = scores(b, x, shared(b, y, q.dim[1] / k.dim[1]), expand_in(b, 4) >= 0, &masked);
    x = weights(b, x, masked);
    if (onnx_attr_i(b->n, "qk_matmul_output_mode", 0) == 3)
        make_output(b, 3, x);
    x = make_binary(b, OP_MatMul, x, shared(b, w, q.dim[1] / k.dim[1]));
    return flat ? by_step(b, x) : x;
}

/* The cache's rows of the positions, or the cache itself, as [batch, 1, steps, half]. */
static int rows(struct onnx_build *b, int cache, int position)
{
    struct node_attr axis = make_i(b, "axis", 0);
    int in[2] = {cache, position};
    struct shape s;
    long dim[4];

    if (position >= 0)
        cache = make_op(b, OP_Gather, in, 2, &axis, 1);
    s = make_shape(b, cache);
    if (!b->st && s.rank != 3)
        b->st = onnx_fail(b->n, CALQUE_BAD, "a cache has %d dimensions with its positions, not 3", s.rank);
    if (b->st)
        return -1;
    dim[0] = s.dim[0];
    dim[1] = 1;
    dim[2] = s.dim[1];
    dim[3] = s.dim[2];
    return make_reshape(b, cache, dim, 4);
}

int expand_rotary(struct onnx_build *b)
{
    bool mixed = onnx_attr_i(b->n, "interleaved", 0) != 0, flat = make_shape(b, expand_in(b, 0)).rank == 3;
    int x = by_head(b, expand_real_input(b), onnx_attr_i(b->n, "num_heads", 0)), cos = rows(b, expand_in(b, 1), expand_in(b, 3));
    int sin = rows(b, expand_in(b, 2), expand_in(b, 3)), part[2], turn[2], y;
    struct shape s = make_shape(b, x), t;
    long size = onnx_attr_i(b->n, "rotary_embedding_dim", 0), five[5];

    size = size ? size : b->st ? 0 : s.dim[3];
    if (!b->st && (s.rank != 4 || size < 2 || size % 2 || size > s.dim[3]))
        b->st = onnx_fail(b->n, CALQUE_BAD, "%ld of the places of a head cannot be rotated", size);
    if (b->st || shape_elems(&s) == 0) {
        make_no(b);
        return -1;
    }
    for (int k = 0; k < 2; k++)
        part[k] = mixed ? make_slice(b, x, 3, k, 2, size / 2) : make_slice(b, x, 3, k * (size / 2), 1, size / 2);
    y = make_binary(b, OP_Mul, sin, part[1]);
    turn[0] = make_binary(b, OP_Sub, make_binary(b, OP_Mul, cos, part[0]), y);
    y = make_binary(b, OP_Mul, cos, part[1]);
    turn[1] = make_binary(b, OP_Add, make_binary(b, OP_Mul, sin, part[0]), y);
    t = s;
    t.dim[3] = size;
    for (int k = 0; k < 2 && mixed; k++) {
        memcpy(five, s.dim, 3 * sizeof *five);
        five[3] = size / 2;
        five[4] = 1;
        turn[k] = make_reshape(b, turn[k], five, 5);
    }
    y = make_reshape(b, make_concat(b, turn, 2, mixed ? 4 : 3), t.dim, 4);
    if (size < s.dim[3]) {
        int both[2] = {y, make_slice(b, x, 3, size, 1, s.dim[3] - size)};
        y = make_concat(b, both, 2, 3);
    }
    return flat ? by_step(b, y) : y;
}
