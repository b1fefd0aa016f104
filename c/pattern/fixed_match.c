#include "pattern/fixed_match.h"
#include "pattern/match_far.h"

int fixed_match(struct matcher *m, struct fixed_view v, int node, unsigned char *swap, long *at)
{
    struct fixed_answer a = fixed_search(m, v, node, swap, at);

    /* Why there is none is known if a condition failed; or if each pass did at the kind of a node, so that no node was
       met twice. */
    if (a.code == FIXED_NO && !(m->brief && (a.plain || m->progress > MATCH_FAR)))
        return FIXED_LIMIT;
    return a.code;
}
