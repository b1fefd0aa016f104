/* Memory of walks: new nodes have no stamp, old ones keep theirs, also when memory runs out. */
#include <string.h>

#include "pattern/visited.h"
#include "unit.h"

static void growing(void)
{
    struct mem mem = MEM_INIT;
    struct walker w;

    memset(&w, 0, sizeof w);
    w.stamp = 7;
    CU_ASSERT_FATAL(walk_room(&w, &mem, 3));
    CU_ASSERT(w.seen.n == 3 && w.seen.a[0] == 0 && w.seen.a[1] == 0 && w.seen.a[2] == 0);
    w.seen.a[0] = 5;
    w.seen.a[2] = 6;
    for (int n = 4; n <= 500; n++) {
        CU_ASSERT_FATAL(walk_room(&w, &mem, n));
        CU_ASSERT(w.seen.n == n && w.seen.a[n - 1] == 0 && w.work.cap >= n);
        w.seen.a[n - 1] = (unsigned)n;
    }
    CU_ASSERT(w.seen.a[0] == 5 && w.seen.a[2] == 6 && w.seen.a[100] == 101 && w.stamp == 7);
    CU_ASSERT(walk_room(&w, &mem, 10)); /* no fewer than before */
    CU_ASSERT(w.seen.n == 500 && w.seen.a[9] == 10);
    mem.fail_after = 0;
    CU_ASSERT(!walk_room(&w, &mem, 100000));
    CU_ASSERT(w.seen.n == 500 && w.seen.a[499] == 500);
    walk_free(&w);
}

static const struct unit_case cases[] = {
    { "growing", growing },
};

int main(void)
{
    return unit_main("pattern/walk", cases, UNIT_COUNT(cases));
}
