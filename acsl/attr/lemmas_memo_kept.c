/* Proved by acsl/prove.py: the lemmas on the memory of a memo. */
#include "attr/memo.h"

#ifdef __FRAMAC__
#include "attr/memo_kept.acsl"
#endif
