#include "attr/bound_room.h"

struct bound_room bound_room(struct attrs *t, int nslot, int nsymbol, int n)
{
    struct bound_room x;

    x.slot = mem_resize(t->mem, NULL, (size_t)nslot + 1, sizeof *x.slot);
    x.symbol = mem_resize(t->mem, NULL, (size_t)nsymbol + 1, sizeof *x.symbol);
    x.named = mem_resize(t->mem, NULL, (size_t)n + 1, sizeof *x.named);
    x.ok = x.slot && x.symbol && x.named;
    if (!x.ok) {
        mem_free(x.slot);
        mem_free(x.symbol);
        mem_free(x.named);
    }
    return x;
}
