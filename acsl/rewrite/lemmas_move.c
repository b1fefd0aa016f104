/* Proved by acsl/prove.sh: the lemmas about the outputs that move. */
#include "rewrite/substitute.h"
