/* An arena of expressions begins. */
#include "attr/attr_room.h"

/*@ requires valid:    \valid(t) && \valid(mem) && \valid_read(values);
    requires apart:    \separated(t, mem, values);
    requires values:   0 <= values->n;
    terminates \true;
    exits    never:    \false;
    assigns  *t;
    ensures  ready:    ready_attrs(t) && t->mem == mem && t->values == values;
    ensures  empty:    t->node.n == 0 && t->kid.n == 0 && t->slot.n == 0 && t->nsymbol == 0;
*/
void attrs_init(struct attrs *t, struct values *values, struct mem *mem)
{
    t->mem = mem;
    t->values = values;
    t->node.a = NULL;
    t->node.n = t->node.cap = 0;
    t->kid.a = NULL;
    t->kid.n = t->kid.cap = 0;
    t->slot.a = NULL;
    t->slot.n = t->slot.cap = 0;
    t->nsymbol = 0;
}
