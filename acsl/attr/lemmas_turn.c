/* Proved by acsl/prove.py: the lemmas on the nodes of a memo. */
#include "attr/eval.h"
#include "attr/memo_internal.h"

#ifdef __FRAMAC__
#include "attr/memo_turn.acsl"
#endif
