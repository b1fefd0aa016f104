/* Proved by acsl/prove.sh: the lemmas on the forms that are read. */
#include "attr/read_form.h"
