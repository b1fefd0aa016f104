/* ONNX in and out (protobuf-c). Reading turns the operators of the default domain, opsets 1 to
   ONNX_OPSET_KNOWN, into the one internal operator form of tensor/ops.def; what has no such form is carried as OP_Opaque,
   byte for byte, and so is every operator of a later opset. Sources: the operator documentation of ONNX (Changelog.md, one
   form per opset) and IR.md. */
#ifndef CALQUE_ONNX_ONNX_H
#define CALQUE_ONNX_ONNX_H

#include "base/text.h"
#include "graph/graph.h"

enum {
    ONNX_OPSET_KNOWN = 27,  /* the last opset whose operators the tables describe */
    ONNX_OPSET_MAX = 9999,  /* a greater one is no version of ONNX */
    ONNX_OPSET_WRITTEN = 17 /* of what was not read with one */
};
#define ONNX_RULES "calque.rules"
#define ONNX_CLASS "calque.class"

/* Sizes of a model's open dimensions, from outside: of every dimension of that name, and of a graph input as a whole. */
struct onnx_size {
    const char *name;
    long n;
};
struct onnx_input_shape {
    const char *input;
    struct shape shape;
};
struct onnx_given {
    const struct onnx_size *size;
    int nsize;
    const struct onnx_input_shape *shape;
    int nshape;
    const char *folder; /* the model's ("" is the present one): data of initializers may be in files inside of it; NULL: that is an error */
};

/* A file beside the model with data of its initializers. */
struct onnx_external {
    const char *location; /* its name in the model */
    unsigned char *data;  /* mem_free */
    size_t n;
};

/* Why an operator is opaque, by the name of its first named output: string ids. */
struct onnx_reason {
    int value, text;
};
struct onnx_reasons {
    struct onnx_reason *a;
    int n, cap;
};

/* Reads a ModelProto into g (initialised, empty). On any failure g is empty again and d says which node, value or
   byte is at fault: CALQUE_BAD, CALQUE_LIMIT (too large), CALQUE_NOMEM.
   - Shapes are static: an input with an open dimension is an error that names it (onnx_read_given fixes it). An
     initializer is a constant, listed as an input or not; since IR 4 the latter is the default value of an input, which stays one in what is written.
   - What is opaque: operators of other domains or outside the table, training forms, parameters (shapes, axes, ..)
     that are not constant. Strings and sparse initializers become an opaque Constant. The values a subgraph captures
     follow an opaque node's own inputs.
   - Kept in g->model: opset imports, metadata, functions, unknown fields, declared types that no node can hold,
     denotations and doc strings of values, quantization annotations and the initializers that they name, inputs with
     default values, training information.
     Dropped: doc strings of known operators, nodes that no output needs. */
enum calque_status onnx_read(struct graph *g, const char *file, const unsigned char *data, size_t n,
                             struct diag *d);

/* The same for a model with open dimensions: they get the given sizes wherever their names occur (inputs, outputs,
   value_info). A shape that is given names the sizes of its input's dimensions, so that other inputs get them too.
   CALQUE_BAD when a name is in no input, or a size contradicts another or the model. why, if not NULL, receives a
   reason for each operator that stays opaque (its array from g->mem, the caller's to free, also after an error). */
enum calque_status onnx_read_given(struct graph *g, const char *file, const unsigned char *data, size_t n,
                                   const struct onnx_given *given, struct onnx_reasons *why, struct diag *d);

/* Writes g as a ModelProto for the opset it was read with. *data is allocated from g->mem (mem_free). CALQUE_LIMIT
   when an operator has no form at that opset, CALQUE_BAD when a name or the bytes of an opaque node contradict the
   graph. Graph inputs and outputs keep their names (an Identity is added where a value has another one already); the
   bytes of an opaque node are written as they are unless another value has taken the name of one of its inputs.
   An annotation goes when what it names has gone. CALQUE_BAD also for training information, and for an input with a
   default value that is no constant of its own any more: a model written without them would not be the same.
   node.origin is written as the doc_string "calque ORIGIN" and read back; so are g->rules and g->class, as the
   metadata ONNX_RULES and ONNX_CLASS. */
enum calque_status onnx_write(const struct graph *g, unsigned char **data, size_t *n, struct diag *d);
/* The same, with the data of large initializers in x->data, from g->mem, NULL after an error. x->location is the caller's. */
enum calque_status onnx_write_external(const struct graph *g, unsigned char **data, size_t *n, struct onnx_external *x,
                                       struct diag *d);
/* Are the weights small enough for one file? */
bool onnx_fits(const struct graph *g);
/* Only inference is wanted: drops training information, and inputs with default values become constants. */
enum calque_status onnx_inference(struct graph *g, struct diag *d);

/* From which opset on the k-th form of an operator (tensor/op.h) is read, ascending; 0: it has no k-th form. */
int onnx_form_since(int op, int k);
/* The model is written at this opset from now on. CALQUE_BAD (g unchanged) when an operator of the default domain is carried as
   bytes: what it means at another opset is not known. */
enum calque_status onnx_convert(struct graph *g, int opset, struct diag *d);
/* Can the operator be written at the opset? Those of the domain `calque` can at each. */
bool onnx_has_form(int op, int opset);
/* An operator of ONNX that is read as several of ours: those in words, the theorem that they compute ONNX's formula (NULL: none),
   and its code for onnx_form_since. */
struct onnx_expansion {
    const char *name, *words, *theorem;
    int code;
};
/* The k-th of them; false after the last (out unchanged). */
bool onnx_expansion(int k, struct onnx_expansion *out);

/* Reads a bare TensorProto (the input_k.pb, output_k.pb of ONNX test data). name, if not NULL, receives its name as a
   string id, -1 if it has none. */
enum calque_status onnx_tensor_read(struct mem *mem, struct strs *strs, const char *file,
                                    const unsigned char *data, size_t n, struct tensor *out,
                                    int *name, struct diag *d);

/* The requirements of the safety-related profile (profile.def), and where a model falls short of those that can be decided on it. */
struct onnx_requirement {
    const char *number, *anchor; /* in the draft */
    bool decided;
    const char *words, *have, *evidence; /* evidence: words, each theorem:NAME, command:NAME or a path */
};
/* The k-th; NULL after the last. */
const struct onnx_requirement *onnx_requirement(int k);
struct onnx_lack {
    int requirement;
    int node;       /* its number in the file, from 0; -1: it is of the model */
    size_t at;      /* the node's first byte in the file */
    int name, op;   /* string ids, -1: none; name: of the node, else of its first output; of a value where node is -1 */
    int why;        /* string id */
};
struct onnx_lacks {
    struct onnx_lack *a;
    int n, cap;
    int nodes; /* of the file */
    bool read; /* the reader of models looked at it: an input has no static type where it did not */
};
/* Fills out, empty before, from the bytes of a ModelProto; its array is from g->mem, the caller's to free, also after an error.
   g (initialised, empty) is the model where it is one that is read. Subgraphs are not looked into: no operator of the profile has any.
   CALQUE_BAD: the bytes are no ModelProto with a graph. */
enum calque_status onnx_profile(struct graph *g, const char *file, const unsigned char *data, size_t n, const char *folder,
                                struct onnx_lacks *out, struct diag *d);

/* What an opaque node says in its bytes (opaque.c): its operator's name and its attributes, as values. */

/* The label under which the operator's name is an attribute: "domain::Type", with "ai.onnx" for the default domain. */
#define OPAQUE_NAME "op_type"

/* Appends the operator's name. */
void opaque_name(struct text *out, const struct graph *g, int node);

/* Attribute `label` (or OPAQUE_NAME) as a new value id in *out; -1: there is none, or it is no number, string or list of these.
   False when memory or a limit is exceeded. */
bool opaque_attr(const struct graph *g, int node, const char *label, int *out);

/* The number of attributes in the bytes; the name of number k as a string id, -1: memory is out. */
int opaque_count(const struct graph *g, int node);
int opaque_label(const struct graph *g, int node, int k);

/* Have both the same name and the same attributes, in whatever order? */
bool opaque_same(const struct graph *g, int a, int b);

/* Appends the bytes of a NodeProto with this name and these attributes, without inputs and outputs: the writer adds them. A label
   of OPAQUE_NAME is passed over. The label of an attribute that ONNX has no form for, else -1. */
int opaque_bytes(struct text *out, const struct graph *g, const char *name, const struct node_attr *attr, int n);

#endif
