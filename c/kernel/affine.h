/* Normal forms of index expressions (Coq: Calque.kernel.Forms): k + sum of coefficient * atom, an atom being a variable
   or the floor quotient or remainder of a form by a positive constant. Forms and atoms are hash-consed, so equal values of the same shape have
   equal ids. Variables of extent 1 (or 0: then nothing is evaluated) are 0. One table per statement; used by the bound
   check and by the interpreter. */
#ifndef CALQUE_KERNEL_AFFINE_H
#define CALQUE_KERNEL_AFFINE_H

#include "base/arith.h"
#include "kernel/kernel.h"

struct aff_term {
    int atom;
    long c; /* not 0 */
};

struct aff_form {
    int first, n; /* terms: variables by number, then quotients, then remainders */
    long k;
    int next; /* of the same bucket */
    unsigned long hash;
};

struct span {
    long lo, hi; /* empty when lo > hi */
};

struct aff_atom {
    int kind; /* IX_VAR, IX_DIV, IX_MOD */
    int form; /* DIV, MOD */
    long k;   /* variable or divisor */
    struct span span;
};

enum { AFF_BUCKETS = 256 };

struct aff {
    struct mem *mem;
    const struct kernel *k;
    const struct kernel_stmt *s;
    struct { struct aff_atom *a; int n, cap; } atom;
    struct { struct aff_form *a; int n, cap; } form;
    struct { struct aff_term *a; int n, cap; } term;
    int bucket[AFF_BUCKETS]; /* until there are too many forms for them: */
    int *more, buckets;      /* then these, or NULL */
    enum calque_status status; /* first failure: CALQUE_NOMEM, or CALQUE_LIMIT when a coefficient is too large */
};

void aff_init(struct aff *t, struct mem *mem, const struct kernel *k, const struct kernel_stmt *s);
void aff_free(struct aff *t);
/* The form of an index expression of the statement; -1 on failure (status). */
int aff_of(struct aff *t, int ix);
int aff_const(struct aff *t, long k);
int aff_var(struct aff *t, int var);
/* The floor quotient (IX_DIV) or remainder (IX_MOD) of a form by k > 0; -1 on failure or when the form is -1. */
int aff_divide(struct aff *t, int kind, int form, long k);
/* a + c * b; -1 on failure or when a or b is -1. */
int aff_add(struct aff *t, int a, int b, long c);
/* The form without its constant, divided by the greatest common divisor g of its coefficients, first coefficient
   positive: form = *scale * result + *k. */
int aff_base(struct aff *t, int form, long *scale, long *k);
/* The form that is one atom. */
int aff_atom_form(struct aff *t, int atom);
/* The values a form takes when every variable runs through its extent. */
struct span aff_span(const struct aff *t, int form);
/* A bound of every partial sum of the form. */
long aff_reach(const struct aff *t, int form);

/* Interval arithmetic, saturating far outside KERNEL_INDEX_MAX. k > 0 for the last two. */
long gcd(long a, long b);
struct span span_add(struct span a, struct span b);
struct span span_scale(struct span a, long c);
struct span span_meet(struct span a, struct span b);
struct span span_div(struct span a, long k);
struct span span_mod(struct span a, long k);

#endif
