#include "attr/attr_room.h"

#include <string.h>

void attrs_init(struct attrs *t, struct values *values, struct mem *mem)
{
    memset(t, 0, sizeof *t);
    t->mem = mem;
    t->values = values;
}

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
