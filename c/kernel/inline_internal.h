/* Inside inlining: who stores and loads which tensor (inline_uses.c), and what speaks against inlining one. */
#ifndef CALQUE_KERNEL_INLINE_INTERNAL_H
#define CALQUE_KERNEL_INLINE_INTERNAL_H

#include "kernel/inline.h"

enum { INLINE_WALK_MAX = 1 << 26 };

struct inline_link {
    int stmt, next;
};

/* The statements of a kernel by tensor. Statements keep their numbers while they are inlined away: `gone` says which are,
   inline_close takes them out. A gone statement stored a temporary that nothing else stores. */
struct inline_index {
    struct kernel *k;
    bool *gone;         /* by statement */
    int *store, *nstore; /* by tensor: where its statements begin in `stores`, ascending, and how many they are */
    struct ints stores;
    int *load;          /* by tensor: the first link to a statement that may load it, or -1; all that do are linked */
    struct { struct inline_link *a; int n, cap; } link;
    int *mark, marks;   /* by tensor: the last walk that met it */
    struct ints at;     /* of one tensor: the statements that store or load it, ascending */
    struct { struct kernel_stmt *a; int n, cap; } saved; /* consumers as they were */
    long walked;        /* expressions walked for loads: at most INLINE_WALK_MAX */
};

/* Where t is stored and loaded. */
struct inline_uses {
    int store, last; /* statements: the one that stores t, the last one that loads it */
    int loads;       /* in all statements */
    int consumers;   /* statements that load it */
    bool reduction;  /* t's definition has one */
    bool beside;     /* a consumer has a reduction or a condition */
    bool inside;     /* a load is inside a reduction */
    bool plain;      /* the one load, outside reductions, is at the consumer's variables in order */
    bool in_place;   /* all loads are, over the same extents */
    const char *moved; /* why the loads are not all at one permutation of the one consumer's variables; NULL: they are */
    int perm[KERNEL_RANK_MAX]; /* then: index i of t is output variable perm[i] */
};

/* false: memory is out; inline_close in any case. */
bool inline_open(struct inline_index *x, struct kernel *k);
void inline_close(struct inline_index *x);
/* I1, I2 and I3: what fails of them, or NULL and *u is what is known of t. *nomem: memory is out. */
const char *inline_find(struct inline_index *x, int t, struct inline_uses *u, bool *nomem);
/* Is statement i the first one that stores its tensor? */
bool inline_first(const struct inline_index *x, int i);
/* What the policy says against t although it would be right, or NULL. */
const char *inline_unwanted(const struct kernel *k, const struct inline_uses *u, const struct inline_policy *o);
/* Do the consumer's loops, perhaps in another order, compute what the definition's do? */
bool inline_takes_loops(const struct inline_uses *u, const struct inline_policy *o);
/* Notes that the tensor just found is inlined: its consumers load what its definition does, which is gone. false: memory is
   out; then the definition stays. */
bool inline_note(struct inline_index *x, const struct inline_uses *u);
int inline_loads(const struct kernel *k, int id, int t);

#endif
