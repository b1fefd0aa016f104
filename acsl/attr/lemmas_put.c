/* Proved by acsl/prove.py: the lemmas on arenas and on equal expressions. */
#include "attr/attr_internal.h"
#include "attr/memo_internal.h"

#ifdef __FRAMAC__
#include "attr/memo_core.acsl"
#include "attr/memo_enter.acsl"
#endif
