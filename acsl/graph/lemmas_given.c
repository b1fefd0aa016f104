/* Only the lemmas of graph/given.acsl. */
#include "graph/build.h"
#include "graph/given.acsl"
