#include "build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A generator of test models: running out of memory ends it. */
static void *need(void *p)
{
    if (!p) {
        fprintf(stderr, "zoo: out of memory\n");
        exit(3);
    }
    return p;
}

static char *text(const char *s)
{
    char *t = need(malloc(strlen(s) + 1));
    strcpy(t, s);
    return t;
}

static uint64_t next(struct build *b)
{
    b->seed ^= b->seed << 13;
    b->seed ^= b->seed >> 7;
    b->seed ^= b->seed << 17;
    return b->seed;
}

static double unit(struct build *b)
{
    return ((double)(next(b) >> 11) + 0.5) * 0x1p-53;
}

void build_init(struct build *b, const char *name, int opset, uint64_t seed, double width)
{
    Onnx__OperatorSetIdProto *set = need(malloc(sizeof *set));

    memset(b, 0, sizeof *b);
    onnx__model_proto__init(&b->model);
    onnx__graph_proto__init(&b->graph);
    onnx__operator_set_id_proto__init(set);
    set->domain = text("");
    set->has_version = 1;
    set->version = opset;
    b->model.opset_import = need(malloc(sizeof *b->model.opset_import));
    b->model.opset_import[0] = set;
    b->model.n_opset_import = 1;
    b->model.has_ir_version = 1;
    b->model.ir_version = opset >= 21 ? 10 : opset >= 19 ? 9 : opset >= 15 ? 8 : 7;
    b->model.producer_name = text("calque-zoo");
    b->model.graph = &b->graph;
    b->graph.name = text(name);
    b->opset = opset;
    b->width = width;
    b->seed = seed * 0x9e3779b97f4a7c15u + 0x1234567;
    for (int i = 0; i < 16; i++)
        next(b);
}

unsigned char *build_finish(struct build *b, size_t *n)
{
    unsigned char *data;
    *n = onnx__model_proto__get_packed_size(&b->model);
    data = need(malloc(*n));
    onnx__model_proto__pack(&b->model, data);
    return data;
}

static Onnx__ValueInfoProto *value_info(const struct build *b, const struct val *v, const char *name)
{
    Onnx__ValueInfoProto *i = need(malloc(sizeof *i));
    Onnx__TypeProto *t = need(malloc(sizeof *t));
    Onnx__TypeProto__Tensor *tt = need(malloc(sizeof *tt));
    Onnx__TensorShapeProto *s = need(malloc(sizeof *s));

    onnx__value_info_proto__init(i);
    onnx__type_proto__init(t);
    onnx__type_proto__tensor__init(tt);
    onnx__tensor_shape_proto__init(s);
    i->name = text(name);
    i->type = t;
    t->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
    t->tensor_type = tt;
    tt->has_elem_type = 1;
    tt->elem_type = v->type;
    tt->shape = s;
    s->dim = need(calloc((size_t)v->rank + 1, sizeof *s->dim));
    s->n_dim = (size_t)v->rank;
    for (int k = 0; k < v->rank; k++) {
        s->dim[k] = need(malloc(sizeof **s->dim));
        onnx__tensor_shape_proto__dimension__init(s->dim[k]);
        if (v->open[k] || (k == 0 && b->batch)) {
            s->dim[k]->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
            s->dim[k]->dim_param = text(v->open[k] ? v->open[k] : b->batch);
        } else {
            s->dim[k]->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
            s->dim[k]->dim_value = v->dim[k];
        }
    }
    return i;
}

struct val build_value(const char *name, int type, int rank, const long *dim)
{
    struct val v;
    memset(&v, 0, sizeof v);
    if (snprintf(v.name, sizeof v.name, "%s", name) >= (int)sizeof v.name) {
        fprintf(stderr, "zoo: the name %s is too long\n", name);
        exit(3);
    }
    v.type = type;
    v.rank = rank;
    for (int k = 0; k < rank; k++)
        v.dim[k] = dim[k];
    return v;
}

static struct val value(const char *name, int rank, const long *dim)
{
    return build_value(name, ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, rank, dim);
}

void build_input_value(struct build *b, const struct val *v)
{
    size_t n = b->graph.n_input++;
    b->graph.input = need(realloc(b->graph.input, (n + 1) * sizeof *b->graph.input));
    b->graph.input[n] = value_info(b, v, v->name);
}

struct val build_input(struct build *b, const char *name, int rank, const long *dim)
{
    struct val v = value(name, rank, dim);
    build_input_value(b, &v);
    return v;
}

void build_output(struct build *b, const struct val *v, const char *name)
{
    size_t n = b->graph.n_output++;
    /* The output's name replaces the producing node's: graph outputs are values of the graph. */
    for (size_t k = 0; k < b->graph.n_node; k++) {
        Onnx__NodeProto *node = b->graph.node[k];
        for (size_t j = 0; j < node->n_output; j++)
            if (strcmp(node->output[j], v->name) == 0)
                node->output[j] = text(name);
        for (size_t j = 0; j < node->n_input; j++)
            if (strcmp(node->input[j], v->name) == 0)
                node->input[j] = text(name);
    }
    b->graph.output = need(realloc(b->graph.output, (n + 1) * sizeof *b->graph.output));
    b->graph.output[n] = value_info(b, v, name);
}

/* A tensor of v's type and shape, its elements to be filled in. */
static Onnx__TensorProto *tensor(const struct val *v)
{
    Onnx__TensorProto *t = need(malloc(sizeof *t));
    size_t n = v->type == ONNX__TENSOR_PROTO__DATA_TYPE__INT64 ? sizeof(int64_t) : sizeof(float);

    onnx__tensor_proto__init(t);
    t->has_data_type = 1;
    t->data_type = v->type;
    t->dims = need(calloc((size_t)v->rank + 1, sizeof *t->dims));
    t->n_dims = (size_t)v->rank;
    for (int i = 0; i < v->rank; i++) {
        t->dims[i] = v->dim[i];
        n *= (size_t)v->dim[i];
    }
    t->has_raw_data = 1;
    t->raw_data.len = n;
    t->raw_data.data = need(malloc(n + 1));
    return t;
}

static Onnx__TensorProto *initializer(struct build *b, const struct val *v)
{
    Onnx__TensorProto *t = tensor(v);
    size_t k = b->graph.n_initializer++;

    t->name = text(v->name);
    if ((int)k >= b->cap_init) {
        b->cap_init = b->cap_init * 2 + 64;
        b->graph.initializer =
            need(realloc(b->graph.initializer, (size_t)b->cap_init * sizeof *b->graph.initializer));
    }
    b->graph.initializer[k] = t;
    return t;
}

static struct val fresh(struct build *b, const char *role, int rank, const long *dim)
{
    char name[64];
    snprintf(name, sizeof name, "%.40s_%d", role, b->serial++);
    return value(name, rank, dim);
}

void build_normal_named(struct build *b, const struct val *v, double scale)
{
    Onnx__TensorProto *t = initializer(b, v);
    float *x = (float *)(void *)t->raw_data.data;
    for (size_t i = 0; i < t->raw_data.len / sizeof *x; i++) /* Box-Muller */
        x[i] = (float)(scale * sqrt(-2 * log(unit(b))) * cos(6.283185307179586 * unit(b)));
}

struct val build_normal(struct build *b, const char *role, int rank, const long *dim, double scale)
{
    struct val v = fresh(b, role, rank, dim);
    build_normal_named(b, &v, scale);
    return v;
}

void build_uniform_named(struct build *b, const struct val *v, double lo, double hi)
{
    Onnx__TensorProto *t = initializer(b, v);
    float *x = (float *)(void *)t->raw_data.data;
    for (size_t i = 0; i < t->raw_data.len / sizeof *x; i++)
        x[i] = (float)(lo + (hi - lo) * unit(b));
}

struct val build_uniform(struct build *b, const char *role, int rank, const long *dim, double lo, double hi)
{
    struct val v = fresh(b, role, rank, dim);
    build_uniform_named(b, &v, lo, hi);
    return v;
}

/* Element i of a tensor of floats or int64. */
static void put(Onnx__TensorProto *t, long i, double x)
{
    if (t->data_type == ONNX__TENSOR_PROTO__DATA_TYPE__INT64)
        ((int64_t *)(void *)t->raw_data.data)[i] = (int64_t)x;
    else
        ((float *)(void *)t->raw_data.data)[i] = (float)x;
}

void build_numbers(struct build *b, const struct val *v, const double *x)
{
    Onnx__TensorProto *t = initializer(b, v);
    long n = 1;
    for (int i = 0; i < v->rank; i++)
        n *= v->dim[i];
    for (long i = 0; i < n; i++)
        put(t, i, x[i]);
}

struct val build_scalar(struct build *b, const char *role, double x)
{
    struct val v = fresh(b, role, 0, NULL);
    build_numbers(b, &v, &x);
    return v;
}

void build_ints_named(struct build *b, const struct val *v, const long *x)
{
    Onnx__TensorProto *t = initializer(b, v);
    for (int i = 0; i < v->dim[0]; i++)
        ((int64_t *)(void *)t->raw_data.data)[i] = x[i];
}

struct val build_ints(struct build *b, const char *role, const long *x, int n)
{
    long dim = n;
    struct val v = fresh(b, role, 1, &dim);
    v.type = ONNX__TENSOR_PROTO__DATA_TYPE__INT64;
    build_ints_named(b, &v, x);
    return v;
}

static Onnx__TensorProto *attribute_tensor(const struct zattr *a)
{
    long dim = a->n;
    struct val v = build_value("", (int)a->i, a->is || a->n ? 1 : 0, &dim);
    Onnx__TensorProto *t = tensor(&v);
    if (!a->is)
        put(t, 0, a->f);
    for (int i = 0; a->is && i < a->n; i++)
        ((int64_t *)(void *)t->raw_data.data)[i] = a->is[i];
    return t;
}

static Onnx__AttributeProto *attribute(const struct zattr *a)
{
    Onnx__AttributeProto *p = need(malloc(sizeof *p));
    onnx__attribute_proto__init(p);
    p->name = text(a->label);
    p->has_type = 1;
    if (a->kind == 'i') {
        p->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
        p->has_i = 1;
        p->i = a->i;
    } else if (a->kind == 'f') {
        p->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT;
        p->has_f = 1;
        p->f = (float)a->f;
    } else if (a->kind == 's') {
        p->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING;
        p->has_s = 1;
        p->s.len = strlen(a->s);
        p->s.data = (uint8_t *)text(a->s);
    } else if (a->kind == 't') {
        p->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR;
        p->t = attribute_tensor(a);
    } else {
        p->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS;
        p->n_ints = (size_t)a->n;
        p->ints = need(calloc((size_t)a->n + 1, sizeof *p->ints));
        for (int k = 0; k < a->n; k++)
            p->ints[k] = a->is[k];
    }
    return p;
}

void build_node_named(struct build *b, const char *op, const char *label, const struct val *const *in, int nin, const struct val *out,
                      int nout, const struct zattr *attrs)
{
    Onnx__NodeProto *p = need(malloc(sizeof *p));
    size_t k = b->graph.n_node++;

    onnx__node_proto__init(p);
    p->op_type = text(op);
    p->name = text(label);
    p->input = need(calloc((size_t)nin + 1, sizeof *p->input));
    for (int i = 0; i < nin; i++)
        p->input[i] = text(in[i]->name);
    p->n_input = (size_t)nin;
    p->output = need(calloc((size_t)nout, sizeof *p->output));
    for (int i = 0; i < nout; i++)
        p->output[i] = text(out[i].name);
    p->n_output = (size_t)nout;
    for (; attrs && attrs->label; attrs++) {
        p->attribute = need(realloc(p->attribute, (p->n_attribute + 1) * sizeof *p->attribute));
        p->attribute[p->n_attribute++] = attribute(attrs);
    }
    if ((int)k >= b->cap_node) {
        b->cap_node = b->cap_node * 2 + 64;
        b->graph.node = need(realloc(b->graph.node, (size_t)b->cap_node * sizeof *b->graph.node));
    }
    b->graph.node[k] = p;
}

/* The installed onnx.proto is older than the field: a StringStringEntryProto as an unknown field. */
void build_node_metadata(struct build *b, const char *key, const char *value)
{
    Onnx__StringStringEntryProto entry = ONNX__STRING_STRING_ENTRY_PROTO__INIT;
    ProtobufCMessage *node = &b->graph.node[b->graph.n_node - 1]->base;
    ProtobufCMessageUnknownField *x;
    size_t n;

    entry.key = text(key);
    entry.value = text(value);
    n = onnx__string_string_entry_proto__get_packed_size(&entry);
    node->unknown_fields = need(realloc(node->unknown_fields, (node->n_unknown_fields + 1) * sizeof *x));
    x = &node->unknown_fields[node->n_unknown_fields++];
    x->tag = 9;
    x->wire_type = PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;
    x->data = need(malloc(n + 1));
    x->data[0] = (uint8_t)n; /* the length, which has one byte */
    x->len = n + 1;
    if (n > 127) {
        fprintf(stderr, "zoo: metadata of %zu bytes\n", n);
        exit(3);
    }
    onnx__string_string_entry_proto__pack(&entry, x->data + 1);
    free(entry.key);
    free(entry.value);
}

struct val build_node(struct build *b, const char *op, const struct val *const *in, int nin, int rank,
                      const long *dim, const struct zattr *attrs)
{
    struct val v = fresh(b, op, rank, dim);
    char label[sizeof v.name + 8];

    snprintf(label, sizeof label, "node_%s", v.name);
    build_node_named(b, op, label, in, nin, &v, 1, attrs);
    return v;
}
