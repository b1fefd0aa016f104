/* Only the lemmas of graph/compact.acsl. */
#include "graph/compact_internal.h"
