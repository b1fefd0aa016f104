/* Functional expressions with strategies (level 3; Coq: Calque.Dpia, definitions data, exp, ty): num, arrays and pairs,
   with every constructor carrying its execution policy. One flat arena; children have smaller ids. Variables are numbered
   once per program, so an environment is an array. Index expressions are the kernel's (struct ix over index variables).
   Sizes (every `long n`, `m`, extent) are numbers >= 0 or, negative, polynomials of the program's size variables. */
#ifndef CALQUE_DPIA_EXP_H
#define CALQUE_DPIA_EXP_H

#include "base/mem.h"
#include "base/status.h"
#include "base/strs.h"
#include "base/text.h"
#include "kernel/kernel.h"

#include <limits.h>

/* Polynomials with integer coefficients over size variables, in normal form and hash-consed: equal polynomials have equal
   ids (Coq: the sizes of dpia/Syntax.v, sums added). Variables count from 0. */

struct mono {
    long c;       /* not 0 */
    int first, n; /* of pool: variables, increasing, with repetition */
};

struct poly {
    int first, n; /* of mono: by decreasing degree, then by variables; the constant last */
};

struct polys {
    struct mem *mem;
    enum calque_status status; /* NOMEM, or LIMIT: too many terms or a coefficient outside long */
    struct { struct poly *a; int n, cap; } poly;
    struct { struct mono *a; int n, cap; } mono;
    struct ints pool;
};

enum { POLY_TERMS = 64, POLY_DEGREE = 32 };

void polys_init(struct polys *p, struct mem *mem);
void polys_free(struct polys *p);

/* Ids, or -1 after a failure (also for an operand -1). */
int poly_const(struct polys *p, long k);
int poly_var(struct polys *p, int var);
int poly_add(struct polys *p, int a, int b);
int poly_sub(struct polys *p, int a, int b);
int poly_scale(struct polys *p, int a, long k);
int poly_mul(struct polys *p, int a, int b);
/* a / b when b is a single term that divides every term of a; else -1 without failure. */
int poly_quotient(struct polys *p, int a, int b);

bool poly_is_const(const struct polys *p, int a, long *k);
/* Are all coefficients >= 0? Then the value is, for all sizes. */
bool poly_nonnegative(const struct polys *p, int a);

/* The scalar functions: kernel/fn.def. */
struct fn_info {
    const char *text;
    int args;
    const char *c; /* C text at f32, with %s for the arguments */
};
const struct fn_info *fn_info(int fn);

/* Types of data; hash-consed: equal types have equal ids. */
enum data_kind { DATA_NUM, DATA_ARY, DATA_PAIR };
struct data {
    int kind;
    int a, b; /* ARY: element; PAIR: both */
    long n;     /* ARY */
    long cells; /* scalars in a value, a size */
};

/* ORDER exp_kind: keep with coq/dpia/Syntax.v */
enum exp_kind {
    EXP_VAR,   /* x */
    EXP_LIT,   /* num, inum */
    EXP_CALL,  /* fn op of a, b (b = -1 for one argument) */
    EXP_MAP,   /* par n (fun x => a) b */
    EXP_GEN,   /* generate par n (fun x:idx => a) */
    EXP_RED,   /* reduceSeq n (fun x y:acc => a) init b array c */
    EXP_FOLD,  /* reduceSeq n (fun x:idx y:acc => a) init b over iota n */
    EXP_ZIP,   /* a b */
    EXP_SPLIT, /* ary (n*m) t -> ary m (ary n t): inner length n */
    EXP_JOIN,  /* ary m (ary n t) -> ary (n*m) t: inner length n */
    EXP_IDX,   /* a at index expression b */
    EXP_PAIR, EXP_FST, EXP_SND,
    EXP_REV,   /* reversed array */
    EXP_TR,    /* ary n (ary m t) -> ary m (ary n t) */
    EXP_ITE,   /* if conds[first..first+len-1] then a else b, lazy */
    EXP_LET    /* let x = a in b */
};

struct exp {
    int kind, op; /* op: CALL: enum fn; MAP, GEN: 1 parallel, 0 sequential */
    int type;     /* data id */
    int a, b, c;
    int x, y;     /* variables: VAR: itself; binders */
    int first, len;
    bool emits;   /* would C(e) emit commands before its continuation? (conservative) */
    long n, m;
    double num;
    long inum;
};

struct exp_var {
    int hint;     /* string id of a name for people, or -1 */
    int type;     /* data id; -1: an index variable */
    long extent;  /* index variable: 0 <= value < extent */
};

/* A program: parameters (variables that are named memory) and assignments parameter := expression, in order.
   `buffered`: the expression reads its own target at other cells, so it goes through a temporary. */
struct prog_param {
    int var, role, name; /* role: enum kernel_role */
    int tensor;          /* of the kernel it was lowered from, or -1 */
    int elem;            /* what its cells are stored as: enum kernel_elem, ELEM_OWN: as scalars are */
};
struct prog_stmt {
    int param, exp;
    bool buffered;
};

struct prog {
    struct mem *mem;
    struct polys size;
    struct ints size_name; /* of the size variables: string ids */
    struct ints named;     /* prog_named's table: a power of two of pairs, a hash of a name and how many have it */
    struct strs *strs;
    enum kernel_type scalar;
    enum kernel_math math; /* of its float functions */
    enum calque_status status; /* the first failure: NOMEM, or INTERNAL for an ill-typed construction */
    struct { struct data *a; int n, cap; } data;
    struct { struct exp_var *a; int n, cap; } var;
    struct { struct ix *a; int n, cap; } ix; /* IX_VAR: k is a variable of the program */
    struct { struct cond *a; int n, cap; } cond;
    struct { struct exp *a; int n, cap; } exp;
    struct { struct prog_param *a; int n, cap; } param;
    struct { struct prog_stmt *a; int n, cap; } stmt;
};

void prog_init(struct prog *p, struct mem *mem, struct strs *strs, enum kernel_type scalar);
void prog_free(struct prog *p);
/* CALQUE_OK, or the first failure with a diag. */
enum calque_status prog_status(const struct prog *p, struct diag *d);

/* Sizes; SIZE_NONE after a failure (also for an operand SIZE_NONE). */
#define SIZE_NONE LONG_MIN
long size_var(struct prog *p, int name); /* the variable of this name, new the first time */
long size_poly(struct prog *p, int poly); /* status BAD for a negative number */
int poly_size(struct prog *p, long n);    /* polynomial id */
long size_add(struct prog *p, long a, long b);
long size_mul(struct prog *p, long a, long b);
/* The size q with q * b = a, or SIZE_NONE without failure when there is none. */
long size_quotient(struct prog *p, long a, long b);
/* n*m + 1; with a namer of its variables n * m + 1. */
typedef void size_namer(struct text *t, const struct prog *p, int size);
void size_print(struct text *t, const struct prog *p, long n, size_namer *name);
/* Is it a single number or variable, or in need of brackets? */
bool size_is_atom(const struct prog *p, long n);
bool prog_is_symbolic(const struct prog *p);

/* Types. All constructors below return -1 after a failure (and for a child -1), so only the end needs a check. */
int data_num(struct prog *p);
int data_ary(struct prog *p, long n, int elem);
int data_pair(struct prog *p, int a, int b);
/* Scalars in a value of the type; sizes are numbers. */
long data_size(const struct prog *p, int type);


int prog_var(struct prog *p, int hint, int type);        /* a data variable */
int prog_ivar(struct prog *p, int hint, long extent);    /* an index variable */
int prog_param(struct prog *p, int name, int role, int type); /* parameter number; its variable is new */
/* No fewer than the sizes and parameters whose names are the same identifier of C as this. */
int prog_named(const struct prog *p, const char *name);
/* One more has it; for prog_param and size_var. */
bool prog_name(struct prog *p, int name);
bool prog_assign(struct prog *p, int param, int exp, bool buffered);
int prog_ix(struct prog *p, struct ix x);
int prog_ix_var(struct prog *p, int var);
int prog_ix_const(struct prog *p, long k);

/* Expressions; ill-typed ones set status. Binder variables are made with prog_var/prog_ivar first. */
int exp_var(struct prog *p, int var);
int exp_lit(struct prog *p, double num, long inum);
int exp_call(struct prog *p, int fn, int a, int b);
int exp_map(struct prog *p, bool par, int x, int f, int e);
int exp_gen(struct prog *p, bool par, int x, int f);
int exp_red(struct prog *p, int x, int acc, int f, int init, int e);
int exp_fold(struct prog *p, int x, int acc, int f, int init);
int exp_zip(struct prog *p, int a, int b);
int exp_split(struct prog *p, long n, int e);
int exp_join(struct prog *p, int e);
int exp_idx(struct prog *p, int e, int ix);
int exp_pair(struct prog *p, int a, int b);
int exp_fst(struct prog *p, int e);
int exp_snd(struct prog *p, int e);
int exp_rev(struct prog *p, int e);
int exp_tr(struct prog *p, int e);
/* conds[0..len-1] over ix ids of the program. */
int exp_ite(struct prog *p, const struct cond *conds, int len, int a, int b);
int exp_let(struct prog *p, int x, int e, int body);

/* Does variable x occur free in e? Recursion is bounded by EXP_DEPTH_MAX (deeper: true). */
enum { EXP_DEPTH_MAX = 2000 };
bool exp_occurs(const struct prog *p, int e, int x);

/* ML-like text: one parameter or assignment per paragraph. */
void prog_print(struct text *t, const struct prog *p);
/* One S-expression and a line break (exp_sexp.c has the grammar): what the oracle reads. */
void prog_sexp(struct text *t, const struct prog *p);

/* Lowering (spec kernel section 4): statement -> generatePar (outer dimensions) (generateSeq ..), sum/amax -> nested
   reduceSeq whose inner initial value is the outer accumulator. Strategies are named and keep every cell's float order. */
enum {
    LOWER_GUARD = 1, /* reduce (+) 0 with select(c, e, 0): skip instead of adding 0 (the accumulator is never -0) */
    LOWER_ROWS = 2,  /* reductions of one output row as one reduceSeq with an array accumulator (loops interchanged) */
    LOWER_MERGE = 4, /* last dimensions that are always used side by side are one, split afterwards */
    LOWER_TILE = 8,  /* reductions of a rectangle of output cells as one reduceSeq with a small array accumulator */
    LOWER_ALL = 15,
    LOWER_PLAIN = 16 /* with nothing else: every loop parallel, nothing shared (Coq: Lower.lower_stmt) */
};
/* Cells of a side of a block of exchanged loops, at most. */
enum { LOWER_BLOCK = 16 };
/* How well the statement's reductions are lowered: about the cells computed for each vector operation. */
double lower_tile_score(const struct kernel *k, int stmt);
/* The best score of tiles of nv cells in vectors and nj beside each other, for sums of so many terms; last: the vectors go
   along the last dimension. *cells, unless NULL: those of its vectors. */
double lower_part_score(enum kernel_type type, long nv, long nj, bool last, double terms, long *cells);
/* p is initialised here; prog_free by the caller (also after an error). */
enum calque_status lower_kernel(const struct kernel *k, unsigned strategy, struct prog *p, struct diag *d);
/* Does the program compute the kernel, bit for bit, whatever its strategy (Coq: Validate.validate)? Its parameters say of which
   tensor they are. CALQUE_OK, CALQUE_NO (this is not seen, and the diag says why), CALQUE_NOMEM. */
enum calque_status validate_program(const struct kernel *k, const struct prog *p, struct diag *d);
/* Do two kernels of one statement compute the same output, bit for bit, from inputs that are the same where they have one name?
   Asked of the plain program of the first, which is to compute both. CALQUE_OK, CALQUE_NO (this is not seen), CALQUE_NOMEM. */
enum calque_status validate_kernels(const struct kernel *a, const struct kernel *b, struct diag *d);

/* What functional expressions and commands print alike: sizes, types, index expressions, conditions, scalar functions. */

struct show {
    struct text *t;
    const struct prog *p;
    const struct ix *ix;     /* the arena the ids below refer to */
    const struct cond *cond;
    void (*var)(const struct show *s, int var); /* of IX_VAR */
    const void *arg;         /* for var */
};

void show_type(const struct show *s, int type); /* n.m.num, (a x b) */
void show_ix(const struct show *s, int id);
void show_conds(const struct show *s, int first, int len);
void show_lit(const struct show *s, double num, long inum);
/* Does the function print between its arguments? */
bool show_infix(int fn);

#endif
