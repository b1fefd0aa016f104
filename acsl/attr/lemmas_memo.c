/* Proved by acsl/prove.sh: the lemmas on memoised evaluation. */
#include "attr/attr.h"

#ifdef __FRAMAC__
#include "attr/memo_const.acsl"
#endif
