/* Only the lemmas of attr/env_kept.acsl. */
#include "attr/env_read.h"
#include "attr/read.h"

#ifdef __FRAMAC__
#include "attr/env_kept.acsl"
#endif
