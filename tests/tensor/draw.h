/* Random applications of every operator, as descriptions for build.h: most are accepted by op_infer. */
#ifndef CALQUE_TESTS_TENSOR_DRAW_H
#define CALQUE_TESTS_TENSOR_DRAW_H

#include <stdarg.h>

#include "build.h"

enum { DRAW_TEXT = 8192 };

struct draw {
    unsigned seed;
    char type; /* of inputs: f d i j b */
    char in[DRAW_TEXT], attrs[DRAW_TEXT];
};

static inline long pick(struct draw *r, long lo, long hi)
{
    return hi <= lo ? lo : lo + (long)(bench_random(&r->seed) % (unsigned)(hi - lo + 1));
}

__attribute__((format(printf, 2, 3))) static inline void put(char *s, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vsnprintf(s + strlen(s), DRAW_TEXT - strlen(s), format, ap);
    va_end(ap);
}

/* The next input, with these dimensions. */
static inline void put_input(struct draw *r, char type, const long *dim, int n)
{
    put(r->in, *r->in ? " %c:" : "%c:", type);
    for (int i = 0; i < n; i++)
        put(r->in, i ? "x%ld" : "%ld", dim[i]);
}

static inline void put_int(struct draw *r, const char *label, long v)
{
    put(r->attrs, *r->attrs ? " %s=%ld" : "%s=%ld", label, v);
}

static inline void put_ints(struct draw *r, const char *label, const long *v, int n)
{
    put(r->attrs, *r->attrs ? " %s=" : "%s=", label);
    for (int i = 0; i < n; i++)
        put(r->attrs, "%ld,", v[i]);
    put(r->attrs, n ? "" : "()");
}

/* Exact binary fractions of either sign, sometimes 0, 1, or next to these. */
static inline void put_real(struct draw *r, const char *label, bool negative)
{
    static const double some[] = {0, 1, 0x1.fffffffffffffp-1, 0x1.0000002p+0, 0x1.0000001p+0, 0x1p-150, 0x1.8p-150,
                                  0x1.999999999999ap-4, 0x1.5bf0a8b145769p+1};
    double x = pick(r, 0, 2) ? some[pick(r, 0, 8)] : (double)pick(r, 0, 400) / 16;

    put(r->attrs, *r->attrs ? " %s=%.25f" : "%s=%.25f", label, negative && pick(r, 0, 1) ? -x : x);
}

static inline int draw_dims(struct draw *r, long *dim, int least, int most, long lo, long hi)
{
    int n = (int)pick(r, least, most);

    for (int i = 0; i < n; i++)
        dim[i] = pick(r, 0, 3) ? pick(r, lo, hi) : 1;
    return n;
}

/* Dimensions that broadcast to those of dim. */
static inline int draw_part(struct draw *r, const long *dim, int n, long *part)
{
    int drop = pick(r, 0, 1) ? (int)pick(r, 0, n) : 0;

    for (int i = drop; i < n; i++)
        part[i - drop] = pick(r, 0, 2) ? dim[i] : 1;
    return n - drop;
}

static inline int draw_all(const long *dim, int n, long *part)
{
    memcpy(part, dim, (size_t)n * sizeof *part);
    return n;
}

static inline void draw_elementwise(struct draw *r, int op)
{
    int attrs;
    const struct op_attr_info *a = op_attrs(op, &attrs);
    int least = op_info(op)->least, most = op_info(op)->most, k = most < 0 ? (int)pick(r, 1, 5) : least;
    bool many = most < 0 && !pick(r, 0, 19); /* more than one statement */
    long dim[RANK_MAX], part[RANK_MAX];
    int n = draw_dims(r, dim, 0, many ? 2 : 5, pick(r, 0, 9) ? 1 : 0, 4);

    k = many ? (int)pick(r, 127, BENCH_INPUTS) : k;
    for (int i = 0; i < k; i++)
        if (k == 1)
            put_input(r, r->type, dim, n);
        else
            put_input(r, op == OP_Where && i == 0 ? 'b' : r->type, part,
                      op == OP_PRelu && i == 0 && !pick(r, 0, 9) ? draw_all(dim, n, part) : draw_part(r, dim, n, part));
    for (int i = 0; i < attrs; i++)
        if (a[i].kind == OP_ATTR_F && pick(r, 0, 3))
            put_real(r, a[i].label, true);
    if (op == OP_Gelu && pick(r, 0, 5))
        put(r->attrs, "approximate='%s'", pick(r, 0, 1) ? "tanh" : "erf"); /* there is no such */
    if (op == OP_Cast)
        put_int(r, "to", r->type == 'f' ? 1 : r->type == 'd' ? 11 : r->type == 'i' ? 7 : 6);
}

static inline void draw_window(struct draw *r, int op)
{
    int n = (int)pick(r, 1, 4);
    long group = pick(r, 1, 3), in[RANK_MAX] = {pick(r, 1, 3), group * pick(r, 0, 3)}, size[RANK_MAX], v[2 * RANK_MAX];

    for (int i = 0; i < n; i++) {
        in[2 + i] = pick(r, op == OP_Conv && !pick(r, 0, 9) ? 0 : 1, 7);
        size[2 + i] = pick(r, 1, 3);
    }
    put_input(r, r->type, in, n + 2);
    if (op == OP_GlobalAveragePool)
        return;
    if (op == OP_Conv) {
        size[0] = group * pick(r, 1, 3);
        size[1] = in[1] / group;
        put_input(r, r->type, size, n + 2);
        if (pick(r, 0, 1))
            put_input(r, r->type, size, 1);
        put_int(r, "group", group);
    } else {
        put_ints(r, "kernel_shape", size + 2, n);
        put_int(r, "ceil_mode", pick(r, 0, 1));
        if (op == OP_AveragePool)
            put_int(r, "count_include_pad", pick(r, 0, 1));
    }
    for (int i = 0; i < 2 * n; i++)
        v[i] = op == OP_Conv ? pick(r, 0, pick(r, 0, 3) ? 2 : 6) : pick(r, 0, size[2 + i % n] - 1);
    put_ints(r, "pads", v, 2 * n);
    for (int i = 0; i < n; i++)
        v[i] = pick(r, 1, pick(r, 0, 3) ? 3 : 9);
    put_ints(r, "strides", v, n);
    for (int i = 0; i < n; i++)
        v[i] = pick(r, 1, 2);
    if (op != OP_AveragePool)
        put_ints(r, "dilations", v, n);
}

/* Both sides are products of the same factors. */
static inline void draw_reshape(struct draw *r, int op)
{
    static const long factors[] = {2, 3, 2, 5, 1, 4};
    long in[RANK_MAX] = {1, 1, 1, 1, 1}, out[RANK_MAX] = {1, 1, 1, 1, 1};
    int n = (int)pick(r, 1, 5), m = (int)pick(r, 1, 5), used = (int)pick(r, 1, 6);

    for (int i = 0; i < used; i++) {
        in[i * n / used] *= factors[i];
        out[pick(r, 0, 2) ? i * m / used : pick(r, 0, m - 1)] *= factors[i];
    }
    put_input(r, r->type, in, n);
    if (op == OP_Reshape) {
        put_ints(r, "shape", out, m);
    } else {
        put_input(r, r->type, out, m);
        if (pick(r, 0, 1)) {
            put_int(r, "lhs_end", pick(r, 0, n));
            put_int(r, "rhs_begin", pick(r, 0, m));
        }
    }
}

/* Distinct ones of 0..rank-1, each with chance 1/2. */
static inline int draw_axes(struct draw *r, int rank, long *axes)
{
    int n = 0;

    for (int i = 0; i < rank; i++)
        if (pick(r, 0, 1))
            axes[n++] = pick(r, 0, 3) ? i : i - rank;
    return n;
}

static inline void draw_permutation(struct draw *r, int n, long *perm)
{
    for (int i = 0; i < n; i++) {
        int j = (int)pick(r, 0, i);
        perm[i] = perm[j];
        perm[j] = i;
    }
}

static inline void draw_move(struct draw *r, int op)
{
    long dim[RANK_MAX], v[2 * RANK_MAX], w[RANK_MAX], s[RANK_MAX], full = 0;
    int n = draw_dims(r, dim, 1, 5, 1, 5), k = 0;
    static const char *const modes[] = {"constant", "edge", "reflect"};
    char from[RANK_MAX + 1] = "", to[RANK_MAX + 1] = "";

    if (op == OP_Split || op == OP_Concat) {
        int axis = (int)pick(r, 0, n - 1), parts = (int)pick(r, 1, 6);
        for (k = 0; k < parts; k++) {
            v[k] = pick(r, pick(r, 0, 2) ? 1 : 0, 3);
            full += v[k];
            dim[axis] = op == OP_Concat ? v[k] : full;
            if (op == OP_Concat)
                put_input(r, r->type, dim, n);
        }
        put_int(r, "axis", axis - (pick(r, 0, 3) ? 0 : n));
        if (op == OP_Split) {
            put_input(r, r->type, dim, n);
            put_ints(r, "split", v, k);
        }
        return;
    }
    if (op == OP_Squeeze)
        for (int i = 0; i < n; i++)
            if (pick(r, 0, 1))
                dim[v[k++] = i] = 1;
    put_input(r, r->type, dim, n);
    switch (op) {
    case OP_Squeeze:
        if (pick(r, 0, 1))
            put_ints(r, "axes", v, k);
        break;
    case OP_Unsqueeze:
        for (int i = 0; i < 8 - n && k < 3; i++)
            if (pick(r, 0, 1))
                v[k++] = i;
        put_ints(r, "axes", v, k);
        break;
    case OP_Flatten:
        put_int(r, "axis", pick(r, 0, n));
        break;
    case OP_Transpose:
        draw_permutation(r, n, v);
        put_ints(r, "perm", v, n);
        break;
    case OP_LayoutTransform:
        draw_permutation(r, n, v);
        for (int i = 0; i < n; i++) {
            from[i] = "NCHWD"[i];
            to[i] = "NCHWD"[v[i]];
        }
        put(r->attrs, "src_layout='%s' dst_layout='%s'", from, to);
        break;
    case OP_Slice:
        for (int i = 0; i < n; i++) {
            v[i] = pick(r, 0, dim[i] - 1);
            w[i] = pick(r, 0, 1) ? pick(r, 1, 2) : -pick(r, 1, 2);
            s[i] = pick(r, pick(r, 0, 3) ? 1 : 0, w[i] > 0 ? (dim[i] - 1 - v[i]) / w[i] + 1 : v[i] / -w[i] + 1);
            if (!pick(r, 0, 3)) {
                v[i] = 0;
                w[i] = 1;
                s[i] = dim[i];
            }
        }
        put_ints(r, "starts", v, n);
        put_ints(r, "steps", w, n);
        put_ints(r, "sizes", s, n);
        break;
    case OP_Pad:
        k = (int)pick(r, 0, 2);
        for (int i = 0; i < 2 * n; i++)
            v[i] = pick(r, 0, 1) ? 0 : k == 2 ? pick(r, 0, dim[i % n] - 1) : pick(r, k ? 0 : -1, 3);
        put_ints(r, "pads", v, 2 * n);
        put_real(r, "value", true);
        put(r->attrs, " mode='%s'", modes[k]);
        break;
    case OP_Shape:
        if (pick(r, 0, 1))
            put_int(r, "start", pick(r, -n, n));
        if (pick(r, 0, 1))
            put_int(r, "end", pick(r, -n, n));
        break;
    default: /* Gather: the tool makes the indices */
        put_input(r, 'i', w, draw_dims(r, w, 0, 2, 1, 5));
        put_int(r, "axis", pick(r, 0, n - 1));
        break;
    }
}

static inline void draw_product(struct draw *r, int op)
{
    long dim[RANK_MAX], a[RANK_MAX], b[RANK_MAX], m = pick(r, 1, 4), inner = pick(r, pick(r, 0, 4) ? 1 : 0, 4);
    long c = pick(r, 1, 4), t[2] = {pick(r, 0, 1), pick(r, 0, 1)};
    int n, na, nb;

    if (op == OP_Gemm) {
        put_input(r, r->type, t[0] ? (long[]){inner, m} : (long[]){m, inner}, 2);
        put_input(r, r->type, t[1] ? (long[]){c, inner} : (long[]){inner, c}, 2);
        if (pick(r, 0, 2))
            put_input(r, r->type, a, draw_part(r, (long[]){m, c}, 2, a));
        put_int(r, "transA", t[0]);
        put_int(r, "transB", t[1]);
        put_real(r, "alpha", true);
        put_real(r, "beta", true);
        return;
    }
    n = draw_dims(r, dim, 0, 3, 1, 3);
    na = draw_part(r, dim, n, a);
    nb = draw_part(r, dim, n, b);
    if (pick(r, 0, 4))
        a[na++] = m;
    else
        na = 0;
    a[na++] = inner;
    nb = pick(r, 0, 4) ? nb : 0;
    b[nb++] = inner;
    if (nb > 1 || pick(r, 0, 1))
        b[nb++] = c;
    put_input(r, r->type, a, na);
    put_input(r, r->type, b, nb);
}

static inline void draw_norm(struct draw *r, int op)
{
    long dim[RANK_MAX], part[RANK_MAX], group = pick(r, 1, 3);
    int n = draw_dims(r, dim, op == OP_InstanceNormalization ? 3 : op == OP_BatchNormalization ? 1 : 2, 5, 1, 4);

    if (op == OP_GroupNormalization) {
        dim[1] = group * pick(r, 1, 3);
        put_int(r, "num_groups", group);
    }
    put_input(r, r->type, dim, n);
    if (op == OP_LayerNormalization || op == OP_RMSNormalization) {
        put_int(r, "axis", pick(r, -n, n - 1));
        put_input(r, r->type, part, draw_part(r, dim, n, part));
        if (op == OP_LayerNormalization && pick(r, 0, 1))
            put_input(r, r->type, part, draw_part(r, dim, n, part));
    } else if (op == OP_LpNormalization) {
        put_int(r, "axis", pick(r, -n, n - 1));
        put_int(r, "p", pick(r, 1, 2));
        return;
    } else if (op == OP_L2Normalize) {
        put_ints(r, "axes", part, draw_axes(r, n, part));
    } else if (op == OP_LRN) {
        put_int(r, "size", pick(r, 1, 7));
        put_real(r, "alpha", true);
        put_real(r, "beta", true);
        put_real(r, "bias", true);
        return;
    } else {
        for (int k = 1; k < (op == OP_BatchNormalization ? 5 : 3); k++)
            put_input(r, r->type, n > 1 ? dim + 1 : (long[]){1}, 1);
    }
    put_real(r, "epsilon", false);
}

static inline void draw_other(struct draw *r, int op)
{
    long dim[RANK_MAX], part[RANK_MAX];
    int n = draw_dims(r, dim, op == OP_EyeLike ? 2 : 0, op == OP_EyeLike ? 2 : 5, pick(r, 0, 9) ? 1 : 0, 4), k;

    switch (op) {
    case OP_ConstantOfShape:
        put_ints(r, "shape", dim, n);
        put_int(r, "dtype", pick(r, 0, 1) ? 1 : 7);
        put_real(r, "value", true);
        return;
    case OP_Expand:
    case OP_BroadcastLike:
        put_input(r, r->type, part, draw_part(r, dim, n, part));
        if (op == OP_Expand)
            put_ints(r, "shape", dim, n);
        else
            put_input(r, r->type, dim, n);
        return;
    default:
        break;
    }
    put_input(r, r->type, dim, n);
    switch (op) {
    case OP_Softmax:
    case OP_LogSoftmax:
        put_int(r, "axis", pick(r, -n, n - 1));
        put_int(r, "flatten", pick(r, 0, 1));
        break;
    case OP_ReduceMean:
    case OP_ReduceSum:
    case OP_ReduceMax:
        if (pick(r, 0, 3))
            put_ints(r, "axes", part, draw_axes(r, n, part));
        put_int(r, "keepdims", pick(r, 0, 1));
        break;
    case OP_CollapseSum:
    case OP_CollapseSumLike:
        k = draw_part(r, dim, n, part);
        if (op == OP_CollapseSum)
            put_ints(r, "shape", part, k);
        else
            put_input(r, r->type, part, k);
        break;
    case OP_EyeLike:
        put_int(r, "k", pick(r, -3, 3));
        break;
    case OP_FullLike:
        put_input(r, r->type, part, 0);
        break;
    case OP_BiasAdd:
        k = (int)pick(r, 0, n > 0 ? n - 1 : 0);
        if (n == 0) /* no dimension has a bias: refused */
            dim[0] = 1;
        put_input(r, r->type, dim + k, 1);
        put_int(r, "axis", k);
        break;
    default:
        break;
    }
}

/* Operators on truth values take nothing else; those that move or compare them take them too, where no number is added. */
static inline bool draws_bool(struct draw *r, int op)
{
    if (op == OP_Not || op == OP_And || op == OP_Or || op == OP_Xor)
        return true;
    return (op_info(op)->traits & OP_BOOL) && op != OP_Pad && op != OP_Cast && op != OP_Shape && op != OP_EyeLike &&
           op != OP_ConstantOfShape && !pick(r, 0, 7);
}

static inline void draw_operator(struct draw *r, int op)
{
    *r->in = *r->attrs = '\0';
    r->type = "fffdij"[pick(r, 0, 5)];
    if (op_info(op)->traits & OP_FLOAT)
        r->type = pick(r, 0, 3) ? 'f' : 'd';
    if (draws_bool(r, op))
        r->type = 'b';
    if (op == OP_Mod)
        r->type = "ij"[pick(r, 0, 1)];
    if (op == OP_Conv || op == OP_MaxPool || op == OP_AveragePool || op == OP_GlobalAveragePool)
        draw_window(r, op);
    else if (op == OP_Reshape || op == OP_ReshapeLike)
        draw_reshape(r, op);
    else if (op == OP_MatMul || op == OP_Gemm)
        draw_product(r, op);
    else if (op == OP_LRN || op == OP_BatchNormalization || op == OP_RMSNormalization ||
             (op >= OP_LayerNormalization && op <= OP_L2Normalize))
        draw_norm(r, op);
    else if (op == OP_Concat || op == OP_Split || op == OP_Squeeze || op == OP_Unsqueeze || op == OP_Flatten ||
             op == OP_Transpose || op == OP_LayoutTransform || op == OP_Slice || op == OP_Pad || op == OP_Shape ||
             op == OP_Gather)
        draw_move(r, op);
    else if (op == OP_ConstantOfShape || op == OP_Expand || op == OP_BroadcastLike || op == OP_Softmax ||
             op == OP_LogSoftmax || op == OP_ReduceMean || op == OP_ReduceSum || op == OP_ReduceMax || op == OP_CollapseSum || op == OP_CollapseSumLike ||
             op == OP_EyeLike || op == OP_FullLike || op == OP_BiasAdd)
        draw_other(r, op);
    else
        draw_elementwise(r, op);
}

#endif
