/* Memory for children beside both arenas. Trusted: memory management. */
#ifndef CALQUE_ATTR_BOTH_ARRAY_H
#define CALQUE_ATTR_BOTH_ARRAY_H

#include "attr/both_room.h"

/* An array of n ints apart from both arenas; NULL when memory is out. */
/*@ BOTH_REQUIRES
    requires count:    0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  *t->mem, \result \from indirect:n;
    ensures  array:    \result == \null || \valid(\result + (0 .. n - 1)) && apart_kids(t, \result, n) &&
                       apart_ids(t->values, \result, n);
*/
int *exprs_array(struct attrs *t, int n);

#endif
