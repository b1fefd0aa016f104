/* Proved by acsl/prove.sh: the lemmas, once for all files. */
/* Not the lemmas of pattern/grow.acsl. */
#include "pattern/fixed.h"
#include "pattern/uses_list.h"
#include "pattern/order_list.h"
#include "pattern/spread.acsl"
#include "pattern/uses_grow.h"
#include "pattern/uses_output.h"
#include "pattern/uses_fill.h"
#include "pattern/uses_order.h"
#include "pattern/views.acsl"
#include "pattern/ready.acsl"
