/* Element types and tensors. Invariant: a tensor owns its data, as many bytes as shape and type say. */
#include "tensor/tensor.h"

#include <string.h>

/* ONNX TensorProto.DataType: code, text name, bytes of an element (0: not fixed). */
static const struct {
    int code;
    const char *name;
    size_t size;
} dtypes[] = {
    {DTYPE_F32, "f32", 4}, {2, "u8", 1},    {3, "i8", 1},         {4, "u16", 2},
    {5, "i16", 2},         {6, "i32", 4},   {DTYPE_I64, "i64", 8}, {8, "str", 0},
    {9, "bool", 1},        {10, "f16", 2},  {11, "f64", 8},       {12, "u32", 4},
    {13, "u64", 8},        {14, "c64", 8},  {15, "c128", 16},     {16, "bf16", 2},
    {17, "f8e4m3fn", 1},   {18, "f8e4m3fnuz", 1}, {19, "f8e5m2", 1}, {20, "f8e5m2fnuz", 1},
};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

size_t dtype_size(int dtype)
{
    for (int i = 0; i < DTYPES; i++)
        if (dtypes[i].code == dtype)
            return dtypes[i].size;
    return 0;
}

const char *dtype_name(int dtype)
{
    for (int i = 0; i < DTYPES; i++)
        if (dtypes[i].code == dtype)
            return dtypes[i].name;
    return "?";
}

int dtype_of_name(const char *name, size_t len)
{
    for (int i = 0; i < DTYPES; i++)
        if (strlen(dtypes[i].name) == len && memcmp(dtypes[i].name, name, len) == 0)
            return dtypes[i].code;
    return DTYPE_UNKNOWN;
}

enum calque_status tensor_new(struct mem *mem, int dtype, const struct shape *shape,
                              struct tensor *out, struct diag *d)
{
    size_t size = dtype_size(dtype);
    long n = shape_elems(shape);

    memset(out, 0, sizeof *out);
    if (size == 0)
        return diag_set(d, CALQUE_BAD, "", 0, 0, "element type %d has no tensors", dtype);
    if (n < 0)
        return diag_set(d, CALQUE_LIMIT, "", 0, 0,
                        "a tensor of unknown shape or with more than %ld elements",
                        TENSOR_ELEMS_MAX);
    if (n > 0 && !(out->data = mem_zero(mem, (size_t)n, size)))
        return diag_nomem(d);
    out->dtype = dtype;
    out->shape = *shape;
    out->bytes = (size_t)n * size;
    return CALQUE_OK;
}

enum calque_status tensor_copy(struct mem *mem, const struct tensor *t, struct tensor *out,
                               struct diag *d)
{
    struct tensor c = *t;

    memset(out, 0, sizeof *out);
    c.data = NULL;
    if (t->bytes > 0) {
        c.data = mem_resize(mem, NULL, t->bytes, 1);
        if (!c.data)
            return diag_nomem(d);
        memcpy(c.data, t->data, t->bytes);
    }
    *out = c;
    return CALQUE_OK;
}

float *tensor_f32(const struct tensor *t)
{
    return t->data;
}

long *tensor_i64(const struct tensor *t)
{
    return t->data;
}
