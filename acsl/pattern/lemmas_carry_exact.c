/* Proved by acsl/prove.py: lists of users whose arrays were moved, and the nodes of the graph. */
#include "graph/use_list_internal.h"
#include "pattern/carry_exact.acsl"
