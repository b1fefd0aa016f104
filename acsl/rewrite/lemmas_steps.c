/* Only the lemmas of rewrite/splice_steps.acsl. */
#include "rewrite/splice_edges.h"
#include "rewrite/splice_move.h"
#include "rewrite/splice_place.h"

#ifdef __FRAMAC__
#include "rewrite/splice_step.acsl"
#include "rewrite/splice_steps.acsl"
#endif
