/* Only the lemmas of graph/add_attr.acsl. */
#include "graph/graph_room.h"
#include "graph/graph_set.h"
#include "graph/add_attr.acsl"
