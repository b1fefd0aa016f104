/* Proved by acsl/prove.sh: lists of outputs whose arrays were moved. */
#include "pattern/uses_output.h"
#include "pattern/carry_outputs.acsl"
