/* Inside the emit room: a model or kernel cut into calls, before it is printed. */
#ifndef CALQUE_EMIT_MODULE_H
#define CALQUE_EMIT_MODULE_H

#include "emit/contract.h"
#include "emit/emit.h"
#include "emit/minic.h"
#include "emit/plan.h"
#include "tensor/npy.h"
#include "tensor/tensor.h"
#include "base/mem.h"
#include "base/status.h"

/* Where a tensor lives while the model runs. */
enum slot_kind { SLOT_INPUT, SLOT_OUTPUT, SLOT_WEIGHT, SLOT_ARENA, SLOT_PART };
struct slot {
    int kind;
    int index;     /* INPUT, OUTPUT: number; PART: the slot it is a part of, which is none */
    size_t bytes;
    size_t offset; /* WEIGHT, ARENA; PART: in that slot */
    int def, last; /* ARENA: steps */
    bool named;    /* once there are rolls: a call names it */
};

struct port {
    int name, dtype; /* string id; ONNX element type */
    struct shape shape;
    size_t bytes;
};

/* A call of a function, or (fn -1) a copy of args[1] to args[0]. */
struct step {
    int fn;
    int first, n; /* of pool: slots, in the order of the function's parameters; of writes: are they written, or else read? */
    int note;     /* where it comes from: offset into notes */
    int look;     /* of a look-up: its number; else -1 */
    int group;    /* of a model: which group's, or -1 */
    int state;    /* enum emit_state */
};

/* Steps that are a loop of the run (roll.c): `count` times `period` of them. */
struct roll {
    int first, period, count;
};

struct function {
    int comment, ncomment; /* range of text: the kernel */
    int start, len;        /* range of text: from the parameter list on; acsl: all of it, and $ is the name */
    int head, nhead;       /* acsl: range of text, the prototype */
    bool can_fail;
    bool look;             /* a look-up: 1 when an index is outside */
    struct emit_work work; /* of a call; not with contracts */
    int bound, nbound;     /* range of bounds: its loops; not with contracts */
};

/* A look-up: its indices are to be in -size .. size - 1. */
struct module_look {
    int input; /* of the model, if the indices are one; else -1 */
    long size;
};

struct piece { /* of the weights */
    const void *data;
    size_t bytes, offset;
    bool owned;
    int elem, name; /* ELEM_F32 ..; string id */
    int slot;
};

/* The bits of f32 numbers that a text names by their places in a file STEM.data beside it. */
struct pack_words {
    const char *stem;
    uint32_t *a;
    int n, cap;
    bool large; /* there were too many, and the text is not whole */
};

struct module {
    struct mem *mem;
    struct strs *strs;
    const struct emit_options *o;
    struct { struct port *a; int n, cap; } in, out;
    struct { struct slot *a; int n, cap; } slot;
    struct { struct step *a; int n, cap; } step;
    struct { struct roll *a; int n, cap; } roll; /* of steps, from the first on */
    struct { struct function *a; int n, cap; } fn;
    struct { struct piece *a; int n, cap; } piece;
    struct ints pool, writes;
    struct text text, notes; /* of functions; of steps, each NUL-terminated */
    struct { struct emit_loop *a; int n, cap; } loop;
    struct bounds bounds;
    struct { struct module_look *a; int n, cap; } look; /* in the order of their steps */
    unsigned long helpers, libm, own; /* see print_options */
    struct acsl_used acsl;
    size_t arena, weights;
    int fused;
    int checked, unchecked; /* as in emit_files */
    struct { struct emit_fallback *a; int n, cap; } fallback;
    int unpacked; /* of these: kernels that are not packed, as the check of that failed */
    struct text kernels, programs, packed, statements, calls; /* with o->certificate */
    struct pack_words words; /* that packed names */
    struct npy_names file; /* of in, then of out; module_files makes them */
    int vectors;           /* test vectors to be checked */
};

void module_init(struct module *u, struct mem *mem, struct strs *strs, const struct emit_options *o);
void module_free(struct module *u);
const char *module_name(const struct module *u);

/* Ids, or -1 when memory is out. */
int module_slot(struct module *u, struct slot s);
int module_part(struct module *u, int slot, size_t offset, size_t bytes);
int module_whole(const struct module *u, int slot); /* what the slot is a part of, or itself */
int module_weight(struct module *u, struct piece x); /* offset and slot are set here; takes owned data only on success */
bool module_pragmas(const struct module *u);
uint64_t module_weight_sum(const struct module *u); /* as the emitted code computes it of the weights file */
bool module_copy(struct module *u, int dst, int src, const char *note);
/* Notes that a kernel is called as it was before it was packed, and why. */
enum calque_status module_unpacked(struct module *u, const char *note, const char *reason, struct diag *d);
/* Lowers the kernel and appends a call of its function, sharing one with the same text. arg[t]: the slot of tensor t. */
enum calque_status module_call(struct module *u, const struct kernel *k, const int *arg, const char *note, struct diag *d);
/* The same for a kernel with look-ups (emit/lookup.c), each a call of its own. */
enum calque_status module_call_lookups(struct module *u, const struct kernel *k, const int *arg, const char *note, struct diag *d);
/* The function of look-up s, `int (..) {..}` without name; its parameters; with its contract, the whole function. */
void lookup_print(struct text *t, const struct kernel *k, const struct kernel_stmt *s, bool pragmas, unsigned long *used);
void lookup_params(struct text *t, const struct kernel *k, const struct kernel_stmt *s);
struct emit_work lookup_work(const struct kernel *k, const struct kernel_stmt *s); /* of a call of it */
bool lookup_bounds(struct module *u, const struct kernel *k, const struct kernel_stmt *s); /* its loops; false: memory is out */
enum calque_status lookup_acsl(struct module *u, const struct kernel *k, const struct kernel_stmt *s, struct function *f,
                               struct diag *d);
/* The same for a program, its parameter k's slot arg[param.tensor]; the comment is the kernel's text or else the program's. */
enum calque_status module_call_prog(struct module *u, const struct prog *p, const struct kernel *k, const int *arg, const char *note,
                                  struct diag *d);
/* The same for cells; those of a kernel or of a program, whose tensor t is in arg[t] while t < args. */
enum calque_status module_call_cells(struct module *u, struct cells *c, const struct kernel *k, const int *arg, int args,
                                   const char *note, struct diag *d);
/* Appends the step of a function that is in the text from f->comment on, sharing one that is equal; it writes those of the slots, and
   reads the others. */
bool module_step(struct module *u, struct function f, const int *slots, const bool *writes, int n, const char *note);
/* Lifetimes from the steps, then offsets of the ARENA slots. */
enum calque_status module_plan(struct module *u, struct diag *d);

/* Finds the rolls, and the buffers that have a name then; not with contracts. false: memory is out. */
bool module_roll(struct module *u);
/* The roll that the step is in, or NULL; *at, 0 at first, goes on from step to step. */
const struct roll *roll_of(const struct module *u, int step, int *at);
/* Bytes behind what calls name: an input, an output, weight `index`, or (index -1) all weights, the arena. */
struct roll_place {
    int kind, index;
    size_t offset;
};
struct roll_place roll_place(const struct module *u, int slot);
/* How many bytes further an argument of a step of the roll's first period is in the next one. */
size_t roll_stride(const struct module *u, const struct roll *r, int step, int arg);
/* The roll as text: `for (..) {`; ` + N * calque_t` or ` - ..` behind an offset; the note of the step that a step of its first period
   stands for at last. */
void roll_print_head(struct text *t, const struct roll *r);
void roll_print_offset(struct text *t, size_t offset, size_t stride);
void roll_print_note(struct text *t, const struct module *u, const struct roll *r, int step);
/* The certificate of the calls: of what each is, and where its arguments lie (README.md of this room has the grammar). */
void roll_certify(struct text *t, const struct module *u);

/* Takes the text's bytes as the file STEM END. */
enum calque_status module_file(struct emit_files *out, const char *stem, const char *end, struct text *t, struct diag *d);
enum calque_status module_weights_file(struct module *u, struct emit_files *out, struct diag *d); /* weights.bin */
enum calque_status module_acsl_files(struct module *u, struct emit_files *out, struct diag *d);    /* the kernels, the theory */
enum calque_status module_certificate(struct module *u, struct emit_files *out, struct diag *d);   /* NAME.kernels .. NAME.calls */
enum calque_status module_check_name(const struct emit_options *o, struct diag *d);

/* Of every Makefile. The code is for the processor it is built on; ARCH= makes it run on any. gcc 12.2 is known to miscompile
   guards in loops by loop splitting and by if-conversion; where there are none but those it cannot see through
   (calque_guard_index), the latter stays on, as vectors of max and min need it. */
#define UNIT_MAKE_FLAGS \
    "ARCH = -march=native $(if $(filter x86_64,$(shell uname -m)),-mprefer-vector-width=512)\n" \
    "SAFE := $(if $(findstring Free Software,$(shell LC_ALL=C $(CC) --version)),-fno-split-loops)\n" \
    "CFLAGS = -O3 $(ARCH) -std=c11 -ffp-contract=off $(SAFE) -fopenmp\n"
#define UNIT_MAKE_GUARDS "\n# There are guards in loops.\nSAFE += $(if $(SAFE),-fno-tree-loop-if-convert)\n"
/* What the first comment of a file says. */
#define UNIT_BITS \
    "\n   The bits depend on -ffp-contract=off, on the absence of options that change values (-ffast-math, -Ofast), and with\n" \
    "   gcc 12.2 at -O3 on -fno-split-loops, as in the Makefile."

/* Printing. A template's @ is the name, ^ the name in capitals. */
void module_comment(struct text *t, const char *s, size_t n); /* n bytes inside a comment */
/* Function i after its comment, under this name, with these words before its type. */
void module_function(struct text *t, const struct module *u, int i, const char *before, const char *name);
void module_named(struct text *t, const struct module *u, int i); /* with contracts: function i's text */
void module_template(struct text *t, const char *name, const char *s);
enum calque_status module_files(struct module *u, struct emit_files *out, struct diag *d);
void module_print_header(struct text *t, const struct module *u);
void module_print_checked(struct text *t, const struct module *u); /* how many kernels are; a comment of the header */
void module_print_math(struct text *t, enum kernel_math math);
void module_print_source(struct text *t, const struct module *u);
void module_print_main(struct text *t, const struct module *u);
void module_print_makefile(struct text *t, const struct module *u);
void module_print_string(struct text *t, const char *s); /* a C literal */
void module_print_check(struct text *t, const struct module *u);      /* check.c */
void module_print_check_make(struct text *t, const struct module *u); /* its part of the Makefile */

/* With contracts (contract_module.c). */
void module_print_kernels(struct text *t, const struct module *u);
void module_print_kernels_header(struct text *t, const struct module *u);
void module_print_theory(struct text *t, const struct module *u);
void module_print_acsl_makefile(struct text *t, const struct module *u);

/* Freestanding code (freestanding.c): all its files, from vectors.bin, if out has it, a check of its own. */
enum calque_status free_files(struct module *u, struct emit_files *out, struct diag *d);
/* Its names: offsets into text. */
struct free_names {
    struct text text;
    int *fn, *piece, *port, *slot; /* of functions, weights, inputs and then outputs, buffers in the arena */
};
enum calque_status free_names(struct free_names *x, const struct module *u, struct diag *d);
void free_names_free(struct free_names *x);
/* Budgets (work.c): of a run, arrays those of the largest function; how often a function is called; bytes of constants. */
struct emit_work work_total(const struct module *u);
int work_calls(const struct module *u, int fn);
size_t work_rom(const struct module *u);
/* The loops of function i as text: 8(4, 2(16)), two loops in one of 8 iterations, the second one with a loop in it. */
void work_print_loops(struct text *t, const struct module *u, int i);
/* out->budget, and the file budget.json if it is asked for; out has all other files. x: of freestanding code, else NULL. */
enum calque_status work_budget(const struct module *u, const struct free_names *x, struct emit_files *out, struct diag *d);
/* Lines of at most FREE_WIDTH characters: the text, which has no strings, broken at spaces. */
enum {
    FREE_WIDTH = 119,
    FREE_FRAME = 1024,               /* what a frame has besides local arrays, at most: tests/emit/freestanding.sh */
    FREE_WEIGHTS_MAX = 64 * 1048576, /* bytes of weights as arrays: about four times as many of text */
    FREE_VECTORS_MAX = 16 * 1048576
};
void free_wrap(struct text *t, const struct text *from);
/* Its data (freestanding_data.c): the weights as constant arrays; an assembler file that includes weights.bin; the check. */
bool free_uses(const struct module *u, int slot); /* does any step? */
size_t free_cells(size_t bytes, int elem); /* at least 1: C has no empty arrays */
bool free_is_finite(const struct module *u); /* all weights */
/* FREE_DECLARE: they are elsewhere; FREE_DEFINE: here, for other files; FREE_STATIC: here. */
enum free_weights { FREE_DECLARE, FREE_DEFINE, FREE_STATIC };
void free_print_weights(struct text *t, const struct module *u, const struct free_names *x, enum free_weights how);
void free_print_incbin(struct text *t, const struct module *u);
void free_print_check(struct text *t, const struct module *u, const unsigned char *vectors);

/* What is known of a kernel's tensors: their values, or NULL. */
struct pack_const {
    const struct tensor *const *value;
};
struct packed {
    int tensor, place; /* its dimension `place`, of n cells, is the last one now, perhaps with more cells (zeros): its data
                          must be brought in that order */
    long n;
    long cells; /* > 0: and the last one is cut into panels of so many cells, whose number is the first dimension then */
    void *data; /* in that order, allocated, once pack_data has made it; else NULL */
};
enum { PACK_MAX = 8 };
struct pack {
    struct packed a[PACK_MAX];
    int n;
    double score;
};
/* Brings the last statement into a form with a better tiling; beat: by rounding its sizes up, if that beats this score.
   CALQUE_OK: k has changed, computes the same bits, and has its temporaries behind the tensors it had; CALQUE_NO: k is to
   be thrown away. */
enum calque_status pack_kernel(struct kernel *k, const struct pack_const *c, const double *beat, struct pack *out,
                               struct diag *d);
/* Lets the last product read an operand that many rows of the result read from panels (pack_panel.c): a constant is stored so,
   of another one there is a copy. CALQUE_OK: k has changed as by pack_kernel, with what is added to *p; CALQUE_NO: neither
   has. n: the tensors c knows of. */
enum calque_status pack_panels(struct kernel *k, const struct pack_const *c, int n, struct pack *p, struct diag *d);
/* Gives the loops of the last product another order, where rows of the result outside let it read an operand once. */
void pack_rows_first(struct kernel *k);
/* Does the changed kernel q, with the packed data in *p, compute each cell that k does, bit for bit (pack_check.c)? CALQUE_OK,
   CALQUE_NO (this is not seen, and the diag says why), CALQUE_NOMEM. */
enum calque_status pack_check(const struct kernel *k, const struct kernel *q, const struct pack_const *c, const struct pack *p,
                              struct diag *d);
/* What it is asked, as text under a name, for calque-oracle packed: both kernels, the packed tensors (dimension, its cells, cells
   of a panel), constants and the packed data as the bits of f32 numbers, those of other constants left out. The bits are in the
   text; or, unless w is NULL, they are appended to *w, and the text has `@STEM.data`, the first byte and how many numbers. */
void pack_print(struct text *t, struct pack_words *w, const char *name, const struct kernel *k, const struct kernel *q,
                const struct pack_const *c, const struct pack *p);
/* The f32 data of tensor t (its dimensions after packing) in the new order, allocated. */
enum calque_status pack_data(struct mem *mem, const struct kernel_tensor *t, const struct packed *p, const void *data,
                             void **out, struct diag *d);

/* A model's operators as fused kernels. Values are numbered: nodes of the graph, behind them temporaries that several
   kernels share. */
struct group {
    struct kernel k;
    int *value; /* tensor of k -> value, or -1: a temporary of its own */
    int nodes;  /* offset into notes: what it was made of */
    int made, nmade; /* the same as a range of made */
};
struct groups {
    struct mem *mem;
    struct { struct group *a; int n, cap; } group;
    struct text notes;
    struct ints made; /* nodes */
    int nodes;     /* of the graph */
    int values;    /* number of them */
    int fused;     /* operators whose result is computed in another one's loop */
    int *root;     /* node -> node whose memory holds its value (Reshape and other copies share their input's) */
    int *into;     /* node -> Concat whose memory its value is stored in, as a range of it, or -1 */
    bool *needed;  /* node: its value must exist in memory at some time */
    bool *constant; /* node: needed and computed now, as a weight */
    struct tensor *value; /* node: of constant operators */
};
enum calque_status fuse_graph(const struct graph *g, const struct emit_options *o, struct groups *out, struct diag *d);
/* Fills out->trace from what out has: slot[value] as in emit.c. */
enum calque_status emit_trace(const struct graph *g, const struct groups *gs, const struct module *u, const int *slot,
                              struct emit_files *out, struct diag *d);
void groups_free(struct groups *gs, const struct graph *g);
/* The same pass over a kernel: its temporaries, and the statements no output depends on. *fused: temporaries inlined. */
enum calque_status fuse_kernel(struct kernel *k, const struct emit_options *o, int *fused, struct diag *d);

/* Plain C of whole models: one file NAME.c, what Coq's compile makes of the graph, byte for byte as `calque-oracle emit`
   prints it. */

/* g as for emit_model. CALQUE_BAD: a node that Coq's compile refuses, or the name; the diag says which and why. Of the
   options only the name counts. */
enum calque_status emit_plain(const struct graph *g, const struct emit_options *o, struct emit_files *out, struct diag *d);

/* Gives every item an offset so that items whose lifetimes meet do not overlap; largest first, each at the lowest free
   place. *total is the arena's size. CALQUE_NOMEM, or CALQUE_LIMIT beyond SIZE_MAX / 4. */
enum calque_status plan_memory(struct mem *mem, struct plan_item *items, int n, size_t *total, struct diag *d);

/* What packing of constant operands (pack.c) and of computed ones (pack_panel.c) share. */

/* The parts of a sum of products of two loads: sum (x * w), or sum select(.., x * w, 0). */
struct product {
    int sum, select, at, x, w; /* ex ids; select -1: none */
};

/* The only reduction of the statement's body, when it is such a sum over f32. */
bool pack_find_product(const struct kernel *k, int stmt, struct product *p);
/* How many loads there are of the tensor, at most 2. */
int pack_loads_of(const struct kernel *k, int tensor);
/* Does the load use the variable? */
bool pack_load_uses(const struct kernel *k, int load, int var);
/* A new temporary of the kernel, with no value of the graph; -1: memory is out. */
int pack_new_temp(struct kernel *k, int rank, const long *dim);

/* ---- a model that is made into a module, group by group ---- */

struct build {
    const struct graph *g;
    struct module *u;
    struct groups gs;
    int *slot;   /* value -> slot, or -1 */
    int *narrow; /* constant -> the slot of its bytes, or -1 */
    bool *whole; /* Concat whose inputs are stored in its memory */
    int *part;   /* node whose value is nowhere but in another one's -> that, or -1 */
};

/* The tensor of a value that is one at compile time, or NULL. */
const struct tensor *build_constant(const struct build *b, int value);
/* Slots, or -1: memory is out. Of bytes in the arena; of tensor t of the group's kernel. */
int build_arena(struct build *b, size_t bytes);
int build_tensor(struct build *b, const struct group *x, int t);

/* Gives the inputs of Concats of ranges their places in the results (place.c); before any group is called. */
enum calque_status place_concats(struct build *b, struct diag *d);
/* Instead of a call of the group: CALQUE_OK if its values are ranges of others, or its inputs are in its result's memory (but for what is
   copied now); CALQUE_NO: it is to be called. */
enum calque_status place_group(struct build *b, const struct group *x, struct diag *d);

#endif
