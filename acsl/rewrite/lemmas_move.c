/* Proved by acsl/prove.py: the lemmas about the outputs that move. */
#include "rewrite/substitute.h"
