#include <string.h>

#include "attr/read.h"

/*@ requires valid:    \valid(b);
    terminates \true;
    exits    never:    \false;
    assigns  *b;
    ensures  empty:    b->slot.n == 0 && b->symbol.n == 0 && b->other.n == 0;
*/
void attr_bindings_free(struct attr_bindings *b)
{
    ints_free(&b->slot);
    ints_free(&b->symbol);
    mem_free(b->other.a);
    memset(b, 0, sizeof *b);
}
