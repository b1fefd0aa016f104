/* Proved by acsl/prove.sh: the lemmas on both arenas while either grows. */
#include "attr/both_put.h"

#ifdef __FRAMAC__
#include "attr/both_moved.acsl"
#include "attr/both_off.acsl"
#include "attr/both_same.acsl"
#endif
