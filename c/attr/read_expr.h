/* Expressions read from the canonical text. */
#ifndef CALQUE_ATTR_READ_EXPR_H
#define CALQUE_ATTR_READ_EXPR_H

#include "attr/read_leaf.h"

/* Past blanks and an expression. */
/*@ EXPRS_READ_REQUIRES
    terminates \true;
    decreases 8 * (2 * ATTR_DEPTH_MAX - r.depth) + 1;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    EXPRS_READ_KEEPS
    EXPR_IS_READ
    ensures  text:     \result.status == CALQUE_OK ==> r.at < \result.at &&
                       reads(SRC(\result), r.at, \result.at, t, \result.id);
*/
struct reading expr_read(struct reading r, struct attrs *t, struct strs *strs);

#endif
