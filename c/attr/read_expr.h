/* Expressions read from the canonical text. Not proved: the arenas of values and of expressions would have to be known to
   stay apart while either grows. */
#ifndef CALQUE_ATTR_READ_EXPR_H
#define CALQUE_ATTR_READ_EXPR_H

#include "attr/read_label.h"
#include "attr/read_value.h"

/* Past the number and the label of a pattern; .id is the slot. */
struct reading read_slot(struct reading r, struct attrs *t, struct strs *strs);
/* Past blanks and an expression. */
struct reading expr_read(struct reading r, struct attrs *t, struct strs *strs);

#endif
