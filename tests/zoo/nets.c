/* The architectures, as in their papers; sources in each function's comment. */
#include "build.h"

#include <math.h>

static void classifier(struct build *b, struct val logits)
{
    struct val prob = build_softmax(b, logits);
    build_output(b, &logits, "logits");
    build_output(b, &prob, "prob");
}

static struct val image_input(struct build *b, long image)
{
    long dim[4] = {1, 3, image, image};
    return build_input(b, "image", 4, dim);
}

static struct val relu_conv(struct build *b, struct val x, long c, long k, long stride, long pad)
{
    return build_unary(b, "Relu", build_conv(b, x, c, k, k, stride, pad, pad, 1));
}

/* SqueezeNet 1.1 fire module: squeeze 1x1, expand 1x1 and 3x3, concatenated. */
static struct val fire(struct build *b, struct val x, long squeeze, long expand)
{
    struct val s = relu_conv(b, x, squeeze, 1, 1, 0), part[2];
    part[0] = relu_conv(b, s, expand, 1, 1, 0);
    part[1] = relu_conv(b, s, expand, 3, 1, 1);
    return build_concat(b, part, 2, 1);
}

/* SqueezeNet 1.1 (Iandola et al. 2016), with the inference Dropout exporters leave in. */
void zoo_squeezenet(struct build *b, long image)
{
    struct val x = relu_conv(b, image_input(b, image), 64, 3, 2, 0);
    static const long plan[8][2] = {{16, 64}, {16, 64}, {32, 128}, {32, 128}, {48, 192}, {48, 192}, {64, 256}, {64, 256}};

    x = build_pool(b, "MaxPool", x, 3, 2, 0);
    for (int i = 0; i < 8; i++) {
        x = fire(b, x, plan[i][0], plan[i][1]);
        if (i == 1 || i == 3)
            x = build_pool(b, "MaxPool", x, 3, 2, 0);
    }
    x = build_unary(b, "Dropout", x);
    x = relu_conv(b, x, 1000, 1, 1, 0);
    x = build_pool(b, "GlobalAveragePool", x, 1, 1, 0);
    x = build_reshape(b, x, 2, (long[]){1, x.dim[1]});
    classifier(b, x);
}

static struct val conv_bn(struct build *b, struct val x, long c, long k, long stride, long pad, int relu)
{
    x = build_bn(b, build_conv(b, x, c, k, k, stride, pad, pad, 0), 1e-5);
    return relu ? build_unary(b, "Relu", x) : x;
}

/* ResNet-50 v1.5 (He et al. 2015): bottlenecks 3, 4, 6, 3. */
void zoo_resnet50(struct build *b, long image)
{
    static const int blocks[4] = {3, 4, 6, 3};
    struct val x = conv_bn(b, image_input(b, image), 64, 7, 2, 3, 1);

    x = build_pool(b, "MaxPool", x, 3, 2, 1);
    for (int s = 0; s < 4; s++)
        for (int i = 0; i < blocks[s]; i++) {
            long c = 64L << s, stride = i == 0 && s > 0 ? 2 : 1;
            struct val shortcut = i == 0 ? conv_bn(b, x, 4 * c, 1, stride, 0, 0) : x;
            struct val y = conv_bn(b, x, c, 1, 1, 0, 1);
            y = conv_bn(b, y, c, 3, stride, 1, 1);
            y = build_bn_gain(b, build_conv(b, y, 4 * c, 1, 1, 1, 0, 0, 0), 1e-5, 0.25);
            x = build_unary(b, "Relu", build_binary(b, "Add", y, shortcut));
        }
    x = build_pool(b, "GlobalAveragePool", x, 1, 1, 0);
    x = build_reshape(b, x, 2, (long[]){1, x.dim[1]});
    classifier(b, build_gemm(b, x, build_width(b, 1000)));
}

static struct val conv2(struct build *b, struct val x, long c, long kh, long kw, long stride, long ph, long pw)
{
    x = build_conv(b, x, c, kh, kw, stride, ph, pw, b->lowered);
    return build_unary(b, "Relu", b->lowered ? x : build_bn(b, x, 2e-5));
}

static struct val one(struct build *b, struct val x, long c)
{
    return conv2(b, x, c, 1, 1, 1, 0, 0);
}

static struct val inception_a(struct build *b, struct val x, long proj)
{
    struct val p[4];
    p[0] = one(b, x, 64);
    p[1] = conv2(b, one(b, x, 48), 64, 5, 5, 1, 2, 2);
    p[2] = conv2(b, conv2(b, one(b, x, 64), 96, 3, 3, 1, 1, 1), 96, 3, 3, 1, 1, 1);
    p[3] = one(b, build_pool(b, "AveragePool", x, 3, 1, 1), proj);
    return build_concat(b, p, 4, 1);
}

static struct val inception_b(struct build *b, struct val x)
{
    struct val p[3];
    p[0] = conv2(b, x, 384, 3, 3, 2, 0, 0);
    p[1] = conv2(b, conv2(b, one(b, x, 64), 96, 3, 3, 1, 1, 1), 96, 3, 3, 2, 0, 0);
    p[2] = build_pool(b, "MaxPool", x, 3, 2, 0);
    return build_concat(b, p, 3, 1);
}

static struct val inception_c(struct build *b, struct val x, long c)
{
    struct val p[4];
    p[0] = one(b, x, 192);
    p[1] = conv2(b, conv2(b, one(b, x, c), c, 1, 7, 1, 0, 3), 192, 7, 1, 1, 3, 0);
    p[2] = conv2(b, conv2(b, one(b, x, c), c, 7, 1, 1, 3, 0), c, 1, 7, 1, 0, 3);
    p[2] = conv2(b, conv2(b, p[2], c, 7, 1, 1, 3, 0), 192, 1, 7, 1, 0, 3);
    p[3] = one(b, build_pool(b, "AveragePool", x, 3, 1, 1), 192);
    return build_concat(b, p, 4, 1);
}

static struct val inception_d(struct build *b, struct val x)
{
    struct val p[3];
    p[0] = conv2(b, one(b, x, 192), 320, 3, 3, 2, 0, 0);
    p[1] = conv2(b, conv2(b, one(b, x, 192), 192, 1, 7, 1, 0, 3), 192, 7, 1, 1, 3, 0);
    p[1] = conv2(b, p[1], 192, 3, 3, 2, 0, 0);
    p[2] = build_pool(b, "MaxPool", x, 3, 2, 0);
    return build_concat(b, p, 3, 1);
}

static struct val inception_e(struct build *b, struct val x, const char *pool)
{
    struct val p[6], y;
    p[0] = one(b, x, 320);
    y = one(b, x, 384);
    p[1] = conv2(b, y, 384, 1, 3, 1, 0, 1);
    p[2] = conv2(b, y, 384, 3, 1, 1, 1, 0);
    y = conv2(b, one(b, x, 448), 384, 3, 3, 1, 1, 1);
    p[3] = conv2(b, y, 384, 1, 3, 1, 0, 1);
    p[4] = conv2(b, y, 384, 3, 1, 1, 1, 0);
    p[5] = one(b, build_pool(b, pool, x, 3, 1, 1), 192);
    return build_concat(b, p, 6, 1);
}

/* Inception-v3 (Szegedy et al. 2015), block widths as in TVM's testing model. */
void zoo_inception_v3(struct build *b, long image)
{
    struct val x = conv2(b, image_input(b, image), 32, 3, 3, 2, 0, 0);

    x = conv2(b, conv2(b, x, 32, 3, 3, 1, 0, 0), 64, 3, 3, 1, 1, 1);
    x = build_pool(b, "MaxPool", x, 3, 2, 0);
    x = conv2(b, one(b, x, 80), 192, 3, 3, 1, 0, 0);
    x = build_pool(b, "MaxPool", x, 3, 2, 0);
    x = inception_a(b, x, 32);
    x = inception_a(b, x, 64);
    x = inception_a(b, x, 64);
    x = inception_b(b, x);
    x = inception_c(b, x, 128);
    x = inception_c(b, x, 160);
    x = inception_c(b, x, 160);
    x = inception_c(b, x, 192);
    x = inception_d(b, x);
    x = inception_e(b, x, "AveragePool");
    x = inception_e(b, x, "MaxPool");
    x = build_pool(b, "GlobalAveragePool", x, 1, 1, 0);
    x = build_reshape(b, x, 2, (long[]){1, x.dim[1]});
    classifier(b, build_gemm(b, x, build_width(b, 1000)));
}

static struct val reduce_mean(struct build *b, struct val x)
{
    long axes[1] = {x.rank - 1}, dim[VALUE_RANK];
    struct zattr attrs[] = {{"axes", 'I', 0, 0, axes, 1}, {"keepdims", 'i', 1, 0, NULL, 0}, {NULL, 0, 0, 0, NULL, 0}};
    const struct val *in[1] = {&x};
    for (int k = 0; k < x.rank; k++)
        dim[k] = x.dim[k];
    dim[x.rank - 1] = 1;
    return build_node(b, "ReduceMean", in, 1, x.rank, dim, attrs);
}

/* Layer normalisation in primitive operators (the form before opset 17). */
static struct val layer_norm(struct build *b, struct val x)
{
    long c = x.dim[x.rank - 1];
    struct val d = build_binary(b, "Sub", x, reduce_mean(b, x));
    struct val var = reduce_mean(b, build_binary(b, "Mul", d, d));
    struct val std = build_unary(b, "Sqrt", build_binary(b, "Add", var, build_scalar(b, "epsilon", 1e-5)));
    struct val y = build_binary(b, "Div", d, std);
    y = build_binary(b, "Mul", y, build_uniform(b, "scale", 1, &c, 0.5, 1.5));
    return build_binary(b, "Add", y, build_normal(b, "shift", 1, &c, 0.1));
}

/* [S, D] -> [heads, S, D/heads] */
static struct val heads(struct build *b, struct val x, long h)
{
    x = build_reshape(b, x, 3, (long[]){x.dim[0], h, x.dim[1] / h});
    return build_transpose(b, x, (long[]){1, 0, 2});
}

static struct val matmul3(struct build *b, struct val x, struct val y)
{
    long dim[3] = {x.dim[0], x.dim[1], y.dim[2]};
    const struct val *in[2] = {&x, &y};
    return build_node(b, "MatMul", in, 2, 3, dim, NULL);
}

static struct val gelu(struct build *b, struct val x)
{
    struct val e = build_unary(b, "Erf", build_binary(b, "Div", x, build_scalar(b, "sqrt2", 1.4142135623730951)));
    e = build_binary(b, "Add", e, build_scalar(b, "one", 1));
    return build_binary(b, "Mul", build_binary(b, "Mul", x, e), build_scalar(b, "half", 0.5));
}

/* One transformer encoder layer (Vaswani et al. 2017, post-norm, GELU): width 1 is d_model 512, 8 heads, d_ff 2048. */
void zoo_transformer(struct build *b, long sequence)
{
    long h = 8, d = build_width(b, 512) / h * h, head, dim[2];
    struct val x, q, k, v, a, y;

    d = d < h ? h : d;
    head = d / h;
    dim[0] = sequence;
    dim[1] = d;
    x = build_input(b, "tokens", 2, dim);
    q = heads(b, build_linear(b, x, d), h);
    k = build_transpose(b, heads(b, build_linear(b, x, d), h), (long[]){0, 2, 1});
    v = heads(b, build_linear(b, x, d), h);
    a = build_binary(b, "Mul", matmul3(b, q, k), build_scalar(b, "scale", 1 / sqrt((double)head)));
    a = build_unary(b, "Dropout", build_softmax(b, a));
    a = build_transpose(b, matmul3(b, a, v), (long[]){1, 0, 2});
    a = build_linear(b, build_reshape(b, a, 2, (long[]){sequence, d}), d);
    x = layer_norm(b, build_binary(b, "Add", x, build_unary(b, "Dropout", a)));
    y = build_linear(b, gelu(b, build_linear(b, x, 4 * d)), d);
    x = layer_norm(b, build_binary(b, "Add", x, build_unary(b, "Identity", y)));
    build_output(b, &x, "encoded");
}
