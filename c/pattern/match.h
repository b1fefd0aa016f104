/* Matching one rule's source pattern at one graph node: the judgement M |- p ~ e (GSL thesis, figure
   pat_match, with the state made explicit). Complete: a commutative operator is tried as written, then
   swapped, and every choice is revised (M undone) when something later fails. Deterministic. */
#ifndef CALQUE_PATTERN_MATCH_H
#define CALQUE_PATTERN_MATCH_H

#include "pattern/gsl.h"
#include "pattern/uses.h"

/* ORDER match_rule */
enum match_rule {
#define MATCH_RULE(name, text, meaning) MATCH_##name,
#include "pattern/match.def"
    MATCH_RULES
};

enum { PATTERN_UNBOUND = -1, PATTERN_ABSENT = -2, MATCH_STEPS_MAX = 100000 };

/* Why there is no match: the judgement that failed furthest on. */
struct match_fail {
    int rule;      /* enum match_rule */
    int pattern;   /* pattern number, or -1 for a require condition */
    int line, col; /* of the pattern or condition in the rule file */
    int node;      /* graph node it was compared with, or -1 */
    char want[160], got[160];
};

struct match_goal {
    int pattern, node;
};

struct match_choice {
    int at, goals, trail;
};

/* M, and the workspace of the search. After CALQUE_OK of match_at, node[p] is M(p) for each pattern p of the
   rule, and env holds the attributes the rule reads. */
struct matcher {
    const struct rules *rules;
    const struct graph *g;
    const struct uses *uses;
    bool explain;         /* fill the texts of fail */
    struct match_fail fail;
    int rule, root;
    int *node;            /* pattern number -> graph node, PATTERN_UNBOUND, PATTERN_ABSENT */
    struct attr_env env;
    int *trail;           /* bound patterns in order */
    struct match_goal *goal;
    struct match_choice *choice;
    int at, goals, trails, choices, progress;
    long steps;
    enum calque_status status; /* of resources */
};

enum calque_status matcher_init(struct matcher *m, const struct rules *rules, const struct graph *g,
                                const struct uses *uses, struct diag *d);
void matcher_free(struct matcher *m);
/* Is node of the operator (or kind) the rule's root asks for? */
bool match_candidate(const struct matcher *m, int rule, int node);
/* CALQUE_OK: a match; CALQUE_NO: none, m->fail says why; CALQUE_NOMEM. */
enum calque_status match_at(struct matcher *m, int rule, int node, struct diag *d);
const char *match_rule_text(int rule);

struct match_site {
    int rule, node;
};
struct match_sites {
    struct match_site *a;
    int n, cap;
};
/* All matches of all rules in g: rules in their order, nodes in topological order. The caller frees sites->a.
 */
enum calque_status match_all(const struct rules *rules, const struct graph *g, struct match_sites *sites,
                             struct diag *d);

/* The value of attribute `label` of pattern p under M, in *out: value id, or -1: it has none. */
enum calque_status match_label(const struct matcher *m, int p, const char *label, int *out);
/* A constant's value as an attribute: a number for one element, a tuple for a vector; -1: it has none. */
enum calque_status match_const_value(const struct graph *g, int node, int *out);
/* After ATTR_FULL: CALQUE_NOMEM when memory is out, CALQUE_LIMIT when a limit was exceeded. */
enum calque_status match_full(struct mem *mem);

#endif
