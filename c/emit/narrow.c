/* Constants of small integers as bytes: where every element of a constant operand is an integer from -128 to 127, or from 0 to 255,
   it is stored as int8 or uint8, as the weights of quantised convolutions are. Its loads convert, which gives the elements back
   bit for bit: -0 is none of these integers. */
#include "emit/module.h"

#include <string.h>

static bool is_wide(int elem)
{
    return elem == ELEM_F32 || elem == ELEM_F64 || elem == ELEM_I32 || elem == ELEM_I64;
}

/* Element i as an integer from -128 to 255; 256: it is none. */
static int small(int elem, const void *data, size_t i)
{
    const size_t size = elem_size(elem);
    const unsigned char *p = (const unsigned char *)data + i * size;
    unsigned char back[8];
    double r = 256;
    float f;
    int32_t n;
    int64_t m;

    switch (elem) {
    case ELEM_F32: memcpy(&f, p, size); r = (double)f; break;
    case ELEM_F64: memcpy(&r, p, size); break;
    case ELEM_I32: memcpy(&n, p, size); return n < -128 || n > 255 ? 256 : (int)n;
    default:       memcpy(&m, p, size); return m < -128 || m > 255 ? 256 : (int)m;
    }
    if (!(r >= -128 && r <= 255) || r != (double)(int)r)
        return 256;
    f = (float)(int)r;
    r = (double)(int)r;
    memcpy(back, elem == ELEM_F32 ? (const void *)&f : (const void *)&r, size);
    return memcmp(back, p, size) == 0 ? (int)r : 256;
}

int narrow_elem(int elem, const void *data, size_t n)
{
    bool negative = false, large = false;

    if (!is_wide(elem) || n < PLAN_ALIGN)
        return elem;
    for (size_t i = 0; i < n; i++) {
        int x = small(elem, data, i);
        negative = negative || x < 0;
        large = large || x > 127;
        if (x > 255 || (negative && large))
            return elem;
    }
    return large ? ELEM_U8 : ELEM_I8;
}

void *narrow_data(struct mem *mem, int elem, const void *data, size_t n)
{
    unsigned char *to = mem_resize(mem, NULL, n, sizeof *to);

    for (size_t i = 0; to && i < n; i++)
        to[i] = (unsigned char)small(elem, data, i);
    return to;
}
