/* Proved by acsl/prove.py: the lemmas on memoised evaluation. */
#include "attr/attr.h"

#ifdef __FRAMAC__
#include "attr/memo_steps.acsl"
#include "attr/memo_const.acsl"
#endif
#include "attr/attr_internal.h"
#include "attr/eval.h"

#ifdef __FRAMAC__
#include "attr/memo_same_steps.acsl"
#endif
