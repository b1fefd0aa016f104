/* Proved by acsl/prove.py: the lemmas, once for all files. */
#include "graph/graph_accessors.h"
#include "graph/build.h"
