/* Only the lemmas of rewrite/splice_bridge.acsl. */
#include "pattern/key_sort.h"
#include "rewrite/substitute.h"

#ifdef __FRAMAC__
#include "rewrite/splice_found.acsl"
#include "rewrite/splice_bridge.acsl"
#endif
