/* Proved by acsl/prove.sh: the lemmas, once for all files. */
#include "graph/graph_put.h"
#include "graph/graph_get.h"
#include "graph/sort_attrs.h"
#include "graph/graph_opaque.h"
