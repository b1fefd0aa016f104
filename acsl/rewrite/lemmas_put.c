/* Only the lemmas of rewrite/splice_put.acsl. */
#include "graph/use_list_internal.h"
#include "rewrite/substitute.h"

#ifdef __FRAMAC__
#include "rewrite/splice_bridge.acsl"
#include "rewrite/splice_put.acsl"
#endif
