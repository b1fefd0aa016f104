/* Proved by acsl/prove.sh: the lemmas on one evaluation and its environment. */
#include "attr/run_ask.h"
