/* Inside lowering: the state shared by rows (lower.c) and tiles (lower_loops.c). */
#ifndef CALQUE_DPIA_LOWER_INTERNAL_H
#define CALQUE_DPIA_LOWER_INTERNAL_H

#include "dpia/exp.h"

enum {
    PAR_ENOUGH = 32,  /* outer iterations wanted for the parallel loops */
    ROW_RED_MAX = 4,  /* reductions of one statement as rows */
    HOIST_MAX = 4,    /* values bound before a loop */
    LOWER_DEPTH_MAX = 1000
};

struct lower {
    const struct kernel *k;
    struct prog *p;
    unsigned strategy;
    const struct kernel_stmt *st;
    bool fused;                /* has it a sum with products that are not rounded? */
    const unsigned char *loop; /* the statement's, when its variables are in another order than the output's; else NULL */
    int *param;                /* tensor -> parameter or -1 */
    int *ix;                   /* variable of the statement -> index expression of p */
    int red[ROW_RED_MAX], rowvar[ROW_RED_MAX], nred; /* reductions made rows: ex id, variable of p */
    int tile[KERNEL_RANK_MAX]; /* index variables (as index expressions) of the row's dimensions */
    int ntile, rowtype;
    struct { int number, inside; long part; } cut[KERNEL_RANK_MAX]; /* variable cut into parts: index expressions of the part's
                                                                      number and inside of it; part 0: it is not */
    struct { int ex, value, var; } hoist[HOIST_MAX]; /* calls bound before the last loop: ex id, expression and variable of p */
    int nhoist;
    int depth;
    bool deep;                 /* the nesting limit was hit */
    bool stuck;                /* an exact product under a guard would have to be stored */
    bool nomem;
};

/* The loops of a statement: its dimensions, the last ones merged into one. */
struct space {
    long dim[KERNEL_RANK_MAX];
    int rank;
    int merged; /* first dimension of the statement in the last loop; the statement's rank - 1 when nothing is merged */
};

/* A tile of u cells of loop j times vp cells of loop v: one accumulator for each, kept in registers while the reductions
   run, those of v side by side in vectors. */
struct tiling {
    int v, j;
    long vp, u;
};

/* Does the index expression depend on the variable? */
bool lower_ix_uses(const struct kernel *k, int id, int var);
/* Binds output variable i to a new index variable of the extent; its number in p. */
int lower_bind(struct lower *w, int i, long extent, int name);
/* The statement's last variables from the merged loop's index: quotients and remainders by the row-major strides. */
void lower_unmerge(struct lower *w, const long *dim, int rank, int merged);
/* let r1 = folds of generate .. in generate q (fun q -> e[r1[q]]) over the variables of the tile. */
int lower_row(struct lower *w, const int *tileivar);

/* Does the expression load the tensor? */
bool lower_loads(const struct kernel *k, int id, int tensor, int depth);

/* The expression's value; -1 where p has a status, or w->deep is set. */
int lower_ex(struct lower *w, int id);

/* lower_loops.c. Lowers what is to be bound before the last loop. */
void lower_find_hoists(struct lower *w, const struct space *s, int rank);
/* The variable the call's value is bound to; -1: none. */
int lower_hoisted(const struct lower *w, int ex);
/* let the values in e, which is the last loop. */
int lower_bind_hoists(const struct lower *w, int e);

/* Is the statement to be lowered with its loops in another order? */
bool lower_ordered(const struct kernel *k, int stmt);
/* The statement alone, its variables in the order of its loops and its output's dimensions too; from as kernel_part gives
   it. q is to be freed in every case. false: memory is out. */
bool lower_reorder(const struct kernel *k, int stmt, struct kernel *q, struct ints *from);
/* An array with the dimensions of t in the order of the loops -> in t's order. */
int lower_transpose(struct prog *p, int e, const struct kernel_tensor *t, const unsigned char *loop);

/* The best tile of the statement whose reductions are in w->red, and its score; 0: there is none that pays. rank: of the
   statement. */
double lower_find_tiling(const struct lower *w, const struct space *s, int rank, struct tiling *t);
/* Blocks for a statement without reductions whose load goes on along another loop than its store; false: there is none. */
bool lower_find_blocks(const struct lower *w, const struct space *s, int rank, struct tiling *t);
/* The statement as tiles. */
int lower_tiled(struct lower *w, const struct space *s, const struct tiling *t, const long *dim, int rank);

#endif
