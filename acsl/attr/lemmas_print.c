/* Proved by acsl/prove.sh: the lemmas on the values and expressions that are printed. */
#include "attr/print.h"
