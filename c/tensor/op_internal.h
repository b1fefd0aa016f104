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

#endif
