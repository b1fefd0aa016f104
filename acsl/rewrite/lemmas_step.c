/* Only the lemmas of rewrite/splice_step.acsl. */
#include "rewrite/substitute.h"

#ifdef __FRAMAC__
#include "rewrite/splice_step.acsl"
#endif
