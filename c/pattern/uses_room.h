/* Between uses.c and uses_order.c. */
#ifndef CALQUE_PATTERN_USES_ROOM_H
#define CALQUE_PATTERN_USES_ROOM_H

#include "pattern/uses.h"

/* Node k, new and in no order yet, comes last. */
void uses_append(struct uses *u, int k);

#endif
