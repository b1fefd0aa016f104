/* Only the lemmas of graph/pairs.acsl. */
#include "graph/build.h"
#include "graph/pairs.acsl"
