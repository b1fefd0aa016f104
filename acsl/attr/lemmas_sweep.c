/* Proved by acsl/prove.sh: the lemmas on the values that are kept. */
#include "attr/value_collect.h"
