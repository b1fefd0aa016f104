/* Proved by acsl/prove.sh: the lemmas on a memo during an evaluation. */
#include "attr/memo_learn.h"
#include "attr/run_ask.h"

#ifdef __FRAMAC__
#include "attr/memo_eval.acsl"
#endif
