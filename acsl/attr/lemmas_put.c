/* Proved by acsl/prove.sh: the lemmas on arenas and on equal expressions. */
#include "attr/attr_put.h"
#include "attr/memo_find.h"

#ifdef __FRAMAC__
#include "attr/memo_core.acsl"
#include "attr/memo_enter.acsl"
#endif
