/* Expressions read from the canonical text. */
#ifndef CALQUE_ATTR_READ_EXPR_H
#define CALQUE_ATTR_READ_EXPR_H

#include "attr/read_value.h"

/* Past blanks and the label of a pattern; .id is the string. */
struct reading read_label(struct reading r, struct strs *strs);
/* Past the number and the label of a pattern; .id is the slot. */
struct reading read_slot(struct reading r, struct attrs *t, struct strs *strs);
/* Past blanks and an expression. */
struct reading read_expr(struct reading r, struct attrs *t, struct strs *strs);

#endif
