/* Labels of a list under insertion: where there is no label left between two neighbours, the smallest aligned range
   of labels around them that is thin enough is spread evenly (Bender, Cole, Demaine, Farach-Colton, Zito: Two
   simplified algorithms for maintaining order in a list, 2002): O(log n) amortised. */
#include "pattern/uses_room.h"

#define ORDER_GAP (1UL << 32)  /* between nodes that are numbered in a row */
#define ORDER_TOP (1UL << 62)  /* labels are smaller */

/* The whole list evenly. */
static void spread_all(struct uses *u)
{
    unsigned long n = 2, k = 0;

    for (int x = u->first; x >= 0; x = u->node.a[x].after)
        n++;
    for (int x = u->first; x >= 0; x = u->node.a[x].after)
        u->node.a[x].order = ++k * (ORDER_TOP / n);
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
        spread_all(u);
}

static void spread(struct uses *u, int x)
{
    struct use_node *n = u->node.a;
    int left = x, right = x;
    unsigned long count = 1;
    double allowed = 1;

    for (int bits = 1; bits < 62; bits++) {
        unsigned long size = 1UL << bits, base = n[x].order & ~(size - 1);
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
    spread_all(u);
}

void uses_place(struct uses *u, int node, int next)
{
    struct use_node *n = u->node.a, *x = &n[node];
    unsigned long low;

    if (node == next || x->after == next)
        return;
    if (x->before >= 0)
        n[x->before].after = x->after;
    else
        u->first = x->after;
    if (x->after >= 0)
        n[x->after].before = x->before;
    else
        u->last = x->before;
    low = n[next].before < 0 ? 0 : n[n[next].before].order;
    if (n[next].order - low < 2) {
        spread(u, next);
        low = n[next].before < 0 ? 0 : n[n[next].before].order;
    }
    x->before = n[next].before;
    x->after = next;
    x->order = low + (n[next].order - low) / 2;
    if (x->before >= 0)
        n[x->before].after = node;
    else
        u->first = node;
    n[next].before = node;
}
