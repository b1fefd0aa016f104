/* Only the lemmas of pattern/fixed_put.acsl. */
#include "pattern/simple_match.h"
