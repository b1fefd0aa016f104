/* Proved by acsl/prove.sh: the laws on what is a text of which expression. */
#include "attr/read_both.h"

#ifdef __FRAMAC__
#include "attr/reads.acsl"
#include "attr/reads_form.acsl"
#endif
