/* Writing kernel text: affine index expressions that simplify themselves, loads, guards, reductions. */
#ifndef CALQUE_TENSOR_GEN_H
#define CALQUE_TENSOR_GEN_H

#include "tensor/op_internal.h"
#include "graph/graph.h"
#include "tensor/tensor.h"

enum { IX_TERMS = 12, IX_ATOM = 160, IX_TEXT = 640 };

/* k + sum of coef * atom; an atom is a variable or a quotient or remainder, within lo..hi. */
struct ix_term {
    char atom[IX_ATOM];
    bool compound; /* not a plain variable */
    long coef, lo, hi;
};
struct ixs {
    struct ix_term term[IX_TERMS];
    int n;
    long k;
};

/* A variable over 0..extent-1. */
struct ixs ix_var(const char *name, long extent);
/* The same, but the constant 0 when it has one value: for variables of reductions, which are then not bound. */
struct ixs ix_bound(const char *name, long extent);
struct ixs ix_const(long k);
struct ixs ix_add(const struct ixs *a, const struct ixs *b);
struct ixs ix_plus(const struct ixs *a, long k);
struct ixs ix_mul(const struct ixs *a, long m);
/* Floor quotient and remainder by d > 0. */
struct ixs ix_div(const struct ixs *a, long d);
struct ixs ix_mod(const struct ixs *a, long d);
void ix_range(const struct ixs *a, long *lo, long *hi);
/* Row-major position of n indices over dims. */
struct ixs ix_row_major(const struct ixs *at, const long *dim, int n);

/* A kernel being written: of one node, whose inputs are typed. */
struct gen {
    const struct graph *g;
    int node, nin;
    struct text *t;
    struct diag *d;
    int dtype;        /* the type the kernel computes on; inputs and outputs are stored in their own */
    int stored;       /* that of output 0 */
    struct shape out; /* of output 0 */
    struct ixs var[RANK_MAX]; /* of the output being stored */
};

/* One for each operator: appends its statements. The result is not empty; inputs may be. */
#define OP(name, least, most, traits, words) enum calque_status gen_##name(struct gen *x);
#include "tensor/ops.def"

enum calque_status gen_bad(struct gen *x, const char *format, ...) CALQUE_PRINTF(2, 3);
const struct shape *gen_in(const struct gen *x, int k); /* shape of input k */
bool gen_has(const struct gen *x, int k);

/* Inputs and outputs of another type than the kernel's are written with it: "X1<2:i64>[i]". */
/* "Y0<2,3>[i,j] = ", and sets x->var; names: one for each dimension, NULL: i, j, k, ... */
void gen_store(struct gen *x, char tensor, int number, const struct shape *s, const char *const *names);
void gen_end(struct gen *x); /* ";\n" */
/* "X0<2,3>" */
void gen_tensor(struct gen *x, char tensor, int number, const struct shape *s);
/* "X0<2,3>[i,j]"; "X0<1>" for a scalar. */
void gen_load(struct gen *x, char tensor, int number, const struct shape *s, const struct ixs *at);
/* Load of input k at the output's variables, broadcast from the right. */
void gen_spread(struct gen *x, int k);
void gen_ix(struct gen *x, const struct ixs *at);
/* A literal of the kernel's element type; those of f32 kernels are rounded to f32. */
void gen_num(struct gen *x, double v);
void gen_int(struct gen *x, long v);
/* "sum(c<3,u<2) " without variables of extent 1, nothing if none is left (REDUCE_ONE: its body is the only term) or if some
   extent is 0 (REDUCE_NONE: there is no term). */
enum gen_reduction { REDUCE_NONE, REDUCE_ONE, REDUCE_MANY };
enum gen_reduction gen_reduce(struct gen *x, const char *op, const char *const *names, const long *extent, int n);
/* "select(<indices in range>, " over n indices into dims: what can be outside only. */
enum gen_guard { GUARD_NONE, GUARD_SOME, GUARD_NEVER };
enum gen_guard gen_guard(struct gen *x, const struct ixs *at, const long *dim, int n);

/* Names of spatial variables (z, y, x) and of window variables (u, v, w). */
const char *const *gen_spatial(int n);
const char *const *gen_window(int n);
/* Names for the reduction variables of generic kernels: a, b, c, ... */
extern const char *const gen_reduced[RANK_MAX];

/* The pseudo-random inputs of `calque run --random` and of test vectors: they depend on the seed only. */

enum { RANDOM_BELOW = 4 };

/* Fills t by splitmix64, one draw an element: floats uniform in [-1, 1), integers in 0..3, booleans. *seed moves on, so that the next
   tensor goes on where this one ended. CALQUE_BAD for other element types than f32, f64, i32, i64, i8, u8 and bool. */
enum calque_status tensor_random(struct tensor *t, unsigned long *seed, struct diag *d);
/* The same for input k of the graph, of whose type t is: where its elements are indices of a look-up, below the dimension that they index. */
enum calque_status graph_random(const struct graph *g, int k, struct tensor *t, unsigned long *seed, struct diag *d);

#endif
