#include "attr/read_room.h"

#include <stdlib.h>
#include <string.h>

#include "base/strs.h"

struct reading read_room(struct reading r, struct mem *m)
{
    if (r.nids >= r.capids && !mem_grow(m, (void **)(void *)&r.ids, &r.capids, r.nids + 1, sizeof *r.ids))
        return read_fail(r, CALQUE_NOMEM);
    return r;
}

void read_room_free(struct reading r)
{
    mem_free(r.ids);
}

char *read_buffer(struct mem *m, long n)
{
    return mem_resize(m, NULL, (size_t)n + 1, 1);
}

void read_buffer_free(char *buffer)
{
    mem_free(buffer);
}

int read_intern(struct strs *strs, const char *s, long n)
{
    return strs_add(strs, s, (size_t)n);
}

struct read_double read_strtod(const char *text, long n, long from, long to)
{
    char buf[SCAN_NUMBER_MAX + 1];
    struct read_double d = { false, 0 };
    char *end;

    (void)n;
    memcpy(buf, text + from, (size_t)(to - from));
    buf[to - from] = '\0';
    d.x = strtod(buf, &end);
    d.ok = end == buf + (to - from);
    return d;
}
