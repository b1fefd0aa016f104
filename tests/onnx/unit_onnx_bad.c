/* Bad ONNX: every error names its node, value or byte; no input crashes or leaves something in the graph. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onnx/onnx.h"
#include "onnx_spec.h"
#include "unit.h"
#include "graph/world.h"

static enum calque_status read_bytes(const unsigned char *b, size_t n, struct diag *d)
{
    struct world w;
    struct graph g;
    enum calque_status st;

    world_init(&w);
    world_graph(&w, &g);
    st = onnx_read(&g, "bad.onnx", b, n, &w.d);
    if (st) {
        CU_ASSERT(w.d.text[0] != '\0');
        CU_ASSERT_EQUAL(w.d.status, st);
        CU_ASSERT_EQUAL(g.node.n + g.tensor.n + g.raw.n + g.input.n + g.output.n, 0);
        CU_ASSERT_EQUAL(g.model.n, 0);
    } else if (graph_check(&g, &w.d) != CALQUE_OK) {
        fprintf(stderr, "%s\n", w.d.text);
        CU_FAIL("the graph is not sound");
    }
    *d = w.d;
    graph_free(&g);
    world_free(&w);
    return st;
}

static void check_bytes(const unsigned char *b, size_t n, enum calque_status st, const char *text)
{
    struct diag d;
    enum calque_status got = read_bytes(b, n, &d);

    if (got != st || !strstr(d.text, text))
        fprintf(stderr, "want %d: %s\ngot  %d: %s\n", (int)st, text, (int)got, d.text);
    CU_ASSERT_EQUAL(got, st);
    CU_ASSERT_PTR_NOT_NULL(strstr(d.text, text));
    CU_ASSERT_STRING_EQUAL(d.file, "bad.onnx");
}

static void check_spec(int opset, const char *spec, enum calque_status st, const char *text)
{
    size_t n;
    unsigned char *b = spec_model(opset, spec, &n);

    check_bytes(b, n, st, text);
    free(b);
}

static void bad(int opset, const char *spec, const char *text)
{
    check_spec(opset, spec, CALQUE_BAD, text);
}

static void limit(int opset, const char *spec, const char *text)
{
    check_spec(opset, spec, CALQUE_LIMIT, text);
}

static void test_model(void)
{
    check_bytes((const unsigned char *)"", 0, CALQUE_BAD, "the model has no graph");
    bad(0, "out y", "the model imports no operator set");
    bad(10000, "out y", "opset 10000 is not supported");
    bad(-1, "out y", "opset -1 is not supported");
    bad(9, "in x f32 1; node Relu x -> y", "the graph has no outputs");
}

static void test_values(void)
{
    bad(9, "in x f32 2; node Relu x -> y; node Neg q -> z; out z", "node '#1' (Neg): input 'q' is not defined");
    bad(9, "in x f32 2; node Relu q -> y first; node Neg x -> q; out y",
        "node 'first' (Relu): input 'q' is defined by this or a later node: cyclic or not in topological order");
    bad(9, "in x f32 2; node Add x,b -> a; node Relu a -> b; out b", "node '#0' (Add): input 'b' is defined by this or a later");
    bad(9, "in x f32 2; node Add x,y -> y; out y", "cyclic or not in topological order");
    bad(9, "in x f32 2; node Relu x -> y; node Neg x -> y; out y", "value 'y' is defined twice");
    bad(9, "in x f32 2; node Relu x -> x; out x", "value 'x' is defined twice");
    bad(9, "in x f32 2; in x f32 2; out x", "value 'x' is defined twice");
    bad(9, "init x f32 1 : 1; init x f32 1 : 1; out x", "value 'x' is defined twice");
    bad(9, "in x f32 2; out y", "graph output 'y' is not defined");
    bad(9, "in x f32 2; out x; out x", "graph output 'x' is listed twice");
    bad(9, "in _ f32 2; in x f32 1; out x", "graph input 0 has no name");
    bad(9, "in x f32 2; out _", "graph output 0 has no name");
    bad(9, "init _ f32 1 : 1; out x", "an initializer has no name");
    bad(9, "in x f32 2; node Relu x -> y; out y f32 3", "graph output 'y' is declared 3 but computed as 2");
    bad(9, "in x f32 2; node Relu x -> y; out y i64 2", "graph output 'y' is declared i64 but computed as f32");
}

static void test_types(void)
{
    bad(9, "in x f32 2 ?; out x", "graph input 'x': dimension 1 ('N') is not fixed (give it a size: --dim N=N or --input-shape x=2,N)");
    bad(9, "in x f32 !; out x", "graph input 'x' has no shape");
    bad(9, "in x; out x", "graph input 'x' has no type");
    bad(9, "in x f32 2 -3; out x", "value 'x': dimension 1 is negative (-3)");
    limit(9, "in x f32 4611686018427387904 4; out x", "value 'x': too many elements");
    limit(9, "in x f32 65536 65536 65536 65536; out x", "value 'x': too many elements");
    limit(9, "in x f32 1 1 1 1 1 1 1 1 1; out x", "value 'x': more than 8 dimensions");
    limit(9, "init x f32 4611686018427387904 : ; out x", "tensor 'x': too many elements");
    limit(9, "init x f32 4294967296 4294967296 : ; out x", "tensor 'x': too many elements");
    limit(9, "init x f32 1 1 1 1 1 1 1 1 1 : 1; out x", "tensor 'x': more than 8 dimensions");
    bad(9, "init x f32 -2 : ; out x", "tensor 'x': dimension 0 is negative (-2)");
    bad(9, "init x f32 3 : 1 2; out x", "tensor 'x': 8 bytes of data, its dimensions say 12");
    bad(9, "initf x f32 3 : 1 2; out x", "tensor 'x': 2 elements of data, its dimensions say 3");
    bad(9, "initf x f32 1000000 : ; out x", "tensor 'x': 0 elements of data, its dimensions say 1000000");
    bad(9, "initf x bool 1 : 300; out x", "tensor 'x': an element does not fit its type");
    bad(9, "init x 77 1 : 1; out x", "tensor 'x': unknown element type 77");
}

static void test_attributes(void)
{
    const char *conv = "in x f32 1 1 4 4; in w f32 1 1 2 2; node Conv x,w -> y c; ";
    static const struct { const char *attr, *text; } cases[] = {
        {"i kernel 3; out y", "node 'c' (Conv): has no attribute 'kernel' in opset 9"},
        {"is group 1; out y", "node 'c' (Conv): attribute 'group' must be of type INT, is INTS"},
        {"i group 1; i group 1; out y", "node 'c' (Conv): attribute 'group' is given twice"},
        {"i _ 1; out y", "node 'c' (Conv): attribute 0 has no name"},
        {"is pads 1 1; out y", "node 'c' (Conv): attribute 'pads' must have 4 elements, has 2"},
        {"is pads 1 1 -1 1; out y", "node 'c' (Conv): attribute 'pads': -1 is out of range"},
        {"is strides 0 1; out y", "node 'c' (Conv): attribute 'strides': 0 is out of range"},
        {"is strides 4611686018427387904 1; out y", "attribute 'strides': 4611686018427387904 is out of range"},
        {"s auto_pad SAME; out y", "auto_pad must be NOTSET, SAME_UPPER, SAME_LOWER or VALID"}};
    char spec[512];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(spec, sizeof spec, "%s%s", conv, cases[i].attr);
        bad(9, spec, cases[i].text);
    }
    bad(9, "in x f32 1 1 4 4; node MaxPool x -> y; out y", "node '#0' (MaxPool): lacks the attribute 'kernel_shape'");
    bad(9, "in x f32 1 1 4 4; node MaxPool x -> y; is kernel_shape 2 2; is dilations 1 1; out y",
        "has no attribute 'dilations' in opset 9");
    bad(13, "in x f32 1 1; node Squeeze x -> y; is axes 0; out y", "has no attribute 'axes' in opset 13");
    bad(9, "in x f32 1 1; node Squeeze x -> y; is axes 2; out y", "axis 2 is out of range for rank 2");
    bad(9, "in x f32 1 1; node Squeeze x -> y; is axes 0 0; out y", "axis 0 is given twice");
    bad(9, "in x f32 2 2; node Transpose x -> y; is perm 0 0; out y", "axis 0 is given twice");
    bad(9, "in x f32 2 2; node Transpose x -> y; is perm 0; out y", "perm has 1 elements, the input has rank 2");
    bad(9, "in x f32 2 2; node Concat x -> y; out y", "lacks the attribute 'axis'");
    bad(9, "node Constant - -> y; out y", "needs exactly one attribute");
    bad(9, "node Constant - -> y; f value 1; out y", "attribute 'value' must be of type TENSOR, is FLOAT");
    bad(9, "node Constant - -> y; f value_float 1; out y", "has no attribute 'value_float' in opset 9");
    bad(9, "node _ - -> y; out y", "node '#0' (): has no operator");
}

static void test_arity(void)
{
    bad(9, "in x f32 2; node Relu x,x -> y; out y", "node '#0' (Relu): takes 1 input(s), not 2");
    bad(9, "in x f32 2; node Add x -> y; out y", "node '#0' (Add): takes 2 input(s), not 1");
    bad(9, "in x f32 2; node Add _,x -> y; out y", "node '#0' (Add): input 0 must not be absent");
    bad(9, "in x f32 2; node Sum x,_ -> y; out y", "node '#0' (Sum): input 1 must not be absent");
    bad(9, "in x f32 2; node Relu x -> y,z; out y", "node '#0' (Relu): has 2 outputs, not 1 to 1");
    bad(9, "in x f32 1 1; in w f32 1 1; node Gemm x,w -> y; out y", "takes 3 input(s), not 2");
}

static void test_shapes(void)
{
    bad(9, "in x f32 2; in z f32 3; node Add x,z -> y n; out y", "node n (Add): ");
    bad(9, "in x f32 2 3; in z f32 2 3; node MatMul x,z -> y n; out y", "node n (MatMul): ");
    bad(9, "in x f32 1 2 4 4; in w f32 1 1 2 2; node Conv x,w -> y n; out y", "node n (Conv): ");
    bad(9, "in x f32 1 4; in w f32 1 1 2 2; node Conv x,w -> y n; out y", "node 'n' (Conv): input 0 has rank 2, the weights rank 4");
    bad(9, "in x f32 2 3; init s i64 1 : 5; node Reshape x,s -> y; out y", "cannot reshape 6 elements to 5");
    bad(9, "in x f32 2 3; init s i64 2 : -1 4; node Reshape x,s -> y; out y", "cannot reshape 6 elements to a multiple of 4");
    bad(9, "in x f32 2 3; init s i64 2 : -1 -1; node Reshape x,s -> y; out y", "shape element -1 at 1");
    bad(9, "in x f32 2 3; init s i64 2 : 4611686018427387904 4; node Reshape x,s -> y; out y", "cannot reshape 6 elements");
    bad(9, "in x f32 2 3; init s f32 1 : 6; node Reshape x,s -> y; out y", "input 1 (shape) must be a 1-d tensor of int64");
    bad(9, "init s i64 2 : 4611686018427387904 4; node ConstantOfShape s -> y n; out y", "node n (ConstantOfShape): ");
    limit(9, "init s i64 3 : 65536 65536 65536; node ConstantOfShape s -> y n; out y", "node n (ConstantOfShape): ");
    bad(9, "init s i64 1 : -1; node ConstantOfShape s -> y; out y", "dimension 0 is negative (-1)");
    bad(9, "in x f32 5; node Split x -> a,b; out a", "5 cannot be split into 2 equal parts");
    bad(9, "in x f32 5; node Split x -> a,b; is split 1 5; out a", "split size 5 does not fit into 5");
    bad(9, "in x f32 5; node Slice x -> y; is starts 0; is ends 1 2; out y", "starts, ends, axes and steps have different lengths");
    bad(10, "in x f32 5; init s i64 1 : 0; init t i64 1 : 0; node Slice x,s,s,s,t -> y; out y", "step 0 along axis 0");
    limit(9, "in x f32 1 1 1 1 1 1 1; node Unsqueeze x -> y; is axes 0 1; out y", "more than 8 dimensions");
}

/* Fields the line notation does not reach. */
static void test_fields(void)
{
    struct spec *s = spec_parse(9, "in x f32 2; init w f32 2 : 1 2; node Relu x -> y n; i q 1; out y");
    Onnx__StringStringEntryProto entry = ONNX__STRING_STRING_ENTRY_PROTO__INIT, *entries[] = {&entry};
    char key[] = "location", ref[] = "outer";
    unsigned char *b;
    size_t n;

    s->tensor[0].n_external_data = 1;
    s->tensor[0].external_data = entries;
    entry.key = key;
    b = spec_bytes(s, &n);
    check_bytes(b, n, CALQUE_BAD, "tensor 'w': its data in '': no location is given");
    free(b);
    s->tensor[0].n_external_data = 0;
    s->attr[0].type = 99;
    b = spec_bytes(s, &n);
    check_bytes(b, n, CALQUE_BAD, "node 'n' (Relu): attribute 'q' has the unknown type 99");
    free(b);
    s->attr[0].type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH;
    b = spec_bytes(s, &n);
    check_bytes(b, n, CALQUE_BAD, "node 'n' (Relu): attribute 'q' says it is a GRAPH but holds none");
    free(b);
    s->attr[0].type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
    s->attr[0].ref_attr_name = ref;
    b = spec_bytes(s, &n);
    check_bytes(b, n, CALQUE_BAD, "node 'n' (Relu): attribute 'q' refers to a function's attribute");
    free(b);
    s->attr[0].ref_attr_name = NULL;
    spec_free(s);
}

static void test_subgraph(void)
{
    struct spec *s = spec_parse(11, "in x f32 2; node Foo x -> y n; i then_branch 1; out y f32 2");
    struct spec *inner = spec_parse(11, "in a f32 1; node Add a,late -> z; out z");
    unsigned char *b;
    size_t n;

    s->attr[0].type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH;
    s->attr[0].has_i = 0;
    s->attr[0].g = &inner->graph;
    b = spec_bytes(s, &n);
    check_bytes(b, n, CALQUE_BAD, "node 'n' (Foo): a subgraph's value 'late' is not defined");
    free(b);
    spec_free(s);
    spec_free(inner);
}

static const char small[] =
    "in x f32 1 2 4 4; init w f32 2 2 1 1 : 1 2 3 4; node Conv x,w -> c l; i group 1; is pads 0 0 0 0; s auto_pad NOTSET; "
    "node Relu c -> r; initf s i64 2 : 0 -1; node Reshape r,s -> f; node Foo f,_,c -> g,h; f alpha 0.5; "
    "node Split f -> p,q; i axis 1; node Add p,q -> y; info r f32 1 2 4 4; out y f32 1 16; out h f32 3";

/* Every prefix: a field boundary may be a model, everything else is an error. */
static void test_truncated(void)
{
    size_t n;
    unsigned char *b = spec_model(9, small, &n);
    struct diag d;
    int good = 0;

    CU_ASSERT_EQUAL(read_bytes(b, n, &d), CALQUE_OK);
    for (size_t k = 0; k < n; k++) {
        /* a copy of its own, so that the sanitizer sees a read past the end */
        unsigned char *c = malloc(k ? k : 1);
        memcpy(c, b, k);
        good += read_bytes(c, k, &d) == CALQUE_OK;
        free(c);
    }
    CU_ASSERT_EQUAL(good, 0);
    check_bytes(b, n - 1, CALQUE_BAD, "malformed or truncated field of a ModelProto");
    free(b);
}

static unsigned long rng(unsigned long *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

/* Flipped, inserted, removed and copied bytes. */
static size_t mutate(unsigned char *c, size_t n, size_t room, unsigned long *seed)
{
    int times = 1 + (int)(rng(seed) % 4);

    while (times-- > 0 && n > 0) {
        size_t at = rng(seed) % n, from = rng(seed) % n, len = rng(seed) % 8 + 1;
        switch (rng(seed) % 5) {
        case 0:
            c[at] = (unsigned char)rng(seed);
            break;
        case 1:
            c[at] ^= (unsigned char)(1u << (rng(seed) % 8));
            break;
        case 2:
            if (n < room) {
                memmove(c + at + 1, c + at, n - at);
                c[at] = (unsigned char)rng(seed);
                n++;
            }
            break;
        case 3:
            memmove(c + at, c + at + 1, n - at - 1);
            n--;
            break;
        default:
            len = len > n - at ? n - at : len;
            len = len > n - from ? n - from : len;
            memmove(c + at, c + from, len);
            break;
        }
    }
    return n;
}

/* What still reads must also be written and read again. */
static void survive(const unsigned char *b, size_t n, int *count)
{
    struct world w;
    struct graph g, h;
    unsigned char *out = NULL;
    size_t len = 0;
    enum calque_status st;

    world_init(&w);
    world_graph(&w, &g);
    world_graph(&w, &h);
    st = onnx_read(&g, "fuzz.onnx", b, n, &w.d);
    if (!st && graph_check(&g, &w.d) != CALQUE_OK)
        CU_FAIL("the graph is not sound");
    if (!st) {
        count[0]++;
        st = onnx_write(&g, &out, &len, &w.d);
        if (!st)
            count[1]++;
        if (!st && onnx_read(&h, "fuzz2.onnx", out, len, &w.d) != CALQUE_OK) {
            fprintf(stderr, "written, not read: %s\n", w.d.text);
            CU_FAIL("a written model cannot be read");
        }
    }
    if (st == CALQUE_INTERNAL || st == CALQUE_NOMEM) {
        fprintf(stderr, "%d: %s\n", (int)st, w.d.text);
        CU_FAIL("an internal error");
    }
    mem_free(out);
    graph_free(&g);
    graph_free(&h);
    world_free(&w);
}

static void test_fuzz(void)
{
    size_t n, room;
    unsigned char *b = spec_model(9, small, &n), *c;
    unsigned long seed = 0x5eed2026;
    int count[2] = {0, 0};

    room = n + 16;
    c = malloc(room);
    for (int i = 0; i < 25000; i++) {
        size_t k;
        unsigned char *exact;
        memcpy(c, b, n);
        k = mutate(c, n, room, &seed);
        exact = malloc(k ? k : 1);
        memcpy(exact, c, k);
        survive(exact, k, count);
        free(exact);
    }
    CU_ASSERT(count[0] > 100);
    CU_ASSERT(count[1] > count[0] / 2);
    free(c);
    free(b);
}

/* A graph in an attribute of a node of a graph ..: deeper than any stack. */
static void test_depth(void)
{
    enum { LEVELS = 200002 };
    /* built from the inside out: each level wraps what there is, in front of it */
    size_t room = (size_t)LEVELS * 40, at = room;
    unsigned char *b = malloc(room);
    static const unsigned tags[] = {1 << 3 | 2, 5 << 3 | 2, 6 << 3 | 2}; /* graph.node, node.attribute, attribute.g */

    for (int level = 0; level < LEVELS; level++) {
        unsigned char head[12];
        size_t len = room - at, k = 0;
        head[k++] = (unsigned char)tags[2 - level % 3];
        do {
            head[k++] = (unsigned char)((len & 0x7f) | (len > 0x7f ? 0x80 : 0));
            len >>= 7;
        } while (len);
        if (level == LEVELS - 1)
            head[0] = 7 << 3 | 2; /* model.graph */
        at -= k;
        memcpy(b + at, head, k);
    }
    check_bytes(b + at, room - at, CALQUE_LIMIT, "messages are nested deeper than 64");
    free(b);
}

static void test_nul(void)
{
    size_t n;
    unsigned char *b = spec_model(9, "in xQx f32 2; node Relu xQx -> y; out y", &n);

    for (size_t i = 0; i < n; i++)
        if (b[i] == 'Q')
            b[i] = 0;
    check_bytes(b, n, CALQUE_BAD, "holds a NUL byte");
    free(b);
}

static void test_tensor_file(void)
{
    struct world w;
    struct tensor t;
    int name = 0;
    static const unsigned char good[] = {8, 2, 16, 1, 34, 8, 0, 0, 128, 63, 0, 0, 0, 64, 66, 1, 't'};

    world_init(&w);
    CU_ASSERT_EQUAL(onnx_tensor_read(&w.mem, &w.strs, "t.pb", good, sizeof good, &t, &name, &w.d), CALQUE_OK);
    CU_ASSERT_EQUAL(t.shape.rank, 1);
    CU_ASSERT_EQUAL(t.shape.dim[0], 2);
    CU_ASSERT_EQUAL(tensor_f32(&t)[1], 2.0f);
    CU_ASSERT_STRING_EQUAL(strs_text(&w.strs, name), "t");
    tensor_free(&t);
    for (size_t k = 0; k < sizeof good; k++)
        if (onnx_tensor_read(&w.mem, &w.strs, "t.pb", good, k, &t, &name, &w.d) == CALQUE_OK)
            tensor_free(&t);
    for (long k = 0, st = CALQUE_NOMEM; st == CALQUE_NOMEM && k < 100; k++) {
        w.mem.fail_after = k;
        st = onnx_tensor_read(&w.mem, &w.strs, "t.pb", good, sizeof good, &t, &name, &w.d);
        CU_ASSERT(st == CALQUE_NOMEM || st == CALQUE_OK);
        tensor_free(&t);
    }
    world_free(&w);
}

int main(void)
{
    static const struct unit_case cases[] = {{"model", test_model},
                                             {"values", test_values},
                                             {"types", test_types},
                                             {"attributes", test_attributes},
                                             {"arity", test_arity},
                                             {"shapes", test_shapes},
                                             {"fields", test_fields},
                                             {"subgraph", test_subgraph},
                                             {"truncated", test_truncated},
                                             {"fuzz", test_fuzz},
                                             {"depth", test_depth},
                                             {"nul", test_nul},
                                             {"tensor file", test_tensor_file}};
    return unit_main("onnx_bad", cases, UNIT_COUNT(cases));
}
