/* Linear forms over index variables with polynomials of sizes as constants, to show that an index stays in its array
   (Coq: dpia/Range.v): intervals, and comparisons known to hold. */
#ifndef CALQUE_DPIA_RANGE_H
#define CALQUE_DPIA_RANGE_H

#include "dpia/exp.h"

enum { RANGE_TERMS = 16 };

/* An index variable, or the quotient or remainder of form `arg` by k. lo, hi: polynomials, -1 when not known. */
struct range_atom {
    int kind; /* enum ix_kind: VAR DIV MOD */
    int var, arg;
    long k;
    int lo, hi;
};

struct range_form {
    int c; /* polynomial */
    int n;
    int atom[RANGE_TERMS];
    long k[RANGE_TERMS];
};

struct range {
    struct prog *p;
    struct { struct range_atom *a; int n, cap; } atom;
    struct { struct range_form *a; int n, cap; } form;
    struct ints fact; /* forms that are >= 0 here */
};

void range_init(struct range *r, struct prog *p);
void range_free(struct range *r);

/* Forms, or -1 after a failure (p->status), or beyond RANGE_TERMS (no failure: nothing is known of it). */
int range_size(struct range *r, long n);
int range_const(struct range *r, long k);
int range_var(struct range *r, int var);
int range_add(struct range *r, int a, int b, long k); /* a + k * b */
int range_div(struct range *r, int a, long k);
int range_mod(struct range *r, int a, long k);
bool range_is_const(const struct range *r, int a, long *k);

/* Is the form >= 0 for all values of the variables for which the facts hold? */
bool range_nonnegative(struct range *r, int a);
/* Facts from now on; range_forget(r, mark) takes them back. */
int range_mark(const struct range *r);
void range_assume(struct range *r, int form);
void range_forget(struct range *r, int mark);

#endif
