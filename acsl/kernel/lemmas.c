/* Proved by acsl/prove.py: the lemmas, once for all files. */
#include "kernel/index.h"
