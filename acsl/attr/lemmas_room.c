/* Proved by acsl/prove.sh: the lemmas on arenas whose arrays move. */
#include "attr/value_internal.h"
