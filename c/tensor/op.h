/* The operator table and what an operator means: its type rule and its kernel (tensor/ops.def). */
#ifndef CALQUE_TENSOR_OP_H
#define CALQUE_TENSOR_OP_H

#include "base/text.h"
#include "graph/graph.h"
#include "kernel/kernel.h"
#include "tensor/op_code.h"

enum op_attr_kind { OP_ATTR_I, OP_ATTR_IS, OP_ATTR_F, OP_ATTR_S };

struct op_info {
    const char *name;
    int least, most;
    unsigned traits;
    const char *words;
};

struct op_attr_info {
    int op;
    const char *label;
    enum op_attr_kind kind;
    const char *otherwise; /* C text of the default, or "-" */
};

const struct op_info *op_info(int op);
/* By name; -1 if unknown. OP_Opaque is never found by name. */
int op_find(const char *name, size_t len);
/* The attributes of an operator, as a range of the table; *n of them. */
const struct op_attr_info *op_attrs(int op, int *n);
bool op_has_attr(int op, const char *label);
/* Is v a value of an attribute of that kind? */
bool op_attr_holds(const struct values *vs, const struct value *v, enum op_attr_kind kind);
/* "3x4", "scalar" or "unknown", into buf of SHAPE_TEXT bytes. Returns buf. */
enum { SHAPE_TEXT = 96 };
const char *shape_text(const struct shape *s, char *buf);
/* Does the value of input k matter, not only its type? */
bool op_needs(int op, int k);

/* Checks arity, attributes and input types of node (its inputs are typed) and sets its dtype and shape; for an OP_MULTI
   operator only checks, and op_infer on a NODE_PROJ sets that output's type. Attributes are brought into the internal form:
   defaults of the table and those that follow from the types are filled in (kernel_shape of Conv, strides, pads, perm, axes:
   absent means all, an empty tuple means none), negative axes counted from the front, 0 and -1 in Reshape's shape resolved.
   An attribute that the table does not have, or of another kind, is an error. CALQUE_BAD names the node and the reason,
   CALQUE_LIMIT a result of too many elements. With an input of unknown type or shape, and for OP_Opaque, the type of the
   node stays as it was (no error). */
enum calque_status op_infer(struct graph *g, int node, struct diag *d);
/* op_infer over all nodes, in order. */
enum calque_status graph_infer(struct graph *g, struct diag *d);

/* Booleans: one byte, 0 or 1 (read: 0 or not). No kernel computes on them or on i8, u8: these are converted as they are loaded
   and stored. */
enum { DTYPE_U8 = 2, DTYPE_I8 = 3, DTYPE_BOOL = 9 };
/* Is it i8 or u8? Kernels compute on i32 instead, and store the low bits. */
bool dtype_is_byte(int dtype);
/* The tensor type (ONNX code) of what kernels store as ELEM_F32 .. ELEM_BOOL. */
int elem_dtype(int elem);
/* And back; ELEM_OWN: kernels have none of it. */
int dtype_elem(int dtype);

/* Kernels compute on f32, f64, i32 and i64; each operator's kernel on those of them that ONNX gives it.
   The kernel of an operator application as kernel text over formal tensors X0.. (by place: an absent input, and one whose
   values do not matter, does not occur), Y0.. (outputs), T0.. (temporaries), with the shapes of the node. Empty
   tensors have no statement: the text of a node with only empty results is "". The node was inferred.
   CALQUE_BAD when it has no kernel: opaque, unknown shape, element types without kernels. Gather is a
   look-up, unless its indices are a NODE_CONST of at most 4096: then it has these in its text. */
enum calque_status op_kernel_text(const struct graph *g, int node, struct text *out, struct diag *d);
/* The same parsed into k (initialised by the callee; kernel_free by the caller in every case). */
enum calque_status op_kernel(const struct graph *g, int node, struct kernel *k, struct diag *d);

/* Is it a Gather that is a look-up? Its kernel is one, or has no statement. */
bool op_looks_up(const struct graph *g, int node);

/* The whole graph as one kernel of the element type (initialised here; kernel_free by the caller in every case): the
   operators' statements in order over tensors named after the values; inputs and constants are KERNEL_IN. The graph was
   inferred. value[node] (one for each node): its tensor, or -1 when nothing uses it. CALQUE_BAD when an operator has no
   kernel or computes in another type. */
enum calque_status graph_kernel(const struct graph *g, enum kernel_type type, struct kernel *k, int *value,
                                struct diag *d);

/* Value of one operator node from its inputs' tensors, by its kernel: in[k] NULL for an absent input. out[j] for each
   output, allocated here. threads >= 1. What op_kernel_text refuses is refused. Cast converts among f32, f64, i32, i64, i8, u8 and bool: to integers towards zero, saturating, NaN to 0; to floats to
   nearest; i64 to i32 keeps the low bits; to bool: is it not 0 (NaN is not)? */
enum calque_status op_eval(const struct graph *g, int node, const struct tensor *const *in,
                           struct tensor *out, int threads, struct diag *d);

/* Reference interpreter: inputs in the order of g->input, of the graph's types; outputs in the order of g->output,
   allocated here. Nodes no output needs are not evaluated; tensors are freed after their last use. numbers: NULL for libm's
   functions and sequential sums. */
enum calque_status graph_run(const struct graph *g, const struct tensor *inputs, struct tensor *outputs,
                             int threads, const struct kernel_numbers *numbers, struct diag *d);

/* The constant value of a node whose ancestors are all constants (or Shape of a typed node), every computed tensor
   having at most `budget` bytes (else CALQUE_LIMIT). CALQUE_NO when it is not constant or something has no kernel; the
   diag says what. Used to resolve shape inputs at import and by folding. */
enum calque_status graph_const_value(const struct graph *g, int node, size_t budget, const struct kernel_numbers *numbers,
                                     struct tensor *out, struct diag *d);

#endif
