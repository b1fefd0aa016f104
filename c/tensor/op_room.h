/* Shared inside the tensor room. */
#ifndef CALQUE_TENSOR_OP_ROOM_H
#define CALQUE_TENSOR_OP_ROOM_H

#include <stdarg.h>

#include "tensor/op.h"

enum { NODE_TEXT = 160 };

/* The element type of kernels over a tensor type; false if there is none. */
bool dtype_kernel(int dtype, enum kernel_type *type);
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
/* "3x4", "scalar" or "unknown", into buf of SHAPE_TEXT bytes. Returns buf. */
enum { SHAPE_TEXT = 96 };
const char *shape_text(const struct shape *s, char *buf);
/* numpy broadcasting of two known shapes; false if they do not agree. */
bool shape_broadcast(const struct shape *a, const struct shape *b, struct shape *out);
/* Number of outputs of a node's operator (1 for every node that is not a NODE_OP). */
int node_outputs(const struct graph *g, int node);
/* Is this node's type known (element type and shape)? */
bool node_typed(const struct graph *g, int node);

/* op_kernel_text with the values of the inputs where they are known (NULL: none): Gather looks at its indices. */
enum calque_status kernel_text(const struct graph *g, int node, const struct tensor *const *in, struct text *out,
                               struct diag *d);
/* Parses the text of node's kernel into k. */
enum calque_status kernel_of_text(const struct graph *g, int node, const struct text *text, struct kernel *k,
                                  struct diag *d);
/* Type of output j of an operator. */
enum calque_status node_output_type(const struct graph *g, int node, int j, int *dtype, struct shape *shape);

#endif
