#include "attr/value.h"

#include "attr/value_sweep.h"

bool values_keep(struct values *vs, int first, int pool, int *id, int n)
{
    int *map = mem_resize(vs->mem, NULL, (size_t)(vs->n - first) + 1, sizeof *map);
    struct value_extent left;

    if (!map)
        return false;
    left = values_sweep(*vs, first, pool, map, id, n);
    vs->n = left.n;
    vs->npool = left.npool;
    mem_free(map);
    return true;
}
