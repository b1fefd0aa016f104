/* ONNX in and out (protobuf-c). Reading turns opsets 1 to 17 of the default domain into the one internal operator form
   of tensor/ops.def; what has no such form is carried as OP_Opaque, byte for byte. Sources: the ONNX 1.12 operator
   documentation (Changelog.md, one form per opset) and IR.md. */
#ifndef CALQUE_GRAPH_ONNX_H
#define CALQUE_GRAPH_ONNX_H

#include "graph/graph.h"

enum { ONNX_OPSET_MAX = 17 };
#define ONNX_RULES "calque.rules"
#define ONNX_CLASS "calque.class"

/* Reads a ModelProto into g (initialised, empty). On any failure g is empty again and d says which node, value or
   byte is at fault: CALQUE_BAD, CALQUE_LIMIT (too large), CALQUE_NOMEM.
   - Shapes are static: an input with an open dimension is an error. An initializer is a constant, listed as an
     input or not.
   - What is opaque: operators of other domains or outside the table, training forms, parameters (shapes, axes, ..)
     that are not constant. Strings and sparse initializers become an opaque Constant. The values a subgraph captures
     follow an opaque node's own inputs.
   - Kept in g->model: opset imports, metadata, functions, unknown fields, declared types that no node can hold.
     Dropped: doc strings of known operators and of inputs and outputs, nodes that no output needs. */
enum calque_status onnx_read(struct graph *g, const char *file, const unsigned char *data, size_t n,
                             struct diag *d);

/* Writes g as a ModelProto for the opset it was read with. *data is allocated from g->mem (mem_free). CALQUE_LIMIT
   when an operator has no form at that opset, CALQUE_BAD when a name or the bytes of an opaque node contradict the
   graph. Graph inputs and outputs keep their names (an Identity is added where a value has another one already); the
   bytes of an opaque node are written as they are unless another value has taken the name of one of its inputs.
   node.origin is written as the doc_string "calque ORIGIN" and read back; so are g->rules and g->class, as the
   metadata ONNX_RULES and ONNX_CLASS. */
enum calque_status onnx_write(const struct graph *g, unsigned char **data, size_t *n, struct diag *d);

/* Reads a bare TensorProto (the input_k.pb, output_k.pb of ONNX test data). name, if not NULL, receives its name as a
   string id, -1 if it has none. */
enum calque_status onnx_tensor_read(struct mem *mem, struct strs *strs, const char *file,
                                    const unsigned char *data, size_t n, struct tensor *out,
                                    int *name, struct diag *d);

#endif
