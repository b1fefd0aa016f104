/* Proved by acsl/prove.sh: the lemmas on rows, once for all files. */
#include <limits.h>

#include "base/row.acsl"
