/* One binding of an environment read from the canonical text. */
#ifndef CALQUE_ATTR_READ_BOUND_H
#define CALQUE_ATTR_READ_BOUND_H

#include "attr/read_bind.h"
#include "attr/read_leaf.h"

struct bound_read {
    struct reading r;
    struct bound x; /* when there is no error */
};

#ifdef __FRAMAC__
#include "attr/binding.acsl"

#define BOUND(x) (x).kind, (x).key, (x).label, (x).k, (x).id
/* Whatever is read: expressions, slots and values are added, the ids and the text stay. */
#define BOUND_READ_KEEPS                                                                       \
    ensures  place:    onward(r, \result.r);                                                   \
    ensures  held:     ids_held(\result.r);                                                    \
    ensures  ids:      ids_kept{Pre,Post}(r, \result.r, r.nids);                               \
    ensures  source:   SRC(\result.r) == \old(SRC(r));                                         \
    ensures  ready:    ready_both(t);                                                          \
    ensures  old:      kept_both{Pre,Post}(t);                                                 \
    ensures  error:    \result.r.status != CALQUE_OK ==> \result.r.id == -1 && CALQUE_BAD <= \result.r.status <= CALQUE_NOMEM; \
    ensures  fits:     \result.r.status == CALQUE_OK ==> bound_fits(t, BOUND(\result.x));
#define BOUND_IS_READ(from)                                                                    \
    ensures  text:     \result.r.status == CALQUE_OK ==> r.at < \result.r.at &&                \
                       bound_text(SRC(\result.r), from, \result.r.at, t, BOUND(\result.x));
#endif

/* Past the name and value of a binding, what stands between its parentheses. */
/*@ EXPRS_READ_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    BOUND_READ_KEEPS
    BOUND_IS_READ(r.at)
*/
struct bound_read read_bound(struct reading r, struct attrs *t, struct strs *strs);

#endif
