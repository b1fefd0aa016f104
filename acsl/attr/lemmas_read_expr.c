/* Proved by acsl/prove.sh: the lemmas on expressions that are read. */
#include "attr/attr_add.h"
#include "attr/read_make.h"

#ifdef __FRAMAC__
#include "attr/both_moved.acsl"
#endif
