/* Proved by acsl/prove.sh: the laws on lists of bindings. */
#include "attr/read_bind.h"
