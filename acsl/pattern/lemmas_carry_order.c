/* Proved by acsl/prove.sh: lists whose arrays were moved. */
#include "pattern/order_list.h"
#include "pattern/carry_order.acsl"
