/* The matcher's case of comprehensions. */
#ifndef CALQUE_ATTR_MATCH_VAR_H
#define CALQUE_ATTR_MATCH_VAR_H

#include "attr/match.h"

/* AM_Var */
/*@ requires unproved: \false;
    terminates \true;
    assigns  \nothing;
*/
int attr_match_var(struct attr_view t, struct values vs, int i, int x);

#endif
