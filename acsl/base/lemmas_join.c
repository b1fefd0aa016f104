/* Proved by acsl/prove.py: the lemmas on splitting and joining, once for all files. */
#include <limits.h>

#include "base/join.acsl"
