/* Operators that have no meaning here, in rules:

     Op('domain::Name')(p, .., label=a, ..)  an application of that operator of that domain ("ai.onnx": ONNX's own), bound
       or not: f = Op('com.acme::Fancy'). Its node says which it is: the attribute op_type is 'domain::Name'.
       Source: only the attributes given are compared, any inputs may be absent (none), p[k] is output number k.
       Target: one output; no attributes but those given: integers, floats (binary32), strings, tuples of one of these.

   What such a rule preserves cannot be tested: it is what the rule says, as is the type of what it replaces. */
#ifndef CALQUE_PATTERN_UNKNOWN_H
#define CALQUE_PATTERN_UNKNOWN_H

#include "pattern/gsl.h"

/* The first application of such an operator, or -1. */
int rule_unknown(const struct rule *r);
/* "domain::Name" of that application. */
const char *rule_unknown_name(const struct rules *rs, const struct rule *r, int p);

#endif
