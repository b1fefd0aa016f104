/* Proved by acsl/prove.py: lists of users whose arrays were moved. */
#include "graph/use_list_internal.h"
#include "pattern/carry_uses.acsl"
