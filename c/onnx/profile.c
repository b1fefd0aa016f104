/* Where a model falls short of the safety-related profile of ONNX: the requirements of profile.def that can be decided on a file, read
   from the file itself, since the graph has defaults filled in and types inferred. Invariant: what is found wrong with a node is
   said of that node once for each requirement and reason; a model of which nothing is said has each of them. */
#include "onnx/onnx_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PROFILE_OPEN, DECIDED };
enum { IMPORTS_MAX = 1000 };

static const struct onnx_requirement requirements[] = {
#define PROFILE(number, anchor, decided, words, have, evidence) {number, #anchor, decided, words, have, evidence},
#include "onnx/profile.def"
};

enum {
#define PROFILE(number, anchor, decided, words, have, evidence) REQ_##anchor,
#include "onnx/profile.def"
    REQ_COUNT
};

const struct onnx_requirement *onnx_requirement(int k)
{
    return k >= 0 && k < REQ_COUNT ? &requirements[k] : NULL;
}

/* The list of OP-000, without the names that ONNX does not have (Dense, FullyConnected, Padding, ConvTransposeDeconvolution). */
static const char *const listed[] = {
    "Abs", "Add", "Cast", "Clip", "Concat", "Constant", "ConstantOfShape", "Conv", "ConvTranspose", "Div", "Equal", "Erf", "Exp",
    "Expand", "Flatten", "GRU", "Gather", "Gemm", "GlobalAveragePool", "HardSwish", "Identity", "LSTM", "LeakyRelu", "Less", "Log",
    "MatMul", "Max", "MaxPool", "Min", "Mod", "Mul", "Neg", "Not", "Pad", "Pow", "Range", "ReduceMean", "ReduceSum", "Relu", "Reshape",
    "Resize", "ScatterND", "Shape", "Sigmoid", "Slice", "Softmax", "Softplus", "Split", "Sqrt", "Squeeze", "Sub", "Tanh", "Transpose",
    "Unsqueeze", "Where",
};
static const char *const chance[] = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"};
/* Their results have sizes, or they take time, that depend on values. */
static const char *const varying[] = {"Compress", "If", "Loop", "NonMaxSuppression", "NonZero", "StringSplit", "Unique"};
/* They fit shapes to each other without saying so. */
static const char *const broadcasting[] = {
    "Add", "And", "BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Div", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual",
    "Max", "Mean", "Min", "Mod", "Mul", "Or", "PRelu", "Pow", "Sub", "Sum", "Where", "Xor",
};
/* Attributes whose absence stands for no value. */
static const char *const valueless[] = {"activation_alpha", "activation_beta", "clip", "dtype", "end", "kv_num_heads", "num_outputs",
                                        "output_shape", "q_num_heads", "seed", "softmax_precision"};
/* Inputs that say sizes of results: bit k of input k. */
static const struct {
    const char *op;
    unsigned inputs;
} sizing[] = {{"ConstantOfShape", 1}, {"Expand", 2}, {"OneHot", 2}, {"Pad", 2 | 8}, {"Range", 7}, {"Reshape", 2}, {"Resize", 4 | 8},
              {"Slice", 2 | 4 | 8 | 16}, {"Split", 2}, {"Squeeze", 2}, {"Tile", 2}, {"TopK", 2}, {"Unsqueeze", 2}, {"Upsample", 2}};

struct seen {
    const Onnx__ValueInfoProto *info; /* or NULL */
    const Onnx__TensorProto *init;    /* or NULL */
    int node;                         /* that defines it, or -1 */
    bool input, output, used, fixed;  /* fixed: the same in every run */
};

struct profile {
    struct onnx_file f;
    const Onnx__ModelProto *model;
    const Onnx__GraphProto *gp;
    struct onnx_lacks *out;
    const unsigned char *data;
    struct onnx_slices slices;
    struct idmap id; /* value name -> entry of value */
    struct { struct seen *a; int n, cap; } value;
    int opset;
    bool nomem, open; /* open: an input has no static type, so the model is not read */
};

#define AMONG(list, s) among(list, sizeof list / sizeof *list, s)
static bool among(const char *const *list, size_t n, const char *s)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], s) == 0)
            return true;
    return false;
}

static bool is_there(const char *s)
{
    return s && s[0];
}

static const char *op_of(const Onnx__NodeProto *p)
{
    return p->op_type ? p->op_type : "";
}

static const char *node_name(const Onnx__NodeProto *p)
{
    if (is_there(p->name))
        return p->name;
    for (size_t k = 0; k < p->n_output; k++)
        if (is_there(p->output[k]))
            return p->output[k];
    return "";
}

static void put(struct profile *p, int requirement, int node, const char *name, const char *why)
{
    const Onnx__NodeProto *x = node >= 0 ? p->gp->node[node] : NULL;
    struct onnx_lack *l;

    if (!vec_room(p->f.mem, p->out, 1)) {
        p->nomem = true;
        return;
    }
    l = &p->out->a[p->out->n];
    *l = (struct onnx_lack){requirement, node, 0, -1, -1, strs_addz(p->f.strs, why)};
    if (x) {
        l->at = (size_t)(p->slices.a[node].a - p->data);
        l->name = strs_addz(p->f.strs, node_name(x));
        l->op = strs_addz(p->f.strs, op_of(x));
    } else if (name) {
        l->name = strs_addz(p->f.strs, name);
    }
    p->nomem = p->nomem || l->why < 0 || (x && (l->name < 0 || l->op < 0)) || (name && l->name < 0);
    p->out->n++;
}

/* name: of a value of no node, or NULL. */
static void lack(struct profile *p, int requirement, int node, const char *name, const char *format, ...) CALQUE_PRINTF(5, 6);
static void lack(struct profile *p, int requirement, int node, const char *name, const char *format, ...)
{
    char why[DIAG_TEXT];
    va_list ap;

    va_start(ap, format);
    vsnprintf(why, sizeof why, format, ap);
    va_end(ap);
    put(p, requirement, node, name, why);
}

/* ---- values ---- */

/* NULL: absent, or memory is out. Valid until the next new name. */
static struct seen *value_of(struct profile *p, const char *name)
{
    int str, k;

    if (!is_there(name))
        return NULL;
    str = strs_addz(p->f.strs, name);
    k = idmap_get(&p->id, str);
    if (k >= 0)
        return &p->value.a[k];
    if (!vec_room(p->f.mem, &p->value, 1) || !idmap_set(p->f.mem, &p->id, str, p->value.n)) {
        p->nomem = true;
        return NULL;
    }
    p->value.a[p->value.n] = (struct seen){.node = -1};
    return &p->value.a[p->value.n++];
}

static void note_infos(struct profile *p, Onnx__ValueInfoProto *const *a, size_t n, bool input, bool output)
{
    for (size_t i = 0; i < n; i++) {
        struct seen *v = value_of(p, a[i]->name);
        if (!v)
            continue;
        v->info = a[i];
        v->input = v->input || input;
        v->output = v->output || output;
        v->used = v->used || output;
    }
}

static bool sizes_known(const Onnx__ValueInfoProto *v)
{
    const Onnx__TensorShapeProto *s = v && v->type && v->type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE && v->type->tensor_type
                                          ? v->type->tensor_type->shape : NULL;

    for (size_t i = 0; s && i < s->n_dim; i++)
        if (!onnx_dim_known(s->dim[i]))
            return false;
    return s != NULL;
}

/* Is the node's result the same in every run? */
static bool node_fixed(struct profile *p, const Onnx__NodeProto *x)
{
    if (AMONG(chance, op_of(x)) || !onnx_is_default_domain(x->domain))
        return false;
    for (size_t k = 0; k < x->n_input; k++) {
        const struct seen *v = value_of(p, x->input[k]);
        bool sizes = k == 0 && (strcmp(op_of(x), "Shape") == 0 || strcmp(op_of(x), "Size") == 0);
        if (v && !v->fixed && !(sizes && sizes_known(v->info)))
            return false;
    }
    return true;
}

static void note_values(struct profile *p)
{
    const Onnx__GraphProto *gp = p->gp;
    bool defaults = p->model->has_ir_version && p->model->ir_version >= 4;

    note_infos(p, gp->value_info, gp->n_value_info, false, false);
    note_infos(p, gp->output, gp->n_output, false, true);
    note_infos(p, gp->input, gp->n_input, true, false);
    for (size_t i = 0; i < gp->n_initializer; i++) {
        struct seen *v = value_of(p, gp->initializer[i]->name);
        if (!v)
            continue;
        v->init = gp->initializer[i];
        v->fixed = !v->input || !defaults;
    }
    for (size_t i = 0; i < gp->n_node && !p->nomem; i++) {
        const Onnx__NodeProto *x = gp->node[i];
        bool fixed = node_fixed(p, x);
        for (size_t k = 0; k < x->n_input; k++) {
            struct seen *v = value_of(p, x->input[k]);
            if (v)
                v->used = true;
        }
        for (size_t k = 0; k < x->n_output; k++) {
            struct seen *v = value_of(p, x->output[k]);
            if (v) {
                v->node = (int)i;
                v->fixed = fixed;
            }
        }
    }
}

/* The values that subgraphs use are used. */
static enum calque_status note_captured(struct profile *p)
{
    for (size_t i = 0; i < p->gp->n_node; i++) {
        struct ints captured = {0};
        enum calque_status st = onnx_captures(&p->f, p->gp->node[i], &captured, NULL);
        for (int k = 0; k < captured.n; k++) {
            int v = idmap_get(&p->id, captured.a[k]);
            if (v >= 0)
                p->value.a[v].used = true;
        }
        ints_free(&captured);
        if (st)
            return st;
    }
    return CALQUE_OK;
}

/* ---- the model ---- */

static const char *domain_text(const char *s)
{
    return onnx_is_default_domain(s) ? "ai.onnx" : s;
}

static bool same_domain(const char *a, const char *b)
{
    return strcmp(domain_text(a), domain_text(b)) == 0;
}

static void check_model(struct profile *p)
{
    const Onnx__ModelProto *m = p->model;
    char s[ONNX_SHOW];

    for (size_t i = 0; i < m->n_opset_import; i++) {
        const Onnx__OperatorSetIdProto *o = m->opset_import[i];
        for (size_t k = 0; k < i; k++)
            if (same_domain(o->domain, m->opset_import[k]->domain))
                lack(p, REQ_operator_versions, -1, NULL, "domain %s is imported twice", onnx_show(s, domain_text(o->domain)));
        if (onnx_is_default_domain(o->domain) && (o->version < 1 || o->version > ONNX_OPSET_KNOWN))
            lack(p, REQ_operator_versions, -1, NULL, "opset %ld: 1 to %d are described", (long)o->version, ONNX_OPSET_KNOWN);
        if (onnx_is_default_domain(o->domain) && o->version >= 1 && o->version <= ONNX_OPSET_MAX)
            p->opset = (int)o->version;
    }
    if (m->n_training_info > 0)
        lack(p, REQ_inference_operators, -1, NULL, "the model has training information");
    for (size_t i = 0; i < m->n_functions; i++)
        lack(p, REQ_format_completeness, -1, NULL, "function %s is a graph of its own",
             onnx_show(s, m->functions[i]->name ? m->functions[i]->name : ""));
    for (size_t i = 0; i < p->gp->n_sparse_initializer; i++)
        lack(p, REQ_no_sparse_tensors, -1, NULL, "sparse initializer %zu", i);
    for (size_t i = 0; i < p->gp->n_initializer; i++) {
        const Onnx__TensorProto *t = p->gp->initializer[i];
        if (onnx_is_external(t))
            lack(p, REQ_format_completeness, -1, t->name, "its data are in another file");
    }
}

/* The type in words, NULL: none. */
static const char *type_name(int type)
{
    const ProtobufCEnumValue *v = protobuf_c_enum_descriptor_get_value(&onnx__tensor_proto__data_type__descriptor, type);

    return v ? v->name : "of a number that ONNX does not have";
}

static void check_elem(struct profile *p, int type, int node, const char *name, const char *what)
{
    char s[ONNX_SHOW];

    if (dtype_elem(type) == ELEM_OWN)
        lack(p, REQ_datatype_specific_spec, node, name, "%s %s is %s", what, onnx_show(s, name), type_name(type));
}

/* The declaration of an input, or of a node's output. */
static void check_declared(struct profile *p, const char *name, const struct seen *v)
{
    int node = v->node, dim, dtype;
    enum onnx_type_kind kind = ONNX_NO_TYPE;
    const char *value = node >= 0 ? NULL : name;
    struct shape shape;
    struct diag d;
    struct onnx_file f = p->f;
    char s[ONNX_SHOW];

    diag_clear(&d);
    f.diag = &d;
    onnx_show(s, name);
    if (v->info && onnx_type_read(&f, name, v->info->type, &kind, &dtype, &shape, &dim) != CALQUE_OK)
        return; /* the reader says why */
    p->open = p->open || (node < 0 && kind != ONNX_STATIC && kind != ONNX_NOT_TENSOR);
    if (kind == ONNX_NO_TYPE)
        lack(p, REQ_explicit_types_shapes, node, value, "value %s has no declared type", s);
    else if (kind == ONNX_NOT_TENSOR)
        lack(p, REQ_explicit_types_shapes, node, value, "value %s is no dense tensor", s);
    else if (kind == ONNX_NO_SHAPE)
        lack(p, REQ_explicit_types_shapes, node, value, "value %s has no declared shape", s);
    else if (kind == ONNX_SYMBOLIC)
        lack(p, REQ_explicit_types_shapes, node, value, "value %s: dimension %d is no number", s, dim);
    if (kind == ONNX_NOT_TENSOR && v->info->type->value_case == ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE)
        lack(p, REQ_no_sparse_tensors, node, value, "value %s is a sparse tensor", s);
    if (kind != ONNX_NO_TYPE && kind != ONNX_NOT_TENSOR)
        check_elem(p, dtype, node, name, "value");
}

static void check_values(struct profile *p)
{
    for (size_t i = 0; i < p->gp->n_input; i++) {
        const struct seen *v = value_of(p, p->gp->input[i]->name);
        if (v && !v->init)
            check_declared(p, p->gp->input[i]->name, v);
    }
    for (size_t i = 0; i < p->gp->n_initializer; i++)
        if (is_there(p->gp->initializer[i]->name))
            check_elem(p, p->gp->initializer[i]->data_type, -1, p->gp->initializer[i]->name, "initializer");
}

/* ---- nodes ---- */

static const Onnx__AttributeProto *attr_of(const Onnx__NodeProto *x, const char *label)
{
    const struct onnx_node n = {.p = x};

    return onnx_attr(&n, label);
}

static bool is_auto(const Onnx__NodeProto *x)
{
    const Onnx__AttributeProto *a = attr_of(x, "auto_pad");

    return a && a->s.len > 0 && !onnx_attr_is(a, "NOTSET");
}

/* Is an attribute that is not there no value, not a default one? */
static bool is_valueless(const Onnx__NodeProto *x, const char *label, bool old_broadcast)
{
    if (AMONG(valueless, label))
        return true;
    if (strcmp(label, "pads") == 0 || strcmp(label, "output_padding") == 0)
        return is_auto(x) || attr_of(x, "output_shape");
    return (strcmp(label, "axes") == 0 && strcmp(op_of(x), "Resize") == 0) || (strcmp(label, "axis") == 0 && old_broadcast);
}

static void check_defaults(struct profile *p, int node, const Onnx__NodeProto *x, int op)
{
    const struct onnx_attr_form *a = NULL;
    bool old = onnx_attr_form_find(op, "broadcast", p->opset) && !attr_of(x, "broadcast");

    while ((a = onnx_attr_form_next(a, op, p->opset)) != NULL)
        if (!a->required && !attr_of(x, a->label) && !is_valueless(x, a->label, old))
            lack(p, REQ_no_default_value, node, NULL, "attribute %s is left to its default", a->label);
}

static void check_inputs(struct profile *p, int node, const Onnx__NodeProto *x, const struct onnx_form *form)
{
    bool sized = strcmp(op_of(x), "Split") == 0 && attr_of(x, "num_outputs");

    if (strcmp(op_of(x), "Resize") == 0) /* it takes scales or sizes */
        return;
    for (int k = 0; k < form->most && !sized; k++)
        if ((size_t)k >= x->n_input || !is_there(x->input[k]))
            lack(p, REQ_all_inputs, node, NULL, "input %d is absent", k);
}

/* -1: it is not known here. */
static int constant_bool(struct profile *p, const char *name)
{
    const struct seen *v = value_of(p, name);
    const Onnx__TensorProto *t = v ? v->init : NULL;

    if (v && v->node >= 0 && strcmp(op_of(p->gp->node[v->node]), "Constant") == 0) {
        const Onnx__AttributeProto *a = attr_of(p->gp->node[v->node], "value");
        t = a ? a->t : NULL;
    }
    if (!v || !v->fixed || !t)
        return -1;
    if (t->has_raw_data && t->raw_data.len > 0)
        return t->raw_data.data[0] != 0;
    return t->n_int32_data > 0 ? t->int32_data[0] != 0 : -1;
}

static void check_training(struct profile *p, int node, const Onnx__NodeProto *x)
{
    const char *op = op_of(x), *mode;
    const Onnx__AttributeProto *a = attr_of(x, "training_mode"), *test = p->opset < 7 ? attr_of(x, "is_test") : NULL;
    bool dropout = strcmp(op, "Dropout") == 0, batch = strcmp(op, "BatchNormalization") == 0;

    if (batch && (x->n_output > 1 || (a && a->i != 0)))
        lack(p, REQ_inference_operators, node, NULL, "statistics are updated");
    if ((batch || dropout) && p->opset < 7 && (!test || test->i == 0))
        lack(p, REQ_inference_operators, node, NULL, "is_test is not 1");
    mode = dropout && p->opset >= 12 && x->n_input > 2 ? x->input[2] : "";
    if (!mode[0])
        return;
    switch (constant_bool(p, mode)) {
    case 0: return;
    case 1: lack(p, REQ_inference_operators, node, NULL, "training_mode is true"); break;
    default: lack(p, REQ_deterministic_operators, node, NULL, "training_mode is no constant");
    }
}

static void check_varying(struct profile *p, int node, const Onnx__NodeProto *x)
{
    const char *op = op_of(x);

    if (AMONG(varying, op)) {
        lack(p, REQ_determinism_memory_usage, node, NULL, "sizes depend on values");
        lack(p, REQ_determinism_execution_time, node, NULL, "time depends on values");
    }
    for (size_t i = 0; i < sizeof sizing / sizeof *sizing; i++)
        for (size_t k = 0; strcmp(sizing[i].op, op) == 0 && k < x->n_input && k < 8; k++) {
            const struct seen *v = value_of(p, x->input[k]);
            if ((sizing[i].inputs >> k & 1) && v && !v->fixed)
                lack(p, REQ_determinism_memory_usage, node, NULL, "input %zu says sizes and is no constant", k);
        }
}

/* The shape of a value, if it is written down. */
static bool shape_of(struct profile *p, const char *name, struct shape *s)
{
    const struct seen *v = value_of(p, name);
    enum onnx_type_kind kind;
    int dtype, dim;
    struct diag d;
    struct onnx_file f = p->f;

    diag_clear(&d);
    f.diag = &d;
    if (v && v->init) {
        if (v->init->n_dims > RANK_MAX)
            return false;
        s->rank = (int)v->init->n_dims;
        for (int i = 0; i < s->rank; i++)
            s->dim[i] = v->init->dims[i];
        return true;
    }
    return v && v->info && onnx_type_read(&f, name, v->info->type, &kind, &dtype, s, &dim) == CALQUE_OK && kind == ONNX_STATIC;
}

static void check_shapes(struct profile *p, int node, const Onnx__NodeProto *x)
{
    struct shape first, s;
    char a[SHAPE_TEXT], b[SHAPE_TEXT];

    if (!AMONG(broadcasting, op_of(x)) || x->n_input == 0 || !shape_of(p, x->input[0], &first))
        return;
    for (size_t k = 1; k < x->n_input; k++)
        if (shape_of(p, x->input[k], &s) && !shape_equal(&first, &s)) {
            lack(p, REQ_explicit_types_shapes, node, NULL, "shapes %s and %s are broadcast", shape_text(&first, a), shape_text(&s, b));
            return;
        }
}

static void check_outputs(struct profile *p, int node, const Onnx__NodeProto *x)
{
    char s[ONNX_SHOW];

    for (size_t k = 0; k < x->n_output; k++) {
        const struct seen *v = value_of(p, x->output[k]);
        if (!v)
            continue;
        check_declared(p, x->output[k], v);
        if (!v->used)
            lack(p, REQ_no_dead_node, node, NULL, "output %s is not used", onnx_show(s, x->output[k]));
    }
}

static bool is_imported(const struct profile *p, const char *domain)
{
    for (size_t i = 0; i < p->model->n_opset_import; i++)
        if (same_domain(p->model->opset_import[i]->domain, domain))
            return true;
    return false;
}

static void check_node(struct profile *p, int node)
{
    const Onnx__NodeProto *x = p->gp->node[node];
    const struct onnx_form *form;
    int op;
    char s[ONNX_SHOW];

    check_outputs(p, node, x);
    if (!is_imported(p, x->domain))
        lack(p, REQ_operator_versions, node, NULL, "domain %s is not imported", onnx_show(s, domain_text(x->domain)));
    if (!onnx_is_default_domain(x->domain)) {
        lack(p, REQ_operator_set, node, NULL, "domain %s is not ONNX's", onnx_show(s, domain_text(x->domain)));
        lack(p, REQ_format_completeness, node, NULL, "what it computes is not in the file");
        if (strstr(x->domain, "training"))
            lack(p, REQ_inference_operators, node, NULL, "an operator of training");
        return;
    }
    if (!AMONG(listed, op_of(x)))
        lack(p, REQ_operator_set, node, NULL, "not in the list");
    if (AMONG(chance, op_of(x)))
        lack(p, REQ_deterministic_operators, node, NULL, "its result is random");
    if (attr_of(x, "sparse_value"))
        lack(p, REQ_no_sparse_tensors, node, NULL, "a sparse constant");
    check_training(p, node, x);
    check_varying(p, node, x);
    check_shapes(p, node, x);
    op = onnx_plain_op(op_of(x));
    form = op >= 0 ? onnx_form_find(op, p->opset) : NULL;
    if (!form)
        return;
    check_defaults(p, node, x, op);
    check_inputs(p, node, x, form);
}

/* ---- the graph that is read ---- */

static int definer(const struct profile *p, int name)
{
    int k = idmap_get(&p->id, name);

    return k >= 0 ? p->value.a[k].node : -1;
}

/* Declared types that are not the computed ones. */
static void check_type(struct profile *p, const struct node *x)
{
    int k = idmap_get(&p->id, x->name), dtype, dim;
    enum onnx_type_kind kind;
    struct shape shape;
    char a[SHAPE_TEXT], b[SHAPE_TEXT], s[ONNX_SHOW];

    if (k < 0 || p->value.a[k].node < 0 || !p->value.a[k].info || x->dtype == DTYPE_UNKNOWN || x->shape.rank < 0)
        return;
    if (onnx_type_read(&p->f, "", p->value.a[k].info->type, &kind, &dtype, &shape, &dim) != CALQUE_OK || kind != ONNX_STATIC)
        return;
    if (dtype != x->dtype || !shape_equal(&shape, &x->shape))
        lack(p, REQ_explicit_types_shapes, p->value.a[k].node, NULL, "value %s is declared %s %s but computed as %s %s",
             onnx_show(s, strs_text(p->f.strs, x->name)), dtype_name(dtype), shape_text(&shape, a), dtype_name(x->dtype),
             shape_text(&x->shape, b));
}

/* The node of the file whose result the operator is. */
static int file_node(const struct profile *p, const struct graph *g, int id)
{
    int node = definer(p, g->node.a[id].name);

    for (int i = id + 1; node < 0 && graph_multi(g, id) && i < g->node.n; i++)
        if (g->node.a[i].kind == NODE_PROJ && graph_in(g, i, 0) == id)
            node = definer(p, g->node.a[i].name);
    return node;
}

static enum calque_status check_meaning(struct profile *p, const struct graph *g, int id)
{
    struct text t;
    struct diag d;
    enum calque_status st;

    diag_clear(&d);
    text_init(&t, p->f.mem);
    st = op_kernel_text(g, id, &t, &d);
    text_free(&t);
    if (st == CALQUE_BAD || st == CALQUE_LIMIT)
        lack(p, REQ_reference_imp, file_node(p, g, id), NULL, "%s", d.text);
    return st == CALQUE_NOMEM ? diag_nomem(p->f.diag) : CALQUE_OK;
}

static enum calque_status check_graph(struct profile *p, const struct graph *g, const struct onnx_reasons *why)
{
    for (int i = 0; i < why->n; i++) {
        struct text t;
        text_init(&t, p->f.mem); /* strings move while one is added */
        text_printf(&t, "has no meaning here: %s", strs_text(p->f.strs, why->a[i].text));
        if (!t.failed)
            put(p, REQ_reference_imp, definer(p, why->a[i].value), NULL, t.a);
        p->nomem = p->nomem || t.failed;
        text_free(&t);
    }
    for (int i = 0; i < g->node.n; i++) {
        const struct node *x = &g->node.a[i];
        enum calque_status st = CALQUE_OK;
        if (x->name >= 0)
            check_type(p, x);
        if (x->kind == NODE_OP && x->op != OP_Opaque)
            st = check_meaning(p, g, i);
        if (st)
            return st;
    }
    return CALQUE_OK;
}

/* What the reader of models finds wrong is wrong with the file. */
static enum calque_status read_graph(struct profile *p, struct graph *g, size_t n)
{
    const struct onnx_given given = {.folder = p->f.folder};
    struct onnx_reasons why = {0};
    struct diag d;
    enum calque_status st;

    diag_clear(&d);
    st = onnx_read_given(g, p->f.file, p->data, n, &given, &why, &d);
    if (st == CALQUE_BAD || st == CALQUE_LIMIT) {
        lack(p, REQ_format_compatibility, -1, NULL, "%s", d.text);
        st = CALQUE_OK;
    } else if (st == CALQUE_OK) {
        st = check_graph(p, g, &why);
    } else if (p->f.diag) {
        *p->f.diag = d;
    }
    mem_free(why.a);
    return st;
}

static enum calque_status check_all(struct profile *p, struct graph *g, size_t n)
{
    enum calque_status st = onnx_slices(&p->f, p->model, p->data, n, &p->slices);

    if (st)
        return st;
    p->out->nodes = p->slices.n;
    note_values(p);
    st = p->nomem ? diag_nomem(p->f.diag) : note_captured(p);
    if (st)
        return st;
    check_model(p);
    check_values(p);
    for (int i = 0; i < p->slices.n && !p->nomem; i++)
        check_node(p, i);
    if (p->nomem)
        return diag_nomem(p->f.diag);
    p->out->read = !p->open;
    st = p->open ? CALQUE_OK : read_graph(p, g, n);
    return !st && p->nomem ? diag_nomem(p->f.diag) : st;
}

enum calque_status onnx_profile(struct graph *g, const char *file, const unsigned char *data, size_t n, const char *folder,
                                struct onnx_lacks *out, struct diag *d)
{
    struct profile p = {.f = {g->mem, g->strs, file, d, folder}, .out = out, .data = data};
    struct wire_alloc alloc;
    ProtobufCMessage *m;
    enum calque_status st;

    wire_alloc_init(&alloc, g->mem);
    st = wire_unpack(&alloc, &onnx__model_proto__descriptor, file, data, n, &m, d);
    if (st)
        return st;
    p.model = (const Onnx__ModelProto *)m;
    p.gp = p.model->graph;
    if (p.model->n_opset_import > IMPORTS_MAX)
        st = diag_set(d, CALQUE_LIMIT, file, 0, 0, "the model imports more than %d operator sets", (int)IMPORTS_MAX);
    else
        st = p.gp ? check_all(&p, g, n) : diag_set(d, CALQUE_BAD, file, 0, 0, "the model has no graph");
    protobuf_c_message_free_unpacked(m, &alloc.base);
    idmap_free(&p.id);
    mem_free(p.value.a);
    mem_free(p.slices.a);
    return st;
}
