/* Proved by acsl/prove.sh: the lemmas, once for all files. */
#include "emit/lin_core.h"
