/* Computation graphs (GSL level 1) in flat arenas. Invariant (graph_check): every input id is
   smaller than its user's id, so the node order is a topological order. */
#ifndef CALQUE_GRAPH_GRAPH_H
#define CALQUE_GRAPH_GRAPH_H

#include "attr/value.h"
#include "base/mem.h"
#include "base/status.h"
#include "base/strs.h"
#include "tensor/tensor.h"

enum node_kind {
    NODE_INPUT, /* a graph input without initializer */
    NODE_CONST, /* an initializer or a Constant: g->tensor.a[data] */
    NODE_OP,    /* an operator application; OP_Opaque carries the bytes of its NodeProto */
    NODE_PROJ,  /* output number `index` of a multi-output operator, or field of a tuple */
    NODE_TUPLE
};

/* An attribute: label is a string id, value an id in g->values. A node's attributes are sorted
   by label id-independent text order, each label at most once. */
struct node_attr {
    int label, value;
};

struct node {
    int kind;
    int op;           /* NODE_OP: enum op */
    int name;         /* ONNX value name (string id) of a single-output node; -1: none yet. Tuples and
                         multi-output operators may have one for .graph text only */
    int label;        /* ONNX node name (string id) or -1 */
    int in, nin;      /* range of g->in: node ids < own id, or -1 for an absent optional input */
    int attr, nattr;  /* range of g->attr */
    int index;        /* NODE_PROJ: which output; NODE_OP: number of outputs */
    int dtype;        /* of the (only) output; DTYPE_UNKNOWN for tuples and multi-output operators */
    struct shape shape;
    int data;         /* NODE_CONST: tensor number; OP_Opaque: raw number; else -1 */
    int origin;       /* provenance (string id: "rule [class, theorem]: NodeA, NodeB"), or -1 */
};

/* Bytes kept as they came. */
struct raw {
    unsigned char *a;
    size_t n;
};

struct graph_output {
    int node, name;
};

struct graph {
    struct mem *mem;       /* shared, not owned */
    struct strs *strs;     /* shared, not owned */
    struct values *values; /* shared, not owned */
    int name;              /* graph name, string id or -1 */
    int rules, class;      /* what rewrote it, string ids or -1: "rule=count,..", the weakest class (rewrite/rewrite.h) */
    int opset;             /* ai.onnx opset the graph was read with; 17 for text */
    struct { struct node *a; int n, cap; } node;
    struct ints in;
    struct { struct node_attr *a; int n, cap; } attr;
    struct { struct tensor *a; int n, cap; } tensor; /* owned data */
    struct { struct raw *a; int n, cap; } raw;       /* owned bytes */
    struct ints input;                               /* graph inputs in order: NODE_INPUT ids */
    struct { struct graph_output *a; int n, cap; } output;
    struct raw model; /* ModelProto with graph emptied (opset imports, metadata, functions); may be empty */
};

void graph_init(struct graph *g, struct mem *mem, struct strs *strs, struct values *values);
void graph_free(struct graph *g);

/* Building. Each returns the new node's id, or -1 when memory is out. Inputs must be existing ids or -1
   (absent optional input). Types are set by the caller (op_infer in tensor/op.h does it for operators). */
int graph_input(struct graph *g, int name, int dtype, const struct shape *shape);
/* Takes ownership of t's data (on success only; then *t is left empty). */
int graph_const(struct graph *g, int name, struct tensor *t);
int graph_op(struct graph *g, int op, int name, const int *in, int nin, const struct node_attr *attr,
             int nattr, int nout);
int graph_proj(struct graph *g, int of, int index, int name);
int graph_tuple(struct graph *g, const int *in, int nin);
bool graph_output(struct graph *g, int node, int name);
/* A copy of n bytes in g->raw; its number, or -1. */
int graph_raw(struct graph *g, const void *bytes, size_t n);

/* Access. */
/* Has this node no single value: a tuple, or an operator whose outputs are read through NODE_PROJ
   (OP_MULTI, or not exactly one output)? Only projections may use it. */
bool graph_multi(const struct graph *g, int node);
int graph_in(const struct graph *g, int node, int k);            /* id, or -1: absent or no such input */
int graph_attr(const struct graph *g, int node, const char *label); /* value id or -1 */
long graph_attr_int(const struct graph *g, int node, const char *label, long otherwise);
double graph_attr_real(const struct graph *g, int node, const char *label, double otherwise);
/* Tuple of ints into out[0..max-1]; its length, or -1 if the attribute is absent or not such a tuple. */
int graph_attr_ints(const struct graph *g, int node, const char *label, long *out, int max);
/* Sets or replaces an attribute; false when memory is out. */
bool graph_set_attr(struct graph *g, int node, int label, int value);
const char *graph_name(const struct graph *g, int node); /* value name, "" if none */
/* The value of a NODE_CONST as an attribute, a new value id in *out: a number for one element, a tuple for a vector
   of at most GRAPH_ATTR_ELEMS; -1: it has none (not f32 or i64, larger). False when memory or a limit is exceeded. */
enum { GRAPH_ATTR_ELEMS = 4096 };
bool graph_const_attr(const struct graph *g, int node, int *out);
const struct tensor *graph_tensor(const struct graph *g, int node); /* of a NODE_CONST, else NULL */

/* Every invariant of the arena; CALQUE_INTERNAL with the node named on a violation. Attributes that are
   present must be those of the operator's table, of their kind; missing ones are no violation. */
enum calque_status graph_check(const struct graph *g, struct diag *d);

/* Drops nodes no output needs (graph inputs stay), restores children < parents by a stable topological sort
   (ids may be in any order before), moves ranges and tensors together. CALQUE_BAD on a cycle.
   map, if not NULL, receives old id -> new id or -1 (room for the old node count). */
enum calque_status graph_compact(struct graph *g, int *map, struct diag *d);

/* Gives every unnamed single-output node a fresh deterministic name ("t12"...), never one in use. */
enum calque_status graph_fill_names(struct graph *g, struct diag *d);

/* Deep copy into an initialised empty graph that shares mem, strs and values. */
enum calque_status graph_copy(const struct graph *g, struct graph *out, struct diag *d);

/* The op_type of the NodeProto an opaque node carries, *n bytes (not NUL-terminated); "" if it has none. */
const char *graph_opaque_type(const struct graph *g, int node, size_t *n);

/* Number of NODE_OP nodes. */
int graph_count_ops(const struct graph *g);

#endif
