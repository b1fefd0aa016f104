/* Random graphs made of what the rules of the library look at: statements of .graph text over values of known shape. */
#ifndef CALQUE_TESTS_REWRITE_SOUP_H
#define CALQUE_TESTS_REWRITE_SOUP_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SOUP_STMTS = 96, SOUP_TEXT = 240, SOUP_VALUES = 64, SOUP_RANK = 5 };

struct soup_value {
    char name[12];
    int rank;
    long dim[SOUP_RANK];
};

struct soup {
    uint64_t seed;
    char stmt[SOUP_STMTS][SOUP_TEXT];
    int n, names;
    struct soup_value value[SOUP_VALUES];
    int values;
};

static inline int soup_below(struct soup *s, int n)
{
    s->seed += 0x9e3779b97f4a7c15u;
    uint64_t z = s->seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (int)((z ^ (z >> 31)) % (uint64_t)n);
}

static inline const char *soup_pick(struct soup *s, int n, ...)
{
    va_list ap;
    const char *p = "";
    int k = soup_below(s, n);

    va_start(ap, n);
    for (int j = 0; j <= k; j++)
        p = va_arg(ap, const char *);
    va_end(ap);
    return p;
}

static inline void soup_say(struct soup *s, const char *format, ...)
{
    va_list ap;

    if (s->n == SOUP_STMTS)
        return;
    va_start(ap, format);
    vsnprintf(s->stmt[s->n++], SOUP_TEXT, format, ap);
    va_end(ap);
}

static inline void soup_name(struct soup *s, char *name, char letter)
{
    snprintf(name, 12, "%c%d", letter, s->names++);
}

/* A value of this shape, its statement said by the caller. */
static inline void soup_put(struct soup *s, const char *name, int rank, const long *dim)
{
    struct soup_value *v = &s->value[s->values];

    if (s->values == SOUP_VALUES)
        return;
    s->values++;
    snprintf(v->name, sizeof v->name, "%s", name);
    v->rank = rank;
    memcpy(v->dim, dim, (size_t)rank * sizeof *dim);
}

static inline const char *soup_dims(char *buf, int rank, const long *dim)
{
    int at = 0;

    buf[0] = '\0';
    for (int k = 0; k < rank; k++)
        at += snprintf(buf + at, 80 - (size_t)at, "%s%ld", k ? ", " : "", dim[k]);
    return buf;
}

/* Recent values are more likely, so that chains arise. */
static inline const struct soup_value *soup_any(struct soup *s)
{
    int recent = s->values < 4 ? s->values : 4;

    return &s->value[soup_below(s, 3) ? s->values - 1 - soup_below(s, recent) : soup_below(s, s->values)];
}

static inline const struct soup_value *soup_rank(struct soup *s, int rank)
{
    for (int k = 0; k < 12; k++) {
        const struct soup_value *v = soup_any(s);
        if (v->rank == rank)
            return v;
    }
    return &s->value[0];
}

static inline void soup_param(struct soup *s, char *name, int rank, const long *dim)
{
    char a[80];

    soup_name(s, name, 'w');
    soup_say(s, "param %s: f32[%s]", name, soup_dims(a, rank, dim));
}

static inline void soup_const(struct soup *s, char *name, const char *dims, const char *value)
{
    soup_name(s, name, 'c');
    soup_say(s, "const %s: f32[%s] = %s", name, dims, value);
}

static inline void soup_unary(struct soup *s)
{
    const struct soup_value v = *soup_any(s);
    const char *op = soup_pick(s, 8, "Relu", "Neg", "Abs", "Identity", "Dropout", "Relu", "Tanh", "Clip");
    int copies = 1 + (soup_below(s, 3) == 0) * (1 + soup_below(s, 2));
    char y[12];

    for (int k = 0; k < copies; k++) {
        soup_name(s, y, 'y');
        soup_say(s, "%s = %s(%s%s)", y, op, v.name, *op == 'C' ? ", max=0.5" : "");
        soup_put(s, y, v.rank, v.dim);
    }
}

/* An operator with a constant: 0, 1, one number, one for each channel, row or column. */
static inline void soup_scale(struct soup *s)
{
    const struct soup_value v = *soup_any(s);
    const char *op = soup_pick(s, 5, "+", "-", "*", "/", "*");
    char c[12], y[12], a[80];
    long one[SOUP_RANK] = { 1, 1, 1, 1, 1 };
    int kind = soup_below(s, 5), axis = v.rank ? soup_below(s, v.rank) : 0, cut = soup_below(s, 2);

    if (kind == 0 || v.rank < 2)
        soup_const(s, c, soup_pick(s, 3, "", "1", "1, 1"), soup_pick(s, 3, "0.0", "1.0", "2.0"));
    else if (kind == 1)
        soup_const(s, c, soup_dims(a, v.rank, v.dim), soup_pick(s, 3, "0.0", "1.0", "0.5"));
    else {
        one[axis] = v.dim[axis];
        soup_name(s, c, 'c');
        cut = cut ? (axis > 0 ? 1 : 0) : 0;
        soup_say(s, *op == '/' ? "const %s: f32[%s] = 1.5" : "param %s: f32[%s]", c, soup_dims(a, v.rank - cut, one + cut));
    }
    if (*op == '/' && kind == 0)
        soup_const(s, c, "", soup_pick(s, 2, "1.0", "4.0"));
    if (*op == '/' && kind == 1)
        soup_const(s, c, soup_dims(a, v.rank, v.dim), "1.0");
    soup_name(s, y, 'y');
    if (soup_below(s, 3) == 0 && *op != '/' && *op != '-')
        soup_say(s, "%s = %s %s %s", y, c, op, v.name);
    else
        soup_say(s, "%s = %s %s %s", y, v.name, op, c);
    soup_put(s, y, v.rank > 1 || kind ? v.rank : 2, v.rank > 1 || kind ? v.dim : (long[]){ 1, v.rank ? v.dim[0] : 1 });
    if (v.rank < 2) /* the constant may have added dimensions */
        s->values--;
}

static inline void soup_like(struct soup *s)
{
    const struct soup_value v = *soup_any(s);
    char y[12], k[12], a[80];

    soup_name(s, y, 'y');
    switch (soup_below(s, 6)) {
    case 0: soup_say(s, "%s = %s %s ZerosLike(%s)", y, v.name, soup_pick(s, 3, "+", "-", "*"), v.name); break;
    case 1: soup_say(s, "%s = %s %s OnesLike(%s)", y, v.name, soup_pick(s, 3, "*", "/", "+"), v.name); break;
    case 2:
        soup_const(s, k, soup_pick(s, 2, "", "1"), "0.75");
        soup_say(s, "%s = %s + Expand(%s, shape=(%s,))", y, v.name, k, soup_dims(a, v.rank, v.dim));
        break;
    case 3: soup_say(s, "%s = Max(%s, ConstantOfShape(shape=(%s,), value=%s))", y, v.name, soup_dims(a, v.rank, v.dim), soup_pick(s, 2, "0.0", "0.25")); break;
    case 4: soup_say(s, "%s = %s * ReshapeLike(%s, %s)", y, v.name, v.name, v.name); break;
    default: soup_say(s, "%s = BroadcastLike(%s, %s)", y, v.name, v.name); break;
    }
    soup_put(s, y, v.rank, v.dim);
}

static inline void soup_binary(struct soup *s)
{
    const struct soup_value v = *soup_any(s);
    char y[12];

    for (int k = 0; k < 8; k++) {
        const struct soup_value *w = soup_any(s);
        if (w->rank != v.rank || memcmp(w->dim, v.dim, (size_t)v.rank * sizeof *v.dim) != 0)
            continue;
        soup_name(s, y, 'y');
        soup_say(s, "%s = %s %s %s", y, v.name, soup_pick(s, 4, "+", "+", "-", "*"), w->name);
        soup_put(s, y, v.rank, v.dim);
        return;
    }
}

/* One to three convolutions of one value; their sizes are often the same. */
static inline void soup_conv(struct soup *s)
{
    const struct soup_value v = *soup_rank(s, 4);
    static const char *const pads[] = { "0, 0, 0, 0", "1, 1, 1, 1", "0, 0, 2, 2", "0, 0, 1, 1", "1, 0, 1, 0" };
    static const long lost[][2] = { { 0, 0 }, { 2, 2 }, { 2, 2 }, { 1, 1 }, { 2, 0 } };
    int copies = 1 + soup_below(s, 3), same = soup_below(s, 4), pad = soup_below(s, 5), kh = 1 + soup_below(s, 3), kw = kh;
    int group = soup_below(s, 3) ? 1 : 1 + soup_below(s, 4), stride = 1 + (soup_below(s, 4) == 0), dil = 1 + (soup_below(s, 6) == 0);
    int biased = soup_below(s, 3), whole = soup_below(s, 2);
    long o = whole ? v.dim[1] : group * (1 + soup_below(s, 2));
    char w[12], b[12], y[12];

    for (int k = 0; k < copies; k++) {
        long h, x;
        if (same == 0) {
            kh = 1 + soup_below(s, 3);
            kw = soup_below(s, 3) ? kh : 1 + soup_below(s, 3);
            pad = kh == 3 && kw == 3 ? 1 : pad;
            pad = kh == 1 && kw == 1 ? 0 : pad;
        }
        h = (v.dim[2] + lost[pad][0] - dil * (kh - 1) - 1) / stride + 1;
        x = (v.dim[3] + lost[pad][1] - dil * (kw - 1) - 1) / stride + 1;
        if (v.dim[1] % group || o % group || v.dim[2] + lost[pad][0] <= dil * (kh - 1) || v.dim[3] + lost[pad][1] <= dil * (kw - 1))
            return;
        if (k == 0 || soup_below(s, 5))
            soup_param(s, w, 4, (long[]){ o, v.dim[1] / group, kh, kw });
        if (biased == 1 || (biased == 2 && soup_below(s, 2)))
            soup_param(s, b, 1, &o);
        else
            snprintf(b, sizeof b, "none");
        soup_name(s, y, 'y');
        soup_say(s, "%s = Conv(%s, %s, %s, pads=(%s), strides=(%d, %d), dilations=(%d, %d), group=%d)", y, v.name, w, b, pads[pad],
                 stride, stride, dil, dil, group);
        soup_put(s, y, 4, (long[]){ v.dim[0], o, h, x });
    }
}

static inline void soup_norm(struct soup *s)
{
    const struct soup_value v = *soup_rank(s, 4);
    char g[12], b[12], m[12], c[12], y[12], a[80];

    soup_param(s, g, 1, &v.dim[1]);
    soup_param(s, b, 1, &v.dim[1]);
    soup_name(s, y, 'y');
    switch (soup_below(s, 7)) {
    case 0: soup_say(s, "%s = InstanceNormalization(%s, %s, %s, epsilon=0.5)", y, v.name, g, b); break;
    case 1: soup_say(s, "%s = GroupNormalization(%s, %s, %s, num_groups=%ld, epsilon=0.5)", y, v.name, g, b, v.dim[1] % 2 ? 1l : 2l); break;
    case 2:
        soup_param(s, g, 1, &v.dim[3]);
        soup_say(s, "%s = LayerNormalization(%s, %s, axis=3, epsilon=0.5)", y, v.name, g);
        break;
    case 3: soup_say(s, "%s = L2Normalize(%s, axes=(1,), epsilon=0.5)", y, v.name); break;
    default:
        soup_param(s, m, 1, &v.dim[1]);
        soup_const(s, c, soup_dims(a, 1, &v.dim[1]), "0.75");
        soup_say(s, "%s = BatchNormalization(%s, %s, %s, %s, %s)", y, v.name, g, b, m, c);
    }
    soup_put(s, y, 4, v.dim);
}

static inline void soup_bias(struct soup *s)
{
    const struct soup_value v = *soup_any(s);
    int axis;
    char b[12], y[12];

    if (v.rank == 0)
        return;
    axis = v.rank > 1 && soup_below(s, 3) ? 1 : soup_below(s, v.rank);
    soup_param(s, b, 1, &v.dim[axis]);
    soup_name(s, y, 'y');
    soup_say(s, "%s = BiasAdd(%s, %s, axis=%d)", y, v.name, b, axis);
    soup_put(s, y, v.rank, v.dim);
}

static inline void soup_pad(struct soup *s)
{
    const struct soup_value v = *soup_rank(s, 4);
    int p[4] = { soup_below(s, 2), soup_below(s, 2), soup_below(s, 3), soup_below(s, 2) }, c = soup_below(s, 6) == 0, w, other = soup_below(s, 6) == 0;
    char y[12], z[12], k[12];
    long o = 3;

    if (soup_below(s, 6) == 0)
        p[0] = -1;
    if (v.dim[2] + p[0] + p[2] < 2 || v.dim[3] + p[1] + p[3] < 2)
        return;
    soup_name(s, y, 'y');
    soup_say(s, "%s = Pad(%s, pads=(0, %d, %d, %d, 0, 0, %d, %d)%s)", y, v.name, c, p[0], p[1], p[2], p[3], other ? ", value=0.5" : "");
    w = 1 + soup_below(s, 2);
    soup_param(s, k, 4, (long[]){ o, v.dim[1] + c, w, w });
    soup_name(s, z, 'y');
    soup_say(s, "%s = Conv(%s, %s)", z, y, k);
    soup_put(s, z, 4, (long[]){ v.dim[0], o, v.dim[2] + p[0] + p[2] - w + 1, v.dim[3] + p[1] + p[3] - w + 1 });
}

static inline void soup_move(struct soup *s)
{
    const struct soup_value v = *soup_rank(s, 4);
    static const int perms[][4] = { { 0, 1, 2, 3 }, { 0, 2, 3, 1 }, { 0, 3, 1, 2 }, { 3, 2, 1, 0 }, { 1, 0, 2, 3 } };
    static const char *const layouts[] = { "NCHW", "NHWC", "NWCH", "WHCN", "CNHW" };
    int k = soup_below(s, 5);
    long d[4], flat[2];
    char y[12], a[80];

    for (int i = 0; i < 4; i++)
        d[i] = v.dim[perms[k][i]];
    soup_name(s, y, 'y');
    switch (soup_below(s, 4)) {
    case 0: soup_say(s, "%s = LayoutTransform(%s, src_layout=\"NCHW\", dst_layout=\"%s\")", y, v.name, layouts[k]); break;
    case 1:
        flat[0] = v.dim[0] * v.dim[1];
        flat[1] = v.dim[2] * v.dim[3];
        soup_say(s, "%s = %s(%s, %s)", y, soup_pick(s, 2, "Reshape", "Reshape"), v.name, "shape=(0, -1)");
        flat[1] = v.dim[1] * v.dim[2] * v.dim[3];
        flat[0] = v.dim[0];
        soup_put(s, y, 2, flat);
        return;
    case 2:
        soup_say(s, "%s = %s(Unsqueeze(%s, axes=(0,)), shape=(%s))", y, "Reshape", v.name, soup_dims(a, 4, d));
        break;
    default: soup_say(s, "%s = Transpose(%s, perm=(%d, %d, %d, %d))", y, v.name, perms[k][0], perms[k][1], perms[k][2], perms[k][3]);
    }
    soup_put(s, y, 4, d);
}

static inline void soup_split(struct soup *s)
{
    const struct soup_value v = *soup_rank(s, 4);
    int axis = soup_below(s, 2), swap = soup_below(s, 4) == 0, twice = soup_below(s, 6) == 0;
    long d[4], cut = v.dim[axis] / 2;
    char y[12], z[12], t[12];

    if (cut == 0)
        return;
    soup_name(s, y, 's');
    soup_say(s, "%s = Split(%s, axis=%d, split=(%ld, %ld))", y, v.name, axis, cut, v.dim[axis] - cut);
    memcpy(d, v.dim, sizeof d);
    if (soup_below(s, 4) == 0) {
        soup_name(s, t, 't');
        soup_say(s, "%s = (%s[1], %s[0])", t, y, y);
        snprintf(y, sizeof y, "%s", t);
        swap = !swap;
    }
    if (twice) {
        soup_name(s, z, 'y');
        soup_say(s, "%s = %s(%s[%d])", z, "Relu", y, swap);
        d[axis] = (swap == (*y == 't')) ? cut : v.dim[axis] - cut;
        soup_put(s, z, 4, d);
    }
    soup_name(s, z, 'y');
    soup_say(s, "%s = Concat(%s[%d], %s[%d], axis=%d)", z, y, swap, y, 1 - swap, axis);
    soup_put(s, z, 4, v.dim);
}

/* Products of one value with one to three matrices. */
static inline void soup_product(struct soup *s)
{
    const struct soup_value v = *soup_rank(s, soup_below(s, 2) ? 2 : 4);
    int copies = 1 + soup_below(s, 3), gemm = v.rank == 2 && soup_below(s, 2), trans = soup_below(s, 2), add = soup_below(s, 2);
    char w[12], b[12], y[12];
    long k, d[4];

    if (v.rank < 2)
        return;
    k = v.dim[v.rank - 1];
    for (int j = 0; j < copies; j++) {
        long n = 1 + soup_below(s, 3), dim[2] = { k, n };
        if (gemm && trans) {
            dim[0] = n;
            dim[1] = k;
        }
        if (k > 300)
            return;
        soup_param(s, w, 2, dim);
        soup_param(s, b, 1, &n);
        soup_name(s, y, 'y');
        if (!gemm && soup_below(s, 6) == 0) {
            soup_const(s, b, "", "0.5");
            soup_say(s, "%s = MatMul(Identity(%s) * %s, %s * Identity(%s))", y, v.name, b, b, w);
        } else if (gemm)
            soup_say(s, "%s = Gemm(%s, %s, %s, transB=%d)", y, v.name, w, b, trans);
        else if (add)
            soup_say(s, "%s = MatMul(%s, %s) + %s", y, v.name, w, b);
        else
            soup_say(s, "%s = MatMul(%s, %s)", y, v.name, w);
        memcpy(d, v.dim, (size_t)v.rank * sizeof *d);
        d[v.rank - 1] = n;
        soup_put(s, y, v.rank, d);
    }
}

/* What rules about convolutions look for, said at once. */
static inline void soup_near_conv(struct soup *s)
{
    const struct soup_value v = *soup_rank(s, 4), z = *soup_rank(s, 4);
    long o = 1 + soup_below(s, 4), c = v.dim[1], k = soup_below(s, 2) ? 3 : 1, pad = k / 2, d[4] = { v.dim[0], o, v.dim[2], v.dim[3] };
    char w[12], u[12], r[12], b[12], y[12], a[80];
    const char *biased;

    soup_param(s, w, 4, (long[]){ o, c, k, k });
    soup_param(s, b, 1, &o);
    biased = soup_below(s, 2) ? b : "none";
    snprintf(a, sizeof a, "pads=(%ld, %ld, %ld, %ld)", pad, pad, pad, pad);
    soup_name(s, y, 'y');
    switch (soup_below(s, 6)) {
    case 0:
        soup_param(s, u, 3, (long[]){ o, 1, 1 });
        soup_say(s, "%s = Conv(%s, %s, %s, %s) * %s", y, v.name, w, biased, a, u);
        break;
    case 1:
        soup_param(s, u, 4, (long[]){ o, c, k, k });
        soup_say(s, "%s = Conv(%s, %s, %s, %s) + Conv(%s, %s, %s)", y, v.name, w, biased, a, v.name, u, a);
        break;
    case 2:
        if (z.dim[2] != v.dim[2] || z.dim[3] != v.dim[3])
            return;
        soup_param(s, u, 4, (long[]){ o, z.dim[1], k, k });
        soup_say(s, "%s = Conv(%s, %s, %s, %s) + Conv(%s, %s, %s)", y, v.name, w, biased, a, z.name, u, a);
        d[0] = v.dim[0] > z.dim[0] ? v.dim[0] : z.dim[0];
        break;
    case 3:
        if (o != c && o != 1 && c != 1)
            return;
        soup_say(s, "%s = %s + Conv(%s, %s, %s, %s)", y, v.name, v.name, w, biased, a);
        d[1] = o == 1 ? c : o;
        break;
    case 4:
        soup_const(s, r, "", soup_pick(s, 2, "0.5", "0.25"));
        if (soup_below(s, 2))
            soup_param(s, u, 4, (long[]){ o, 1, 1, 1 });
        else
            soup_const(s, u, "", "2.0");
        soup_say(s, "%s = Conv(Identity(%s) * %s, Identity(%s) * %s, %s, %s)", y, v.name, r, w, u, biased, a);
        break;
    default:
        for (int j = 0; j < 3; j++) {
            soup_param(s, u, 4, (long[]){ o, c, k, k });
            soup_name(s, y, 'y');
            soup_say(s, "%s = Relu(Conv(%s, %s, %s, %s))", y, v.name, u, biased, a);
            soup_put(s, y, 4, d);
        }
        return;
    }
    soup_put(s, y, 4, d);
}

/* Three products of one batch of matrices with matrices. */
static inline void soup_batches(struct soup *s)
{
    const struct soup_value v = *soup_rank(s, 4);
    char r[12], u[12], y[12];

    soup_name(s, r, 'r');
    soup_say(s, "%s = Reshape(%s, shape=(%ld, %ld, %ld))", r, v.name, v.dim[0] * v.dim[1], v.dim[2], v.dim[3]);
    for (int j = 0; j < 3; j++) {
        soup_param(s, u, 3, (long[]){ 1, v.dim[3], 1 + j });
        soup_name(s, y, 'y');
        soup_say(s, "%s = MatMul(%s, %s)", y, r, u);
    }
}

/* Two shapes one after the other. */
static inline void soup_shapes(struct soup *s)
{
    static const char *const inner[] = { "Reshape(%s, shape=(0, -1))", "Flatten(%s, axis=2)", "Unsqueeze(%s, axes=(1,))",
                                         "Squeeze(Unsqueeze(%s, axes=(0,)), axes=(0,))", "Transpose(%s, perm=(3, 0, 1, 2))" };
    const struct soup_value v = *soup_rank(s, 4);
    char t[120], y[12];

    soup_name(s, y, 'y');
    snprintf(t, sizeof t, inner[soup_below(s, 5)], v.name);
    soup_say(s, soup_pick(s, 4, "%s = Flatten(Relu(Flatten(%s, axis=0)), axis=1)", "%s = Reshape(Flatten(%s, axis=1), shape=(1, -1))",
                          "%s = Reshape(Squeeze(Unsqueeze(%s, axes=(0,)), axes=(0,)), shape=(1, -1))",
                          "%s = Unsqueeze(Squeeze(Flatten(Reshape(%s, shape=(-1,)), axis=0), axes=(0,)), axes=(0,))"), y, t);
    soup_put(s, y, 2, (long[]){ 1, v.dim[0] * v.dim[1] * v.dim[2] * v.dim[3] });
}

/* What other rules look for, the result of the operand's shape. */
static inline void soup_phrase(struct soup *s)
{
    const struct soup_value v = *soup_rank(s, 4);
    long c = v.dim[1];
    char w[12], u[12], b[12], y[12], a[80];

    soup_param(s, w, 1, &c);
    soup_name(s, y, 'y');
    switch (soup_below(s, 6)) {
    case 0:
        soup_const(s, u, soup_dims(a, 1, &c), "0.75");
        soup_param(s, b, 3, (long[]){ c, 1, 1 });
        soup_say(s, "%s = BatchNormalization(%s, %s, %s, %s, %s) %s %s%s%s", y, v.name, w, w, w, u, soup_pick(s, 3, "*", "+", "*"), b,
                 soup_below(s, 2) ? " + " : " * ", b);
        break;
    case 1: soup_say(s, "%s = BiasAdd(%s, %s) + BiasAdd(%s, %s)", y, v.name, w, v.name, w); break;
    case 2:
        soup_say(s, "%s = CollapseSumLike(%s, ConstantOfShape(shape=(%ld, 1, %ld), value=0.0))", y, v.name, c, v.dim[3]);
        soup_put(s, y, 3, (long[]){ c, 1, v.dim[3] });
        return;
    case 3: soup_say(s, "%s = Max(%s, %s(%s))", y, v.name, soup_pick(s, 2, "ZerosLike", "OnesLike"), v.name); break;
    case 4:
        soup_say(s, "%s = LayoutTransform(Transpose(%s, perm=(0, 3, 1, 2)), src_layout=\"NCHW\", dst_layout=\"NHWC\")", y, v.name);
        break;
    default:
        soup_say(s, "%s = Squeeze(Unsqueeze(Transpose(Transpose(%s, perm=(1, 0, 3, 2)), perm=(1, 0, 3, 2)), axes=(1,)), axes=(1,))",
                 y, v.name);
    }
    soup_put(s, y, 4, v.dim);
}

static inline void soup_make(struct soup *s, uint64_t seed)
{
    static void (*const kinds[])(struct soup *) = {
        soup_unary, soup_scale, soup_like,    soup_binary, soup_binary,    soup_conv,      soup_conv,   soup_norm,   soup_bias,
        soup_pad,   soup_move,  soup_product, soup_split,  soup_near_conv, soup_near_conv, soup_phrase, soup_phrase, soup_shapes,
        soup_batches,
    };
    int steps;

    memset(s, 0, sizeof *s);
    s->seed = seed;
    soup_say(s, "input x: f32[2, 4, 5, 5]");
    soup_put(s, "x", 4, (long[]){ 2, 4, 5, 5 });
    steps = 3 + soup_below(s, 8);
    for (int k = 0; k < steps && s->n < SOUP_STMTS - 16 && s->values < SOUP_VALUES - 8; k++)
        kinds[soup_below(s, sizeof kinds / sizeof *kinds)](s);
}

/* The graph; its outputs are the values that nothing uses, the last ones first, at most three. */
static inline void soup_text(const struct soup *s, const bool *drop, char *out, size_t size)
{
    size_t at = (size_t)snprintf(out, size, "graph {\n");
    int outputs = 0;

    for (int k = 0; k < s->n; k++)
        if (!drop[k])
            at += (size_t)snprintf(out + at, size - at, "    %s\n", s->stmt[k]);
    at += (size_t)snprintf(out + at, size - at, "    return");
    for (int k = s->n - 1; k >= 0 && outputs < 3; k--) {
        char name[12];
        bool used = false;
        if (drop[k] || s->stmt[k][0] != 'y' || sscanf(s->stmt[k], "%11[a-z0-9]", name) != 1)
            continue;
        for (int j = k + 1; j < s->n && !used; j++) {
            const char *p = drop[j] ? NULL : strstr(s->stmt[j] + 2, name);
            used = p && !(p[strlen(name)] >= '0' && p[strlen(name)] <= '9');
        }
        if (!used)
            at += (size_t)snprintf(out + at, size - at, "%s %s", outputs++ ? "," : "", name);
    }
    snprintf(out + at, size - at, "%s\n}\n", outputs ? "" : " x");
}

#endif
