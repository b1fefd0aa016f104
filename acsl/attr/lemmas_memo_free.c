/* Proved by acsl/prove.sh: the lemmas on sets of free symbols. */
#include "attr/memo_internal.h"
