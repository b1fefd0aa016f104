/* Proved by acsl/prove.sh: the lemmas, once for all files. */
#include "rewrite/substitute.h"
