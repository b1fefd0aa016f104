/* Proved by acsl/prove.sh: lists of users whose arrays were moved. */
#include "pattern/uses_list.h"
#include "pattern/carry_uses.acsl"
