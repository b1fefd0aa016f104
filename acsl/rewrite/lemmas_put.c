/* Only the lemmas of rewrite/splice_put.acsl. */
#include "pattern/uses_build.h"
#include "rewrite/splice_apply.h"
#include "rewrite/splice_early.h"

#ifdef __FRAMAC__
#include "rewrite/splice_bridge.acsl"
#include "rewrite/splice_put.acsl"
#endif
