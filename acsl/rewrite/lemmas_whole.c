/* Only the lemmas of rewrite/splice_whole.acsl. */
#include "rewrite/substitute.h"
