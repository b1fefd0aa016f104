/* A symbol more that is known. */
#ifndef CALQUE_ATTR_BOTH_SEE_H
#define CALQUE_ATTR_BOTH_SEE_H

#include "attr/both_room.h"

/* attr_see_symbol. */
/*@ BOTH_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->nsymbol;
    BOTH_KEEPS
    ensures  result:   \result == 1 <==> 0 <= symbol < ATTR_SYMBOL_MAX;
    ensures  known:    \result == 1 ==> symbol < t->nsymbol;
    ensures  counts:   t->node.n == \old(t->node.n) && t->slot.n == \old(t->slot.n);
*/
bool both_see(struct attrs *t, int symbol);

#endif
