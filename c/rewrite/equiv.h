/* Do two models compute the same function? Their nodes become terms over the same inputs, each once; what rewriting by proved
   rules makes of either model joins them (coq/theorems/Opt.v: opt_correct), and what is a term of both is equal
   (equal_term_outputs). Where two terms have the same bits on random inputs, their kernels over what both are computed from are
   compared cell by cell (coq/theorems/Cells.v: validated_twice).
   Invariant: terms of one class have one type and, for all inputs, one value: bit for bit until rules of other classes than
   exact have been used, in the reals afterwards. A NaN is any NaN. */
#ifndef CALQUE_REWRITE_EQUIV_H
#define CALQUE_REWRITE_EQUIV_H

#include "graph/graph.h"
#include "pattern/gsl.h"
#include "rewrite/rewrite.h"

enum equiv_verdict {
    EQUIV_EXACT,   /* every output is the same, bit for bit */
    EQUIV_REAL,    /* the same in the reals */
    EQUIV_REFUTED, /* inputs are known on which an output differs, more than rounding explains (with `exact`: in a bit) */
    EQUIV_UNKNOWN
};

struct equiv_options {
    bool exact;        /* only equality bit for bit counts */
    bool by_order;     /* inputs and outputs correspond by their order, not by their names */
    long tries;        /* random inputs on which both are run */
    unsigned long seed;
    double rtol, atol; /* what rounding explains: atol + rtol * the greatest magnitude of the output */
    int threads;       /* 0: 1 */
    const char *file[2];                            /* of the models, for messages */
    void (*progress)(void *ctx, const char *stage); /* called now and then; may be NULL */
    void *ctx;
};

enum { EQUIV_REASON = 200 };
/* Of one run, an output of both: greatest |a - b|, and by the greatest |a|. */
struct equiv_diff {
    double abs, rel;
    bool identical, outside;
};

struct equiv {
    enum equiv_verdict verdict;
    struct mem *mem;
    struct rules rules;   /* of all sets */
    long *applied[2];     /* of each, to either model, in all that was tried; other than exact ones only when these did not do */
    long folds;           /* nodes folded */
    int class;            /* the weakest class of the rules applied; -1: none was */
    long kernels;         /* pairs of terms that are equal by their cells */
    struct cover cover;   /* of both models */
    long runs;            /* on random inputs */
    struct equiv_diff worst;
    char reason[EQUIV_REASON]; /* why there is no run, or why what seems equal is not called so; empty: there is none */
    int part[2];          /* where they part: a node of either; -1: nowhere, or not known */
    /* Of EQUIV_REFUTED: the run that shows it. */
    unsigned long seed;
    int output;           /* of the first model */
    int *input_of, *output_of; /* the second model's input and output for each of the first's */
    struct tensor *in;    /* in the order of the first model's inputs */
    struct tensor *out[2]; /* in the order of the first model's outputs */
    int inputs, outputs;
};

/* a and b share mem, strs and values, and are inferred. r is initialised here, equiv_free by the caller in any case.
   CALQUE_BAD when their inputs or outputs do not correspond: the diag says which. */
enum calque_status equiv(const struct graph *a, const struct graph *b, const struct equiv_options *o, struct equiv *r,
                         struct diag *d);
void equiv_free(struct equiv *r);

#endif
