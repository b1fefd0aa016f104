/* Proved by acsl/prove.sh, once for all files. */
/* Only the lemmas of pattern/grow.acsl. */
#include "pattern/uses_list.h"
#include "pattern/order_list.h"
#include "pattern/spread.acsl"
#include "pattern/uses_grow.h"
