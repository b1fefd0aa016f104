/* Proved by acsl/prove.py: the lemmas on products, once for all files. */
#include <limits.h>

#include "base/factor.acsl"
#include "base/times.acsl"
