#include "attr/read_list.h"

#include <limits.h>

/* A number goes on top of the ids. */
static struct reading push(struct reading r, struct mem *m, unsigned word)
{
    if (r.status != CALQUE_OK)
        return r;
    r = read_room(r, m);
    if (r.status == CALQUE_OK)
        r.ids[r.nids++] = word;
    return r;
}

struct reading list_push(struct reading r, struct mem *m, struct bound x)
{
    long b = (long)UINT_MAX + 1, z = x.k < 0 ? -(x.k + 1) : x.k;
    unsigned hi = (unsigned)(z / b), lo = (unsigned)(z % b);

    r = push(r, m, (unsigned)x.kind);
    r = push(r, m, (unsigned)x.key);
    r = push(r, m, (unsigned)(x.label + 1L));
    r = push(r, m, x.k < 0 ? UINT_MAX - hi : hi);
    r = push(r, m, x.k < 0 ? UINT_MAX - lo : lo);
    return push(r, m, (unsigned)x.id);
}

/* One binding of an environment, and blanks. */
static struct reading read_binding(struct reading r, struct attrs *t, struct strs *strs)
{
    struct bound_read b;

    r = read_mark(r, '(');
    if (r.status != CALQUE_OK)
        return r;
    r.depth++;
    b = read_bound(r, t, strs);
    r = b.r;
    r.depth--;
    if (r.status == CALQUE_OK)
        r = read_mark(r, ')');
    if (r.status == CALQUE_OK)
        r = list_push(r, t->mem, b.x);
    return r.status == CALQUE_OK ? read_blanks(r) : r;
}

struct reading read_list(struct reading r, struct attrs *t, struct strs *strs)
{
    r = read_blanks(r);
    while (r.status == CALQUE_OK && !read_sees(r, ')'))
        r = read_binding(r, t, strs);
    return r;
}
