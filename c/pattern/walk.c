#include "pattern/walk.h"

void walk_free(struct walker *w)
{
    mem_free(w->seen.a);
    mem_free(w->work.a);
    *w = (struct walker){ 0 };
}

bool walk_room(struct walker *w, struct mem *mem, int n)
{
    if (!vec_room(mem, &w->work, n) || !vec_room(mem, &w->seen, n - w->seen.n))
        return false;
    walk_clear(w->seen.a, w->seen.n, n);
    if (w->seen.n < n)
        w->seen.n = n;
    return true;
}
