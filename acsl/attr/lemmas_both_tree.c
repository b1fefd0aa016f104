/* Proved by acsl/prove.sh: the lemmas on the trees of nodes. */
/* Only the lemmas of attr/both_tree.acsl. */
#include "attr/both_room.h"

#ifdef __FRAMAC__
#include "attr/both_tree.acsl"
#endif
