/* Proved by acsl/prove.py: the lemmas, once for all files. */
/* Not the lemmas of pattern/grow.acsl. */
#include "pattern/simple_match.h"
#include "graph/use_list_internal.h"
#include "graph/topo_order.h"
#include "pattern/spread.acsl"
#include "pattern/views.acsl"
#include "pattern/ready.acsl"
