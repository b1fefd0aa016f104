/* The matcher's case of comprehensions. */
#ifndef CALQUE_ATTR_MATCH_VAR_H
#define CALQUE_ATTR_MATCH_VAR_H

#include "attr/match.h"

/* AM_Var */
/*@ requires kind:     t.node[i].kind == ATTR_VAR;
    MATCH_REQUIRES
    terminates \true;
    decreases 6 * t_depth(EXPRS, i) + 4;
    exits    never:    \false;
    MATCH_ASSIGNS
    MATCH_KEEPS
    ensures  sound:    \result == MATCH_YES ==> am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
    ensures  complete: \result == MATCH_NO ==> !am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
*/
int attr_match_var(struct attr_view t, struct values vs, int i, int x);

#endif
