/* Only the lemmas of graph/set_attr.acsl. */
#include "graph/build.h"
#include "graph/kept.acsl"
#include "graph/set_attr.acsl"
