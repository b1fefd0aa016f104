/* Proved by acsl/prove.sh: the lemmas on heaps of keys. */
#include "pattern/match.h"

#ifdef __FRAMAC__
#include "pattern/key_sort.acsl"
#endif
