/* Proved by acsl/prove.sh: the lemmas on the values that are printed. */
#include "attr/value_print.h"
