/* Building the target of a rule for one match: the judgement M; p |-> e (GSL thesis, figure pat_map). */
#ifndef CALQUE_REWRITE_BUILD_H
#define CALQUE_REWRITE_BUILD_H

#include "pattern/match.h"

/* Why a match was not rewritten. */
enum refusal {
    REFUSE_NO,
    REFUSE_TYPE,     /* the target has no type, or not the source's */
    REFUSE_STUCK,    /* an attribute of the target has no value */
    REFUSE_IDENTITY, /* the target is the source */
    REFUSE_LIMIT     /* a limit was exceeded */
};

/* Appends the new nodes of the target to g and types them; *root is the node that replaces m->root. When *why
   is not REFUSE_NO the graph is as before. CALQUE_OK or CALQUE_NOMEM. */
enum calque_status build_target(const struct matcher *m, struct graph *g, int *root, enum refusal *why,
                                struct diag *d);

#endif
