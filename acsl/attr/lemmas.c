/* Proved by acsl/prove.py: the lemmas, once for all files (those of reduce.acsl and funcs.acsl in lemmas_reduce.c and
   lemmas_funcs.c: what a reduction or a function is only keeps the provers from the others). */
#include "attr/eval.h"
#include "attr/match.h"

#ifdef __FRAMAC__
#include "attr/bind.acsl"
#include "attr/kids.acsl"
#endif
