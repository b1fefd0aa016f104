/* Proved by acsl/prove.py: the lemmas on one evaluation and its environment. */
/* Only the lemmas of attr/run.acsl. */
#include "attr/eval_driver.h"
