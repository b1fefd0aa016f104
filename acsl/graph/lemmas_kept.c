/* Only the lemmas of graph/kept.acsl. */
#include "graph/graph_room.h"
#include "graph/kept.acsl"
