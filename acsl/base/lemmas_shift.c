/* Proved by acsl/prove.py: the lemmas on quotients, once for all files. */
#include <limits.h>

#include "base/parts.acsl"
