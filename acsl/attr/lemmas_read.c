/* Proved by acsl/prove.sh: the lemmas on values that are read. */
#include "attr/read_value.h"
