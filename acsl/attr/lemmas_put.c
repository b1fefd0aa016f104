/* Proved by acsl/prove.sh: the lemmas on arenas and on equal expressions. */
#include "attr/attr_put.h"
#include "attr/memo_find.h"
