#include "attr/read_both.h"

bool exprs_room(struct attrs *t, int nodes, int kids, int slots)
{
    return attrs_room(t, nodes, kids, slots);
}

int *exprs_scratch(struct attrs *t, const unsigned *ids, int n)
{
    int *own = mem_resize(t->mem, NULL, (size_t)n + 1, sizeof(int));

    if (own)
        read_copy_ids(own, ids, n);
    return own;
}

void exprs_scratch_free(int *scratch)
{
    mem_free(scratch);
}

struct reading read_constant(struct reading r, struct attrs *t, struct strs *strs)
{
    return value_read(r, t->values, strs);
}
