/* The function remap, which reads strings. */
#ifndef CALQUE_ATTR_REMAP_H
#define CALQUE_ATTR_REMAP_H

#include "attr/value_core.h"

#ifdef __FRAMAC__
#include "attr/texts.acsl"
#endif

/* remap of the strings a and b: each letter of b is in a. Without a table of strings it exceeds the limits. (On trust:
   attr/strs_named.h.) */
/*@ OP_REQUIRES
    requires ids:      0 <= a < vs.n && 0 <= b < vs.n;
    requires strings:  vs.v[a].kind == VALUE_STR && vs.v[b].kind == VALUE_STR;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==>
                       remap(val(\old(VALS(vs)), a), val(\old(VALS(vs)), b), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w;
                       !remap(val(\old(VALS(vs)), a), val(\old(VALS(vs)), b), w);
*/
struct value_step attr_op_remap(struct values vs, int a, int b);

#endif
