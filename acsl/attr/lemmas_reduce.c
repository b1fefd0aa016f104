/* Proved by acsl/prove.py: the lemmas on reductions. */
#include "attr/funcs.h"

#ifdef __FRAMAC__
#include "attr/reduce.acsl"
#endif
