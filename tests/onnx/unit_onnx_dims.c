/* Open dimensions of ONNX inputs: sizes that are given for them, contradictions, refusals; why operators stay opaque. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onnx/onnx.h"
#include "graph/text.h"
#include "onnx_spec.h"
#include "unit.h"
#include "graph/world.h"

#define SIZES(...)                                                                                                         \
    .size = (const struct onnx_size[]){__VA_ARGS__},                                                                       \
    .nsize = sizeof((const struct onnx_size[]){__VA_ARGS__}) / sizeof(struct onnx_size)
#define SHAPES(...)                                                                                                        \
    .shape = (const struct onnx_input_shape[]){__VA_ARGS__},                                                               \
    .nshape = sizeof((const struct onnx_input_shape[]){__VA_ARGS__}) / sizeof(struct onnx_input_shape)

/* The graph's text, or the error; `fail` allocations are allowed first (-1: all). */
static enum calque_status read_given(const char *spec, const struct onnx_given *given, long fail, char *out, size_t room)
{
    struct world w;
    struct graph g;
    struct text t;
    size_t n;
    unsigned char *b = spec_model(13, spec, &n);
    struct onnx_reasons why = {0};
    enum calque_status st;
    int at = 0;

    world_init(&w);
    world_graph(&w, &g);
    if (fail >= 0)
        w.mem.fail_after = fail;
    st = onnx_read_given(&g, "t.onnx", b, n, given, &why, &w.d);
    w.mem.fail_after = -1;
    text_init(&t, &w.mem);
    if (st == CALQUE_OK)
        graph_text_write(&t, &g);
    at = snprintf(out, room, "%s", st == CALQUE_OK ? t.a : w.d.text);
    for (int i = 0; i < why.n && at < (int)room; i++)
        at += snprintf(out + at, room - (size_t)at, "%s: %s\n", strs_text(&w.strs, why.a[i].value),
                       strs_text(&w.strs, why.a[i].text));
    mem_free(why.a);
    text_free(&t);
    graph_free(&g);
    world_free(&w);
    free(b);
    return st;
}

static void check(const char *spec, struct onnx_given given, enum calque_status want, const char *words)
{
    char got[4096];
    enum calque_status st = read_given(spec, &given, -1, got, sizeof got);

    if (st != want || !strstr(got, words)) {
        fprintf(stderr, "%s\n  status %d, wanted %d with: %s\n  got: %s\n", spec, (int)st, (int)want, words, got);
        CU_FAIL("another answer");
    } else {
        CU_PASS("");
    }
}

#define IMAGE "in x f32 ?batch 3 ?h ?w; node Relu x -> y; out y f32 ?batch 3 ?h ?w"
#define PAIR "in x f32 ?n 2; in z f32 ?n 2; node Add x,z -> y; out y"

static void test_by_name(void)
{
    check(IMAGE, (struct onnx_given){SIZES({"batch", 2}, {"h", 4}, {"w", 5})}, CALQUE_OK, "f32[2, 3, 4, 5]");
    check(PAIR, (struct onnx_given){SIZES({"n", 0})}, CALQUE_OK, "f32[0, 2]");
    check(IMAGE, (struct onnx_given){SIZES({"batch", 2})}, CALQUE_BAD,
          "graph input 'x': dimension 2 ('h') is not fixed (give it a size: --dim h=N or --input-shape x=2,3,N,N)");
    check(IMAGE, (struct onnx_given){SIZES({"N", 2})}, CALQUE_BAD, "no input has a dimension 'N' (there is 'batch')");
    check("in x f32 2; out x", (struct onnx_given){SIZES({"N", 2})}, CALQUE_BAD, "no input has a dimension 'N': none is named");
    check(PAIR, (struct onnx_given){SIZES({"n", 1}, {"n", 2})}, CALQUE_BAD, "dimension 'n' is given as 1 and as 2");
}

/* Dimensions called by sums, and the sizes of their names. */
static void test_sums(void)
{
#define SUM(name) "in x f32 ?p ?s; in z f32 ?" name "; node Shape z -> y; out y"
#define PS SIZES({"p", 3}, {"s", 4})
    check(SUM("p+s"), (struct onnx_given){PS}, CALQUE_OK, "input z : f32[7]");
    check(SUM("2*p*s-s+1"), (struct onnx_given){PS}, CALQUE_OK, "input z : f32[21]");
    check(SUM("s*0"), (struct onnx_given){PS}, CALQUE_OK, "input z : f32[0]");
    check(SUM("p+s"), (struct onnx_given){SIZES({"p", 3}, {"s", 4}, {"p+s", 9})}, CALQUE_OK, "input z : f32[9]");
    check(SUM("p+s"), (struct onnx_given){SHAPES({"x", {2, {3, 4}}})}, CALQUE_OK, "input z : f32[7]");
    check(SUM("p+t"), (struct onnx_given){SIZES({"p", 3}, {"s", 4}, {"t", 2})}, CALQUE_OK, "input z : f32[5]");
    for (int i = 0; i < 12; i++) {
        static const char *const none[12] = {SUM("p+t"), SUM("p-s"), SUM("p+"), SUM("+p"), SUM("p**s"), SUM("p/s"), SUM("p+s)"), SUM("(p+s)"),
                                             SUM("1p"), SUM("9999999999999999999*p"), SUM("p*4611686018427387904"), SUM("p+s+9223372036854775807")};
        check(none[i], (struct onnx_given){PS}, CALQUE_BAD, "graph input 'z': dimension 0");
    }
    check(SUM("p+s"), (struct onnx_given){SIZES({"p", 3}, {"s", 4}, {"t", 2})}, CALQUE_BAD, "no input has a dimension 't'");
#undef PS
#undef SUM
}

static void test_by_shape(void)
{
    check(IMAGE, (struct onnx_given){SHAPES({"x", {4, {2, 3, 4, 5}}})}, CALQUE_OK, "f32[2, 3, 4, 5]");
    check(PAIR, (struct onnx_given){SHAPES({"z", {2, {7, 2}}})}, CALQUE_OK, "x : f32[7, 2]");
    check("in x f32 !; out x", (struct onnx_given){SHAPES({"x", {2, {3, 4}}})}, CALQUE_OK, "x : f32[3, 4]");
    check("in x f32 !; out x", (struct onnx_given){SHAPES({"x", {0, {0}}})}, CALQUE_OK, "x : f32[]");
    check("in x f32 -1 2; out x", (struct onnx_given){SHAPES({"x", {2, {3, 2}}})}, CALQUE_OK, "x : f32[3, 2]");
    check(IMAGE, (struct onnx_given){SHAPES({"x", {4, {2, 4, 4, 5}}})}, CALQUE_BAD, "graph input 'x': dimension 1 is 3, not 4");
    check(IMAGE, (struct onnx_given){SHAPES({"x", {3, {2, 3, 4}}})}, CALQUE_BAD, "graph input 'x' has 4 dimensions, not 3");
    check(IMAGE, (struct onnx_given){SHAPES({"q", {1, {2}}})}, CALQUE_BAD, "a shape is given for 'q', which is no input of the model");
    check("in x f32 2; init x f32 2 : 1 2; out x", (struct onnx_given){SHAPES({"x", {1, {2}}})}, CALQUE_BAD, "no input of the model");
    check(PAIR, (struct onnx_given){SHAPES({"x", {2, {3, 2}}}, {"z", {2, {4, 2}}})}, CALQUE_BAD,
          "dimension 'n' is given as 3 and as 4");
    check(PAIR, (struct onnx_given){SIZES({"n", 1}), SHAPES({"x", {2, {3, 2}}})}, CALQUE_BAD, "dimension 'n' is given as 1 and as 3");
}

static void test_refusals(void)
{
    const struct onnx_given none = {0};

    check("in x f32 !; out x", none, CALQUE_BAD, "graph input 'x' has no shape (option --input-shape x=..)");
    check("in x f32 -1 2; out x", none, CALQUE_BAD, "dimension 0 is not fixed (give it a size: --input-shape x=N,2)");
    check("in x f32 -2 2; out x", none, CALQUE_BAD, "dimension 0 is negative (-2)");
    /* What is declared of an output is compared once its dimensions have sizes. */
    check("in x f32 ?n 2; node Transpose x -> y; out y f32 ?n 2", (struct onnx_given){SIZES({"n", 3})}, CALQUE_BAD,
          "graph output 'y' is declared 3x2 but computed as 2x3");
}

static void test_reasons(void)
{
    const struct onnx_given none = {0};

    check("in x f32 1 1 4 4; node MaxPool x -> y,i; is kernel_shape 2 2; out y; out i", none, CALQUE_OK,
          "y: MaxPool with an Indices output\n");
    check("in x f32 2; node Frobnicate x -> y; out y", none, CALQUE_OK, "y: Frobnicate\n");
    check("in x f32 2; import my.own 1; node my.own::Frobnicate x -> y; out y", none, CALQUE_OK,
          "y: Frobnicate of domain my.own\n");
    check("in x f32 2; in s i64 1; node Reshape x,s -> y; out y", none, CALQUE_OK,
          "y: Reshape with an input 1 that is not constant\n");
}

/* No allocation that fails leaves anything, or is taken for another error. */
static void test_no_memory(void)
{
    static const char spec[] = "in x f32 ?a ?b; in z f32 !; node Add x,z -> y; node Odd y -> u; out u";
    const struct onnx_given given = {SIZES({"a", 3}), SHAPES({"x", {2, {3, 4}}}, {"z", {2, {3, 4}}})};
    char got[4096];
    long k = 0;

    while (k < 10000 && read_given(spec, &given, k, got, sizeof got) == CALQUE_NOMEM)
        k++;
    CU_ASSERT(k > 20 && k < 10000);
    CU_ASSERT_PTR_NOT_NULL(strstr(got, "x : f32[3, 4]"));
}

int main(void)
{
    static const struct unit_case cases[] = {{"sizes by name", test_by_name},
                                             {"sums of sizes", test_sums},
                                             {"shapes of inputs", test_by_shape},
                                             {"refusals", test_refusals},
                                             {"reasons of opaque operators", test_reasons},
                                             {"memory", test_no_memory}};

    return unit_main("onnx_dims", cases, UNIT_COUNT(cases));
}
