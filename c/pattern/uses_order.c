/* Labels of a list under insertion: where there is no label left between two neighbours, the smallest aligned range
   of labels around them that is thin enough is spread evenly (Bender, Cole, Demaine, Farach-Colton, Zito: Two
   simplified algorithms for maintaining order in a list, 2002): O(log n) amortised. */
#include "pattern/order_list.h"
#include "pattern/uses_room.h"

#define ORDER_GAP (1UL << 32)  /* between nodes that are numbered in a row */
#define ORDER_TOP (1UL << 62)  /* labels are smaller */

struct order_view uses_order(const struct uses *u)
{
    return (struct order_view){ .node = u->node.a, .n = u->node.n, .first = u->first, .last = u->last };
}

void uses_reorder(struct uses *u, struct order_view v)
{
    u->first = (int)v.first;
    u->last = (int)v.last;
}

/* The whole list evenly. */
static void spread_all(struct order_view v)
{
    unsigned long n = 2, k = 0;

    for (long x = v.first; x >= 0; x = v.node[x].after)
        n++;
    for (long x = v.first; x >= 0; x = v.node[x].after)
        v.node[x].order = ++k * (ORDER_TOP / n);
}

void uses_append(struct uses *u, int k)
{
    struct use_node *n = u->node.a;
    unsigned long last = u->last < 0 ? 0 : n[u->last].order;

    n[k].before = u->last;
    n[k].after = -1;
    n[k].order = last + ORDER_GAP;
    if (u->last >= 0)
        n[u->last].after = k;
    else
        u->first = k;
    u->last = k;
    if (n[k].order >= ORDER_TOP)
        spread_all(uses_order(u));
}

void order_spread(struct order_view v, int x, int next)
{
    struct use_node *n = v.node;
    long left = next, right = next;
    unsigned long count = 1;
    double allowed = 1;

    (void)x;
    for (int bits = 1; bits < 62; bits++) {
        unsigned long size = 1UL << bits, base = n[next].order & ~(size - 1);
        allowed *= 1.5;
        for (; n[left].before >= 0 && n[n[left].before].order >= base; count++)
            left = n[left].before;
        for (; n[right].after >= 0 && n[n[right].after].order - base < size; count++)
            right = n[right].after;
        if ((double)count > allowed || size / (count + 1) < 4)
            continue;
        for (unsigned long k = 1; k <= count; k++, left = n[left].after)
            n[left].order = base + k * (size / (count + 1));
        return;
    }
    spread_all(v);
}

void uses_place(struct uses *u, int node, int next)
{
    uses_reorder(u, order_place(uses_order(u), node, next));
}
