/* Only the lemmas of attr/env_text.acsl. */
#include "attr/read_bound.h"

#ifdef __FRAMAC__
#include "attr/env_text.acsl"
#endif
