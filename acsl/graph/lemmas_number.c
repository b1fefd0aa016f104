/* Only the lemmas of graph/number.acsl. */
#include "graph/toposort.h"
