/* Evaluation over another copy of the nodes. */
#ifndef CALQUE_ATTR_RUN_H
#define CALQUE_ATTR_RUN_H

#include "attr/run_ask.h"

/* attr_eval of node a, the nodes read from `node`, as many as t has. */
/*@ requires can:      can_run(t, node, env, out, 1);
    requires hand:     env == at_hand;
    terminates \true;
    exits    never:    \false;
    assigns  *t->values, *t->values->mem, *out, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *w | unsigned long *w; \true }, { *z | struct attr_answer *z; \true };
    ensures  can:      can_run(t, node, env, out, 1);
    ensures  result:   \result == ATTR_VALUE || \result == ATTR_STUCK || \result == ATTR_FULL;
    ensures  old:      extends(\old(VALS(*t->values)), VALS(*t->values), \old(t->values->n));
    ensures  exprs:    EXPRS_OF(t, node) == \old(EXPRS_OF(t, node));
    ensures  kept:     same_kept{Pre,Post};
    ensures  sound:    \result == ATTR_VALUE ==> 0 <= *out < t->values->n &&
                       decided(\old(EXPRS_OF(t, node)), \old(ENV_OF(t, env)), a, val(VALS(*t->values), *out));
    ensures  complete: \result == ATTR_STUCK ==> none(\old(EXPRS_OF(t, node)), \old(ENV_OF(t, env)), a);
*/
enum attr_result attr_run_eval(struct attrs *t, const struct attr_node *node, const struct attr_env *env, int a, int *out);

#endif
