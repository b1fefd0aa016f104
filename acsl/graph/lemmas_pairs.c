/* Only the lemmas of graph/pairs.acsl. */
#include "graph/graph_room.h"
#include "graph/pairs.acsl"
