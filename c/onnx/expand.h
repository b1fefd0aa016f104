/* ONNX operators without an internal form of their own, by the table expand.def. */
#ifndef CALQUE_ONNX_EXPAND_H
#define CALQUE_ONNX_EXPAND_H

#include "onnx/onnx_internal.h"

/* Building the operators that stand for one of ONNX that has no internal form of its own. Each make_* adds a typed node
   without a name and returns its id. The first failure stays in st, and all after it return -1: a caller looks once, at the
   end. CALQUE_NO: the operator stays opaque, what was built has no users. */
enum { MAKE_OUTPUTS = 4 };

struct onnx_build {
    struct onnx_node *n;
    int first; /* nodes from here on are new */
    int output[MAKE_OUTPUTS]; /* the nodes of outputs 1.., or -1; named when all has gone well */
    enum calque_status st;
};

void make_init(struct onnx_build *b, struct onnx_node *n);
/* The operator is opaque after all. */
void make_no(struct onnx_build *b);
/* The shape of a node: of one of b's, or an input's; rank -1 after a failure. By value: the graph's nodes move. */
struct shape make_shape(const struct onnx_build *b, int x);
int make_dtype(const struct onnx_build *b, int x);

struct node_attr make_i(struct onnx_build *b, const char *label, long x);
struct node_attr make_f(struct onnx_build *b, const char *label, double x);
struct node_attr make_is(struct onnx_build *b, const char *label, const long *x, int n);
/* An application; CALQUE_NO where the operator does not exist at the node's opset. */
int make_op(struct onnx_build *b, int op, const int *in, int nin, const struct node_attr *attr, int nattr);
int make_unary(struct onnx_build *b, int op, int x);
int make_binary(struct onnx_build *b, int op, int x, int y);
/* x op a scalar of x's element type. */
int make_with(struct onnx_build *b, int op, int x, double scalar);
int make_scalar(struct onnx_build *b, int dtype, double value);
/* A constant of which t's elements become the graph's. */
int make_const(struct onnx_build *b, struct tensor *t);
/* A constant of that element type with the values. */
int make_values(struct onnx_build *b, int dtype, const struct shape *s, const double *value);

int make_clip(struct onnx_build *b, int x, double lo, double hi);
int make_cast(struct onnx_build *b, int x, int dtype);
int make_reshape(struct onnx_build *b, int x, const long *dim, int rank);
int make_transpose(struct onnx_build *b, int x, const long *perm);
/* ReduceSum or ReduceMean. */
int make_reduce(struct onnx_build *b, int op, int x, const long *axes, int n, bool keep);
/* The slices with these numbers along axis. */
int make_take(struct onnx_build *b, int x, int axis, const long *index, int n);
/* `size` slices along axis from `start` on. */
int make_slice(struct onnx_build *b, int x, int axis, long start, long step, long size);
/* Padding, or cutting where negative, by `value` or after the mode; pads of 2 * rank. */
int make_pad(struct onnx_build *b, int x, const long *pads, const char *mode, double value);
int make_concat(struct onnx_build *b, const int *in, int nin, int axis);
/* Output k of a Split of x into parts of size 1 along axis. */
int make_split(struct onnx_build *b, int x, int axis);
int make_part(struct onnx_build *b, int split, int k);

/* x as a constant where it is one, so that nothing is left to compute of weights; else x. */
int make_folded(struct onnx_build *b, int x);

/* x is output k > 0 of the node, if it has one. */
void make_output(struct onnx_build *b, int k, int x);
/* Makes x the node's result: CALQUE_OK, or the first failure. */
enum calque_status make_done(struct onnx_build *b, int x);

/* Their codes follow those of tensor/ops.def. */
enum onnx_expanded {
    EX_BEFORE = OP_COUNT - 1,
#define ONNX_EXPAND(op, function, words) EX_##op,
#include "onnx/expand.def"
    EX_END
};

/* Builds what stands for the operator: the node that has its result, or -1 with b->st set. Its inputs are typed. */
#define ONNX_EXPAND(op, function, words) int expand_##function(struct onnx_build *b); /* may come twice */
#include "onnx/expand.def"

/* What stands for some forms of operators that have an internal form: dilated AveragePool, Pad that wraps around, PRelu before opset 7. */
int expand_average(struct onnx_build *b);
int expand_wrap(struct onnx_build *b);
int expand_slopes(struct onnx_build *b);
/* Sets n->made by one of these functions. */
enum calque_status onnx_expand_by(struct onnx_node *n, int (*make)(struct onnx_build *b));

/* Input k, or -1. */
int expand_in(const struct onnx_build *b, int k);
bool expand_is_float(const struct onnx_build *b, int x);
/* The numbers of constant input k (of a type that kernels compute on), at most max of them; 0 where it is absent or empty. CALQUE_NO in st
   if it is not constant. */
int expand_numbers(struct onnx_build *b, int k, double *out, int max);
/* Input 0 with at least one spatial dimension, its shape in *s; else the operator stays opaque. */
int expand_image(struct onnx_build *b, struct shape *s);
/* The sums over the dimensions from axis on, of size 1 then. */
int expand_sum_from(struct onnx_build *b, int x, int axis);
/* 1 where x is positive (the least float included), else 0. */
int expand_positive(struct onnx_build *b, int x);
/* The float x rounded to an integer, halves to even. */
int expand_rounded(struct onnx_build *b, int x);
/* The greatest or the least of all cells of x, of floats: a scalar. */
int expand_extreme(struct onnx_build *b, int x, bool least);
/* Input 0; of another element type than f32 and f64 the operator stays opaque. */
int expand_real_input(struct onnx_build *b);

#endif
