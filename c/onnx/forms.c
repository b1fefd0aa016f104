/* The forms of ONNX operators by opset (forms.def, expand.def), and whether a node has one: known attributes of the
   right type, each at most once, and the number of inputs and outputs. The rows of both tables ascend by operator (as in
   ops.def), those of one operator by opset. */
#include "onnx/onnx_internal.h"

#include <string.h>

static const struct onnx_form forms[] = {
#define ONNX_FORM(op, since, least, most, outputs) {OP_##op, since, least, most, outputs},
#include "onnx/forms.def"
#define ONNX_FORM(op, since, least, most, outputs) {EX_##op, since, least, most, outputs},
#include "onnx/expand.def"
};

static const struct onnx_attr_form attr_forms[] = {
#define ONNX_ATTR(op, label, type, first, last, required)                                         \
    {OP_##op, #label, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__##type, first, last, required},
#include "onnx/forms.def"
#define ONNX_ATTR(op, label, type, first, last, required)                                         \
    {EX_##op, #label, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__##type, first, last, required},
#include "onnx/expand.def"
};

enum { FORMS = (int)(sizeof forms / sizeof *forms) };

/* The first row of op, or of an operator after it. */
static int first_form(int op)
{
    int low = 0, high = FORMS;

    while (low < high) {
        int mid = low + (high - low) / 2;

        if (forms[mid].op < op)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

const struct onnx_form *onnx_form_find(int op, int opset)
{
    const struct onnx_form *best = NULL;
    bool ours = op_info(op) && (op_info(op)->traits & OP_CALQUE);

    if (opset > ONNX_OPSET_KNOWN && !ours)
        return NULL;
    for (int i = first_form(op); i < FORMS && forms[i].op == op && forms[i].since <= opset; i++)
        best = &forms[i];
    return best && best->outputs ? best : NULL;
}

int onnx_form_since(int op, int k)
{
    int i = first_form(op);

    return k < FORMS - i && forms[i + k].op == op ? forms[i + k].since : 0;
}

const struct onnx_attr_form *onnx_attr_form_find(int op, const char *label, int opset)
{
    for (size_t i = 0; i < sizeof attr_forms / sizeof *attr_forms; i++) {
        const struct onnx_attr_form *f = &attr_forms[i];
        if (f->op == op && f->first <= opset && opset <= f->last && strcmp(f->label, label) == 0)
            return f;
    }
    return NULL;
}

const struct onnx_attr_form *onnx_attr_form_next(const struct onnx_attr_form *last, int op, int opset)
{
    for (const struct onnx_attr_form *f = last ? last + 1 : attr_forms; f < attr_forms + sizeof attr_forms / sizeof *attr_forms; f++)
        if (f->op == op && f->first <= opset && opset <= f->last)
            return f;
    return NULL;
}

/* The first required attribute of op at opset that the node lacks. */
static const char *missing(const struct onnx_node *n)
{
    for (size_t i = 0; i < sizeof attr_forms / sizeof *attr_forms; i++) {
        const struct onnx_attr_form *f = &attr_forms[i];
        if (f->op == n->op && f->required && f->first <= n->opset && n->opset <= f->last &&
            !onnx_attr(n, f->label))
            return f->label;
    }
    return NULL;
}

const char *onnx_attr_type_name(int type)
{
    const ProtobufCEnumValue *v = protobuf_c_enum_descriptor_get_value(
        &onnx__attribute_proto__attribute_type__descriptor, type);

    return v ? v->name : "unknown type";
}

int onnx_attr_type(const Onnx__AttributeProto *a)
{
    /* Files older than the field `type` are read by the field that is present. */
    if (a->has_type && a->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED)
        return (int)a->type;
#define HAS(there, type)                                                                          \
    if (there)                                                                                    \
        return (int)ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__##type
    HAS(a->has_f, FLOAT);
    HAS(a->has_i, INT);
    HAS(a->has_s, STRING);
    HAS(a->t, TENSOR);
    HAS(a->g, GRAPH);
    HAS(a->n_floats, FLOATS);
    HAS(a->n_ints, INTS);
    HAS(a->n_strings, STRINGS);
    HAS(a->n_tensors, TENSORS);
    HAS(a->n_graphs, GRAPHS);
#undef HAS
    return 0;
}

enum calque_status onnx_attr_sane(const struct onnx_node *n)
{
    char s[ONNX_SHOW];

    if (n->p->n_attribute > ONNX_ATTRS_MAX)
        return onnx_fail(n, CALQUE_LIMIT, "has more than %d attributes", ONNX_ATTRS_MAX);
    for (size_t i = 0; i < n->p->n_attribute; i++) {
        const Onnx__AttributeProto *a = n->p->attribute[i];
        int type = onnx_attr_type(a);

        if (!a->name || !a->name[0])
            return onnx_fail(n, CALQUE_BAD, "attribute %zu has no name", i);
        if (onnx_attr(n, a->name) != a)
            return onnx_fail(n, CALQUE_BAD, "attribute '%s' is given twice", onnx_show(s, a->name));
        if (a->ref_attr_name && a->ref_attr_name[0])
            return onnx_fail(n, CALQUE_BAD,
                             "attribute '%s' refers to a function's attribute outside a function",
                             onnx_show(s, a->name));
        if (!protobuf_c_enum_descriptor_get_value(
                &onnx__attribute_proto__attribute_type__descriptor, type))
            return onnx_fail(n, CALQUE_BAD, "attribute '%s' has the unknown type %d",
                             onnx_show(s, a->name), type);
        if ((type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR && !a->t) ||
            (type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH && !a->g))
            return onnx_fail(n, CALQUE_BAD, "attribute '%s' says it is a %s but holds none",
                             onnx_show(s, a->name), onnx_attr_type_name(type));
    }
    return CALQUE_OK;
}

static enum calque_status check_arity(const struct onnx_node *n, const struct onnx_form *form)
{
    size_t nin = n->p->n_input, nout = n->p->n_output;
    bool variadic = form->most < 0;

    while (!variadic && nin > 0 && !n->p->input[nin - 1][0])
        nin--;
    if (nin < (size_t)form->least || (!variadic && nin > (size_t)form->most)) {
        if (form->least == form->most)
            return onnx_fail(n, CALQUE_BAD, "takes %d input(s), not %zu", form->least, nin);
        return onnx_fail(n, CALQUE_BAD, "takes %d to %d inputs, not %zu", form->least,
                         variadic ? INT32_MAX : form->most, nin);
    }
    for (size_t i = 0; i < nin; i++)
        if (!n->p->input[i][0] && (variadic || i < (size_t)form->least))
            return onnx_fail(n, CALQUE_BAD, "input %zu must not be absent", i);
    if (n->nout < 1 || (form->outputs >= 0 && n->nout > form->outputs))
        return onnx_fail(n, CALQUE_BAD, "has %zu outputs, not 1 to %d", nout,
                         form->outputs < 0 ? INT32_MAX : form->outputs);
    return CALQUE_OK;
}

enum calque_status onnx_node_check(const struct onnx_node *n, const struct onnx_form *form)
{
    char s[ONNX_SHOW];
    const char *lacks;

    for (size_t i = 0; i < n->p->n_attribute; i++) {
        const Onnx__AttributeProto *a = n->p->attribute[i];
        const struct onnx_attr_form *af = onnx_attr_form_find(n->op, a->name, n->opset);
        int type = onnx_attr_type(a);

        if (!af)
            return onnx_fail(n, CALQUE_BAD, "has no attribute '%s' in opset %d",
                             onnx_show(s, a->name), n->opset);
        if (type != af->type)
            return onnx_fail(n, CALQUE_BAD, "attribute '%s' must be of type %s, is %s", af->label,
                             onnx_attr_type_name(af->type), onnx_attr_type_name(type));
    }
    lacks = missing(n);
    if (lacks)
        return onnx_fail(n, CALQUE_BAD, "lacks the attribute '%s'", lacks);
    return check_arity(n, form);
}
