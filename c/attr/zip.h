/* The function zip. */
#ifndef CALQUE_ATTR_ZIP_H
#define CALQUE_ATTR_ZIP_H

#include "attr/value_core.h"

#ifdef __FRAMAC__
#include "attr/zip.acsl"
#endif

/* The tuple of the tuples of the elements number 0, 1, .. of the tuples in x, as far as all have one. */
/*@ OP_REQUIRES
    requires tuple:    0 <= x < vs.n && vs.v[x].kind == VALUE_TUPLE;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[0 .. vs.cap - 1], vs.pool[0 .. vs.cappool - 1];
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
    OP_KEEPS
    ensures  sound:    \result.code == STEP_DONE ==> zip(val(\old(VALS(vs)), x), RESULT_VALUE);
    ensures  complete: \result.code == STEP_STUCK ==> \forall value w; !zip(val(\old(VALS(vs)), x), w);
*/
struct value_step attr_op_zip(struct values vs, int x);

#endif
