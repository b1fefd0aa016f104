/* Proved by acsl/prove.py: the lemmas on the functions. */
#include "attr/funcs.h"

#ifdef __FRAMAC__
#include "attr/funcs.acsl"
#endif
