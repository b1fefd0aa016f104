#include "attr/attr_room.h"

void attrs_free(struct attrs *t)
{
    mem_free(t->node.a);
    ints_free(&t->kid);
    mem_free(t->slot.a);
    attrs_init(t, t->values, t->mem);
}

bool attrs_room(struct attrs *t, int nodes, int kids, int slots)
{
    return vec_room(t->mem, &t->kid, kids) && vec_room(t->mem, &t->node, nodes) && vec_room(t->mem, &t->slot, slots);
}
