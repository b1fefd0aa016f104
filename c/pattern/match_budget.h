/* What the searches of one rule may take together in one call: a search that is linear in what it finds is free, all others
   share a budget. A rule that has used it up is given up, and whoever called says so. */
#ifndef CALQUE_PATTERN_MATCH_BUDGET_H
#define CALQUE_PATTERN_MATCH_BUDGET_H

#include "pattern/match.h"

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

/* Adds the search that match_at has just done with this answer; false: the rule is to be given up. */
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

/* match_all with an array for all rules: limits[k] counts the searches of rule k that exceeded a limit. */
enum calque_status match_all_limits(const struct rules *rules, const struct graph *g, int rule, match_see *see, void *ctx,
                                    long *limits, struct diag *d);

#endif
