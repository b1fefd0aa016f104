#include "attr/env_room.h"

struct bound_arrays env_room(struct attrs *t, int nslot, int nsymbol, int n)
{
    struct bound_arrays x = { .nslot = nslot, .nsymbol = nsymbol };

    x.slot = mem_resize(t->mem, NULL, (size_t)nslot + 1, sizeof *x.slot);
    x.symbol = mem_resize(t->mem, NULL, (size_t)nsymbol + 1, sizeof *x.symbol);
    x.named = mem_resize(t->mem, NULL, (size_t)n + 1, sizeof *x.named);
    if (x.slot && x.symbol && x.named)
        return x;
    mem_free(x.slot);
    mem_free(x.symbol);
    mem_free(x.named);
    x.slot = x.symbol = NULL;
    x.named = NULL;
    return x;
}
