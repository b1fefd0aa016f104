/* Rules with operators that have no meaning here: what they preserve cannot be tested, it is what the rule says. */
#ifndef CALQUE_PATTERN_UNKNOWN_H
#define CALQUE_PATTERN_UNKNOWN_H

#include "pattern/gsl.h"

/* The first application of such an operator, or -1. */
int rule_unknown(const struct rule *r);
/* "domain::Name" of that application. */
const char *rule_unknown_name(const struct rules *rs, const struct rule *r, int p);

#endif
