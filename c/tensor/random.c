#include "tensor/random.h"
#include "tensor/op.h"

#include "tensor/op.h"

static unsigned long mix(unsigned long *s)
{
    unsigned long z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

enum calque_status tensor_random(struct tensor *t, unsigned long *seed, struct diag *d)
{
    long n = shape_elems(&t->shape);

    for (long k = 0; k < n; k++)
        switch (t->dtype) {
        case DTYPE_F32: tensor_f32(t)[k] = (float)(mix(seed) >> 40) * 0x1p-23f - 1.0f; break;
        case DTYPE_F64: ((double *)t->data)[k] = (double)(mix(seed) >> 11) * 0x1p-52 - 1.0; break;
        case DTYPE_I32: ((int32_t *)t->data)[k] = (int32_t)(mix(seed) >> 62); break;
        case DTYPE_BOOL: ((unsigned char *)t->data)[k] = (unsigned char)(mix(seed) >> 63); break;
        case DTYPE_I64: tensor_i64(t)[k] = (long)(mix(seed) >> 62); break;
        default:
            return diag_set(d, CALQUE_BAD, "", 0, 0, "element type %s cannot be generated", dtype_name(t->dtype));
        }
    return CALQUE_OK;
}
