/* Only the lemmas of graph/emit.acsl. */
#include "graph/compact_internal.h"
