/* Building ONNX models node by node, straight on the protobuf-c structures, independent of Calque's own ONNX code. Values
   are named strings; the builder knows the shape of each so that architectures read like their papers. */
#ifndef CALQUE_TESTS_ZOO_BUILD_H
#define CALQUE_TESTS_ZOO_BUILD_H

#include <stdint.h>

#include "onnx/onnx.pb-c.h"

enum { VALUE_RANK = 5 };

/* A value of the model under construction. */
struct val {
    char name[96];
    int type; /* its element type, of TensorProto */
    int rank;
    long dim[VALUE_RANK];
    const char *open[VALUE_RANK]; /* the name of a dimension that is open; NULL: dim is its size */
};

struct build {
    Onnx__ModelProto model;
    Onnx__GraphProto graph;
    int cap_node, cap_init;
    uint64_t seed;
    int serial;
    int opset;
    double width; /* channel multiplier */
    int depth;    /* layers or cells of the architectures that have a number of them */
    const char *batch; /* dimension 0 of inputs and outputs is open and called so; NULL: a number */
    int lowered;  /* Inception-v3: batch normalisations already in the convolutions */
};

/* Attribute list terminator: label NULL. Kinds: 'i' int, 'I' ints (n of them), 'f' float, 's' string, 't' a tensor: of rank 1, the n
   integers `is` as int64; or, where that is NULL, of rank n the number f as element type i. */
struct zattr {
    const char *label;
    char kind;
    long i;
    double f;
    const long *is;
    int n;
    const char *s;
};

void build_init(struct build *b, const char *name, int opset, uint64_t seed, double width);
/* Packs the model into a malloc'ed buffer. */
unsigned char *build_finish(struct build *b, size_t *n);

/* A value of that name that nothing defines yet. */
struct val build_value(const char *name, int type, int rank, const long *dim);
struct val build_input(struct build *b, const char *name, int rank, const long *dim);
/* v, as it is, becomes an input of the model. */
void build_input_value(struct build *b, const struct val *v);
void build_output(struct build *b, const struct val *v, const char *name);

/* Random initializer: normal(0, scale) for scale > 0; uniform [lo, hi) otherwise. */
struct val build_normal(struct build *b, const char *role, int rank, const long *dim, double scale);
struct val build_uniform(struct build *b, const char *role, int rank, const long *dim, double lo, double hi);
struct val build_scalar(struct build *b, const char *role, double x);
struct val build_ints(struct build *b, const char *role, const long *x, int n);

/* The same under a given name. */
void build_normal_named(struct build *b, const struct val *v, double scale);
void build_uniform_named(struct build *b, const struct val *v, double lo, double hi);
/* Initializer v: a list of int64; int64 or floats, as its type says. */
void build_ints_named(struct build *b, const struct val *v, const long *x);
void build_numbers(struct build *b, const struct val *v, const double *x);

/* A node called `label` that defines nout values; an input of which the name is "" is absent. */
void build_node_named(struct build *b, const char *op, const char *label, const struct val *const *in, int nin, const struct val *out,
                      int nout, const struct zattr *attrs);
/* An entry of the last node's metadata_props, which came with version 10 of the file format. */
void build_node_metadata(struct build *b, const char *key, const char *value);
/* One node with one output of the given shape. */
struct val build_node(struct build *b, const char *op, const struct val *const *in, int nin, int rank,
                      const long *dim, const struct zattr *attrs);

/* The usual layers. Channel counts are scaled by b->width, at least 4. */
long build_width(const struct build *b, long channels);
struct val build_conv(struct build *b, struct val x, long channels, long kh, long kw, long stride, long ph, long pw,
                      int with_bias);
/* The same with pads before and after (top, left, bottom, right), channel groups, o channels unscaled, and the
   standard deviation of the weights. */
struct val build_conv_pads(struct build *b, struct val x, long o, long kh, long kw, long stride, const long *pads,
                           long group, double deviation, int with_bias);
/* Keras' padding "same": output = ceil(input / stride), the odd cell at the end. */
void build_same(const struct val *x, long k, long stride, long *pads);
struct val build_pool_pads(struct build *b, const char *op, struct val x, long k, long stride, const long *pads);
struct val build_bn(struct build *b, struct val x, double epsilon);
/* Its scales are gain on average: the last one of a residual branch is small in trained networks, so that sums do not grow. */
struct val build_bn_gain(struct build *b, struct val x, double epsilon, double gain);
struct val build_unary(struct build *b, const char *op, struct val x);
struct val build_binary(struct build *b, const char *op, struct val x, struct val y); /* y broadcasts to x */
struct val build_pool(struct build *b, const char *op, struct val x, long k, long stride, long pad);
struct val build_concat(struct build *b, const struct val *x, int n, long axis);
struct val build_reshape(struct build *b, struct val x, int rank, const long *dim);
struct val build_transpose(struct build *b, struct val x, const long *perm);
struct val build_softmax(struct build *b, struct val x);
struct val build_gemm(struct build *b, struct val x, long units);
/* MatMul then Add, as exporters write a linear layer; x of any rank. */
struct val build_linear(struct build *b, struct val x, long units);

/* The architectures; each adds its outputs. image is the height and width (or the sequence length). */
void zoo_squeezenet(struct build *b, long image);
void zoo_resnet50(struct build *b, long image);
void zoo_inception_v3(struct build *b, long image);
void zoo_transformer(struct build *b, long sequence);
void zoo_encoder_decoder(struct build *b, long sequence);
void zoo_nasnet(struct build *b, long image);
void zoo_resnet_cifar(struct build *b, long image);
void zoo_alexnet(struct build *b, long image);
void zoo_zfnet512(struct build *b, long image);
void zoo_vgg19(struct build *b, long image);
void zoo_inception_v1(struct build *b, long image);
void zoo_inception_v2(struct build *b, long image);
void zoo_densenet121(struct build *b, long image);
void zoo_shufflenet(struct build *b, long image);
void zoo_mobilenet_v2(struct build *b, long image);
void zoo_vit(struct build *b, long image);
void zoo_bert(struct build *b, long positions);
void zoo_llama(struct build *b, long positions);

#endif
