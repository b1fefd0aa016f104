/* Proved by acsl/prove.py: the lemmas on the sizes of floats, once for all files. */
/* Only the lemmas of attr/number_laws.acsl. */
#include "attr/ops.h"

#ifdef __FRAMAC__
#include "attr/number_laws.acsl"
#endif
