/* Only the lemmas of pattern/carry_ranges.acsl. */
#include "graph/use_list_internal.h"

#ifdef __FRAMAC__
#include "pattern/carry_ranges.acsl"
#endif
