/* Proved by acsl/prove.py, once for all files. */
/* Only the lemmas of pattern/grow.acsl. */
#include "graph/use_list_internal.h"
#include "graph/topo_order.h"
#include "pattern/spread.acsl"
