/* Only the lemmas of graph/set_attr.acsl. */
#include "graph/graph_room.h"
#include "graph/graph_set.h"
#include "graph/kept.acsl"
#include "graph/set_attr.acsl"
