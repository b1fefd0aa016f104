/* ONNX models for the unit tests from one line of text, built with protobuf-c alone. Statements end in `;`:
     in NAME TYPE DIM..          graph input; a dimension `?` is called N, `?X` X; `!` alone: no shape
     init NAME TYPE DIM.. : V..  initializer (raw_data); initf: in the typed field
     const NAME TYPE DIM.. : V.. Constant node
     node OP IN,.. -> OUT,.. [LABEL]   `_` is an absent input; OP may be domain::Op
     i|is|f|fs|s|t LABEL V..     attribute of the last node (t: TYPE DIM.. : V..)
     out NAME [TYPE DIM..]       graph output
     info NAME TYPE DIM..        value_info
     import DOMAIN VERSION       one more operator set
     ir N
   TYPE: f32, i64, f64, i32, i8, u8, bool. */
#ifndef CALQUE_TESTS_ONNX_ONNX_SPEC_H
#define CALQUE_TESTS_ONNX_ONNX_SPEC_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onnx/onnx.pb-c.h"

enum { SPEC_MAX = 64, SPEC_WORDS = 64 };

/* Everything the message points to; filled once, freed by spec_free. */
struct spec {
    Onnx__ModelProto model;
    Onnx__GraphProto graph;
    Onnx__OperatorSetIdProto opset, foreign, *opsets[2];
    Onnx__NodeProto node[SPEC_MAX], *nodes[SPEC_MAX];
    Onnx__AttributeProto attr[SPEC_MAX], *attrs[SPEC_MAX][8];
    Onnx__TensorProto tensor[SPEC_MAX], *inits[SPEC_MAX];
    Onnx__ValueInfoProto info[SPEC_MAX], *inputs[SPEC_MAX], *outputs[SPEC_MAX], *infos[SPEC_MAX];
    Onnx__TypeProto type[SPEC_MAX];
    Onnx__TypeProto__Tensor ttype[SPEC_MAX];
    Onnx__TensorShapeProto shape[SPEC_MAX];
    Onnx__TensorShapeProto__Dimension dim[8 * SPEC_MAX], *dims[8 * SPEC_MAX];
    int nattr, ntensor, ninfo, ndim, nkept;
    void *kept[16 * SPEC_MAX];
};

static inline void *spec_keep(struct spec *s, size_t n)
{
    return s->kept[s->nkept++] = calloc(n ? n : 1, 1);
}

static inline char *spec_text(struct spec *s, const char *t)
{
    char *c = spec_keep(s, strlen(t) + 1);
    strcpy(c, strcmp(t, "_") == 0 ? "" : t);
    return c;
}

static inline int spec_type(const char *t)
{
    static const struct { const char *t; int code; } types[] = {
        {"f32", 1}, {"i64", 7}, {"f64", 11}, {"i32", 6}, {"i8", 3}, {"u8", 2}, {"bool", 9}, {"str", 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].t, t) == 0)
            return types[i].code;
    return atoi(t);
}

/* w[0..n-1]: TYPE DIM.. : V..; the data in raw_data or (typed) in the field of the type. */
static inline Onnx__TensorProto *spec_tensor(struct spec *s, const char *name, char **w, int n, int typed)
{
    Onnx__TensorProto *t = &s->tensor[s->ntensor++];
    int i = 1, k = 0, at;
    size_t width;

    onnx__tensor_proto__init(t);
    t->name = name ? spec_text(s, name) : NULL;
    t->has_data_type = 1;
    t->data_type = spec_type(w[0]);
    t->dims = spec_keep(s, SPEC_WORDS * sizeof *t->dims);
    for (; i < n && strcmp(w[i], ":") != 0; i++)
        t->dims[t->n_dims++] = atol(w[i]);
    at = i + 1;
    width = t->data_type == 1 || t->data_type == 6 ? 4 : t->data_type == 9 || t->data_type == 2 || t->data_type == 3 ? 1 : 8;
    char *b = spec_keep(s, SPEC_WORDS * 8);
    for (i = at; i < n; i++, k++) {
        float f = (float)atof(w[i]);
        double d = atof(w[i]);
        long l = atol(w[i]);
        int x = atoi(w[i]);
        if (t->data_type == 1)
            memcpy(b + 4 * k, &f, 4);
        else if (t->data_type == 11)
            memcpy(b + 8 * k, &d, 8);
        else if (t->data_type == 6 || (typed && width == 1))
            memcpy(b + 4 * k, &x, 4);
        else if (width == 1)
            b[k] = (char)x;
        else
            memcpy(b + 8 * k, &l, 8);
    }
    if (!typed) {
        t->has_raw_data = 1;
        t->raw_data.data = (uint8_t *)b;
        t->raw_data.len = (size_t)k * width;
    } else if (t->data_type == 1) {
        t->float_data = (float *)b;
        t->n_float_data = (size_t)k;
    } else if (t->data_type == 11) {
        t->double_data = (double *)b;
        t->n_double_data = (size_t)k;
    } else if (t->data_type == 7) {
        t->int64_data = (int64_t *)b;
        t->n_int64_data = (size_t)k;
    } else {
        t->int32_data = (int32_t *)b;
        t->n_int32_data = (size_t)k;
    }
    return t;
}

static inline Onnx__ValueInfoProto *spec_info(struct spec *s, char **w, int n)
{
    int k = s->ninfo++;
    Onnx__ValueInfoProto *v = &s->info[k];

    onnx__value_info_proto__init(v);
    v->name = spec_text(s, w[0]);
    if (n < 2)
        return v;
    onnx__type_proto__init(&s->type[k]);
    onnx__type_proto__tensor__init(&s->ttype[k]);
    onnx__tensor_shape_proto__init(&s->shape[k]);
    v->type = &s->type[k];
    s->type[k].value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
    s->type[k].tensor_type = &s->ttype[k];
    s->ttype[k].has_elem_type = 1;
    s->ttype[k].elem_type = spec_type(w[1]);
    if (n == 3 && strcmp(w[2], "!") == 0)
        return v;
    s->ttype[k].shape = &s->shape[k];
    s->shape[k].dim = &s->dims[s->ndim];
    for (int i = 2; i < n; i++) {
        Onnx__TensorShapeProto__Dimension *d = &s->dim[s->ndim];
        onnx__tensor_shape_proto__dimension__init(d);
        if (w[i][0] == '?') {
            d->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
            d->dim_param = spec_text(s, w[i][1] ? w[i] + 1 : "N");
        } else {
            d->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
            d->dim_value = atol(w[i]);
        }
        s->dims[s->ndim++] = d;
        s->shape[k].n_dim++;
    }
    return v;
}

static inline size_t spec_list(struct spec *s, char *w, char ***out)
{
    size_t n = 0;

    *out = spec_keep(s, SPEC_WORDS * sizeof **out);
    for (char *at = w; at && strcmp(w, "-") != 0;) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma = '\0';
        (*out)[n++] = spec_text(s, at);
        at = comma ? comma + 1 : NULL;
    }
    return n;
}

static inline Onnx__NodeProto *spec_node(struct spec *s, char *op, char *in, char *out, const char *label)
{
    size_t k = s->graph.n_node++;
    Onnx__NodeProto *p = s->nodes[k] = &s->node[k];
    char *colon = strstr(op, "::");

    onnx__node_proto__init(p);
    if (colon) {
        *colon = '\0';
        p->domain = spec_text(s, op);
        op = colon + 2;
    }
    p->op_type = spec_text(s, op);
    p->n_input = spec_list(s, in, &p->input);
    p->n_output = spec_list(s, out, &p->output);
    p->name = label ? spec_text(s, label) : NULL;
    p->attribute = s->attrs[k];
    return p;
}

static inline Onnx__AttributeProto *spec_attr(struct spec *s, char **w, int n)
{
    Onnx__NodeProto *p = &s->node[s->graph.n_node - 1];
    Onnx__AttributeProto *a = p->attribute[p->n_attribute++] = &s->attr[s->nattr++];
    const char *kind = w[0];

    onnx__attribute_proto__init(a);
    a->name = spec_text(s, w[1]);
    a->has_type = 1;
    if (strcmp(kind, "i") == 0) {
        a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
        a->has_i = 1;
        a->i = atol(w[2]);
    } else if (strcmp(kind, "f") == 0) {
        a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT;
        a->has_f = 1;
        a->f = (float)atof(w[2]);
    } else if (strcmp(kind, "s") == 0) {
        a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING;
        a->has_s = 1;
        a->s.data = (uint8_t *)spec_text(s, w[2]);
        a->s.len = strlen(w[2]);
    } else if (strcmp(kind, "is") == 0) {
        a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS;
        a->ints = spec_keep(s, SPEC_WORDS * sizeof *a->ints);
        for (int i = 2; i < n; i++)
            a->ints[a->n_ints++] = atol(w[i]);
    } else if (strcmp(kind, "fs") == 0) {
        a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS;
        a->floats = spec_keep(s, SPEC_WORDS * sizeof *a->floats);
        for (int i = 2; i < n; i++)
            a->floats[a->n_floats++] = (float)atof(w[i]);
    } else {
        a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR;
        a->t = spec_tensor(s, NULL, w + 2, n - 2, 0);
    }
    return a;
}

static inline void spec_statement(struct spec *s, char **w, int n)
{
    Onnx__GraphProto *g = &s->graph;

    if (strcmp(w[0], "in") == 0)
        s->inputs[g->n_input++] = spec_info(s, w + 1, n - 1);
    else if (strcmp(w[0], "out") == 0)
        s->outputs[g->n_output++] = spec_info(s, w + 1, n - 1);
    else if (strcmp(w[0], "info") == 0)
        s->infos[g->n_value_info++] = spec_info(s, w + 1, n - 1);
    else if (strncmp(w[0], "init", 4) == 0)
        s->inits[g->n_initializer++] = spec_tensor(s, w[1], w + 2, n - 2, w[0][4] == 'f');
    else if (strcmp(w[0], "node") == 0)
        spec_node(s, w[1], w[2], w[4], n > 5 ? w[5] : NULL);
    else if (strcmp(w[0], "import") == 0) {
        onnx__operator_set_id_proto__init(&s->foreign);
        s->foreign.domain = spec_text(s, w[1]);
        s->foreign.has_version = 1;
        s->foreign.version = atol(w[2]);
        s->opsets[s->model.n_opset_import++] = &s->foreign;
    } else if (strcmp(w[0], "ir") == 0)
        s->model.ir_version = atol(w[1]);
    else if (strcmp(w[0], "const") == 0) {
        char op[] = "Constant", none[] = "-", *t[SPEC_WORDS] = {"t", "value"};
        spec_node(s, op, none, w[1], NULL);
        memcpy(t + 2, w + 2, (size_t)(n - 2) * sizeof *w);
        spec_attr(s, t, n);
    } else
        spec_attr(s, w, n);
}

/* A new model (free with spec_free) at this opset; opset 0: no import. */
static inline struct spec *spec_parse(int opset, const char *text)
{
    struct spec *s = calloc(1, sizeof *s);
    char *copy = spec_text(s, text), *at = copy, *word[SPEC_WORDS];

    onnx__model_proto__init(&s->model);
    onnx__graph_proto__init(&s->graph);
    onnx__operator_set_id_proto__init(&s->opset);
    s->model.has_ir_version = 1;
    s->model.ir_version = 7;
    s->model.graph = &s->graph;
    s->graph.name = spec_text(s, "g");
    s->graph.node = s->nodes;
    s->graph.initializer = s->inits;
    s->graph.input = s->inputs;
    s->graph.output = s->outputs;
    s->graph.value_info = s->infos;
    s->opset.domain = spec_text(s, "");
    s->opset.has_version = 1;
    s->opset.version = opset;
    s->opsets[0] = &s->opset;
    s->model.opset_import = s->opsets;
    s->model.n_opset_import = opset != 0;
    while (*at) {
        char *end = at + strcspn(at, ";");
        int n = 0, more = *end == ';';
        *end = '\0';
        for (char *t = strtok(at, " "); t; t = strtok(NULL, " "))
            word[n++] = t;
        if (n)
            spec_statement(s, word, n);
        at = end + more;
    }
    return s;
}

static inline void spec_free(struct spec *s)
{
    for (int i = 0; i < s->nkept; i++)
        free(s->kept[i]);
    free(s);
}

/* The model's bytes (free with free). */
static inline unsigned char *spec_bytes(const struct spec *s, size_t *n)
{
    unsigned char *b;

    *n = protobuf_c_message_get_packed_size(&s->model.base);
    b = malloc(*n + 1);
    protobuf_c_message_pack(&s->model.base, b);
    return b;
}

static inline unsigned char *spec_model(int opset, const char *text, size_t *n)
{
    struct spec *s = spec_parse(opset, text);
    unsigned char *b = spec_bytes(s, n);

    spec_free(s);
    return b;
}

#endif
