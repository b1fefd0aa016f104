/* The models that GSL's rules were measured on, besides Inception-v3: a transformer with encoder and decoder, NASNet-A and
   ResNet for small images. Batch, sizes and the number of each operator are those of its experiments. */
#include "build.h"

#include <math.h>

enum { BATCH = 4, HEADS = 4 };

static struct val matmul(struct build *b, struct val x, struct val y)
{
    long dim[3] = {x.dim[0], x.dim[1], y.dim[2]};
    const struct val *in[2] = {&x, &y};
    return build_node(b, "MatMul", in, 2, 3, dim, NULL);
}

static struct val layer_norm(struct build *b, struct val x)
{
    long d = x.dim[x.rank - 1];
    struct val scale = build_uniform(b, "scale", 1, &d, 0.5, 1.5), shift = build_normal(b, "shift", 1, &d, 0.1);
    const struct val *in[3] = {&x, &scale, &shift};
    return build_node(b, "LayerNormalization", in, 3, x.rank, x.dim, NULL);
}

/* (batch, sequence, d) to (batch * heads, sequence, d / heads) */
static struct val heads(struct build *b, struct val x)
{
    long n = x.dim[1], d = x.dim[2] / HEADS;
    x = build_reshape(b, x, 4, (long[]){BATCH, n, HEADS, d});
    x = build_transpose(b, x, (long[]){0, 2, 1, 3});
    return build_reshape(b, x, 3, (long[]){BATCH * HEADS, n, d});
}

static struct val attention(struct build *b, struct val query, struct val key, struct val value)
{
    long n = query.dim[1], d = query.dim[2];
    struct val q = heads(b, build_linear(b, query, d));
    struct val k = heads(b, build_linear(b, key, d));
    struct val v = heads(b, build_linear(b, value, d));
    struct val size = build_unary(b, "Sqrt", build_scalar(b, "head", (double)(d / HEADS)));
    struct val y = build_binary(b, "Div", matmul(b, q, build_transpose(b, k, (long[]){0, 2, 1})), size);
    y = matmul(b, build_softmax(b, y), v);
    y = build_reshape(b, y, 4, (long[]){BATCH, HEADS, n, d / HEADS});
    y = build_transpose(b, y, (long[]){0, 2, 1, 3});
    return build_linear(b, build_reshape(b, y, 3, (long[]){BATCH, n, d}), d);
}

static struct val add_norm(struct build *b, struct val y, struct val x)
{
    return layer_norm(b, build_binary(b, "Add", y, x));
}

static struct val feed_forward(struct build *b, struct val x)
{
    struct val y = build_unary(b, "Relu", build_linear(b, x, 2 * x.dim[2]));
    return add_norm(b, build_linear(b, y, x.dim[2]), x);
}

/* Transformer (Vaswani et al. 2017) of depth layers on both sides, d_model 64, 4 heads, d_ff 128. */
void zoo_encoder_decoder(struct build *b, long sequence)
{
    long d = build_width(b, 64) / HEADS * HEADS, dim[3] = {BATCH, sequence, d};
    struct val x = build_input(b, "source", 3, dim), y = build_input(b, "target", 3, dim);

    for (int i = 0; i < b->depth; i++)
        x = feed_forward(b, add_norm(b, attention(b, x, x, x), x));
    for (int i = 0; i < b->depth; i++) {
        y = add_norm(b, attention(b, y, y, y), y);
        y = feed_forward(b, add_norm(b, attention(b, y, x, x), y));
    }
    build_output(b, &y, "decoded");
}

static struct val conv_same(struct build *b, struct val x, long o, long k, long stride, double gain)
{
    long pads[4];
    build_same(&x, k, stride, pads);
    return build_conv_pads(b, x, o, k, k, stride, pads, 1, sqrt(gain / (double)(x.dim[1] * k * k)), 0);
}

static struct val pool_same(struct build *b, const char *op, struct val x, long k, long stride)
{
    long pads[4];
    build_same(&x, k, stride, pads);
    return build_pool_pads(b, op, x, k, stride, pads);
}

static struct val relu(struct build *b, struct val x) { return build_unary(b, "Relu", x); }
static struct val add(struct build *b, struct val x, struct val y) { return build_binary(b, "Add", x, y); }

/* Global average, flattened, a linear layer and softmax. */
static void head(struct build *b, struct val x)
{
    struct val prob;

    x = build_pool(b, "GlobalAveragePool", x, 1, 1, 0);
    x = build_transpose(b, x, (long[]){0, 2, 3, 1});
    x = build_linear(b, build_reshape(b, x, 2, (long[]){x.dim[0], x.dim[3]}), 10);
    prob = build_softmax(b, x);
    build_output(b, &x, "logits");
    build_output(b, &prob, "prob");
}

static struct val squeeze(struct build *b, struct val x, long f)
{
    return build_bn(b, conv_same(b, relu(b, x), f, 1, 1, 2), 1e-3);
}

/* Relu, depthwise, pointwise, batch normalisation, twice. */
static struct val separable(struct build *b, struct val x, long f, long k, long stride)
{
    for (int i = 0; i < 2; i++, stride = 1) {
        long pads[4];
        x = relu(b, x);
        build_same(&x, k, stride, pads);
        x = build_conv_pads(b, x, x.dim[1], k, k, stride, pads, x.dim[1], sqrt(2.0 / (double)(k * k)), 0);
        x = build_bn(b, conv_same(b, x, f, 1, 1, 0.7), 1e-3);
    }
    return x;
}

/* A node with pads or slice bounds as inputs: the image moved up and left by one cell. */
static struct val shifted(struct build *b, struct val x)
{
    long h = x.dim[2], w = x.dim[3], dim[4] = {x.dim[0], x.dim[1], h + 1, w + 1};
    struct val pads = build_ints(b, "pads", (long[]){0, 0, 0, 0, 0, 0, 1, 1}, 8);
    struct val from = build_ints(b, "starts", (long[]){1, 1}, 2), to = build_ints(b, "ends", (long[]){h + 1, w + 1}, 2);
    struct val axes = build_ints(b, "axes", (long[]){2, 3}, 2), y;
    const struct val *in[2] = {&x, &pads}, *cut[4] = {&y, &from, &to, &axes};
    y = build_node(b, "Pad", in, 2, 4, dim, NULL);
    return build_node(b, "Slice", cut, 4, 4, x.dim, NULL);
}

/* The output of the cell before the last in the size of the last's. */
static struct val fit(struct build *b, struct val prev, long size, long f)
{
    struct val p[2];

    if (prev.dim[2] == size)
        return squeeze(b, prev, f);
    prev = relu(b, prev);
    p[0] = conv_same(b, build_pool(b, "AveragePool", prev, 1, 2, 0), f / 2, 1, 1, 2);
    p[1] = conv_same(b, build_pool(b, "AveragePool", shifted(b, prev), 1, 2, 0), f - f / 2, 1, 1, 2);
    return build_bn(b, build_concat(b, p, 2, 1), 1e-3);
}

static struct val normal_cell(struct build *b, struct val x, const struct val *before, long f)
{
    struct val cur = squeeze(b, x, f), prev = before ? fit(b, *before, x.dim[2], f) : cur, p[6];

    p[0] = prev;
    p[1] = add(b, separable(b, cur, f, 3, 1), cur);
    p[2] = separable(b, cur, f, 5, 1);
    p[2] = add(b, p[2], separable(b, prev, f, 3, 1));
    p[3] = add(b, pool_same(b, "AveragePool", cur, 3, 1), prev);
    p[4] = pool_same(b, "AveragePool", prev, 3, 1);
    p[4] = add(b, p[4], pool_same(b, "AveragePool", prev, 3, 1));
    p[5] = separable(b, prev, f, 5, 1);
    p[5] = add(b, p[5], separable(b, prev, f, 3, 1));
    return build_concat(b, p, 6, 1);
}

static struct val reduction_cell(struct build *b, struct val x, struct val before, long f)
{
    struct val prev = fit(b, before, x.dim[2], f), cur = squeeze(b, x, f), b1, p[4];

    b1 = separable(b, cur, f, 5, 2);
    b1 = add(b, b1, separable(b, prev, f, 7, 2));
    p[0] = pool_same(b, "MaxPool", cur, 3, 2);
    p[0] = add(b, p[0], separable(b, prev, f, 7, 2));
    p[1] = pool_same(b, "AveragePool", cur, 3, 2);
    p[1] = add(b, p[1], separable(b, prev, f, 5, 2));
    p[2] = separable(b, b1, f, 3, 1);
    p[2] = add(b, p[2], pool_same(b, "MaxPool", cur, 3, 2));
    p[3] = add(b, pool_same(b, "AveragePool", b1, 3, 1), p[0]);
    return build_concat(b, p, 4, 1);
}

/* NASNet-A (Zoph et al. 2018) for small images: three stages of depth normal cells, 768 channels at the end, stem of 96. */
void zoo_nasnet(struct build *b, long image)
{
    long dim[4] = {BATCH, 3, image, image}, f = build_width(b, 32);
    struct val x = build_input(b, "image", 4, dim), prev, y;
    int first = 1;

    x = build_bn(b, conv_same(b, x, build_width(b, 96), 3, 1, 2), 1e-3);
    prev = x;
    for (int stage = 0; stage < 3; stage++, f *= 2) {
        if (stage > 0) {
            y = reduction_cell(b, x, prev, f);
            prev = x;
            x = y;
        }
        for (int i = 0; i < b->depth; i++, first = 0) {
            y = normal_cell(b, x, first ? NULL : &prev, f);
            prev = x;
            x = y;
        }
    }
    head(b, relu(b, x));
}

static struct val residual(struct build *b, struct val x, long c, long stride)
{
    struct val y = relu(b, build_bn(b, conv_same(b, x, c, 3, stride, 2), 1e-5));

    y = build_bn(b, conv_same(b, y, c, 3, 1, 1), 1e-5);
    return relu(b, add(b, y, stride > 1 ? conv_same(b, x, c, 1, stride, 1) : x));
}

/* ResNet for small images (He et al. 2015, section 4.2): 6 depth + 2 layers. */
void zoo_resnet_cifar(struct build *b, long image)
{
    long dim[4] = {BATCH, 3, image, image}, c = build_width(b, 16);
    struct val x = conv_same(b, build_input(b, "image", 4, dim), c, 3, 1, 2);

    for (int stage = 0; stage < 3; stage++)
        for (int i = 0; i < b->depth; i++)
            x = residual(b, x, c << stage, stage > 0 && i == 0 ? 2 : 1);
    head(b, x);
}
