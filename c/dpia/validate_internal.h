/* Inside the check of a program against a kernel (Coq: dpia/Cells.v, dpia/CellsNormal.v): the computation of one cell, at
   symbolic indices. Loops around a cell are levels, the outermost 0: the output's dimensions, then folds. Indices are forms of
   kernel/affine.h, so equal ones have equal ids. All recursion is bounded by VALIDATE_DEPTH. */
#ifndef CALQUE_DPIA_VALIDATE_INTERNAL_H
#define CALQUE_DPIA_VALIDATE_INTERNAL_H

#include "dpia/exp.h"
#include "kernel/affine.h"

enum {
    VALIDATE_DEPTH = EXP_DEPTH_MAX,
    VALIDATE_STEPS = 1 << 22, /* nodes that are looked at for one statement, at most */
    VALIDATE_LEVELS = 64,
    VALIDATE_EXTENTS = 16     /* of loops of one level, before and after they are merged */
};

/* Where in a value a cell is: an index, or the left or right part of a pair. */
enum { TURN_LEFT = -1, TURN_RIGHT = -2 };
struct turn {
    int at;   /* a form, or one of these */
    int next; /* turn id, or -1 */
};

/* ORDER cell_kind: keep with coq/dpia/Cells.v */
enum cell_kind { CELL_LIT, CELL_CALL, CELL_LOAD, CELL_ACC, CELL_FOLD, CELL_ITE };
struct vcell {
    int kind, op;   /* CALL: enum fn; LOAD: parameter */
    int a, b;       /* CALL: arguments (b = -1 for one); FOLD: step and start; ITE: both branches */
    int level;      /* ACC, FOLD */
    int first, len; /* LOAD: its place, pool[first..]; ITE: conds[first..] */
    long n;         /* FOLD: turns; LIT: the number, equal for equal ones (validate_number) */
};

/* What a variable of the program is. */
enum binding_kind { BOUND_NOT, BOUND_INPUT, BOUND_INDEX, BOUND_READ, BOUND_HOLD };
struct binding {
    int kind;
    int at;    /* INPUT: parameter; INDEX: a form; READ: expression; HOLD: level of the fold */
    int place; /* READ: a form to be put before the place, or -1; HOLD: the fold's own place */
};

struct validate {
    struct mem *mem;
    const struct kernel *k;
    const struct prog *p;
    enum calque_status status; /* NOMEM, or LIMIT */
    int missing;               /* the kernel's tensor that is no parameter; -1: there is none */
    long steps;
    bool fused;                /* has the statement a sum with products that are not rounded? */
    struct binding *env;       /* of the program's variables; zeros between statements */
    int *index;                /* forms of the kernel's variables */
    struct kernel vars;        /* its variables are levels: level l with its i-th extent is l * VALIDATE_EXTENTS + i */
    struct kernel_stmt loops;  /* of vars, for aff */
    struct aff aff;
    struct { struct vcell *a; int n, cap; } cell;
    struct { struct turn *a; int n, cap; } turn;
    struct { struct cond *a; int n, cap; } cond; /* left - right, a form, in a; of facts of the typing: indices of p in a, b */
    struct ints pool;
};

/* -1 and a status. */
int validate_fail(struct validate *v, enum calque_status st);
/* Counts a step; false, and a status, beyond the limits. */
bool validate_step(struct validate *v, int depth);
int validate_cell(struct validate *v, struct vcell c);
/* The form of a loop's variable. */
int validate_level(struct validate *v, int level, long extent);
/* A literal of the scalars, as a number that is the same for the same value: bits of floats, with one NaN. */
long validate_number(enum kernel_type type, double num, long inum);
/* The least one, from which maxima start. */
long validate_least(enum kernel_type type);

/* validate_type.c. Has the expression, under no variables but the parameters, the type it says it has, with every index in its
   array (Coq: Typing.infer, RangeKnown.range_known)? */
bool validate_typed(struct validate *v, int e);

/* validate_normal.c. A cell in normal form under `loops` loops; have two the same? */
int validate_normal(struct validate *v, int cell, int loops);
bool validate_same(struct validate *v, int c, int d, int depth);

#endif
