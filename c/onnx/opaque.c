#include "onnx/opaque.h"

#include <string.h>

#include "onnx/onnx_internal.h"

/* Fields of NodeProto and AttributeProto. */
enum { NODE_OP_TYPE = 4, NODE_ATTRIBUTE = 5, NODE_DOMAIN = 7, ATTRIBUTE_NAME = 1 };

static const char default_domain[] = "ai.onnx";

static struct wire bytes_of(const struct graph *g, int node)
{
    const struct node *n = &g->node.a[node];
    const struct raw *r = n->data < 0 ? NULL : &g->raw.a[n->data];

    return r ? (struct wire){ r->a, r->a + r->n } : (struct wire){ NULL, NULL };
}

/* The next field of that number that has bytes; false: no more. */
static bool next(struct wire *w, unsigned number, struct wire_field *f)
{
    while (w->at < w->end && wire_next(w, f))
        if (f->number == number && f->type == WIRE_LEN)
            return true;
    return false;
}

/* The last field of that number, as protobuf has it. */
static struct wire_field text_field(struct wire w, unsigned number)
{
    struct wire_field f, last = { .n = 0, .data = (const unsigned char *)"" };

    while (next(&w, number, &f))
        last = f;
    return last;
}

void opaque_name(struct text *out, const struct graph *g, int node)
{
    struct wire w = bytes_of(g, node);
    struct wire_field domain = text_field(w, NODE_DOMAIN), type = text_field(w, NODE_OP_TYPE);

    if (domain.n > 0)
        text_put(out, (const char *)domain.data, domain.n);
    else
        text_puts(out, default_domain);
    text_puts(out, "::");
    text_put(out, (const char *)type.data, type.n);
}

static bool is_named(const struct wire_field *attribute, const char *label)
{
    struct wire_field name = text_field((struct wire){ attribute->data, attribute->data + attribute->n }, ATTRIBUTE_NAME);

    return name.n == strlen(label) && memcmp(name.data, label, name.n) == 0;
}

/* ---- attributes as values ---- */

/* Element i of the attribute's list, or its value. */
static int element(const struct graph *g, const Onnx__AttributeProto *a, int type, size_t i)
{
    struct values *vs = g->values;
    const ProtobufCBinaryData *s = &a->s;

    switch (type) {
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT: return value_int(vs, a->i);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT: return value_float(vs, (double)a->f);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS: return value_int(vs, a->ints[i]);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS: return value_float(vs, (double)a->floats[i]);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS: s = &a->strings[i]; break;
    default: break;
    }
    return value_str(vs, strs_add(g->strs, s->len ? (const char *)s->data : "", s->len));
}

static bool list(const struct graph *g, const Onnx__AttributeProto *a, int type, size_t n, int *out)
{
    int *id;
    bool ok = true;

    if (n > VALUE_LEN_MAX)
        return true;
    id = mem_zero(g->mem, n + 1, sizeof *id);
    for (size_t i = 0; id && i < n && ok; i++) {
        id[i] = element(g, a, type, i);
        ok = id[i] >= 0;
    }
    *out = id && ok ? value_tuple(g->values, id, (int)n) : -1;
    mem_free(id);
    return *out >= 0;
}

/* The attribute as a value; *out is -1: it is none. */
static bool decoded(const struct graph *g, const Onnx__AttributeProto *a, int *out)
{
    int type = onnx_attr_type(a);

    switch (type) {
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT:
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT:
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING:
        *out = element(g, a, type, 0);
        return *out >= 0;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS: return list(g, a, type, a->n_ints, out);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS: return list(g, a, type, a->n_floats, out);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS: return list(g, a, type, a->n_strings, out);
    default: return true;
    }
}

static bool named(const struct graph *g, int node, int *out)
{
    struct text t;
    int str;

    text_init(&t, g->mem);
    opaque_name(&t, g, node);
    str = t.failed ? -1 : strs_add(g->strs, t.a, (size_t)t.n);
    text_free(&t);
    *out = value_str(g->values, str);
    return *out >= 0;
}

bool opaque_attr(const struct graph *g, int node, const char *label, int *out)
{
    struct wire w = bytes_of(g, node);
    struct wire_field f;
    struct wire_alloc alloc;
    ProtobufCMessage *m;
    struct diag d;
    enum calque_status st;
    bool ok;

    *out = -1;
    if (strcmp(label, OPAQUE_NAME) == 0)
        return named(g, node, out);
    while (next(&w, NODE_ATTRIBUTE, &f)) {
        if (!is_named(&f, label))
            continue;
        wire_alloc_init(&alloc, g->mem);
        diag_clear(&d);
        st = wire_unpack(&alloc, &onnx__attribute_proto__descriptor, "", f.data, f.n, &m, &d);
        if (st)
            return st != CALQUE_NOMEM;
        ok = decoded(g, (Onnx__AttributeProto *)m, out);
        protobuf_c_message_free_unpacked(m, &alloc.base);
        return ok;
    }
    return true;
}

int opaque_count(const struct graph *g, int node)
{
    struct wire w = bytes_of(g, node);
    struct wire_field f;
    int n = 0;

    while (next(&w, NODE_ATTRIBUTE, &f))
        n++;
    return n;
}

int opaque_label(const struct graph *g, int node, int k)
{
    struct wire w = bytes_of(g, node);
    struct wire_field f = { .n = 0 }, name;

    for (int j = 0; j <= k; j++)
        if (!next(&w, NODE_ATTRIBUTE, &f))
            return -1;
    name = text_field((struct wire){ f.data, f.data + f.n }, ATTRIBUTE_NAME);
    return strs_add(g->strs, (const char *)name.data, name.n);
}

/* Is each attribute of a one of b, byte for byte? */
static bool contained(struct wire a, struct wire b, int *n)
{
    struct wire_field f, h;

    *n = 0;
    while (next(&a, NODE_ATTRIBUTE, &f)) {
        struct wire rest = b;
        bool found = false;
        while (!found && next(&rest, NODE_ATTRIBUTE, &h))
            found = f.n == h.n && memcmp(f.data, h.data, f.n) == 0;
        if (!found)
            return false;
        ++*n;
    }
    return true;
}

static bool same_text(struct wire a, struct wire b, unsigned number)
{
    struct wire_field x = text_field(a, number), y = text_field(b, number);

    return x.n == y.n && memcmp(x.data, y.data, x.n) == 0;
}

bool opaque_same(const struct graph *g, int a, int b)
{
    struct wire x = bytes_of(g, a), y = bytes_of(g, b);
    int n, m;

    return same_text(x, y, NODE_OP_TYPE) && same_text(x, y, NODE_DOMAIN) && contained(x, y, &n) && contained(y, x, &m) && n == m;
}

/* ---- attributes as bytes ---- */

/* What ONNX calls a value of this kind, or a list of such; -1: it has none. */
static int form_of(int kind, bool many)
{
    switch (kind) {
    case VALUE_INT:
        return many ? ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS : ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
    case VALUE_FLOAT:
        return many ? ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS : ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT;
    case VALUE_STR:
        return many ? ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS : ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING;
    default:
        return -1;
    }
}

/* The kind of all elements, integers if there are none; -1: they differ. */
static int kind_of(const struct values *vs, const struct value *v)
{
    int kind = v->len ? vs->v[vs->pool[v->first]].kind : VALUE_INT;

    for (int k = 1; k < v->len; k++)
        if (vs->v[vs->pool[v->first + k]].kind != kind)
            return -1;
    return kind;
}

/* Room for the elements of a list. */
struct lists {
    int64_t *i;
    float *f;
    ProtobufCBinaryData *s;
};

static ProtobufCBinaryData bytes(const struct graph *g, int str)
{
    /* only read */
    return (ProtobufCBinaryData){ (size_t)strs_len(g->strs, str), (uint8_t *)(uintptr_t)strs_text(g->strs, str) };
}

static void set_list(const struct graph *g, const struct value *v, Onnx__AttributeProto *a, struct lists *l)
{
    const struct values *vs = g->values;
    size_t n = (size_t)v->len;

    for (int k = 0; k < v->len; k++) {
        int id = vs->pool[v->first + k];
        if (vs->v[id].kind == VALUE_INT)
            l->i[k] = vs->v[id].num;
        else if (vs->v[id].kind == VALUE_FLOAT)
            l->f[k] = (float)value_real(vs, id);
        else
            l->s[k] = bytes(g, (int)vs->v[id].num);
    }
    a->ints = l->i;
    a->floats = l->f;
    a->strings = l->s;
    a->n_ints = a->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS ? n : 0;
    a->n_floats = a->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS ? n : 0;
    a->n_strings = a->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS ? n : 0;
}

static void set_one(const struct graph *g, int id, Onnx__AttributeProto *a)
{
    const struct value *v = &g->values->v[id];

    a->has_i = v->kind == VALUE_INT;
    a->has_f = v->kind == VALUE_FLOAT;
    a->has_s = v->kind == VALUE_STR;
    if (a->has_i)
        a->i = v->num;
    if (a->has_f)
        a->f = (float)value_real(g->values, id);
    if (a->has_s)
        a->s = bytes(g, (int)v->num);
}

/* False: there is no form for it. Failed memory fails out. */
static bool put_attr(struct text *out, const struct graph *g, const struct node_attr *x)
{
    const struct value *v = &g->values->v[x->value];
    bool many = v->kind == VALUE_TUPLE;
    int type = form_of(many ? kind_of(g->values, v) : v->kind, many);
    size_t n = many ? (size_t)v->len : 0;
    Onnx__AttributeProto a = ONNX__ATTRIBUTE_PROTO__INIT;
    struct lists l = { NULL, NULL, NULL };

    if (type < 0)
        return false;
    l.i = mem_zero(g->mem, n + 1, sizeof *l.i);
    l.f = mem_zero(g->mem, n + 1, sizeof *l.f);
    l.s = mem_zero(g->mem, n + 1, sizeof *l.s);
    a.name = (char *)(uintptr_t)strs_text(g->strs, x->label); /* only read */
    a.has_type = 1;
    a.type = (Onnx__AttributeProto__AttributeType)type;
    if (!l.i || !l.f || !l.s) {
        out->failed = true;
    } else {
        if (many)
            set_list(g, v, &a, &l);
        else
            set_one(g, x->value, &a);
        wire_put_message(out, NODE_ATTRIBUTE, &a.base);
    }
    mem_free(l.i);
    mem_free(l.f);
    mem_free(l.s);
    return true;
}

int opaque_bytes(struct text *out, const struct graph *g, const char *name, const struct node_attr *attr, int n)
{
    const char *cut = strstr(name, "::"), *type = cut ? cut + 2 : name;
    size_t domain = cut ? (size_t)(cut - name) : 0;

    wire_put_bytes(out, NODE_OP_TYPE, type, strlen(type));
    for (int k = 0; k < n; k++)
        if (strcmp(strs_text(g->strs, attr[k].label), OPAQUE_NAME) != 0 && !put_attr(out, g, &attr[k]))
            return attr[k].label;
    if (domain > 0 && !(domain == strlen(default_domain) && memcmp(name, default_domain, domain) == 0))
        wire_put_bytes(out, NODE_DOMAIN, name, domain);
    return -1;
}
