/* Comparisons, Where and Cast at numbers with something special about them, and the chains of them that masks are made of. */
#include <math.h>

#include "graph/text.h"
#include "unit.h"

#include "build.h"

static const double special[] = {0.0, -0.0, 1.0, -1.0, 0x1p-149, -0x1p-149, HUGE_VAL, -HUGE_VAL, (double)NAN, 2.5, -2.5, 0x1.fffffep+127, 16777217.0};
enum { SPECIAL = sizeof special / sizeof *special };
static const int types[] = {DTYPE_F32, DTYPE_F64, DTYPE_I32, DTYPE_I64, DTYPE_I8, DTYPE_U8, DTYPE_BOOL};
enum { TYPES = sizeof types / sizeof *types };

/* Element i of a tensor of each type; integers take what is left of special numbers. */
static void set(struct tensor *t, long i, double x)
{
    long z = isnan(x) ? 7 : x >= 0x1p31 ? INT32_MAX : x <= -0x1p31 ? INT32_MIN : (long)x;

    switch (t->dtype) {
    case DTYPE_F32: tensor_f32(t)[i] = (float)x; break;
    case DTYPE_F64: ((double *)t->data)[i] = x; break;
    case DTYPE_I32: ((int32_t *)t->data)[i] = (int32_t)z; break;
    case DTYPE_I64: tensor_i64(t)[i] = z; break;
    case DTYPE_I8: case DTYPE_U8: ((unsigned char *)t->data)[i] = (unsigned char)(z * 77 + i); break;
    default: ((unsigned char *)t->data)[i] = (unsigned char)(z & 1);
    }
}

static bool compares(int op, const struct tensor *x, long i, const struct tensor *y, long j)
{
    bool less, equal;

    switch (x->dtype) {
    case DTYPE_F32:
        less = tensor_f32(x)[i] < tensor_f32(y)[j];
        equal = tensor_f32(x)[i] == tensor_f32(y)[j];
        break;
    case DTYPE_F64:
        less = ((double *)x->data)[i] < ((double *)y->data)[j];
        equal = ((double *)x->data)[i] == ((double *)y->data)[j];
        break;
    case DTYPE_I32:
        less = ((int32_t *)x->data)[i] < ((int32_t *)y->data)[j];
        equal = ((int32_t *)x->data)[i] == ((int32_t *)y->data)[j];
        break;
    case DTYPE_I8:
        less = ((int8_t *)x->data)[i] < ((int8_t *)y->data)[j];
        equal = ((int8_t *)x->data)[i] == ((int8_t *)y->data)[j];
        break;
    case DTYPE_U8:
        less = ((uint8_t *)x->data)[i] < ((uint8_t *)y->data)[j];
        equal = ((uint8_t *)x->data)[i] == ((uint8_t *)y->data)[j];
        break;
    default:
        less = tensor_i64(x)[i] < tensor_i64(y)[j];
        equal = tensor_i64(x)[i] == tensor_i64(y)[j];
    }
    return op == OP_Equal ? equal : op == OP_Less ? less : less || equal;
}

/* Every pair of special numbers; the converse operators by changing the sides. */
static void test_compare(void)
{
    static const int ops[][2] = {{OP_Equal, 0}, {OP_Less, 0}, {OP_LessOrEqual, 0}, {OP_Greater, 1}, {OP_GreaterOrEqual, 1}};

    for (int k = 0; k < TYPES - 1; k++)
        for (int o = 0; o < UNIT_COUNT(ops); o++) {
            struct bench b;
            struct shape column = {2, {SPECIAL, 1}}, row = {1, {SPECIAL}};
            struct tensor x, y, out = {0};
            const struct tensor *in[2] = {&x, &y};
            int op = ops[o][0], base = op == OP_Greater ? OP_Less : op == OP_GreaterOrEqual ? OP_LessOrEqual : op, ids[2], node;
            bench_init(&b);
            ids[0] = graph_input(&b.g, -1, types[k], &column);
            ids[1] = graph_input(&b.g, -1, types[k], &row);
            node = bench_op(&b, op, "", 1, ids, 2);
            CU_ASSERT_FATAL(op_infer(&b.g, node, &b.d) == CALQUE_OK);
            CU_ASSERT_FATAL(!tensor_new(&b.mem, types[k], &column, &x, &b.d) && !tensor_new(&b.mem, types[k], &row, &y, &b.d));
            for (int i = 0; i < SPECIAL; i++) {
                set(&x, i, special[i]);
                set(&y, i, special[i]);
            }
            CU_ASSERT_FATAL(op_eval(&b.g, node, in, &out, 2, &b.d) == CALQUE_OK);
            CU_ASSERT(out.dtype == DTYPE_BOOL && out.bytes == SPECIAL * SPECIAL);
            for (int i = 0; i < SPECIAL * SPECIAL; i++)
                CU_ASSERT(((unsigned char *)out.data)[i] == (ops[o][1] ? compares(base, &y, i % SPECIAL, &x, i / SPECIAL)
                                                                       : compares(base, &x, i / SPECIAL, &y, i % SPECIAL)));
            tensor_free(&x);
            tensor_free(&y);
            tensor_free(&out);
            bench_free(&b);
        }
}

/* The bits of what is chosen: payloads of NaNs, signalling ones too, -0, denormal numbers, the least integer. Conditions that
   are neither 0 nor 1 hold. */
static void test_where(void)
{
    static const uint64_t bits[] = {0, 1, 0x8000000000000000, 0x7ff0000000000001, 0xfff8000000000123, 0x7fa00001, 0xffc12345,
                                    0x80000000, 0x7fffffffffffffff, 0x3ff0000000000000};
    static const unsigned char truths[] = {0, 1, 2, 255, 128};
    enum { BITS = sizeof bits / sizeof *bits, TRUTHS = sizeof truths };

    for (int k = 0; k < TYPES; k++) {
        struct bench b;
        struct shape c = {3, {TRUTHS, 1, 1}}, column = {2, {BITS, 1}}, row = {1, {BITS}};
        struct tensor t, x, y, out = {0};
        const struct tensor *in[3] = {&t, &x, &y};
        size_t size = dtype_size(types[k]);
        int ids[3], node;
        bench_init(&b);
        ids[0] = graph_input(&b.g, -1, DTYPE_BOOL, &c);
        ids[1] = graph_input(&b.g, -1, types[k], &column);
        ids[2] = graph_input(&b.g, -1, types[k], &row);
        node = bench_op(&b, OP_Where, "", 1, ids, 3);
        CU_ASSERT_FATAL(op_infer(&b.g, node, &b.d) == CALQUE_OK);
        CU_ASSERT_FATAL(!tensor_new(&b.mem, DTYPE_BOOL, &c, &t, &b.d) && !tensor_new(&b.mem, types[k], &column, &x, &b.d) &&
                        !tensor_new(&b.mem, types[k], &row, &y, &b.d));
        memcpy(t.data, truths, sizeof truths);
        for (size_t i = 0; i < BITS; i++) {
            uint64_t v = types[k] == DTYPE_BOOL ? bits[i] & 1 : bits[i];
            memcpy((char *)x.data + i * size, &v, size);
            memcpy((char *)y.data + i * size, &v, size);
        }
        CU_ASSERT_FATAL(op_eval(&b.g, node, in, &out, 1, &b.d) == CALQUE_OK);
        for (size_t i = 0; i < TRUTHS * BITS * BITS; i++)
            CU_ASSERT(!memcmp((char *)out.data + i * size,
                              truths[i / BITS / BITS] ? (char *)x.data + i / BITS % BITS * size : (char *)y.data + i % BITS * size, size));
        tensor_free(&t);
        tensor_free(&x);
        tensor_free(&y);
        tensor_free(&out);
        bench_free(&b);
    }
}

static double as_real(const struct tensor *t, long i)
{
    return t->dtype == DTYPE_F32 ? (double)tensor_f32(t)[i] : ((double *)t->data)[i];
}

static long as_int(const struct tensor *t, long i)
{
    return t->dtype == DTYPE_I32   ? ((int32_t *)t->data)[i]
           : t->dtype == DTYPE_I64 ? tensor_i64(t)[i]
           : t->dtype == DTYPE_I8  ? ((int8_t *)t->data)[i]
                                   : ((unsigned char *)t->data)[i];
}

static bool is_real(int dtype)
{
    return dtype == DTYPE_F32 || dtype == DTYPE_F64;
}

static long cut(double x, double limit, long lo, long hi)
{
    return isnan(x) ? 0 : x < (double)lo ? lo : x >= limit ? hi : (long)x;
}

/* Is element i of `to` what element i of `from` converts to? */
static bool converted(const struct tensor *from, const struct tensor *to, long i)
{
    double x = is_real(from->dtype) ? as_real(from, i) : (double)as_int(from, i), y;
    float narrow = is_real(from->dtype) ? (float)x : (float)as_int(from, i);

    switch (to->dtype) {
    case DTYPE_BOOL:
        return as_int(to, i) == (is_real(from->dtype) ? x < 0 || x > 0 || isnan(x) : as_int(from, i) != 0);
    case DTYPE_I32:
        return as_int(to, i) == (is_real(from->dtype) ? cut(x, 0x1p31, INT32_MIN, INT32_MAX) : (int32_t)as_int(from, i));
    case DTYPE_I64:
        return as_int(to, i) == (is_real(from->dtype) ? cut(x, 0x1p63, INT64_MIN, INT64_MAX) : as_int(from, i));
    case DTYPE_I8:
        return as_int(to, i) == (is_real(from->dtype) ? cut(x, 0x1p7, INT8_MIN, INT8_MAX) : (int8_t)as_int(from, i));
    case DTYPE_U8:
        return as_int(to, i) == (is_real(from->dtype) ? cut(x, 0x1p8, 0, UINT8_MAX) : (uint8_t)as_int(from, i));
    default:
        y = to->dtype == DTYPE_F32 ? (double)narrow : x;
        return isnan(y) ? isnan(as_real(to, i)) : !memcmp(&y, &(double){as_real(to, i)}, sizeof y);
    }
}

static void test_cast(void)
{
    struct shape s = {1, {SPECIAL}};

    for (int f = 0; f < TYPES; f++)
        for (int k = 0; k < TYPES; k++) {
            struct bench b;
            struct tensor x, out = {0};
            const struct tensor *in[1] = {&x};
            char attrs[16];
            int id, node;
            bench_init(&b);
            id = graph_input(&b.g, -1, types[f], &s);
            snprintf(attrs, sizeof attrs, "to=%d", types[k]);
            node = bench_op(&b, OP_Cast, attrs, 1, &id, 1);
            CU_ASSERT_FATAL(op_infer(&b.g, node, &b.d) == CALQUE_OK && !tensor_new(&b.mem, types[f], &s, &x, &b.d));
            for (int i = 0; i < SPECIAL; i++)
                set(&x, i, special[i]);
            if (types[f] == DTYPE_I64)
                tensor_i64(&x)[0] = 0x123456789abcdef;
            CU_ASSERT_FATAL(op_eval(&b.g, node, in, &out, 1, &b.d) == CALQUE_OK && out.dtype == types[k]);
            for (int i = 0; i < SPECIAL; i++)
                CU_ASSERT(converted(&x, &out, i));
            tensor_free(&x);
            tensor_free(&out);
            bench_free(&b);
        }
}

/* What a causal mask is made of: positions that are compared as i64, a padding mask, scores that are replaced. */
static const char mask[] =
    "graph m(opset=17) {\n"
    "    input row : i64[4, 1]\n"
    "    input column : i64[1, 4]\n"
    "    input keep : bool[2, 1, 4]\n"
    "    input scores : f32[2, 4, 4]\n"
    "    const least : f32[] = -inf\n"
    "    const one : i64[1] = [1]\n"
    "    seen = LessOrEqual(column, row) : bool[4, 4]\n"
    "    both = And(seen, keep) : bool[2, 4, 4]\n"
    "    hidden = Not(both) : bool[2, 4, 4]\n"
    "    masked = Where(hidden, least, scores) : f32[2, 4, 4]\n"
    "    count = Cast(both, to=7) : i64[2, 4, 4]\n"
    "    sums = ReduceSum(count, axes=(2,), keepdims=0) : i64[2, 4]\n"
    "    some = Greater(sums, one) : bool[2, 4]\n"
    "    reals = Cast(sums, to=1) : f32[2, 4]\n"
    "    return masked, some, reals, both\n"
    "}\n";

static void test_mask(void)
{
    struct bench b;
    struct tensor in[4], out[4];
    bool keep[2][4] = {{1, 1, 1, 0}, {0, 1, 1, 1}};
    unsigned seed = 3;

    bench_init(&b);
    CU_ASSERT_FATAL(graph_text_read(&b.g, "-", mask, strlen(mask), &b.d) == CALQUE_OK);
    CU_ASSERT_FATAL(graph_infer(&b.g, &b.d) == CALQUE_OK);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_FATAL(random_tensor(&b, b.g.node.a[b.g.input.a[i]].dtype, &b.g.node.a[b.g.input.a[i]].shape, &seed, &in[i]) == CALQUE_OK);
    for (int i = 0; i < 4; i++)
        tensor_i64(&in[0])[i] = tensor_i64(&in[1])[i] = i;
    memcpy(in[2].data, keep, sizeof keep);
    CU_ASSERT_FATAL(graph_run(&b.g, in, out, 2, NULL, &b.d) == CALQUE_OK);
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < 4; i++) {
            long sum = 0;
            for (int j = 0; j < 4; j++) {
                bool both = j <= i && keep[n][j];
                int at = (n * 4 + i) * 4 + j;
                float got = tensor_f32(&out[0])[at];
                sum += both;
                CU_ASSERT(both ? got == tensor_f32(&in[3])[at] : isinf(got) && got < 0);
                CU_ASSERT(((unsigned char *)out[3].data)[at] == both);
            }
            CU_ASSERT(((unsigned char *)out[1].data)[n * 4 + i] == (sum > 1));
            CU_ASSERT(tensor_f32(&out[2])[n * 4 + i] == (float)sum);
        }
    for (int i = 0; i < 4; i++) {
        tensor_free(&in[i]);
        tensor_free(&out[i]);
    }
    bench_free(&b);
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"compare", test_compare}, {"where", test_where}, {"cast", test_cast}, {"mask", test_mask},
    };
    return unit_main("tensor/logic", cases, UNIT_COUNT(cases));
}
