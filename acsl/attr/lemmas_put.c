/* Proved by acsl/prove.sh: the lemmas on the arena of expressions. */
#include "attr/attr_put.h"
