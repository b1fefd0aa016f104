/* Proved by acsl/prove.py: the lemmas on evaluation with a memo. */
/* Only the lemmas of attr/memo_eval.acsl. */
#include "attr/memo_internal.h"
#include "attr/eval_driver.h"

#ifdef __FRAMAC__
#include "attr/memo_eval.acsl"
#endif
