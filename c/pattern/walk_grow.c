/* Memory of walks over a graph: growth keeps what is there. Trusted by walk.c. */
#include "pattern/walk_room.h"

/*@ requires valid:    \valid(w);
    terminates \true;
    exits    never:    \false;
    assigns  *w;
    ensures  empty:    w->seen.n == 0 && w->work.n == 0 && w->stamp == 0;
*/
void walk_free(struct walker *w)
{
    mem_free(w->seen.a);
    mem_free(w->work.a);
    *w = (struct walker){ 0 };
}

bool walk_grow(struct walker *w, struct mem *mem, int n)
{
    return vec_room(mem, &w->work, n) && vec_room(mem, &w->seen, n - w->seen.n);
}
