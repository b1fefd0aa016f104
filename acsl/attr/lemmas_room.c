/* Proved by acsl/prove.py: the lemmas on arenas whose arrays move. */
#include "attr/value_internal.h"
