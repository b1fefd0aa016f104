/* Proved by acsl/prove.py: the lemmas on the values that are kept. */
#include "attr/value_collect.h"
