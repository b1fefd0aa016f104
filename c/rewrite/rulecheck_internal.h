/* Making instances of a source pattern: inside the bounded search. */
#ifndef CALQUE_REWRITE_RULECHECK_INTERNAL_H
#define CALQUE_REWRITE_RULECHECK_INTERNAL_H

#include "rewrite/rewrite.h"
#include "rewrite/rulecheck.h"
#include "tensor/op.h"

enum { MAKE_ABSENT = -1, MAKE_UNSET = -2, MAKE_FAILED = -3, MAKE_KIDS = 16, MAKE_INSTANCES = 4, MAKE_DEPTH = 200 };

/* A systematic making: every choice is the first one (0, or what is likely) but for those listed. */
enum { TAPE_MAX = 256, TAPE_CHANGES = RULECHECK_CHANGES };
struct tape {
    bool on;
    int n;                  /* choices made so far */
    int bound[TAPE_MAX];    /* of each: how many there were */
    int changes;
    int place[TAPE_CHANGES], value[TAPE_CHANGES]; /* ascending places; values > 0 */
};

/* One graph in the making; the addresses are the matcher's (pattern, instance). */
struct maker {
    struct graph *g;
    const struct rule *r;
    unsigned long rng;
    struct tape tape;
    int size;             /* greatest dimension, more or less */
    bool integers;        /* constants are integers */
    int *one;             /* node of a pattern without instance */
    int *many;            /* of instance k of pattern p: many[p * MAKE_INSTANCES + k] */
    int *length, *taken;  /* of variadic and Alt patterns, or -1 */
    int *op;              /* chosen for an operator pattern, or -1 */
    struct attr_env env;
    bool *positive;       /* of each node: its values should be positive; room for MAKE_NODES */
    int instance, depth;
    bool nomem;
};
enum { MAKE_NODES = 4096 };

/* A choice of what the graph is, 0..n-1; n > 0. */
long make_random(struct maker *k, long n);
bool make_chance(struct maker *k, int percent);
/* An element of a tensor, always random: 0..n-1. */
long make_draw(struct maker *k, long n);

/* The value of expression e in instance i under what is made so far: a value id, or -1. */
int make_eval(struct maker *k, int e, int i);
/* The expression of label of pattern p, or -1. */
int make_listed(const struct maker *k, int p, const char *label);
/* The listed tuple of ints of pattern p in instance i: its length, or -1 when it has none (yet). Components that match
   anything, or have no value yet, are -1. */
int make_ints(struct maker *k, int e, int i, long *out, int max);
/* The listed integer, or otherwise. */
long make_int(struct maker *k, int p, int i, const char *label, long otherwise);

/* Shapes for the inputs in[j] of rank -1, where pattern p in instance i applies op to n inputs. */
void make_shapes(struct maker *k, int op, int p, int i, struct shape *in, int n);
/* The attributes of node (inputs typed, listed attributes set) that are missing and have no default or one that is not
   always taken; *outputs: how many it has. False: no sensible value, or k->nomem. */
bool make_attrs(struct maker *k, int node, int *outputs);

/* All outputs of the source as outputs of k->g, inferred. False: discard (or k->nomem). */
bool make_graph(struct maker *k);

/* ---- the search ---- */

struct search {
    const struct rules *rs;
    int rule;
    const struct rulecheck_options *o;
    struct rulecheck *s;
    struct maker k;
    struct rewrite_stats stats;
    double end;           /* of the time allowed */
    long walked, after;   /* systematic tries so far, of all slices; tries since a value differed */
    struct diag *d;
};

#endif
