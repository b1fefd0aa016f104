/* Proved by acsl/prove.sh: the lemmas, once for all files. */
#include "rewrite/splice_edges.h"
#include "rewrite/splice_place.h"
