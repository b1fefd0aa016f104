/* What tensors are stored as: sizes, names, conversions, bytes where these hold the same. */
#include "kernel/kernel.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
} elems[] = {
    [ELEM_F32] = {"f32", 4}, [ELEM_F64] = {"f64", 8}, [ELEM_I32] = {"i32", 4}, [ELEM_I64] = {"i64", 8},
    [ELEM_I8] = {"i8", 1},   [ELEM_U8] = {"u8", 1},   [ELEM_BOOL] = {"bool", 1},
};

static const int own[] = {[KERNEL_F32] = ELEM_F32, [KERNEL_F64] = ELEM_F64, [KERNEL_I32] = ELEM_I32, [KERNEL_I64] = ELEM_I64};

int kernel_own(enum kernel_type type)
{
    return own[type];
}

int kernel_stored(const struct kernel *k, int t)
{
    int elem = k->tensor.a[t].elem;

    return elem == ELEM_OWN ? own[k->type] : elem;
}

size_t kernel_bytes(const struct kernel *k, int t)
{
    return (size_t)kernel_elems(k, t) * elem_size(kernel_stored(k, t));
}

int kernel_elem(const struct kernel *k, int stored)
{
    return stored == own[k->type] ? ELEM_OWN : stored;
}

size_t elem_size(int elem)
{
    return elems[elem].size;
}

const char *elem_name(int elem)
{
    return elems[elem].name;
}

/* Towards zero, saturating, NaN to 0. */
static int32_t i32_of_real(double x)
{
    return isnan(x) ? 0 : x < -0x1p31 ? INT32_MIN : x >= 0x1p31 ? INT32_MAX : (int32_t)x;
}

static int64_t i64_of_real(double x)
{
    return isnan(x) ? 0 : x < -0x1p63 ? INT64_MIN : x >= 0x1p63 ? INT64_MAX : (int64_t)x;
}

static int8_t i8_of_real(double x)
{
    return isnan(x) ? 0 : x < -0x1p7 ? INT8_MIN : x >= 0x1p7 ? INT8_MAX : (int8_t)x;
}

static uint8_t u8_of_real(double x)
{
    return isnan(x) || x < 0 ? 0 : x >= 0x1p8 ? UINT8_MAX : (uint8_t)x;
}

#define EACH(F, from, T, to, expression)                                                     \
    case from * 8 + to:                                                                      \
        for (long i = 0; i < n; i++) {                                                       \
            F x = ((const F *)src)[i];                                                       \
            ((T *)dst)[i] = (expression);                                                    \
        }                                                                                    \
        break;
#define FROM(F, from, i32, i64, i8, u8)                                                      \
    EACH(F, from, float, ELEM_F32, (float)x)                                                 \
    EACH(F, from, double, ELEM_F64, (double)x)                                               \
    EACH(F, from, int32_t, ELEM_I32, i32)                                                    \
    EACH(F, from, int64_t, ELEM_I64, i64)                                                    \
    EACH(F, from, int8_t, ELEM_I8, i8)                                                       \
    EACH(F, from, uint8_t, ELEM_U8, u8)                                                      \
    EACH(F, from, unsigned char, ELEM_BOOL, x != 0)
_Static_assert(ELEM_BOOL < 8, "a pair of types is a case");

void kernel_convert(int from, const void *src, int to, void *dst, long n)
{
    switch (from * 8 + to) {
        FROM(float, ELEM_F32, i32_of_real((double)x), i64_of_real((double)x), i8_of_real((double)x), u8_of_real((double)x))
        FROM(double, ELEM_F64, i32_of_real(x), i64_of_real(x), i8_of_real(x), u8_of_real(x))
        FROM(int32_t, ELEM_I32, x, x, (int8_t)(uint8_t)x, (uint8_t)x)
        FROM(int64_t, ELEM_I64, (int32_t)(uint32_t)(uint64_t)x, x, (int8_t)(uint8_t)x, (uint8_t)x)
        FROM(int8_t, ELEM_I8, x, x, x, (uint8_t)x)
        FROM(uint8_t, ELEM_U8, x, x, (int8_t)x, x)
        EACH(unsigned char, ELEM_BOOL, float, ELEM_F32, x != 0 ? 1.0f : 0.0f)
        EACH(unsigned char, ELEM_BOOL, double, ELEM_F64, x != 0 ? 1.0 : 0.0)
        EACH(unsigned char, ELEM_BOOL, int32_t, ELEM_I32, x != 0)
        EACH(unsigned char, ELEM_BOOL, int64_t, ELEM_I64, x != 0)
        EACH(unsigned char, ELEM_BOOL, int8_t, ELEM_I8, x != 0)
        EACH(unsigned char, ELEM_BOOL, uint8_t, ELEM_U8, x != 0)
        EACH(unsigned char, ELEM_BOOL, unsigned char, ELEM_BOOL, x != 0)
    default:
        break;
    }
}

bool kernel_is_truth(const struct kernel *k, int id)
{
    const struct ex *e = &k->ex.a[id];

    switch (e->kind) {
    case EX_CONST:
        if (k->type == KERNEL_I32 || k->type == KERNEL_I64)
            return e->inum == 0 || e->inum == 1;
        return !signbit(e->num) && (e->num == 0 || e->num == 1);
    case EX_LOAD:
        return k->tensor.a[e->op].elem == ELEM_BOOL;
    case EX_CALL:
        if (e->op == FN_WHEN)
            return kernel_is_truth(k, e->b);
        if (e->op == FN_MIN || e->op == FN_MAX || e->op == FN_ORELSE)
            return kernel_is_truth(k, e->a) && kernel_is_truth(k, e->b);
        return e->op == FN_LESS || e->op == FN_EQUAL;
    case EX_SELECT:
        return kernel_is_truth(k, e->a) && kernel_is_truth(k, e->b);
    default:
        return false;
    }
}

/* ---- small integers as bytes ---- */

/* Where every element is an integer from -128 to 127, or from 0 to 255, it is stored as int8 or uint8, as the weights of quantised
   convolutions are. Loads convert, which gives the elements back bit for bit: -0 is none of these integers. */

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

int elem_narrow(int elem, const void *data, size_t n)
{
    bool negative = false, large = false;

    if (!is_wide(elem) || n < ELEM_FEW)
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

void *elem_narrowed(struct mem *mem, int elem, const void *data, size_t n)
{
    unsigned char *to = mem_resize(mem, NULL, n, sizeof *to);

    for (size_t i = 0; to && i < n; i++)
        to[i] = (unsigned char)small(elem, data, i);
    return to;
}
