/* Only the lemmas of graph/emit.acsl. */
#include "graph/compact_emit.h"
