/* Proved by acsl/prove.py: the lemmas on the values and expressions that are printed. */
#include "attr/print.h"
