/* Only the lemmas of pattern/fixed_rest.acsl. */
#include "pattern/simple_match.h"
#include "pattern/fixed_rest.acsl"
