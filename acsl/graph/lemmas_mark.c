/* Proved by acsl/prove.py: the lemmas of marks, once for all files. */
#include "graph/toposort.h"
