/* Proved by acsl/prove.sh: the lemmas on sets of free symbols and on the start of a memo. */
#include "attr/memo_fill.h"
