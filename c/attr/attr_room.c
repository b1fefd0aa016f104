/* Memory of the arena of expressions: growth keeps what is there, a failure changes nothing. Trusted by attr_add.c
   and attr.c. */
#include "attr/attr_room.h"

/*@ requires valid:    \valid(t);
    terminates \true;
    exits    never:    \false;
    assigns  *t;
    ensures  empty:    t->node.n == 0 && t->kid.n == 0 && t->slot.n == 0;
    ensures  same:     t->values == \old(t->values) && t->mem == \old(t->mem);
*/
void attrs_free(struct attrs *t)
{
    mem_free(t->node.a);
    ints_free(&t->kid);
    mem_free(t->slot.a);
    attrs_init(t, t->values, t->mem);
}

bool attrs_room(struct attrs *t, int nodes, int kids, int slots) /*@ ghost (const int *own, int n) */
{
    return vec_room(t->mem, &t->kid, kids) && vec_room(t->mem, &t->node, nodes) && vec_room(t->mem, &t->slot, slots);
}
