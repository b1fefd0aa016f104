/* Graphs to ONNX models. What the file said that the graph has no place for (metadata, annotations, training
   information) is kept where it still holds; where it does not, writing fails. */
#include "onnx/onnx_internal.h"

#include <string.h>

/* Numbers of fields in ModelProto and GraphProto. */
enum {
    MODEL_GRAPH = 7,
    GRAPH_INITIALIZER = 5,
    GRAPH_INPUT = 11,
    GRAPH_OUTPUT = 12,
    GRAPH_VALUE_INFO = 13,
    MODEL_METADATA = 14
};
enum { TEXT_IR = 8 };

static bool is_default(const char *domain)
{
    return !domain || !domain[0] || strcmp(domain, "ai.onnx") == 0;
}

static bool is_calque(const Onnx__OperatorSetIdProto *o)
{
    return o->domain && strcmp(o->domain, ONNX_CALQUE) == 0;
}

static enum calque_status read_kept(struct onnx_writer *w)
{
    const struct graph *g = w->g;
    ProtobufCMessage *m;
    const Onnx__GraphProto *gp;
    enum calque_status st;

    w->ir = TEXT_IR;
    if (!g->model.n)
        return CALQUE_OK;
    st = wire_unpack(&w->alloc, &onnx__model_proto__descriptor, w->f.file, g->model.a, g->model.n,
                     &m, w->f.diag);
    if (st)
        return st;
    w->model = (Onnx__ModelProto *)m;
    w->ir = w->model->ir_version < 3 ? 3 : w->model->ir_version;
    gp = w->model->graph;
    for (size_t i = 0; i < w->model->n_opset_import; i++) {
        Onnx__OperatorSetIdProto *o = w->model->opset_import[i];
        if (is_default(o->domain))
            o->version = w->opset; /* that of the file, or what it was converted to */
        w->foreign = w->foreign || (is_calque(o) && o->version != 1);
        w->imports = w->imports || is_calque(o);
    }
    for (size_t i = 0; gp && i < gp->n_initializer; i++) /* no node used them */
        if (!idmap_set(w->f.mem, &w->reserved, strs_addz(w->f.strs, gp->initializer[i]->name), 1) ||
            !idmap_set(w->f.mem, &w->unused, strs_addz(w->f.strs, gp->initializer[i]->name), 1))
            return diag_nomem(w->f.diag);
    for (size_t i = 0; gp && i < gp->n_value_info; i++)
        if (gp->value_info[i]->name &&
            !idmap_set(w->f.mem, &w->kept, strs_addz(w->f.strs, gp->value_info[i]->name), (int)i))
            return diag_nomem(w->f.diag);
    return CALQUE_OK;
}

/* The type of a value: the node's, else what the file declared of it. */
static void put_info(struct onnx_writer *w, struct text *out, unsigned number, int node, int name)
{
    const struct node *n = &w->g->node.a[node];
    bool typed = n->dtype != DTYPE_UNKNOWN && n->shape.rank >= 0;
    int k = idmap_get(&w->kept, n->name);
    int own = idmap_get(&w->kept, name);
    Onnx__ValueInfoProto v;

    if (k < 0 || idmap_get(&w->kept, name) >= 0)
        k = idmap_get(&w->kept, name);
    if (typed) {
        onnx_value_info_like(out, number, strs_text(w->f.strs, name), n->dtype, &n->shape,
                             own >= 0 ? w->model->graph->value_info[own] : NULL);
    } else if (k >= 0) {
        v = *w->model->graph->value_info[k];
        v.name = (char *)(uintptr_t)strs_text(w->f.strs, name); /* only read */
        wire_put_message(out, number, &v.base);
    } else if (n->dtype != DTYPE_UNKNOWN || number != GRAPH_VALUE_INFO) {
        onnx_value_info_put(out, number, strs_text(w->f.strs, name), n->dtype, &n->shape);
    }
}

static enum calque_status write_node(struct onnx_writer *w, int node)
{
    const struct node *n = &w->g->node.a[node];

    if (n->kind == NODE_OP && n->op == OP_Opaque)
        return onnx_write_opaque(w, node);
    return n->kind == NODE_OP ? onnx_export_node(w, node) : CALQUE_OK;
}

static bool is_output_name(const struct onnx_writer *w, const struct idmap *outputs, int node)
{
    return idmap_get(outputs, w->name[node]) >= 0;
}

static enum calque_status write_nodes(struct onnx_writer *w)
{
    const struct graph *g = w->g;
    struct idmap outputs = {0};
    enum calque_status st = CALQUE_OK;

    for (int i = 0; i < g->output.n && !st; i++)
        if (!idmap_set(w->f.mem, &outputs, g->output.a[i].name, i))
            st = diag_nomem(w->f.diag);
    for (int i = 0; i < g->node.n && !st; i++) {
        const struct node *n = &g->node.a[i];
        if (w->skip && w->skip[i])
            continue;
        st = write_node(w, i);
        if ((n->kind == NODE_OP || n->kind == NODE_PROJ) && w->rep[i] == i && w->name[i] >= 0 &&
            !is_output_name(w, &outputs, i))
            put_info(w, &w->infos, GRAPH_VALUE_INFO, i, w->name[i]);
    }
    for (int i = 0; i < g->output.n && !st; i++) {
        int name = g->output.a[i].name, m = idmap_get(&w->alias, name);
        if (m >= 0 && idmap_get(&w->emitted, name) < 0)
            st = onnx_out_identity(w, w->name[m], name);
    }
    idmap_free(&outputs);
    return st;
}

static void put_entry(const struct onnx_writer *w, struct text *out, const char *key, int value)
{
    Onnx__StringStringEntryProto e = ONNX__STRING_STRING_ENTRY_PROTO__INIT;

    e.key = (char *)(uintptr_t)key; /* only read */
    e.value = (char *)(uintptr_t)(value >= 0 ? strs_text(w->f.strs, value) : "");
    if (value >= 0)
        wire_put_message(out, MODEL_METADATA, &e.base);
}

/* The metadata of the file, but what it says of rewriting is what the graph says. */
static void put_metadata(const struct onnx_writer *w, struct text *out)
{
    for (size_t i = 0; w->model && i < w->model->n_metadata_props; i++) {
        const Onnx__StringStringEntryProto *e = w->model->metadata_props[i];
        if (!e->key || (strcmp(e->key, ONNX_RULES) != 0 && strcmp(e->key, ONNX_CLASS) != 0))
            wire_put_message(out, MODEL_METADATA, &e->base);
    }
    put_entry(w, out, ONNX_RULES, w->g->rules);
    put_entry(w, out, ONNX_CLASS, w->g->class);
}

static bool is_imported(const Onnx__ModelProto *m, const char *domain)
{
    for (size_t i = 0; i < m->n_opset_import; i++)
        if (m->opset_import[i]->domain && strcmp(m->opset_import[i]->domain, domain) == 0)
            return true;
    return is_default(domain);
}

/* The model without its graph. */
static void put_model(struct onnx_writer *w, struct text *out)
{
    Onnx__ModelProto m = ONNX__MODEL_PROTO__INIT;
    Onnx__OperatorSetIdProto opset = ONNX__OPERATOR_SET_ID_PROTO__INIT;
    char producer[] = "calque", domain[] = "", calque[] = ONNX_CALQUE;
    bool imports = false;

    if (w->model)
        m = *w->model;
    m.has_ir_version = 1;
    m.ir_version = w->ir;
    m.producer_name = producer;
    m.producer_version = NULL;
    m.graph = NULL;
    m.n_metadata_props = 0;
    for (size_t i = 0; i < m.n_opset_import; i++)
        imports = imports || is_default(m.opset_import[i]->domain);
    wire_pack(out, &m.base);
    put_metadata(w, out);
    if (!imports && (w->plain || !w->model)) {
        opset.domain = domain;
        opset.has_version = 1;
        opset.version = w->opset;
        wire_put_message(out, 8, &opset.base);
    }
    opset.has_version = 1;
    opset.version = 1;
    if (!w->imports && w->calque) {
        opset.domain = calque;
        wire_put_message(out, 8, &opset.base);
    }
    for (int k = 0; k < w->domains.n; k++) { /* those that a rule brought in: their first version */
        opset.domain = (char *)(uintptr_t)strs_text(w->f.strs, w->domains.a[k]); /* only read */
        if (!is_imported(&m, opset.domain) && !((w->calque || w->unimported) && is_calque(&opset)))
            wire_put_message(out, 8, &opset.base);
    }
}

static void put_initializers(struct onnx_writer *w, struct text *out)
{
    for (int i = 0; i < w->g->node.n; i++) {
        const struct tensor *t = graph_tensor(w->g, i);
        if (t && onnx_is_outside(w->external, t))
            onnx_external_put(w->external, out, GRAPH_INITIALIZER, strs_text(w->f.strs, w->name[i]), t);
        else if (t)
            onnx_tensor_put(out, GRAPH_INITIALIZER, strs_text(w->f.strs, w->name[i]), t);
    }
}

/* Is the text the name of a constant that is written, or of an initializer that no node uses? any: or of another value. */
static bool is_written(const struct onnx_writer *w, const char *name, bool any)
{
    int str = name ? strs_find(w->f.strs, name, strlen(name)) : -1, node = idmap_get(&w->owner, str);

    if (idmap_get(&w->unused, str) >= 0 || (any && idmap_get(&w->alias, str) >= 0))
        return true;
    return node >= 0 && (any || w->g->node.a[node].kind == NODE_CONST);
}

/* Annotations go with what they annotate: those of values that rewriting removed to the end, past *n. */
static void keep_annotations(const struct onnx_writer *w, Onnx__GraphProto *gp)
{
    Onnx__TensorAnnotation **a = gp->quantization_annotation;
    size_t n = 0;

    for (size_t i = 0; i < gp->n_quantization_annotation; i++) {
        Onnx__TensorAnnotation *x = a[i];
        bool whole = is_written(w, x->tensor_name, true);
        for (size_t k = 0; k < x->n_quant_parameter_tensor_names; k++)
            whole = whole && is_written(w, x->quant_parameter_tensor_names[k]->value, true);
        if (whole) {
            a[i] = a[n];
            a[n++] = x;
        }
    }
    gp->n_quantization_annotation = n;
}

/* What a caller or a trainer of the model could still do with it must be possible with what is written. */
static enum calque_status check_kept(const struct onnx_writer *w)
{
    const Onnx__GraphProto *gp = w->model ? w->model->graph : NULL;
    char s[ONNX_SHOW];

    if (w->model && w->model->n_training_info > 0)
        return diag_set(w->f.diag, CALQUE_BAD, "", 0, 0,
                        "the model has training information, which names values that may be gone (opt --inference drops it)");
    for (size_t i = 0; gp && i < gp->n_input; i++)
        if (!is_written(w, gp->input[i]->name, false))
            return diag_set(w->f.diag, CALQUE_BAD, "", 0, 0,
                            "input '%s' has a default value (it is an initializer too) that has become part of others "
                            "(opt --inference makes such inputs constants)",
                            onnx_show(s, gp->input[i]->name));
    return CALQUE_OK;
}

enum calque_status onnx_inference(struct graph *g, struct diag *d)
{
    struct onnx_file f = {g->mem, g->strs, "", d, NULL};
    struct wire_alloc alloc;
    ProtobufCMessage *m = NULL;
    Onnx__ModelProto model;
    Onnx__GraphProto gp;
    struct text bytes;
    enum calque_status st;

    if (!g->model.n)
        return CALQUE_OK;
    wire_alloc_init(&alloc, g->mem);
    st = wire_unpack(&alloc, &onnx__model_proto__descriptor, f.file, g->model.a, g->model.n, &m, d);
    if (st)
        return st;
    text_init(&bytes, g->mem);
    model = *(Onnx__ModelProto *)m;
    model.n_training_info = 0;
    if (model.graph) {
        gp = *model.graph;
        gp.n_input = 0;
        model.graph = &gp;
    }
    wire_pack(&bytes, &model.base);
    protobuf_c_message_free_unpacked(m, &alloc.base);
    st = text_status(&bytes, d);
    if (st) {
        text_free(&bytes);
        return st;
    }
    mem_free(g->model.a);
    g->model.a = (unsigned char *)bytes.a;
    g->model.n = (size_t)bytes.n;
    return CALQUE_OK;
}

static void put_graph(struct onnx_writer *w, struct text *out)
{
    const struct graph *g = w->g;
    Onnx__GraphProto rest = ONNX__GRAPH_PROTO__INIT;
    char name[] = "graph";

    if (w->model && w->model->graph)
        rest = *w->model->graph;
    rest.n_value_info = rest.n_input = 0;
    keep_annotations(w, &rest);
    rest.name = g->name >= 0 ? (char *)(uintptr_t)strs_text(w->f.strs, g->name) : name;
    wire_pack(out, &rest.base);
    text_put(out, w->nodes.a, (size_t)w->nodes.n);
    put_initializers(w, out);
    text_put(out, w->consts.a, (size_t)w->consts.n);
    for (int i = 0; i < g->input.n; i++)
        put_info(w, out, GRAPH_INPUT, g->input.a[i], w->name[g->input.a[i]]);
    for (size_t i = 0; w->model && w->model->graph && i < w->model->graph->n_input; i++)
        wire_put_message(out, GRAPH_INPUT, &w->model->graph->input[i]->base);
    if (w->ir < 4) {
        for (int i = 0; i < g->node.n; i++)
            if (g->node.a[i].kind == NODE_CONST)
                put_info(w, out, GRAPH_INPUT, i, w->name[i]);
        text_put(out, w->const_inputs.a, (size_t)w->const_inputs.n);
    }
    for (int i = 0; i < g->output.n; i++)
        put_info(w, out, GRAPH_OUTPUT, w->rep[g->output.a[i].node], g->output.a[i].name);
    text_put(out, w->infos.a, (size_t)w->infos.n);
}

/* Bytes of the constants that are written into the file itself. */
static size_t inside(const struct graph *g, const struct onnx_external *x)
{
    size_t n = 0;

    for (int i = 0; i < g->tensor.n; i++)
        n += onnx_is_outside(x, &g->tensor.a[i]) ? 0 : g->tensor.a[i].bytes;
    return n;
}

enum { WEIGHTS_MAX = INT32_MAX / 4 * 2 - (1 << 24) };

bool onnx_fits(const struct graph *g)
{
    return inside(g, NULL) <= WEIGHTS_MAX;
}

/* The graph goes straight into out, behind room for the longest length; then it is moved up to its length. */
static enum calque_status put_all(struct onnx_writer *w, struct text *out)
{
    struct text head;
    int start, room = 5;
    size_t weights = inside(w->g, w->external);

    if (weights > WEIGHTS_MAX)
        return diag_set(w->f.diag, CALQUE_LIMIT, w->f.file, 0, 0,
                        "the weights are too large for one ONNX file");
    put_model(w, out);
    wire_put_varint(out, MODEL_GRAPH << 3 | WIRE_LEN);
    start = out->n;
    text_put(out, "     ", (size_t)room);
    if (!out->failed && !vec_room(w->f.mem, out, (int)weights + w->nodes.n + w->infos.n + 65536))
        out->failed = true;
    put_graph(w, out);
    text_init(&head, w->f.mem);
    if (!out->failed)
        wire_put_varint(&head, (uint64_t)(out->n - start - room));
    if (!out->failed && !head.failed) {
        memcpy(out->a + start, head.a, (size_t)head.n);
        memmove(out->a + start + head.n, out->a + start + room, (size_t)(out->n - start - room));
        out->n -= room - head.n;
    }
    out->failed = out->failed || head.failed;
    text_free(&head);
    return text_status(out, w->f.diag);
}

static bool writer_init(struct onnx_writer *w, const struct graph *g, struct diag *d)
{
    size_t n = (size_t)g->node.n;

    memset(w, 0, sizeof *w);
    w->f = (struct onnx_file){g->mem, g->strs, "", d, NULL};
    w->g = g;
    w->opset = g->opset;
    wire_alloc_init(&w->alloc, g->mem);
    text_init(&w->nodes, g->mem);
    text_init(&w->consts, g->mem);
    text_init(&w->const_inputs, g->mem);
    text_init(&w->infos, g->mem);
    w->rep = mem_zero(g->mem, n, sizeof *w->rep);
    w->name = mem_zero(g->mem, n, sizeof *w->name);
    w->slot = mem_zero(g->mem, n, sizeof *w->slot);
    return w->rep && w->name && w->slot;
}

static void writer_free(struct onnx_writer *w)
{
    if (w->model)
        protobuf_c_message_free_unpacked(&w->model->base, &w->alloc.base);
    mem_free(w->rep);
    mem_free(w->name);
    mem_free(w->slot);
    mem_free(w->skip);
    ints_free(&w->slots);
    idmap_free(&w->owner);
    idmap_free(&w->alias);
    idmap_free(&w->emitted);
    idmap_free(&w->reserved);
    idmap_free(&w->unused);
    idmap_free(&w->fixed_of);
    mem_free(w->fixed.a);
    ints_free(&w->pool);
    ints_free(&w->domains);
    idmap_free(&w->kept);
    text_free(&w->nodes);
    text_free(&w->consts);
    text_free(&w->const_inputs);
    text_free(&w->infos);
}

enum calque_status onnx_write(const struct graph *g, unsigned char **data, size_t *n, struct diag *d)
{
    return onnx_write_external(g, data, n, NULL, d);
}

enum calque_status onnx_write_external(const struct graph *g, unsigned char **data, size_t *n, struct onnx_external *x,
                                       struct diag *d)
{
    struct onnx_writer w;
    struct text out;
    enum calque_status st;

    *data = NULL;
    *n = 0;
    text_init(&out, g->mem);
    if (x)
        x->data = NULL;
    st = writer_init(&w, g, d) ? read_kept(&w) : diag_nomem(d);
    w.external = x;
    if (!st && x)
        st = onnx_external_room(x, g, d);
    if (!st && (w.opset < 1 || w.opset > ONNX_OPSET_MAX))
        st = diag_set(d, CALQUE_BAD, "", 0, 0, "the model's opset is not one of 1 to %d",
                      ONNX_OPSET_MAX);
    if (!st)
        st = onnx_names(&w);
    if (!st)
        st = check_kept(&w);
    if (!st)
        st = onnx_legacy_skip(&w);
    if (!st)
        st = write_nodes(&w);
    if (!st && w.calque && w.unimported)
        st = diag_set(d, CALQUE_LIMIT, "", 0, 0, "an operator of the domain calque is carried as bytes, which the import of the domain for others "
                                                 "would give a meaning");
    if (!st && (w.consts.failed || w.const_inputs.failed || w.infos.failed))
        st = diag_nomem(d);
    if (!st)
        st = put_all(&w, &out);
    writer_free(&w);
    if (st) {
        text_free(&out);
        if (x) {
            mem_free(x->data);
            x->data = NULL;
        }
        return st;
    }
    *data = (unsigned char *)out.a;
    *n = (size_t)out.n;
    return CALQUE_OK;
}
