/* Environments read from the canonical text. */
#ifndef CALQUE_ATTR_ENV_READ_H
#define CALQUE_ATTR_ENV_READ_H

#include "attr/env_fill.h"

struct env_read {
    struct reading r;
    struct bound_arrays e; /* when there is no error */
    int n;                 /* names in e.named, which has room for `room` */
    int room;
};

#ifdef __FRAMAC__
/*@
// From a to b stands, between parentheses, a text of what these arrays bind.
predicate env_text{L}(source c, integer a, integer b, struct attrs *t, struct bound_arrays e, integer n) =
  \exists integer x, y; marks(c, a, x, '(') && marks(c, y, b, ')') && slots_read(c, x, y, t, e.slot, e.nslot) &&
    symbols_read(c, x, y, t, e.symbol, e.nsymbol) && names_read(c, x, y, t, e.named, n);
*/
#endif

/* Past blanks and a list of (P L v), (inst P K L v), (sym S v), (alt P K); the first binding of a name counts. */
/*@ EXPRS_READ_REQUIRES
    requires deep:     r.depth + 1 < 2 * ATTR_DEPTH_MAX;
    requires none:     r.nids == 0;
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true }, { *x | struct attr_named *x; \true };
    ensures  place:    \result.r.text == r.text && \result.r.n == r.n && r.at <= \result.r.at <= r.n && \result.r.depth == r.depth;
    ensures  source:   SRC(\result.r) == \old(SRC(r));
    ensures  ready:    ready_both(t);
    ensures  old:      kept_both{Pre,Post}(t);
    ensures  error:    \result.r.status == CALQUE_OK || \result.r.id == -1 && CALQUE_BAD <= \result.r.status <= CALQUE_NOMEM;
    ensures  count:    \result.r.status == CALQUE_OK ==> 0 <= \result.n <= \result.room &&
                       0 <= \result.e.nslot && 0 <= \result.e.nsymbol;
    ensures  ids:      \result.r.status == CALQUE_OK ==> \forall integer i; 0 <= i < \result.n ==> 0 <= \result.e.named[i].id;
    ensures  text:     \result.r.status == CALQUE_OK ==>
                       env_text(SRC(\result.r), r.at, \result.r.at, t, \result.e, \result.n);
    ensures  fit:      \result.r.status == CALQUE_OK ==> names_fit(t, \result.e.named, \result.n);
*/
struct env_read env_read(struct reading r, struct attrs *t, struct strs *strs);

#endif
