/* The proved matcher of expressions against values: judgement AM. */
#ifndef CALQUE_ATTR_MATCH_H
#define CALQUE_ATTR_MATCH_H

#include "attr/eval.h"

enum match_code { MATCH_NO, MATCH_YES, MATCH_ROOM, MATCH_LIMIT };

/* Does expression i match value x? MATCH_ROOM and MATCH_LIMIT make no claim. */
int attr_match_core(struct attr_view t, struct values vs, int i, int x);

#endif
