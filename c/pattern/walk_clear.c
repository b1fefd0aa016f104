#include "pattern/walk.h"

void walk_clear(unsigned *seen, int from, int n)
{
    /*@ loop invariant range: from <= k && (k <= n || k == from);
        loop invariant zero:  \forall integer j; from <= j < k ==> seen[j] == 0;
        loop assigns k, seen[from .. n - 1];
        loop variant n - k;
    */
    for (int k = from; k < n; k++)
        seen[k] = 0;
}
