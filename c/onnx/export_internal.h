/* What the ONNX writer's files share: names of values, and NodeProtos under construction. */
#ifndef CALQUE_ONNX_EXPORT_INTERNAL_H
#define CALQUE_ONNX_EXPORT_INTERNAL_H

#include "onnx/onnx_internal.h"

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

#endif
