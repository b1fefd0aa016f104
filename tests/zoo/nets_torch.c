/* Image networks of torchvision in the form that PyTorch exports. */
#include "torch.h"

#include <math.h>
#include <stdio.h>

static const char *const image_open[4] = {"batch", NULL, NULL, NULL};

static struct val image_input(struct torch *t, long image)
{
    return torch_input(t, "image", TORCH_FLOAT, 4, (long[]){1, 3, image, image}, image_open);
}

static void logits(struct torch *t, struct val x, long classes)
{
    torch_output(t, x, "logits", 2, (long[]){1, classes}, (const char *[]){"batch", NULL});
}

/* ---- MobileNet-v2 ---- */

struct conv {
    long in, out, kernel, stride, group;
};

static struct val conv(struct torch *t, struct val x, const char *module, struct conv c, int bias)
{
    long pad = (c.kernel - 1) / 2, k[2] = {c.kernel, c.kernel}, s[2] = {c.stride, c.stride}, d[2] = {1, 1}, p[4] = {pad, pad, pad, pad};
    long dim[4] = {c.out, c.in / c.group, c.kernel, c.kernel};
    const struct zattr *attrs = t->dynamo ? ATTRS(torch_i("group", c.group), torch_s("auto_pad", "NOTSET"), torch_is("pads", p, 4),
                                                  torch_is("dilations", d, 2), torch_is("strides", s, 2))
                                          : ATTRS(torch_is("dilations", d, 2), torch_i("group", c.group), torch_is("kernel_shape", k, 2),
                                                  torch_is("pads", p, 4), torch_is("strides", s, 2));
    char name[96];
    struct val w, shift;

    torch_name(name, sizeof name, "%s.weight", module);
    w = torch_weight(t, name, 4, dim, sqrt(2.0 / (double)(dim[1] * c.kernel * c.kernel)));
    if (!bias)
        return torch_op(t, "Conv", "conv2d", attrs, 2, &x, &w);
    torch_name(name, sizeof name, "%s.bias", module);
    shift = torch_weight(t, name, 1, &c.out, 0.1);
    return torch_op(t, "Conv", "conv2d", attrs, 3, &x, &w, &shift);
}

static struct val batch_norm(struct torch *t, struct val x, const char *module, long n)
{
    static const char *const what[4] = {"weight", "bias", "running_mean", "running_var"};
    struct val p[4];

    for (int i = 0; i < 4; i++) {
        char name[96];
        torch_name(name, sizeof name, "%s.%s", module, what[i]);
        p[i] = build_value(name, TORCH_FLOAT, 1, &n);
        if (i % 3 == 0)
            build_uniform_named(t->b, &p[i], 0.5, 1.5);
        else
            build_normal_named(t->b, &p[i], 0.1);
    }
    return torch_op(t, "BatchNormalization", "getitem",
                    ATTRS(torch_f("momentum", 0.9), torch_f("epsilon", 1e-5), torch_i("training_mode", 0)), 5, &x, &p[0], &p[1], &p[2], &p[3]);
}

/* Convolution number k of a block, its normalisation (TorchScript writes the two as one) and Relu6. */
static struct val conv_norm(struct torch *t, struct val x, const char *block, const char *k, struct conv c, int relu)
{
    char name[80], norm[80];
    struct val lo, hi;

    torch_scope(t, "/%s/%s", block, k);
    torch_name(name, sizeof name, "%s.%s.0", block, k);
    torch_name(norm, sizeof norm, "%s.%s.1", block, k);
    x = conv(t, x, name, c, !t->dynamo);
    if (t->dynamo)
        x = batch_norm(t, x, norm, c.out);
    if (!relu)
        return x;
    lo = torch_number(t, TORCH_FLOAT, 0);
    hi = torch_number(t, TORCH_FLOAT, 6);
    return torch_op(t, "Clip", "hardtanh", NULL, 3, &x, &lo, &hi);
}

/* Inverted residual: 1x1 to `wide` channels, 3x3 of each, 1x1 without activation; all but the first of a stage are added to their input. */
static struct val inverted(struct torch *t, struct val x, int number, int first, long expand, long in, long out, long stride)
{
    long wide = in * expand;
    char block[32];
    struct val y = x;
    int k = 0;
    static const char *const part[3] = {"conv.0", "conv.1", "conv.2"};

    torch_name(block, sizeof block, "features.%d", number);
    if (expand != 1)
        y = conv_norm(t, y, block, part[k++], (struct conv){in, wide, 1, 1, 1}, 1);
    y = conv_norm(t, y, block, part[k++], (struct conv){wide, wide, 3, stride, wide}, 1);
    y = conv_norm(t, y, block, part[k], (struct conv){wide, out, 1, 1, 1}, 0);
    torch_scope(t, "/%s", block);
    return first ? y : torch_binary(t, "Add", "add", x, y);
}

/* The mean over the image, [N, C]. */
static struct val pooled(struct torch *t, struct val x, const struct val *batch, long channels)
{
    struct val axes;

    torch_scope(t, "");
    if (!t->dynamo)
        return torch_op(t, "Flatten", NULL, ATTRS(torch_i("axis", 1)), 1, (struct val[]){torch_unary(t, "GlobalAveragePool", NULL, x)});
    axes = torch_ints(t, 2, (long[]){-1, -2});
    x = torch_op(t, "ReduceMean", "mean", ATTRS(torch_i("keepdims", 1), torch_i("noop_with_empty_axes", 0)), 2, &x, &axes);
    return torch_view(t, x, 2, (struct extent[]){{batch, 0}, {NULL, channels}});
}

/* MobileNet-v2 (Sandler et al. 2018). */
void zoo_mobilenet_v2(struct build *b, long image)
{
    static const long plan[7][4] = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    long in = build_width(b, 32), last = build_width(b, 1280), classes = build_width(b, 1000);
    int number = 1;
    struct torch t;
    struct val x, batch;

    torch_init(&t, b);
    x = image_input(&t, image);
    if (t.dynamo)
        batch = torch_size(&t, x, 0);
    x = conv_norm(&t, x, "features.0", "features.0.0", (struct conv){3, in, 3, 2, 1}, 1);
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < plan[i][2]; k++) {
            long out = build_width(b, plan[i][1]);
            x = inverted(&t, x, number++, k == 0, plan[i][0], in, out, k == 0 ? plan[i][3] : 1);
            in = out;
        }
    x = conv_norm(&t, x, "features.18", "features.18.0", (struct conv){in, last, 1, 1, 1}, 1);
    x = pooled(&t, x, &batch, last);
    torch_scope(&t, "/classifier/classifier.1");
    logits(&t, torch_gemm(&t, x, "classifier.1", last, classes), classes);
}

/* ---- Vision transformer ---- */

struct vit {
    long d, heads, head, patch, grid;
    struct val batch; /* its size, where it is a symbol */
};

/* The size of the batch, which torch.export computes once and TorchScript wherever it is needed, of x's axis. */
static struct val batch_of(struct torch *t, const struct vit *v, struct val x, long axis)
{
    return t->dynamo ? v->batch : torch_size(t, x, axis);
}

/* Patches as a sequence after the class token, positions added: [N, S, D]. */
static struct val embedded(struct torch *t, const struct vit *v, struct val image)
{
    long k[2] = {v->patch, v->patch}, one[2] = {1, 1}, none[4] = {0, 0, 0, 0}, dim[4] = {v->d, 3, v->patch, v->patch};
    struct val w = torch_weight(t, "conv_proj.weight", 4, dim, 1 / sqrt(3.0 * (double)(v->patch * v->patch)));
    struct val shift = torch_weight(t, "conv_proj.bias", 1, &v->d, 0.1), token, position, part[2], n, x;

    n = batch_of(t, v, image, 0);
    torch_scope(t, "/conv_proj");
    x = torch_op(t, "Conv", "conv2d", ATTRS(torch_is("dilations", one, 2), torch_i("group", 1), torch_is("kernel_shape", k, 2),
                                             torch_is("pads", none, 4), torch_is("strides", k, 2)), 3, &image, &w, &shift);
    torch_scope(t, "");
    x = torch_view(t, x, 3, (struct extent[]){{&n, 0}, {NULL, v->d}, {NULL, v->grid * v->grid}});
    x = torch_transpose(t, x, 3, (long[]){0, 2, 1});
    token = torch_weight(t, "class_token", 3, (long[]){1, 1, v->d}, 1);
    part[0] = t->dynamo ? torch_expand(t, token, 3, (struct extent[]){{&n, 0}, {NULL, 1}, {NULL, v->d}})
                        : torch_expand(t, token, 3, (struct extent[]){{&n, 0}, {NULL, -1}, {NULL, -1}});
    part[1] = x;
    x = torch_concat(t, 2, part, 1);
    position = torch_weight(t, "encoder.pos_embedding", 3, (long[]){1, v->grid * v->grid + 1, v->d}, 0.5);
    torch_scope(t, "/encoder");
    return torch_binary(t, "Add", "add", x, position);
}

/* torch.nn.MultiheadAttention, batch first: one product for q, k and v, heads in the batch. x [N, S, D]. */
static struct val multihead(struct torch *t, const struct vit *v, struct val x, const char *module)
{
    long s = v->grid * v->grid + 1;
    struct val n, packed, part[3];
    char name[96];

    x = torch_transpose(t, x, 3, (long[]){1, 0, 2});
    n = batch_of(t, v, x, 1);
    torch_name(name, sizeof name, "%s.in_proj", module);
    packed = torch_linear(t, x, name, v->d, 3 * v->d, 1);
    packed = torch_view(t, packed, 4, (struct extent[]){{NULL, s}, {&n, 0}, {NULL, 3}, {NULL, v->d}});
    packed = torch_unsqueeze(t, packed, 1, (long[]){0});
    packed = torch_squeeze(t, torch_transpose(t, packed, 5, (long[]){3, 1, 2, 0, 4}), -2);
    for (int i = 0; i < 3; i++) {
        struct val k = torch_number(t, TORCH_INT64, i), all, heads = torch_number(t, TORCH_INT64, (double)v->heads);
        part[i] = torch_take(t, "select", packed, k, 0);
        all = torch_binary(t, "Mul", "mul", n, heads);
        part[i] = torch_view(t, part[i], 3, (struct extent[]){{NULL, s}, {&all, 0}, {NULL, v->head}});
        part[i] = torch_transpose(t, part[i], 3, (long[]){1, 0, 2});
        part[i] = torch_view(t, part[i], 4, (struct extent[]){{&n, 0}, {NULL, v->heads}, {NULL, s}, {NULL, v->head}});
    }
    x = torch_attention(t, part[0], part[1], part[2], v->head, NULL);
    x = torch_transpose(t, x, 4, (long[]){2, 0, 1, 3});
    {
        struct val rows = torch_number(t, TORCH_INT64, (double)s);
        rows = torch_binary(t, "Mul", "mul", n, rows);
        x = torch_view(t, x, 2, (struct extent[]){{&rows, 0}, {NULL, v->d}});
    }
    torch_name(name, sizeof name, "%s.out_proj", module);
    x = torch_gemm(t, x, name, v->d, v->d);
    x = torch_view(t, x, 3, (struct extent[]){{NULL, s}, {&n, 0}, {NULL, v->d}});
    return torch_transpose(t, x, 3, (long[]){1, 0, 2});
}

static struct val encoder_layer(struct torch *t, const struct vit *v, struct val x, int k)
{
    char module[64], name[96];
    struct val y;

    torch_name(module, sizeof module, "encoder.layers.encoder_layer_%d", k);
    torch_scope(t, "/encoder/layers/encoder_layer_%d/ln_1", k);
    torch_name(name, sizeof name, "%s.ln_1", module);
    y = torch_layer_norm(t, x, name, v->d, 1e-6);
    torch_scope(t, "/encoder/layers/encoder_layer_%d/self_attention", k);
    torch_name(name, sizeof name, "%s.self_attention", module);
    y = multihead(t, v, y, name);
    torch_scope(t, "/encoder/layers/encoder_layer_%d", k);
    x = torch_binary(t, "Add", "add", y, x);
    torch_scope(t, "/encoder/layers/encoder_layer_%d/ln_2", k);
    torch_name(name, sizeof name, "%s.ln_2", module);
    y = torch_layer_norm(t, x, name, v->d, 1e-6);
    torch_scope(t, "/encoder/layers/encoder_layer_%d/mlp", k);
    torch_name(name, sizeof name, "%s.mlp.0", module);
    y = torch_gelu(t, torch_linear(t, y, name, v->d, 4 * v->d, 1));
    torch_name(name, sizeof name, "%s.mlp.3", module);
    y = torch_linear(t, y, name, 4 * v->d, v->d, 1);
    torch_scope(t, "/encoder/layers/encoder_layer_%d", k);
    return torch_binary(t, "Add", "add", x, y);
}

/* ViT-B/16 (Dosovitskiy et al. 2020): width 1 is 768, 12 heads. Small images have patches of 4. */
void zoo_vit(struct build *b, long image)
{
    struct vit v = {.heads = 12, .head = build_width(b, 64), .patch = image < 64 ? 4 : 16};
    long classes = build_width(b, 1000);
    struct torch t;
    struct val x, zero;

    v.d = v.heads * v.head;
    v.grid = image / v.patch;
    torch_init(&t, b);
    x = image_input(&t, v.grid * v.patch);
    if (t.dynamo)
        v.batch = torch_size(&t, x, 0);
    x = embedded(&t, &v, x);
    for (int k = 0; k < b->depth; k++)
        x = encoder_layer(&t, &v, x, k);
    torch_scope(&t, "/encoder/ln");
    x = torch_layer_norm(&t, x, "encoder.ln", v.d, 1e-6);
    torch_scope(&t, "");
    zero = torch_number(&t, TORCH_INT64, 0);
    x = torch_take(&t, "select", x, zero, 1);
    torch_scope(&t, "/heads/head");
    logits(&t, torch_gemm(&t, x, "heads.head", v.d, classes), classes);
}
