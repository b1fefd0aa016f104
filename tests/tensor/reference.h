/* Plain C loops for every operator, and one operator application compared with its loop. Results are the same bit for bit:
   the loops add in the order the kernels' words give. */
#ifndef CALQUE_TESTS_TENSOR_REFERENCE_H
#define CALQUE_TESTS_TENSOR_REFERENCE_H

#include <limits.h>
#include <math.h>

#include "build.h"

struct job {
    struct bench *b;
    int node;
    const struct tensor *in;
    int nin;
    struct tensor *out;
    long i[RANK_MAX], f[RANK_MAX]; /* scratch indices */
};

/* Row-major position of indices in a shape. */
static long flat(const struct shape *s, const long *at)
{
    long p = 0;

    for (int i = 0; i < s->rank; i++)
        p = p * s->dim[i] + at[i];
    return p;
}

static void unflat(const struct shape *s, long p, long *at)
{
    for (int i = s->rank - 1; i >= 0; i--) {
        at[i] = p % s->dim[i];
        p /= s->dim[i];
    }
}

static float *cell(const struct tensor *t, const long *at)
{
    return tensor_f32(t) + flat(&t->shape, at);
}

/* Copies element q of b to element p of a, of either type. */
static void put(const struct tensor *a, long p, const struct tensor *b, long q)
{
    size_t size = dtype_size(a->dtype);

    memcpy((char *)a->data + (size_t)p * size, (char *)b->data + (size_t)q * size, size);
}

static long attr(const struct job *j, const char *label)
{
    return graph_attr_int(&j->b->g, j->node, label, 0);
}

static float real(const struct job *j, const char *label)
{
    return (float)graph_attr_real(&j->b->g, j->node, label, 0);
}

static int attrs(const struct job *j, const char *label, long *v)
{
    return graph_attr_ints(&j->b->g, j->node, label, v, 2 * RANK_MAX);
}

/* Position in an input that is broadcast to the output's cell p. */
static long spread(const struct shape *in, const struct shape *out, long p)
{
    long o[RANK_MAX], at[RANK_MAX];

    unflat(out, p, o);
    for (int i = 0; i < in->rank; i++)
        at[i] = in->dim[i] == 1 ? 0 : o[i + out->rank - in->rank];
    return flat(in, at);
}

static float unary_f(int op, float x)
{
    switch (op) {
#define UNARY(op, f, i) case OP_##op: return f;
#include "operators.def"
    default: return x;
    }
}

static long unary_i(int op, long x)
{
    switch (op) {
#define UNARY(op, f, i) case OP_##op: return i;
#include "operators.def"
    default: return x;
    }
}

static void ref_unary(struct job *j)
{
    int op = j->b->g.node.a[j->node].op;

    for (long p = 0; p < shape_elems(&j->out->shape); p++)
        if (j->out->dtype == DTYPE_F32)
            tensor_f32(j->out)[p] = unary_f(op, tensor_f32(j->in)[p]);
        else
            tensor_i64(j->out)[p] = unary_i(op, tensor_i64(j->in)[p]);
}

static float binary_f(int op, float x, float y)
{
    switch (op) {
#define BINARY(op, f, i) case OP_##op: return f;
#include "operators.def"
    default: return x;
    }
}

static long binary_i(int op, long x, long y)
{
    switch (op) {
#define BINARY(op, f, i) case OP_##op: return i;
#include "operators.def"
    default: return x;
    }
}

static void ref_fold(struct job *j)
{
    int op = j->b->g.node.a[j->node].op;

    for (long p = 0; p < shape_elems(&j->out->shape); p++)
        for (int k = 0; k < j->nin; k++) {
            long q = spread(&j->in[k].shape, &j->out->shape, p);
            if (j->out->dtype == DTYPE_F32) {
                float y = tensor_f32(&j->in[k])[q], *x = &tensor_f32(j->out)[p];
                *x = k ? binary_f(op, *x, y) : y;
            } else {
                long y = tensor_i64(&j->in[k])[q], *x = &tensor_i64(j->out)[p];
                *x = k ? binary_i(op, *x, y) : y;
            }
        }
}

static void ref_conv(struct job *j)
{
    const struct tensor *x = &j->in[0], *w = &j->in[1];
    long stride[2 * RANK_MAX], pad[2 * RANK_MAX], dil[2 * RANK_MAX];
    long each = w->shape.dim[0] / attr(j, "group"), window = 1;
    int n = attrs(j, "strides", stride);

    attrs(j, "pads", pad);
    attrs(j, "dilations", dil);
    for (int i = 1; i < w->shape.rank; i++)
        window *= w->shape.dim[i];
    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        long o[RANK_MAX], k[RANK_MAX], at[RANK_MAX];
        float sum = 0;
        unflat(&j->out->shape, p, o);
        for (long q = 0; q < window; q++) {
            bool inside = true;
            unflat(&w->shape, o[1] * window + q, k);
            at[0] = o[0];
            at[1] = o[1] / each * w->shape.dim[1] + k[1];
            for (int i = 0; i < n; i++) {
                at[2 + i] = o[2 + i] * stride[i] + k[2 + i] * dil[i] - pad[i];
                inside = inside && at[2 + i] >= 0 && at[2 + i] < x->shape.dim[2 + i];
            }
            if (inside)
                sum += *cell(x, at) * *cell(w, k);
        }
        tensor_f32(j->out)[p] = j->nin > 2 ? sum + tensor_f32(&j->in[2])[o[1]] : sum;
    }
}

/* 0: maximum, 1: mean of the cells inside, 2: mean of the cells of input and padding */
static void pool(struct job *j, int mode)
{
    const struct tensor *x = &j->in[0];
    long stride[2 * RANK_MAX], pad[2 * RANK_MAX], dil[2 * RANK_MAX] = {1, 1, 1, 1, 1, 1, 1, 1}, size[2 * RANK_MAX];
    struct shape window = {.rank = attrs(j, "kernel_shape", size)};
    int n = window.rank;

    attrs(j, "strides", stride);
    attrs(j, "pads", pad);
    if (mode == 0)
        attrs(j, "dilations", dil);
    memcpy(window.dim, size, sizeof window.dim);
    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        long o[RANK_MAX], k[RANK_MAX], at[RANK_MAX];
        float best = -INFINITY, sum = 0, count = 0;
        unflat(&j->out->shape, p, o);
        at[0] = o[0];
        at[1] = o[1];
        for (long q = 0; q < shape_elems(&window); q++) {
            bool inside = true, padded = true;
            unflat(&window, q, k);
            for (int i = 0; i < n; i++) {
                at[2 + i] = o[2 + i] * stride[i] + k[i] * dil[i] - pad[i];
                inside = inside && at[2 + i] >= 0 && at[2 + i] < x->shape.dim[2 + i];
                padded = padded && at[2 + i] < x->shape.dim[2 + i] + pad[i + n];
            }
            count += (float)(mode == 2 ? padded : inside);
            if (inside && best < *cell(x, at))
                best = *cell(x, at);
            if (inside)
                sum += *cell(x, at);
        }
        tensor_f32(j->out)[p] = mode ? sum / count : best;
    }
}

static void ref_maxpool(struct job *j) { pool(j, 0); }
static void ref_avgpool(struct job *j) { pool(j, attr(j, "count_include_pad") ? 2 : 1); }

/* Input as outer x inner, both contiguous: cells of one group are q = inner index. */
static void ref_global(struct job *j)
{
    long groups = shape_elems(&j->out->shape), inner = shape_elems(&j->in->shape) / groups;

    for (long p = 0; p < groups; p++) {
        float sum = 0;
        for (long q = 0; q < inner; q++)
            sum += tensor_f32(j->in)[p * inner + q];
        tensor_f32(j->out)[p] = sum / (float)inner;
    }
}

static void ref_softmax(struct job *j)
{
    const struct shape *s = &j->in->shape;
    long axis = attr(j, "axis"), outer = 1, n = 1, inner = 1;
    bool logarithm = j->b->g.node.a[j->node].op == OP_LogSoftmax;

    for (int i = 0; i < s->rank; i++)
        if (i < axis)
            outer *= s->dim[i];
        else if (i == axis || attr(j, "flatten"))
            n *= s->dim[i];
        else
            inner *= s->dim[i];
    for (long g = 0; g < outer * inner; g++) {
        const float *x = tensor_f32(j->in) + g / inner * n * inner + g % inner;
        float *y = tensor_f32(j->out) + g / inner * n * inner + g % inner, most = -INFINITY, sum = 0;
        for (long q = 0; q < n; q++)
            most = most < x[q * inner] ? x[q * inner] : most;
        for (long q = 0; q < n; q++)
            sum += expf(x[q * inner] - most);
        for (long q = 0; q < n; q++)
            y[q * inner] = logarithm ? x[q * inner] - most - logf(sum) : expf(x[q * inner] - most) / sum;
    }
}

static void ref_concat(struct job *j)
{
    long axis = attr(j, "axis"), start = 0;

    for (int k = 0; k < j->nin; k++) {
        for (long p = 0; p < shape_elems(&j->in[k].shape); p++) {
            unflat(&j->in[k].shape, p, j->i);
            j->i[axis] += start;
            put(j->out, flat(&j->out->shape, j->i), &j->in[k], p);
        }
        start += j->in[k].shape.dim[axis];
    }
}

static void ref_split(struct job *j)
{
    long axis = attr(j, "axis"), start = 0;

    for (int k = 0; k < j->b->g.node.a[j->node].index; k++) {
        for (long p = 0; p < shape_elems(&j->out[k].shape); p++) {
            unflat(&j->out[k].shape, p, j->i);
            j->i[axis] += start;
            put(&j->out[k], p, j->in, flat(&j->in->shape, j->i));
        }
        start += j->out[k].shape.dim[axis];
    }
}

static void ref_same(struct job *j)
{
    if (j->in->bytes)
        memcpy(j->out->data, j->in->data, j->in->bytes);
}

static void ref_transpose(struct job *j)
{
    long perm[2 * RANK_MAX];

    attrs(j, "perm", perm);
    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        unflat(&j->out->shape, p, j->i);
        for (int i = 0; i < j->out->shape.rank; i++)
            j->f[perm[i]] = j->i[i];
        put(j->out, p, j->in, flat(&j->in->shape, j->f));
    }
}

static void ref_slice(struct job *j)
{
    long start[2 * RANK_MAX], step[2 * RANK_MAX];

    attrs(j, "starts", start);
    attrs(j, "steps", step);
    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        unflat(&j->out->shape, p, j->i);
        for (int i = 0; i < j->out->shape.rank; i++)
            j->i[i] = start[i] + step[i] * j->i[i];
        put(j->out, p, j->in, flat(&j->in->shape, j->i));
    }
}

static void ref_gather(struct job *j)
{
    const struct shape *s = &j->in[0].shape, *w = &j->in[1].shape;
    long axis = attr(j, "axis");

    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        long o[RANK_MAX], v;
        unflat(&j->out->shape, p, o);
        v = tensor_i64(&j->in[1])[flat(w, o + axis)];
        for (int i = 0; i < s->rank; i++)
            j->i[i] = i < axis ? o[i] : i == axis ? (v < 0 ? v + s->dim[i] : v) : o[i - 1 + w->rank];
        put(j->out, p, &j->in[0], flat(s, j->i));
    }
}

static void ref_gemm(struct job *j)
{
    const struct tensor *a = &j->in[0], *b = &j->in[1];
    long ta = attr(j, "transA"), tb = attr(j, "transB"), inner = a->shape.dim[!ta];

    for (long p = 0; p < shape_elems(&j->out->shape); p++) {
        float sum = 0, y;
        unflat(&j->out->shape, p, j->i);
        for (long k = 0; k < inner; k++) {
            long x[2] = {ta ? k : j->i[0], ta ? j->i[0] : k}, z[2] = {tb ? j->i[1] : k, tb ? k : j->i[1]};
            sum += *cell(a, x) * *cell(b, z);
        }
        y = real(j, "alpha") * sum;
        if (j->nin > 2)
            y += real(j, "beta") * tensor_f32(&j->in[2])[spread(&j->in[2].shape, &j->out->shape, p)];
        tensor_f32(j->out)[p] = y;
    }
}

/* As matrices m x k and k x n, batches broadcast. */
static void ref_matmul(struct job *j)
{
    struct shape a = j->in[0].shape, b = j->in[1].shape, y = j->out->shape;
    long k = a.dim[a.rank - 1], m = a.rank > 1 ? a.dim[a.rank - 2] : 1, n = b.rank > 1 ? b.dim[b.rank - 1] : 1;

    y.rank -= (a.rank > 1) + (b.rank > 1);
    a.rank = a.rank > 1 ? a.rank - 2 : 0;
    b.rank = b.rank > 1 ? b.rank - 2 : 0;
    for (long g = 0; g < shape_elems(&y); g++)
        for (long p = 0; p < m * n; p++) {
            long at = spread(&a, &y, g) * m * k + p / n * k, bt = spread(&b, &y, g) * k * n + p % n;
            if (j->out->dtype == DTYPE_F32) {
                float sum = 0;
                for (long q = 0; q < k; q++)
                    sum += tensor_f32(&j->in[0])[at + q] * tensor_f32(&j->in[1])[bt + q * n];
                tensor_f32(j->out)[g * m * n + p] = sum;
            } else {
                long sum = 0;
                for (long q = 0; q < k; q++)
                    sum += tensor_i64(&j->in[0])[at + q] * tensor_i64(&j->in[1])[bt + q * n];
                tensor_i64(j->out)[g * m * n + p] = sum;
            }
        }
}

#include "reference_norm.h"

/* Each cell of the input against the one that it is reduced to. */
static void ref_greatest(struct job *j)
{
    const struct shape *s = &j->in->shape, *to = &j->out->shape;
    bool set[RANK_MAX] = {false}, real_ = j->out->dtype == DTYPE_F32;
    long axes[2 * RANK_MAX];
    int n = attrs(j, "axes", axes);

    for (int i = 0; i < n; i++)
        set[axes[i]] = true;
    for (long q = 0; q < shape_elems(to); q++)
        if (real_)
            tensor_f32(j->out)[q] = -INFINITY;
        else
            tensor_i64(j->out)[q] = LONG_MIN;
    for (long p = 0; p < shape_elems(s); p++) {
        long q = 0;
        unflat(s, p, j->i);
        for (int i = 0; i < s->rank; i++)
            if (!set[i])
                q = q * s->dim[i] + j->i[i];
        if (real_ && tensor_f32(j->out)[q] < tensor_f32(j->in)[p])
            tensor_f32(j->out)[q] = tensor_f32(j->in)[p];
        else if (!real_ && tensor_i64(j->out)[q] < tensor_i64(j->in)[p])
            tensor_i64(j->out)[q] = tensor_i64(j->in)[p];
    }
}

static void ref_reduce(struct job *j)
{
    bool mean = j->b->g.node.a[j->node].op == OP_ReduceMean, set[RANK_MAX] = {false};
    const struct shape *s = &j->in->shape;
    long axes[2 * RANK_MAX], count = 1;
    int n = attrs(j, "axes", axes);

    for (int i = 0; i < n; i++) {
        set[axes[i]] = true;
        count *= s->dim[axes[i]];
    }
    for (long p = 0; p < shape_elems(s); p++) {
        struct shape y = {.rank = 0};
        long q;
        unflat(s, p, j->i);
        for (int i = 0; i < s->rank; i++)
            if (!set[i]) {
                j->f[y.rank] = j->i[i];
                y.dim[y.rank++] = s->dim[i];
            }
        q = flat(&y, j->f);
        if (j->out->dtype == DTYPE_F32)
            tensor_f32(j->out)[q] += tensor_f32(j->in)[p];
        else
            tensor_i64(j->out)[q] += tensor_i64(j->in)[p];
    }
    for (long q = 0; mean && q < shape_elems(&j->out->shape); q++)
        tensor_f32(j->out)[q] /= (float)count;
}

static void ref_constant(struct job *j)
{
    for (long p = 0; p < shape_elems(&j->out->shape); p++)
        if (j->out->dtype == DTYPE_F32)
            tensor_f32(j->out)[p] = real(j, "value");
        else
            tensor_i64(j->out)[p] = (long)graph_attr_real(&j->b->g, j->node, "value", 0);
}

static void ref_shape(struct job *j)
{
    for (long p = 0; p < shape_elems(&j->out->shape); p++)
        tensor_i64(j->out)[p] = j->in->shape.dim[p + attr(j, "start")];
}

#include "reference_logic.h"

static void ref_cast(struct job *j)
{
    if (j->out->dtype == j->in->dtype) {
        ref_same(j);
        return;
    }
    for (long p = 0; p < shape_elems(&j->out->shape); p++)
        if (j->out->dtype == DTYPE_F32)
            tensor_f32(j->out)[p] = (float)number_at(j->in, p);
        else if (j->out->dtype == DTYPE_BOOL)
            ((unsigned char *)j->out->data)[p] = number_at(j->in, p) != 0;
        else
            tensor_i64(j->out)[p] = (long)number_at(j->in, p);
}

static const struct {
    int op;
    void (*run)(struct job *);
} references[] = {
#define LOOP(op, run) {OP_##op, ref_##run},
#define UNARY(op, f, i) {OP_##op, ref_unary},
#define BINARY(op, f, i) {OP_##op, ref_fold},
#define TRUTH(op, t) {OP_##op, ref_truth},
#include "operators.def"
};

/* The plain loop for an operator. */
static void reference(struct job *j)
{
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (references[i].op == j->b->g.node.a[j->node].op)
            references[i].run(j);
}

struct test {
    int op;
    const char *in, *attrs;
    int nout;
};

static bool same(const struct tensor *a, const struct tensor *b)
{
    if (a->dtype != b->dtype || !shape_equal(&a->shape, &b->shape) || a->bytes != b->bytes)
        return false;
    for (long i = 0; i < shape_elems(&a->shape); i++) {
        if (a->dtype == DTYPE_F32 && isnan(tensor_f32(a)[i]) && isnan(tensor_f32(b)[i]))
            continue;
        if (memcmp((char *)a->data + (size_t)i * dtype_size(a->dtype), (char *)b->data + (size_t)i * dtype_size(a->dtype),
                   dtype_size(a->dtype)))
            return false;
    }
    return true;
}

/* Values that the operator is defined on. */
static void adjust(const struct test *t, int k, const struct tensor *in, struct tensor *x)
{
    for (long i = 0; i < shape_elems(&x->shape); i++) {
        if (t->op == OP_Gather && k == 1) {
            long size = in[0].shape.dim[strstr(t->attrs, "axis=1") ? 1 : 0], v = tensor_i64(x)[i];
            tensor_i64(x)[i] = ((v % (2 * size) + 2 * size) % (2 * size)) - size;
        } else if (t->op == OP_Mod && k == 1) {
            tensor_i64(x)[i] += tensor_i64(x)[i] >= 0;
        } else if ((t->op == OP_BatchNormalization && k == 4) || (t->op == OP_Pow && k == 0)) {
            tensor_f32(x)[i] = fabsf(tensor_f32(x)[i]) + 0.25f;
        }
    }
}

enum { OUTS = 4 };

/* Infers, evaluates on random inputs, and compares with the plain loop: *equal. */
static enum calque_status run_test(struct bench *b, const struct test *t, unsigned seed, int threads, bool *equal)
{
    struct tensor in[BENCH_INPUTS] = {{0}}, got[OUTS] = {{0}}, want[OUTS] = {{0}};
    const struct tensor *args[BENCH_INPUTS];
    int ids[BENCH_INPUTS], n = inputs_parse(b, t->in, ids), node = n < 0 ? -1 : bench_op(b, t->op, t->attrs, t->nout, ids, n);
    enum calque_status s = node < 0 ? CALQUE_NOMEM : op_infer(&b->g, node, &b->d);
    struct job job = {.b = b, .node = node, .in = in, .nin = n, .out = want};

    *equal = false;
    for (int k = 0; k < n && !s; k++) {
        s = random_tensor(b, b->g.node.a[ids[k]].dtype, &b->g.node.a[ids[k]].shape, &seed, &in[k]);
        args[k] = &in[k];
        if (!s)
            adjust(t, k, in, &in[k]);
    }
    if (!s)
        s = op_eval(&b->g, node, args, got, threads, &b->d);
    for (int k = 0; k < t->nout && !s; k++)
        s = tensor_new(&b->mem, got[k].dtype, &got[k].shape, &want[k], &b->d);
    if (!s) {
        reference(&job);
        *equal = true;
        for (int k = 0; k < t->nout; k++)
            *equal = *equal && same(&got[k], &want[k]);
    }
    for (int k = 0; k < n; k++)
        tensor_free(&in[k]);
    for (int k = 0; k < t->nout; k++) {
        tensor_free(&got[k]);
        tensor_free(&want[k]);
    }
    return s;
}

#endif
