/* The classical image networks besides those of nets.c, node for node as the models of the ONNX model zoo: opset 9, batch
   normalisation followed by Mul and Add in models that come from Caffe. */
#include "build.h"

#include <math.h>

static struct val input(struct build *b, long image)
{
    long dim[4] = {1, 3, image, image};
    return build_input(b, "image", 4, dim);
}

static void outputs(struct build *b, struct val logits)
{
    struct val prob = build_softmax(b, logits);
    build_output(b, &logits, "logits");
    build_output(b, &prob, "prob");
}

static struct val relu(struct build *b, struct val x) { return build_unary(b, "Relu", x); }

/* A convolution with bias, then Relu; channels a multiple of the groups. */
static struct val conv_relu(struct build *b, struct val x, long c, long k, long stride, long pad, long group)
{
    long pads[4] = {pad, pad, pad, pad}, o = build_width(b, c) / group * group;
    double deviation = sqrt(2.0 / ((double)x.dim[1] / (double)group * (double)(k * k)));
    return relu(b, build_conv_pads(b, x, o, k, k, stride, pads, group, deviation, 1));
}

static struct val local_norm(struct build *b, struct val x, double alpha, double bias)
{
    struct zattr attrs[] = {{"alpha", 'f', 0, alpha, NULL, 0, NULL}, {"beta", 'f', 0, 0.75, NULL, 0, NULL},
                            {"bias", 'f', 0, bias, NULL, 0, NULL},   {"size", 'i', 5, 0, NULL, 0, NULL},
                            {NULL, 0, 0, 0, NULL, 0, NULL}};
    const struct val *in[1] = {&x};
    return build_node(b, "LRN", in, 1, x.rank, x.dim, attrs);
}

static struct val max_pool(struct build *b, struct val x, long k, long stride, long pad)
{
    return build_pool(b, "MaxPool", x, k, stride, pad);
}

/* The mean of each channel as one window. */
static struct val mean(struct build *b, struct val x) { return build_pool(b, "AveragePool", x, x.dim[2], 1, 0); }

static struct val flat(struct build *b, struct val x)
{
    return build_reshape(b, x, 2, (long[]){1, x.dim[1] * x.dim[2] * x.dim[3]});
}

static struct val dense_relu(struct build *b, struct val x, long units)
{
    return relu(b, build_gemm(b, x, build_width(b, units)));
}

/* AlexNet (Krizhevsky et al. 2012), convolutions 2, 4 and 5 in two groups. */
void zoo_alexnet(struct build *b, long image)
{
    struct val x = conv_relu(b, input(b, image), 96, 11, 4, 0, 1);

    x = max_pool(b, local_norm(b, x, 1e-4, 1), 3, 2, 0);
    x = conv_relu(b, x, 256, 5, 1, 2, 2);
    x = max_pool(b, local_norm(b, x, 1e-4, 1), 3, 2, 0);
    x = conv_relu(b, x, 384, 3, 1, 1, 1);
    x = conv_relu(b, x, 384, 3, 1, 1, 2);
    x = conv_relu(b, x, 256, 3, 1, 1, 2);
    x = flat(b, max_pool(b, x, 3, 2, 0));
    x = build_unary(b, "Dropout", dense_relu(b, x, 4096));
    x = build_unary(b, "Dropout", dense_relu(b, x, 4096));
    outputs(b, build_gemm(b, x, build_width(b, 1000)));
}

/* ZFNet-512 (Zeiler and Fergus 2013). */
void zoo_zfnet512(struct build *b, long image)
{
    struct val x = conv_relu(b, input(b, image), 96, 7, 2, 0, 1);

    x = max_pool(b, local_norm(b, x, 5e-4, 2), 3, 2, 0);
    x = conv_relu(b, x, 256, 5, 2, 0, 1);
    x = max_pool(b, local_norm(b, x, 5e-4, 2), 3, 2, 0);
    for (int i = 0; i < 3; i++)
        x = conv_relu(b, x, 512, 3, 1, 1, 1);
    x = flat(b, max_pool(b, x, 2, 2, 0));
    x = dense_relu(b, dense_relu(b, x, 4096), 1024);
    outputs(b, build_gemm(b, x, build_width(b, 1000)));
}

/* VGG-19 (Simonyan and Zisserman 2014), configuration E. */
void zoo_vgg19(struct build *b, long image)
{
    static const int plan[5][2] = {{2, 64}, {2, 128}, {4, 256}, {4, 512}, {4, 512}};
    struct val x = input(b, image);

    for (int s = 0; s < 5; s++) {
        for (int i = 0; i < plan[s][0]; i++)
            x = conv_relu(b, x, plan[s][1], 3, 1, 1, 1);
        x = max_pool(b, x, 2, 2, 0);
    }
    x = flat(b, x);
    x = build_unary(b, "Dropout", dense_relu(b, x, 4096));
    x = build_unary(b, "Dropout", dense_relu(b, x, 4096));
    outputs(b, build_gemm(b, x, build_width(b, 1000)));
}

/* c: 1x1; before 3x3, 3x3; before 5x5, 5x5; after the pool. */
static struct val inception1(struct build *b, struct val x, const long c[6])
{
    struct val p[4];
    p[0] = conv_relu(b, x, c[0], 1, 1, 0, 1);
    p[1] = conv_relu(b, conv_relu(b, x, c[1], 1, 1, 0, 1), c[2], 3, 1, 1, 1);
    p[2] = conv_relu(b, conv_relu(b, x, c[3], 1, 1, 0, 1), c[4], 5, 1, 2, 1);
    p[3] = conv_relu(b, max_pool(b, x, 3, 1, 1), c[5], 1, 1, 0, 1);
    return build_concat(b, p, 4, 1);
}

/* Inception-v1, GoogLeNet (Szegedy et al. 2014): the last layer's weights are stored with four dimensions. */
void zoo_inception_v1(struct build *b, long image)
{
    static const long plan[9][6] = {
        {64, 96, 128, 16, 32, 32},    {128, 128, 192, 32, 96, 64},  {192, 96, 208, 16, 48, 64},
        {160, 112, 224, 24, 64, 64},  {128, 128, 256, 24, 64, 64},  {112, 144, 288, 32, 64, 64},
        {256, 160, 320, 32, 128, 128}, {256, 160, 320, 32, 128, 128}, {384, 192, 384, 48, 128, 128}};
    struct val x = conv_relu(b, input(b, image), 64, 7, 2, 3, 1), w, bias;
    struct zattr attrs[] = {{"transB", 'i', 1, 0, NULL, 0, NULL}, {NULL, 0, 0, 0, NULL, 0, NULL}};
    const struct val *in[3] = {&x, &w, &bias};
    long units = build_width(b, 1000);

    x = local_norm(b, max_pool(b, x, 3, 2, 0), 1e-4, 1);
    x = conv_relu(b, conv_relu(b, x, 64, 1, 1, 0, 1), 192, 3, 1, 1, 1);
    x = max_pool(b, local_norm(b, x, 1e-4, 1), 3, 2, 0);
    for (int i = 0; i < 9; i++) {
        x = inception1(b, x, plan[i]);
        if (i == 1 || i == 6)
            x = max_pool(b, x, 3, 2, 0);
    }
    x = build_pool_pads(b, "AveragePool", x, x.dim[2] + 1, 1, (long[]){0, 0, 1, 1});
    x = flat(b, build_unary(b, "Dropout", x));
    w = build_normal(b, "weight", 4, (long[]){1, 1, units, x.dim[1]}, sqrt(1.0 / (double)x.dim[1]));
    w = build_reshape(b, w, 2, (long[]){units, x.dim[1]});
    bias = build_normal(b, "bias", 1, &units, 0.1);
    outputs(b, build_node(b, "Gemm", in, 3, 2, (long[]){1, units}, attrs));
}

static struct val unsqueezed(struct build *b, struct val v)
{
    struct zattr attrs[] = {{"axes", 'I', 0, 0, (long[]){1, 2}, 2, NULL}, {NULL, 0, 0, 0, NULL, 0, NULL}};
    const struct val *in[1] = {&v};
    return build_node(b, "Unsqueeze", in, 1, 3, (long[]){v.dim[0], 1, 1}, attrs);
}

/* Batch normalisation as Caffe has it: the scale and the shift are layers of their own. */
static struct val norm(struct build *b, struct val x)
{
    long c = x.dim[1];
    x = build_bn(b, x, 1e-5);
    x = build_binary(b, "Mul", x, unsqueezed(b, build_uniform(b, "scale", 1, &c, 0.5, 1.5)));
    return build_binary(b, "Add", x, unsqueezed(b, build_normal(b, "shift", 1, &c, 0.1)));
}

static struct val conv_norm(struct build *b, struct val x, long c, long k, long stride, long pad)
{
    return relu(b, norm(b, build_conv(b, x, c, k, k, stride, pad, pad, 0)));
}

static struct val halve(struct build *b, struct val x)
{
    long pads[4];
    build_same(&x, 3, 2, pads);
    return build_pool_pads(b, "MaxPool", x, 3, 2, pads);
}

/* c: 1x1; before 3x3, 3x3; before two 3x3, 3x3, 3x3; after the pool. */
static struct val inception2(struct build *b, struct val x, const long c[7], const char *pool)
{
    struct val p[4];
    p[0] = conv_norm(b, x, c[0], 1, 1, 0);
    p[1] = conv_norm(b, conv_norm(b, x, c[1], 1, 1, 0), c[2], 3, 1, 1);
    p[2] = conv_norm(b, conv_norm(b, x, c[3], 1, 1, 0), c[4], 3, 1, 1);
    p[2] = conv_norm(b, p[2], c[5], 3, 1, 1);
    p[3] = conv_norm(b, build_pool(b, pool, x, 3, 1, 1), c[6], 1, 1, 0);
    return build_concat(b, p, 4, 1);
}

/* The same halving the image: c as before, without the first and the last. */
static struct val reduction2(struct build *b, struct val x, const long c[5])
{
    struct val p[3];
    p[0] = conv_norm(b, conv_norm(b, x, c[0], 1, 1, 0), c[1], 3, 2, 1);
    p[1] = conv_norm(b, conv_norm(b, x, c[2], 1, 1, 0), c[3], 3, 1, 1);
    p[1] = conv_norm(b, p[1], c[4], 3, 2, 1);
    p[2] = halve(b, x);
    return build_concat(b, p, 3, 1);
}

/* Inception-v2 (Ioffe and Szegedy 2015). */
void zoo_inception_v2(struct build *b, long image)
{
    static const long plan[8][7] = {
        {64, 64, 64, 64, 96, 96, 32},       {64, 64, 96, 64, 96, 96, 64},       {224, 64, 96, 96, 128, 128, 128},
        {192, 96, 128, 96, 128, 128, 128},  {160, 128, 160, 128, 160, 160, 96}, {96, 128, 192, 160, 192, 192, 96},
        {352, 192, 320, 160, 224, 224, 128}, {352, 192, 320, 192, 224, 224, 128}};
    static const long reduce[2][5] = {{128, 160, 64, 96, 96}, {128, 192, 192, 256, 256}};
    struct val x = halve(b, conv_norm(b, input(b, image), 64, 7, 2, 3));

    x = halve(b, conv_norm(b, conv_norm(b, x, 64, 1, 1, 0), 192, 3, 1, 1));
    for (int i = 0; i < 8; i++) {
        if (i == 2 || i == 6)
            x = reduction2(b, x, reduce[i == 6]);
        x = inception2(b, x, plan[i], i == 7 ? "MaxPool" : "AveragePool");
    }
    outputs(b, build_gemm(b, flat(b, mean(b, x)), build_width(b, 1000)));
}

/* DenseNet-121 (Huang et al. 2016), growth 32: what comes out of a layer is joined with what went in. The last layer is a
   convolution, its output the only one. */
void zoo_densenet121(struct build *b, long image)
{
    static const int layers[4] = {6, 12, 24, 16};
    struct val x = conv_norm(b, input(b, image), 64, 7, 2, 3), p[2];

    x = max_pool(b, x, 3, 2, 1);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < layers[s]; i++) {
            p[0] = x;
            p[1] = build_conv(b, relu(b, norm(b, x)), 128, 1, 1, 1, 0, 0, 0);
            p[1] = build_conv(b, relu(b, norm(b, p[1])), 32, 3, 3, 1, 1, 1, 0);
            x = build_concat(b, p, 2, 1);
        }
        x = relu(b, norm(b, x));
        if (s < 3) {
            long o = x.dim[1] / 2;
            x = build_conv_pads(b, x, o, 1, 1, 1, (long[]){0, 0, 0, 0}, 1, sqrt(2.0 / (double)x.dim[1]), 0);
            x = build_pool(b, "AveragePool", x, 2, 2, 0);
        }
    }
    x = build_pool(b, "GlobalAveragePool", x, 1, 1, 0);
    x = build_conv(b, x, 1000, 1, 1, 1, 0, 0, 1);
    build_output(b, &x, "logits");
}

enum { GROUPS = 4 };

/* A convolution in groups, batch normalisation. */
static struct val group_norm(struct build *b, struct val x, long o, long k, long stride, long group)
{
    long pads[4] = {k / 2, k / 2, k / 2, k / 2};
    double deviation = sqrt(2.0 / ((double)x.dim[1] / (double)group * (double)(k * k)));
    return build_bn(b, build_conv_pads(b, x, o, k, k, stride, pads, group, deviation, 0), 1e-5);
}

/* The channels of the groups in turn. */
static struct val shuffled(struct build *b, struct val x)
{
    long c = x.dim[1], h = x.dim[2], w = x.dim[3];
    x = build_reshape(b, x, 5, (long[]){1, GROUPS, c / GROUPS, h, w});
    x = build_transpose(b, x, (long[]){0, 2, 1, 3, 4});
    return build_reshape(b, x, 4, (long[]){1, c, h, w});
}

/* Grouped 1x1, channels shuffled, depthwise 3x3, grouped 1x1; the first of a stage halves the image and is joined to it. */
static struct val shuffle_unit(struct build *b, struct val x, long c, int first)
{
    long o = first ? c - x.dim[1] : c;
    struct val y = shuffled(b, relu(b, group_norm(b, x, o, 1, 1, GROUPS)));
    const struct val *in[2] = {&y, &x};

    y = group_norm(b, group_norm(b, y, o, 3, first ? 2 : 1, o), o, 1, 1, GROUPS);
    if (first) {
        struct val p[2] = {y, build_pool(b, "AveragePool", x, 3, 2, 1)};
        return relu(b, build_concat(b, p, 2, 1));
    }
    return relu(b, build_node(b, "Sum", in, 2, 4, y.dim, NULL));
}

/* ShuffleNet (Zhang et al. 2017) of 4 groups, a half as wide; the channels of all layers are multiples of 8. */
void zoo_shufflenet(struct build *b, long image)
{
    static const int units[3] = {4, 8, 4};
    long c = lround(17 * b->width), pads[4] = {1, 1, 1, 1}, stem = lround(3 * b->width);
    struct val x = input(b, image);

    c = 8 * (c < 2 ? 2 : c);
    stem = 8 * (stem < 1 ? 1 : stem);
    x = relu(b, build_bn(b, build_conv_pads(b, x, stem, 3, 3, 2, pads, 1, sqrt(2.0 / 27), 1), 1e-5));
    x = max_pool(b, x, 3, 2, 1);
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < units[s]; i++)
            x = shuffle_unit(b, x, c << s, i == 0);
    outputs(b, build_gemm(b, flat(b, mean(b, x)), build_width(b, 1000)));
}
