/* The equations of a gather: linear forms over slots, and which slots are eliminated (Coq: Calque.kernel.GatherForm). */
#ifndef CALQUE_KERNEL_GRAD_SOLVE_H
#define CALQUE_KERNEL_GRAD_SOLVE_H

#include "kernel/grad_internal.h"

enum { SLOTS = 40, EQUATIONS = 40, GUARDS = 3 * SLOTS + EQUATIONS, FAR = 1 << 30 };

/* k + sum of c[i] * slot i */
struct lin {
    long c[SLOTS], k;
};

struct slot {
    int var; /* of the statement */
    long extent;
    bool box;    /* summed over, not yet eliminated */
    bool gone;   /* eliminated: (lin) / m */
    struct lin lin;
    long m;
};

struct digit {
    struct lin f;
    long m;
    struct lin q, r;
};

struct gather {
    struct grad *g;
    const struct grad_term *t;
    int rank;
    struct kernel_stmt s; /* the statement under construction as it is now */
    struct aff aff;
    struct slot slot[SLOTS];
    struct lin eq[EQUATIONS];
    struct digit digit[EQUATIONS];
    int form[KERNEL_RANK_MAX];    /* of the indices */
    int gone[SLOTS];              /* the slots eliminated, in order */
    int slots, eqs, digits, ngone;
    bool overflow; /* too much for the tables: no elimination */
};

/* The values of a form when the variables run through their extents. */
struct span gather_span(const struct gather *p, const struct lin *a);
/* Sets up the equations index = a and eliminates; what is gone and the equations left are in lowest terms. Sets
   p->overflow, or g->status. */
void gather_solve(struct gather *p);

#endif
