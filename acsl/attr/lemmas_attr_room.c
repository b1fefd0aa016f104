/* Proved by acsl/prove.sh: the lemmas on arenas of expressions whose arrays move. */
#include "attr/attr_internal.h"
