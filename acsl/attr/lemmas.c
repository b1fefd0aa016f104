/* Proved by acsl/prove.sh: the lemmas, once for all files. */
#include "attr/reduce.h"
#include "attr/eval_bind.h"
#include "attr/funcs.h"
#include "attr/match.h"

#ifdef __FRAMAC__
#include "attr/bind.acsl"
#include "attr/reduce.acsl"
#endif
