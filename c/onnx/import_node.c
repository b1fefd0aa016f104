/* One node of an ONNX model: its operator canonicalized, expanded, computed or kept as bytes, and its values named
   and typed. */
#include "onnx/onnx_internal.h"

#include <stdio.h>
#include <string.h>

static const char provenance[] = "calque ";

enum calque_status onnx_define(struct onnx_reader *r, const char *name, int node)
{
    int id = strs_addz(r->f.strs, name);
    char s[ONNX_SHOW];

    if (id >= 0 && idmap_get(&r->def, id) >= 0)
        return diag_set(r->f.diag, CALQUE_BAD, r->f.file, 0, 0, "value '%s' is defined twice",
                        onnx_show(s, name));
    if (!idmap_set(r->f.mem, &r->def, id, node))
        return diag_nomem(r->f.diag);
    return CALQUE_OK;
}

/* A node whose type inference left unknown gets the type the file declares for the value. */
static enum calque_status declared_type(const struct onnx_reader *r, int node)
{
    struct node *x = &r->g->node.a[node];
    int k = idmap_get(&r->info, x->name), dtype, dim;
    enum onnx_type_kind kind;
    struct shape shape;
    enum calque_status st;

    if (k < 0 || (x->dtype != DTYPE_UNKNOWN && x->shape.rank >= 0))
        return CALQUE_OK;
    st = onnx_type_read(&r->f, r->infos.a[k]->name, r->infos.a[k]->type, &kind, &dtype, &shape,
                        &dim);
    if (st)
        return st;
    if (kind != ONNX_NOT_TENSOR && kind != ONNX_NO_TYPE && x->dtype == DTYPE_UNKNOWN)
        x->dtype = dtype;
    if (kind == ONNX_STATIC)
        x->shape = shape;
    return CALQUE_OK;
}

static enum calque_status infer(const struct onnx_reader *r, int node)
{
    struct diag *d = r->f.diag;
    enum calque_status st = op_infer(r->g, node, d);

    if (st && d && !d->file[0])
        snprintf(d->file, sizeof d->file, "%s", r->f.file);
    return st;
}

/* Names, types and provenance of a new NODE_OP, with a projection for each named output of a multi-output one. */
static enum calque_status finish(const struct onnx_node *n, int id)
{
    struct onnx_reader *r = n->r;
    struct graph *g = r->g;
    const char *doc = n->p->doc_string;
    size_t skip = sizeof provenance - 1;
    enum calque_status st;
    int label = -1;

    if (n->p->name && n->p->name[0] && (label = strs_addz(g->strs, n->p->name)) < 0)
        return diag_nomem(r->f.diag);
    g->node.a[id].label = label;
    if (doc && strncmp(doc, provenance, skip) == 0 &&
        (g->node.a[id].origin = strs_addz(g->strs, doc + skip)) < 0)
        return diag_nomem(r->f.diag);
    st = infer(r, id);
    if (st)
        return st;
    for (int k = 0; k < n->nout; k++) {
        const char *name = n->p->output[k];
        int out = id, str;

        if (!name[0])
            continue;
        str = strs_addz(g->strs, name);
        if (str < 0)
            return diag_nomem(r->f.diag);
        if (graph_multi(g, id)) {
            out = graph_proj(g, id, k, str);
            if (out < 0)
                return diag_nomem(r->f.diag);
            st = infer(r, out);
            if (st)
                return st;
        } else {
            g->node.a[id].name = str;
        }
        st = declared_type(r, out);
        if (!st)
            st = onnx_define(r, name, out);
        if (st)
            return st;
    }
    return CALQUE_OK;
}

static enum calque_status lookup(const struct onnx_node *n, int str, const char *how, int *node)
{
    struct onnx_reader *r = n->r;
    char s[ONNX_SHOW];

    *node = idmap_get(&r->def, str);
    if (*node >= 0)
        return CALQUE_OK;
    onnx_show(s, strs_text(r->f.strs, str));
    if (idmap_get(&r->later, str) >= n->number)
        return onnx_fail(n, CALQUE_BAD,
                         "%s '%s' is defined by this or a later node: cyclic or not in topological order",
                         how, s);
    return onnx_fail(n, CALQUE_BAD, "%s '%s' is not defined", how, s);
}

static enum calque_status read_inputs(struct onnx_node *n)
{
    struct onnx_reader *r = n->r;

    for (size_t k = 0; k < n->p->n_input; k++) {
        const char *name = n->p->input[k];
        int node = -1, str;
        enum calque_status st = CALQUE_OK;

        if (name[0]) {
            str = strs_addz(r->f.strs, name);
            if (str < 0)
                return diag_nomem(r->f.diag);
            st = lookup(n, str, "input", &node);
        }
        if (st)
            return st;
        if (!ints_push(r->f.mem, &n->in, node))
            return diag_nomem(r->f.diag);
    }
    return CALQUE_OK;
}

/* The values a subgraph uses follow the node's own inputs, so that they stay alive and in order. */
static enum calque_status read_captured(struct onnx_node *n)
{
    struct ints captured = {0};
    enum calque_status st = onnx_captures(&n->r->f, n->p, &captured, NULL);

    for (int i = 0; i < captured.n && !st; i++) {
        int node;
        st = lookup(n, captured.a[i], "a subgraph's value", &node);
        if (!st && !ints_push(n->r->f.mem, &n->in, node))
            st = diag_nomem(n->r->f.diag);
    }
    ints_free(&captured);
    return st;
}

bool onnx_is_default_domain(const char *domain)
{
    return !domain || !domain[0] || strcmp(domain, "ai.onnx") == 0;
}

/* The operator in words, for those who ask why it is opaque: of which domain, at which opset, in which form. */
static void opaque_words(const struct onnx_node *n, struct text *t)
{
    const char *domain = n->p->domain ? n->p->domain : "";
    char s[ONNX_SHOW];

    text_puts(t, onnx_show(s, n->p->op_type));
    if (n->r->no[0])
        text_printf(t, " %s", n->r->no);
    else if (!onnx_is_default_domain(domain))
        text_printf(t, " of domain %s", onnx_show(s, domain));
    else if (n->op >= 0 && !onnx_form_find(n->op, n->opset))
        text_printf(t, " of opset %d", n->opset);
    else if (n->op >= 0)
        text_puts(t, " in this form");
}

static enum calque_status note_reason(const struct onnx_node *n)
{
    struct onnx_reasons *why = n->r->why;
    struct text t;
    int k = 0, value, words;

    while (k < n->nout && !n->p->output[k][0])
        k++;
    if (!why || k == n->nout)
        return CALQUE_OK;
    text_init(&t, n->r->f.mem);
    opaque_words(n, &t);
    words = t.failed ? -1 : strs_addz(n->r->f.strs, t.a);
    value = strs_addz(n->r->f.strs, n->p->output[k]);
    text_free(&t);
    if (words < 0 || value < 0 || !vec_room(n->r->f.mem, why, 1))
        return diag_nomem(n->r->f.diag);
    why->a[why->n++] = (struct onnx_reason){value, words};
    return CALQUE_OK;
}

static enum calque_status read_opaque(struct onnx_node *n)
{
    struct graph *g = n->r->g;
    const struct raw *bytes = &n->r->slices.a[n->number];
    enum calque_status st;
    int id, raw;

    n->in.n = 0;
    n->nout = (int)n->p->n_output;
    while (n->nout > 0 && !n->p->output[n->nout - 1][0])
        n->nout--;
    for (size_t i = 0; i < n->p->n_attribute; i++) /* its bytes may be written into another folder */
        if (n->p->attribute[i]->t && onnx_is_external(n->p->attribute[i]->t))
            return onnx_fail(n, CALQUE_BAD, "is carried as its bytes, and an attribute has its data in another file");
    st = read_inputs(n);
    if (!st)
        st = read_captured(n);
    if (!st)
        st = note_reason(n);
    if (st)
        return st;
    raw = graph_raw(g, bytes->a, bytes->n);
    id = raw < 0 ? -1 : graph_op(g, OP_Opaque, -1, n->in.a, n->in.n, NULL, 0, n->nout);
    if (id < 0)
        return diag_nomem(n->r->f.diag);
    g->node.a[id].data = raw;
    return finish(n, id);
}

static enum calque_status list_tensor(const struct onnx_node *n, int dtype, bool scalar,
                                      const void *data, size_t count, struct tensor *out)
{
    struct shape s = {scalar ? 0 : 1, {(long)count}};
    enum calque_status st = tensor_new(n->r->f.mem, dtype, &s, out, n->r->f.diag);

    if (!st && count)
        memcpy(out->data, data, out->bytes);
    return st;
}

/* The tensor of a Constant node; CALQUE_NO for strings and sparse tensors. */
static enum calque_status constant_tensor(const struct onnx_node *n, struct tensor *out)
{
    static const struct {
        const char *label;
        int type, first;
    } forms[] = {
#define FORM(label, type, first) {label, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__##type, first}
        FORM("value", TENSOR, 1),          FORM("sparse_value", SPARSE_TENSOR, 11),
        FORM("value_float", FLOAT, 12),    FORM("value_floats", FLOATS, 12),
        FORM("value_int", INT, 12),        FORM("value_ints", INTS, 12),
        FORM("value_string", STRING, 12),  FORM("value_strings", STRINGS, 12)};
#undef FORM
    const Onnx__AttributeProto *a;
    size_t i = 0;
    char s[ONNX_SHOW];

    if (n->p->n_attribute != 1 || n->p->n_input || n->nout != 1)
        return onnx_fail(n, CALQUE_BAD, "needs exactly one attribute, no input and one output");
    a = n->p->attribute[0];
    while (i < sizeof forms / sizeof *forms && strcmp(forms[i].label, a->name) != 0)
        i++;
    if (i == sizeof forms / sizeof *forms || n->opset < forms[i].first)
        return onnx_fail(n, CALQUE_BAD, "has no attribute '%s' in opset %d", onnx_show(s, a->name),
                         n->opset);
    if (onnx_attr_type(a) != forms[i].type)
        return onnx_fail(n, CALQUE_BAD, "attribute '%s' must be of type %s, is %s", a->name,
                         onnx_attr_type_name(forms[i].type),
                         onnx_attr_type_name(onnx_attr_type(a)));
    switch (forms[i].type) {
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR:
        return onnx_tensor_take(&n->r->f, a->t, out);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT:
        return list_tensor(n, DTYPE_F32, true, &a->f, 1, out);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS:
        return list_tensor(n, DTYPE_F32, false, a->floats, a->n_floats, out);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT:
        return list_tensor(n, DTYPE_I64, true, &a->i, 1, out);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS:
        return list_tensor(n, DTYPE_I64, false, a->ints, a->n_ints, out);
    default:
        return CALQUE_NO;
    }
}

/* n->value becomes the node's result. */
static enum calque_status finish_const(struct onnx_node *n)
{
    struct graph *g = n->r->g;
    int name = strs_addz(g->strs, n->p->output[0]);
    int id = name < 0 ? -1 : graph_const(g, name, &n->value);

    return id < 0 ? diag_nomem(n->r->f.diag) : onnx_define(n->r, n->p->output[0], id);
}

static enum calque_status read_constant(struct onnx_node *n)
{
    enum calque_status st = constant_tensor(n, &n->value);

    if (st == CALQUE_NO)
        return read_opaque(n);
    return st ? st : finish_const(n);
}

static enum calque_status read_known(struct onnx_node *n, const struct onnx_form *form)
{
    struct graph *g = n->r->g;
    enum calque_status st = onnx_node_check(n, form);
    int id;

    if (st)
        return st;
    /* An optional output nobody reads is not there. */
    while (n->op != OP_Split && n->op != OP_BatchNormalization && n->nout > 1 &&
           idmap_get(&n->r->uses, strs_find(g->strs, n->p->output[n->nout - 1],
                                            strlen(n->p->output[n->nout - 1]))) < 0)
        n->nout--;
    while (n->in.n > 0 && n->in.a[n->in.n - 1] < 0)
        n->in.n--;
    st = onnx_canonicalize(n);
    if (!st && n->nomem)
        st = diag_nomem(n->r->f.diag);
    if (st)
        return st;
    if (n->is_const)
        return finish_const(n);
    if (n->made >= 0)
        return finish(n, n->made);
    id = graph_op(g, n->op, -1, n->in.a, n->in.n, n->attr, n->nattr, n->nout);
    return id < 0 ? diag_nomem(n->r->f.diag) : finish(n, id);
}

static bool same_domain(const char *a, const char *b)
{
    return (onnx_is_default_domain(a) && onnx_is_default_domain(b)) || (a && b && strcmp(a, b) == 0);
}

/* A model-local function of that name overrides the operator. */
static bool is_function(const struct onnx_reader *r, const char *domain, const char *op)
{
    for (size_t i = 0; i < r->model->n_functions; i++) {
        const Onnx__FunctionProto *f = r->model->functions[i];
        if (same_domain(f->domain, domain) && f->name && strcmp(f->name, op) == 0)
            return true;
    }
    return false;
}

/* The operator's number; -1 for what is not ours. */
static int known_op(const struct onnx_node *n)
{
    const char *domain = n->p->domain;
    bool plain = onnx_is_default_domain(domain), calque = n->r->calque && domain && strcmp(domain, ONNX_CALQUE) == 0;
    int op = plain || calque ? op_find(n->p->op_type, strlen(n->p->op_type)) : -1;

    if (op >= 0 && ((op_info(op)->traits & OP_CALQUE) != 0) == calque)
        return op;
    return plain ? onnx_expansion_find(n->p->op_type) : -1;
}

int onnx_plain_op(const char *name)
{
    int op = op_find(name, strlen(name));

    return op >= 0 && !(op_info(op)->traits & OP_CALQUE) ? op : onnx_expansion_find(name);
}

static enum calque_status read_one(struct onnx_node *n)
{
    const struct onnx_form *form = NULL;
    enum calque_status st;

    if (!n->p->op_type || !n->p->op_type[0])
        return onnx_fail(n, CALQUE_BAD, "has no operator");
    st = onnx_attr_sane(n);
    if (!st)
        st = read_inputs(n);
    if (st)
        return st;
    if (is_function(n->r, n->p->domain, n->p->op_type))
        return read_opaque(n);
    if (onnx_is_default_domain(n->p->domain) && strcmp(n->p->op_type, "Constant") == 0)
        return read_constant(n);
    n->op = known_op(n);
    if (n->op >= 0)
        form = onnx_form_find(n->op, n->opset);
    st = form ? read_known(n, form) : CALQUE_NO;
    return st == CALQUE_NO ? read_opaque(n) : st;
}

enum calque_status onnx_read_node(struct onnx_reader *r, int number)
{
    struct onnx_node n = {0};
    enum calque_status st;

    n.r = r;
    n.p = r->model->graph->node[number];
    n.number = number;
    n.opset = r->opset;
    n.op = n.made = -1;
    r->no[0] = '\0';
    n.nout = (int)n.p->n_output;
    while (n.nout > 0 && !n.p->output[n.nout - 1][0])
        n.nout--;
    st = read_one(&n);
    ints_free(&n.in);
    tensor_free(&n.value);
    return st;
}

enum calque_status onnx_read_opaque_constant(struct onnx_reader *r, const char *name,
                                             Onnx__AttributeProto *attribute)
{
    Onnx__NodeProto p = ONNX__NODE_PROTO__INIT;
    char *output = (char *)(uintptr_t)name, constant[] = "Constant"; /* only read */
    struct graph *g = r->g;
    struct text bytes;
    int id = -1, raw = -1, str = strs_addz(g->strs, name);

    p.n_output = 1;
    p.output = &output;
    p.op_type = constant;
    p.n_attribute = 1;
    p.attribute = &attribute;
    text_init(&bytes, r->f.mem);
    wire_pack(&bytes, &p.base);
    if (!bytes.failed)
        raw = graph_raw(g, bytes.a, (size_t)bytes.n);
    text_free(&bytes);
    if (raw >= 0 && str >= 0)
        id = graph_op(g, OP_Opaque, str, NULL, 0, NULL, 0, 1);
    if (id < 0)
        return diag_nomem(r->f.diag);
    g->node.a[id].data = raw;
    return onnx_define(r, name, id);
}
