/* Bounded search for a counterexample to a rule: small graphs that its source matches are made, and the rule is applied
   once. First half, systematically: every graph in which at most RULECHECK_CHANGES of the choices that make it (dimensions,
   attributes, optional inputs, lengths, alternatives) are not the smallest, fewer changes first, as far as the number of
   instances goes; second half, at random, sizes growing from 1. The rewritten graph must have the same types and compute
   the same outputs on small tensors, and the rule must not rewrite its own results for ever. What is compared depends on the class of the rule:
   exact: bit for bit on arbitrary floats; ring: equality on integers; real: relative error. Deterministic in the seed. */
#ifndef CALQUE_REWRITE_RULECHECK_H
#define CALQUE_REWRITE_RULECHECK_H

#include "graph/graph.h"
#include "pattern/gsl.h"

struct rulecheck_options {
    long tries;         /* instances wanted; 0: RULECHECK_TRIES */
    unsigned long seed;
    double seconds;     /* give up after; 0: RULECHECK_SECONDS */
    int slice, slices;  /* only this of so many equal parts of the search, so that processes can share it; 0, 0: all */
    /* Called now and then with the number of instances so far; false: stop. */
    bool (*progress)(void *ctx, long instances);
    void *ctx;
};

enum { RULECHECK_TRIES = 1000, RULECHECK_SECONDS = 8, RULECHECK_CHANGES = 3 };

enum rulecheck_answer {
    RULECHECK_TESTED,  /* no counterexample among the instances */
    RULECHECK_NONE,    /* no instance was made: nothing is known */
    RULECHECK_UNKNOWN, /* an operator of the rule has no meaning here: nothing can be known */
    RULECHECK_VALUE,   /* an output differs */
    RULECHECK_TYPE,    /* the target has no type, or not the source's */
    RULECHECK_LOOP     /* the rule rewrites its own result again and again */
};

/* before and after are initialised by rulecheck; rulecheck_free in any case. */
struct rulecheck {
    enum rulecheck_answer answer;
    long instances; /* graphs that the rule rewrote (or, when its target had another type, would have) */
    long limits;    /* searches, attributes and targets that exceeded a limit */
    long discarded; /* graphs made that are ill typed or that it does not match */
    long systematic; /* of the instances: found systematically */
    int changes;    /* all graphs of at most so many changes were tried (in this slice); -1: not even the smallest */
    long size;      /* of the counterexample: elements, and ten for each node */
    long skipped;   /* instances whose value is no number, not compared */
    /* Of a counterexample, the smallest one met: the graph, what the rule makes of it (RULECHECK_VALUE), the inputs (noughts
       and ones where they do), the output number that differs with both values. */
    struct graph before, after;
    struct { struct tensor *a; int n, cap; } input;
    int output;
    struct tensor want, got;
    char reason[256]; /* of a counterexample: what is wrong; of RULECHECK_NONE: what became of the graphs that were made; of
                         RULECHECK_UNKNOWN: which operator */
};

enum calque_status rulecheck(const struct rules *rs, int rule, const struct rulecheck_options *o, struct rulecheck *s,
                               struct diag *d);
void rulecheck_free(struct rulecheck *s);
/* Does a counterexample of this kind and size say more than that of s (if it has one)? One where a value differs says
   more than one where the target is refused; then the smaller one does. */
bool rulecheck_better(enum rulecheck_answer answer, long size, const struct rulecheck *s);

#endif
