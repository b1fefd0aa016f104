/* Proved by acsl/prove.py: the lemmas on powers of two, once for all files. */
/* Only the lemmas of attr/power.acsl. */
#include "attr/ops.h"

#ifdef __FRAMAC__
#include "attr/power.acsl"
#endif
