/* Proved by acsl/prove.py: the lemmas on heaps of keys. */
/* Only the lemmas of base/heap_sort.acsl. */
#include "pattern/match.h"

#ifdef __FRAMAC__
#include "pattern/key_sort.acsl"
#endif
