/* The memory plan: largest buffer first, each at the lowest free offset. Invariant: buffers alive at one step do not
   overlap. */
#include "emit/module.h"

#include <stdlib.h>

struct order {
    size_t bytes;
    int item;
};

static int larger_first(const void *a, const void *b)
{
    const struct order *x = a, *y = b;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return (x->item > y->item) - (x->item < y->item);
}

static size_t aligned(size_t n)
{
    return (n + PLAN_ALIGN - 1) / PLAN_ALIGN * PLAN_ALIGN;
}

static bool alive_together(const struct plan_item *a, const struct plan_item *b)
{
    return a->def <= b->last && b->def <= a->last;
}

/* Lowest offset where x fits beside the items placed so far. Those are kept by increasing offset, so one pass does. */
static size_t lowest(const struct plan_item *items, const int *placed, int n, const struct plan_item *x)
{
    size_t at = 0, need = aligned(x->bytes);

    for (int i = 0; i < n; i++) {
        const struct plan_item *y = &items[placed[i]];
        if (!alive_together(x, y))
            continue;
        if (at + need <= y->offset)
            break;
        if (y->offset + aligned(y->bytes) > at)
            at = y->offset + aligned(y->bytes);
    }
    return at;
}

enum calque_status plan_memory(struct mem *mem, struct plan_item *items, int n, size_t *total, struct diag *d)
{
    struct order *order = mem_resize(mem, NULL, (size_t)n, sizeof *order);
    int *placed = mem_resize(mem, NULL, (size_t)n, sizeof *placed);
    enum calque_status st = order && placed ? CALQUE_OK : diag_nomem(d);

    *total = 0;
    for (int i = 0; i < n && st == CALQUE_OK; i++)
        order[i] = (struct order){ items[i].bytes, i };
    if (st == CALQUE_OK && n > 0)
        qsort(order, (size_t)n, sizeof *order, larger_first);
    for (int i = 0; i < n && st == CALQUE_OK; i++) {
        struct plan_item *x = &items[order[i].item];
        int j = i;
        if (x->bytes > SIZE_MAX / 8 || *total > SIZE_MAX / 8) {
            st = diag_set(d, CALQUE_LIMIT, "", 0, 0, "emit: the intermediate tensors are too large");
            break;
        }
        x->offset = lowest(items, placed, i, x);
        for (; j > 0 && items[placed[j - 1]].offset > x->offset; j--)
            placed[j] = placed[j - 1];
        placed[j] = order[i].item;
        if (x->offset + aligned(x->bytes) > *total)
            *total = x->offset + aligned(x->bytes);
    }
    mem_free(order);
    mem_free(placed);
    return st;
}
