/* Proved by acsl/prove.py: the lemmas on sets of free symbols. */
#include "attr/memo_internal.h"
