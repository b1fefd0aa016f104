/* Index-notation kernels (level 2): a sequence of statements T<dims>[vars] = e with snapshot semantics, over tensors of
   one element type (spec: kernel language; Coq: Calque.kernel.Kernel), the type that the kernel computes on; a tensor may
   be stored in another one. Flat arenas, children smaller than parents. */
#ifndef CALQUE_KERNEL_KERNEL_H
#define CALQUE_KERNEL_KERNEL_H

#include "base/mem.h"
#include "base/status.h"
#include "base/strs.h"
#include "base/text.h"

#include <stdint.h>

enum kernel_type { KERNEL_F32, KERNEL_F64, KERNEL_I32, KERNEL_I64 };

/* Index expressions over a statement's variables (KE-Var ...). Divisors are positive: // and % are floor. */
enum ix_kind { IX_VAR, IX_CONST, IX_ADD, IX_SUB, IX_MUL, IX_DIV, IX_MOD, IX_SIZE /* dpia only: a symbolic size */ };
struct ix {
    int kind;
    int a, b; /* ADD SUB: both; MUL DIV MOD: a, by k */
    long k;   /* VAR: variable number of the statement; CONST, MUL, DIV, MOD: the integer; SIZE: the size */
};

/* Comparisons of index expressions; a condition is a conjunction: a range of them. */
enum cmp { CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_EQ, CMP_NE };
struct cond {
    int op, a, b; /* ix ids */
};

/* Scalar expressions. */
enum ex_kind {
    EX_CONST,  /* num (float types) or inum (int types) */
    EX_LOAD,   /* tensor op at indices pool[first..first+n-1] (ix ids) */
    EX_CALL,   /* function op (fn.def) of a, b (b = -1 for one argument): + - * / max min pow neg exp log ... */
    EX_SELECT, /* conds[first..first+n-1] ? a : b, lazy */
    EX_REDUCE  /* op RED_SUM / RED_MAX: left fold in lexicographic order over variables pool[first..first+n-1] of body a,
                  one accumulator starting at 0 / the least value */
};
enum reduce { RED_SUM, RED_MAX };
/* The functions of fn.def, in `op` of an EX_CALL. */
enum fn {
#define FN(name, text, arguments, c, meaning) FN_##name,
#include "kernel/fn.def"
#undef FN
    FN_COUNT
};
/* Functions that only float kernels have: those of libm, round and exact. The others print as they are for every element type. */
static inline bool fn_is_float(int fn)
{
    return (fn >= FN_POW && fn <= FN_ROUND && fn != FN_NEG && fn != FN_ABS) || fn == FN_EXACT;
}
/* Those that C does not define to the bit: Calque has its own (enum kernel_math). */
static inline bool fn_is_own(int fn)
{
    return fn_is_float(fn) && fn != FN_SQRT && fn != FN_ROUND && fn != FN_EXACT;
}
struct ex {
    int kind, op;
    int a, b;
    int first, n;
    double num;
    long inum;
};

/* A variable of a statement: the output's dimensions first, then reduction variables, one for each binder. A store to a
   scalar without index still has its variable of extent 1; its name is then the empty string. */
struct kernel_var {
    int name; /* string id */
    long extent;
};

enum { KERNEL_RANK_MAX = 8 };
/* Expressions and index expressions are at most this deep; extents, tensor sizes and all values index expressions can
   take (guarded or not) are at most KERNEL_INDEX_MAX in magnitude. Parser, kernel_check and kernel_inline keep this. */
enum { KERNEL_DEPTH_MAX = 500, KERNEL_INDEX_MAX = INT32_MAX };
enum kernel_role { KERNEL_IN, KERNEL_OUT, KERNEL_TEMP };
/* What the cells of a tensor are stored as, in text `X<2,3:bool>`. Where that is not the kernel's type, a load converts to
   the kernel's type and a store from it (kernel_convert). */
enum kernel_elem { ELEM_OWN /* as the kernel's type */, ELEM_F32, ELEM_F64, ELEM_I32, ELEM_I64, ELEM_I8, ELEM_U8, ELEM_BOOL };
struct kernel_tensor {
    int name; /* string id */
    int role;
    int rank; /* scalars `S<1>`: rank 1, dim 1; their loads have no index (n = 0) or one (n = 1) */
    long dim[KERNEL_RANK_MAX];
    int elem; /* enum kernel_elem; never the kernel's own type by its name */
};

/* An assignment, or (look > 0) a look-up, in text Y<2,3,4>[i,j,k] = X<9,4>[at(I<2,3:i64>[i,j]),k]: each cell is that of X
   where index look - 1 is the integer that the load `at` has; a negative one counts from the end, and one outside of X's
   dimension is an error of the run, before anything is stored (lookup_run below; Coq: Calque.kernel.Lookup). */
struct kernel_stmt {
    int out;          /* tensor; written at its own variables 0..rank-1, each cell once */
    int var, nvar;    /* range of vars */
    int body;         /* ex id; of a look-up a load, with the constant 0 as index look - 1 */
    int look, at;     /* at: ex id of a load of an i32 or i64 tensor */
    int line, col;    /* of the statement in its source */
    unsigned char loop[KERNEL_RANK_MAX]; /* how its loops are to be nested, which changes no value: the i-th one over
                                            variable loop[i] - 1; all 0: over variable i */
};

/* The functions exp, log, tanh, erf and pow of floats: those of C's library, or Calque's own, the same bits on every machine
   (kernel/math.inc; Coq: tensor/Functions.v). */
enum kernel_math { MATH_LIBM, MATH_CALQUE };
/* The order of sums: that of their cells, or partial sums of every 16th cell, where that makes loops vectors (kernel_lanes). It
   is a meaning of its own: the bits of floats differ. */
enum kernel_sums { SUMS_SEQUENTIAL, SUMS_LANES };
/* What is chosen of a model's numbers. */
struct kernel_numbers {
    enum kernel_math math;
    enum kernel_sums sums;
    bool fma; /* products are added without being rounded (kernel_fuse): a meaning of its own, too */
};

struct kernel {
    struct mem *mem;
    struct strs *strs;
    enum kernel_type type;
    enum kernel_math math;
    struct { struct kernel_tensor *a; int n, cap; } tensor;
    struct { struct kernel_var *a; int n, cap; } var;
    struct { struct ix *a; int n, cap; } ix;
    struct { struct cond *a; int n, cap; } cond;
    struct { struct ex *a; int n, cap; } ex;
    struct { struct kernel_stmt *a; int n, cap; } stmt;
    struct ints pool;
};

void kernel_init(struct kernel *k, struct mem *mem, struct strs *strs, enum kernel_type type);
void kernel_like(struct kernel *k, const struct kernel *src); /* an empty one over the same numbers */
void kernel_free(struct kernel *k);

/* Parses kernel text (grammar and elaboration: header comment of parse.c) and appends its statements to k. Tensors
   that are stored are KERNEL_TEMP unless named in outputs (n string ids; n < 0: the last statement's tensor is the only
   output); tensors only loaded are KERNEL_IN. Infers ranges, checks every access in bounds by intervals (guards of
   select narrow), makes implicit sums explicit. Every error is located in the text; after one, k is only fit for
   kernel_free. */
enum calque_status kernel_parse(struct kernel *k, const char *file, const char *src, size_t n, const int *outputs,
                                int noutputs, struct diag *d);
/* PKU-style JSON case {"name","ins","outs","data_type","kernel",...}. Initialises k. */
enum calque_status kernel_parse_json(struct kernel *k, struct mem *mem, struct strs *strs, const char *file,
                                     const char *src, size_t n, struct diag *d);
/* Canonical text; parses back to the same kernel. */
void kernel_print(struct text *t, const struct kernel *k);

/* Is every id, arity, depth and type in order and every access in bounds? The diag gives the statement's place.
   kernel_run asks this first. */
enum calque_status kernel_check(const struct kernel *k, struct diag *d);
size_t kernel_type_size(enum kernel_type type);
/* Number of elements of tensor t. */
long kernel_elems(const struct kernel *k, int t);

/* A kernel type as a stored type. */
int kernel_own(enum kernel_type type);
/* The stored type of tensor t (ELEM_F32 .. ELEM_BOOL), and what its storage takes. */
int kernel_stored(const struct kernel *k, int t);
size_t kernel_bytes(const struct kernel *k, int t);
/* The same type as an element of a tensor of k: ELEM_OWN for the kernel's own. */
int kernel_elem(const struct kernel *k, int stored);
/* Of ELEM_F32 .. ELEM_BOOL: bytes of a cell (i8, u8 and bool have one), and "f32" .. "bool". */
size_t elem_size(int elem);
const char *elem_name(int elem);
/* What n elements are stored as: ELEM_I8 or ELEM_U8 where they are as small integers, and no fewer than ELEM_FEW, which take 64 bytes
   anyhow; else elem itself. Their bytes then, to be freed; NULL: memory is out. */
enum { ELEM_FEW = 64 };
int elem_narrow(int elem, const void *data, size_t n);
void *elem_narrowed(struct mem *mem, int elem, const void *data, size_t n);
/* Is the expression's value always 0 or 1, as far as its form says? Then it is the same after being stored as ELEM_BOOL. */
bool kernel_is_truth(const struct kernel *k, int ex);
/* n cells from one of these types to another: to integers towards zero, saturating, NaN to 0; i64 to i32 keeps the low bits;
   to floats the nearest; to bool 1 unless it is zero (NaN is 1); a bool is 1 unless its byte is 0. */
void kernel_convert(int from, const void *src, int to, void *dst, long n);

/* Building without text (ids, or -1 when memory is out). */
int kernel_add_tensor(struct kernel *k, int name, int role, int rank, const long *dim); /* ELEM_OWN */
/* The same with the stored type of x, a tensor of a kernel of the same type. */
int kernel_add_like(struct kernel *k, int name, int role, const struct kernel_tensor *x);
int kernel_find_tensor(const struct kernel *k, int name);
int kernel_ix(struct kernel *k, struct ix x);
int kernel_ex(struct kernel *k, struct ex x);

/* Runs the statements in order; data[t] is tensor t's storage (all roles, temporaries too), row-major, of kernel_stored
   cells. Blocks of output cells are evaluated lane by lane, each cell exactly in the order of the expression, on
   `threads` threads; the result does not depend on threads. CALQUE_BAD for an integer division by zero and for a look-up
   outside of its dimension; the diag names the cell that has the index. Float functions are libm's float versions. */
enum calque_status kernel_run(const struct kernel *k, void *const *data, int threads, struct diag *d);

/* Appends all statements of src to dst (same type), tensor t of src becoming map[t] of dst. */
enum calque_status kernel_append(struct kernel *dst, const struct kernel *src, const int *map, struct diag *d);
/* A copy of src, with the same numbers of tensors. dst is initialised here. */
enum calque_status kernel_copy(const struct kernel *src, struct kernel *dst, struct diag *d);
/* Statements first..first+n-1 of src as a kernel of its own, with the tensors they use in the order of their first
   occurrence; from[t] (initialised by the caller) is the tensor of src that tensor t of dst is. dst is initialised here. */
enum calque_status kernel_part(const struct kernel *src, int first, int n, struct kernel *dst, struct ints *from,
                               struct diag *d);
/* Substitutes the definition of temporary t for its loads (spec inline section 8: I1-I5); the statement storing t
   disappears, t stays in the table, unused. A definition without reduction goes to any number of loads at any indices; one
   with a reduction, which is not to be repeated, only to the one load there is, at all the loading statement's own
   variables in order and outside reductions. Other policies: kernel/inline.h. CALQUE_NO (k unchanged) when a side condition fails, the diag says which; CALQUE_LIMIT when the result is too large. */
enum calque_status kernel_inline(struct kernel *k, int t, struct diag *d);

/* Sums in lanes (partial.c says which order that is). A sum is taken when its last variable has 32 values at least and its term
   loads at that variable, always in the last index with step 1, and never the same cell for two cells of the result. Nor has
   the term a choice or a reduction, nor is the sum inside one, nor has the result eight dimensions. No sum of what comes out is taken. */
enum calque_status kernel_lanes(struct kernel *k, struct diag *d);

/* Sums of floats whose term is a product a * b, or a choice among such and 0: exact(a, b) takes the place of a * b, -0 that of 0
   (partial.c). Each step of the sum is then one fused multiply-add. */
enum calque_status kernel_fuse(struct kernel *k, struct diag *d);

/* Has the expression a sum with products that are not rounded? Has the kernel? */
bool kernel_is_fused(const struct kernel *k, int ex);
bool kernel_has_fused(const struct kernel *k);

/* Sums and products as they are chosen: in lanes first, then fused. */
enum calque_status kernel_choose(struct kernel *k, const struct kernel_numbers *numbers, struct diag *d);

/* Does the statement load tensor t? Has the kernel look-ups? */
bool kernel_loads(const struct kernel *k, const struct kernel_stmt *s, int t);
bool kernel_looks_up(const struct kernel *k);

/* Upper bound of scalar operations of one run (for schedules and progress). */
double kernel_cost(const struct kernel *k);

/* Look-ups: statements that read a tensor at an index which is data (kernel.h, struct kernel_stmt). */

/* A look-up as its parts. */
struct lookup {
    const struct ex *from, *at; /* the load that is looked up, without its index `axis`, and that of this index */
    int axis;
    long size;                  /* of the dimension: indices are to be in -size .. size - 1 */
};
struct lookup lookup_of(const struct kernel *k, const struct kernel_stmt *s);

/* Does the index expression use variable var? Do the indices of the load, but for number skip (-1: none)? */
bool lookup_ix_uses(const struct kernel *k, int ix, int var);
bool lookup_uses(const struct kernel *k, const struct ex *load, int skip, int var);

/* Is the statement a look-up in order, but for the bounds of its indices? What is not, or NULL. */
const char *lookup_check(const struct kernel *k, const struct kernel_stmt *s);

/* KL-Lookup, KL-Negative, KL-Range: runs it. All indices are looked at before anything is stored; the first one outside, in
   the order of the cells, is the error's. */
enum calque_status lookup_run(const struct kernel *k, const struct kernel_stmt *s, void *const *data, int threads,
                              struct diag *d);

#endif
