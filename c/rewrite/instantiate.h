/* Building the target of a rule for one match: the judgement M;p => e (coq/rewrite/Rewrite.v). What the match binds is
   looked up and never rebuilt; every other address is built once. */
#ifndef CALQUE_REWRITE_INSTANTIATE_H
#define CALQUE_REWRITE_INSTANTIATE_H

#include "pattern/match.h"

/* Why a match was not rewritten. */
enum refusal {
    REFUSE_NO,
    REFUSE_TYPE,     /* the target has no type, or not the source's */
    REFUSE_STUCK,    /* an attribute of the target has no value */
    REFUSE_IDENTITY, /* the target is the source */
    REFUSE_OPSET,    /* an operator of the target does not exist at the model's opset */
    REFUSE_CYCLE,    /* the target reads what is computed from an output it replaces */
    REFUSE_LIMIT     /* a limit was exceeded */
};

/* Appends the new nodes of the target to g and types them; root (n = m->outs.n of them, room made by the caller) are
   the nodes that replace m->outs. When *why is not REFUSE_NO the graph is as before; of REFUSE_TYPE
   and REFUSE_OPSET the text of d says which attribute, type or operator is not as it must be. CALQUE_OK or CALQUE_NOMEM. */
enum calque_status build_target(struct matcher *m, struct graph *g, int *root, enum refusal *why, struct diag *d);

#endif
