/* Proved by acsl/prove.py: the lemmas, once for all files. */
#include "base/linear_internal.h"

#include "emit/lin_join.acsl"
