/* ONNX operators without an internal form of their own, by the table expand.def. */
#ifndef CALQUE_ONNX_EXPAND_H
#define CALQUE_ONNX_EXPAND_H

#include "onnx/expand_build.h"

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

/* What stands for some forms of operators that have an internal form: dilated AveragePool, Pad that wraps around. */
int expand_average(struct onnx_build *b);
int expand_wrap(struct onnx_build *b);
/* Sets n->made by one of these functions. */
enum calque_status onnx_expand_by(struct onnx_node *n, int (*make)(struct onnx_build *b));

/* The constant that f makes of input 0, each element in binary64 and rounded once: -1, as it is no node. CALQUE_NO in st where input 0 is
   data, or not of floats. */
int expand_constant(struct onnx_build *b, double (*f)(double));

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
/* Input 0; of another element type than f32 and f64 the operator stays opaque. */
int expand_real_input(struct onnx_build *b);

#endif
