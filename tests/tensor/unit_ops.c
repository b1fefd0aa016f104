/* Each operator's kernel against a plain C loop (reference.h) on small random tensors; texts of kernels; the exceptions. */
#include <limits.h>

#include "unit.h"

#include "reference.h"

static const struct test tests[] = {
#define KERNEL(op, in, attrs, outputs) {OP_##op, in, attrs, outputs},
#include "operators.def"
};

static void test_kernels(void)
{
    bool used[OP_COUNT] = {false};

    for (int i = 0; i < UNIT_COUNT(tests); i++)
        for (unsigned round = 0; round < 3; round++) {
            struct bench b;
            bool equal;
            enum calque_status s;
            bench_init(&b);
            s = run_test(&b, &tests[i], (unsigned)i * 7 + round, 1 + (int)round % 2, &equal);
            used[tests[i].op] = true;
            if (s || !equal)
                fprintf(stderr, "%s(%s) %s: %s\n", op_info(tests[i].op)->name, tests[i].in, tests[i].attrs,
                        s ? b.d.text : "differs");
            CU_ASSERT(s == CALQUE_OK && equal);
            bench_free(&b);
        }
    for (int op = OP_Opaque + 1; op < OP_COUNT; op++) {
        if (!used[op])
            fprintf(stderr, "no test of %s\n", op_info(op)->name);
        CU_ASSERT(used[op]);
    }
}

/* The text is what the kernel room prints for the kernel it parses to. */
static void test_canonical(void)
{
    for (int i = 0; i < UNIT_COUNT(tests); i++) {
        struct bench b;
        struct text t, printed;
        struct kernel k;
        int ids[BENCH_INPUTS], n, node;

        bench_init(&b);
        text_init(&t, &b.mem);
        text_init(&printed, &b.mem);
        n = inputs_parse(&b, tests[i].in, ids);
        node = bench_op(&b, tests[i].op, tests[i].attrs, tests[i].nout, ids, n);
        CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
        if (op_kernel_text(&b.g, node, &t, &b.d) == CALQUE_OK) {
            CU_ASSERT(op_kernel(&b.g, node, &k, &b.d) == CALQUE_OK);
            kernel_print(&printed, &k);
            if (strcmp(t.a ? t.a : "", printed.a ? printed.a : ""))
                fprintf(stderr, "written %sprinted %s", t.a, printed.a);
            CU_ASSERT_STRING_EQUAL(t.a ? t.a : "", printed.a ? printed.a : "");
            kernel_free(&k);
        } else {
            CU_ASSERT(tests[i].op == OP_Gather || tests[i].op == OP_Cast);
        }
        text_free(&t);
        text_free(&printed);
        bench_free(&b);
    }
}

/* Some texts as they should be read by people. */
static void test_texts(void)
{
    static const struct {
        int op;
        const char *in, *attrs, *want;
    } golden[] = {
        {OP_Conv, "f:1x4x8x8 f:6x2x3x3 f:6", "group=2 strides=2,2 pads=1,1,0,0",
         "Y0<1,6,4,4>[n,o,y,x] = sum(c<2,u<3,v<3) select(y*2+u-1 >= 0 && x*2+v-1 >= 0, "
         "X0<1,4,8,8>[n,o//3*2+c,y*2+u-1,x*2+v-1] * X1<6,2,3,3>[o,c,u,v], 0x0p+0) + X2<6>[o];\n"},
        {OP_Softmax, "f:2x3", "",
         "T0<2>[i] = amax(a<3) X0<2,3>[i,a];\nT1<2,3>[i,j] = exp(X0<2,3>[i,j] - T0<2>[i]);\n"
         "T2<2>[i] = sum(a<3) T1<2,3>[i,a];\nY0<2,3>[i,j] = T1<2,3>[i,j] / T2<2>[i];\n"},
        {OP_Reshape, "f:2x6x5x1", "shape=2,3,2,5", "Y0<2,3,2,5>[i,j,k,l] = X0<2,6,5,1>[i,j*2+k,l,0];\n"},
        {OP_Reshape, "f:4x6", "shape=3,8", "Y0<3,8>[i,j] = X0<4,6>[(i*8+j)//6,(i*8+j)%6];\n"},
        {OP_Reshape, "f:8x3", "shape=2,12", "Y0<2,12>[i,j] = X0<8,3>[i*4+j//3,j%3];\n"},
        {OP_Concat, "f:2x3 f:2x1 f:2x5", "axis=1",
         "Y0<2,9>[i,j] = select(j < 3, X0<2,3>[i,j], select(j < 4, X1<2,1>[i,0], X2<2,5>[i,j-4]));\n"},
        {OP_Gemm, "f:2x3 f:4x3 f:4", "transB=1 alpha=0.5 beta=2.0",
         "Y0<2,4>[i,j] = 0x1p-1 * sum(a<3) (X0<2,3>[i,a] * X1<4,3>[j,a]) + 0x1p+1 * X2<4>[j];\n"},
        {OP_Gemm, "f:2x3 f:3x4 f:4", "beta=0.0", "Y0<2,4>[i,j] = sum(a<3) (X0<2,3>[i,a] * X1<3,4>[a,j]);\n"},
        {OP_BatchNormalization, "f:1x5x3 f:5 f:5 f:5 f:5", "epsilon=0.5",
         "Y0<1,5,3>[i,j,k] = (X0<1,5,3>[i,j,k] - X3<5>[j]) / sqrt(X4<5>[j] + 0x1p-1) * X1<5>[j] + X2<5>[j];\n"},
        {OP_Slice, "f:6x7", "starts=5,1 sizes=3,2 steps=-2,4", "Y0<3,2>[i,j] = X0<6,7>[5-i*2,j*4+1];\n"},
        {OP_Shape, "f:2x3x4", "", "Y0<3>[i] = select(i < 1, 2, select(i < 2, 3, 4));\n"},
        {OP_Pad, "f:2x3", "pads=0,1,0,1 value=0.5",
         "Y0<2,5>[i,j] = select(j-1 >= 0 && j-1 < 3, X0<2,3>[i,j-1], 0x1p-1);\n"},
        {OP_Pad, "f:3", "pads=2,1 mode='reflect'",
         "Y0<6>[i] = select(i < 2, X0<3>[2-i], select(i < 5, X0<3>[i-2], X0<3>[6-i]));\n"},
        {OP_EyeLike, "f:3x4", "k=1", "Y0<3,4>[i,j] = select(j == i+1, 0x1p+0, 0x0p+0);\n"},
        {OP_CollapseSumLike, "f:2x3x4 f:3x1", "", "Y0<3,1>[i,j] = sum(a<2,b<4) X0<2,3,4>[a,i,b];\n"},
        {OP_LayerNormalization, "f:2x3 f:3 f:3", "epsilon=0.5",
         "T0<2>[i] = sum(a<3) X0<2,3>[i,a] / 0x1.8p+1;\n"
         "T1<2>[i] = sum(a<3) ((X0<2,3>[i,a] - T0<2>[i]) * (X0<2,3>[i,a] - T0<2>[i])) / 0x1.8p+1;\n"
         "Y0<2,3>[i,j] = (X0<2,3>[i,j] - T0<2>[i]) / sqrt(T1<2>[i] + 0x1p-1) * X1<3>[j] + X2<3>[j];\n"},
        {OP_LpNormalization, "f:2x3", "",
         "T0<2>[i] = sqrt(sum(a<3) (X0<2,3>[i,a] * X0<2,3>[i,a]));\n"
         "Y0<2,3>[i,j] = X0<2,3>[i,j] / max(T0<2>[i], 0x1p-149);\n"},
        {OP_Add, "f:2x0", "", NULL},
    };

    for (int i = 0; golden[i].want; i++) {
        struct bench b;
        struct text t;
        int ids[BENCH_INPUTS], n, node;

        bench_init(&b);
        text_init(&t, &b.mem);
        n = inputs_parse(&b, golden[i].in, ids);
        node = bench_op(&b, golden[i].op, golden[i].attrs, 1, ids, n);
        CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
        CU_ASSERT(op_kernel_text(&b.g, node, &t, &b.d) == CALQUE_OK);
        if (!t.a || strcmp(t.a, golden[i].want))
            fprintf(stderr, "wanted %sgot    %s", golden[i].want, t.a ? t.a : "nothing\n");
        CU_ASSERT_STRING_EQUAL(t.a ? t.a : "", golden[i].want);
        text_free(&t);
        bench_free(&b);
    }
}

/* Indices known at compile time: an affine run is one load. */
static void test_gather_text(void)
{
    static const struct {
        long index[5];
        int n;
        const char *want;
    } golden[] = {
        {{3, 4, 5, 6}, 4, "Y0<4>[i] = X0<7>[i+3];\n"},
        {{6, 4, 2}, 3, "Y0<3>[i] = X0<7>[6-i*2];\n"},
        {{-1, -1}, 2, "Y0<2>[i] = X0<7>[6];\n"},
        {{0, 5, 1}, 3, "Y0<3>[i] = select(i < 1, X0<7>[0], select(i < 2, X0<7>[5], X0<7>[1]));\n"},
        {{0, 7}, 2, NULL},
        {{0, -8}, 2, NULL},
    };

    for (int i = 0; i < UNIT_COUNT(golden); i++) {
        struct bench b;
        struct text t;
        struct shape seven = {.rank = 1, .dim = {7}}, shape = {.rank = 1, .dim = {golden[i].n}};
        struct tensor index;
        struct kernel k;
        int in[2], node;

        bench_init(&b);
        text_init(&t, &b.mem);
        CU_ASSERT_FATAL(tensor_new(&b.mem, DTYPE_I64, &shape, &index, &b.d) == CALQUE_OK);
        memcpy(index.data, golden[i].index, index.bytes);
        in[0] = graph_input(&b.g, -1, DTYPE_F32, &seven);
        in[1] = graph_const(&b.g, -1, &index);
        node = bench_op(&b, OP_Gather, "", 1, in, 2);
        CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
        if (golden[i].want) {
            CU_ASSERT(op_kernel_text(&b.g, node, &t, &b.d) == CALQUE_OK);
            CU_ASSERT_STRING_EQUAL(t.a, golden[i].want);
            CU_ASSERT(op_kernel(&b.g, node, &k, &b.d) == CALQUE_OK);
            kernel_free(&k);
        } else {
            CU_ASSERT(op_kernel_text(&b.g, node, &t, &b.d) == CALQUE_BAD);
            CU_ASSERT(strstr(b.d.text, "is outside dimension of size 7") != NULL);
        }
        text_free(&t);
        bench_free(&b);
    }
}

static void test_cast_limits(void)
{
    static const float x[] = {NAN, INFINITY, -INFINITY, 9.3e18f, -9.3e18f, -0x1p63f, 1.75f, -1.75f};
    static const long want[] = {0, LONG_MAX, LONG_MIN, LONG_MAX, LONG_MIN, LONG_MIN, 1, -1};
    struct bench b;
    struct shape s = {.rank = 1, .dim = {UNIT_COUNT(x)}};
    struct tensor in, out;
    const struct tensor *arg = &in;
    int id, node;

    bench_init(&b);
    id = graph_input(&b.g, -1, DTYPE_F32, &s);
    node = bench_op(&b, OP_Cast, "to=7", 1, &id, 1);
    CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(tensor_new(&b.mem, DTYPE_F32, &s, &in, &b.d) == CALQUE_OK);
    memcpy(in.data, x, sizeof x);
    CU_ASSERT_FATAL(op_eval(&b.g, node, &arg, &out, 1, &b.d) == CALQUE_OK);
    CU_ASSERT(memcmp(out.data, want, sizeof want) == 0);
    tensor_free(&in);
    tensor_free(&out);
    bench_free(&b);
}

/* The other two element types: results in f64 and i32 precision. */
static void test_wide_and_narrow(void)
{
    struct bench b;
    struct shape s = {.rank = 1, .dim = {2}};
    struct tensor x, y, out;
    const struct tensor *args[2] = {&x, &y};
    int id[2], node;

    bench_init(&b);
    id[0] = graph_input(&b.g, -1, 11, &s);
    id[1] = graph_input(&b.g, -1, 11, &s);
    node = bench_op(&b, OP_Mul, "", 1, id, 2);
    CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(tensor_new(&b.mem, 11, &s, &x, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(tensor_new(&b.mem, 11, &s, &y, &b.d) == CALQUE_OK);
    memcpy(x.data, (const double[]){0.1, 1e300}, 16);
    memcpy(y.data, (const double[]){0.3, 0.7}, 16);
    CU_ASSERT_FATAL(op_eval(&b.g, node, args, &out, 1, &b.d) == CALQUE_OK);
    CU_ASSERT(((double *)out.data)[0] == 0.1 * 0.3 && ((double *)out.data)[1] == 1e300 * 0.7);
    tensor_free(&out);
    node = bench_op(&b, OP_Cast, "to=6", 1, id, 1);
    CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
    memcpy(x.data, (const double[]){-7.9, 1e300}, 16);
    CU_ASSERT_FATAL(op_eval(&b.g, node, args, &out, 1, &b.d) == CALQUE_OK);
    CU_ASSERT(((int32_t *)out.data)[0] == -7 && ((int32_t *)out.data)[1] == INT32_MAX);
    tensor_free(&x);
    tensor_free(&y);
    x = out;
    id[0] = graph_input(&b.g, -1, 6, &s);
    args[1] = &x;
    id[1] = id[0];
    node = bench_op(&b, OP_Div, "", 1, id, 2);
    CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(op_eval(&b.g, node, args, &out, 1, &b.d) == CALQUE_OK);
    CU_ASSERT(((int32_t *)out.data)[0] == 1 && ((int32_t *)out.data)[1] == 1);
    tensor_free(&out);
    ((int32_t *)x.data)[1] = 0;
    CU_ASSERT(op_eval(&b.g, node, args, &out, 1, &b.d) != CALQUE_OK);
    CU_ASSERT(strstr(b.d.text, "node it (Div): ") != NULL);
    tensor_free(&x);
    bench_free(&b);
}

/* Integer quotients are truncated; the divisors are not 0. */
static void test_int_quotient(void)
{
    struct bench b;
    struct shape s = {.rank = 2, .dim = {9, 8}}, col = {.rank = 2, .dim = {9, 1}}, row = {.rank = 1, .dim = {8}};
    static const long x[] = {-13, -7, -4, -1, 0, 1, 4, 7, 13}, y[] = {-5, -3, -2, -1, 1, 2, 3, 5};
    struct tensor a, c, out;
    const struct tensor *args[2] = {&a, &c};
    int id[2], node;

    bench_init(&b);
    id[0] = graph_input(&b.g, -1, DTYPE_I64, &col);
    id[1] = graph_input(&b.g, -1, DTYPE_I64, &row);
    node = bench_op(&b, OP_Div, "", 1, id, 2);
    CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK && shape_equal(&b.g.node.a[node].shape, &s));
    CU_ASSERT_FATAL(tensor_new(&b.mem, DTYPE_I64, &col, &a, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(tensor_new(&b.mem, DTYPE_I64, &row, &c, &b.d) == CALQUE_OK);
    memcpy(a.data, x, sizeof x);
    memcpy(c.data, y, sizeof y);
    CU_ASSERT_FATAL(op_eval(&b.g, node, args, &out, 1, &b.d) == CALQUE_OK);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 8; j++)
            CU_ASSERT(tensor_i64(&out)[i * 8 + j] == x[i] / y[j]);
    tensor_free(&a);
    tensor_free(&c);
    tensor_free(&out);
    bench_free(&b);
}

static void test_memory(void)
{
    enum calque_status s = CALQUE_NOMEM;
    bool equal;

    for (int i = 0; i < UNIT_COUNT(tests); i += 3) {
        s = CALQUE_NOMEM;
        for (long k = 0; s == CALQUE_NOMEM && k < 10000; k++) {
            struct bench b;
            bench_init(&b);
            b.mem.fail_after = k;
            s = run_test(&b, &tests[i], 1, 1, &equal);
            if (s != CALQUE_OK && s != CALQUE_NOMEM)
                fprintf(stderr, "%s(%s) %s: %s\n", op_info(tests[i].op)->name, tests[i].in, tests[i].attrs, b.d.text);
            CU_ASSERT(s == CALQUE_NOMEM || (s == CALQUE_OK && equal));
            bench_free(&b);
        }
        CU_ASSERT(s == CALQUE_OK);
    }
}

/* Every row of ops.def is found: op_attrs searches rows that ascend by operator. */
static void test_attr_rows(void)
{
    static const struct {
        int op;
        const char *label;
    } row[] = {
#define OP_ATTR(op, label, kind, otherwise) {OP_##op, #label},
#include "tensor/ops.def"
    };

    for (int i = 0; i < UNIT_COUNT(row); i++) {
        CU_ASSERT(op_has_attr(row[i].op, row[i].label));
        CU_ASSERT(i == 0 || row[i - 1].op <= row[i].op);
    }
}

int main(void)
{
    static const struct unit_case cases[] = {{"kernels", test_kernels},
                                             {"canonical", test_canonical},
                                             {"texts", test_texts},
                                             {"gather_text", test_gather_text},
                                             {"cast_limits", test_cast_limits},
                                             {"wide_and_narrow", test_wide_and_narrow},
                                             {"int_quotient", test_int_quotient},
                                             {"memory", test_memory},
                                             {"attr_rows", test_attr_rows}};
    return unit_main("tensor/ops", cases, UNIT_COUNT(cases));
}
