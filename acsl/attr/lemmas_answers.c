/* Proved by acsl/prove.sh: the lemmas on heaps of answers. */
#include "attr/run_core.h"

#ifdef __FRAMAC__
#include "attr/answer_sort.acsl"
#endif
