/* Inside the onnx room: the state of reading, one operator being canonicalized, and what the files offer each other. */
#ifndef CALQUE_ONNX_ONNX_INTERNAL_H
#define CALQUE_ONNX_ONNX_INTERNAL_H

#include "onnx/onnx.h"
#include "onnx/wire.h"
#include "tensor/op.h"

#include "onnx/onnx.pb-c.h"

#define ONNX_CONST_BUDGET ((size_t)1 << 24) /* bytes of a tensor computed to resolve a shape input */

#define ONNX_CALQUE "calque" /* the domain of the operators with the trait OP_CALQUE, version 1 */
enum { ONNX_SHOW = 96, ONNX_ATTRS_MAX = 1024 /* attributes of one node */ };

/* Where errors go: every function below reports through it. */
struct onnx_file {
    struct mem *mem;
    struct strs *strs;
    const char *file;
    struct diag *diag;
    const char *folder; /* where files with data of initializers are; NULL: they are not read */
};

/* A name from the file made printable and short, in out[ONNX_SHOW]. */
const char *onnx_show(char *out, const char *name);

/* String id -> int, -1 where nothing was set. */
struct idmap {
    int *a;
    int n, cap;
};
int idmap_get(const struct idmap *m, int id);
bool idmap_set(struct mem *mem, struct idmap *m, int id, int value);
void idmap_free(struct idmap *m);

/* forms.c: the table forms.def. */
struct onnx_form {
    int op, since, least, most, outputs;
};
struct onnx_attr_form {
    int op;
    const char *label;
    int type, first, last;
    bool required;
};
/* The form of an operator at an opset; NULL if it has none (then it is opaque). */
const struct onnx_form *onnx_form_find(int op, int opset);
const struct onnx_attr_form *onnx_attr_form_find(int op, const char *label, int opset);
/* The next attribute, after `last` (NULL: the first), that the operator has at this opset; NULL: there is none. */
const struct onnx_attr_form *onnx_attr_form_next(const struct onnx_attr_form *last, int op, int opset);
const char *onnx_attr_type_name(int type);

/* types.c */
/* Takes the elements out of p where it can (p stays valid to free). Strings and the small floats and integers of
   IR 9 and later are not tensors: CALQUE_NO. */
enum calque_status onnx_tensor_take(const struct onnx_file *f, Onnx__TensorProto *p,
                                    struct tensor *out);
/* external.c: is the data in another file? Its bytes, which the dimensions ask for; CALQUE_BAD names the tensor. */
bool onnx_is_external(const Onnx__TensorProto *p);
enum calque_status onnx_external_take(const struct onnx_file *f, const Onnx__TensorProto *p, size_t bytes, void **data);
/* Is the tensor written into the file x (NULL: there is none)? Makes room for all those of a graph; puts one there, and a
   TensorProto that names it. */
bool onnx_is_outside(const struct onnx_external *x, const struct tensor *t);
enum calque_status onnx_external_room(struct onnx_external *x, const struct graph *g, struct diag *d);
void onnx_external_put(struct onnx_external *x, struct text *out, unsigned field, const char *name, const struct tensor *t);
/* Appends a TensorProto field `number` with raw_data; name may be NULL. */
void onnx_tensor_put(struct text *out, unsigned number, const char *name, const struct tensor *t);

/* types.c */
enum onnx_type_kind { ONNX_STATIC, ONNX_SYMBOLIC, ONNX_NO_SHAPE, ONNX_NOT_TENSOR, ONNX_NO_TYPE };
/* Classifies a type; *dtype and *shape are set for ONNX_STATIC, *dtype for every tensor, and
   *dim is the first unknown dimension of an ONNX_SYMBOLIC one. `what` names the value in errors. */
enum calque_status onnx_type_read(const struct onnx_file *f, const char *what,
                                  const Onnx__TypeProto *t, enum onnx_type_kind *kind, int *dtype,
                                  struct shape *shape, int *dim);
/* Is it a number? An open one is without value, named, or -1 (as some exporters write it). */
bool onnx_dim_known(const Onnx__TensorShapeProto__Dimension *x);
/* Appends a ValueInfoProto field. */
void onnx_value_info_put(struct text *out, unsigned number, const char *name, int dtype,
                         const struct shape *shape);
/* The same with the denotations and the documentation of another declaration of the value. */
void onnx_value_info_like(struct text *out, unsigned number, const char *name, int dtype,
                          const struct shape *shape, const Onnx__ValueInfoProto *like);
/* Has it any? */
bool onnx_value_info_denotes(const Onnx__ValueInfoProto *v);

/* dims.c: gives the open dimensions of the model's inputs, outputs and value_info their sizes. */
enum calque_status onnx_fix_dims(const struct onnx_file *f, struct wire_alloc *alloc, Onnx__GraphProto *gp,
                                 const struct onnx_given *given);
/* The error for an input that has an open dimension still. */
enum calque_status onnx_open_dim(const struct onnx_file *f, const Onnx__ValueInfoProto *input);

/* import.c: the bytes of each node of a ModelProto, in order, as slices of the file (their array is the caller's). */
struct onnx_slices {
    struct raw *a;
    int n, cap;
};
enum calque_status onnx_slices(const struct onnx_file *f, const Onnx__ModelProto *m, const unsigned char *data, size_t n,
                               struct onnx_slices *out);
/* The outer values a node's subgraphs use, as string ids in order of first use; and every
   name that occurs in them (all, may be NULL). */
enum calque_status onnx_captures(const struct onnx_file *f, const Onnx__NodeProto *p,
                                 struct ints *captured, struct ints *all);

/* The reader's state. */
struct onnx_reader {
    struct onnx_file f;
    struct graph *g;
    struct wire_alloc alloc;
    Onnx__ModelProto *model;
    const struct onnx_given *given; /* may be NULL */
    struct onnx_reasons *why;       /* may be NULL */
    char no[ONNX_SHOW]; /* why the node being read has no internal form, where more is known than operator and opset */
    int opset;
    bool calque;        /* the model imports version 1 of the domain "calque" */
    struct idmap def;   /* value name -> node id */
    struct idmap later; /* value name -> number of the file's node that defines it */
    struct idmap uses;  /* value name -> set if anything uses it */
    struct idmap named; /* value name -> set if an annotation names it, or an input that it is the default of (since IR 4) */
    struct idmap info;  /* value name -> entry of infos with its declared type */
    struct {
        Onnx__ValueInfoProto **a;
        int n, cap;
    } infos;
    struct onnx_slices slices;
};

/* One operator application being canonicalized. */
struct onnx_node {
    struct onnx_reader *r;
    const Onnx__NodeProto *p;
    int number; /* among the file's nodes, from 0 */
    int op, opset;
    struct ints in;      /* node ids or -1; canonicalization shortens it to those the internal form keeps */
    int nout;            /* outputs up to the last named one */
    struct node_attr attr[8];
    int nattr;
    bool nomem;
    int made;            /* the node of the result, where others stand for the operator; else -1 */
    bool is_const;       /* the result is `value`, not an operator */
    struct tensor value; /* owned until it is in the graph */
};

/* node.c: errors, attributes, inputs. All return statuses; CALQUE_NO means "no internal form: keep it opaque". */
enum calque_status onnx_fail(const struct onnx_node *n, enum calque_status st, const char *format,
                             ...) CALQUE_PRINTF(3, 4);
/* CALQUE_NO with the reason in words that follow the operator's name: "with an Indices output". The first one stays. */
enum calque_status onnx_no(const struct onnx_node *n, const char *format, ...) CALQUE_PRINTF(2, 3);
/* Every attribute known at this opset, of the right type, at most once; required ones present; arity. */
enum calque_status onnx_node_check(const struct onnx_node *n, const struct onnx_form *form);
/* Each attribute named, at most once, with a type and the field of that type. */
enum calque_status onnx_attr_sane(const struct onnx_node *n);
int onnx_attr_type(const Onnx__AttributeProto *a);
const Onnx__AttributeProto *onnx_attr(const struct onnx_node *n, const char *label);
long onnx_attr_i(const struct onnx_node *n, const char *label, long otherwise);
float onnx_attr_f(const struct onnx_node *n, const char *label, float otherwise);

/* A list of integers from an attribute or a constant input. */
struct onnx_list {
    const long *a;
    size_t n;
    bool given;
    struct tensor own;
};
/* From attribute `label` (may be NULL) if present, else from input k (>= 0) if present. CALQUE_NO: the input is not constant. */
enum calque_status onnx_list_get(const struct onnx_node *n, const char *label, int k,
                                 struct onnx_list *l);
void onnx_list_free(struct onnx_list *l);
/* The value of input k, owned by the caller; CALQUE_NO when it is not constant. */
enum calque_status onnx_const_input(const struct onnx_node *n, int k, struct tensor *t);
/* The type of input k (a node's own fields); unknown if absent. */
int onnx_in_dtype(const struct onnx_node *n, int k);
const struct shape *onnx_in_shape(const struct onnx_node *n, int k);
int onnx_in_rank(const struct onnx_node *n, int k);
/* An axis in [-rank, rank - 1 + beyond] made non-negative. */
enum calque_status onnx_axis(const struct onnx_node *n, long axis, int rank, int beyond, long *out);
/* Different axes of that range, ascending. out has room for RANK_MAX. */
enum calque_status onnx_axes(const struct onnx_node *n, const struct onnx_list *l, int rank,
                             long *out);
/* Attributes of the internal form; failures are remembered in n->nomem. */
void onnx_set_i(struct onnx_node *n, const char *label, long x);
void onnx_set_f(struct onnx_node *n, const char *label, double x);
void onnx_set_is(struct onnx_node *n, const char *label, const long *x, size_t k);
void onnx_set_s(struct onnx_node *n, const char *label, const char *s, size_t k);
/* A typed Unsqueeze before this node, without a name; it replaces input k. */
enum calque_status onnx_insert_unsqueeze(struct onnx_node *n, int k, const long *axes, size_t naxes);

bool onnx_attr_is(const Onnx__AttributeProto *a, const char *s);

/* expand.c: operators that are read as several of ours; their codes begin with OP_COUNT. */
int onnx_expansion_find(const char *name); /* -1: none */
/* Sets n->made, or n->value. */
enum calque_status onnx_expand(struct onnx_node *n);
/* Do kernels compute on elements of this type? */
bool onnx_computed(long dtype);
/* canonicalize.c: sets n->op, n->in, n->attr, by the functions that forms.def names. */
enum calque_status onnx_canonicalize(struct onnx_node *n);
#define ONNX_CANONICAL(op, function) enum calque_status canonical_##function(struct onnx_node *n); /* may come twice */
#include "onnx/forms.def"

struct onnx_window {
    int n; /* spatial dimensions */
    long kernel[RANK_MAX], stride[RANK_MAX], dilation[RANK_MAX], pad[2 * RANK_MAX];
    bool fixed_pads; /* auto_pad decided: output sizes are rounded down */
};
/* The attributes of a window, auto_pad resolved; kernel may be set before. */
enum calque_status onnx_window_read(const struct onnx_node *n, struct onnx_window *w);
/* canonicalize_move.c */
/* The pads of all axes of Pad, 2 * rank of them; from opset 18 on they may be given for some. */
enum calque_status onnx_pads(const struct onnx_node *n, long *out);

/* import_node.c */
enum calque_status onnx_read_node(struct onnx_reader *r, int number);
/* An opaque Constant for what a tensor cannot hold (strings, sparse values); `attribute` is put into it. */
enum calque_status onnx_read_opaque_constant(struct onnx_reader *r, const char *name,
                                             Onnx__AttributeProto *attribute);
/* Is it the domain of ONNX's own operators? The number of an operator of it (tensor/op.h, or an expansion); -1: it is not known. */
bool onnx_is_default_domain(const char *domain);
int onnx_plain_op(const char *name);
/* Records that node id defines the value; CALQUE_BAD if it is defined already. */
enum calque_status onnx_define(struct onnx_reader *r, const char *name, int node);

/* ---- writing: names of values, and NodeProtos under construction ---- */

/* The names an opaque node's bytes fix, as ranges of onnx_writer.pool (string ids, -1 for an empty name): its
   inputs, the values its subgraphs capture, its outputs. */
struct onnx_fixed {
    int node;
    int in, nin, captured, ncaptured, out, nout;
};

struct onnx_writer {
    struct onnx_file f;
    const struct graph *g;
    struct onnx_external *external; /* or NULL */
    struct wire_alloc alloc;
    Onnx__ModelProto *model; /* what the reader kept, or NULL */
    int opset;
    long ir;
    int *rep;  /* node -> node with the same value that is written (projections of tuples, doubles) */
    int *name; /* node -> value name, -1 for tuples and multi-output operators */
    int *slot; /* multi-output node -> start of its outputs in slots, else -1 */
    struct ints slots; /* projection that reads the output, or -1 */
    struct idmap owner;    /* value name -> node that defines it */
    struct idmap alias;    /* value name -> node an Identity copies it from */
    struct idmap emitted;  /* alias name -> 1 once its Identity is written */
    struct idmap reserved; /* names a fresh one must avoid */
    struct idmap unused;   /* names of initializers that no node uses, in the kept model */
    struct idmap fixed_of; /* node -> entry of fixed */
    struct {
        struct onnx_fixed *a;
        int n, cap;
    } fixed;
    struct ints pool;
    struct idmap kept; /* value name -> entry of the kept model's value_info */
    bool *skip;        /* nodes that need not be written (only before opset 7), or NULL */
    int counter;       /* of fresh names without a stem */
    bool plain;        /* an operator of the default domain was written that is not opaque */
    bool foreign;      /* the model imports another version of the domain "calque" */
    bool calque;       /* one of the domain "calque" was */
    bool imports;      /* the model imports the domain "calque" */
    bool unimported;   /* it does not, and an opaque node has an operator of it, which is to stay without meaning */
    struct ints domains; /* of opaque nodes, string ids */
    struct text nodes, consts, const_inputs, infos;
};

/* export_names.c: fills rep, slot, name, alias. */
enum calque_status onnx_names(struct onnx_writer *w);
/* An unused name: stem, or stem with a number; "t1", "t2".. for an empty stem. -1: memory out. */
int onnx_fresh(struct onnx_writer *w, const char *stem);

enum { ONNX_OUT_ATTRS = 10 };

/* A NodeProto being built. Names are string ids (strs moves its texts as it grows), -1: absent. */
struct onnx_out {
    struct onnx_writer *w;
    const char *op, *domain; /* domain NULL: the default one */
    struct ints in, out;
    struct {
        const char *label;
        int type;
        long i, *is;
        size_t n;
        float f;
        struct tensor *t; /* not owned */
        int s;            /* string id */
    } attr[ONNX_OUT_ATTRS];
    int nattr;
    bool nomem;
};

void onnx_out_init(struct onnx_out *o, struct onnx_writer *w, const char *op);
void onnx_out_free(struct onnx_out *o);
void onnx_out_in(struct onnx_out *o, int name);
void onnx_out_out(struct onnx_out *o, int name);
void onnx_out_i(struct onnx_out *o, const char *label, long x);
void onnx_out_f(struct onnx_out *o, const char *label, double x);
void onnx_out_is(struct onnx_out *o, const char *label, const long *x, size_t n);
void onnx_out_s(struct onnx_out *o, const char *label, int str);
void onnx_out_t(struct onnx_out *o, const char *label, struct tensor *t);
/* A new initializer, named after the node's first output, as the next input. */
void onnx_out_const(struct onnx_out *o, const char *suffix, int dtype, int rank, const void *data,
                    long n);
/* Appends the node; label and origin are string ids or -1. */
enum calque_status onnx_out_flush(struct onnx_out *o, int label, int origin);
/* Identity: from -> to. */
enum calque_status onnx_out_identity(struct onnx_writer *w, int from, int to);

/* export_node.c: writes one operator application in the form of w->opset. */
enum calque_status onnx_export_node(struct onnx_writer *w, int node);
/* Finds the Unsqueezes and Reshapes that only adapt shapes to the later broadcasting: w->skip. */
enum calque_status onnx_legacy_skip(struct onnx_writer *w);
/* opaque.c: writes an opaque node from its bytes. */
enum calque_status onnx_write_opaque(struct onnx_writer *w, int node);
/* Parses the bytes of every opaque node into w->fixed. */
enum calque_status onnx_fixed_read(struct onnx_writer *w);
/* "node ...: text". */
enum calque_status onnx_write_fail(const struct onnx_writer *w, int node, enum calque_status st,
                                   const char *text);

/* ---- operators without an internal form of their own, by the table expand.def ---- */

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
/* ReduceSum, ReduceMean or ReduceMax. */
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

/* What stands for some forms of operators that have an internal form: dilated AveragePool, Pad that wraps around, PRelu before opset 7, Mod
   of integers with the dividend's sign. */
int expand_average(struct onnx_build *b);
int expand_wrap(struct onnx_build *b);
int expand_slopes(struct onnx_build *b);
int expand_fmod(struct onnx_build *b);
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
/* The float32 x rounded to an integer, halves to even; before opset 11 between +-2^21. */
int expand_rounded(struct onnx_build *b, int x);
/* The greatest or the least of all cells of x, of floats: a scalar. */
int expand_extreme(struct onnx_build *b, int x, bool least);
/* Input 0; of another element type than f32 and f64 the operator stays opaque. */
int expand_real_input(struct onnx_build *b);

#endif
