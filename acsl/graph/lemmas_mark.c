/* Proved by acsl/prove.sh: the lemmas of marks, once for all files. */
#include "graph/toposort.h"
