/* Writing ONNX: each internal form at each opset, names, opaque nodes, and what a model keeps besides its graph. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "onnx/onnx.h"
#include "onnx_spec.h"
#include "tensor/op.h"
#include "unit.h"
#include "graph/world.h"

/* One line per node: out,.. = Op(in,..) label=value .. ; then init, in, out and info lines. */
static void list_node(struct text *t, const Onnx__NodeProto *p)
{
    for (size_t i = 0; i < p->n_output; i++)
        text_printf(t, "%s%s", i ? "," : "", p->output[i]);
    text_printf(t, " = %s%s%s(", p->domain ? p->domain : "", p->domain && *p->domain ? "::" : "", p->op_type);
    for (size_t i = 0; i < p->n_input; i++)
        text_printf(t, "%s%s", i ? "," : "", p->input[i]);
    text_puts(t, ")");
    for (size_t i = 0; i < p->n_attribute; i++) {
        const Onnx__AttributeProto *a = p->attribute[i];
        text_printf(t, " %s=", a->name);
        if (a->has_i)
            text_printf(t, "%ld", (long)a->i);
        else if (a->has_f)
            text_printf(t, "%g", (double)a->f);
        else if (a->has_s)
            text_printf(t, "%.*s", (int)a->s.len, (char *)a->s.data);
        for (size_t k = 0; k < a->n_ints; k++)
            text_printf(t, "%s%ld", k ? "," : "", (long)a->ints[k]);
        if (a->t)
            text_printf(t, "tensor%d", a->t->data_type);
    }
    if (p->doc_string)
        text_printf(t, " # %s", p->doc_string);
    text_puts(t, "\n");
}

static void list_denotations(struct text *t, const char *what, Onnx__ValueInfoProto **v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const Onnx__TypeProto__Tensor *x = v[i]->type ? v[i]->type->tensor_type : NULL;
        const char *of = v[i]->type && v[i]->type->denotation ? v[i]->type->denotation : "";
        if (of[0] || (v[i]->doc_string && v[i]->doc_string[0]))
            text_printf(t, "denote %s %s %s %s\n", what, v[i]->name, of, v[i]->doc_string ? v[i]->doc_string : "");
        for (size_t k = 0; x && x->shape && k < x->shape->n_dim; k++)
            if (x->shape->dim[k]->denotation && x->shape->dim[k]->denotation[0])
                text_printf(t, "denote %s %s %zu %s\n", what, v[i]->name, k, x->shape->dim[k]->denotation);
    }
}

static void list_annotations(struct text *t, const Onnx__GraphProto *g)
{
    for (size_t i = 0; i < g->n_quantization_annotation; i++) {
        const Onnx__TensorAnnotation *a = g->quantization_annotation[i];
        text_printf(t, "annotation %s", a->tensor_name);
        for (size_t k = 0; k < a->n_quant_parameter_tensor_names; k++)
            text_printf(t, " %s", a->quant_parameter_tensor_names[k]->value);
        text_puts(t, "\n");
    }
}

static void list_infos(struct text *t, const char *what, Onnx__ValueInfoProto **v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const Onnx__TypeProto__Tensor *x = v[i]->type ? v[i]->type->tensor_type : NULL;
        text_printf(t, "%s %s", what, v[i]->name);
        if (x)
            text_printf(t, " %d", x->elem_type);
        for (size_t k = 0; x && x->shape && k < x->shape->n_dim; k++)
            text_printf(t, " %ld", x->shape->dim[k]->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE
                                       ? (long)x->shape->dim[k]->dim_value : -1L);
        text_puts(t, "\n");
    }
}

static void list_model(struct text *t, const unsigned char *b, size_t n)
{
    Onnx__ModelProto *m = (Onnx__ModelProto *)protobuf_c_message_unpack(&onnx__model_proto__descriptor, NULL, n, b);

    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    text_printf(t, "ir %ld producer %s\n", (long)m->ir_version, m->producer_name);
    for (size_t i = 0; i < m->n_opset_import; i++)
        text_printf(t, "opset %s %ld\n", m->opset_import[i]->domain ? m->opset_import[i]->domain : "",
                    (long)m->opset_import[i]->version);
    for (size_t i = 0; i < m->n_metadata_props; i++)
        text_printf(t, "meta %s\n", m->metadata_props[i]->key);
    text_printf(t, "functions %zu\n", m->n_functions);
    for (size_t i = 0; i < m->graph->n_node; i++)
        list_node(t, m->graph->node[i]);
    for (size_t i = 0; i < m->graph->n_initializer; i++) {
        const Onnx__TensorProto *x = m->graph->initializer[i];
        text_printf(t, "init %s %d", x->name, x->data_type);
        for (size_t k = 0; k < x->n_dims; k++)
            text_printf(t, " %ld", (long)x->dims[k]);
        text_puts(t, " :");
        for (size_t k = 0; x->data_type == 7 && k < x->raw_data.len / 8; k++) {
            long v;
            memcpy(&v, x->raw_data.data + 8 * k, 8);
            text_printf(t, " %ld", v);
        }
        text_puts(t, "\n");
    }
    list_infos(t, "in", m->graph->input, m->graph->n_input);
    list_infos(t, "out", m->graph->output, m->graph->n_output);
    list_infos(t, "info", m->graph->value_info, m->graph->n_value_info);
    list_annotations(t, m->graph);
    list_denotations(t, "in", m->graph->input, m->graph->n_input);
    list_denotations(t, "out", m->graph->output, m->graph->n_output);
    list_denotations(t, "info", m->graph->value_info, m->graph->n_value_info);
    text_printf(t, "training %zu\n", m->n_training_info);
    protobuf_c_message_free_unpacked(&m->base, NULL);
}

/* The list of g as written holds every line of `lines` (separated by `|`; the text before the first must
   not occur if it begins with `!`). An error is one line "error: ..". */
static void expect_graph(struct world *w, const struct graph *g, const char *lines)
{
    unsigned char *b = NULL;
    size_t n = 0;
    struct text t;
    char *want = malloc(strlen(lines) + 1);

    strcpy(want, lines);
    text_init(&t, &w->mem);
    if (onnx_write(g, &b, &n, &w->d) != CALQUE_OK) {
        CU_ASSERT_PTR_NULL(b);
        text_printf(&t, "error: %s\n", w->d.text);
    } else {
        list_model(&t, b, n);
    }
    for (char *l = strtok(want, "|"); l; l = strtok(NULL, "|")) {
        bool found = strstr(t.a, l + (*l == '!')) != NULL;
        if (found == (*l == '!'))
            fprintf(stderr, "want: %s\ngot:\n%s\n", l, t.a);
        CU_ASSERT(found != (*l == '!'));
    }
    mem_free(b);
    free(want);
    text_free(&t);
}

static void expect(const char *src, const char *lines)
{
    struct world w;
    struct graph g;

    world_init(&w);
    if (world_read(&w, &g, src) != CALQUE_OK) {
        fprintf(stderr, "%s\n%s\n", src, w.d.text);
        CU_FAIL("not read");
    } else {
        expect_graph(&w, &g, lines);
    }
    graph_free(&g);
    world_free(&w);
}

/* One operator at an opset: `in` are input statements, `op` the expression of y. */
static void at(int opset, const char *in, const char *op, const char *lines)
{
    char src[1024];

    snprintf(src, sizeof src, "graph g(opset=%d) { %s\n y = %s\n return y }", opset, in, op);
    expect(src, lines);
}

static void test_axes(void)
{
    at(9, "input x : f32[2, 3]", "Unsqueeze(x, axes=(0, 2))", "y = Unsqueeze(x) axes=0,2\n|!init ");
    at(13, "input x : f32[2, 3]", "Unsqueeze(x, axes=(0, 2))", "y = Unsqueeze(x,y_axes)\n|init y_axes 7 2 : 0 2\n");
    at(9, "input x : f32[1, 3]", "Squeeze(x, axes=(0,))", "y = Squeeze(x) axes=0\n");
    at(13, "input x : f32[1, 3]", "Squeeze(x, axes=(0,))", "y = Squeeze(x,y_axes)\n|init y_axes 7 1 : 0\n");
    at(13, "input x : f32[2, 3]", "Squeeze(x, axes=())", "y = Identity(x)\n");
    at(11, "input x : f32[2, 3]", "ReduceSum(x, axes=(1,), keepdims=0)", "y = ReduceSum(x) axes=1 keepdims=0\n");
    at(13, "input x : f32[2, 3]", "ReduceSum(x, axes=(1,), keepdims=0)", "y = ReduceSum(x,y_axes) keepdims=0 noop_with_empty_axes=0\n");
    at(13, "input x : f32[2, 3]", "ReduceSum(x, axes=())", "y = Identity(x)\n");
    at(17, "input x : f32[2, 3]", "ReduceMean(x, axes=(1,))", "y = ReduceMean(x) axes=1 keepdims=1\n");
    at(18, "input x : f32[2, 3]", "ReduceMean(x, axes=(1,))", "y = ReduceMean(x,y_axes) keepdims=1 noop_with_empty_axes=0\n|init y_axes 7 1 : 1\n");
    at(28, "input x : f32[2, 3]", "ReduceMean(x, axes=(1,))",
       "error: node 'y' (ReduceMean): the form of operators in the model's opset is not known: it is too new");
    at(9, "input x : f32[2, 3]", "Transpose(x, perm=(1, 0))", "y = Transpose(x) perm=1,0\n");
    at(9, "input x : f32[2, 3]", "Reshape(x, shape=(6,))", "y = Reshape(x,y_shape)\n|init y_shape 7 1 : 6\n");
    at(4, "input x : f32[2, 3]", "Reshape(x, shape=(6,))", "error: node 'y' (Reshape): the operator does not exist in the model's opset");
    at(15, "input x : f32[2, 3]", "Shape(x, start=1)", "y = Shape(x) end=2 start=1\n");
    at(13, "input x : f32[2, 3]", "Shape(x)", "y = Shape(x)\n");
    at(13, "input x : f32[2, 3]", "Shape(x, start=1)", "error: node 'y' (Shape): start and end need opset 15");
}

static void test_slice_split(void)
{
    at(9, "input x : f32[5, 6]", "Slice(x, starts=(1, 0), steps=(1, 1), sizes=(2, 6))", "y = Slice(x) starts=1,0 ends=3,6 axes=0,1\n");
    at(9, "input x : f32[5]", "Slice(x, starts=(1,), steps=(2,), sizes=(2,))", "error: node 'y' (Slice): steps need opset 10");
    at(10, "input x : f32[5, 6]", "Slice(x, starts=(4, 5), steps=(-2, -1), sizes=(3, 2))",
       "y = Slice(x,y_starts,y_ends,y_axes,y_steps)\n|init y_starts 7 2 : 4 5\n|init y_ends 7 2 : -6 3\n|init y_steps 7 2 : -2 -1\n");
    at(13, "input x : f32[5]", "Slice(x, starts=(0,), steps=(3,), sizes=(2,))", "init y_ends 7 1 : 5\n");
    expect("graph g(opset=18) { input x : f32[6]\n s = Split(x, axis=0, split=(2, 4))\n a = s[0]\n b = s[1]\n return b, a }",
           "a,b = Split(x,|) axis=0\n|!num_outputs");
    expect("graph g(opset=9) { input x : f32[6]\n s = Split(x, axis=0, split=(2, 4))\n b = s[1]\n return b }",
           "t1,b = Split(x) axis=0 split=2,4\n|!info");
    expect("graph g(opset=13) { input x : f32[6]\n s = Split(x, axis=0, split=(2, 4))\n a = s[0]\n b = s[1]\n return b, a }",
           "a,b = Split(x,a_split) axis=0\n|init a_split 7 2 : 2 4\n|out b 1 4\nout a 1 2\n");
}

static void test_others(void)
{
    const char *x = "input x : f32[2, 3, 4]";

    at(9, x, "Softmax(x, axis=1, flatten=1)", "y = Softmax(x) axis=1\n");
    at(9, x, "Softmax(x, axis=2)", "y = Softmax(x) axis=2\n");
    at(9, x, "Softmax(x, axis=1)", "error: node 'y' (Softmax): a softmax along an inner axis needs opset 13");
    at(13, x, "Softmax(x, axis=1)", "y = Softmax(x) axis=1\n");
    at(13, x, "Softmax(x, axis=1, flatten=1)", "t1 = Flatten(x) axis=1\nt2 = Softmax(t1) axis=1\ny = Reshape(t2,y_shape)\n|"
                                               "init y_shape 7 3 : 2 3 4\n|info t1 1 2 12\ninfo t2 1 2 12\n");
    at(11, x, "Dropout(x, ratio=0.25)", "y = Dropout(x) ratio=0.25\n");
    at(12, x, "Dropout(x, ratio=0.25)", "y = Dropout(x,y_ratio)\n|init y_ratio 1 :\n");
    at(12, x, "Dropout(x)", "y = Dropout(x)\n");
    at(6, x, "Dropout(x)", "is_test=1|ratio=0.5");
    at(9, "input a : f32[2, 3]\n input b : f32[3, 4]", "Gemm(a, b)", "y = Gemm(a,b,y_zero) |init y_zero 1 1 :\n");
    at(11, "input a : f32[2, 3]\n input b : f32[3, 4]", "Gemm(a, b)", "y = Gemm(a,b) alpha=1 beta=1 transA=0 transB=0\n");
    at(9, "input a : f32[1, 1, 5, 5]", "MaxPool(a, kernel_shape=(2, 2))", "y = MaxPool(a) kernel_shape=2,2 pads=0,0,0,0 strides=1,1 auto_pad=NOTSET storage_order=0\n");
    at(7, "input a : f32[1, 1, 5, 5]", "MaxPool(a, kernel_shape=(2, 2))", "strides=1,1 auto_pad=NOTSET\n|!storage_order");
    at(18, "input a : f32[2]", "Cast(a, to=11)", "y = Cast(a) to=11\n|!saturate");
    at(19, "input a : f32[2]", "Cast(a, to=11)", "y = Cast(a) to=11 saturate=1\n");
    at(14, "input a : f32[2, 3]", "Softmax(Reshape(a, shape=(3, 2)), axis=0, flatten=1)", "allowzero=0\n|y = Reshape(t3,y_shape) allowzero=0\n");
    at(10, "input a : f32[1, 1, 5, 5]", "MaxPool(a, kernel_shape=(2, 2), dilations=(2, 2))", "dilations=2,2");
    at(9, "input a : f32[1, 1, 5, 5]", "MaxPool(a, kernel_shape=(2, 2), dilations=(2, 2))", "error: node 'y' (MaxPool): dilations need opset 10");
    at(9, "input a : f32[1, 1, 5, 5]", "AveragePool(a, kernel_shape=(2, 2), ceil_mode=1)", "error: node 'y' (AveragePool): ceil_mode needs opset 10");
    at(6, "input a : f32[1, 1, 5, 5]", "AveragePool(a, kernel_shape=(2, 2), count_include_pad=1)", "count_include_pad needs opset 7");
    at(9, "", "ConstantOfShape(shape=(2, 3), value=0.5)", "y = ConstantOfShape(y_shape) value=tensor1\n|init y_shape 7 2 : 2 3\n");
    at(8, "", "ConstantOfShape(shape=(2, 3))", "error: node 'y' (ConstantOfShape): the operator does not exist");
    at(7, "input a : f32[2]\n input b : f32[1]", "Sum(a, b)", "error: node 'y' (Sum): opset 7 cannot broadcast");
    at(8, "input a : f32[2]\n input b : f32[1]", "Sum(a, b)", "y = Sum(a,b)\n");
}

/* Fill values, bounds and shapes: attributes at some opsets, inputs at others. */
static void test_fill(void)
{
    const char *x = "input x : f32[2, 3]";

    at(10, x, "Pad(x, pads=(0, 1, 0, 2), value=0.5)", "y = Pad(x) mode=constant pads=0,1,0,2 value=0.5\n");
    at(11, x, "Pad(x, pads=(0, 1, 0, 2), value=0.5)", "y = Pad(x,y_pads,y_value) mode=constant\n|init y_pads 7 4 : 0 1 0 2\n|init y_value 1 :\n");
    at(13, x, "Pad(x, pads=(0, 1, 0, 2), mode=\"edge\")", "y = Pad(x,y_pads) mode=edge\n|!y_value");
    at(13, "input x : i64[2]", "Pad(x, pads=(0, 1), value=-7.0)", "init y_value 7 : -7\n");
    at(13, "input x : i64[2]", "Pad(x, pads=(0, 1), value=0.5)", "error: node 'y' (Pad): its value is none of its element type");
    at(13, x, "Expand(x, shape=(4, 1, 3))", "y = Expand(x,y_shape)\n|init y_shape 7 3 : 4 2 3\n");
    at(7, x, "Expand(x, shape=(4, 1, 3))", "error: node 'y' (Expand): the operator does not exist in the model's opset");
    at(10, x, "Clip(x, min=-1.0)", "y = Clip(x) max=inf min=-1\n");
    at(11, x, "Clip(x, min=-1.0)", "y = Clip(x,y_min)\n|init y_min 1 :\n");
    at(11, x, "Clip(x, max=2.0)", "y = Clip(x,,y_max)\n");
    at(11, x, "Clip(x)", "y = Clip(x)\n");
    at(9, x, "EyeLike(x, k=1)", "y = EyeLike(x) dtype=1 k=1\n");
    at(17, "input x : f32[2, 3]\n input s : f32[3]", "LayerNormalization(x, s, epsilon=0.5)",
       "y = LayerNormalization(x,s) axis=1 epsilon=0.5 stash_type=1\n");
    at(17, "input x : f64[2, 3]\n input s : f64[3]", "LayerNormalization(x, s, epsilon=0.5)",
       "y = LayerNormalization(x,s) axis=1 epsilon=0.5 stash_type=11\n");
    at(16, "input x : f32[2, 3]\n input s : f32[3]", "LayerNormalization(x, s)", "the operator does not exist in the model's opset");
}

static void test_opset_6(void)
{
    at(6, "input a : f32[2, 3, 4]\n input b : f32[4]", "a + b", "y = Add(a,b) broadcast=1 axis=2\n");
    at(6, "input a : f32[2, 3, 4]\n input b : f32[4]", "b + a", "y = Add(a,b) broadcast=1 axis=2\n");
    at(6, "input a : f32[2, 3, 4]\n input b : f32[4]", "Less(a, b)", "y = Less(a,b) broadcast=1 axis=2\n");
    at(6, "input a : bool[2, 3, 4]\n input b : bool[4]", "And(b, a)", "y = And(a,b) broadcast=1 axis=2\n");
    at(6, "input a : f32[2, 3, 4]\n input b : f32[4]", "b - a", "error: node 'y' (Sub): opset 6 cannot broadcast these shapes");
    at(6, "input a : f32[2, 3, 4]\n input b : f32[2, 3, 4]", "a * b", "y = Mul(a,b)\n");
    at(6, "input a : f32[2, 3, 4]\n input b : f32[3]", "a * Unsqueeze(b, axes=(1,))", "y = Mul(a,b) broadcast=1 axis=1\n|!Unsqueeze");
    at(6, "input a : f32[2, 3, 4]\n input b : f32[3, 1]", "a * b",
       "t1 = Reshape(b,t1_shape)\ny = Mul(a,t1) broadcast=1 axis=1\n|init t1_shape 7 1 : 3\n");
}

static void test_names(void)
{
    /* a node takes the output's name; a second name, an input or a constant needs an Identity */
    expect("graph g { input x : f32[2]\n a = Relu(x)\n return y = a }", "y = Relu(x)\n|!Identity|out y 1 2\n");
    expect("graph g { input x : f32[2]\n a = Relu(x)\n return y = a, z = a }", "y = Relu(x)\nz = Identity(y)\n");
    expect("graph g { input x : f32[2]\n a = Relu(x)\n return y = a, a }", "a = Relu(x)\ny = Identity(a)\n|out y 1 2\nout a 1 2\n");
    expect("graph g { input x : f32[2]\n return y = x }", "y = Identity(x)\n");
    expect("graph g { input x : f32[2]\n return x }", "!Identity|in x 1 2\nout x 1 2\n");
    expect("graph g { const c : f32[1] = 1\n return y = c }", "y = Identity(c)\n");
    expect("graph g { input x : f32[2]\n return y = Neg(Relu(x)) }", "t1 = Relu(x)\ny = Neg(t1)\n|info t1 1 2\n");
    /* fresh names avoid every name there is */
    expect("graph g { input t1 : f32[2, 3]\n input y_shape : f32[1]\n input y_shape_2 : f32[1]\n"
           " y = Reshape(Relu(t1), shape=(6,))\n return y }",
           "t2 = Relu(t1)\ny = Reshape(t2,y_shape_3) allowzero=0\n");
    /* tuples are seen through */
    expect("graph g { input x : f32[2]\n p = (Relu(x), Neg(x))\n return y = p[1] }", "y = Neg(x)\n|!Identity");
    expect("graph g { input x : f32[2]\n return x }", "ir 8 producer calque\nopset  17\n");
}

/* Reads the spec, changes the graph, lists what is written. */
struct edit {
    struct world w;
    struct graph g;
};

static void edit_open(struct edit *e, int opset, const char *spec)
{
    size_t n;
    unsigned char *b = spec_model(opset, spec, &n);

    world_init(&e->w);
    world_graph(&e->w, &e->g);
    if (onnx_read(&e->g, "t.onnx", b, n, &e->w.d) != CALQUE_OK) {
        fprintf(stderr, "%s\n%s\n", spec, e->w.d.text);
        CU_FAIL("not read");
    }
    free(b);
}

static void edit_close(struct edit *e, const char *lines)
{
    expect_graph(&e->w, &e->g, lines);
    graph_free(&e->g);
    world_free(&e->w);
}

static int find(const struct graph *g, const char *name)
{
    for (int i = 0; i < g->node.n; i++)
        if (strcmp(graph_name(g, i), name) == 0)
            return i;
    return -1;
}

static void set_input(struct edit *e, const char *node, int k, const char *to)
{
    e->g.in.a[e->g.node.a[find(&e->g, node)].in + k] = find(&e->g, to);
}

static void test_opaque(void)
{
    const char *spec = "in x f32 2; node Relu x -> r; node Neg x -> n; node Foo r,_,n -> y; i k 1; out y f32 2; out n";
    struct edit e;

    edit_open(&e, 9, spec);
    edit_close(&e, "r = Relu(x)\n|n = Neg(x)\n|y = Foo(r,,n) k=1\n|out y 1 2\n");
    /* its input is another node now, but the bytes say r */
    edit_open(&e, 9, spec);
    set_input(&e, "y", 0, "x");
    CU_ASSERT_EQUAL(graph_compact(&e.g, NULL, &e.w.d), CALQUE_OK);
    edit_close(&e, "r = Identity(x)\n|y = Foo(r,,n) k=1\n|!Relu");
    /* the graph output's name belongs to another node: that one gives way */
    edit_open(&e, 9, "in x f32 2; node Relu x -> a; node Neg a -> b; out b");
    e.g.output.a[0].name = strs_addz(&e.w.strs, "a");
    edit_close(&e, "a_2 = Relu(x)\n|a = Neg(a_2)\n");
    /* and r still is somebody else: it gives way */
    edit_open(&e, 9, "in x f32 2; node Relu x -> r; node Neg x -> n; node Abs r -> a; node Exp n -> q; node Foo r -> y; out y f32 2; out a; out q");
    set_input(&e, "y", 0, "n");
    edit_close(&e, "r_2 = Relu(x)\n|r = Neg(x)\n|a = Abs(r_2)\n|y = Foo(r)\n");
    /* two opaque nodes want one name for different values: the second's bytes change */
    edit_open(&e, 9, "in x f32 2; node Neg x -> n; node Foo x -> y; node Bar n -> z; node Baz n -> q; out y f32 2; out z f32 2; out q f32 2");
    set_input(&e, "q", 0, "x");
    edit_close(&e, "n = Neg(x)\n|y = Foo(x)\n|z = Bar(n)\n|q = Baz(x)\n");
    /* an output that another value's name took */
    edit_open(&e, 9, "in x f32 2; node Foo x -> y,h; node Relu y -> z; out y f32 2; out h f32 2; out z");
    e.g.output.a[1].node = find(&e.g, "x");
    expect_graph(&e.w, &e.g, "y,h_2 = Foo(x)\n|h = Identity(x)\n|z = Relu(y)\n");
    CU_ASSERT_EQUAL(graph_compact(&e.g, NULL, &e.w.d), CALQUE_OK);
    edit_close(&e, "y, = Foo(x)\n|h = Identity(x)\n|z = Relu(y)\n");
    /* text without bytes gets its names */
    expect("graph g { input x : f32[2]\n y = opaque \"Foo\"(x) : f32[2]\n return y }", "y = Foo(x)\n|out y 1 2\n");
}

/* The bytes of an opaque node come back even where protobuf-c would pack them differently. */
static void test_bytes(void)
{
    static const unsigned char node[] = {'"', 3, 'F', 'o', 'o',              /* op_type before input */
                                         0x12, 1, 'y', 0x0a, 1, 'x',         /* output before input */
                                         0xa2, 6, 2, 'h', 'i',               /* unknown field 100 */
                                         0x2a, 0x0a, 0x0a, 1, 'k', 0xa0, 1, 7, 0x40, 1, 0x40, 2}; /* ints not packed */
    size_t n, len;
    unsigned char *b = spec_model(9, "in x f32 2; node Foo x -> y; out y f32 2", &n), *out, *file;
    struct world w;
    struct graph g;
    size_t at = 0, k = sizeof node;
    static const unsigned char plain[] = {0x0a, 1, 'x', 0x12, 1, 'y', '"', 3, 'F', 'o', 'o'};

    while (memcmp(b + at, plain, sizeof plain) != 0)
        at++;
    file = malloc(n + k);
    memcpy(file, b, at - 1);
    file[at - 1] = (unsigned char)k;
    memcpy(file + at, node, k);
    memcpy(file + at + k, b + at + sizeof plain, n - at - sizeof plain);
    for (size_t i = 0; i < at - 2; i++) /* the graph's length, one byte long */
        if (file[i] == (7 << 3 | 2)) {
            file[i + 1] = (unsigned char)(file[i + 1] + k - sizeof plain);
            break;
        }
    world_init(&w);
    world_graph(&w, &g);
    CU_ASSERT_EQUAL_FATAL(onnx_read(&g, "t.onnx", file, n + k - sizeof plain, &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL_FATAL(onnx_write(&g, &out, &len, &w.d), CALQUE_OK);
    at = 0;
    while (at + k <= len && memcmp(out + at, node, k) != 0)
        at++;
    CU_ASSERT(at + k <= len);
    mem_free(out);
    graph_free(&g);
    world_free(&w);
    free(file);
    free(b);
}

/* Memory ends at every point of reading and writing in turn. */
static void copy_fail_after(const unsigned char *b, size_t n)
{
    enum calque_status st = CALQUE_NOMEM;

    for (long k = 0; st == CALQUE_NOMEM && k < 100000; k++) {
        struct edit e;
        unsigned char *out = NULL;
        size_t len;
        world_init(&e.w);
        world_graph(&e.w, &e.g);
        e.w.mem.fail_after = k;
        st = onnx_read(&e.g, "t.onnx", b, n, &e.w.d);
        if (!st)
            st = onnx_write(&e.g, &out, &len, &e.w.d);
        mem_free(out);
        graph_free(&e.g);
        world_free(&e.w);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
}

static void test_subgraph(void)
{
    struct spec *s = spec_parse(11, "in x f32 2; in c bool; node Neg x -> n; node Relu x -> r; node If c -> y i; i then_branch 1; out y f32 2");
    struct spec *inner = spec_parse(11, "node Add n,n -> inside; node Mul inside,t1 -> z; init t1 f32 1 : 1; out z");
    struct edit e;
    unsigned char *b;
    size_t n;

    s->attr[0].type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH;
    s->attr[0].has_i = 0;
    s->attr[0].g = &inner->graph;
    b = spec_bytes(s, &n);
    for (int round = 0; round < 3; round++) {
        world_init(&e.w);
        world_graph(&e.w, &e.g);
        CU_ASSERT_EQUAL_FATAL(onnx_read(&e.g, "t.onnx", b, n, &e.w.d), CALQUE_OK);
        /* the captured value is kept alive as an input after the node's own */
        CU_ASSERT_EQUAL(graph_in(&e.g, find(&e.g, "y"), 1), find(&e.g, "n"));
        CU_ASSERT_EQUAL(find(&e.g, "r"), -1);
        if (round == 1)
            set_input(&e, "y", 1, "x");
        if (round == 2) /* fresh names keep away from the subgraph's */
            e.g.node.a[find(&e.g, "n")].name = -1;
        edit_close(&e, round == 1 ? "n = Identity(x)\ny = If(c)" : "n = Neg(x)\n|y = If(c)");
    }
    copy_fail_after(b, n);
    free(b);
    spec_free(s);
    spec_free(inner);
}

/* The domain "calque", at every opset. */
static void test_calque(void)
{
    const char *spec = "import calque 1; in x f32 2 3; node calque::LayoutTransform x -> y; s src_layout AB; s dst_layout BA; "
                       "node calque::Other y -> z; node Relu z -> o; out o f32 3 2";
    struct edit e;

    at(9, "input x : f32[1, 4, 2]\n input s : f32[4]", "GroupNormalization(x, s, s, num_groups=2, epsilon=0.5)",
       "opset  9\nopset calque 1\n|y = calque::GroupNormalization(x,s,s) epsilon=0.5 num_groups=2\n");
    at(9, "input x : f32[2, 3]", "LayoutTransform(x, src_layout=\"AB\", dst_layout=\"BA\")",
       "y = calque::LayoutTransform(x) dst_layout=BA src_layout=AB\n");
    at(9, "input x : f32[2, 3]", "CollapseSum(x, shape=())", "y = calque::CollapseSum(x) shape=\n");
    at(9, "input x : f32[2, 3]", "L2Normalize(x)", "y = calque::L2Normalize(x) axes=0,1 epsilon=1e-05\n");
    edit_open(&e, 9, spec);
    CU_ASSERT(e.g.node.a[find(&e.g, "y")].op == OP_LayoutTransform);
    CU_ASSERT(e.g.node.a[find(&e.g, "z")].op == OP_Opaque);
    edit_close(&e, "opset  9\nopset calque 1\n|y = calque::LayoutTransform(x) dst_layout=BA src_layout=AB\n"
                   "z = calque::Other(y)\n");
    edit_open(&e, 9, "import calque 2; in x f32 2; node calque::ZerosLike x -> y; out y f32 2");
    CU_ASSERT(e.g.node.a[find(&e.g, "y")].op == OP_Opaque);
    edit_close(&e, "opset calque 2\n|y = calque::ZerosLike(x)\n");
    edit_open(&e, 9, "import calque 2; in x f32 2; node Relu x -> y; out y f32 2");
    e.g.node.a[find(&e.g, "y")].op = OP_ZerosLike;
    edit_close(&e, "error: node 'y' (ZerosLike): the model imports another version of the domain calque");
}

static void test_model(void)
{
    struct spec *s = spec_parse(9, "ir 3; in x f32 2; in w f32 2; init w f32 2 : 1 2; node Add x,w -> a; node Reshape a,q -> y n; init q i64 1 : 2; out y");
    Onnx__StringStringEntryProto meta = ONNX__STRING_STRING_ENTRY_PROTO__INIT, *metas[] = {&meta};
    Onnx__FunctionProto f = ONNX__FUNCTION_PROTO__INIT, *fs[] = {&f};
    Onnx__OperatorSetIdProto other = ONNX__OPERATOR_SET_ID_PROTO__INIT, *imports[2];
    char key[] = "author", domain[] = "com.x";
    struct edit e;
    unsigned char *b;
    size_t n;

    meta.key = key;
    other.domain = f.domain = domain;
    other.has_version = 1;
    other.version = 3;
    imports[0] = &other;
    imports[1] = &s->opset;
    s->model.n_opset_import = 2;
    s->model.opset_import = imports;
    s->model.n_metadata_props = s->model.n_functions = 1;
    s->model.metadata_props = metas;
    s->model.functions = fs;
    b = spec_bytes(s, &n);
    world_init(&e.w);
    world_graph(&e.w, &e.g);
    CU_ASSERT_EQUAL_FATAL(onnx_read(&e.g, "t.onnx", b, n, &e.w.d), CALQUE_OK);
    CU_ASSERT_EQUAL(e.g.opset, 9);
    e.g.node.a[find(&e.g, "a")].origin = strs_addz(&e.w.strs, "fold: A, B");
    edit_close(&e, "ir 3 producer calque\nopset com.x 3\nopset  9\nmeta author\nfunctions 1\n|a = Add(x,w) # calque fold: A, B\n|"
                   "in x 1 2\nin w 1 2\nin y_shape 7 1\nout y 1 2\ninfo a 1 2\n");
    free(b);
    spec_free(s);
    edit_open(&e, 9, "in x f32 2; init w f32 2 : 1 2; node Add x,w -> y; out y");
    edit_close(&e, "ir 7 |in x 1 2\nout y");
}

/* Since IR 4 an initializer that is an input too is its default value: the input stays, or the model is not written. */
static void test_defaults(void)
{
    static const char src[] = "ir 8; in x f32 2; in w f32 2; in u f32 1; in q i64 1; init w f32 2 : 1 2; init u f32 1 : 5; "
                              "init q i64 1 : 2; node Add x,w -> a; node Relu a -> y; out y f32 2; out q i64 1";
    struct edit e;

    edit_open(&e, 13, src);
    edit_close(&e, "in x 1 2\nin w 1 2\nin u 1 1\nin q 7 1\nout y 1 2\n|init w 1 2|init u 1 1|init q 7 1 : 2\n");
    edit_open(&e, 13, src); /* a rewriting that leaves the constant out */
    set_input(&e, "y", 0, "x");
    CU_ASSERT_EQUAL(graph_compact(&e.g, NULL, &e.w.d), CALQUE_OK);
    edit_close(&e, "error: input 'w' has a default value (it is an initializer too) that has become part of others");
    edit_open(&e, 13, src);
    CU_ASSERT_EQUAL(onnx_inference(&e.g, &e.w.d), CALQUE_OK);
    edit_close(&e, "in x 1 2\nout y|init w 1 2");
    edit_open(&e, 13, "ir 8; in x f32 2; in s i64 1; init s i64 1 : 2; node Reshape x,s -> y; out y"); /* an attribute now */
    edit_close(&e, "error: input 's' has a default value");
    edit_open(&e, 9, "ir 3; in x f32 2; in u f32 1; init u f32 1 : 5; node Relu x -> y; out y"); /* what every file had to have */
    edit_close(&e, "ir 3 |in x 1 2\nout y|!init");
}

/* Annotations and denotations stay with their values; training information would name what may be gone. */
static void test_notes(void)
{
    struct spec *s = spec_parse(13, "ir 7; in x f32 2 3; init w f32 1 : 2; init scale f32 1 : 3; init zero i64 1 : 0; "
                                    "node Relu x -> a; node Mul a,w -> y; node Abs a -> gone; out y f32 2 3; info a f32 2 3");
    char scale[] = "scale", zero[] = "zero", a[] = "a", gone[] = "gone", image[] = "IMAGE", batch[] = "DATA_BATCH", doc[] = "words";
    Onnx__StringStringEntryProto p1 = ONNX__STRING_STRING_ENTRY_PROTO__INIT, p2 = p1, *params[] = {&p1, &p2};
    Onnx__TensorAnnotation t1 = ONNX__TENSOR_ANNOTATION__INIT, t2 = t1, *notes[] = {&t2, &t1};
    Onnx__TrainingInfoProto training = ONNX__TRAINING_INFO_PROTO__INIT, *trainings[] = {&training};
    struct edit e;
    unsigned char *b;
    size_t n;

    p1.key = p1.value = scale;
    p2.key = p2.value = zero;
    t1.tensor_name = a;
    t2.tensor_name = gone;
    t1.n_quant_parameter_tensor_names = t2.n_quant_parameter_tensor_names = 2;
    t1.quant_parameter_tensor_names = t2.quant_parameter_tensor_names = params;
    s->graph.n_quantization_annotation = 2;
    s->graph.quantization_annotation = notes;
    s->graph.input[0]->type->denotation = image;
    s->graph.input[0]->type->tensor_type->shape->dim[0]->denotation = batch;
    s->graph.output[0]->type->tensor_type->shape->dim[1]->denotation = batch;
    s->graph.value_info[0]->doc_string = doc;
    s->graph.value_info[0]->type->denotation = image;
    for (int round = 0; round < 3; round++) { /* as it is; with training information; without it again */
        s->model.n_training_info = round > 0;
        s->model.training_info = trainings;
        b = spec_bytes(s, &n);
        world_init(&e.w);
        world_graph(&e.w, &e.g);
        CU_ASSERT_EQUAL_FATAL(onnx_read(&e.g, "t.onnx", b, n, &e.w.d), CALQUE_OK);
        if (round == 2)
            CU_ASSERT_EQUAL(onnx_inference(&e.g, &e.w.d), CALQUE_OK);
        edit_close(&e, round == 1 ? "error: the model has training information"
                                  : "annotation a scale zero\n|init scale 1 1|init zero 7 1 : 0\n|"
                                    "denote in x IMAGE \ndenote in x 0 DATA_BATCH\ndenote out y 1 DATA_BATCH\n"
                                    "denote info a IMAGE words\ntraining 0\n|!annotation gone");
        free(b);
    }
    spec_free(s);
}

/* A type nothing in the graph can hold stays with the value. */
static void test_kept_types(void)
{
    struct edit e;

    edit_open(&e, 9, "in x f32 2; node Foo x -> a,b; node Bar a -> y; info a f32 ? 3; out y f32 ? 5");
    edit_close(&e, "info a 1 -1 3\n|out y 1 -1 5\n");
}

/* origin is written as doc_string and read back. */
static void test_origin(void)
{
    struct edit e;
    struct graph h;
    unsigned char *b;
    size_t n;

    edit_open(&e, 9, "in x f32 2; node Relu x -> y; out y");
    e.g.node.a[find(&e.g, "y")].origin = strs_addz(&e.w.strs, "r: A");
    CU_ASSERT_EQUAL_FATAL(onnx_write(&e.g, &b, &n, &e.w.d), CALQUE_OK);
    world_graph(&e.w, &h);
    CU_ASSERT_EQUAL_FATAL(onnx_read(&h, "t.onnx", b, n, &e.w.d), CALQUE_OK);
    CU_ASSERT_EQUAL(h.node.a[find(&h, "y")].origin, e.g.node.a[find(&e.g, "y")].origin);
    graph_free(&h);
    mem_free(b);
    edit_close(&e, "y = Relu(x) # calque r: A\n");
}

static void test_fail_after(void)
{
    static const char src[] =
        "graph g(opset=9) { input x : f32[2, 4]\n const c : f32[4] = [1, 2, 3, 4]\n s = Split(Relu(x + c), axis=1, split=(1, 3))\n"
        " a = s[0]\n f = Reshape(s[1], shape=(6,))\n o = opaque \"Foo\"(f, none, a; outputs=2) \n p = o[1]\n return y = a, z = a, p }";
    enum calque_status st = CALQUE_NOMEM;
    long k = 0;

    for (; st == CALQUE_NOMEM && k < 100000; k++) {
        struct world w;
        struct graph g;
        unsigned char *b;
        size_t n;
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_read(&w, &g, src), CALQUE_OK);
        w.mem.fail_after = k;
        st = onnx_write(&g, &b, &n, &w.d);
        CU_ASSERT_EQUAL(st != CALQUE_OK, b == NULL);
        mem_free(b);
        graph_free(&g);
        world_free(&w);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(k > 50);
}

/* Data beside the model, memory ending at every point of writing it and of reading it. */
static void test_external(void)
{
    enum { N = 1024 };
    struct shape shape = {1, {N}};
    char dir[UNIT_DIR], path[UNIT_DIR + 16];
    struct onnx_given given = {.folder = dir};
    struct onnx_external x = {"w.data", NULL, 0};
    unsigned char *out = NULL;
    size_t n = 0;
    enum calque_status st = CALQUE_NOMEM;
    struct edit e;
    struct tensor t;
    int name, node;
    FILE *f;

    edit_open(&e, 9, "in x f32 2; node Relu x -> y; out y f32 2");
    unit_dir(dir);
    CU_ASSERT_FATAL(tensor_new(&e.w.mem, DTYPE_F32, &shape, &t, &e.w.d) == CALQUE_OK);
    for (int i = 0; i < N; i++)
        ((float *)t.data)[i] = (float)i;
    name = strs_addz(&e.w.strs, "w");
    node = graph_const(&e.g, name, &t);
    CU_ASSERT_FATAL(name >= 0 && node >= 0 && graph_output(&e.g, node, name));
    for (long k = 0; st == CALQUE_NOMEM && k < 10000; k++) {
        e.w.mem.fail_after = k;
        st = onnx_write_external(&e.g, &out, &n, &x, &e.w.d);
        CU_ASSERT((st == CALQUE_OK) == (x.data != NULL));
    }
    e.w.mem.fail_after = -1;
    CU_ASSERT_FATAL(st == CALQUE_OK && x.n == 4 * N);
    snprintf(path, sizeof path, "%s/w.data", dir);
    f = fopen(path, "wb");
    CU_ASSERT_FATAL(f && fwrite(x.data, 1, x.n, f) == x.n && fclose(f) == 0);
    st = CALQUE_NOMEM;
    for (long k = 0; st == CALQUE_NOMEM && k < 10000; k++) {
        struct graph g;
        world_graph(&e.w, &g);
        e.w.mem.fail_after = k;
        st = onnx_read_given(&g, "t.onnx", out, n, &given, NULL, &e.w.d);
        e.w.mem.fail_after = -1;
        CU_ASSERT(st == CALQUE_OK ? g.tensor.n == 1 && memcmp(g.tensor.a[0].data, x.data, x.n) == 0 : g.node.n == 0);
        graph_free(&g);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    remove(path);
    rmdir(dir);
    mem_free(out);
    mem_free(x.data);
    graph_free(&e.g);
    world_free(&e.w);
}

int main(void)
{
    static const struct unit_case cases[] = {{"axes", test_axes},
                                             {"slice and split", test_slice_split},
                                             {"others", test_others},
                                             {"fill", test_fill},
                                             {"calque", test_calque},
                                             {"opset 6", test_opset_6},
                                             {"names", test_names},
                                             {"opaque", test_opaque},
                                             {"bytes", test_bytes},
                                             {"subgraph", test_subgraph},
                                             {"model", test_model},
                                             {"kept types", test_kept_types},
                                             {"defaults", test_defaults},
                                             {"notes", test_notes},
                                             {"origin", test_origin},
                                             {"fail_after", test_fail_after},
                                             {"external", test_external}};
    return unit_main("onnx_write", cases, UNIT_COUNT(cases));
}
