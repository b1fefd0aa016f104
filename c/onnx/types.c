/* ONNX types, dimensions and tensors to ours and back. Invariant: a tensor that is taken has as many bytes as its
   shape says. */
#include "onnx/onnx_internal.h"

#include <string.h>

const char *onnx_show(char *out, const char *name)
{
    size_t k = 0;

    for (; *name && k < ONNX_SHOW - 8; name++) {
        unsigned char c = (unsigned char)*name;
        if (c < 32 || c == 127) {
            out[k++] = '\\';
            out[k++] = 'x';
            out[k++] = "0123456789abcdef"[c >> 4];
            out[k++] = "0123456789abcdef"[c & 15];
        } else {
            out[k++] = (char)c;
        }
    }
    if (*name)
        for (int i = 0; i < 3; i++)
            out[k++] = '.';
    out[k] = '\0';
    return out;
}

int idmap_get(const struct idmap *m, int id)
{
    return id >= 0 && id < m->n ? m->a[id] : -1;
}

bool idmap_set(struct mem *mem, struct idmap *m, int id, int value)
{
    if (id < 0)
        return false;
    if (id >= m->n) {
        if (!vec_room(mem, m, id + 1 - m->n))
            return false;
        while (m->n <= id)
            m->a[m->n++] = -1;
    }
    m->a[id] = value;
    return true;
}

void idmap_free(struct idmap *m)
{
    mem_free(m->a);
    m->a = NULL;
    m->n = m->cap = 0;
}

bool onnx_dim_known(const Onnx__TensorShapeProto__Dimension *x)
{
    return x->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE && x->dim_value != -1;
}

static enum calque_status read_dim(const struct onnx_file *f, const char *what,
                                   const Onnx__TensorShapeProto__Dimension *x, size_t i,
                                   long *dim, bool *known)
{
    char s[ONNX_SHOW];

    *known = onnx_dim_known(x);
    *dim = *known ? x->dim_value : 0;
    if (*dim < 0)
        return diag_set(f->diag, CALQUE_BAD, f->file, 0, 0,
                        "value '%s': dimension %zu is negative (%ld)", onnx_show(s, what), i, *dim);
    return CALQUE_OK;
}

enum calque_status onnx_type_read(const struct onnx_file *f, const char *what,
                                  const Onnx__TypeProto *t, enum onnx_type_kind *kind, int *dtype,
                                  struct shape *shape, int *dim)
{
    const Onnx__TensorShapeProto *sp;
    char s[ONNX_SHOW];

    *dtype = DTYPE_UNKNOWN;
    memset(shape, 0, sizeof *shape);
    shape->rank = -1;
    *dim = 0;
    *kind = ONNX_NO_TYPE;
    if (!t || t->value_case == ONNX__TYPE_PROTO__VALUE__NOT_SET)
        return CALQUE_OK;
    *kind = ONNX_NOT_TENSOR;
    if (t->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE || !t->tensor_type)
        return CALQUE_OK;
    *kind = ONNX_NO_SHAPE;
    *dtype = t->tensor_type->elem_type;
    sp = t->tensor_type->shape;
    if (!sp)
        return CALQUE_OK;
    if (sp->n_dim > RANK_MAX)
        return diag_set(f->diag, CALQUE_LIMIT, f->file, 0, 0,
                        "value '%s': more than %d dimensions", onnx_show(s, what), RANK_MAX);
    *kind = ONNX_STATIC;
    for (size_t i = 0; i < sp->n_dim; i++) {
        bool known;
        enum calque_status st = read_dim(f, what, sp->dim[i], i, &shape->dim[i], &known);
        if (st)
            return st;
        if (!known && *kind == ONNX_STATIC) {
            *kind = ONNX_SYMBOLIC;
            *dim = (int)i;
        }
    }
    if (*kind == ONNX_STATIC) {
        shape->rank = (int)sp->n_dim;
        if (shape_elems(shape) < 0)
            return diag_set(f->diag, CALQUE_LIMIT, f->file, 0, 0, "value '%s': too many elements",
                            onnx_show(s, what));
    }
    return CALQUE_OK;
}

static const Onnx__TypeProto__Tensor *tensor_type(const Onnx__ValueInfoProto *v)
{
    return v && v->type && v->type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE ? v->type->tensor_type : NULL;
}

bool onnx_value_info_denotes(const Onnx__ValueInfoProto *v)
{
    const Onnx__TypeProto__Tensor *t = tensor_type(v);

    if ((v->doc_string && v->doc_string[0]) || (v->type && v->type->denotation && v->type->denotation[0]))
        return true;
    for (size_t i = 0; t && t->shape && i < t->shape->n_dim; i++)
        if (t->shape->dim[i]->denotation && t->shape->dim[i]->denotation[0])
            return true;
    return false;
}

void onnx_value_info_like(struct text *out, unsigned number, const char *name, int dtype,
                          const struct shape *shape, const Onnx__ValueInfoProto *like)
{
    const Onnx__TypeProto__Tensor *old = tensor_type(like);
    bool same_rank = old && old->shape && shape->rank >= 0 && old->shape->n_dim == (size_t)shape->rank;
    Onnx__ValueInfoProto v = ONNX__VALUE_INFO_PROTO__INIT;
    Onnx__TypeProto t = ONNX__TYPE_PROTO__INIT;
    Onnx__TypeProto__Tensor tt = ONNX__TYPE_PROTO__TENSOR__INIT;
    Onnx__TensorShapeProto sp = ONNX__TENSOR_SHAPE_PROTO__INIT;
    Onnx__TensorShapeProto__Dimension dim[RANK_MAX], *dims[RANK_MAX];

    for (int i = 0; i < shape->rank; i++) {
        onnx__tensor_shape_proto__dimension__init(&dim[i]);
        dim[i].value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
        dim[i].dim_value = shape->dim[i];
        dim[i].denotation = same_rank ? old->shape->dim[i]->denotation : NULL;
        dims[i] = &dim[i];
    }
    sp.n_dim = shape->rank > 0 ? (size_t)shape->rank : 0;
    sp.dim = dims;
    tt.has_elem_type = 1;
    tt.elem_type = dtype;
    tt.shape = shape->rank >= 0 ? &sp : NULL;
    t.value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
    t.tensor_type = &tt;
    v.name = (char *)(uintptr_t)name; /* only read */
    v.type = &t;
    v.doc_string = like ? like->doc_string : NULL;
    t.denotation = like && like->type ? like->type->denotation : NULL;
    wire_put_message(out, number, &v.base);
}

void onnx_value_info_put(struct text *out, unsigned number, const char *name, int dtype,
                         const struct shape *shape)
{
    onnx_value_info_like(out, number, name, dtype, shape, NULL);
}

#define TYPE(t) ONNX__TENSOR_PROTO__DATA_TYPE__##t

enum { LAST_TYPE = 26 /* after BFLOAT16: floats of 8 and 4 bits, integers of 4 and 2 (IR 9 to 13) */ };

/* Bytes k into a new buffer of n * width from int32_data, little-endian, after a range check. */
static bool narrow(const struct onnx_file *f, const int32_t *x, size_t n, int dtype, size_t width,
                   void **out, const char **bad)
{
    unsigned char *b = mem_resize(f->mem, NULL, n, width);
    long low = 0, high = 0;

    if (!b)
        return false;
    if (dtype == TYPE(INT8) || dtype == TYPE(INT16)) {
        high = width == 1 ? INT8_MAX : INT16_MAX;
        low = -high - 1;
    } else {
        high = width == 1 ? UINT8_MAX : UINT16_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t u = (uint32_t)x[i];
        if (x[i] < low || x[i] > high)
            *bad = "an element does not fit its type";
        if (dtype == TYPE(BOOL))
            u = u != 0;
        for (size_t k = 0; k < width; k++)
            b[i * width + k] = (unsigned char)(u >> (8 * k));
    }
    *out = b;
    return true;
}

static bool narrow_u32(const struct onnx_file *f, const uint64_t *x, size_t n, void **out,
                       const char **bad)
{
    uint32_t *b = mem_resize(f->mem, NULL, n, sizeof *b);

    if (!b)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (x[i] > UINT32_MAX)
            *bad = "an element does not fit its type";
        b[i] = (uint32_t)x[i];
    }
    *out = b;
    return true;
}

/* The typed field of a dtype: its array, element count and elements per ONNX element. The array moves to *out. */
struct field {
    void **a;
    size_t n, per;
};

static struct field typed_field(Onnx__TensorProto *p, int dtype)
{
    switch (dtype) {
    case TYPE(FLOAT):
        return (struct field){(void **)(void *)&p->float_data, p->n_float_data, 1};
    case TYPE(COMPLEX64):
        return (struct field){(void **)(void *)&p->float_data, p->n_float_data, 2};
    case TYPE(INT64):
        return (struct field){(void **)(void *)&p->int64_data, p->n_int64_data, 1};
    case TYPE(DOUBLE):
        return (struct field){(void **)(void *)&p->double_data, p->n_double_data, 1};
    case TYPE(COMPLEX128):
        return (struct field){(void **)(void *)&p->double_data, p->n_double_data, 2};
    case TYPE(UINT32):
    case TYPE(UINT64):
        return (struct field){(void **)(void *)&p->uint64_data, p->n_uint64_data, 1};
    default:
        return (struct field){(void **)(void *)&p->int32_data, p->n_int32_data, 1};
    }
}

static void forget(Onnx__TensorProto *p, int dtype)
{
    struct field x = typed_field(p, dtype);

    *x.a = NULL;
    p->n_float_data = p->float_data ? p->n_float_data : 0;
    p->n_int64_data = p->int64_data ? p->n_int64_data : 0;
    p->n_double_data = p->double_data ? p->n_double_data : 0;
    p->n_uint64_data = p->uint64_data ? p->n_uint64_data : 0;
    p->n_int32_data = p->int32_data ? p->n_int32_data : 0;
}

static enum calque_status fail(const struct onnx_file *f, const Onnx__TensorProto *p,
                               enum calque_status st, const char *why)
{
    char s[ONNX_SHOW];

    return diag_set(f->diag, st, f->file, 0, 0, "tensor '%s': %s",
                    onnx_show(s, p->name ? p->name : ""), why);
}

static enum calque_status read_dims(const struct onnx_file *f, const Onnx__TensorProto *p,
                                    struct tensor *out, size_t *elems)
{
    char s[ONNX_SHOW];
    long n;

    if (p->n_dims > RANK_MAX)
        return fail(f, p, CALQUE_LIMIT, "more than 8 dimensions");
    out->shape.rank = (int)p->n_dims;
    for (size_t i = 0; i < p->n_dims; i++) {
        out->shape.dim[i] = p->dims[i];
        if (p->dims[i] < 0)
            return diag_set(f->diag, CALQUE_BAD, f->file, 0, 0,
                            "tensor '%s': dimension %zu is negative (%ld)",
                            onnx_show(s, p->name ? p->name : ""), i, (long)p->dims[i]);
    }
    n = shape_elems(&out->shape);
    if (n < 0)
        return fail(f, p, CALQUE_LIMIT, "too many elements");
    *elems = (size_t)n;
    return CALQUE_OK;
}

static enum calque_status take_typed(const struct onnx_file *f, Onnx__TensorProto *p, size_t elems,
                                     size_t width, struct tensor *out)
{
    int dtype = out->dtype;
    struct field x = typed_field(p, dtype);
    const char *bad = NULL;
    bool ok = true;
    char s[ONNX_SHOW];

    if (x.n != elems * x.per)
        return diag_set(f->diag, CALQUE_BAD, f->file, 0, 0,
                        "tensor '%s': %zu elements of data, its dimensions say %zu",
                        onnx_show(s, p->name ? p->name : ""), x.n / x.per, elems);
    if (!elems)
        return CALQUE_OK;
    if (x.a == (void **)(void *)&p->int32_data && width < 4)
        ok = narrow(f, p->int32_data, elems, dtype, width, &out->data, &bad);
    else if (dtype == TYPE(UINT32))
        ok = narrow_u32(f, p->uint64_data, elems, &out->data, &bad);
    else {
        out->data = *x.a;
        forget(p, dtype);
    }
    if (!ok)
        return diag_nomem(f->diag);
    if (!bad)
        return CALQUE_OK;
    mem_free(out->data);
    out->data = NULL;
    return fail(f, p, CALQUE_BAD, bad);
}

enum calque_status onnx_tensor_take(const struct onnx_file *f, Onnx__TensorProto *p,
                                    struct tensor *out)
{
    size_t elems = 0, width;
    enum calque_status st;
    char s[ONNX_SHOW];

    memset(out, 0, sizeof *out);
    out->dtype = p->data_type;
    if (p->segment)
        return fail(f, p, CALQUE_BAD, "segmented data is not supported");
    if (p->data_type == TYPE(STRING) || (p->data_type > TYPE(BFLOAT16) && p->data_type <= LAST_TYPE))
        return onnx_is_external(p) ? fail(f, p, CALQUE_BAD, "data of its element type is not read from another file") : CALQUE_NO;
    width = dtype_size(p->data_type);
    if (!width)
        return diag_set(f->diag, CALQUE_BAD, f->file, 0, 0, "tensor '%s': unknown element type %d",
                        onnx_show(s, p->name ? p->name : ""), p->data_type);
    st = read_dims(f, p, out, &elems);
    if (st)
        return st;
    out->bytes = elems * width;
    if (onnx_is_external(p))
        return onnx_external_take(f, p, out->bytes, &out->data);
    if (p->has_raw_data && (p->raw_data.len || !typed_field(p, p->data_type).n)) {
        if (p->raw_data.len != out->bytes)
            return diag_set(f->diag, CALQUE_BAD, f->file, 0, 0,
                            "tensor '%s': %zu bytes of data, its dimensions say %zu",
                            onnx_show(s, p->name ? p->name : ""), p->raw_data.len, out->bytes);
        if (!elems)
            return CALQUE_OK;
        out->data = p->raw_data.data;
        p->raw_data.data = NULL;
        p->raw_data.len = 0;
        return CALQUE_OK;
    }
    return take_typed(f, p, elems, width, out);
}

void onnx_tensor_put(struct text *out, unsigned number, const char *name, const struct tensor *t)
{
    Onnx__TensorProto p = ONNX__TENSOR_PROTO__INIT;
    int64_t dims[RANK_MAX];

    for (int i = 0; i < t->shape.rank; i++)
        dims[i] = t->shape.dim[i];
    p.n_dims = t->shape.rank > 0 ? (size_t)t->shape.rank : 0;
    p.dims = dims;
    p.has_data_type = 1;
    p.data_type = t->dtype;
    p.name = (char *)(uintptr_t)name; /* only read */
    p.has_raw_data = 1;
    p.raw_data.len = t->bytes;
    p.raw_data.data = t->data;
    wire_put_message(out, number, &p.base);
}

enum calque_status onnx_tensor_read(struct mem *mem, struct strs *strs, const char *file,
                                    const unsigned char *data, size_t n, struct tensor *out,
                                    int *name, struct diag *d)
{
    struct onnx_file f = {mem, strs, file, d, NULL};
    struct wire_alloc alloc;
    ProtobufCMessage *m;
    Onnx__TensorProto *p;
    enum calque_status st;

    memset(out, 0, sizeof *out);
    wire_alloc_init(&alloc, mem);
    st = wire_unpack(&alloc, &onnx__tensor_proto__descriptor, file, data, n, &m, d);
    if (st)
        return st;
    p = (Onnx__TensorProto *)m;
    st = onnx_tensor_take(&f, p, out);
    if (st == CALQUE_NO)
        st = fail(&f, p, CALQUE_BAD, "a tensor of strings or of elements of at most 8 bits newer than IR 8");
    if (!st && name) {
        *name = -1;
        if (p->name && p->name[0]) {
            *name = strs_addz(strs, p->name);
            if (*name < 0)
                st = diag_nomem(d);
        }
    }
    if (st)
        tensor_free(out);
    protobuf_c_message_free_unpacked(m, &alloc.base);
    return st;
}
