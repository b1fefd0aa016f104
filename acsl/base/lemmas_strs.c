/* Proved by acsl/prove.sh: the lemmas on strings, once for all files. */
#include "base/strs_internal.h"
