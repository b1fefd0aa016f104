/* Index arithmetic in normal form, k + sum c * atom. */
#ifndef CALQUE_BASE_LINEAR_H
#define CALQUE_BASE_LINEAR_H

#include "base/mem.h"
#include "base/status.h"

enum atom_kind { ATOM_VAR, ATOM_DIV, ATOM_MOD };
struct atom {
    int kind;
    int var;     /* VAR: the loop variable's level */
    int lin;     /* DIV, MOD: of this form, by k > 0 */
    long k;
    long lo, hi; /* range of its values */
};

struct term {
    int atom;
    long c; /* not 0 */
};

struct lin {
    int first, n; /* terms by increasing atom */
    long k;
    long lo, hi;
};

struct lins {
    struct mem *mem;
    enum calque_status status; /* NOMEM, or LIMIT: a number left the range of long */
    struct { struct atom *a; int n, cap; } atom;
    struct { struct term *a; int n, cap; } term;
    struct { struct lin *a; int n, cap; } lin;
};

void lins_init(struct lins *l, struct mem *mem);
void lins_free(struct lins *l);

/* Each gives a form's id, or -1 after a failure (also for a child -1). */
int lin_const(struct lins *l, long k);
int lin_var(struct lins *l, int var, long lo, long hi);
int lin_add(struct lins *l, int a, int b);
int lin_sub(struct lins *l, int a, int b);
int lin_scale(struct lins *l, int a, long k);
int lin_div(struct lins *l, int a, long k); /* floor, k > 0 */
int lin_mod(struct lins *l, int a, long k); /* a - k * floor(a / k) */

bool lin_equal(const struct lins *l, int a, int b);
/* Coefficient of the variable in the form. */
long lin_coef(const struct lins *l, int a, int var);
/* Does the variable occur in it, also under a division? */
bool lin_uses(const struct lins *l, int a, int var);

#endif
