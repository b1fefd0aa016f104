/* Keys are sorted by their labels, and each keeps its node. */
#include "pattern/visited.h"
#include "unit.h"

enum { MAX = 70 };

/* n keys with the labels label(k), which fall, grow, repeat or jump: sorted, each node once and with its label. */
static void check(int n, unsigned long (*label)(int k, int n))
{
    struct match_key a[MAX + 1];
    bool seen[MAX] = { false };

    for (int k = 0; k < n; k++)
        a[k] = (struct match_key){ label(k, n), k };
    a[n] = (struct match_key){ 0, -1 };
    key_sort(a, n);
    for (int k = 0; k < n; k++) {
        CU_ASSERT_FATAL(0 <= a[k].node && a[k].node < n);
        CU_ASSERT(!seen[a[k].node] && a[k].order == label(a[k].node, n));
        seen[a[k].node] = true;
        CU_ASSERT(k == 0 || a[k - 1].order <= a[k].order);
    }
    CU_ASSERT(a[n].order == 0 && a[n].node == -1); /* nothing behind them is touched */
}

static unsigned long up(int k, int n)
{
    return (unsigned long)(k + n);
}

static unsigned long down(int k, int n)
{
    return ~0ul - (unsigned long)(k + n); /* beyond what an int holds */
}

static unsigned long jump(int k, int n)
{
    return (unsigned long)(k * 37 % (n + 1)) << 40;
}

static unsigned long equal(int k, int n)
{
    return (unsigned long)(k % 3 + n);
}

static void sorting(void)
{
    for (int n = 0; n <= MAX; n++) {
        check(n, up);
        check(n, down);
        check(n, jump);
        check(n, equal);
    }
}

static const struct unit_case cases[] = {
    { "sorting", sorting },
};

int main(void)
{
    return unit_main("pattern/key_sort", cases, UNIT_COUNT(cases));
}
