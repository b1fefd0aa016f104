/* Proved by acsl/prove.sh: lists of users whose arrays were moved, and the nodes of the graph. */
#include "pattern/uses_grow.h"
#include "pattern/carry_exact.acsl"
