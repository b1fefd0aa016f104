/* Between the files of the matcher. */
#ifndef CALQUE_PATTERN_MATCH_INTERNAL_H
#define CALQUE_PATTERN_MATCH_INTERNAL_H

#include "pattern/convex.h"
#include "pattern/simple_match.h"
#include "tensor/op.h"
#include "pattern/match.h"

enum { MATCH_ANY = -3 };
enum match_label_id { LABEL_SHAPE, LABEL_DTYPE, LABEL_NDIM, LABEL_VALUE, LABEL_INDEX, LABEL_LENGTH, LABEL_PRESENT, LABELS };

enum match_phase { PHASE_STRUCTURE, PHASE_USE, PHASE_CONVEX, PHASE_REQUIRE };

static inline const struct pattern *match_pattern(const struct matcher *m, int p)
{
    return &match_rule_of(m)->pattern.a[p];
}

struct match_address {
    int pattern, instance;
};
/* The address of p in instance k. */
struct match_address match_address_of(const struct rule *r, int p, int k);
/* The field of variadic pattern p where it is the only kid of q, else -1; *v: p. */
int match_only_variadic(const struct rule *r, const struct pattern *q, int *v);
/* Can p stand for node at all? A quick test of kind and operator. */
bool match_head(const struct rule *r, const struct graph *g, int p, int node);

/* match.c: the search. Goals are put in front of what is left. */
bool match_goal_push(struct matcher *m, int instance, int pattern, int node);
/* Solves what is left, revising choices above `floor`; match_revise takes the next way of the last choice. */
bool match_run(struct matcher *m, int floor);
bool match_revise(struct matcher *m, int floor);
/* M, the outputs and the candidates are again as they were at this size. */
void match_undo(struct matcher *m, int entries, int outs);
bool match_out_push(struct matcher *m, int node);
bool match_put(struct matcher *m, struct match_entry e);
bool match_nomem(struct matcher *m);

/* matcher.c: everything the map of one or several outputs must satisfy: coq conditions_ok. */
bool match_conditions(struct matcher *m);

/* match_attr.c */
enum calque_status match_plan_rule(struct match_plan *plan, const struct rule *r, struct mem *mem);
void match_plan_free(struct match_plan *plan);
/* The constraints of entry e that read other patterns, or those that do not. */
bool match_claims(struct matcher *m, const struct match_entry *e, bool open);
/* The constraints of all entries from `from` on that were not checked at once. */
bool match_attrs_hold(struct matcher *m, int from);
bool match_requires_hold(struct matcher *m);
/* M;expr => k as an instance number; false: it has no such value. */
bool match_index(struct matcher *m, int expr, int instance, long *k);

/* match_outputs.c: where a match of a rule may start, as operators and kinds tell. A node is of the class of its operator, or of its kind;
   an absent input is of a class too. */
enum { MATCH_CLASS_ABSENT = OP_COUNT + NODE_OP, MATCH_CLASSES = OP_COUNT + NODE_TUPLE + 1 };
static inline int match_class(const struct graph *g, int node)
{
    if (node < 0)
        return MATCH_CLASS_ABSENT;
    return g->node.a[node].kind == NODE_OP ? g->node.a[node].op : OP_COUNT + g->node.a[node].kind;
}
/* Of each rule: the classes its patterns may stand for, MATCH_CLASSES of each; the patterns that its first output is of, alternatives of
   alternatives one by one; as many uses one of the inputs has (any number of outputs, which share an input). */
struct match_starts {
    struct mem *mem;
    struct { unsigned short *a; int n, cap; } class; /* of the nodes, as far as they are known */
    bool present[MATCH_CLASSES];                     /* which classes these are of */
    int rules;
    struct match_start {
        bool *of;
        int root, least;
        struct ints way;
    } *rule;
};
bool match_starts_init(struct match_starts *s, const struct rules *rules);
void match_starts_free(struct match_starts *s);
/* The classes of all nodes are known from now on, as long as class.n stays: nodes may be added, and inputs change. False: memory is out. */
bool match_starts_classify(struct match_starts *s, const struct graph *g);
/* May the rule start at any of them? */
bool match_starts_any(const struct match_starts *s, int rule);
/* Of each class: may the first output of the rule be of it? */
static inline const bool *match_starts_classes(const struct match_starts *s, int rule)
{
    return s->rule[rule].of + (size_t)s->rule[rule].root * MATCH_CLASSES;
}
/* May the first output be node, as far as its class, those of its inputs and their uses tell? Where not, match_at finds no match. */
/*@ requires turn:     turn_ready(m, rule) && 0 <= node < turn_view.nodes && \valid_read(s);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  none:     \result == 0 ==> 0 < turn_view.n ==> !matched(turn_view, turn_uses, node);
*/
bool match_starts_at(const struct match_starts *s, const struct matcher *m, int rule, int node);

/* match_outputs.c: where in m->found the candidates for pattern p in instance k begin, ascending; after them a node -1. Some may be
   used: match_lists_free. -1: m->status says why there is no list. */
int match_candidates(struct matcher *m, int p, int k);

/* match_outputs.c: lists of candidates that stay. The pattern and its operator if that is known; the bound pattern below it, with its
   node, from which it is reached (-1: none); where in m->found the list begins. */
struct match_list {
    int root, op, at, node, first;
};
/* None yet; false: memory is out. */
bool match_lists_open(struct matcher *m);
/* Before each search. */
void match_lists_start(struct matcher *m);
/* One node more is looked at; false: that is too many. */
bool match_lists_look(struct matcher *m);
/* Of a list, the first place from `way` on that is not used, or its end. */
int match_lists_free(const struct matcher *m, int way);
/* m->found is again as it was at this size, but for lists that stay. */
void match_lists_back(struct matcher *m, int found);
/* match_outputs.c */
bool match_variadic(struct matcher *m, int node);

bool match_failed(struct matcher *m, int judgement, int p, int node, const char *want, const char *got);
bool match_limit(struct matcher *m, enum calque_status status, int p, int node);
bool match_failed_attr(struct matcher *m, int judgement, const struct match_entry *e, int label, int expr, int value);
bool match_failed_function(struct matcher *m, int p, int node, int to);
bool match_failed_injective(struct matcher *m, int p, int node, int other);
bool match_failed_require(struct matcher *m, int k, int value);
/* printf into a buffer, one number. */
void match_count(char *buf, size_t n, const char *format, int k);
int match_judgement(const struct pattern *q);
const char *match_word(const struct matcher *m, int node);

/* How far a failure is: beyond every structural one of the same search. */
enum { MATCH_FAR = 1 << 30 }; /* more entries than M ever has */

/* What the searches of one rule may take together in one call: a search that is linear in what it finds is free, all others
   share a budget. A rule that has used it up is given up, and whoever called says so. */

/* MATCH_STEPS_FREE: of each output found, or of a search that found none. MATCH_STEPS_LIMIT: what a search, an attribute or a
   target counts for that exceeded a limit. MATCH_STEP_VALUES: values made by evaluation that count as one step; MATCH_STEP_FOUND: nodes looked at
   for lists of candidates, none of which is free. MATCH_STEP_REFUSED: free steps of a match that was refused. */
enum {
    MATCH_STEPS_FREE = 64,
    MATCH_STEPS_CALL = 10 * MATCH_STEPS_MAX,
    MATCH_STEPS_LIMIT = MATCH_STEPS_CALL / 8,
    MATCH_STEP_VALUES = 8,
    MATCH_STEP_FOUND = 128,
    MATCH_STEP_REFUSED = 8
};

/* Nodes that the search looked at for lists of candidates. */
long match_listed(const struct matcher *m);

/* Was the last search given up? */
/*@ requires valid:    \valid_read(m);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result != 0 <==> gave_up(m);
*/
static inline bool match_gave_up(const struct matcher *m)
{
    return m->status != CALQUE_OK || m->fail.rule == MATCH_LIMIT;
}

/* Adds the search that match_at has just done with this answer; false: the rule is to be given up. */
/*@ requires valid:    \valid(spent) && \valid_read(m);
    terminates \true;
    exits    never:    \false;
    assigns  *spent;
*/
static inline bool match_spend(long *spent, const struct matcher *m, enum calque_status answer)
{
    long most = (long)MATCH_STEPS_FREE * (answer == CALQUE_OK ? 1 + m->outs.n : 1);

    if (answer == CALQUE_NO && m->fail.rule == MATCH_LIMIT)
        *spent += MATCH_STEPS_LIMIT;
    *spent += (m->steps > most ? m->steps - most : 0) + match_listed(m) / MATCH_STEP_FOUND;
    return *spent <= MATCH_STEPS_CALL;
}

/* Adds what was free of a search whose match came to nothing: its outputs are there for the next one. */
static inline void match_spend_refused(long *spent, const struct matcher *m)
{
    long free = (long)MATCH_STEPS_FREE * m->outs.n;

    *spent += (m->steps < free ? m->steps : free) / MATCH_STEP_REFUSED;
}

/* The search at a node, but for the proved part (simple_match.c, matcher.c). */

/* M is empty; there is a place for each node of the graph, and room for walks. The rule's plan and its arrays are as matcher_init
   and the turn left them. Trusted: memory. */
/*@ requires turn:     turn_ready(m, rule) && 0 <= node < m->g->node.n;
    terminates \true;
    exits    never:    \false;
    SEARCH_ASSIGNS
    ensures  rule:     m->rule == rule && sources(m, turn_view, turn_uses);
    ensures  kept:     turn_ready(m, rule) && turn_kept{Pre,Post}(m);
    ensures  apart:    m->g->values == \old(m->g->values) && values_off(m->g->values, m, turn_view, turn_uses);
    ensures  memory:   \result == 0 ==> m->status != CALQUE_OK;
    ensures  plan:     \result != 0 ==> \valid_read(m->plan + rule) && (m->plan[rule].fixed != 0 <==> 0 < turn_view.n);
    ensures  search:   \result != 0 ==> 0 < turn_view.n ==> may_search(m) && fixed_of(m) == turn_view && uses_at(m) == turn_uses;
*/
bool match_begin(struct matcher *m, int rule, int node);
/* The search for patterns of any kind (match.c), and for fixed ones where the proved search gave up or does not know why there is no
   match. The values made are gone where it finds a match. Trusted. */
/*@ requires turn:     turn_ready(m, m->rule) && 0 <= node < m->g->node.n;
    requires lists:    sources(m, turn_view, turn_uses);
    terminates \true;
    exits    never:    \false;
    SEARCH_ASSIGNS
    ensures  match:    \result != 0 ==> 0 < turn_view.n ==> is_match(m, turn_view, turn_uses, node);
    ensures  none:     \result == 0 ==> 0 < turn_view.n ==> !gave_up(m) ==> !matched(turn_view, turn_uses, node);
    ensures  outputs:  \result != 0 ==> outs_in(m);
    ensures  kept:     m->rule == \old(m->rule) && m->g->values == \old(m->g->values) && turn_ready(m, m->rule) && turn_kept{Pre,Post}(m);
*/
bool match_engine(struct matcher *m, int node, struct fixed_mark first);
/* The caller is shown M. Trusted: a call through a pointer, which leaves what the matcher reads. */
/*@ requires turn:     turn_ready(m, rule) && outs_in(m);
    requires match:    0 < turn_view.n ==> is_match(m, turn_view, turn_uses, node);
    requires message:  d == \null || \valid(d) && diag_off(d, m, turn_view, turn_uses);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    ensures  kept:     turn_ready(m, rule) && turn_kept{Pre,Post}(m) && outs_in(m);
    ensures  match:    0 < turn_view.n ==> is_match(m, turn_view, turn_uses, node);
*/
enum calque_status match_show(match_see *see, void *ctx, const struct matcher *m, struct diag *d) /*@ ghost (int rule, int node) */;

/* match_all with an array for all rules: limits[k] counts the searches of rule k that exceeded a limit. */
enum calque_status match_all_limits(const struct rules *rules, const struct graph *g, int rule, match_see *see, void *ctx,
                                    long *limits, struct diag *d);

#endif
