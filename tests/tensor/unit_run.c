/* graph_run and graph_const_value: order, projections, tuples, freeing, sharing, errors, memory. */
#include "unit.h"

#include "build.h"

static int op1(struct bench *b, int op, const char *attrs, int in)
{
    int node = bench_op(b, op, attrs, 1, &in, 1);

    return node >= 0 && op_infer(&b->g, node, &b->d) == CALQUE_OK ? node : -1;
}

static int op2(struct bench *b, int op, const char *attrs, int x, int y)
{
    int in[2] = {x, y}, node = bench_op(b, op, attrs, 1, in, 2);

    return node >= 0 && op_infer(&b->g, node, &b->d) == CALQUE_OK ? node : -1;
}

static int vector(struct bench *b, int dtype, const long *v, int n)
{
    struct shape s = {.rank = 1, .dim = {n}};
    struct tensor t;
    int node;

    if (tensor_new(&b->mem, dtype, &s, &t, &b->d))
        return -1;
    for (int i = 0; i < n; i++)
        if (dtype == DTYPE_F32)
            tensor_f32(&t)[i] = (float)v[i];
        else
            tensor_i64(&t)[i] = v[i];
    if ((node = graph_const(&b->g, -1, &t)) < 0)
        tensor_free(&t);
    return node;
}

static bool holds(const struct tensor *t, const long *v, int n)
{
    bool good = shape_elems(&t->shape) == n;

    for (int i = 0; good && i < n; i++)
        good = t->dtype == DTYPE_F32 ? tensor_f32(t)[i] == (float)v[i] : tensor_i64(t)[i] == v[i];
    return good;
}

enum { OUTS = 7 };

/* x (2x4) -> split into 2x1, 2x3; a tuple of both; relu twice (one text, one kernel); outputs: a projection of the tuple,
   the input itself, a constant, one node twice, an i64 node. An opaque node hangs on the side. */
static bool build(struct bench *b)
{
    static const long two[] = {1, 2}, parts[] = {10, 20, 30};
    struct shape s = {.rank = 2, .dim = {2, 4}};
    int x = graph_input(&b->g, -1, DTYPE_F32, &s), split, a[2], tuple, first, second, r1, r2, k, c, sum, idle, opaque;

    if (x < 0 || (split = bench_op(b, OP_Split, "axis=1 split=1,3", 2, &x, 1)) < 0)
        return false;
    a[0] = graph_proj(&b->g, split, 0, -1);
    a[1] = graph_proj(&b->g, split, 1, -1);
    tuple = a[0] < 0 || a[1] < 0 ? -1 : graph_tuple(&b->g, a, 2);
    if (tuple < 0)
        return false;
    first = graph_proj(&b->g, tuple, 0, -1);
    second = graph_proj(&b->g, tuple, 1, -1);
    if (first < 0 || second < 0 || graph_infer(&b->g, &b->d))
        return false;
    r1 = op1(b, OP_Relu, "", second);
    r2 = r1 < 0 ? -1 : op1(b, OP_Relu, "", r1);
    idle = op1(b, OP_Neg, "", x); /* no output needs it */
    k = vector(b, DTYPE_I64, two, 2);
    c = vector(b, DTYPE_F32, parts, 3);
    if (r2 < 0 || idle < 0 || k < 0 || c < 0 || (sum = op2(b, OP_Add, "", r2, c)) < 0)
        return false;
    opaque = bench_op(b, OP_Opaque, "", 1, &idle, 1);
    if (opaque < 0 || (k = op2(b, OP_Mul, "", k, k)) < 0)
        return false;
    return graph_output(&b->g, first, -1) && graph_output(&b->g, x, -1) && graph_output(&b->g, c, -1) &&
           graph_output(&b->g, sum, -1) && graph_output(&b->g, sum, -1) && graph_output(&b->g, k, -1) &&
           graph_output(&b->g, r1, -1);
}

static bool fill(struct bench *b, struct tensor *x)
{
    static const float v[] = {1, -2, 3, 4, -5, 6, -7, 8};
    struct shape s = {.rank = 2, .dim = {2, 4}};

    if (tensor_new(&b->mem, DTYPE_F32, &s, x, &b->d))
        return false;
    memcpy(x->data, v, sizeof v);
    return true;
}

static enum calque_status run(struct bench *b, struct tensor *out, int threads)
{
    struct tensor x = {0};
    enum calque_status s = CALQUE_NOMEM;

    if (build(b) && fill(b, &x))
        s = graph_run(&b->g, &x, out, threads, NULL, &b->d);
    tensor_free(&x);
    return s;
}

static void test_run(void)
{
    static const long first[] = {1, -5}, x[] = {1, -2, 3, 4, -5, 6, -7, 8}, c[] = {10, 20, 30},
                      sum[] = {10, 23, 34, 16, 20, 38}, k[] = {1, 4}, r1[] = {0, 3, 4, 6, 0, 8};

    for (int threads = 1; threads <= 3; threads++) {
        struct bench b;
        struct tensor out[OUTS];
        bench_init(&b);
        CU_ASSERT_FATAL(run(&b, out, threads) == CALQUE_OK);
        CU_ASSERT(b.g.output.n == OUTS);
        CU_ASSERT(holds(&out[0], first, 2));
        CU_ASSERT(holds(&out[1], x, 8));
        CU_ASSERT(holds(&out[2], c, 3));
        CU_ASSERT(holds(&out[3], sum, 6));
        CU_ASSERT(holds(&out[4], sum, 6));
        CU_ASSERT(out[3].data != out[4].data);
        CU_ASSERT(holds(&out[5], k, 2));
        CU_ASSERT(holds(&out[6], r1, 6));
        for (int o = 0; o < OUTS; o++)
            tensor_free(&out[o]);
        bench_free(&b);
    }
}

static void test_errors(void)
{
    struct bench b;
    struct shape s = {.rank = 2, .dim = {4, 2}};
    struct tensor x, out[OUTS + 2];
    int opaque, bad, tuple;

    bench_init(&b);
    CU_ASSERT_FATAL(build(&b));
    CU_ASSERT(tensor_new(&b.mem, DTYPE_F32, &s, &x, &b.d) == CALQUE_OK);
    CU_ASSERT(graph_run(&b.g, &x, out, 1, NULL, &b.d) == CALQUE_BAD);
    CU_ASSERT(strstr(b.d.text, "given f32 4x2, expected f32 2x4") != NULL);
    tensor_free(&x);
    s.dim[0] = 2;
    s.dim[1] = 4;
    CU_ASSERT(tensor_new(&b.mem, DTYPE_I64, &s, &x, &b.d) == CALQUE_OK);
    CU_ASSERT(graph_run(&b.g, &x, out, 1, NULL, &b.d) == CALQUE_BAD);
    CU_ASSERT(strstr(b.d.text, "given i64 2x4, expected f32 2x4") != NULL);
    tensor_free(&x);
    CU_ASSERT(fill(&b, &x));
    opaque = bench_op(&b, OP_Opaque, "", 1, NULL, 0);
    b.g.node.a[opaque].dtype = DTYPE_F32;
    b.g.node.a[opaque].shape = s;
    bad = op1(&b, OP_Relu, "", opaque);
    CU_ASSERT_FATAL(bad >= 0 && graph_output(&b.g, bad, -1));
    CU_ASSERT(graph_run(&b.g, &x, out, 1, NULL, &b.d) == CALQUE_BAD);
    CU_ASSERT(strstr(b.d.text, "node it (Opaque ?): no kernel") != NULL);
    b.g.output.n--;
    tuple = graph_tuple(&b.g, &bad, 1);
    CU_ASSERT_FATAL(tuple >= 0 && graph_output(&b.g, tuple, -1));
    CU_ASSERT(graph_run(&b.g, &x, out, 1, NULL, &b.d) == CALQUE_BAD);
    CU_ASSERT(strstr(b.d.text, "output 7 is a tuple") != NULL);
    tensor_free(&x);
    bench_free(&b);
}

static void test_eval_errors(void)
{
    struct bench b;
    struct shape s = {.rank = 1, .dim = {3}}, two = {.rank = 1, .dim = {2}};
    struct tensor x, y, out;
    const struct tensor *in[2] = {NULL, NULL};
    int a, add;

    bench_init(&b);
    a = graph_input(&b.g, -1, DTYPE_F32, &s);
    add = op2(&b, OP_Add, "", a, a);
    CU_ASSERT_FATAL(tensor_new(&b.mem, DTYPE_F32, &s, &x, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(tensor_new(&b.mem, DTYPE_F32, &two, &y, &b.d) == CALQUE_OK);
    CU_ASSERT(op_eval(&b.g, a, in, &out, 1, &b.d) == CALQUE_BAD);
    CU_ASSERT(op_eval(&b.g, add, in, &out, 1, &b.d) == CALQUE_BAD);
    CU_ASSERT(strstr(b.d.text, "node it (Add): input 0 has no value") != NULL);
    in[0] = &x;
    in[1] = &y;
    CU_ASSERT(op_eval(&b.g, add, in, &out, 1, &b.d) == CALQUE_BAD);
    CU_ASSERT(strstr(b.d.text, "input 1 is f32 2, expected f32 3") != NULL);
    in[1] = &x;
    CU_ASSERT(op_eval(&b.g, add, in, &out, 1, &b.d) == CALQUE_OK);
    tensor_free(&out);
    tensor_free(&x);
    tensor_free(&y);
    bench_free(&b);
}

/* Shape arithmetic as exporters write it: Shape, Gather, Unsqueeze, Concat. */
static enum calque_status const_chain(struct bench *b, struct tensor *out, int *input, int *node)
{
    static const long one[] = {1}, minus[] = {-1};
    struct shape s = {.rank = 3, .dim = {5, 6, 7}};
    int shape, index, pick, rest;

    if ((*input = graph_input(&b->g, -1, DTYPE_F32, &s)) < 0 || (shape = op1(b, OP_Shape, "", *input)) < 0 ||
        (index = vector(b, DTYPE_I64, one, 1)) < 0 || (rest = vector(b, DTYPE_I64, minus, 1)) < 0 ||
        (pick = op2(b, OP_Gather, "", shape, index)) < 0 || (*node = op2(b, OP_Concat, "axis=0", pick, rest)) < 0)
        return CALQUE_NOMEM;
    return graph_const_value(&b->g, *node, 1 << 20, NULL, out, &b->d);
}

static void test_const(void)
{
    static const long want[] = {6, -1}, five[] = {5};
    struct bench b;
    struct tensor out;
    int input, node, id, split, proj;

    bench_init(&b);
    CU_ASSERT_FATAL(const_chain(&b, &out, &input, &node) == CALQUE_OK);
    CU_ASSERT(out.dtype == DTYPE_I64 && holds(&out, want, 2));
    tensor_free(&out);
    CU_ASSERT(graph_const_value(&b.g, node, 8, NULL, &out, &b.d) == CALQUE_LIMIT);
    CU_ASSERT(graph_const_value(&b.g, input, 1000, NULL, &out, &b.d) == CALQUE_NO);
    CU_ASSERT(b.d.status == CALQUE_NO);
    id = op1(&b, OP_Relu, "", input);
    CU_ASSERT(graph_const_value(&b.g, id, 1 << 20, NULL, &out, &b.d) == CALQUE_NO);
    id = op1(&b, OP_Shape, "", id); /* typed is enough */
    CU_ASSERT_FATAL(graph_const_value(&b.g, id, 1 << 20, NULL, &out, &b.d) == CALQUE_OK);
    CU_ASSERT(tensor_i64(&out)[2] == 7);
    tensor_free(&out);
    split = bench_op(&b, OP_Split, "", 3, &id, 1);
    CU_ASSERT(op_infer(&b.g, split, &b.d) == CALQUE_OK);
    proj = graph_proj(&b.g, split, 0, -1);
    CU_ASSERT(op_infer(&b.g, proj, &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(graph_const_value(&b.g, proj, 1 << 20, NULL, &out, &b.d) == CALQUE_OK);
    CU_ASSERT(holds(&out, five, 1));
    tensor_free(&out);
    id = vector(&b, DTYPE_I64, five, 1);
    CU_ASSERT_FATAL(graph_const_value(&b.g, id, 1 << 20, NULL, &out, &b.d) == CALQUE_OK);
    CU_ASSERT(holds(&out, five, 1));
    tensor_free(&out);
    id = bench_op(&b, OP_ConstantOfShape, "shape=1,", 1, NULL, 0);
    b.g.node.a[id].op = OP_Opaque;
    CU_ASSERT(graph_const_value(&b.g, id, 1 << 20, NULL, &out, &b.d) == CALQUE_NO);
    id = bench_op(&b, OP_ConstantOfShape, "shape=1, dtype=4", 1, NULL, 0); /* u16: no kernel */
    CU_ASSERT(op_infer(&b.g, id, &b.d) == CALQUE_OK);
    CU_ASSERT(graph_const_value(&b.g, id, 1 << 20, NULL, &out, &b.d) == CALQUE_NO);
    bench_free(&b);
}

/* The same kernel text over two element types in one run. */
static void test_types_apart(void)
{
    static const long v[] = {3, 1L << 40}, want[] = {-3, -(1L << 40)};
    struct bench b;
    struct tensor out[2];
    int f, i;

    bench_init(&b);
    f = op1(&b, OP_Neg, "", vector(&b, DTYPE_F32, v, 2));
    i = op1(&b, OP_Neg, "", vector(&b, DTYPE_I64, v, 2));
    CU_ASSERT_FATAL(f >= 0 && i >= 0 && graph_output(&b.g, f, -1) && graph_output(&b.g, i, -1));
    CU_ASSERT_FATAL(graph_run(&b.g, NULL, out, 1, NULL, &b.d) == CALQUE_OK);
    CU_ASSERT(out[0].dtype == DTYPE_F32 && holds(&out[0], want, 2));
    CU_ASSERT(out[1].dtype == DTYPE_I64 && holds(&out[1], want, 2));
    tensor_free(&out[0]);
    tensor_free(&out[1]);
    bench_free(&b);
}

/* Operators of many inputs: within the kernels' limits or refused, never wrong. */
static void test_many(void)
{
    static const int ops[] = {OP_Sum, OP_Max, OP_Concat};
    static const long one[] = {1};

    for (int k = 0; k < 3; k++)
        for (int n = 1; n <= 4096; n *= 8) {
            struct bench b;
            struct tensor out;
            struct ints in = {NULL, 0, 0};
            enum calque_status s;
            int c, node;
            bench_init(&b);
            c = vector(&b, DTYPE_F32, one, 1);
            for (int i = 0; i < n; i++)
                CU_ASSERT_FATAL(ints_push(&b.mem, &in, c));
            node = bench_op(&b, ops[k], ops[k] == OP_Concat ? "axis=0" : "", 1, in.a, n);
            CU_ASSERT(op_infer(&b.g, node, &b.d) == CALQUE_OK);
            s = graph_const_value(&b.g, node, 1 << 20, NULL, &out, &b.d);
            CU_ASSERT(s == CALQUE_OK || (n > 64 && s == CALQUE_LIMIT));
            if (s && n <= 64)
                fprintf(stderr, "%d inputs: %s\n", n, b.d.text);
            if (!s) {
                CU_ASSERT(tensor_f32(&out)[0] == (ops[k] == OP_Sum ? (float)n : 1.0f));
                tensor_free(&out);
            }
            ints_free(&in);
            bench_free(&b);
        }
}

static void test_memory(void)
{
    enum calque_status s = CALQUE_NOMEM;

    for (long k = 0; s == CALQUE_NOMEM && k < 10000; k++) {
        struct bench b;
        struct tensor out[OUTS];
        bench_init(&b);
        b.mem.fail_after = k;
        s = run(&b, out, 2);
        CU_ASSERT(s == CALQUE_NOMEM || s == CALQUE_OK);
        for (int o = 0; !s && o < OUTS; o++)
            tensor_free(&out[o]);
        bench_free(&b);
    }
    CU_ASSERT(s == CALQUE_OK);
    s = CALQUE_NOMEM;
    for (long k = 0; s == CALQUE_NOMEM && k < 10000; k++) {
        struct bench b;
        struct tensor out;
        int input, node;
        bench_init(&b);
        b.mem.fail_after = k;
        s = const_chain(&b, &out, &input, &node);
        CU_ASSERT(s == CALQUE_NOMEM || s == CALQUE_OK);
        if (!s)
            tensor_free(&out);
        bench_free(&b);
    }
    CU_ASSERT(s == CALQUE_OK);
}

int main(void)
{
    static const struct unit_case cases[] = {{"run", test_run},
                                             {"errors", test_errors},
                                             {"eval_errors", test_eval_errors},
                                             {"const", test_const},
                                             {"types_apart", test_types_apart},
                                             {"many", test_many},
                                             {"memory", test_memory}};
    return unit_main("tensor/run", cases, UNIT_COUNT(cases));
}
