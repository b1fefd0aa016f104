/* Sorting by keys: the heap sort of base/heap_sort.h. */
#include "pattern/key_sort.h"

#ifdef __FRAMAC__
#include "pattern/key_sort.acsl"
#else
#define HEAP_ITEM struct match_key
#endif
#define HEAP_BELOW(a, i, j) ((a)[i].order < (a)[j].order)
#include "base/heap_sort.h"

void key_sort(struct match_key *a, int n)
{
    heap_sort(a, n);
}
