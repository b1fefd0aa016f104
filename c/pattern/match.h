/* Matching one rule's source at one graph node: the judgement M |- p ~ e and what a whole match must satisfy
   (coq/pattern/Pattern.v, Match.v). M sends addresses (a pattern, and in a template an instance) to nodes.

   The order of the search, and so which of several maps is found, is that of the Coq definition: depth first, left
   to right; a commutative operator as written, then swapped; alternatives in their order; a further output at each
   node in the order of the graph. Every choice is revised when anything later fails. (GSL, shared/spec 4B.18, asks
   an Alt to commit to the first alternative that matches; this accepts more.) A constraint that reads no other
   pattern is checked as soon as its node is bound, which only leaves out maps that must fail. */
#ifndef CALQUE_PATTERN_MATCH_H
#define CALQUE_PATTERN_MATCH_H

#include "attr/memo.h"
#include "pattern/gsl.h"
#include "graph/use_list.h"
#include "pattern/visited.h"

/* ORDER match_rule */
enum match_rule {
#define MATCH_RULE(name, text, meaning) MATCH_##name,
#include "pattern/match.def"
    MATCH_RULES
};

/* Nodes of M. MATCH_STEPS_MAX: goals tried for each output before the search is given up. */
enum { PATTERN_UNBOUND = -1, PATTERN_ABSENT = -2, MATCH_STEPS_MAX = 100000 };

/* Why there is no match: the judgement that failed furthest on. */
struct match_fail {
    int rule;      /* enum match_rule */
    int pattern;   /* pattern number, or -1 for a require condition */
    int line, col; /* of the pattern or condition in the rule file */
    int node;      /* graph node it was compared with, or -1 */
    char want[160], got[160];
};

/* A map from addresses: one[p] without an instance, many[p].a[k] in instance k. */
struct addresses {
    struct mem *mem;
    int n;
    int *one;
    struct ints *many;
};
bool addresses_init(struct addresses *a, struct mem *mem, int patterns);
void addresses_free(struct addresses *a);
/* PATTERN_UNBOUND where nothing was put. instance -1: none. */
int addresses_get(const struct addresses *a, int pattern, int instance);
bool addresses_put(struct addresses *a, int pattern, int instance, int node);

enum entry_kind { ENTRY_NODE, ENTRY_LENGTH, ENTRY_TAKEN };

/* One thing that M says, in the order it was said: a pattern stands for a node, a variadic pattern has a length, an
   Alt was matched by an alternative. */
struct match_entry {
    int kind, pattern, instance;
    int node; /* or the length, the alternative */
    int old;  /* the entry before it for the same node, or -1; the former length or alternative */
};

/* What is left to match: a list in an arena. node MATCH_ANY: output number `instance` of the source. */
struct match_goal {
    int instance, pattern, node;
    int next;
};

/* The next way to solve a goal, and how far everything had come. */
struct match_choice {
    int goal, way;
    int entries, goals, outs, found;
    int values, pool;
};

/* Of each graph node. */
struct match_place {
    int entry; /* the last entry of M for it, or -1 */
    int outs;  /* how often it is an output */
};

/* What an expression reads: slots read[first .. first+n-1]. */
struct match_expr {
    int first, n;
    bool open; /* reads another pattern, or which alternative was taken */
};

/* What is known of a rule before any graph. */
struct match_plan {
    struct match_expr *expr; /* by expression; filled for those of patterns and conditions */
    struct ints read;
    bool *source; /* of each pattern: a match may bind it */
    int symbols;
    bool indexed; /* a constraint of the source depends on the number of the instance, or on alternatives */
    bool memo;    /* building its target may remember what expressions have in common */
    bool chooses; /* a constraint of the source reads which alternative was taken */
    bool fixed;   /* pos, up: a plan of simple_match.h */
    struct ints pos, up;
};

/* M, and the workspace of the search. After CALQUE_OK of match_at it is the match: match_node, outs, and the
   attributes the rule reads through match_eval. */
struct matcher {
    const struct rules *rules;
    const struct graph *g;
    const struct uses *uses;
    const bool *used;     /* of each node: it may not be an output; NULL: all may */
    bool explain;         /* fill the texts of fail */
    bool brief;           /* fail.rule need only be right for conditions of the whole match and for limits */
    struct match_fail fail;
    int rule, root;
    struct ints outs;     /* the nodes of the outputs */
    struct addresses to;  /* M */
    int *length, *taken;  /* of a variadic pattern, of an Alt; -1: nothing known */
    struct { struct match_entry *a; int n, cap; } entry;

    struct match_plan *plan; /* of each rule */
    struct attr_env env;
    struct { struct match_goal *a; int n, cap; } goal;
    struct { struct match_choice *a; int n, cap; } choice;
    struct { struct match_place *a; int n, cap; } place;
    struct { struct match_key *a; int n, cap; } found; /* candidates for outputs */
    struct walker walk;
    struct ints level;
    int *way; /* scratch of the search for candidates: twice the patterns */
    int *commutes; /* of each operator: may its two inputs be swapped? */
    long *at;          /* the map of simple_match.h, by pattern */
    unsigned char *swap; /* and its orders */
    int next;   /* goal to be solved, or -1 */
    long progress, steps, budget;
    int label[7]; /* string ids: enum match_label_id */
    enum calque_status status; /* of resources */
};

enum calque_status matcher_init(struct matcher *m, const struct rules *rules, const struct graph *g,
                                const struct uses *uses, struct diag *d);
void matcher_free(struct matcher *m);
/* Is node of the operator (or kind) the rule's first output asks for? */
bool match_candidate(const struct matcher *m, int rule, int node);
/* CALQUE_OK: a match whose first output is node; CALQUE_NO: none, m->fail says why; CALQUE_NOMEM. The matcher
   follows the graph as it grows; uses must be in step. */
enum calque_status match_at(struct matcher *m, int rule, int node, struct diag *d);
const char *match_rule_text(int rule);

/* What pattern p stands for in instance k (-1: none): a node, PATTERN_ABSENT, PATTERN_UNBOUND. A first pattern is
   found in instance 0 of its template. */
int match_node(const struct matcher *m, int p, int k);
/* Does pattern p stand for an application, which the rewrite replaces? */
bool match_application(const struct rule *r, int p);
/* The value of an expression of a pattern or condition of the rule in instance k. memo: NULL, or started for this match
   and a rule whose plan allows it. */
enum attr_result match_eval(struct matcher *m, int expr, int k, struct attr_memo *memo, int *out);
/* The operator of an application of operator pattern p, or -1. */
int match_op(const struct matcher *m, int p);
/* The entries of M by kind, pattern, instance, in an array to be freed; NULL when memory is out. */
struct match_entry *match_sorted(const struct matcher *m);
/* "(match RULE (ROOT ..) (P NODE) ..)", as calque-oracle prints it. */
void match_print(struct text *t, const struct matcher *m);

/* All matches of all rules in g (rule >= 0: of that one): rules in their order, nodes in topological order; what is
   an output of one match is an output of no later one of that rule. `see` is called for each while m holds it.
   *given_up (may be NULL) counts the searches that exceeded a limit. */
typedef enum calque_status match_see(void *ctx, const struct matcher *m, struct diag *d);
enum calque_status match_all(const struct rules *rules, const struct graph *g, int rule, match_see *see, void *ctx,
                             long *given_up, struct diag *d);

/* After ATTR_FULL: CALQUE_NOMEM when memory is out, CALQUE_LIMIT when a limit was exceeded. */
enum calque_status match_full(struct mem *mem);

#endif
