/* Only the lemmas of pattern/fixed_rest.acsl. */
#include "pattern/fixed_hold.h"
#include "pattern/fixed_rest.acsl"
