/* Proved by acsl/prove.py: lists of outputs whose arrays were moved. */
#include "graph/use_list_internal.h"
#include "pattern/carry_outputs.acsl"
