/* Only the lemmas of graph/kept.acsl. */
#include "graph/build.h"
#include "graph/kept.acsl"
