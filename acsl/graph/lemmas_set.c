/* Only the lemmas of graph/set.acsl. */
#include "graph/graph_set.h"
