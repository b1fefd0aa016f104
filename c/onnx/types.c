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
