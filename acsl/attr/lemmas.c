/* Proved by acsl/prove.sh: the lemmas, once for all files (those of reduce.acsl in lemmas_reduce.c: what a reduction is
   only keeps the provers from the others). */
#include "attr/eval_bind.h"
#include "attr/funcs.h"
#include "attr/match.h"

#ifdef __FRAMAC__
#include "attr/bind.acsl"
#include "attr/funcs.acsl"
#include "attr/kids.acsl"
#endif
