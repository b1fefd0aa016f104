/* Only the lemmas of graph/given.acsl. */
#include "graph/graph_room.h"
#include "graph/given.acsl"
