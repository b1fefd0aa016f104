/* Reductions of a tuple. */
#ifndef CALQUE_ATTR_REDUCE_H
#define CALQUE_ATTR_REDUCE_H

#include "attr/ops.h"

/* Reduces tuple x from the left: op is one of enum attr_reduction. */
struct value_step attr_op_reduce(struct values vs, int op, int x);

#endif
