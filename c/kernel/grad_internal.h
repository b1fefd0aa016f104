/* Inside the gradient: the scratch kernel b holds the forward statements in single assignment form, then the adjoints; one
   statement at a time is under construction, its variables are the last ones of b. Ids are -1 after a failure, which
   grad.status holds; every function passes -1 on. */
#ifndef CALQUE_KERNEL_GRAD_INTERNAL_H
#define CALQUE_KERNEL_GRAD_INTERNAL_H

#include "kernel/affine.h"
#include "kernel/grad.h"
#include "kernel/parse.h"

/* What is known of a tensor of b: a version of a tensor of the source. */
struct grad_tensor {
    bool active;  /* depends on a tensor of wrt */
    bool fixed;   /* a count of ties: has no derivative */
    int seed;     /* the given adjoint, of the last version of an output, or -1 */
    int adjoint;  /* or -1: zero */
    int ties;     /* of an amax split off: at how many places it is attained; else -1 */
};

struct grad {
    struct mem *mem;
    const struct kernel *k;
    const struct grad_options *o;
    struct kernel b;
    struct { struct grad_tensor *a; int n, cap; } t; /* by tensor of b */
    int base;    /* of the statement under construction: its first variable */
    int forward; /* number of forward statements */
    int *load;   /* tensor that they store or load -> the first pair of link, or -1 */
    int loads;   /* number of those tensors */
    struct ints taken; /* by string id: 1 for the names of tensors of k and b; those beyond its end are none */
    struct ints link; /* pairs: a statement that loads it, ascending; the next pair's place, or -1 */
    int line, col;
    struct diag *d;
    enum calque_status status;
};

/* ---- grad_split.c ---- */
/* A copy of src (k initialised here, kernel_free by the caller in any case) whose statements are of bounded size, as far as
   calls go; the tensors of src keep their numbers. */
enum calque_status grad_cut(const struct kernel *src, struct kernel *k, struct diag *d);

/* ---- grad_build.c ---- */
int grad_nomem(struct grad *g);
int grad_refuse(struct grad *g, enum calque_status st, const char *text);
/* Tensors get a name of their own: the text, or the text with a number. */
int grad_tensor(struct grad *g, const char *name, int role, int rank, const long *dim);
/* The name (a string id) is that of a tensor. */
bool grad_take(struct grad *g, int name);
/* A version of tensor t of the source; under its own name when no other one is used. */
int grad_version(struct grad *g, int t, int role, bool own_name);
void grad_begin(struct grad *g);
/* A variable of the statement under construction: its number. */
int grad_var(struct grad *g, int name, long extent);
/* Ends the statement under construction: out = body. Its number. */
int grad_end(struct grad *g, int out, int body);
int grad_ix(struct grad *g, int kind, int a, int b, long k);
int grad_ix_var(struct grad *g, int v);
int grad_const(struct grad *g, double x);
bool grad_is_const(const struct grad *g, int id, double x);
/* x op y, simplified: 0+x, x-0, 0*x, 1*x, 0/x, x/1, constants of negations. */
int grad_call(struct grad *g, int fn, int a, int b);
int grad_load(struct grad *g, int tensor, const int *ix, int n);
int grad_select(struct grad *g, const struct cond *c, int n, int a, int b);
int grad_reduce(struct grad *g, int op, const int *var, int n, int body);

/* Copies an expression of src into the statement under construction. Variables of reductions become new ones. */
struct grad_copy {
    struct grad *g;
    const struct kernel *src;
    const struct kernel_stmt *s; /* whose variables the expression has */
    const int *tensor;           /* map, or NULL: the same */
    int *ix;                     /* by variable of s: its index expression here */
    struct aff *aff;             /* not NULL: of the statement under construction; indices are brought to normal form */
    struct ints *scope;          /* not NULL: names around the place; a new variable's name is none of them */
    const struct split *split;   /* not NULL: reductions split off become loads */
    int cursor;
};
int grad_copy_ix(struct grad_copy *c, int id);
int grad_copy_ex(struct grad_copy *c, int id);
/* The conditions of a select that are not always true: their number. */
int grad_copy_conds(struct grad_copy *c, const struct ex *e, struct cond *to);
/* An index expression of the normal form. */
int grad_form_ix(struct grad *g, struct aff *t, int form);
/* Is the comparison true wherever the variables run? false also when aff is NULL or fails. */
bool grad_holds(struct aff *t, struct cond c);
bool grad_loads(const struct kernel *k, int id, int tensor);

/* ---- grad_split.c ---- */
struct split_entry {
    int ex, next;           /* the reduction; the entry after those inside it */
    int var[KERNEL_RANK_MAX], n; /* the variables it depends on */
    int guard, nguard;      /* in split.guard */
    int tensor;
};
struct split_guard {
    int select;
    bool other; /* its second branch */
};
struct split {
    struct { struct split_entry *a; int n, cap; } entry; /* in order of a walk */
    struct { struct split_guard *a; int n, cap; } guard;
};
/* Appends the statement s of k to b, reductions inside products, quotients and functions before it as statements of their
   own. cur: the version of each tensor of k; own_name: as grad_version. The version stored, after all that it loads. */
int grad_forward(struct grad *g, const struct kernel_stmt *s, const int *cur, bool own_name);

/* ---- grad_sweep.c, grad_gather.c ---- */
struct grad_guard {
    struct cond c;
    int more;   /* conditions of the same select after this one */
    bool other; /* the place is in the second branch: the weight is 0 where all of them hold */
};
/* One occurrence of the tensor: dX[ix] += weight for all values of the box where the guards let it. */
struct grad_term {
    struct { struct grad_guard *a; int n, cap; } guard;
    struct ints box; /* variables of the statement under construction */
    int ix[KERNEL_RANK_MAX], n;
    int weight;
};
/* dX += what statement number s of b contributes; *sum is the sum so far (-1: none). */
bool grad_sweep(struct grad *g, int s, int tensor, int rank, int *sum);
/* The term in gather form: an expression over the statement's first `rank` variables, the indices of dX. */
int grad_gather(struct grad *g, const struct grad_term *t, int rank, int out);

/* The equations of a gather: linear forms over slots, and which slots are eliminated (Coq: Calque.kernel.GatherForm). */

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
