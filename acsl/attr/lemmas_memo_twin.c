/* Proved by acsl/prove.py: the lemmas on the copy of the nodes of a memo. */
/* Only the lemmas of attr/memo_twin.acsl. */
#include "attr/attr_internal.h"
#include "attr/eval.h"

#ifdef __FRAMAC__
#include "attr/memo_twin.acsl"
#endif
