/* Proved by acsl/prove.py: the lemmas on heaps of answers. */
/* Only the lemmas of base/heap_sort.acsl. */
#include "attr/eval_driver.h"

#ifdef __FRAMAC__
#include "attr/answer_sort.acsl"
#endif
