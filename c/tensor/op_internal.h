/* Shared inside the tensor room. */
#ifndef CALQUE_TENSOR_OP_INTERNAL_H
#define CALQUE_TENSOR_OP_INTERNAL_H

#include <stdarg.h>

#include "tensor/op.h"

enum { NODE_TEXT = 160 };

/* The element type of kernels over a tensor type; false if there is none. */
bool dtype_kernel(int dtype, enum kernel_type *type);
/* The element type that the kernel of an operator application computes on, of a typed node: the output's, but that of the
   inputs for a comparison, of what is chosen for Where, the wider one for Cast; i32 for booleans, i8 and u8. */
int node_computes(const struct graph *g, int node);
/* Is it one of the integer types that kernels compute on? */
bool dtype_is_int(int dtype);

/* "node Conv_12 (Conv)": the node's label, else its value name, else its number; for OP_Opaque with the
   operator it carries. buf has NODE_TEXT bytes. Returns buf. */
const char *node_text(const struct graph *g, int node, char *buf);
/* Fills d with "node ... (...): message" and returns status. */
enum calque_status node_error(const struct graph *g, int node, struct diag *d, enum calque_status status,
                              const char *format, ...) CALQUE_PRINTF(5, 6);
enum calque_status node_verror(const struct graph *g, int node, struct diag *d, enum calque_status status,
                               const char *format, va_list ap) CALQUE_PRINTF(5, 0);
/* numpy broadcasting of two known shapes; false if they do not agree. */
bool shape_broadcast(const struct shape *a, const struct shape *b, struct shape *out);
/* Number of outputs of a node's operator (1 for every node that is not a NODE_OP). */
int node_outputs(const struct graph *g, int node);
/* Is this node's type known (element type and shape)? */
bool node_typed(const struct graph *g, int node);

/* Parses the text of node's kernel into k. */
enum calque_status kernel_of_text(const struct graph *g, int node, const struct text *text, struct kernel *k,
                                  struct diag *d);
/* Type of output j of an operator. */
enum calque_status node_output_type(const struct graph *g, int node, int j, int *dtype, struct shape *shape);

/* ---- type rules ---- */

/* Each rule infer_<Op> finds all inputs typed and with at most
   RANK_MAX dimensions, all attributes of the right kind, defaults filled in; it checks and sets dtype and out. */
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
