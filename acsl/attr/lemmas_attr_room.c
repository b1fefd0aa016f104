/* Proved by acsl/prove.py: the lemmas on arenas of expressions whose arrays move. */
#include "attr/attr_internal.h"
