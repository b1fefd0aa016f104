/* The function remap, which reads strings. */
#ifndef CALQUE_ATTR_REMAP_H
#define CALQUE_ATTR_REMAP_H

#include "attr/ops.h"

/* remap of the elements of tuple x: two strings, where each letter of the second is in the first. */
struct value_step attr_op_remap(struct values vs, int x);

#endif
