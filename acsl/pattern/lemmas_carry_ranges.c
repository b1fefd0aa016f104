/* Only the lemmas of pattern/carry_ranges.acsl. */
#include "pattern/uses_arrays.h"

#ifdef __FRAMAC__
#include "pattern/carry_ranges.acsl"
#endif
