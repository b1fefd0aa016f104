#include "build.h"

#include <math.h>
#include <string.h>

long build_width(const struct build *b, long channels)
{
    long c = lround((double)channels * b->width);
    return c < 4 ? 4 : c;
}

static long window(long size, long k, long stride, long pads)
{
    return (size + pads - k) / stride + 1;
}

void build_same(const struct val *x, long k, long stride, long *pads)
{
    for (int i = 0; i < 2; i++) {
        long in = x->dim[2 + i], out = (in + stride - 1) / stride, total = (out - 1) * stride + k - in;
        total = total < 0 ? 0 : total;
        pads[i] = total / 2;
        pads[2 + i] = total - total / 2;
    }
}

struct val build_conv_pads(struct build *b, struct val x, long o, long kh, long kw, long stride, const long *pads,
                           long group, double deviation, int with_bias)
{
    long wd[4] = {o, x.dim[1] / group, kh, kw};
    long dim[4] = {x.dim[0], o, window(x.dim[2], kh, stride, pads[0] + pads[2]),
                   window(x.dim[3], kw, stride, pads[1] + pads[3])};
    long kernel[2] = {kh, kw}, strides[2] = {stride, stride};
    struct zattr attrs[] = {{"kernel_shape", 'I', 0, 0, kernel, 2},
                            {"strides", 'I', 0, 0, strides, 2},
                            {"pads", 'I', 0, 0, pads, 4},
                            {group > 1 ? "group" : NULL, 'i', group, 0, NULL, 0},
                            {NULL, 0, 0, 0, NULL, 0}};
    struct val w = build_normal(b, "weight", 4, wd, deviation);
    struct val bias;
    const struct val *in[3] = {&x, &w, &bias};

    if (with_bias)
        bias = build_normal(b, "bias", 1, &o, 0.1);
    return build_node(b, "Conv", in, with_bias ? 3 : 2, 4, dim, attrs);
}

struct val build_conv(struct build *b, struct val x, long channels, long kh, long kw, long stride, long ph, long pw,
                      int with_bias)
{
    long pads[4] = {ph, pw, ph, pw};
    return build_conv_pads(b, x, build_width(b, channels), kh, kw, stride, pads, 1,
                           sqrt(2.0 / (double)(x.dim[1] * kh * kw)), with_bias);
}

struct val build_bn(struct build *b, struct val x, double epsilon)
{
    return build_bn_gain(b, x, epsilon, 1);
}

struct val build_bn_gain(struct build *b, struct val x, double epsilon, double gain)
{
    struct zattr attrs[] = {{"epsilon", 'f', 0, epsilon, NULL, 0}, {NULL, 0, 0, 0, NULL, 0}};
    long c = x.dim[1];
    struct val scale = build_uniform(b, "scale", 1, &c, 0.5 * gain, 1.5 * gain);
    struct val shift = build_normal(b, "shift", 1, &c, 0.1);
    struct val mean = build_normal(b, "mean", 1, &c, 0.1);
    struct val var = build_uniform(b, "var", 1, &c, 0.5, 1.5);
    const struct val *in[5] = {&x, &scale, &shift, &mean, &var};
    return build_node(b, "BatchNormalization", in, 5, x.rank, x.dim, attrs);
}

struct val build_unary(struct build *b, const char *op, struct val x)
{
    const struct val *in[1] = {&x};
    return build_node(b, op, in, 1, x.rank, x.dim, NULL);
}

struct val build_binary(struct build *b, const char *op, struct val x, struct val y)
{
    const struct val *in[2] = {&x, &y};
    return build_node(b, op, in, 2, x.rank, x.dim, NULL);
}

struct val build_pool_pads(struct build *b, const char *op, struct val x, long k, long stride, const long *pads)
{
    long dim[4] = {x.dim[0], x.dim[1], window(x.dim[2], k, stride, pads[0] + pads[2]),
                   window(x.dim[3], k, stride, pads[1] + pads[3])};
    long kernel[2] = {k, k}, strides[2] = {stride, stride};
    struct zattr attrs[] = {{"kernel_shape", 'I', 0, 0, kernel, 2},
                            {"strides", 'I', 0, 0, strides, 2},
                            {"pads", 'I', 0, 0, pads, 4},
                            {NULL, 0, 0, 0, NULL, 0}};
    const struct val *in[1] = {&x};
    if (strcmp(op, "GlobalAveragePool") == 0) {
        dim[2] = dim[3] = 1;
        return build_node(b, op, in, 1, 4, dim, NULL);
    }
    return build_node(b, op, in, 1, 4, dim, attrs);
}

struct val build_pool(struct build *b, const char *op, struct val x, long k, long stride, long pad)
{
    long pads[4] = {pad, pad, pad, pad};
    return build_pool_pads(b, op, x, k, stride, pads);
}

struct val build_concat(struct build *b, const struct val *x, int n, long axis)
{
    const struct val *in[8];
    long dim[VALUE_RANK];
    struct zattr attrs[] = {{"axis", 'i', axis, 0, NULL, 0}, {NULL, 0, 0, 0, NULL, 0}};

    memcpy(dim, x[0].dim, sizeof dim);
    dim[axis] = 0;
    for (int i = 0; i < n; i++) {
        in[i] = &x[i];
        dim[axis] += x[i].dim[axis];
    }
    return build_node(b, "Concat", in, n, x[0].rank, dim, attrs);
}

struct val build_reshape(struct build *b, struct val x, int rank, const long *dim)
{
    struct val shape = build_ints(b, "shape", dim, rank);
    const struct val *in[2] = {&x, &shape};
    return build_node(b, "Reshape", in, 2, rank, dim, NULL);
}

struct val build_transpose(struct build *b, struct val x, const long *perm)
{
    long dim[VALUE_RANK];
    struct zattr attrs[] = {{"perm", 'I', 0, 0, perm, x.rank}, {NULL, 0, 0, 0, NULL, 0}};
    const struct val *in[1] = {&x};
    for (int k = 0; k < x.rank; k++)
        dim[k] = x.dim[perm[k]];
    return build_node(b, "Transpose", in, 1, x.rank, dim, attrs);
}

struct val build_softmax(struct build *b, struct val x)
{
    struct zattr attrs[] = {{"axis", 'i', x.rank - 1, 0, NULL, 0}, {NULL, 0, 0, 0, NULL, 0}};
    const struct val *in[1] = {&x};
    return build_node(b, "Softmax", in, 1, x.rank, x.dim, attrs);
}

struct val build_gemm(struct build *b, struct val x, long units)
{
    long wd[2] = {units, x.dim[1]}, dim[2] = {x.dim[0], units};
    struct zattr attrs[] = {{"transB", 'i', 1, 0, NULL, 0}, {NULL, 0, 0, 0, NULL, 0}};
    struct val w = build_normal(b, "weight", 2, wd, sqrt(1.0 / (double)x.dim[1]));
    struct val bias = build_normal(b, "bias", 1, &units, 0.1);
    const struct val *in[3] = {&x, &w, &bias};
    return build_node(b, "Gemm", in, 3, 2, dim, attrs);
}

struct val build_linear(struct build *b, struct val x, long units)
{
    long wd[2] = {x.dim[x.rank - 1], units}, dim[VALUE_RANK];
    struct val w = build_normal(b, "weight", 2, wd, sqrt(1.0 / (double)wd[0]));
    struct val bias = build_normal(b, "bias", 1, &units, 0.1);
    const struct val *in[2] = {&x, &w};
    memcpy(dim, x.dim, sizeof dim);
    dim[x.rank - 1] = units;
    return build_binary(b, "Add", build_node(b, "MatMul", in, 2, x.rank, dim, NULL), bias);
}
