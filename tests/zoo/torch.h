/* What PyTorch's exporters write, as far as the nets here need it. Up to opset 17 that is the form of the exporter by TorchScript:
   values called /module/Op_output_0, Constant nodes, the size of a dimension as Gather of Shape. From opset 18 on it is the form of the
   exporter by torch.export: values called after ATen's functions or val_12, constants as initializers, sizes as symbols that are
   computed once, functions inlined. A value's shape is not known here: what needs sizes computes them in the graph. */
#ifndef CALQUE_TESTS_ZOO_TORCH_H
#define CALQUE_TESTS_ZOO_TORCH_H

#include "build.h"

enum { TORCH_FLOAT = 1, TORCH_INT64 = 7, TORCH_BOOL = 9 };

struct torch {
    struct build *b;
    int dynamo;
    char scope[64]; /* the module, as "/bert/encoder"; "" at the top */
    int number;     /* of val_12 and onnx::MatMul_12 */
};

/* One element of a shape that is computed: the scalar v, or where that is NULL the number n. */
struct extent {
    const struct val *v;
    long n;
};

static inline struct zattr torch_i(const char *label, long i) { return (struct zattr){label, 'i', i, 0, NULL, 0, NULL}; }
static inline struct zattr torch_f(const char *label, double f) { return (struct zattr){label, 'f', 0, f, NULL, 0, NULL}; }
static inline struct zattr torch_s(const char *label, const char *s) { return (struct zattr){label, 's', 0, 0, NULL, 0, s}; }
static inline struct zattr torch_is(const char *label, const long *is, int n) { return (struct zattr){label, 'I', 0, 0, is, n, NULL}; }
#define ATTRS(...) ((struct zattr[]){__VA_ARGS__, {NULL, 0, 0, 0, NULL, 0, NULL}})

void torch_init(struct torch *t, struct build *b);
/* snprintf that ends the program where a name does not fit. */
void torch_name(char *name, size_t size, const char *format, ...);
/* The module in which the following nodes are. */
void torch_scope(struct torch *t, const char *format, ...);

/* A node with nin inputs (const struct val *); name: ATen's function that it comes from, NULL inside of one. */
struct val torch_op(struct torch *t, const char *op, const char *name, const struct zattr *attrs, int nin, ...);
struct val torch_unary(struct torch *t, const char *op, const char *name, struct val x);
struct val torch_binary(struct torch *t, const char *op, const char *name, struct val x, struct val y);

/* Constants: a scalar, a list of int64. */
struct val torch_number(struct torch *t, int type, double x);
struct val torch_ints(struct torch *t, int n, const long *x);
/* A parameter called so; the matrix of a product, which is transposed and has no name of its own. */
struct val torch_weight(struct torch *t, const char *name, int rank, const long *dim, double deviation);
struct val torch_matrix(struct torch *t, long rows, long columns);

struct val torch_input(struct torch *t, const char *name, int type, int rank, const long *dim, const char *const *open);
void torch_output(struct torch *t, struct val v, const char *name, int rank, const long *dim, const char *const *open);

/* The size of x along axis, a scalar; a list of extents; x in that shape; x broadcast to that shape. */
struct val torch_size(struct torch *t, struct val x, long axis);
struct val torch_shape(struct torch *t, int n, const struct extent *extent);
struct val torch_view(struct torch *t, struct val x, int n, const struct extent *extent);
struct val torch_expand(struct torch *t, struct val x, int n, const struct extent *extent);
struct val torch_transpose(struct torch *t, struct val x, int rank, const long *perm);
struct val torch_unsqueeze(struct torch *t, struct val x, int n, const long *axes);
struct val torch_squeeze(struct torch *t, struct val x, long axis);
struct val torch_cast(struct torch *t, struct val x, int type);
struct val torch_concat(struct torch *t, int n, const struct val *x, long axis);
/* x[.., start:end, ..]; the bounds are lists of one element. */
struct val torch_slice(struct torch *t, struct val x, long axis, struct val start, struct val end);
/* A scalar as a list of one element. */
struct val torch_list(struct torch *t, struct val scalar);
struct val torch_take(struct torch *t, const char *name, struct val x, struct val index, long axis);
/* 0, 1, .. up to the scalar end. */
struct val torch_arange(struct torch *t, struct val end);

/* Layers. The module's name has no leading slash; its parameters are name.weight and name.bias. */
struct val torch_linear(struct torch *t, struct val x, const char *module, long in, long out, int bias);
struct val torch_gemm(struct torch *t, struct val x, const char *module, long in, long out);
struct val torch_layer_norm(struct torch *t, struct val x, const char *module, long width, double epsilon);
struct val torch_rms_norm(struct torch *t, struct val x, const char *module, long width, double epsilon);
struct val torch_gelu(struct torch *t, struct val x);
struct val torch_softmax(struct torch *t, struct val x);
/* torch.nn.functional.scaled_dot_product_attention of q, k, v [B, heads, .., head]; mask: booleans, or NULL. */
struct val torch_attention(struct torch *t, struct val q, struct val k, struct val v, long head, const struct val *mask);

#endif
