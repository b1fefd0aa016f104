/* Polynomials with integer coefficients over size variables, in normal form and hash-consed: equal polynomials have equal
   ids (Coq: the sizes of dpia/Syntax.v, sums added). Variables count from 0. */
#ifndef CALQUE_DPIA_POLY_H
#define CALQUE_DPIA_POLY_H

#include "base/mem.h"
#include "base/status.h"

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

#endif
