/* Inside the comparison of two models: terms, and the state of a comparison. */
#ifndef CALQUE_REWRITE_EQUIV_INTERNAL_H
#define CALQUE_REWRITE_EQUIV_INTERNAL_H

#include "rewrite/equiv.h"

/* ---- terms (terms.c) ---- */

struct terms {
    struct graph g;                                   /* each term a node; inputs are those of the first model */
    struct { int *a; int n, cap; } parent;            /* by node: one of its class with a smaller number, or itself */
    struct { unsigned long *a; int n, cap; } content; /* by node: a hash of a constant's bytes */
    int *slot;                                        /* hash table of nodes: 1 + the node, 0: free */
    int slots;                                        /* a power of two */
    int used;
};

void terms_init(struct terms *t, struct mem *mem, struct strs *strs, struct values *values);
void terms_free(struct terms *t);
/* The terms of x's nodes in map (room for them); input[k] is the term of x's input k. CALQUE_NOMEM. */
enum calque_status terms_add(struct terms *t, const struct graph *x, const int *input, int *map, struct diag *d);
/* The first term of the class. */
int terms_class(const struct terms *t, int term);
/* Two terms known equal; false: they have not the same type, and stay apart. */
bool terms_join(struct terms *t, int a, int b);
/* Joins terms of the same operator, attributes and classes of inputs, in any order where it is commutative, until there are no
   more. */
enum calque_status terms_close(struct terms *t, struct diag *d);
/* Have a and b, over the terms that both are computed from, kernels with the same cells? What is not seen is false. */
enum calque_status terms_same_cells(struct terms *t, int a, int b, bool *same, struct diag *d);

/* ---- a comparison ---- */

struct side {
    const struct graph *g;
    const int *input; /* by input of g: its term; NULL: they are made */
    int *map;         /* by node of g: its term */
    int *output;      /* by output of the first model: its term */
    const int *from;  /* by output of the first model: that of g */
};

struct state {
    const struct equiv_options *o;
    struct equiv *r;
    struct terms t;
    struct side side[2];
    int *input[2];         /* terms of the inputs of both */
    unsigned long *hash;   /* by term: of its bits on the inputs run so far; 0: it has none */
    struct diag *d;
};

void equiv_tell(const struct state *s, const char *stage);
/* Are the terms of output k, of all outputs, known equal? */
bool equiv_output(const struct state *s, int k);
bool equiv_all(const struct state *s);
/* Both, by proved rules, exact ones or all, of one set after the other, then of all sets by one rule, then without those that
   the other model would still be rewritten by: until the outputs are equal. (equiv_rules.c) */
enum calque_status equiv_rewrite(struct state *s, bool exact);

#endif
