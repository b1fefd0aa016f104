/* Operators without an internal form: they are carried as the bytes of their NodeProto. What the bytes say to rules
   and printers, writing them with the values' names, and whether a model with such operators can change its opset. */

#include "onnx/onnx_internal.h"

#include <stdio.h>
#include <string.h>

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

enum calque_status onnx_write_fail(const struct onnx_writer *w, int node, enum calque_status st,
                                   const char *text)
{
    const struct node *n = &w->g->node.a[node];
    const char *name = strs_text(w->f.strs, n->label >= 0 ? n->label : n->name);
    char s[ONNX_SHOW], number[24];

    snprintf(number, sizeof number, "#%d", node);
    return diag_set(w->f.diag, st, w->f.file, 0, 0, "node '%s' (%s): %s",
                    onnx_show(s, name[0] ? name : number),
                    n->kind == NODE_OP ? op_info(n->op)->name : "not an operator", text);
}

static enum calque_status unpack(struct onnx_writer *w, int node, Onnx__NodeProto **p)
{
    const struct node *n = &w->g->node.a[node];
    const struct raw *r;
    ProtobufCMessage *m;
    enum calque_status st;

    if (n->data < 0 || n->data >= w->g->raw.n)
        return onnx_write_fail(w, node, CALQUE_INTERNAL, "an opaque node without bytes");
    r = &w->g->raw.a[n->data];
    st = wire_unpack(&w->alloc, &onnx__node_proto__descriptor, w->f.file, r->a, r->n, &m,
                     w->f.diag);
    *p = (Onnx__NodeProto *)m;
    return st == CALQUE_BAD ? onnx_write_fail(w, node, st, "its bytes are not a NodeProto") : st;
}

static bool put_names(struct onnx_writer *w, char **names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int id = names[i][0] ? strs_addz(w->f.strs, names[i]) : -1;
        if ((names[i][0] && id < 0) || !ints_push(w->f.mem, &w->pool, id))
            return false;
        if (id >= 0 && !idmap_set(w->f.mem, &w->reserved, id, 1))
            return false;
    }
    return true;
}

static enum calque_status read_fixed(struct onnx_writer *w, int node, const Onnx__NodeProto *p)
{
    const struct node *n = &w->g->node.a[node];
    struct onnx_fixed *x = &w->fixed.a[w->fixed.n];
    struct ints captured = {0}, all = {0};
    enum calque_status st = onnx_captures(&w->f, p, &captured, &all);
    bool bare = !p->n_input && !p->n_output && !captured.n; /* .graph text without bytes */

    x->node = node;
    x->in = w->pool.n;
    x->nin = bare ? n->nin : (int)p->n_input;
    x->captured = x->in + x->nin;
    x->ncaptured = captured.n;
    x->out = x->captured + captured.n;
    x->nout = bare ? n->index : (int)p->n_output;
    for (int i = 0; bare && i < n->nin + n->index && !st; i++)
        if (!ints_push(w->f.mem, &w->pool, -1))
            st = diag_nomem(w->f.diag);
    if (!st && !put_names(w, p->input, p->n_input))
        st = diag_nomem(w->f.diag);
    for (int i = 0; i < captured.n && !st; i++)
        if (!ints_push(w->f.mem, &w->pool, captured.a[i]))
            st = diag_nomem(w->f.diag);
    if (!st && !put_names(w, p->output, p->n_output))
        st = diag_nomem(w->f.diag);
    for (int i = 0; i < all.n && !st; i++)
        if (!idmap_set(w->f.mem, &w->reserved, all.a[i], 1))
            st = diag_nomem(w->f.diag);
    ints_free(&captured);
    ints_free(&all);
    return st;
}

/* Would the operator have a meaning if the model imported its domain, which is `calque`? */
static bool is_ours(const Onnx__NodeProto *p)
{
    int op = p->domain && p->op_type && strcmp(p->domain, ONNX_CALQUE) == 0 ? op_find(p->op_type, strlen(p->op_type)) : -1;

    return op >= 0 && (op_info(op)->traits & OP_CALQUE);
}

/* What the model must import. */
static bool put_domain(struct onnx_writer *w, const char *domain)
{
    int id = domain && domain[0] ? strs_addz(w->f.strs, domain) : -1;

    if (id < 0)
        return !domain || !domain[0];
    for (int k = 0; k < w->domains.n; k++)
        if (w->domains.a[k] == id)
            return true;
    return ints_push(w->f.mem, &w->domains, id);
}

enum calque_status onnx_fixed_read(struct onnx_writer *w)
{
    for (int i = 0; i < w->g->node.n; i++) {
        const struct node *n = &w->g->node.a[i];
        Onnx__NodeProto *p;
        enum calque_status st;

        if (n->kind != NODE_OP || n->op != OP_Opaque)
            continue;
        if (!vec_room(w->f.mem, &w->fixed, 1) ||
            !idmap_set(w->f.mem, &w->fixed_of, i, w->fixed.n))
            return diag_nomem(w->f.diag);
        st = unpack(w, i, &p);
        if (st)
            return st;
        st = read_fixed(w, i, p);
        w->unimported = w->unimported || (!w->imports && is_ours(p));
        if (!st && !put_domain(w, p->domain))
            st = diag_nomem(w->f.diag);
        protobuf_c_message_free_unpacked(&p->base, &w->alloc.base);
        if (st)
            return st;
        if (n->nin != w->fixed.a[w->fixed.n].nin + w->fixed.a[w->fixed.n].ncaptured ||
            n->index > w->fixed.a[w->fixed.n].nout)
            return onnx_write_fail(w, i, CALQUE_BAD,
                                   "its inputs or outputs are not those of its bytes");
        w->fixed.n++;
    }
    return CALQUE_OK;
}

/* Makes node m available under the name, by an Identity if need be; false when the bytes must change. */
static enum calque_status provide(struct onnx_writer *w, int m, int name, bool *fits)
{
    *fits = m < 0 ? name < 0 : name == w->name[m];
    if (*fits || m < 0 || name < 0 || idmap_get(&w->alias, name) != m)
        return CALQUE_OK;
    *fits = true;
    if (idmap_get(&w->emitted, name) >= 0)
        return CALQUE_OK;
    if (!idmap_set(w->f.mem, &w->emitted, name, 1))
        return diag_nomem(w->f.diag);
    return onnx_out_identity(w, w->name[m], name);
}

static int input_of(const struct onnx_writer *w, int node, int k)
{
    int m = graph_in(w->g, node, k);

    return m < 0 ? -1 : w->rep[m];
}

/* The name output k has now. One that nobody reads keeps its name unless another value took it. */
static int output_name(const struct onnx_writer *w, const struct onnx_fixed *x, int k)
{
    int node = x->node, slot = -1, name = w->pool.a[x->out + k];

    if (k < w->g->node.a[node].index)
        slot = graph_multi(w->g, node) ? w->slots.a[w->slot[node] + k] : node;
    if (slot >= 0)
        return w->name[slot];
    return idmap_get(&w->owner, name) == node ? name : -1;
}

/* Writes the node with other names than its bytes have. */
static enum calque_status write_patched(struct onnx_writer *w, const struct onnx_fixed *x,
                                        const bool *fits)
{
    Onnx__NodeProto *p, copy;
    size_t n = (size_t)(x->nin + x->nout);
    char **names = mem_resize(w->f.mem, NULL, n, sizeof *names);
    enum calque_status st;

    if (!names)
        return diag_nomem(w->f.diag);
    st = unpack(w, x->node, &p);
    if (!st) {
        copy = *p;
        for (int k = 0; k < x->nin + x->nout; k++) {
            int m = k < x->nin ? input_of(w, x->node, k) : -1, id = -1;
            if (k >= x->nin)
                id = output_name(w, x, k - x->nin);
            else if (fits[k])
                id = w->pool.a[x->in + k];
            else if (m >= 0)
                id = w->name[m];
            names[k] = (char *)(uintptr_t)strs_text(w->f.strs, id); /* only read */
        }
        copy.n_input = (size_t)x->nin;
        copy.input = names;
        copy.n_output = (size_t)x->nout;
        copy.output = names + x->nin;
        wire_put_message(&w->nodes, 1, &copy.base);
        st = text_status(&w->nodes, w->f.diag);
        protobuf_c_message_free_unpacked(&p->base, &w->alloc.base);
    }
    mem_free(names);
    return st;
}

enum calque_status onnx_write_opaque(struct onnx_writer *w, int node)
{
    const struct onnx_fixed *x = &w->fixed.a[idmap_get(&w->fixed_of, node)];
    const struct raw *r = &w->g->raw.a[w->g->node.a[node].data];
    bool *fits = mem_zero(w->f.mem, (size_t)(x->nin + x->ncaptured), sizeof *fits), all = true;
    enum calque_status st = fits ? CALQUE_OK : diag_nomem(w->f.diag);

    for (int k = 0; k < x->nin + x->ncaptured && !st; k++) {
        st = provide(w, input_of(w, node, k), w->pool.a[x->in + k], &fits[k]);
        if (!st && k >= x->nin && !fits[k])
            st = onnx_write_fail(w, node, CALQUE_LIMIT,
                                 "its subgraph uses a name that now stands for another value");
        all = all && (st || fits[k]);
    }
    for (int k = 0; k < x->nout; k++)
        all = all && output_name(w, x, k) == w->pool.a[x->out + k];
    if (!st && !all)
        st = write_patched(w, x, fits);
    else if (!st) {
        wire_put_bytes(&w->nodes, 1, r->a, r->n);
        st = text_status(&w->nodes, w->f.diag);
    }
    mem_free(fits);
    return st;
}

/* A model at another opset: operators with a meaning have a form at each; those carried as bytes have not. */

/* Is the bytes' operator of the default domain? */
static bool is_onnx(const struct raw *bytes)
{
    struct wire w = {bytes->a, bytes->a + bytes->n};
    struct wire_field f;

    while (w.at < w.end && wire_next(&w, &f))
        if (f.number == 7 && f.type == WIRE_LEN && f.n > 0 && !(f.n == 7 && memcmp(f.data, "ai.onnx", 7) == 0))
            return false;
    return true;
}

enum calque_status onnx_convert(struct graph *g, int opset, struct diag *d)
{
    char s[ONNX_SHOW];

    if (opset < 1 || opset > ONNX_OPSET_KNOWN)
        return diag_set(d, CALQUE_BAD, "", 0, 0, "opset %d is not one of 1 to %d", opset, ONNX_OPSET_KNOWN);
    for (int i = 0; i < g->node.n && opset != g->opset; i++) {
        const struct node *x = &g->node.a[i];
        size_t len;
        const char *type;

        if (x->kind != NODE_OP || x->op != OP_Opaque || !is_onnx(&g->raw.a[x->data]))
            continue;
        type = graph_opaque_type(g, i, &len);
        return diag_set(d, CALQUE_BAD, "", 0, 0,
                        "the model cannot be converted to opset %d: node '%s' (%.*s) has no meaning here and stays as it is", opset,
                        onnx_show(s, x->label >= 0 ? strs_text(g->strs, x->label) : graph_name(g, i)),
                        len < 64 ? (int)len : 64, type);
    }
    g->opset = opset;
    return CALQUE_OK;
}

bool onnx_has_form(int op, int opset)
{
    return (op_info(op)->traits & OP_CALQUE) || onnx_form_find(op, opset);
}
