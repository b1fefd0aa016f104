/* Proved by acsl/prove.py: the lemmas on strings, once for all files. */
#include "base/strs_internal.h"
