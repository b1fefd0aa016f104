/* Reading a value beside expressions. Trusted: that it leaves the expressions as they are, and where they are. */
#ifndef CALQUE_ATTR_READ_BOTH_H
#define CALQUE_ATTR_READ_BOTH_H

#include "attr/both_room.h"
#include "attr/read_label.h"
#include "attr/read_value.h"

#ifdef __FRAMAC__
#include "attr/read_expr.acsl"

#define EXPRS_READ_REQUIRES                                                                    \
    READ_REQUIRES                                                                              \
    requires ids:      ids_held(r);                                                            \
    requires depth:    0 <= r.depth <= 2 * ATTR_DEPTH_MAX;                                     \
    requires ready:    ready_both(t);
/* Whatever is read: expressions, slots and values are added, the ids and the text stay. */
#define EXPRS_READ_KEEPS                                                                       \
    ensures  place:    onward(r, \result);                                                     \
    ensures  held:     ids_held(\result);                                                      \
    ensures  ids:      ids_kept{Pre,Post}(r, \result, r.nids);                                 \
    ensures  source:   SRC(\result) == \old(SRC(r));                                           \
    ensures  ready:    ready_both(t);                                                          \
    ensures  old:      kept_both{Pre,Post}(t);                                                 \
    ensures  error:    \result.status != CALQUE_OK ==> \result.id == -1 && CALQUE_BAD <= \result.status <= CALQUE_NOMEM;
#define EXPR_IS_READ                                                                           \
    ensures  id:       \result.status == CALQUE_OK ==> 0 <= \result.id < t->node.n;
#endif

/* value_read of the values that the expressions are over: its contract, and the expressions stay. */
/*@ EXPRS_READ_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t->values, *t->values->mem, { *p | struct value *p; \true }, { *q | int *q; \true },
             { *u | unsigned *u; \true }, { *c | char *c; \true };
    ensures  place:    onward(r, \result);
    ensures  held:     ids_held(\result);
    ensures  ids:      ids_kept{Pre,Post}(r, \result, r.nids);
    ensures  source:   SRC(\result) == \old(SRC(r));
    ensures  error:    \result.status != CALQUE_OK ==> \result.id == -1 && CALQUE_BAD <= \result.status <= CALQUE_NOMEM;
    ensures  ready:    ready_values(t->values);
    ensures  old:      kept_values{Pre,Post}(t);
    ensures  id:       \result.status == CALQUE_OK ==> 0 <= \result.id < t->values->n;
    ensures  value:    \result.status == CALQUE_OK ==> r.at < \result.at &&
                       value_text(SRC(\result), r.at, \result.at, val(VALS(*t->values), \result.id), -1);
    ensures  exprs:    exprs_stay{Pre,Post}(t);
    ensures  heldx:    held_attrs(t) && apart_both(t);
*/
struct reading read_constant(struct reading r, struct attrs *t, struct strs *strs);

#endif
