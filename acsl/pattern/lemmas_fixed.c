/* Only the lemmas of pattern/fixed_search.acsl. */
#include "pattern/simple_match.h"
