/* Only the lemmas of graph/renew.acsl. */
#include "graph/compact_internal.h"
