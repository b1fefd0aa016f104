/* Only the lemmas of graph/add_attr.acsl. */
#include "graph/build.h"
#include "graph/add_attr.acsl"
