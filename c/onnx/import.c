/* ONNX models to graphs: imports, inputs, initializers, nodes in the order of the file, outputs; and which outer
   values the subgraphs of a node use. Invariant: nodes come after those they use, else the model is refused.
   Subgraphs nest as deep as wire.c lets them. */
#include "onnx/onnx_internal.h"

#include <string.h>

enum { USE_ANY = 1, USE_OUTPUT = 2 /* the graph output has been read */ };

static enum calque_status bad(const struct onnx_reader *r, const char *text)
{
    return diag_set(r->f.diag, CALQUE_BAD, r->f.file, 0, 0, "%s", text);
}

static enum calque_status read_opset(struct onnx_reader *r)
{
    const Onnx__ModelProto *m = r->model;
    int64_t version = 0;

    if (m->n_opset_import == 0)
        return bad(r, "the model imports no operator set");
    for (size_t i = 0; i < m->n_opset_import; i++) {
        const char *domain = m->opset_import[i]->domain;
        if (domain && strcmp(domain, ONNX_CALQUE) == 0)
            r->calque = m->opset_import[i]->version == 1;
        if (domain && domain[0] && strcmp(domain, "ai.onnx") != 0)
            continue;
        version = m->opset_import[i]->version;
        if (version < 1 || version > ONNX_OPSET_MAX)
            return diag_set(r->f.diag, CALQUE_BAD, r->f.file, 0, 0,
                            "opset %ld is not supported (1 to %d are)", (long)version,
                            ONNX_OPSET_MAX);
    }
    /* Without the default domain every node is foreign; what is written later may still need one. */
    r->opset = r->g->opset = version ? (int)version : ONNX_OPSET_WRITTEN;
    return CALQUE_OK;
}

enum calque_status onnx_slices(const struct onnx_file *f, const Onnx__ModelProto *m, const unsigned char *data, size_t n,
                               struct onnx_slices *out)
{
    struct wire model = {data, data + n};
    struct wire_field graph, node;

    while (model.at < model.end && wire_next(&model, &graph)) {
        struct wire inner = {graph.data, graph.data + graph.n};
        if (graph.number != 7 || graph.type != WIRE_LEN)
            continue;
        while (inner.at < inner.end && wire_next(&inner, &node)) {
            if (node.number != 1 || node.type != WIRE_LEN)
                continue;
            if (!vec_room(f->mem, out, 1))
                return diag_nomem(f->diag);
            out->a[out->n].a = (unsigned char *)(uintptr_t)node.data; /* only read */
            out->a[out->n++].n = node.n;
        }
    }
    if ((size_t)out->n != m->graph->n_node)
        return diag_set(f->diag, CALQUE_BAD, f->file, 0, 0, "the graph's nodes cannot be told apart");
    return CALQUE_OK;
}

static enum calque_status note_use(struct onnx_reader *r, const char *name)
{
    if (!name || !name[0])
        return CALQUE_OK;
    if (!idmap_set(r->f.mem, &r->uses, strs_addz(r->f.strs, name), USE_ANY))
        return diag_nomem(r->f.diag);
    return CALQUE_OK;
}

static enum calque_status scan_node(struct onnx_reader *r, int number)
{
    const Onnx__NodeProto *p = r->model->graph->node[number];
    struct ints captured = {0};
    enum calque_status st = CALQUE_OK;

    for (size_t k = 0; k < p->n_input && !st; k++)
        st = note_use(r, p->input[k]);
    for (size_t k = 0; k < p->n_output && !st; k++)
        if (p->output[k][0] && !idmap_set(r->f.mem, &r->later,
                                          strs_addz(r->f.strs, p->output[k]), number))
            st = diag_nomem(r->f.diag);
    if (!st)
        st = onnx_captures(&r->f, p, &captured, NULL);
    for (int k = 0; k < captured.n && !st; k++)
        if (!idmap_set(r->f.mem, &r->uses, captured.a[k], USE_ANY))
            st = diag_nomem(r->f.diag);
    ints_free(&captured);
    return st;
}

/* Who uses, who will define and what is declared of each value. */
static enum calque_status note_infos(struct onnx_reader *r, Onnx__ValueInfoProto **a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!a[i]->name || !a[i]->name[0])
            continue;
        if (!vec_room(r->f.mem, &r->infos, 1) ||
            !idmap_set(r->f.mem, &r->info, strs_addz(r->f.strs, a[i]->name), r->infos.n))
            return diag_nomem(r->f.diag);
        r->infos.a[r->infos.n++] = a[i];
    }
    return CALQUE_OK;
}

static enum calque_status scan(struct onnx_reader *r)
{
    const Onnx__GraphProto *gp = r->model->graph;
    enum calque_status st = note_infos(r, gp->value_info, gp->n_value_info);

    if (!st)
        st = note_infos(r, gp->output, gp->n_output);
    for (size_t i = 0; i < gp->n_output && !st; i++)
        st = note_use(r, gp->output[i]->name);
    for (size_t i = 0; i < gp->n_node && !st; i++)
        st = scan_node(r, (int)i);
    return st;
}

/* Before IR 4 every initializer is listed as an input too; since then such an input may be given another value. */
static bool has_defaults(const struct onnx_reader *r)
{
    return r->model->has_ir_version && r->model->ir_version >= 4;
}

static enum calque_status note_named(struct onnx_reader *r, const char *name)
{
    if (name && name[0] && !idmap_set(r->f.mem, &r->named, strs_addz(r->f.strs, name), USE_ANY))
        return diag_nomem(r->f.diag);
    return CALQUE_OK;
}

/* Which initializers the file names outside of its nodes. */
static enum calque_status scan_named(struct onnx_reader *r)
{
    const Onnx__GraphProto *gp = r->model->graph;
    enum calque_status st = CALQUE_OK;

    for (size_t i = 0; has_defaults(r) && i < gp->n_input && !st; i++)
        st = note_named(r, gp->input[i]->name);
    for (size_t i = 0; i < gp->n_quantization_annotation && !st; i++) {
        const Onnx__TensorAnnotation *a = gp->quantization_annotation[i];
        st = note_named(r, a->tensor_name);
        for (size_t k = 0; k < a->n_quant_parameter_tensor_names && !st; k++)
            st = note_named(r, a->quant_parameter_tensor_names[k]->value);
    }
    return st;
}

/* An initializer that no node uses but that is named otherwise stays in the kept model as it is. */
static bool stays(const struct onnx_reader *r, const char *name)
{
    int str = name ? strs_find(r->f.strs, name, strlen(name)) : -1;

    return idmap_get(&r->uses, str) < 0 && idmap_get(&r->named, str) >= 0;
}

static enum calque_status read_initializer(struct onnx_reader *r, Onnx__TensorProto *p)
{
    struct tensor t;
    enum calque_status st;
    int id, name;

    if (!p->name || !p->name[0])
        return bad(r, "an initializer has no name");
    st = onnx_tensor_take(&r->f, p, &t);
    if (st == CALQUE_NO) {
        Onnx__AttributeProto a = ONNX__ATTRIBUTE_PROTO__INIT;
        char value[] = "value";
        a.name = value;
        a.has_type = 1;
        a.type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR;
        a.t = p;
        return onnx_read_opaque_constant(r, p->name, &a);
    }
    if (st)
        return st;
    name = strs_addz(r->f.strs, p->name);
    id = name < 0 ? -1 : graph_const(r->g, name, &t);
    if (id < 0) {
        tensor_free(&t);
        return diag_nomem(r->f.diag);
    }
    return onnx_define(r, p->name, id);
}

static enum calque_status read_sparse_initializer(struct onnx_reader *r,
                                                  Onnx__SparseTensorProto *p)
{
    Onnx__AttributeProto a = ONNX__ATTRIBUTE_PROTO__INIT;
    char value[] = "sparse_value";

    if (!p->values || !p->values->name || !p->values->name[0])
        return bad(r, "a sparse initializer has no name");
    if (r->opset < 11)
        return bad(r, "sparse initializers need opset 11");
    a.name = value;
    a.has_type = 1;
    a.type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__SPARSE_TENSOR;
    a.sparse_tensor = p;
    return onnx_read_opaque_constant(r, p->values->name, &a);
}

/* Is the input's type that of its other declaration, as an output or by value_info? An element type that it does not have
   is from there. */
static enum calque_status declared_too(const struct onnx_reader *r, int name, enum onnx_type_kind kind, int *dtype)
{
    int k = idmap_get(&r->info, name), elem, dim;
    enum onnx_type_kind other;
    struct shape shape;
    enum calque_status st;
    char s[ONNX_SHOW];

    if (k < 0)
        return CALQUE_OK;
    st = onnx_type_read(&r->f, r->infos.a[k]->name, r->infos.a[k]->type, &other, &elem, &shape, &dim);
    if (!st && other != ONNX_NO_TYPE && (other == ONNX_NOT_TENSOR) != (kind == ONNX_NOT_TENSOR))
        st = diag_set(r->f.diag, CALQUE_BAD, r->f.file, 0, 0, "value '%s' is declared as a tensor and as something else",
                      onnx_show(s, r->infos.a[k]->name));
    if (!st && *dtype == DTYPE_UNKNOWN)
        *dtype = elem;
    return st;
}

static enum calque_status read_input(struct onnx_reader *r, const Onnx__ValueInfoProto *v,
                                     size_t number)
{
    enum onnx_type_kind kind;
    struct shape shape;
    int dtype, dim, name, id;
    enum calque_status st;
    char s[ONNX_SHOW];

    if (!v->name || !v->name[0])
        return diag_set(r->f.diag, CALQUE_BAD, r->f.file, 0, 0, "graph input %zu has no name",
                        number);
    name = strs_addz(r->f.strs, v->name);
    if (name < 0)
        return diag_nomem(r->f.diag);
    /* Before IR 4 every initializer is listed as an input too. */
    if (idmap_get(&r->def, name) >= 0 &&
        r->g->node.a[idmap_get(&r->def, name)].kind != NODE_INPUT)
        return CALQUE_OK;
    st = onnx_type_read(&r->f, v->name, v->type, &kind, &dtype, &shape, &dim);
    if (st)
        return st;
    onnx_show(s, v->name);
    if (kind == ONNX_SYMBOLIC)
        return onnx_open_dim(&r->f, v);
    if (kind == ONNX_NO_TYPE)
        return diag_set(r->f.diag, CALQUE_BAD, r->f.file, 0, 0, "graph input '%s' has no type", s);
    if (kind == ONNX_NO_SHAPE)
        return diag_set(r->f.diag, CALQUE_BAD, r->f.file, 0, 0,
                        "graph input '%s' has no shape (option --input-shape %s=..)", s, s);
    st = declared_too(r, name, kind, &dtype);
    if (st)
        return st;
    id = graph_input(r->g, name, dtype, &shape);
    return id < 0 ? diag_nomem(r->f.diag) : onnx_define(r, v->name, id);
}

static enum calque_status output_type(struct onnx_reader *r, const Onnx__ValueInfoProto *v,
                                      const struct node *x)
{
    enum onnx_type_kind kind;
    struct shape shape;
    int dtype, dim;
    char s[ONNX_SHOW], declared[SHAPE_TEXT], computed[SHAPE_TEXT];
    enum calque_status st = onnx_type_read(&r->f, v->name, v->type, &kind, &dtype, &shape, &dim);

    if (st)
        return st;
    onnx_show(s, v->name);
    if (dtype != DTYPE_UNKNOWN && x->dtype != DTYPE_UNKNOWN && dtype != x->dtype)
        return diag_set(r->f.diag, CALQUE_BAD, r->f.file, 0, 0,
                        "graph output '%s' is declared %s but computed as %s", s,
                        dtype_name(dtype), dtype_name(x->dtype));
    if (kind == ONNX_STATIC && x->shape.rank >= 0 && !shape_equal(&shape, &x->shape))
        return diag_set(r->f.diag, CALQUE_BAD, r->f.file, 0, 0, "graph output '%s' is declared %s but computed as %s", s,
                        shape_text(&shape, declared), shape_text(&x->shape, computed));
    return CALQUE_OK;
}

static enum calque_status read_output(struct onnx_reader *r, const Onnx__ValueInfoProto *v,
                                      size_t number)
{
    int name, id;
    char s[ONNX_SHOW];
    enum calque_status st;

    if (!v->name || !v->name[0])
        return diag_set(r->f.diag, CALQUE_BAD, r->f.file, 0, 0, "graph output %zu has no name",
                        number);
    name = strs_addz(r->f.strs, v->name);
    if (name < 0)
        return diag_nomem(r->f.diag);
    onnx_show(s, v->name);
    id = idmap_get(&r->def, name);
    if (id < 0)
        return diag_set(r->f.diag, CALQUE_BAD, r->f.file, 0, 0, "graph output '%s' is not defined",
                        s);
    if (idmap_get(&r->uses, name) == USE_OUTPUT)
        return diag_set(r->f.diag, CALQUE_BAD, r->f.file, 0, 0,
                        "graph output '%s' is listed twice", s);
    if (!idmap_set(r->f.mem, &r->uses, name, USE_OUTPUT))
        return diag_nomem(r->f.diag);
    st = output_type(r, v, &r->g->node.a[id]);
    if (st)
        return st;
    return graph_output(r->g, id, name) ? CALQUE_OK : diag_nomem(r->f.diag);
}

/* Is it the name of an initializer that stays, or of one that is a constant now? */
static bool is_default(const struct onnx_reader *r, const char *name)
{
    int str = name ? strs_find(r->f.strs, name, strlen(name)) : -1, id = idmap_get(&r->def, str);

    if (!has_defaults(r) || str < 0)
        return false;
    for (size_t i = 0; stays(r, name) && i < r->model->graph->n_initializer; i++) {
        const char *s = r->model->graph->initializer[i]->name;
        if (s && strcmp(s, name) == 0)
            return true;
    }
    return id >= 0 && r->g->node.a[id].kind == NODE_CONST;
}

static enum calque_status read_graph(struct onnx_reader *r)
{
    const Onnx__GraphProto *gp = r->model->graph;
    enum calque_status st = CALQUE_OK;

    if (gp->name && gp->name[0]) {
        r->g->name = strs_addz(r->f.strs, gp->name);
        if (r->g->name < 0)
            return diag_nomem(r->f.diag);
    }
    for (size_t i = 0; i < gp->n_initializer && !st; i++)
        if (!stays(r, gp->initializer[i]->name))
            st = read_initializer(r, gp->initializer[i]);
        else if (onnx_is_external(gp->initializer[i]))
            st = bad(r, "an initializer that no node uses but that is named elsewhere has its data in another file");
    for (size_t i = 0; i < gp->n_sparse_initializer && !st; i++)
        st = read_sparse_initializer(r, gp->sparse_initializer[i]);
    for (size_t i = 0; i < gp->n_input && !st; i++)
        if (!is_default(r, gp->input[i]->name))
            st = read_input(r, gp->input[i], i);
    for (size_t i = 0; i < gp->n_node && !st; i++)
        st = onnx_read_node(r, (int)i);
    if (!st && gp->n_output == 0)
        st = bad(r, "the graph has no outputs");
    for (size_t i = 0; i < gp->n_output && !st; i++)
        st = read_output(r, gp->output[i], i);
    return st;
}

/* The initializers that stay, and the inputs that have default values, instead of all. The arrays are the caller's. */
static void keep_defaults(const struct onnx_reader *r, Onnx__GraphProto *gp, Onnx__TensorProto **inits,
                          Onnx__ValueInfoProto **inputs)
{
    size_t n = 0, k = 0;

    for (size_t i = 0; i < gp->n_initializer; i++)
        if (stays(r, gp->initializer[i]->name))
            inits[n++] = gp->initializer[i];
    for (size_t i = 0; i < gp->n_input; i++)
        if (is_default(r, gp->input[i]->name))
            inputs[k++] = gp->input[i];
    gp->initializer = inits;
    gp->n_initializer = n;
    gp->input = inputs;
    gp->n_input = k;
}

/* Declarations a node cannot hold (sequences, symbolic dimensions, denotations) stay in the model's value_info, one for a value. */
static void keep_infos(const struct onnx_reader *r, Onnx__ValueInfoProto **from, size_t n,
                       Onnx__ValueInfoProto **to, size_t *kept)
{
    for (size_t i = 0; i < n; i++) {
        const char *name = from[i]->name ? from[i]->name : "";
        int str = strs_find(r->f.strs, name, strlen(name));
        int id = idmap_get(&r->def, str), declared = idmap_get(&r->info, str);
        const struct node *x = id >= 0 ? &r->g->node.a[id] : NULL;

        if (!x || !from[i]->type ||
            (x->dtype != DTYPE_UNKNOWN && x->shape.rank >= 0 && !onnx_value_info_denotes(from[i])))
            continue;
        if (declared < 0 || r->infos.a[declared] == from[i])
            to[(*kept)++] = from[i];
    }
}

static enum calque_status keep_model(struct onnx_reader *r)
{
    Onnx__ModelProto m = *r->model;
    Onnx__GraphProto gp = *r->model->graph;
    size_t all = gp.n_input + gp.n_output + gp.n_value_info, kept = 0;
    struct text bytes;
    Onnx__ValueInfoProto **infos = mem_resize(r->f.mem, NULL, all, sizeof *infos);
    Onnx__ValueInfoProto **inputs = mem_resize(r->f.mem, NULL, gp.n_input, sizeof *inputs);
    Onnx__TensorProto **inits = mem_resize(r->f.mem, NULL, gp.n_initializer, sizeof *inits);

    if (!infos || !inputs || !inits) {
        mem_free(infos);
        mem_free(inputs);
        mem_free(inits);
        return diag_nomem(r->f.diag);
    }
    keep_infos(r, gp.output, gp.n_output, infos, &kept);
    keep_infos(r, gp.input, gp.n_input, infos, &kept);
    keep_infos(r, gp.value_info, gp.n_value_info, infos, &kept);
    keep_defaults(r, &gp, inits, inputs);
    gp.n_node = gp.n_sparse_initializer = gp.n_output = 0;
    gp.value_info = infos;
    gp.n_value_info = kept;
    m.graph = &gp;
    text_init(&bytes, r->f.mem);
    wire_pack(&bytes, &m.base);
    mem_free(infos);
    mem_free(inputs);
    mem_free(inits);
    if (bytes.failed) {
        text_free(&bytes);
        return diag_nomem(r->f.diag);
    }
    r->g->model.a = (unsigned char *)bytes.a; /* the text's buffer changes hands */
    r->g->model.n = (size_t)bytes.n;
    return CALQUE_OK;
}

/* What an earlier rewriting said. */
static enum calque_status read_metadata(struct onnx_reader *r)
{
    for (size_t i = 0; i < r->model->n_metadata_props; i++) {
        const Onnx__StringStringEntryProto *e = r->model->metadata_props[i];
        const char *key = e->key ? e->key : "";
        int *to = strcmp(key, ONNX_RULES) == 0 ? &r->g->rules : strcmp(key, ONNX_CLASS) == 0 ? &r->g->class : NULL;
        if (to && e->value && (*to = strs_addz(r->f.strs, e->value)) < 0)
            return diag_nomem(r->f.diag);
    }
    return CALQUE_OK;
}

static enum calque_status read_model(struct onnx_reader *r, const unsigned char *data, size_t n)
{
    ProtobufCMessage *m;
    enum calque_status st = wire_unpack(&r->alloc, &onnx__model_proto__descriptor, r->f.file, data,
                                        n, &m, r->f.diag);

    if (st)
        return st;
    r->model = (Onnx__ModelProto *)m;
    if (!r->model->graph)
        return bad(r, "the model has no graph");
    st = read_opset(r);
    if (!st && r->given)
        st = onnx_fix_dims(&r->f, &r->alloc, r->model->graph, r->given);
    if (!st)
        st = onnx_slices(&r->f, r->model, data, n, &r->slices); /* opaque nodes are written back as they came */
    if (!st)
        st = scan(r);
    if (!st)
        st = scan_named(r);
    if (!st)
        st = read_graph(r);
    if (!st)
        st = keep_model(r);
    if (!st)
        st = read_metadata(r);
    if (!st)
        st = graph_compact(r->g, NULL, r->f.diag);
    return st;
}

enum calque_status onnx_read(struct graph *g, const char *file, const unsigned char *data, size_t n,
                             struct diag *d)
{
    return onnx_read_given(g, file, data, n, NULL, NULL, d);
}

enum calque_status onnx_read_given(struct graph *g, const char *file, const unsigned char *data, size_t n,
                                   const struct onnx_given *given, struct onnx_reasons *why, struct diag *d)
{
    struct onnx_reader r = {0};
    enum calque_status st;

    r.f = (struct onnx_file){g->mem, g->strs, file, d, given ? given->folder : NULL};
    r.g = g;
    r.given = given;
    r.why = why;
    wire_alloc_init(&r.alloc, g->mem);
    st = read_model(&r, data, n);
    if (r.model)
        protobuf_c_message_free_unpacked(&r.model->base, &r.alloc.base);
    idmap_free(&r.def);
    idmap_free(&r.later);
    idmap_free(&r.uses);
    idmap_free(&r.named);
    idmap_free(&r.info);
    mem_free(r.infos.a);
    mem_free(r.slices.a);
    if (st) {
        graph_free(g);
        graph_init(g, g->mem, g->strs, g->values);
    }
    return st;
}

struct walk {
    const struct onnx_file *f;
    struct idmap scope; /* name -> how many enclosing subgraphs define it */
    struct idmap seen;  /* name -> 1: already captured */
    struct ints stack;  /* the names the open subgraphs define, innermost last */
    struct ints *captured, *all;
    bool nomem;
};

static int note(struct walk *w, const char *name)
{
    int id = strs_addz(w->f->strs, name);

    if (id < 0 || (w->all && !ints_push(w->f->mem, w->all, id)))
        w->nomem = true;
    return id;
}

static void define(struct walk *w, const char *name)
{
    int id, k;

    if (!name || !name[0])
        return;
    id = note(w, name);
    k = idmap_get(&w->scope, id);
    if (id >= 0 && (!ints_push(w->f->mem, &w->stack, id) ||
                    !idmap_set(w->f->mem, &w->scope, id, k < 0 ? 1 : k + 1)))
        w->nomem = true;
}

static void use(struct walk *w, const char *name)
{
    int id;

    if (!name || !name[0])
        return;
    id = note(w, name);
    if (id < 0 || idmap_get(&w->scope, id) > 0 || idmap_get(&w->seen, id) > 0)
        return;
    if (!idmap_set(w->f->mem, &w->seen, id, 1) || !ints_push(w->f->mem, w->captured, id))
        w->nomem = true;
}

static void walk_node(struct walk *w, const Onnx__NodeProto *p);

/* Depth is bounded by WIRE_DEPTH_MAX: the message passed wire_check. */
static void walk_graph(struct walk *w, const Onnx__GraphProto *g)
{
    int mark = w->stack.n;

    for (size_t i = 0; i < g->n_input; i++)
        define(w, g->input[i]->name);
    for (size_t i = 0; i < g->n_initializer; i++)
        define(w, g->initializer[i]->name);
    for (size_t i = 0; i < g->n_sparse_initializer; i++)
        if (g->sparse_initializer[i]->values)
            define(w, g->sparse_initializer[i]->values->name);
    for (size_t i = 0; i < g->n_node && !w->nomem; i++) {
        const Onnx__NodeProto *p = g->node[i];
        for (size_t k = 0; k < p->n_input; k++)
            use(w, p->input[k]);
        walk_node(w, p);
        for (size_t k = 0; k < p->n_output; k++)
            define(w, p->output[k]);
    }
    for (size_t i = 0; i < g->n_output; i++)
        use(w, g->output[i]->name);
    while (w->stack.n > mark) {
        int id = w->stack.a[--w->stack.n];
        if (idmap_get(&w->scope, id) > 0)
            w->scope.a[id]--;
    }
}

static void walk_node(struct walk *w, const Onnx__NodeProto *p)
{
    for (size_t i = 0; i < p->n_attribute && !w->nomem; i++) {
        const Onnx__AttributeProto *a = p->attribute[i];
        if (a->g)
            walk_graph(w, a->g);
        for (size_t k = 0; k < a->n_graphs; k++)
            walk_graph(w, a->graphs[k]);
    }
}

enum calque_status onnx_captures(const struct onnx_file *f, const Onnx__NodeProto *p,
                                 struct ints *captured, struct ints *all)
{
    struct walk w = {f, {0}, {0}, {0}, captured, all, false};

    walk_node(&w, p);
    idmap_free(&w.scope);
    idmap_free(&w.seen);
    ints_free(&w.stack);
    return w.nomem ? diag_nomem(f->diag) : CALQUE_OK;
}
