/* The text of element types, sizes and cells. Invariant: it depends on the values only, not on the bits of a NaN. */
#include "tensor/cells.h"

#include <math.h>
#include <string.h>

#include "tensor/op.h"

void cells_type(struct text *t, int dtype, const struct shape *s)
{
    text_printf(t, "(%s", dtype ? dtype_name(dtype) : "?");
    if (s->rank < 0)
        text_puts(t, " ?");
    for (int k = 0; k < s->rank; k++)
        text_printf(t, " %ld", s->dim[k]);
    text_puts(t, ")");
}

static void cell_f32(struct text *t, float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        text_puts(t, " nan");
    else
        text_printf(t, " %08lx", (unsigned long)bits);
}

static void cell_f64(struct text *t, double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        text_puts(t, " nan");
    else
        text_printf(t, " %016lx", (unsigned long)bits);
}

static void cell_bytes(struct text *t, const unsigned char *a, size_t n)
{
    text_puts(t, " ");
    for (size_t k = 0; k < n; k++)
        text_printf(t, "%02x", a[k]);
}

void cells_text(struct text *t, const struct tensor *x)
{
    size_t size = dtype_size(x->dtype);
    const unsigned char *bytes = x->data;

    for (size_t i = 0; size > 0 && i < x->bytes / size && !t->failed; i++)
        switch (x->dtype) {
        case DTYPE_F32: cell_f32(t, ((const float *)x->data)[i]); break;
        case DTYPE_F64: cell_f64(t, ((const double *)x->data)[i]); break;
        case DTYPE_I32: text_printf(t, " %ld", (long)((const int32_t *)x->data)[i]); break;
        case DTYPE_I64: text_printf(t, " %ld", ((const long *)x->data)[i]); break;
        case DTYPE_BOOL: text_puts(t, bytes[i] ? " 1" : " 0"); break;
        default: cell_bytes(t, bytes + i * size, size);
        }
}
