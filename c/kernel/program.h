/* A statement compiled for the lane interpreter: lanes are consecutive cells of a unit, the trailing dimensions of the
   output from `split` on; all other variables (leading output variables, reduction variables) are the same for all lanes
   of a block. Index values are a vector over the lanes plus a scalar. */
#ifndef CALQUE_KERNEL_PROGRAM_H
#define CALQUE_KERNEL_PROGRAM_H

#include "kernel/affine.h"
#include "kernel/kernel.h"

/* Typed operations on lanes: n values side by side, at most LANES, computed in whole steps of LANE_STEP. */

enum { LANES = 512, LANE_STEP = 16 };

/* n values at p, or one value for all lanes. */
struct lane_val {
    const void *p;
    bool uniform;
};

/* Destinations overlap no operand. A mask holds -1 for active lanes and 0 for the others; NULL: all are active. */
struct lane_ops {
    size_t size;
    /* One literal. */
    void (*literal)(void *dst, double num, long inum);
    /* dst[l] = src[v[l] + s mod 2^32]; src[0] for lanes that are not active. */
    void (*gather)(void *dst, const void *src, const int32_t *v, uint32_t s, const int32_t *mask, int n);
    /* The function on all lanes, on one if the operands are uniform; false: an active one of the first n divides by
       zero (lanes behind them hold anything). */
    bool (*apply)(int fn, void *dst, struct lane_val a, struct lane_val b, const int32_t *mask, int n);
    /* mask ? a : b */
    void (*blend)(void *dst, const int32_t *mask, struct lane_val a, struct lane_val b, int n);
    /* n copies of one value. */
    void (*spread)(void *dst, const void *src, int n);
    /* What a reduction starts with: one value. */
    void (*start)(int red, void *acc);
    /* acc = acc + v, or the greater one; one lane if n is 1. */
    void (*fold)(int red, void *acc, struct lane_val v, int n);
    /* acc = acc + a * b */
    void (*fold_product)(void *acc, struct lane_val a, struct lane_val b, int n);
    /* The same, rounded once, of floats only; for any processor, and for one that has an instruction. */
    void (*fold_fused)(void *acc, struct lane_val a, struct lane_val b, int n);
    void (*fold_fused_fast)(void *acc, struct lane_val a, struct lane_val b, int n);
};

const struct lane_ops *lane_ops(enum kernel_type type, enum kernel_math math);

enum vec_kind {
    VEC_FLAT,  /* the cell's number in its unit: consecutive */
    VEC_COORD, /* coordinate k of the output */
    VEC_SUM,   /* sum of c * vector over items first..first+n-1 */
    VEC_DIV,   /* (value) // k */
    VEC_MOD    /* (value) % k */
};
struct vec {
    int kind, first, n;
    int value;         /* of DIV and MOD */
    long k;
    unsigned long deps; /* bit d: changes with the reduction variable at depth d; 0: computed once per block */
    bool unit;         /* depends on the lanes' place in their unit only */
};
struct vec_item {
    int vec;
    long c;
};

/* vector (-1: none) + k + terms over leading variables (once per block) + terms over reduction variables */
struct value {
    int vec;
    long k;
    int first, n0, n;
    unsigned long deps; /* of all parts */
};

enum ins_op { INS_CONST, INS_LOAD, INS_APPLY, INS_SELECT, INS_REDUCE, INS_VEC };

/* Instruction i leaves its result in register i. Bodies follow their instruction: the first one ends before `mid`, the
   second one of a select before `end`. An instruction is run again inside a reduction only when a variable at depth
   >= level - 1 has changed. */
struct ins {
    int op, fn;      /* function, reduction, tensor, vector */
    int a, b;        /* operand registers; results of the bodies */
    int mid, end;
    int value;       /* of a load; number of a select among the selects */
    int first, n;    /* conditions; variables of the reduction in kernel.pool */
    int depth;       /* of a reduction's first variable */
    bool product;    /* fold a * b of registers a, b: the product instruction is left out of the body */
    bool fused;      /* a product that is not rounded */
    int level;
    double num;
    long inum;
};

struct test {
    int op, value; /* value op 0 */
};

struct program {
    const struct kernel *k;
    const struct kernel_stmt *s;
    struct aff aff;
    int split;     /* first dimension of the unit */
    long unit;     /* cells of a unit */
    int lanes;     /* per block, at most */
    int root, selects;
    struct { struct vec *a; int n, cap; } vec;
    struct { struct vec_item *a; int n, cap; } item;
    struct { struct value *a; int n, cap; } value;
    struct { struct aff_term *a; int n, cap; } term;
    struct { struct ins *a; int n, cap; } ins;
    struct { struct test *a; int n, cap; } test;
    double work;   /* lane operations per cell, about */
};

/* Compiles statement number i of a checked kernel. */
enum calque_status program_init(struct program *p, const struct kernel *k, int i, struct diag *d);
void program_free(struct program *p);

/* kernel_run with at most `lanes` cells in a block (a multiple of LANE_STEP; 0: as it likes). */
enum calque_status kernel_run_lanes(const struct kernel *k, void *const *data, int threads, int lanes, struct diag *d);

#endif
