/* Only the lemmas of graph/typed.acsl. */
#include "graph/graph_room.h"
#include "graph/typed.acsl"
