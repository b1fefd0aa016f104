/* Trusted, not proved: what value_read and the arenas' growth are said to assign is any int there is, so that the expressions stay
   does not follow from their contracts. */
#include "attr/read_both.h"

#include "attr/both_array.h"

bool exprs_room(struct attrs *t, int nodes, int kids, int slots) /*@ ghost (const int *own, int n) */
{
    return attrs_room(t, nodes, kids, slots) /*@ ghost (own, n) */;
}

int *exprs_array(struct attrs *t, int n)
{
    return mem_resize(t->mem, NULL, (size_t)n + 1, sizeof(int));
}

void exprs_scratch_free(int *scratch)
{
    mem_free(scratch);
}

struct reading read_constant(struct reading r, struct attrs *t, struct strs *strs)
{
    return value_read(r, t->values, strs);
}
