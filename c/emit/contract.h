/* Kernels and functional programs as equations of cells, from which both the C of `calque emit --acsl` and its ACSL
   contracts are printed: each statement gives every cell of its tensor a scalar expression of loads, functions, conditions
   and folds. Flat arenas, children smaller than parents. Sizes are index expressions without variables. */
#ifndef CALQUE_EMIT_CONTRACT_H
#define CALQUE_EMIT_CONTRACT_H

#include "dpia/exp.h"
#include "kernel/kernel.h"

enum ax_kind {
    AX_NUM,  /* k */
    AX_SIZE, /* polynomial -1 - k of the program's sizes */
    AX_VAR,  /* variable k */
    AX_ADD, AX_SUB, AX_MUL,
    AX_JOIN, /* a * m + b with 0 <= a < n, 0 <= b < m: row-major */
    AX_DIV, AX_MOD,  /* of what is not negative */
    AX_FDIV, AX_FMOD /* floor */
};
struct ax {
    int kind, a, b;
    int n, m; /* JOIN */
    long k;
};

enum ac_kind {
    AC_LIT,    /* num, inum */
    AC_LOAD,   /* tensor op at index var (ax) */
    AC_CONV,   /* a, of element type op, as element type var (enum kernel_elem) */
    AC_CALL,   /* function op (kernel/fn.def) of a, b (b = -1 for one argument) */
    AC_SELECT, /* conds[first..first+n-1] ? a : b, lazy */
    AC_FOLD,   /* from a, over variable var, of body b; guards pool[first..first+n-1]: the selects it is under, times 2, and
                  1 for the second branch */
    AC_ACC     /* the accumulator of the fold over variable var */
};
enum { ACSL_LIMIT = 1 << 16 }; /* expressions: what is shared in the source is written out every time */
struct ac {
    int kind, op, a, b, var;
    int first, n;
    double num;
    long inum;
};

struct acsl_var {
    int extent; /* ax */
};
enum { ACSL_NAME = 40 };
struct acsl_tensor {
    char name[ACSL_NAME]; /* in C */
    int role;             /* enum kernel_role */
    int elem;             /* what its cells are stored as: enum kernel_elem, never ELEM_OWN */
    int rank, dim[KERNEL_RANK_MAX];
    int cells;            /* ax: product of the dimensions */
};
struct acsl_stmt {
    int out;
    int nvar, var[KERNEL_RANK_MAX]; /* output variables of extent other than 1 */
    int body;
    int var0, var1;                 /* its variables */
};

struct cells {
    struct mem *mem;
    enum kernel_type type;
    const struct prog *sizes; /* of AX_SIZE, or NULL */
    enum calque_status status;
    const char *why; /* of CALQUE_BAD */
    struct { struct ax *a; int n, cap; } ax;
    struct { struct cond *a; int n, cap; } cond;
    struct { struct ac *a; int n, cap; } ac;
    struct { struct acsl_var *a; int n, cap; } var;
    struct { struct acsl_tensor *a; int n, cap; } tensor;
    struct { struct acsl_stmt *a; int n, cap; } stmt;
    struct ints pool;
};

void cells_init(struct cells *c, struct mem *mem, enum kernel_type type);
void cells_free(struct cells *c);
bool cells_fail(struct cells *c, enum calque_status st, const char *why); /* false */
enum calque_status cells_status(const struct cells *c, struct diag *d);

/* Ids, or -1 after a failure and of operands -1. */
int ax_num(struct cells *c, long k);
int ax_size(struct cells *c, long n); /* as in dpia/exp.h */
int ax_var(struct cells *c, int var);
int ax_two(struct cells *c, int kind, int a, int b); /* ADD to FMOD; floor only where something may be negative */
int ax_join(struct cells *c, int a, int b, int n, int m);
bool ax_same(const struct cells *c, int a, int b);
bool ax_is(const struct cells *c, int a, long k);
bool ax_uses(const struct cells *c, int a, int var);
bool ax_symbolic(const struct cells *c, int a); /* does a size that is no number occur? */
int cells_var(struct cells *c, int extent);
int cells_ac(struct cells *c, struct ac x);
int cells_load(struct cells *c, int tensor, const int *index, int n); /* as the type that is computed on */
bool cells_name_free(const struct cells *c, const char *s);
/* A tensor stored as elem (ELEM_OWN: as what is computed on); the name becomes one that C and ACSL have no other use for. */
int cells_tensor(struct cells *c, const char *name, int role, int elem, int rank, const int *dim);

/* The statements' targets. Every tensor's memory is written once: a statement that reads its own target, or is not the last
   one to write it, writes a new temporary, copied at the end when it is an output's. */
struct cells_target {
    struct cells *c;
    int n;
    int *now;  /* tensor -> the one that holds its value */
    int *left; /* tensor -> statements still to write it */
};
bool cells_targets(struct cells_target *t, struct cells *c); /* of the tensors so far */
int cells_begin(struct cells *c, int tensor, struct acsl_stmt *s, int *index); /* output variables; the rank */
void cells_end(struct cells_target *t, struct acsl_stmt *s, int tensor);
void cells_finish(struct cells_target *t); /* copies, guards; frees t's arrays */

/* c is initialised here; cells_free by the caller. Tensors of c are those of the kernel, or the parameters, then temporaries. */
enum calque_status cells_kernel(struct cells *c, const struct kernel *k, struct diag *d);
enum calque_status cells_prog(struct cells *c, const struct prog *p, struct diag *d);

/* What functions use of the theory. Truth values are stored, and are sequences, as u8. */
enum { ACSL_TYPES = ELEM_BOOL, ACSL_ELEMS = ELEM_BOOL + 1 };
struct acsl_used {
    unsigned types;                   /* that are computed on or stored: bit ELEM_.. */
    unsigned sequences;               /* that arrays are of: bit ELEM_.. */
    unsigned conversions[ACSL_ELEMS]; /* from each type: bit ELEM_.. of what it becomes */
    unsigned special;                 /* infinities, NaN, -0.0: bit KERNEL_.. */
    unsigned ops[KERNEL_I64 + 1];     /* scalar functions on each enum kernel_type: bit FN_.. */
    bool lemmas;                      /* about indices */
    bool floor_index;                 /* floor division of indices */
    bool guards;                      /* conditions in loops */
};
/* The function's name is '$' in the text, followed by _.. for its parts. */
struct acsl_text {
    struct text t;
    struct acsl_used used;
};
/* The functions and contracts of c, whose index expressions may become more. */
enum calque_status acsl_print(struct acsl_text *out, struct cells *c, bool pragmas, struct diag *d);
/* Is the tensor a parameter of the function? They are in the order of the tensors, after the sizes. */
bool acsl_is_param(const struct cells *c, int tensor);
/* `void NAME(..)`, without the semicolon. */
void acsl_prototype(struct text *t, struct cells *c, const char *name);

/* The files of a program for all sizes. */
void acsl_source(struct text *t, const struct cells *c, const char *name, const struct acsl_text *a);
void acsl_header(struct text *t, struct cells *c, enum kernel_math math, const char *name);
/* The files beside it: calque_acsl.h, calque.driver, calque.mlw. */
/* Has Calque a function of its own for it where --math=calque asks for that? */
static inline bool acsl_is_own(int fn)
{
    return fn_is_own(fn) || fn == FN_ABS;
}
void acsl_use(struct acsl_used *used, const struct acsl_used *more);
void acsl_theory(struct text *t, bool symbolic, enum kernel_math math, const struct acsl_used *used);
void acsl_driver(struct text *t);
void acsl_why3(struct text *t);
/* The target wp of a Makefile; file: what is proved. */
void acsl_make(struct text *t, const char *file);

#endif
