/* onnx_profile: models that fall short of one requirement or more, and exactly what is said of them. */
#include "onnx_expect.h"

/* All that is said, "ANCHOR NODE NAME: why" a line, NODE - for the model; with `!` first where the model was not read. */
static char *said_of(const unsigned char *b, size_t n, long fail_after, enum calque_status *st)
{
    struct world w;
    struct graph g;
    struct onnx_lacks x = {.n = 0};
    struct text t;
    char *s;

    world_init(&w);
    world_graph(&w, &g);
    w.mem.fail_after = fail_after;
    *st = onnx_profile(&g, "t.onnx", b, n, NULL, &x, &w.d);
    w.mem.fail_after = -1;
    text_init(&t, &w.mem);
    text_puts(&t, "");
    if (*st)
        text_printf(&t, "error: %s\n", w.d.text);
    else if (!x.read)
        text_puts(&t, "!\n");
    for (int i = 0; *st == CALQUE_OK && i < x.n; i++) {
        const struct onnx_lack *l = &x.a[i];
        CU_ASSERT(l->node < 0 || (l->at > 0 && l->at < n && l->node < x.nodes));
        text_puts(&t, onnx_requirement(l->requirement)->anchor);
        if (l->node >= 0)
            text_printf(&t, " %d ", l->node);
        else
            text_puts(&t, " - ");
        text_puts(&t, l->name >= 0 ? strs_text(&w.strs, l->name) : "");
        text_puts(&t, ": ");
        text_puts(&t, strs_text(&w.strs, l->why));
        text_puts(&t, "\n");
    }
    s = malloc((size_t)t.n + 1);
    memcpy(s, t.a, (size_t)t.n + 1);
    text_free(&t);
    mem_free(x.a);
    graph_free(&g);
    world_free(&w);
    return s;
}

static void lacks(int opset, const char *spec, const char *want)
{
    enum calque_status st;
    size_t n;
    unsigned char *b = spec_model(opset, spec, &n);
    char *got = said_of(b, n, -1, &st);

    if (strcmp(got, want) != 0)
        fprintf(stderr, "opset %d: %s\nwant:\n%sgot:\n%s\n", opset, spec, want, got);
    CU_ASSERT_STRING_EQUAL(got, want);
    free(got);
    free(b);
}

static void test_conform(void)
{
    lacks(17, "in x f32 2 3; node Relu x -> y; out y f32 2 3", "");
    lacks(17, "in x f32 1 1 4 4; init w f32 1 1 1 1 : 2; init b f32 1 : 3; node Conv x,w,b -> c conv; s auto_pad NOTSET; is dilations 1 1; "
              "i group 1; is kernel_shape 1 1; is pads 0 0 0 0; is strides 1 1; info c f32 1 1 4 4; node Sigmoid c -> y; out y f32 1 1 4 4", "");
    lacks(17, "in x f32 1 1 4 4; init w f32 1 1 3 3 : 1 2 3 4 5 6 7 8 9; init b f32 1 : 3; node Conv x,w,b -> y; s auto_pad SAME_UPPER; "
              "is dilations 1 1; i group 1; is kernel_shape 3 3; is strides 1 1; out y f32 1 1 4 4", "");
    /* constants by a node, by sizes of a static value, by other constants */
    lacks(17, "in x f32 2 3; const s i64 1 : 6; info s i64 1; node Reshape x,s -> y; i allowzero 0; out y f32 6", "");
    lacks(17, "in x f32 2 3; node Shape x -> s; i start 0; info s i64 2; node Neg s -> m; info m i64 2; node Neg m -> k; info k i64 2; "
              "node Reshape x,k -> y; i allowzero 0; out y f32 2 3", "");
}

static void test_operators(void)
{
    lacks(17, "in x f32 2 3; node LpNormalization x -> y; i axis 1; i p 2; out y f32 2 3", "operator_set 0 y: not in the list\n");
    lacks(17, "in x f32 2; node RandomNormalLike x -> r; info r f32 2; node Add x,r -> y; out y f32 2",
          "operator_set 0 r: not in the list\ndeterministic_operators 0 r: its result is random\n"
          "reference_imp 0 r: has no meaning here: RandomNormalLike\n");
    lacks(17, "in x f32 2; node NonZero x -> y; out y i64 1 ?",
          "explicit_types_shapes 0 y: value y: dimension 1 is no number\noperator_set 0 y: not in the list\n"
          "determinism_memory_usage 0 y: sizes depend on values\ndeterminism_execution_time 0 y: time depends on values\n"
          "reference_imp 0 y: has no meaning here: NonZero\n");
    lacks(17, "import com.acme 1; in x f32 2; node com.acme::Foo x -> y; out y f32 2",
          "operator_set 0 y: domain com.acme is not ONNX's\nformat_completeness 0 y: what it computes is not in the file\n"
          "reference_imp 0 y: has no meaning here: Foo of domain com.acme\n");
    lacks(17, "in x f32 2; node com.acme::Foo x -> y; out y f32 2",
          "operator_versions 0 y: domain com.acme is not imported\noperator_set 0 y: domain com.acme is not ONNX's\n"
          "format_completeness 0 y: what it computes is not in the file\nreference_imp 0 y: has no meaning here: Foo of domain com.acme\n");
    lacks(28, "in x f32 2; node Relu x -> y; out y f32 2",
          "operator_versions - : opset 28: 1 to 27 are described\nreference_imp 0 y: has no meaning here: Relu of opset 28\n");
    lacks(17, "import ai.onnx 16; in x f32 2; node Relu x -> y; out y f32 2", "operator_versions - : domain ai.onnx is imported twice\n");
}

static void test_training(void)
{
    lacks(17, "in x f32 2; init r f32 : 0.5; init m bool : 1; node Dropout x,r,m -> y; i seed 3; out y f32 2",
          "operator_set 0 y: not in the list\ninference_operators 0 y: training_mode is true\nreference_imp 0 y: has no meaning here: Dropout in training mode\n");
    lacks(17, "in x f32 2; init r f32 : 0.5; in m bool; node Dropout x,r,m -> y; out y f32 2",
          "operator_set 0 y: not in the list\ndeterministic_operators 0 y: training_mode is no constant\n"
          "reference_imp 0 y: has no meaning here: Dropout with an input 2 that is not constant\n");
    lacks(17, "in x f32 2; init r f32 : 0.5; const m bool : 0; info m bool; node Dropout x,r,m -> y; out y f32 2",
          "operator_set 1 y: not in the list\n");
    lacks(6, "in x f32 2; node Dropout x -> y; f ratio 0.5; out y f32 2",
          "operator_set 0 y: not in the list\ninference_operators 0 y: is_test is not 1\nno_default_value 0 y: attribute is_test is left to its default\n"
          "reference_imp 0 y: has no meaning here: Dropout in training mode\n");
    lacks(17, "in x f32 1 2 3; init s f32 2 : 1 1; init b f32 2 : 0 0; init m f32 2 : 0 0; init v f32 2 : 1 1; "
              "node BatchNormalization x,s,b,m,v -> y; f epsilon 0.1; f momentum 0.9; i training_mode 1; out y f32 1 2 3",
          "operator_set 0 y: not in the list\ninference_operators 0 y: statistics are updated\n"
          "reference_imp 0 y: has no meaning here: BatchNormalization in training mode\n");
}

static void test_explicit(void)
{
    lacks(17, "in x f32 1 1 4 4; init w f32 1 1 1 1 : 2; node Conv x,w -> y; is pads 0 0 0 0; out y f32 1 1 4 4",
          "no_default_value 0 y: attribute auto_pad is left to its default\nno_default_value 0 y: attribute dilations is left to its default\n"
          "no_default_value 0 y: attribute group is left to its default\nno_default_value 0 y: attribute kernel_shape is left to its default\n"
          "no_default_value 0 y: attribute strides is left to its default\nall_inputs 0 y: input 2 is absent\n");
    lacks(17, "in x f32 4; init h f32 : 2; node Clip x,_,h -> y; out y f32 4", "all_inputs 0 y: input 1 is absent\n");
    lacks(17, "in x f32 2; node Relu x -> a; node Relu a -> y; out y f32 2", "explicit_types_shapes 0 a: value a has no declared type\n");
    lacks(17, "in x f32 2; node Relu x -> a; info a f32 !; node Relu a -> y; out y f32 2",
          "explicit_types_shapes 0 a: value a has no declared shape\n");
    lacks(17, "in x f32 2; node Relu x -> a; info a f32 3; node Relu a -> y; out y f32 2",
          "explicit_types_shapes 0 a: value a is declared f32 3 but computed as f32 2\n");
    lacks(17, "in x f32 ? 3; node Relu x -> y; out y f32 ? 3",
          "!\nexplicit_types_shapes - x: value x: dimension 0 is no number\nexplicit_types_shapes 0 y: value y: dimension 0 is no number\n");
    lacks(17, "in x f32 2 3; in z f32 3; node Mul x,z -> y; out y f32 2 3", "explicit_types_shapes 0 y: shapes 2x3 and 3 are broadcast\n");
    lacks(17, "in x f32 2 3; init z f32 : 2; node Mul x,z -> y; out y f32 2 3", "explicit_types_shapes 0 y: shapes 2x3 and scalar are broadcast\n");
    lacks(17, "in x 10 2; node Relu x -> y; out y 10 2",
          "datatype_specific_spec - x: value x is FLOAT16\ndatatype_specific_spec 0 y: value y is FLOAT16\n"
          "reference_imp 0 y: node y (Relu): element type f16: no kernel\n");
    lacks(17, "in x f32 2; node Relu x -> y; node Neg x -> n; info n f32 2; out y f32 2", "no_dead_node 1 n: output n is not used\n");
    lacks(17, "in x f32 6; in s i64 2; node Reshape x,s -> y; i allowzero 0; out y f32 2 3",
          "determinism_memory_usage 0 y: input 1 says sizes and is no constant\nreference_imp 0 y: has no meaning here: Reshape with an input 1 that is not constant\n");
    /* since IR 4 an initializer is the default of an input of its name */
    lacks(17, "in x f32 6; in s i64 2; init s i64 2 : 2 3; node Reshape x,s -> y; i allowzero 0; out y f32 2 3",
          "determinism_memory_usage 0 y: input 1 says sizes and is no constant\n");
    lacks(17, "ir 3; in x f32 6; in s i64 2; init s i64 2 : 2 3; node Reshape x,s -> y; i allowzero 0; out y f32 2 3", "");
}

static void test_incorrect(void)
{
    static const unsigned char empty[1] = {0};
    enum calque_status st;
    char *s;

    lacks(17, "in x f32 2; node Relu z -> y; out y f32 2", "format_compatibility - : node '#0' (Relu): input 'z' is not defined\n");
    lacks(17, "in x f32 2; node Relu x,x -> y; out y f32 2", "format_compatibility - : node '#0' (Relu): takes 1 input(s), not 2\n");
    s = said_of(empty, 0, -1, &st);
    CU_ASSERT_EQUAL(st, CALQUE_BAD);
    CU_ASSERT_STRING_EQUAL(s, "error: the model has no graph\n");
    free(s);
    s = said_of((const unsigned char *)"\377\377", 2, -1, &st);
    CU_ASSERT_EQUAL(st, CALQUE_BAD);
    free(s);
}

/* Memory ends at every point in turn. */
static void test_fail_after(void)
{
    size_t n;
    unsigned char *b = spec_model(17, "in x f32 1 1 4 4; init w f32 1 1 1 1 : 2; node Conv x,w -> c; node Foo c -> y; out y f32 1 1 4 4", &n);
    enum calque_status st = CALQUE_NOMEM;
    char *all = said_of(b, n, -1, &st);

    st = CALQUE_NOMEM;
    for (long k = 0; st == CALQUE_NOMEM && k < 10000; k++) {
        char *s = said_of(b, n, k, &st);
        CU_ASSERT(st == CALQUE_NOMEM || strcmp(s, all) == 0);
        free(s);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    free(all);
    free(b);
}

int main(void)
{
    static const struct unit_case cases[] = {{"conform", test_conform},   {"operators", test_operators}, {"training", test_training},
                                             {"explicit", test_explicit}, {"incorrect", test_incorrect}, {"fail_after", test_fail_after}};
    return unit_main("profile", cases, UNIT_COUNT(cases));
}
