/* Only the lemmas of graph/set.acsl. */
#include "graph/build.h"
