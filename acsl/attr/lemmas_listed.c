/* Only the lemmas of attr/listed.acsl. */
#include "attr/read_bound.h"

#ifdef __FRAMAC__
#include "attr/listed.acsl"
#endif
