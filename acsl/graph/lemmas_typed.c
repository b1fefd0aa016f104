/* Only the lemmas of graph/typed.acsl. */
#include "graph/build.h"
#include "graph/typed.acsl"
