/* NodeProtos under construction: inputs, outputs, attributes, then one message into the file. */
#include "onnx/onnx_internal.h"

#include <string.h>

#define ATTR(t) ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__##t

void onnx_out_init(struct onnx_out *o, struct onnx_writer *w, const char *op)
{
    memset(o, 0, sizeof *o);
    o->w = w;
    o->op = op;
}

void onnx_out_free(struct onnx_out *o)
{
    for (int i = 0; i < o->nattr; i++)
        mem_free(o->attr[i].is);
    ints_free(&o->in);
    ints_free(&o->out);
    o->nattr = 0;
}

void onnx_out_in(struct onnx_out *o, int name)
{
    o->nomem = !ints_push(o->w->f.mem, &o->in, name) || o->nomem;
}

void onnx_out_out(struct onnx_out *o, int name)
{
    o->nomem = !ints_push(o->w->f.mem, &o->out, name) || o->nomem;
}

void onnx_out_i(struct onnx_out *o, const char *label, long x)
{
    o->attr[o->nattr].label = label;
    o->attr[o->nattr].type = ATTR(INT);
    o->attr[o->nattr++].i = x;
}

void onnx_out_f(struct onnx_out *o, const char *label, double x)
{
    o->attr[o->nattr].label = label;
    o->attr[o->nattr].type = ATTR(FLOAT);
    o->attr[o->nattr++].f = (float)x;
}

void onnx_out_is(struct onnx_out *o, const char *label, const long *x, size_t n)
{
    long *copy = mem_resize(o->w->f.mem, NULL, n, sizeof *copy);

    if (!copy) {
        o->nomem = true;
        return;
    }
    if (n)
        memcpy(copy, x, n * sizeof *copy);
    o->attr[o->nattr].label = label;
    o->attr[o->nattr].type = ATTR(INTS);
    o->attr[o->nattr].is = copy;
    o->attr[o->nattr++].n = n;
}

void onnx_out_s(struct onnx_out *o, const char *label, int str)
{
    o->attr[o->nattr].label = label;
    o->attr[o->nattr].type = ATTR(STRING);
    o->attr[o->nattr++].s = str;
}

void onnx_out_t(struct onnx_out *o, const char *label, struct tensor *t)
{
    o->attr[o->nattr].label = label;
    o->attr[o->nattr].type = ATTR(TENSOR);
    o->attr[o->nattr++].t = t;
}

void onnx_out_const(struct onnx_out *o, const char *suffix, int dtype, int rank, const void *data,
                    long n)
{
    struct onnx_writer *w = o->w;
    struct tensor t = {0};
    struct text stem;
    int name;

    t.dtype = dtype;
    t.shape.rank = rank;
    t.shape.dim[0] = n;
    t.bytes = (size_t)n * dtype_size(dtype);
    t.data = (void *)(uintptr_t)data; /* only read */
    text_init(&stem, w->f.mem);
    text_puts(&stem, strs_text(w->f.strs, o->out.n ? o->out.a[0] : -1));
    text_printf(&stem, "_%s", suffix);
    name = stem.failed ? -1 : onnx_fresh(w, stem.a);
    text_free(&stem);
    if (name < 0) {
        o->nomem = true;
        return;
    }
    onnx_tensor_put(&w->consts, 5, strs_text(w->f.strs, name), &t);
    onnx_value_info_put(&w->const_inputs, 11, strs_text(w->f.strs, name), dtype, &t.shape);
    onnx_out_in(o, name);
}

/* The tensor of an attribute as a message on the caller's stack. */
static void tensor_proto(Onnx__TensorProto *p, int64_t *dims, const struct tensor *t)
{
    onnx__tensor_proto__init(p);
    for (int i = 0; i < t->shape.rank; i++)
        dims[i] = t->shape.dim[i];
    p->n_dims = (size_t)t->shape.rank;
    p->dims = dims;
    p->has_data_type = 1;
    p->data_type = t->dtype;
    p->has_raw_data = 1;
    p->raw_data.len = t->bytes;
    p->raw_data.data = t->data;
}

struct attrs_proto {
    Onnx__AttributeProto a[ONNX_OUT_ATTRS], *at[ONNX_OUT_ATTRS];
    Onnx__TensorProto t;
    int64_t dims[RANK_MAX];
};

static void attrs_proto(struct attrs_proto *p, struct onnx_out *o)
{
    for (int i = 0; i < o->nattr; i++) {
        Onnx__AttributeProto *a = p->at[i] = &p->a[i];
        onnx__attribute_proto__init(a);
        a->name = (char *)(uintptr_t)o->attr[i].label; /* only read */
        a->has_type = 1;
        a->type = (Onnx__AttributeProto__AttributeType)o->attr[i].type;
        a->has_i = o->attr[i].type == ATTR(INT);
        a->i = o->attr[i].i;
        a->has_f = o->attr[i].type == ATTR(FLOAT);
        a->f = o->attr[i].f;
        if (o->attr[i].type == ATTR(STRING)) {
            const char *s = strs_text(o->w->f.strs, o->attr[i].s);
            a->has_s = true;
            a->s.len = strlen(s);
            a->s.data = (uint8_t *)(uintptr_t)s; /* only read */
        }
        a->n_ints = o->attr[i].n;
        a->ints = o->attr[i].is;
        if (o->attr[i].t) {
            tensor_proto(&p->t, p->dims, o->attr[i].t);
            a->t = &p->t;
        }
    }
}

/* The names' texts; no string may be added while they are in use. */
static void resolve(const struct onnx_out *o, char **names)
{
    for (int i = 0; i < o->in.n + o->out.n; i++) {
        int id = i < o->in.n ? o->in.a[i] : o->out.a[i - o->in.n];
        names[i] = (char *)(uintptr_t)strs_text(o->w->f.strs, id); /* only read */
    }
}

enum calque_status onnx_out_flush(struct onnx_out *o, int label, int origin)
{
    struct onnx_writer *w = o->w;
    Onnx__NodeProto p = ONNX__NODE_PROTO__INIT;
    struct attrs_proto attrs;
    struct text doc;
    char **names;

    w->plain = w->plain || !o->domain;
    w->calque = w->calque || o->domain;
    while (o->in.n > 0 && o->in.a[o->in.n - 1] < 0)
        o->in.n--;
    names = mem_resize(w->f.mem, NULL, (size_t)(o->in.n + o->out.n), sizeof *names);
    if (o->nomem || !names) {
        mem_free(names);
        return diag_nomem(w->f.diag);
    }
    resolve(o, names);
    attrs_proto(&attrs, o);
    text_init(&doc, w->f.mem);
    if (origin >= 0)
        text_printf(&doc, "calque %s", strs_text(w->f.strs, origin));
    p.n_input = (size_t)o->in.n;
    p.input = names;
    p.n_output = (size_t)o->out.n;
    p.output = names + o->in.n;
    p.op_type = (char *)(uintptr_t)o->op; /* only read */
    p.domain = (char *)(uintptr_t)o->domain;
    if (label >= 0)
        p.name = (char *)(uintptr_t)strs_text(w->f.strs, label);
    p.n_attribute = (size_t)o->nattr;
    p.attribute = attrs.at;
    p.doc_string = doc.a;
    if (!doc.failed)
        wire_put_message(&w->nodes, 1, &p.base);
    w->nodes.failed = w->nodes.failed || doc.failed;
    text_free(&doc);
    mem_free(names);
    return text_status(&w->nodes, w->f.diag);
}

enum calque_status onnx_out_identity(struct onnx_writer *w, int from, int to)
{
    struct onnx_out o;
    enum calque_status st;

    onnx_out_init(&o, w, "Identity");
    onnx_out_in(&o, from);
    onnx_out_out(&o, to);
    st = onnx_out_flush(&o, -1, -1);
    onnx_out_free(&o);
    return st;
}
