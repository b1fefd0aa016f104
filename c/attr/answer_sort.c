#include "attr/answer_sort.h"

#ifdef __FRAMAC__
#include "attr/answer_sort.acsl"
#else
#define HEAP_ITEM struct attr_answer
#endif
#define HEAP_BELOW(a, i, j) (attr_answer_order((a) + (i), (a) + (j)) < 0)
#include "base/heap_sort.h"

void answer_sort(struct attr_answer *a, int n)
{
    heap_sort(a, n);
}
