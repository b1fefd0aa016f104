/* Proved by acsl/prove.py: lists whose arrays were moved. */
#include "graph/topo_order.h"
#include "pattern/carry_order.acsl"
