/* Proved by acsl/prove.sh: the lemmas, once for all files. */
#include <limits.h>

#include "base/factor.acsl"
#include "base/times.acsl"
#include "base/step.acsl"
#include "base/shift.acsl"
#include "base/row.acsl"
