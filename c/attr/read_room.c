#include "attr/read_room.h"

#include <stdlib.h>
#include <string.h>

#include "attr/value_room.h"
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

char *read_buffer(struct mem *m, long n) /*@ ghost (const char *text, long len) */
{
    return mem_resize(m, NULL, (size_t)n + 1, 1);
}

void read_buffer_free(char *buffer)
{
    mem_free(buffer);
}

int read_intern(struct strs *strs, const char *s, long n) /*@ ghost (const char *text, long len) */
{
    return strs_add(strs, s, (size_t)n);
}

/* The number that text[0 .. n - 1] begins with; *len characters of it. */
/*@ requires text:     0 <= n <= SCAN_NUMBER_MAX && \valid_read(text + (0 .. n - 1));
    requires len:      \valid(len) && \separated(len, text + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  *len, \result \from text[0 .. n - 1];
    ensures  len:      0 <= *len <= n;
*/
static double convert(const char *text, long n, long *len)
{
    char buf[SCAN_NUMBER_MAX + 1];
    char *end;
    double x;

    memcpy(buf, text, (size_t)n);
    buf[n] = '\0';
    x = strtod(buf, &end);
    *len = end - buf;
    return x;
}

bool read_is_double(const char *text, long n, long from, long to)
{
    long len;

    (void)n;
    (void)convert(text + from, to - from, &len);
    return len == to - from;
}

long read_double(const char *text, long n, long from, long to)
{
    long len;

    (void)n;
    return value_bits(convert(text + from, to - from, &len));
}
