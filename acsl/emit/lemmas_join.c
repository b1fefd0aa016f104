/* Proved by acsl/prove.sh: the lemmas on joining quotients and remainders, once for all files. */
#include "emit/lin_core.h"

#include "emit/lin_join.acsl"
