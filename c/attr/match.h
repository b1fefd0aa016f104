/* The proved matcher of expressions against values: judgement AM. */
#ifndef CALQUE_ATTR_MATCH_H
#define CALQUE_ATTR_MATCH_H

#include "attr/eval.h"

enum match_code { MATCH_NO, MATCH_YES, MATCH_ROOM, MATCH_LIMIT, MATCH_ASK };

#ifdef __FRAMAC__
#include "attr/match.acsl"
#endif

/* Does expression i match value x? MATCH_ROOM, MATCH_LIMIT and MATCH_ASK make no claim. */
/*@ MATCH_REQUIRES
    terminates \true;
    decreases 6 * t_depth(EXPRS, i) + 5;
    exits    never:    \false;
    MATCH_ASSIGNS
    MATCH_KEEPS
    ensures  sound:    \result == MATCH_YES ==> am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
    ensures  complete: \result == MATCH_NO ==> !am(\old(EXPRS), \old(ENV), i, val(\old(VALS(vs)), x));
*/
int attr_match_core(struct attr_view t, struct values vs, int i, int x);

/* The matcher's case of comprehensions. */
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
