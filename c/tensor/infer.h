/* Type rules of operators: what their functions share. Each rule infer_<Op> finds all inputs typed and with at most
   RANK_MAX dimensions, all attributes of the right kind, defaults filled in; it checks and sets dtype and out. */
#ifndef CALQUE_TENSOR_INFER_H
#define CALQUE_TENSOR_INFER_H

#include "tensor/op_internal.h"

enum { INTS_MAX = 2 * RANK_MAX };
#define ATTR_INT_MAX ((long)1 << 31)

struct infer {
    struct graph *g;
    int node, nin;
    int index;        /* the output asked for */
    int dtype;        /* result; the first input's to start with */
    struct shape out; /* result; the first input's to start with */
    struct diag *d;
};

/* The type rules, one for each operator. */
#define OP(name, least, most, traits, words) enum calque_status infer_##name(struct infer *x);
#include "tensor/ops.def"

/* Records "node ...: message"; CALQUE_BAD. */
enum calque_status infer_bad(struct infer *x, const char *format, ...) CALQUE_PRINTF(2, 3);
/* Does input k exist, and what is its shape and element type? */
bool infer_has(const struct infer *x, int k);
const struct shape *infer_in(const struct infer *x, int k);
int infer_type(const struct infer *x, int k);
/* All present inputs have the first one's element type. */
enum calque_status infer_same_type(struct infer *x);
/* Input k has this rank. */
enum calque_status infer_rank(struct infer *x, int k, int rank);
/* Input k is a vector of n elements. */
enum calque_status infer_vector(struct infer *x, int k, long n);

/* Integer attribute in lo..hi. */
enum calque_status infer_int(struct infer *x, const char *label, long lo, long hi, long *out);
/* Exactly n ints, each in lo..ATTR_INT_MAX; an absent attribute is set to n times `otherwise`, which, when less
   than lo, makes it an error. */
enum calque_status infer_ints(struct infer *x, const char *label, int n, long otherwise, long lo, long *out);
/* The attribute's tuple as it is; *n = -1 when absent. */
enum calque_status infer_read(struct infer *x, const char *label, long *out, int *n);
/* Sets an attribute unless it is that already. */
enum calque_status infer_put(struct infer *x, const char *label, const long *v, int n);
enum calque_status infer_put_copies(struct infer *x, const char *label, long v, int n);
enum calque_status infer_put_int(struct infer *x, const char *label, long v);
/* Axis in -rank..limit-1, brought to 0..limit-1 (negative: + rank). */
enum calque_status infer_axis(struct infer *x, const char *label, int rank, int limit, int *axis);
/* Distinct axes of a rank, brought to increasing order; absent: *n = -1. set[i] says whether i is one. */
enum calque_status infer_axes(struct infer *x, int rank, bool *set, int *n);

#endif
