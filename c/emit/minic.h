/* Mini-C: the part of C that commands are translated to. Expressions and statements in flat arenas, children smaller than
   parents; variables are the levels of the commands; addresses are row-major offsets in normal form (base/linear.h). */
#ifndef CALQUE_EMIT_MINIC_H
#define CALQUE_EMIT_MINIC_H

#include "dpia/comm.h"
#include "emit/emit.h"
#include "base/linear.h"

enum mx_kind {
    MX_LIT,  /* num, inum */
    MX_VAR,  /* scalar var */
    MX_LOAD, /* var[lin] */
    MX_CALL, /* fn op of a, b */
    MX_COND  /* conds[first..] ? a : b */
};
struct mx {
    int kind, op, a, b;
    int var, lin;
    int first, len;
    double num;
    long inum;
    double work; /* about how many scalar operations */
    bool plain;  /* only arithmetic and loads: no libm calls, no conditions */
};

/* Index expressions of plain mode, written as they are. */
enum cix_kind { CIX_LEVEL, CIX_SIZE, CIX_NUMBER, /* negative */ CIX_ADD, CIX_SUB, CIX_MUL, CIX_DIV, CIX_MOD, CIX_FDIV, CIX_FMOD, /* of user: floor */
                CIX_PLACE, CIX_SUB1, CIX_X1, CIX_X2 /* listing: nothing, [b], .x1, .x2 after a */ };
struct cix {
    int kind, a, b;
    long k; /* LEVEL: loop; SIZE */
};

/* a op b, op of enum cmp; neither always true nor always false. */
struct mcond {
    int op, a, b;
};

enum ms_kind {
    MS_BLOCK, /* statements pool[first..first+len-1]; par: in any order, at the same time */
    MS_DECL,  /* scalar var, initialised with expression a (-1: not) */
    MS_ARRAY, /* array var of n elements around statement a; heap: allocated and freed */
    MS_SET,   /* var[lin] or, when lin is -1, scalar var = expression a */
    MS_FOR,   /* var from max(from, pool[first..first+nlo-1]) to min(n, pool[first+nlo..+nhi-1]), body a */
    MS_IF     /* conds[first..] then a else b (-1: nothing) */
};
struct ms {
    int kind, a, b;
    int var, lin;
    int first, len;
    int nlo, nhi;
    bool par;    /* MS_FOR from parfor: iterations are independent and may run on threads */
    bool simd;   /* MS_FOR: independent iterations, innermost, nothing but arithmetic inside */
    bool heap;   /* MS_ARRAY */
    bool scope;  /* its variables are declared beside it, too */
    long from, n;
    double work; /* about how many scalar operations it takes */
};

struct minic {
    struct mem *mem;
    const struct code *code;
    enum calque_status status;
    struct lins lins;
    struct { struct mx *a; int n, cap; } mx;
    struct { struct mcond *a; int n, cap; } cond;
    struct { struct ms *a; int n, cap; } ms;
    struct ints pool;
    struct ints alias; /* loop variable code->level.n + i: of a part of the loop of level alias.a[i] */
    /* Plain mode: the commands one by one, indices as the seed's rules give them, sizes symbolic or not. lin ids are cix
       ids, the n of statements sizes. */
    bool plain, listing;
    const int *number; /* level -> number printed, or NULL: itself */
    struct { struct cix *a; int n, cap; } cix;
    int main; /* the function's body */
    bool heap; /* some array is allocated: the function can fail */
};

/* Arrays up to this many bytes live on the stack. */
enum { MINIC_STACK_MAX = 4096, MINIC_PATH_MAX = 64 };

/* Commands -> mini-C (seed rules cga, cge, cgc; Coq: Calque.Dpia Codegen). m is initialised here; minic_free by the caller
   (also after an error). code must outlive m. */
enum calque_status codegen(const struct code *code, struct minic *m, struct diag *d);
/* The same in plain mode (cgc, cge, cga of coq/emit/Codegen.v, then Flat.v's offsets). listing: places stay subscripts and
   fields, arrays keep their dimensions. numbers, or NULL, must outlive m. */
enum calque_status codegen_plain(const struct code *code, bool listing, const int *numbers, struct minic *m, struct diag *d);
/* Does m, which codegen made, do what codegen_plain's statements of the same commands do? CALQUE_NO, with the reason: that is
   not seen. */
enum calque_status statements_check(const struct minic *plain, const struct minic *m, struct diag *d);
/* What codegen makes where that is seen, else what codegen_plain does, and why says the reason. change: of tests, of what codegen
   made, or NULL. pair: both are appended (plain ones alone, where they are what is made), or NULL. */
enum calque_status codegen_checked(const struct code *code, void (*change)(struct minic *m), struct text *pair, struct minic *m,
                                   struct diag *why, struct diag *d);
/* Plain and merged statements, or (m: NULL) plain ones alone, as calque-oracle statements reads them. */
void statements_print(struct text *t, const struct minic *plain, const struct minic *m);
void minic_free(struct minic *m);
/* Is the expression a product that is not rounded, or a choice with one? What adds it is a fused multiply-add. */
bool minic_is_exact(const struct minic *m, int id);

/* C text of a function `static void name(..)`, or `static int name(..)` when it allocates. */
struct print_options {
    const char *name;
    bool pragmas;   /* OpenMP */
    bool is_static;
    bool always;    /* every parallel loop gets its pragma, however small */
    unsigned long *used; /* set of helpers (PRINT_*) the text needs is or-ed in */
    unsigned long *libm; /* NULL, or the same for math.h: bit 2 * op of float functions, the next one of double ones; PRINT_MATH */
    unsigned long *own;  /* NULL, or the same for Calque's own functions (kernel/math.inc) */
    size_t *scratch;     /* NULL, or no malloc: large arrays are in a last parameter, of so many bytes */
};
#define PRINT_MATH (1ul << 63) /* a macro of math.h */
enum { SCRATCH_ALIGN = 64 };
/* Of a call of the function; false: memory is out. */
bool minic_work(const struct minic *m, struct emit_work *out);
/* Appends its loops in the order of the text; false: memory is out. */
struct bound {
    int depth;    /* loops around it */
    double trips; /* iterations, each time it is entered, at most */
};
struct bounds {
    struct bound *a;
    int n, cap;
};
bool minic_bounds(const struct minic *m, struct bounds *out);
void print_function(struct text *t, const struct minic *m, const struct print_options *o);
/* The statements alone, every parallel loop with its pragma. */
void print_listing(struct text *t, const struct minic *m, unsigned long *used);
/* Its parameter list, in brackets. */
void print_params(struct text *t, const struct minic *m);
/* Refusals, at compile time, of what changes the bits. */
void print_checks(struct text *t);
/* What precedes functions in a file: headers, and the definitions of the helpers and own functions of the sets. */
void print_prelude(struct text *t, unsigned long used, unsigned long own);
/* These definitions alone. */
void print_helpers(struct text *t, unsigned long used, unsigned long own);
/* The same for freestanding code: the checks without a header, stdint.h and, if any of libm, math.h; the helpers. */
void print_free_prelude(struct text *t, unsigned long used, unsigned long libm, unsigned long own);
/* Do helpers of the set need math.h? */
bool print_helpers_math(unsigned long used);
/* The functions of math.h of a set, each after a space. */
void print_libm(struct text *t, unsigned long libm);
/* The name of helper calque_STEM_SFX, which is added to the set. */
const char *print_helper(const char *stem, const char *sfx, unsigned long *used);
/* Has emitted C another use for the name? */
bool print_is_reserved(const char *s);
/* A literal of the type: num of a float, else inum. */
void print_number(struct text *t, enum kernel_type type, double num, long inum);
/* The C type of an element; of a stored one (ELEM_F32 .. ELEM_BOOL). */
const char *print_type(enum kernel_type type);
const char *print_elem(int elem);

/* Inside the printer of mini-C. */

struct printer {
    struct text *t;
    const struct minic *m;
    const struct print_options *o;
    unsigned long used, libm, own;
    int loops;     /* around */
    bool parallel; /* inside a parallel loop */
    bool parts;    /* directly inside a parallel region of parts */
};

/* name.c */
void print_size_var(struct text *t, const struct prog *p, int size);
void print_param(struct text *t, const struct prog *p, int param);
void print_var(const struct printer *q, int level);

/* print_index.c */
void print_to_helper(struct printer *q, const char *stem, const char *sfx); /* its name, noted as used */
void print_size(struct text *t, const struct prog *p, long n);
void print_lin(struct printer *q, int id);
void print_place(struct printer *q, int id);      /* what follows a variable: [offset], or subscripts in a listing */
void print_declaration(struct printer *q, int level);

#endif
