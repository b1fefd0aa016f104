#include "attr/read_env.h"

int named_find(const struct attr_named *a, int n, int pattern, int label, long k)
{
    /*@ loop invariant range: 0 <= j <= n;
        loop invariant none:  unnamed(a, j, pattern, label, k);
        loop assigns j;
        loop variant n - j;
    */
    for (int j = 0; j < n; j++)
        if (a[j].pattern == pattern && a[j].label == label && a[j].k == k)
            return j;
    return -1;
}

int named_id(const struct attr_named *a, int n, int pattern, int label, long k)
{
    int j = named_find(a, n, pattern, label, k);

    return j < 0 ? -1 : a[j].id;
}

void unbound_fill(int *a, int n, int to)
{
    /*@ loop invariant range:   n <= k <= to;
        loop invariant unbound: \forall integer i; n <= i < k ==> a[i] == -1;
        loop assigns k, a[n .. to - 1];
        loop variant to - k;
    */
    for (int k = n; k < to; k++)
        a[k] = -1;
}

void bind_first(int *a, int k, int id)
{
    if (a[k] < 0)
        a[k] = id;
}
