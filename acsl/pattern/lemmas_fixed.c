/* Only the lemmas of pattern/fixed_search.acsl. */
#include "pattern/fixed_ask.h"
