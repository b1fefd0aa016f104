/* The functions of values: in, reversed, range, slice, zip. */
#ifndef CALQUE_ATTR_FUNCS_H
#define CALQUE_ATTR_FUNCS_H

#include "attr/ops.h"

/* The ints lo, lo + step, .. before hi, at most ATTR_COUNT_MAX; step 0 is stuck. */
struct value_step attr_op_range(struct values vs, long lo, long hi, long step);
/* Function op (enum attr_func_op, all but remap) of the elements of tuple x. */
struct value_step attr_op_func(struct values vs, int op, int x);

#endif
