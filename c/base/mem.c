/* Allocation, the one place that calls malloc. Invariant: sizes are checked for overflow before they are multiplied;
   a failure leaves the block as it is. Tests fail the k-th call. */
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"

static bool may(struct mem *m)
{
    m->count++;
    if (m->fail_after == 0)
        return false;
    if (m->fail_after > 0)
        m->fail_after--;
    return true;
}

void *mem_resize(struct mem *m, void *p, size_t n, size_t size)
{
    if (size != 0 && n > SIZE_MAX / 2 / size)
        return NULL;
    if (!may(m))
        return NULL;
    return realloc(p, n * size > 0 ? n * size : 1);
}

void *mem_zero(struct mem *m, size_t n, size_t size)
{
    if (size != 0 && n > SIZE_MAX / 2 / size)
        return NULL;
    if (!may(m))
        return NULL;
    return calloc(n > 0 ? n : 1, size > 0 ? size : 1);
}

char *mem_text(struct mem *m, const char *s, size_t n)
{
    char *t = mem_resize(m, NULL, n + 1, 1);
    if (t) {
        if (n)
            memcpy(t, s, n);
        t[n] = '\0';
    }
    return t;
}

void mem_free(void *p)
{
    free(p);
}

bool mem_grow(struct mem *m, void **array, int *cap, int need, size_t size)
{
    int c;
    void *p;

    if (need < 0 || need > INT32_MAX / 2)
        return false;
    c = mem_cap(*cap, need);
    p = mem_resize(m, *array, (size_t)c, size);
    if (!p)
        return false;
    *array = p;
    *cap = c;
    return true;
}

bool ints_push(struct mem *m, struct ints *v, int x)
{
    if (!vec_room(m, v, 1))
        return false;
    v->a[v->n++] = x;
    return true;
}
