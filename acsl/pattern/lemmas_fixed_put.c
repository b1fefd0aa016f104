/* Only the lemmas of pattern/fixed_put.acsl. */
#include "pattern/fixed_put.h"
