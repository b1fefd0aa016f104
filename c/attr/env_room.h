/* Memory for the arrays of an environment. Trusted: memory management. */
#ifndef CALQUE_ATTR_ENV_ROOM_H
#define CALQUE_ATTR_ENV_ROOM_H

#include "attr/env_fill.h"

/* Arrays apart from both arenas and from each other; .named is NULL when memory is out. */
/*@ BOTH_REQUIRES
    requires counts:   0 <= nslot && 0 <= nsymbol && 0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  *t->mem, \result \from indirect:n;
    ensures  sizes:    \result.nslot == nslot && \result.nsymbol == nsymbol;
    ensures  arrays:   \result.named == \null || \valid(\result.slot + (0 .. nslot - 1)) &&
                       \valid(\result.symbol + (0 .. nsymbol - 1)) && \valid(\result.named + (0 .. n - 1)) &&
                       \separated(\result.slot + (0 .. nslot - 1), \result.symbol + (0 .. nsymbol - 1), \result.named + (0 .. n - 1)) &&
                       ENV_APART(\result, n);
*/
struct bound_arrays env_room(struct attrs *t, int nslot, int nsymbol, int n);

#endif
