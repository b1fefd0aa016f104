/* Proved by acsl/prove.sh: the lemmas on splitting and joining, once for all files. */
#include <limits.h>

#include "base/join.acsl"
