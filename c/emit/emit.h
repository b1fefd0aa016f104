/* Whole models and single kernels as a directory of OpenMP C (or of freestanding C99): NAME.h, NAME.c, weights.bin, Makefile, main.c; with test
   vectors check.c and vectors.bin (emit/emit.h). Emitted code
   computes every cell in the order of its kernel's expression: compiled with -ffp-contract=off it gives bit for bit what
   the reference interpreter gives (NaN payloads excepted). */
#ifndef CALQUE_EMIT_EMIT_H
#define CALQUE_EMIT_EMIT_H

#include "dpia/exp.h"
#include "graph/graph.h"
#include "kernel/kernel.h"

struct minic;
struct pack;

/* All zero: the defaults. */
struct emit_options {
    const char *name; /* C identifier, stem of files and functions; NULL: "model" */
    bool seq;         /* no OpenMP pragmas */
    bool with_main;   /* a driver for .npy files, and a target for it in the Makefile */
    bool no_fuse;     /* one kernel for each operator */
    bool no_strategy; /* plain lowering: no array accumulators, no guards as loop bounds */
    bool acsl;        /* plain loops with contracts for frama-c -wp, in NAME_kernels.c, and a target wp */
    bool plain;       /* of programs: C as the seed's rules give it also when all sizes are numbers */
    bool freestanding; /* C99 for machines without a library (c/emit/freestanding.c); then no pragmas */
    bool weights_pointer, static_arena, single_file; /* of freestanding code: weights from the caller; its own arena; one .c */
    struct kernel_numbers numbers; /* of models and kernels: float functions, order of sums */
    bool numbering;   /* of programs: the seed's v0 i1 .., one counter from 0; then also plain */
    int vectors;      /* of models and kernels: so many test vectors, and a target check in the Makefile */
    bool vectors_try; /* none, not an error, when they are large or the interpreter refuses its inputs */
    void (*vectors_start)(void); /* called before the interpreter computes them, which may take long; NULL: nothing */
    bool budget;      /* also the file budget.json */
    bool trace;       /* of models: emit_files.trace is filled */
    bool certificate; /* of models and kernels: also NAME.kernels and NAME.programs, what is lowered and what to, NAME.packed, NAME.data,
                         NAME.statements and NAME.calls, of which calque-oracle checks again what is checked here */
    struct text *packed; /* of models: pack_print of each kernel that is changed before it is lowered; NULL: nothing */
    void (*change)(struct prog *p); /* of tests: called with the program of each kernel before it is checked; NULL: nothing */
    void (*change_packed)(struct kernel *q, struct pack *p); /* of tests: the same with each packed kernel */
    void (*change_statements)(struct minic *m); /* of tests: the same with the merged statements of each function */
};

struct emit_file {
    char name[72]; /* without directory */
    unsigned char *data;
    size_t n;
};

/* A loop nest of a call: that of one statement of its kernel. */
enum emit_loop_kind {
    EMIT_REDUCTION,  /* it sums or takes a maximum */
    EMIT_COPY,       /* it only moves elements, or sets them */
    EMIT_ELEMENTWISE /* it computes something else */
};
struct emit_loop {
    int kind;
    int note;   /* the operators it is of: offset into notes */
    bool drops; /* it leaves out cells by which the sums before it were rounded up, and is a part of those */
};

/* What one call of a function takes at most. */
struct emit_work {
    double multiply_adds; /* products that are added to something, or subtracted, or that something is subtracted from */
    double operations;    /* scalar operations, these among them */
    double iterations;    /* of all its loops */
    size_t arrays;        /* bytes of its local arrays */
    size_t heap;          /* bytes of the arrays that it allocates, on one thread */
};

/* A kernel whose program is not seen to compute it, or whose statements are not seen to do what the program's plain ones do: its
   code is the plain one. Or, unpacked, one that was changed before it was lowered, and this is not seen to compute it: its code is
   that of the kernel as it was. Offsets into notes. */
struct emit_fallback {
    int name, reason;
    bool unpacked;
};

/* An input or output of emitted code: offsets into notes. */
struct emit_port {
    int name;
    int file; /* of the .npy files that the driver writes, without .npy */
    bool output;
};

/* From the nodes of a model to lines and back (trace.c). Texts are offsets into notes. */
enum emit_state { EMIT_COPIED, EMIT_CHECKED, EMIT_PLAIN, EMIT_LOOK_UP, EMIT_CONTRACT };
struct emit_call {
    int function;        /* or -1: a copy of an output */
    int state, note;
    int node, nodes;     /* range of emit_trace.node: the operators it computes, by their ids in the graph */
    int line;            /* of the call in NAME.c */
    size_t weights, buffers; /* bytes of its constant tensors, and of the others */
};
struct emit_code {
    int name, kernel;    /* in C; its comment */
    int file, first, last; /* of emit_files.file; lines, from 1 */
    bool measured;       /* work is known */
    struct emit_work work; /* of a call */
};
/* A buffer in the arena. */
struct emit_buffer {
    int node;            /* whose value it holds, or -1: a temporary */
    size_t offset, bytes;
    int first, last;     /* calls */
};
/* How a node's value comes to be. */
enum emit_value { EMIT_UNUSED, EMIT_INPUT, EMIT_CONSTANT, EMIT_RENAMED, EMIT_EMPTY, EMIT_COMPUTED };
struct emit_trace {
    struct { struct emit_call *a; int n; } call;
    struct { struct emit_code *a; int n; } code;   /* functions of kernels */
    struct { struct emit_code *a; int n, cap; } other; /* the others of NAME.c */
    struct { struct emit_buffer *a; int n; } buffer;
    struct ints node;
    struct { int value, root; } *value; /* of each node; root: the node whose memory holds it */
};

struct emit_files {
    struct mem *mem;
    struct emit_trace trace; /* with o->trace */
    struct { struct emit_file *a; int n, cap; } file;
    int functions, steps, fused; /* C functions, calls of them, operators fused into another's loop */
    int checked, unchecked;      /* calls whose program computes their kernel (validate_program), and whose statements do what
                                    its plain ones do (statements_check); look-ups by data, which have none */
    struct { struct emit_fallback *a; int n; } fallback;
    int unpacked;                /* how many of these */
    struct { struct emit_loop *a; int n; } loop; /* of all calls in order; of models and kernels, not of programs */
    char *budget;                /* JSON (work.c); NULL with o->plain, and of programs for all sizes */
    struct { struct emit_port *a; int n; } port; /* inputs, then outputs; none of programs for all sizes */
    struct text notes;
    size_t arena, weights;       /* bytes */
    int vectors;                 /* how many there are */
    double vector_seconds;       /* that the interpreter took for them */
    char no_vectors[DIAG_TEXT];  /* why there are none though asked for (vectors_try) */
};

/* g is inferred and satisfies graph_check; its inputs and outputs have known shapes and types f32 or i64. out is initialised
   here and empty after an error: CALQUE_BAD (an operator without kernel, a bad name; the diag names it), CALQUE_LIMIT,
   CALQUE_NOMEM. */
enum calque_status emit_model(const struct graph *g, const struct emit_options *o, struct emit_files *out,
                              struct diag *d);
/* The same for a kernel: its inputs and outputs in the order of its tensors. */
enum calque_status emit_kernel(const struct kernel *k, const struct emit_options *o, struct emit_files *out,
                               struct diag *d);
/* The same for a functional program. With symbolic sizes: NAME.h and NAME.c with one function NAME(sizes, parameters) for
   all sizes (its result 0, or 1 when memory is out), and a Makefile; CALQUE_BAD with --main or `temp` parameters. */
enum calque_status emit_prog(const struct prog *p, const struct emit_options *o, struct emit_files *out, struct diag *d);
void emit_files_free(struct emit_files *f);
/* Creates the directory if it is missing and writes every file into it, or changes nothing (base/file.h). */
enum calque_status emit_files_write(const struct emit_files *f, const char *dir, struct diag *d);

/* The stages of a kernel as text: "kernel", "dpia" (functional expression), "sexp" (the same, for the oracle; a look-up by
   data is "(look-up)"), "comm" (commands), "c". */
enum calque_status emit_dump(struct text *out, const struct kernel *k, const char *stage,
                             const struct emit_options *o, struct diag *d);
/* Of a program: "dpia", "sexp", "comm", "c"; with o->numbering "c" is a listing, the statements alone. */
enum calque_status emit_dump_prog(struct text *out, const struct prog *p, const char *stage, const struct emit_options *o,
                                  struct diag *d);
/* The same for the fused kernels of a model, one after the other, each under its operators; and "packed": those that are changed
   before they are lowered, as pack_print writes them. */
enum calque_status emit_dump_model(struct text *out, const struct graph *g, const char *stage,
                                   const struct emit_options *o, struct diag *d);

/* Appends how many kernels were checked, are plain or not packed because their check failed, and are look-ups, which have none;
   false: there are none. */
bool emit_print_checked(struct text *t, int checked, int plain, int unpacked, int unchecked);

/* Test vectors: inputs of a model or kernel and the bits that the reference interpreter gives for them, in one file
   vectors.bin, which the emitted check.c reads. Little-endian:

       "calquev1", then three 64-bit numbers: vectors, bytes of one, the checksum of all that follows: from
       0xcbf29ce484222325, for each byte the byte is added and the sum multiplied by 0x100000001b3, modulo 2^64;
       for each vector its inputs, then its outputs, dense and row-major, in the order of the tables of NAME.h.

   Vector k (1, 2, ..) has the inputs of `calque run --random k`. */
enum { VECTORS_MAX = 1000, VECTORS_HEAD = 32 };
/* Bytes of vectors.bin: at most; with vectors_try. */
#define VECTORS_BYTES_MAX ((size_t)1 << 30)
#define VECTORS_BYTES_TRY ((size_t)1 << 26)

/* Appends vectors.bin to out, o->vectors of them, none when that is 0. CALQUE_LIMIT when they are too large, and the
   interpreter's errors; with vectors_try out->no_vectors says why there are none instead, but for CALQUE_NOMEM. */
enum calque_status vectors_graph(const struct graph *g, const struct emit_options *o, struct emit_files *out, struct diag *d);
enum calque_status vectors_kernel(const struct kernel *k, const struct emit_options *o, struct emit_files *out,
                                  struct diag *d);

#endif
