/* Proved by acsl/prove.py: the lemmas, once for all files. */
#include "rewrite/substitute.h"
