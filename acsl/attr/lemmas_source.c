/* Proved by acsl/prove.sh: the lemmas on texts that are read. */
#include "attr/read_word.h"
