/* Proved by acsl/prove.py: the lemmas, once for all files. */
#include "emit/lin_core.h"

#include "emit/lin_join.acsl"
