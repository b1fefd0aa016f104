/* Operators of ONNX that are read as several of ours: what they become, what stays opaque, and their values where the
   formulas are delicate (infinities, ties, numbers that overflow on the way). */
#include <math.h>

#include "onnx_expect.h"
#include "tensor/op.h"

enum { CELLS_MAX = 64 };

/* The first output of the model for inputs that take their elements from x in turn, as doubles; -1 on an error. */
static long value_of(int opset, const char *spec, const double *x, double *y)
{
    struct world w;
    struct graph g;
    struct tensor in[4] = {{0}}, out[4] = {{0}};
    size_t n;
    unsigned char *b = spec_model(opset, spec, &n);
    long cells = -1;

    world_init(&w);
    world_graph(&w, &g);
    if (onnx_read(&g, "t.onnx", b, n, &w.d) == CALQUE_OK) {
        for (int k = 0; k < g.input.n; k++) {
            const struct node *v = &g.node.a[g.input.a[k]];
            CU_ASSERT_EQUAL_FATAL(tensor_new(&w.mem, v->dtype, &v->shape, &in[k], &w.d), CALQUE_OK);
            for (long i = 0; i < shape_elems(&v->shape); i++, x++) {
                if (v->dtype == DTYPE_F32)
                    tensor_f32(&in[k])[i] = (float)*x;
                else if (v->dtype == DTYPE_F64)
                    ((double *)in[k].data)[i] = *x;
                else if (v->dtype == DTYPE_I8 || v->dtype == DTYPE_U8)
                    ((unsigned char *)in[k].data)[i] = (unsigned char)(int)*x;
                else if (v->dtype == DTYPE_I32)
                    ((int32_t *)in[k].data)[i] = (int32_t)*x;
                else
                    tensor_i64(&in[k])[i] = (long)*x;
            }
        }
        if (graph_run(&g, in, out, 1, NULL, &w.d) == CALQUE_OK)
            cells = shape_elems(&out[0].shape);
    }
    for (long i = 0; i < cells && i < CELLS_MAX; i++)
        y[i] = out[0].dtype == DTYPE_F32   ? (double)tensor_f32(&out[0])[i]
               : out[0].dtype == DTYPE_F64 ? ((double *)out[0].data)[i]
               : out[0].dtype == DTYPE_I32 ? (double)((int32_t *)out[0].data)[i]
               : out[0].dtype == DTYPE_I8  ? (double)((int8_t *)out[0].data)[i]
               : out[0].dtype == DTYPE_U8  ? (double)((uint8_t *)out[0].data)[i]
                                           : (double)tensor_i64(&out[0])[i];
    if (cells < 0)
        fprintf(stderr, "opset %d: %s\n%s\n", opset, spec, w.d.text);
    for (int k = 0; k < 4; k++) {
        tensor_free(&in[k]);
        tensor_free(&out[k]);
    }
    graph_free(&g);
    world_free(&w);
    free(b);
    return cells;
}

static bool near(double got, double want)
{
    return isinf(want) || isnan(want) ? got == want || (isnan(got) && isnan(want)) : fabs(got - want) <= 2e-6 * (1 + fabs(want));
}

/* "input elements : output elements" */
static void values(int opset, const char *spec, const char *numbers)
{
    double x[CELLS_MAX] = {0}, y[CELLS_MAX] = {0}, want;
    const char *at = numbers;
    char *end;
    long n = 0, cells, count = 0;
    bool good = true;

    for (; *at != ':' && n < CELLS_MAX; at = end + strspn(end, " "))
        x[n++] = strtod(at, &end);
    cells = value_of(opset, spec, x, y);
    for (at++; *at; at = end + strspn(end, " "), count++) {
        want = strtod(at, &end);
        good = good && count < cells && near(y[count], want);
    }
    if (!good || count != cells) {
        fprintf(stderr, "opset %d: %s\nwant %s\ngot", opset, spec, numbers);
        for (long i = 0; i < cells && i < CELLS_MAX; i++)
            fprintf(stderr, " %.9g", y[i]);
        fprintf(stderr, "\n");
        CU_FAIL("values differ");
    } else {
        CU_PASS("values");
    }
}

static void test_activations(void)
{
#define SEVEN "-inf -2 -0.5 0 0.5 2 inf : "
    values(6, "in x f32 7; node Elu x -> y; out y", SEVEN "-1 -0.8646647167 -0.3934693403 0 0.5 2 inf");
    values(6, "in x f32 7; node Elu x -> y; f alpha 2; out y", SEVEN "-2 -1.7293294335 -0.7869386806 0 0.5 2 inf");
    values(22, "in x f32 7; node Selu x -> y; out y", SEVEN "-1.7580993408 -1.5201664686 -0.6917581868 0 0.5253505 2.1014020 inf");
    values(12, "in x f32 7; node Celu x -> y; f alpha 2; out y", SEVEN "-2 -1.2642411 -0.4423984 0 0.5 2 inf");
    values(16, "in x f32 7; init s f32 1 : 0.5; node PRelu x,s -> y; out y", SEVEN "-inf -1 -0.25 0 0.5 2 inf");
    values(10, "in x f32 7; node ThresholdedRelu x -> y; f alpha 0.5; out y", SEVEN "0 0 0 0 0 2 inf");
    values(9, "in x f32 7; node Shrink x -> y; f lambd 0.5; f bias 0.25; out y", SEVEN "-inf -1.75 0 0 0 1.75 inf");
    values(6, "in x f32 7; node HardSigmoid x -> y; out y", SEVEN "0 0.1 0.4 0.5 0.6 0.9 1");
    values(14, "in x f32 6; node HardSwish x -> y; out y", "-5 -2 -0.5 0 2 inf : 0 -0.3333333 -0.2083333 0 1.6666667 inf");
    values(6, "in x f32 4; node Softplus x -> y; out y", "-inf 0 1000 inf : 0 0.6931472 1000 inf");
    values(6, "in x f32 4; node Softsign x -> y; out y", "-3 0 1 1e30 : -0.75 0 0.5 1");
    values(18, "in x f32 3; node Mish x -> y; out y", "0 1 1000 : 0 0.8650984 1000");
    values(20, "in x f32 3; node Gelu x -> y; out y", "-1 0 3 : -0.1586553 0 2.9959502");
    values(20, "in x f32 3; node Gelu x -> y; s approximate tanh; out y", "-1 0 3 : -0.1588080 0 2.9963627");
    values(24, "in x f32 3; node Swish x -> y; f alpha 2; out y", "-1 0 1 : -0.1192029 0 0.8807971");
    values(9, "in x f32 4; node Cosh x -> y; out y", "0 -1 89 inf : 1 1.5430806 2.2448061e38 inf");
    values(9, "in x f32 4; node Sinh x -> y; out y", "1e-7 -1 89 -inf : 1e-7 -1.1752012 2.2448061e38 -inf");
    values(9, "in x f32 9; node Sign x -> y; out y", SEVEN "-1 -1 -1 0 1 1 1 0 0");
    values(9, "in x f32 2; node Sign x -> y; out y", "1e-45 -1e-45 : 1 -1");
    values(9, "in x f64 2; node Sign x -> y; out y", "5e-324 -1e308 : 1 -1");
    values(13, "in x i64 3; node Sign x -> y; out y", "-9 0 7 : -1 0 1");
    values(13, "in x f32 2; in z f32 1; node Mean x,z,x -> y; out y", "1 3 4 : 2 3.3333333");
    values(13, "in x i64 4; init z i64 4 : 3 3 -3 -3; node Mod x,z -> y; out y", "7 -7 7 -7 : 1 2 -2 -1");
    values(13, "in x i64 4; init z i64 4 : 3 3 -3 -3; node Mod x,z -> y; i fmod 1; out y", "7 -7 7 -7 : 1 -1 1 -1");
    values(13, "in x i32 3; init z i32 3 : 2147483647 -2147483648 -1; node Mod x,z -> y; out y",
           "2147483646 1 -2147483648 : 2147483646 -2147483647 0");
    values(10, "in x u8 4; init z u8 4 : 200 3 255 7; node Mod x,z -> y; out y", "199 250 254 7 : 199 1 254 0");
    values(10, "in x i8 3; init z i8 3 : -128 3 -1; node Mod x,z -> y; out y", "127 -128 -128 : -1 1 0");
    values(10, "in x i8 3; init z i8 3 : -128 3 -1; node Mod x,z -> y; i fmod 1; out y", "127 -128 -128 : 127 -2 0");
    values(13, "in x f32 4; node IsNaN x -> b; node Cast b -> y; i to 1; out y", "nan 0 inf -nan : 1 0 0 1");
    values(20, "in x f64 3; node IsNaN x -> b; node Cast b -> y; i to 1; out y", "nan 0 -inf : 1 0 0");
    expect(13, "in x f32 2; node IsNaN x -> y; out y", ": bool[2]");
    values(10, "in x f32 4; node IsNaN x -> b; node Cast b -> y; i to 1; out y", "nan 0 inf -inf : 1 0 0 0");
    values(10, "in x f32 4; node IsInf x -> b; node Cast b -> y; i to 1; out y", "nan 0 inf -inf : 0 0 1 1");
    expect(13, "in x i64 2; node IsNaN x -> y; out y bool 2", "opaque \"IsNaN\"");
#define FOUR "inf -inf nan 3 : "
    values(13, "in x f32 4; node IsInf x -> b; node Cast b -> y; i to 1; out y", FOUR "1 1 0 0");
    values(13, "in x f32 4; node IsInf x -> b; i detect_negative 0; node Cast b -> y; i to 1; out y", FOUR "1 0 0 0");
    values(13, "in x f64 4; node IsInf x -> b; i detect_positive 0; node Cast b -> y; i to 1; out y", FOUR "0 1 0 0");
#undef FOUR
    expect(13, "in x f32 2; node IsInf x -> y; i detect_negative 0; i detect_positive 0; out y bool 2", "opaque \"IsInf\"");
    expect(13, "in x f32 2; node Mod x,x -> y; i fmod 1; out y f32 2", "opaque \"Mod\"");
    values(13, "in x f32 2 3; node Size x -> y; out y", "0 0 0 0 0 0 : 6");
    values(15, "in x f32 2; in z i64 1; node CastLike x,z -> y; out y", "1.75 -1.75 9 : 1 -1");
#undef SEVEN
}

static void test_reductions(void)
{
    values(13, "in x f32 2 3; node ReduceMax x -> y; is axes 1; i keepdims 0; out y", "1 5 2 -4 -6 -inf : 5 -4");
    values(18, "in x f32 2 3; init a i64 1 : 0; node ReduceMin x,a -> y; i keepdims 0; out y", "1 5 2 -4 -6 inf : -4 -6 2");
    values(13, "in x i64 2 3; node ReduceMax x -> y; out y", "1 5 2 -4 -6 9007199254740992 : 9007199254740992");
    values(13, "in x i64 2 3; node ReduceMin x -> y; is axes 0; out y", "1 5 2 -4 -6 7 : -4 -6 2");
    values(7, "in x i32 2 3; node ReduceMin x -> y; is axes 1; out y",
           "2147483647 -2147483648 0 2147483647 2147483647 2147483647 : -2147483648 2147483647");
    values(12, "in x u8 2 3; node ReduceMin x -> y; is axes 1; out y", "255 0 7 255 255 254 : 0 254");
    values(12, "in x i8 2 3; node ReduceMin x -> y; is axes 1; out y", "127 -128 7 127 127 126 : -128 126");
    values(12, "in x u8 2 3; node ReduceMax x -> y; is axes 1; out y", "1 255 7 0 0 0 : 255 0");
    values(12, "in x i8 2 3; node ReduceMax x -> y; is axes 1; out y", "-127 -128 -128 -128 -128 -128 : -127 -128");
    values(13, "in x f32 2 3; node ReduceMax x -> y; is axes 1; out y", "nan 1 nan nan -inf nan : 1 -inf");
    values(13, "in x f32 2 2 2; node ReduceProd x -> y; is axes 0 2; i keepdims 0; out y", "1 2 3 4 5 6 7 8 : 60 672");
    values(18, "in x f32 3; node ReduceSumSquare x -> y; i noop_with_empty_axes 1; out y", "1 -2 3 : 1 4 9");
    values(13, "in x f32 3; node ReduceL1 x -> y; i keepdims 0; out y", "1 -2 3 : 6");
    values(13, "in x f32 2; node ReduceL2 x -> y; i keepdims 0; out y", "3 -4 : 5");
    values(13, "in x f32 2; node ReduceLogSum x -> y; i keepdims 0; out y", "1 2 : 1.0986123");
    values(13, "in x f32 4 2; node ReduceLogSumExp x -> y; is axes 1; i keepdims 0; out y",
           "1000 1000 -inf -inf inf 1 -1000 -1000 : 1000.6931472 -inf inf -999.3068528");
    values(13, "in x f64 2 2; node ReduceLogSumExp x -> y; is axes 1; i keepdims 0; out y", "1e300 0 -inf -inf : 1e300 -inf");
    values(13, "in x f32 2 2; node LogSoftmax x -> y; out y", "0 10000 1 1 : -10000 0 -0.6931472 -0.6931472");
    values(11, "in x f32 1 2 2; node LogSoftmax x -> y; out y", "1 1 1 1 : -1.3862944 -1.3862944 -1.3862944 -1.3862944");
    values(13, "in x f32 2 3; node Hardmax x -> y; out y", "1 2 2 -inf -inf -inf : 0 1 0 1 0 0");
    values(6, "in x f32 2 3; node Hardmax x -> y; out y", "3.4028235e38 inf inf -inf -inf -inf : 0 1 0 1 0 0");
    values(11, "in x f64 1 2 2; node Hardmax x -> y; out y", "-inf 1.7976931348623157e308 inf inf : 0 0 1 0");
    values(13, "in x f32 3 2; node Hardmax x -> y; i axis 0; out y", "nan 1 5 2 5 2 : 1 0 0 1 0 0");
    expect(13, "in x i64 65; node ReduceProd x -> y; out y i64 1", "opaque \"ReduceProd\"");
    expect(13, "in x 10 2; node ReduceMax x -> y; out y 10 1", "opaque \"ReduceMax\"");
    expect(13, "in x f32 0 2; node ReduceMax x -> y; is axes 0; out y f32 1 2", "opaque \"ReduceMax\"");
    expect(11, "in x i64 2; node ReduceMax x -> y; out y i64 1", "y = ReduceMax(x, axes=(0,), keepdims=1) : i64[1]");
    expect(5, "in x i64 2; node ReduceMin x -> y; out y i64 1", "opaque \"ReduceMin\""); /* scalars do not broadcast */
    expect(13, "in x f32 2 3; node ReduceMax x -> y; is axes 2; out y", "error: node '#0' (ReduceMax): axis 2 is out of range");
}

/* Infinities, several that are equal, the greatest finite numbers, -0; integers at the ends of their range. */
static void test_places(void)
{
#define MAX32 "3.4028235e38"
#define MAX64 "1.7976931348623157e308"
    values(13, "in x f32 3 3; node ArgMax x -> y; i axis 1; i keepdims 0; out y", "1 7 7 inf inf 2 -inf 0 -inf : 1 0 1");
    values(13, "in x f32 3 3; node ArgMax x -> y; i axis 1; i keepdims 0; i select_last_index 1; out y",
           "1 7 7 inf inf 2 -inf 0 -inf : 2 1 1");
    values(7, "in x f32 3 2; node ArgMax x -> y; i axis 1; i keepdims 0; out y", MAX32 " inf -0 0 -inf -inf : 1 0 0");
    values(12, "in x f64 3 2; node ArgMax x -> y; i axis 1; i select_last_index 1; out y", "inf " MAX64 " 0 -0 -inf -inf : 0 1 1");
    values(7, "in x f64 2 2; node ArgMax x -> y; i axis 0; out y", MAX64 " -" MAX64 " inf -inf : 1 0");
    values(13, "in x f32 2 2; node ArgMin x -> y; i axis 0; out y", "1 7 -1 7 : 1 0");
    values(13, "in x f32 4 2; node ArgMin x -> y; i axis 1; i keepdims 0; out y",
           "-" MAX32 " -inf -inf -inf inf inf inf " MAX32 " : 1 0 0 1");
    values(13, "in x f64 2 3; node ArgMin x -> y; i axis 1; i keepdims 0; i select_last_index 1; out y",
           "-" MAX64 " -inf -inf inf inf " MAX64 " : 2 2");
    values(13, "in x f32 2 2; node ArgMax x -> y; i axis 1; i keepdims 0; out y", "nan 1 nan nan : 0 0");
    values(9, "in x i64 2 3; node ArgMax x -> y; i axis 1; i keepdims 0; out y",
           "-9223372036854775808 9223372036854774784 -5 -9223372036854775808 -9223372036854775808 -9223372036854775808 : 1 0");
    values(9, "in x i64 1 2; node ArgMin x -> y; i axis 1; out y", "0 -9223372036854775808 : 1");
    values(9, "in x i32 2 3; node ArgMin x -> y; i axis 1; i keepdims 0; out y",
           "2147483647 -2147483648 0 2147483647 2147483647 2147483647 : 1 0");
    values(12, "in x u8 2 3; node ArgMax x -> y; i axis 1; i keepdims 0; out y", "127 128 255 0 0 0 : 2 0");
    values(12, "in x u8 2 3; node ArgMin x -> y; i axis 1; i keepdims 0; i select_last_index 1; out y", "127 0 255 0 0 0 : 1 2");
    values(12, "in x i8 2 3; node ArgMin x -> y; i axis 1; i keepdims 0; out y", "127 -128 -128 127 127 126 : 1 2");
    values(12, "in x i8 2 3; node ArgMax x -> y; i axis -1; i keepdims 0; out y", "-128 126 127 -128 -128 -127 : 2 2");
    expect(13, "in x f32 2 3; node ArgMax x -> y; i axis 1; i keepdims 0; out y i64 2", "Cast(|to=7) : i64[2]");
    expect(8, "in x i64 2 3; node ArgMax x -> y; i axis 1; out y i64 2 1", "opaque \"ArgMax\""); /* Less is one of floats */
    expect(11, "in x u8 2 3; node ArgMin x -> y; i axis 1; out y i64 2 1", "opaque \"ArgMin\"");
#undef MAX32
#undef MAX64
}

/* Sin, Cos and Tan of data, as libm has them: near multiples of pi / 2, far from 0, tiny, signs of 0; NaN from the limit on. */
static void test_waves(void)
{
    static const struct {
        const char *single, *wide;
        double (*f)(double);
    } waves[3] = {{"in x f32 64; node Sin x -> y; out y", "in x f64 64; node Sin x -> y; out y", sin},
                  {"in x f32 64; node Cos x -> y; out y", "in x f64 64; node Cos x -> y; out y", cos},
                  {"in x f32 64; node Tan x -> y; out y", "in x f64 64; node Tan x -> y; out y", tan}};
    double x[CELLS_MAX], y[CELLS_MAX];

    for (int i = 0; i < CELLS_MAX; i++)
        x[i] = i < 16   ? (double)(i - 8) * 0.7853981633974483
               : i < 32 ? ldexp(i % 2 ? 0.9999 : -1.7, i - 6)
               : i < 48 ? ldexp(1.1, -5 * (i - 31))
                        : (double)(i - 48) * 1234.567 - 9876.5;
    x[48] = 0x1.fffffep+25, x[49] = 0x1p26, x[50] = INFINITY, x[51] = -INFINITY, x[52] = NAN, x[53] = -0.0, x[54] = 33429.5 /* 21282 quarters */;
    for (int k = 0; k < 6; k++) {
        bool wide = k % 2, good = value_of(13, wide ? waves[k / 2].wide : waves[k / 2].single, x, y) == CELLS_MAX;
        for (int i = 0; good && i < CELLS_MAX; i++) {
            double at = wide ? x[i] : (double)(float)x[i], want = fabs(at) < 0x1p26 ? waves[k / 2].f(at) : (double)NAN;
            double error = fabs(y[i] - (wide ? want : (double)(float)want)) / (1 + fabs(want));
            if (isnan(want) ? !isnan(y[i]) : !(error <= (wide ? 4e-16 * (1 + fabs(want)) : 6e-8)) || (want == 0 && signbit(want) != signbit(y[i]))) {
                fprintf(stderr, "%s: of %a %a, not %a\n", wide ? waves[k / 2].wide : waves[k / 2].single, at, y[i], want);
                CU_FAIL("another value");
            }
        }
        CU_ASSERT(good);
    }
}

static void test_gather_nd(void)
{
    values(11, "in x f32 2 3; init i i64 2 2 : 0 -1 1 0; node GatherND x,i -> y; out y", "1 2 3 4 5 6 : 3 4");
    values(13, "in x f32 2 3; init i i64 2 1 1 : 1 0; node GatherND x,i -> y; out y", "1 2 3 4 5 6 : 4 5 6 1 2 3");
    values(13, "in x f32 2 2 2; init i i64 2 1 : 1 0; node GatherND x,i -> y; i batch_dims 1; out y", "1 2 3 4 5 6 7 8 : 3 4 5 6");
    values(13, "in x f32 2 2 2; init i i64 2 2 2 : 0 0 1 1 1 0 0 -2; node GatherND x,i -> y; i batch_dims 1; out y", "1 2 3 4 5 6 7 8 : 1 4 7 5");
    values(13, "in x i64 2 3; init i i64 2 : 1 1; node GatherND x,i -> y; out y", "1 2 3 4 5 6 : 5");
    values(13, "in x f32 3 2; in i i64 2 1; node GatherND x,i -> y; out y", "1 2 3 4 5 6 2 -3 : 5 6 1 2"); /* a look-up */
    expect(13, "in x f32 3 2; in i i64 2 1; node GatherND x,i -> y; out y", "Gather(x, ");
    expect(13, "in x f32 2 3; init i i64 1 2 : 0 3; node GatherND x,i -> y; out y", "error: node '#0' (GatherND): index 3 is not in -3..2");
    expect(13, "in x f32 2 3; init i i64 1 3 : 0 0 0; node GatherND x,i -> y; out y", "error: node '#0' (GatherND): indices of 3 do not fit");
    expect(13, "in x f32 2 3; init i i64 3 1 : 0 0 0; node GatherND x,i -> y; i batch_dims 1; out y", "(GatherND): dimension 0 is 2 and 3");
    expect(13, "in x f32 2; init i i64 1 1 : 0; node GatherND x,i -> y; i batch_dims 1; out y", "(GatherND): indices of 1 do not fit");
    expect(13, "in x f32; init i i64 1 1 : 0; node GatherND x,i -> y; out y", "(GatherND): an input is a scalar");
    expect(13, "in x f32 2 3; in i i64 1 2; node GatherND x,i -> y; out y f32 1", "opaque \"GatherND\"");
    expect(13, "in x f32 2 3; in i i64 2 1; node GatherND x,i -> y; i batch_dims 1; out y f32 2", "opaque \"GatherND\"");
    expect(13, "in x f32 0 3; init i i64 1 1 : 0; node GatherND x,i -> y; out y f32 1 3", "opaque \"GatherND\"");
}

/* Of two updates of a place the later one, or both; what has none keeps its bits. */
static void test_scatter(void)
{
    values(11, "in x f32 4; in u f32 3; init i i64 3 1 : 1 -1 1; node ScatterND x,i,u -> y; out y", "1 2 3 -0 7 8 9 : 1 9 3 8");
    values(11, "in x f32 4; in u f32 1; init i i64 1 1 : 1; init o f32 : 1; node ScatterND x,i,u -> s; node Div o,s -> y; out y",
           "-0 2 4 inf 8 : -inf 0.125 0.25 0");
    values(13, "in x f32 2 2; in u f32 1 2; init i i64 1 1 : 1; node ScatterND x,i,u -> y; out y", "1 2 3 4 5 6 : 1 2 5 6");
    values(13, "in x i64 2 2; in u i64; init i i64 2 : 0 1; node ScatterND x,i,u -> y; out y", "1 2 3 4 5 : 1 5 3 4");
    values(16, "in x f32 3; in u f32 4; init i i64 4 1 : 0 2 0 0; node ScatterND x,i,u -> y; s reduction add; out y", "1 2 3 10 20 30 40 : 81 2 23");
    values(16, "in x i32 3; in u i32 2; init i i64 2 1 : 0 0; node ScatterND x,i,u -> y; s reduction mul; out y", "2 3 4 5 7 : 70 3 4");
    values(18, "in x f32 3; in u f32 2; init i i64 2 1 : 0 1; node ScatterND x,i,u -> y; s reduction max; out y", "2 3 4 5 1 : 5 3 4");
    values(18, "in x f32 3; in u f32 2; init i i64 2 1 : 0 1; node ScatterND x,i,u -> y; s reduction min; out y", "2 3 4 5 1 : 2 1 4");
    values(11, "in x f32 3 3; in u f32 2 2; init i i32 2 2 : 1 0 2 2; node ScatterElements x,i,u -> y; out y",
           "0 1 2 3 4 5 6 7 8 -1 -2 -3 -4 : 0 -2 2 -1 4 5 -3 -4 8");
    values(13, "in x f32 1 5; in u f32 1 2; init i i64 1 2 : 1 -2; node ScatterElements x,i,u -> y; i axis 1; out y", "1 2 3 4 5 7 8 : 1 7 3 8 5");
    values(16, "in x f32 1 3; in u f32 1 2; init i i64 1 2 : 1 1; node ScatterElements x,i,u -> y; i axis -1; s reduction add; out y", "1 2 3 7 8 : 1 17 3");
    values(9, "in x f32 3; in u f32 1; init i i64 1 : 2; node Scatter x,i,u -> y; out y", "1 2 3 9 : 1 2 9");
    expect(13, "in x f32 3; in u f32 1; init i i64 1 1 : 3; node ScatterND x,i,u -> y; out y", "error: node '#0' (ScatterND): index 3 is not in -3..2");
    expect(13, "in x f32 3; in u f32 2; init i i64 1 1 : 0; node ScatterND x,i,u -> y; out y", "(ScatterND): 1 updates of 1 cells are not 2 cells");
    expect(13, "in x f32 3; in u f32 2; init i i64 1 : 0; node ScatterElements x,i,u -> y; out y", "(ScatterElements): indices and updates are not of one shape");
    expect(13, "in x f32 3; in u f32 1; in i i64 1 1; node ScatterND x,i,u -> y; out y f32 3", "opaque \"ScatterND\"");
    expect(16, "in x f32 3; in u f32 1; init i i64 1 1 : 0; node ScatterND x,i,u -> y; s reduction foo; out y f32 3", "opaque \"ScatterND\"");
    expect(16, "in x f32 0; in u f32 0; init i i64 0 1; node ScatterND x,i,u -> y; out y f32 0", "opaque \"ScatterND\"");
}

static void test_pools(void)
{
    values(22, "in x f32 1 2 2 2; node GlobalMaxPool x -> y; out y", "1 2 3 4 -1 -2 -3 -4 : 4 -1");
    values(7, "in x f32 1 1 3; node LpPool x -> y; is kernel_shape 2; is pads 1 1; out y", "3 -4 0 : 3 5 4 0");
    values(18, "in x f32 1 1 5; node LpPool x -> y; i p 3; is kernel_shape 2; is dilations 2; is strides 2; i ceil_mode 1; out y",
           "1 2 3 4 5 : 3.0365890 5.3368034");
    values(7, "in x f32 1 1 2; node GlobalLpPool x -> y; i p 1; out y", "3 -4 : 7");
    values(19, "in x f32 1 1 4; node AveragePool x -> y; is kernel_shape 2; is dilations 2; is pads 1 1; out y", "1 2 3 4 : 2 2 3 3");
    values(19, "in x f32 1 1 4; node AveragePool x -> y; is kernel_shape 2; is dilations 2; is pads 1 1; i count_include_pad 1; out y",
           "1 2 3 4 : 1 2 3 1.5");
    values(13, "in x f32 1 1 1 4; node MeanVarianceNormalization x -> y; out y", "1 1 3 3 : -1 -1 1 1");
    values(23, "in x f32 2 2; init s f32 2 : 1 2; node RMSNormalization x,s -> y; f epsilon 0; out y", "3 3 1 7 : 1 2 0.2 2.8");
    values(18, "in x f32 1 4 1; init s f32 2 : 1 2; init c f32 2 : 0 5; node GroupNormalization x,s,c -> y; i num_groups 2; f epsilon 0; out y",
           "1 3 2 6 : -1 1 3 7");
    values(21, "in x f32 1 4 1; init s f32 4 : 1 2 3 4; init c f32 4 : 0 5 0 0; node GroupNormalization x,s,c -> y; i num_groups 2; f epsilon 0; out y",
           "1 3 2 6 : -1 7 -3 4");
    expect(21, "in x f32 1 3 1; init s f32 3 : 1 2 3; node GroupNormalization x,s,s -> y; i num_groups 2; out y",
           "error: node '#0' (GroupNormalization): 3 channels in 2 groups");
    expect(17, "in x f32 1 4 1; init s f32 4 : 1 2 3 4; node GroupNormalization x,s,s -> y; i num_groups 2; out y f32 1 4 1",
           "opaque \"GroupNormalization\"");
}

static void test_conv_transpose(void)
{
    /* windows that tile, that overlap, that leave holes */
    values(11, "in x f32 1 1 2; init w f32 1 1 2 : 1 10; init c f32 1 : 0.5; node ConvTranspose x,w,c -> y; is strides 2; out y",
           "1 2 : 1.5 10.5 2.5 20.5");
    values(11, "in x f32 1 1 2; init w f32 1 1 3 : 1 10 100; node ConvTranspose x,w -> y; is strides 2; out y", "1 2 : 1 10 102 20 200");
    values(11, "in x f32 1 1 2; init w f32 1 1 3 : 1 10 100; node ConvTranspose x,w -> y; is strides 2; is pads 1 0; is output_padding 1; out y",
           "1 2 : 10 102 20 200 0");
    values(11, "in x f32 1 1 2; init w f32 1 1 2 : 1 10; node ConvTranspose x,w -> y; is strides 3; out y", "1 2 : 1 10 0 2 20");
    values(11, "in x f32 1 1 2; init w f32 1 1 2 : 1 10; node ConvTranspose x,w -> y; is dilations 2; out y", "1 2 : 1 2 10 20");
    values(11, "in x f32 1 1 2; init w f32 1 1 3 : 1 10 100; node ConvTranspose x,w -> y; is strides 2; is output_shape 4; out y",
           "1 2 : 10 102 20 200");
    values(11, "in x f32 1 1 2; init w f32 1 1 3 : 1 10 100; node ConvTranspose x,w -> y; is strides 2; s auto_pad SAME_UPPER; out y",
           "1 2 : 1 10 102 20");
    values(11, "in x f32 1 2 1; init w f32 2 1 2 : 1 10 100 1000; node ConvTranspose x,w -> y; i group 2; out y", "1 2 : 1 10 200 2000");
    values(6, "in x f32 1 2 1; init w f32 2 2 1 : 1 10 100 1000; node ConvTranspose x,w -> y; out y", "1 2 : 201 2010");
    /* large strides, pads beyond the window, an image of two dimensions and of three in groups */
    values(11, "in x f32 1 1 2; init w f32 1 1 4 : 1 2 3 4; node ConvTranspose x,w -> y; is strides 3; is pads 1 1; out y", "1 10 : 2 3 14 20 30");
    values(11, "in x f32 1 1 4; init w f32 1 1 2 : 1 10; node ConvTranspose x,w -> y; is pads 2 1; out y", "1 2 3 4 : 23 34");
    values(11, "in x f32 1 1 2 2; init w f32 1 2 1 2 : 1 10 100 1000; node ConvTranspose x,w -> y; is strides 2 1; out y",
           "1 2 3 4 : 1 12 20 0 0 0 3 34 40 100 1200 2000 0 0 0 300 3400 4000");
    values(11, "in x f32 1 2 1 1 2; init w f32 2 1 1 1 2 : 1 10 100 1000; node ConvTranspose x,w -> y; i group 2; is strides 1 1 2; out y",
           "1 2 3 4 : 1 10 2 20 300 3000 400 4000");
    expect(11, "in x f32 1 2 1; init w f32 3 1 1 : 1 2 3; node ConvTranspose x,w -> y; out y",
           "error: node '#0' (ConvTranspose): input and weights do not fit in 1 groups");
    expect(11, "in x f32 1 1 2; init w f32 1 1 2 : 1 10; node ConvTranspose x,w -> y; is strides 2; out y",
           "{\n    input x : f32[1, 1, 2]\n    const t1 : f32[2, 1, 1] = [0x1p+0, 0x1.4p+3]\n    t2 = Conv(x, t1, ");
    expect(10, "in x f32 1 1 2; init w f32 1 1 1 : 1; node ConvTranspose x,w -> y; s auto_pad SAME_UPPER; out y f32 1 1 2",
           "opaque \"ConvTranspose\"");
}

static void test_resize(void)
{
    values(13, "in x f32 2; init s f32 1 : 3; node Resize x,_,s -> y; s mode linear; out y", "1 4 : 1 1 2 3 4 4"); /* phases */
    values(13, "in x f32 2; init s i64 1 : 3; node Resize x,_,_,s -> y; s mode linear; out y", "1 4 : 1 2.5 4");   /* Gathers */
    values(13, "in x f32 3; init s i64 1 : 5; node Resize x,_,_,s -> y; s mode linear; s coordinate_transformation_mode align_corners; out y",
           "1 2 4 : 1 1.5 2 3 4");
    values(13, "in x i64 2; init s f32 1 : 2; node Resize x,_,s -> y; out y", "1 4 : 1 1 4 4");
    values(13, "in x f32 4; init s f32 1 : 0.5; node Resize x,_,s -> y; s coordinate_transformation_mode asymmetric; out y", "1 2 3 4 : 1 3");
    values(18, "in x f32 1 4; init s i64 1 : 2; node Resize x,_,_,s -> y; is axes -1; s keep_aspect_ratio_policy not_larger; out y",
           "1 2 3 4 : 1 3");
    expect(10, "in x f32 2; init s f32 1 : 2; node Upsample x,s -> y; s mode nearest; out y f32 4", "opaque \"Upsample\"(x, s;");
    values(9, "in x f32 2; init s f32 1 : 2; node Upsample x,s -> y; out y", "1 4 : 1 1 4 4");
    values(7, "in x f32 2; node Upsample x -> y; fs scales 2; s mode nearest; out y", "1 4 : 1 1 4 4");
    values(8, "in x f32 2; node Upsample x -> y; fs scales 2; out y", "1 4 : 1 1 4 4");
    values(13, "in x f32 2; init r f32 2 : 0 2; init s i64 1 : 3; node Resize x,r,_,s -> y; s coordinate_transformation_mode tf_crop_and_resize; "
               "f extrapolation_value 7; out y", "1 inf : 1 inf 7");
    expect(13, "in x f32 2; init s f32 1 : 2; node Resize x,_,s -> y; out y", "Expand(|y = Reshape(");
    expect(13, "in x f32 4; init s f32 1 : 0.5; node Resize x,_,s -> y; s coordinate_transformation_mode asymmetric; out y", "y = Slice(x");
    expect(13, "in x i64 2; init s f32 1 : 2; node Resize x,_,s -> y; s mode linear; out y i64 4", "opaque \"Resize\"");
    expect(13, "in x f32 2; in s f32 1; node Resize x,_,s -> y; out y f32 4", "opaque \"Resize\"(x, none, s;");
    expect(10, "in x f32 4; init s f32 1 : 0.5; node Resize x,s -> y; out y f32 2", "opaque \"Resize\"");
    expect(13, "in x f32 2; init s f32 1 : 2; node Resize x,_,s -> y; s mode spline; out y",
           "error: node '#0' (Resize): attribute 'mode' has an unknown value");
}

static void test_moves(void)
{
    values(14, "in x f32 2 2; node Trilu x -> y; out y", "-inf -inf inf inf : -inf -inf 0 inf");
    values(14, "in x f32 2 2; node Trilu x -> y; out y", "nan 2 nan 4 : nan 2 0 4");
    values(14, "in x f32 2 2; init k i64 : -1; node Trilu x,k -> y; i upper 0; out y", "-inf -inf inf inf : 0 0 inf 0");
    values(14, "in x i64 2 3; init k i64 : 1; node Trilu x,k -> y; out y", "1 2 3 4 5 9007199254740992 : 0 2 3 0 0 9007199254740992");
    values(14, "in x f32 4; init a i64 : 0; node CumSum x,a -> y; out y", "1 2 inf 4 : 1 3 inf inf");
    values(14, "in x f32 5; init a i32 : -1; node CumSum x,a -> y; i exclusive 1; i reverse 1; out y", "1 2 3 4 5 : 14 12 9 5 0");
    values(13, "in x f32 2; init r i64 1 : 3; node Tile x,r -> y; out y", "1 2 : 1 2 1 2 1 2");
    values(6, "in x f32 1 2; init r i64 2 : 2 2; node Tile x,r -> y; out y", "1 2 : 1 2 1 2 1 2 1 2");
    values(13, "in x f32 1 4 1 1; node DepthToSpace x -> y; i blocksize 2; out y", "1 2 3 4 : 1 2 3 4");
    values(13, "in x f32 1 1 2 4; node SpaceToDepth x -> y; i blocksize 2; out y", "1 2 3 4 5 6 7 8 : 1 3 2 4 5 7 6 8");
    values(19, "in x f32 3; init p i64 2 : 2 4; node Pad x,p -> y; s mode wrap; out y", "1 2 3 : 2 3 1 2 3 1 2 3 1");
    values(19, "in x f32 4; init p i64 2 : -1 1; node Pad x,p -> y; s mode wrap; out y", "1 2 3 4 : 2 3 4 1");
    values(11, "init a f32 : 1; init b f32 : 2; init d f32 : 0.25; node Range a,b,d -> y; out y", ": 1 1.25 1.5 1.75");
    values(11, "init a i64 : 5; init b i64 : 0; init d i64 : -2; node Range a,b,d -> y; out y", ": 5 3 1");
    expect(11, "init a i64 : 5; init b i64 : 0; init d i64 : 0; node Range a,b,d -> y; out y", "error: node '#0' (Range): delta is 0");
    expect(11, "init a i64 : 5; in b i64; init d i64 : 1; node Range a,b,d -> y; out y i64 3", "opaque \"Range\"(a, b, d;");
    expect(13, "in x f32 2; in r i64 1; node Tile x,r -> y; out y f32 4", "opaque \"Tile\"(x, r;");
    expect(13, "in x f32 1 3 2 2; node DepthToSpace x -> y; i blocksize 2; out y",
           "error: node '#0' (DepthToSpace): 3 channels do not make blocks of 2 by 2");
}

static void test_einsum(void)
{
    values(12, "in x f32 2 2; in z f32 2; node Einsum x,z -> y; s equation ij,j->i; out y", "1 2 3 4 1 10 : 21 43");
    values(12, "in x f32 2 2; node Einsum x -> y; s equation ij->ji; out y", "1 2 3 4 : 1 3 2 4");
    values(12, "in x f32 2 2; node Einsum x -> y; s equation ij->; out y", "1 2 3 4 : 10");
    values(12, "in x f32 2; in z f32 2; node Einsum x,z -> y; s equation i,j->ij; out y", "1 2 3 4 : 3 4 6 8");
    values(12, "in x f32 2; in z f32 2; node Einsum x,z -> y; s equation i,i; out y", "1 2 3 4 : 11");
    values(12, "in x f32 2 1 2; in z f32 2 2 1; node Einsum x,z -> y; s equation ...ij,...jk; out y", "1 2 3 4 5 6 7 8 : 17 53");
    values(12, "in x f32 2; in z f32 2 2; in u f32 2; node Einsum x,z,u -> y; s equation i,ij,j->; out y", "1 2 1 2 3 4 1 10 : 107");
    values(12, "in x f32 1 2 2; in z f32 1 2 2; node Einsum x,z -> y; s equation bij,bkj->bki; out y", "1 2 3 4 1 0 0 1 : 1 3 2 4");
    expect(12, "in x f32 2 2; node Einsum x -> y; s equation ii->i; out y f32 2", "opaque \"Einsum\"");
    expect(12, "in x f32 2; in z f32 3; node Einsum x,z -> y; s equation i,i->i; out y", "error: node '#0' (Einsum): equation: a letter has two sizes");
    expect(12, "in x f32 2; node Einsum x -> y; s equation ij->i; out y", "equation: an operand has another rank");
    expect(12, "in x f32 2; node Einsum x -> y; s equation i->j; out y", "equation: the output has a letter that no operand has");
    expect(12, "in x f32 2; node Einsum x -> y; s equation i,j->i; out y", "equation: another number of operands than inputs");
    expect(12, "in x f32 2; in z f32 2; node Einsum x,z -> y; s equation i->i; out y", "equation: fewer operands than inputs");
    expect(12, "in x f32 2; node Einsum x -> y; s equation i->ii; out y", "equation: the output has a letter twice");
    expect(12, "in x f32 2; node Einsum x -> y; s equation i?->i; out y", "equation: unexpected text");
}

#define RNN "in x f32 2 1 1; init w f32 1 1 1 : 1; init r f32 1 1 1 : 1; "
#define LSTM "in x f32 2 1 1; init w f32 1 4 1 : 1 2 3 4; init r f32 1 4 1 : 0.1 0.2 0.3 0.4; init b f32 1 8 : 0.1 0.1 0.1 0.1 0.2 0.2 0.2 0.2; "
#define GRU "in x f32 2 1 1; init w f32 1 3 1 : 1 2 3; init r f32 1 3 1 : 0.1 0.2 0.3; init b f32 1 6 : 0.1 0.1 0.1 0.2 0.2 0.2; " \
            "init h f32 1 1 1 : 0.5; "

static void test_recurrent(void)
{
    values(14, RNN "node RNN x,w,r -> y; i hidden_size 1; out y", "0.5 1 : 0.4621171573 0.8980630115");
    values(14, RNN "node RNN x,w,r -> _,y; i hidden_size 1; out y", "0.5 1 : 0.8980630115");
    values(14, RNN "node RNN x,w,r -> y; i hidden_size 1; s direction reverse; out y", "0.5 1 : 0.8515030065 0.7615941560");
    values(7, RNN "node RNN x,w,r -> y; i hidden_size 1; s direction reverse; out y f32 2 1 1 1; out x", "0.5 1 : 0.8515030065 0.7615941560");
    values(14, "in x f32 2 1 1; init w f32 2 1 1 : 1 1; init r f32 2 1 1 : 1 1; node RNN x,w,r -> y; i hidden_size 1; s direction bidirectional; out y",
           "0.5 1 : 0.4621171573 0.8515030065 0.8980630115 0.7615941560");
    values(14, "in x f32 1 2 1; init w f32 1 1 1 : 1; init r f32 1 1 1 : 1; node RNN x,w,r -> y,h; i hidden_size 1; i layout 1; out h; out y",
           "0.5 1 : 0.8980630115");
    values(14, LSTM "node LSTM x,w,r,b -> y,h,c; i hidden_size 1; out y; out h; out c", "0.5 1 : 0.4629122420 0.8204207455");
    values(14, LSTM "node LSTM x,w,r,b -> y,h,c; i hidden_size 1; out c; out y", "0.5 1 : 1.4485296610");
    values(14, GRU "node GRU x,w,r,b,_,h -> y; i hidden_size 1; out y", "0.5 1 : 0.6371235669 0.7106292963");
    values(14, GRU "node GRU x,w,r,b,_,h -> y; i hidden_size 1; i linear_before_reset 1; out y", "0.5 1 : 0.6361102145 0.7098151862");
    values(14, RNN "init n i32 1 : 2; node RNN x,w,r,_,n -> y; i hidden_size 1; out y", "0.5 1 : 0.4621171573 0.8980630115");
    expect(14, RNN "init n i32 1 : 1; node RNN x,w,r,_,n -> y; i hidden_size 1; out y f32 2 1 1 1", "opaque \"RNN\"");
    expect(14, RNN "node RNN x,w,r -> y; i hidden_size 1; f clip 1; out y f32 2 1 1 1", "opaque \"RNN\"");
    expect(14, RNN "node RNN x,w,r -> y; i hidden_size 2; out y", "error: node '#0' (RNN): hidden_size is not that of the weights");
    expect(14, "in x f32 2 1 2; init w f32 1 1 1 : 1; node RNN x,w,w -> y; i hidden_size 1; out y",
           "error: node '#0' (RNN): input and weights do not fit");
    expect(14, "in x f32 257 1 1; init w f32 1 1 1 : 1; node RNN x,w,w -> y; i hidden_size 1; out y f32 257 1 1 1", "opaque \"RNN\"");
}

#define QKV "in q f32 1 1 2 1; in k f32 1 1 2 1; in v f32 1 1 2 1; "

static void test_attention(void)
{
    values(23, QKV "node Attention q,k,v -> y; out y", "1 2 0 0 1 3 : 2 2");
    values(23, QKV "node Attention q,k,v -> y; i is_causal 1; out y", "1 2 0 0 1 3 : 1 2");
    values(23, QKV "node Attention q,k,v -> y; f scale 0.5; out y", "2 -2 1 0 1 3 : 1.5378828 2.4621172");
    values(23, QKV "node Attention q,k,v -> y; f softcap 0.5; out y", "2 -2 1 0 1 3 : 1.7552390 2.2447610");
    /* a query that may read nothing */
    values(23, QKV "in m f32 2 2; node Attention q,k,v,m -> y; out y", "1 2 0 0 1 3 -inf -inf 0 -inf : 0 1");
    values(23, "in q f32 1 2 2; in k f32 1 1 1; in v f32 1 1 1; node Attention q,k,v -> y; i q_num_heads 2; i kv_num_heads 1; out y",
           "1 2 3 4 5 7 : 7 7 7 7");
    values(23, "in q f32 1 1 1 1; in k f32 1 1 1 1; in v f32 1 1 1 1; init p f32 1 1 1 1 : 0; init u f32 1 1 1 1 : 9; "
               "node Attention q,k,v,_,p,u -> y,pk,pv,w; i qk_matmul_output_mode 3; out pv; out y; out pk; out w", "0 5 7 : 9 7");
    expect(23, QKV "in m bool 2 2; node Attention q,k,v,m -> y; out y f32 1 1 2 1", "opaque \"Attention\"(q, k, v, m;");
    expect(23, QKV "init p f32 1 1 1 1 : 0; node Attention q,k,v,_,p,p -> y,a,b; i is_causal 1; out y f32 1 1 2 1; out a f32 1 1 3 1; out b f32 1 1 3 1",
           "opaque \"Attention\"(q, k, v, none, p, p; outputs=3"); /* versions of ONNX differ on it */
    expect(25, QKV "node Attention q,k,v -> y; out y f32 1 1 2 1", "opaque \"Attention\"");
    expect(23, "in q f32 1 2 3; in k f32 1 1 1; node Attention q,k,k -> y; i q_num_heads 2; i kv_num_heads 1; out y",
           "error: node '#0' (Attention): an input of rank 3 does not have 2 heads");
#define CACHES "in x f32 1 1 1 4; init c f32 1 1 2 : 0 1; init s f32 1 1 2 : 1 2; "
    values(23, CACHES "node RotaryEmbedding x,c,s -> y; out y", "1 2 3 4 : -3 -6 1 8");
    values(23, CACHES "node RotaryEmbedding x,c,s -> y; i interleaved 1; out y", "1 2 3 4 : -2 1 -5 10");
    values(23, "in x f32 1 2 4; init c f32 3 1 : 0 1 2; init s f32 3 1 : 3 4 5; init p i64 1 2 : 2 0; "
               "node RotaryEmbedding x,c,s,p -> y; i num_heads 1; i rotary_embedding_dim 2; out y", "1 2 3 4 5 6 7 8 : -8 9 3 4 -18 15 7 8");
    expect(23, CACHES "node RotaryEmbedding x,c,s -> y; i rotary_embedding_dim 6; out y",
           "error: node '#0' (RotaryEmbedding): 6 of the places of a head cannot be rotated");
}

/* Computed at import, where the input is known then. */
static void test_constants(void)
{
    values(11, "init a f32 5 : -1.5 -0.5 0.5 1.5 2.5; node Round a -> y; out y", ": -2 0 0 2 2");
    values(13, "init a f32 2 : -1.5 1.5; node Floor a -> y; out y", ": -2 1");
    values(13, "in x f32 9; node Floor x -> y; out y", "-1.5 -1 -1e-45 -0.3 0.9999999 7 1e30 inf -inf : -2 -1 -1 -1 0 7 1e30 inf -inf");
    values(13, "in x f64 4; node Ceil x -> c; node Sub c,x -> y; out y", "-1.5 0.25 4503599627370495.5 -1e300 : 0.5 0.75 0.5 0");
    values(9, "in x f32 3; node Floor x -> y; out y", "-1.5 2.5 nan : -2 2 nan");
    values(13, "in x f32 3; node Floor x -> f; init o f32 : 1; node Div o,f -> y; out y", "-0 0 0.5 : -inf inf inf");
    values(13, "in x f32 4; node Ceil x -> c; init o f32 : 1; node Div o,c -> y; out y", "-0.7 -0.3 -0 0 : -inf -inf -inf inf");
    values(11, "in x f32 4; node Round x -> r; init o f32 : 1; node Div o,r -> y; out y", "-0.3 -0.5 -0 0.5 : -inf -inf -inf inf");
    values(11, "in x f32 9; node Round x -> y; out y", "-2.5 -1.5 0.49999997 1.5 2.5 2.5000002 -7 inf nan : -2 -2 0 2 2 3 -7 inf nan");
    values(11, "in x f32 2; node Round x -> r; node Sub r,x -> y; out y", "8388606.5 8388607.5 : -0.5 0.5");
    values(11, "in x f64 5; node Round x -> r; node Sub r,x -> y; out y",
           "0.49999999999999994 -0.75 4503599627370494.5 4503599627370495.5 1e300 : -0.5 -0.25 -0.5 0.5 0");
    values(13, "in x f32 5 3; node Shape x -> s; node Cast s -> f; i to 1; init h f32 : 0.5; node Mul f,h -> g; node Ceil g -> y; out y",
           "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 : 3 2");
    values(13, "init a f32 2 : 0 1; node Cos a -> y; out y", ": 1 0.5403023");
    values(13, "init a f64 2 : 0 1; node Sin a -> y; out y", ": 0 0.8414709848");
    expect(13, "in x f32 2; node Acos x -> y; out y f32 2", "opaque \"Acos\"(x;");
    expect(8, "in x f32 2; node Cos x -> y; out y f32 2", "opaque \"Cos\"(x;"); /* Where came with opset 9 */
    expect(13, "in x 10 2; node Sin x -> y; out y 10 2", "opaque \"Sin\"(x;");
    expect(13, "in x 10 1; node Floor x -> y; out y 10 1", "opaque \"Floor\"(x;");
}

/* Halves to even, ends of the range, infinities and NaN; zero points of both signs; sums that floats of 32 bits do not hold. */
static void test_quantised(void)
{
#define TEN "-3 -2.5 -1.5 -0.5 0.5 1.5 2.5 300 -300 nan : "
    values(10, "in x f32 10; init s f32 : 1; init z i8 : 0; node QuantizeLinear x,s,z -> y; out y", TEN "-3 -2 -2 0 0 2 2 127 -128 0");
    values(10, "in x f32 10; init s f32 : 1; init z i8 : 10; node QuantizeLinear x,s,z -> y; out y", TEN "7 8 8 10 10 12 12 127 -128 10");
    values(10, "in x f32 10; init s f32 : 1; node QuantizeLinear x,s -> y; out y", TEN "0 0 0 0 0 2 2 255 0 0");
    values(19, "in x f32 10; init s f32 : 0.5; init z u8 : 128; node QuantizeLinear x,s,z -> y; out y", TEN "122 123 125 127 129 131 133 255 0 128");
#undef TEN
    values(13, "in x f32 2 3; init s f32 3 : 1 2 4; init z i8 3 : 0 1 -1; node QuantizeLinear x,s,z -> y; out y", "2 3 10 inf -inf 1e30 : 2 3 1 127 -128 127");
    values(13, "in x f32 2 3; init s f32 2 : 1 2; init z u8 2 : 1 2; node QuantizeLinear x,s,z -> y; i axis -2; out y", "2 3 10 4 5 -10 : 3 4 11 4 4 0");
    values(21, "in x f32 3; init s f32 : 1; node QuantizeLinear x,s -> y; i output_dtype 3; out y", "-3 5 200 : -3 5 127");
    values(10, "in x i8 3; init s f32 : 0.5; init z i8 : -2; node DequantizeLinear x,s,z -> y; out y", "-128 0 127 : -63 1 64.5");
    values(13, "in x u8 2 2; init s f32 2 : 1 2; init z u8 2 : 0 255; node DequantizeLinear x,s,z -> y; out y", "3 0 255 255 : 3 -510 255 0");
    values(10, "in x i32 2; init s f32 : 2; node DequantizeLinear x,s -> y; out y", "16777216 -3 : 33554432 -6");
    values(11, "in x f32 3; node DynamicQuantizeLinear x -> y,s,z; out y", "-1 0 1.55 : 0 100 255");
    values(11, "in x f32 3; node DynamicQuantizeLinear x -> y,s,z; out z", "-1 0 1.55 : 100");
    values(11, "in x f32 3; node DynamicQuantizeLinear x -> y,s,z; out s", "5.1 0 2 : 0.02");
    values(10, "in x u8 2 2; in w i8 2 2; init z u8 2 : 1 255; init t i8 : -1; node MatMulInteger x,w,z,t -> y; out y",
           "0 255 255 0 127 -128 1 0 : 380 381 -510 -255");
    values(10, "in x u8 2 2; in w i8 2 2; node MatMulInteger x,w -> y; out y", "255 255 1 0 127 -128 127 1 : 64770 -32385 127 -128");
    values(10, "in x u8 1 1 2 2; init w i8 2 1 1 1 : 2 -128; init z u8 : 255; init t i8 2 : 0 127; node ConvInteger x,w,z,t -> y; is pads 1 0 0 0; out y",
           "0 255 1 254 : 0 0 -510 0 -508 -2 0 0 65025 0 64770 255");
    values(10, "in x u8 1 1 1 1; init w u8 1 1 1 1 : 255; init n i64 4 : 1 301 1 1; init c i32 : 19572525; node Expand x,n -> a; node Expand w,n -> b; "
               "node ConvInteger a,b -> r; node Sub r,c -> y; out y", "255 : 0"); /* odd, and above 2^24 */
    values(10, "in x u8 1 1 1 1; init w i8 1 1 1 1 : -128; init n i64 4 : 1 514 1 1; node Expand x,n -> a; node Expand w,n -> b; "
               "node ConvInteger a,b -> y; out y", "255 : -16776960"); /* the longest sum of such products in 32 bits */
    values(10, "in x u8 1 1 1 1; init w i8 1 1 1 1 : 127; init z u8 : 0; init n i64 4 : 1 601 1 1; init c i32 : 19463385; node Expand x,n -> a; "
               "node Expand w,n -> b; node ConvInteger a,b,z -> r; node Sub r,c -> y; out y", "255 : 0"); /* from a zero point at an end */
    values(10, "in x u8 1 1; init v i8 1 1 : 127; init u i8 1 1 : 0; init z u8 : 0; init n i64 2 : 1 601; init m i64 2 : 601 1; init c i32 2 : 19463385 0; "
               "node Expand x,n -> a; node Expand v,m -> p; node Expand u,m -> q; node Concat p,q -> b; i axis 1; node MatMulInteger a,b,z -> r; "
               "node Sub r,c -> y; out y", "255 : 0 0"); /* one column of two is long */
    values(10, "in x u8 1 1 1 1; in d i32 1; init w i8 1 1 1 1 : 1; init s f32 : 1; init z u8 : 0; init q i8 : 0; "
               "node QLinearConv x,s,z,w,s,q,s,z,d -> y; out y", "1 2147483647 : 0"); /* wraps */
    values(10, "in x u8 1 1 1 1; init d i32 1 : 16777217; init w i8 1 1 1 1 : 1; init s f32 : 1; init t f32 : 65536; init z u8 : 1; init q i8 : 0; "
               "node QLinearConv x,s,z,w,s,q,t,z,d -> y; out y", "4 : 255");
    values(10, "in x u8 1 1 1 1; init w i8 1 1 1 1 : -128; init n i64 4 : 1 513 1 1; init d i32 1 : 16777217; init s f32 : 0.003055036; "
               "init o f32 : 1; init z u8 : 0; init q i8 : 0; node Expand x,n -> a; node Expand w,n -> b; node QLinearConv a,s,z,b,o,q,o,z,d -> y; "
               "out y", "255 : 101"); /* 32897: with the bias as float32 it is one less */
    values(10, "in x u8 1 1; init a f32 : 0.5; init p u8 : 1; in w i8 1 2; init b f32 2 : 1 2; init q i8 : 0; init c f32 : 1; init r u8 : 3; "
               "node QLinearMatMul x,a,p,w,b,q,c,r -> y; out y", "6 1 -3 : 5 0");
    values(10, "in x u8 1 1 1 2; init a f32 : 0.5; init p u8 : 1; init w i8 2 1 1 1 : 1 3; init b f32 2 : 1 2; init q i8 : 0; init c f32 : 1; "
               "init r i8 : -3; init d i32 2 : 1 -1; node QLinearConv x,a,p,w,b,q,c,r,d -> y; out y", "6 200 : 0 97 11 127");
    expect(10, "in x f32 2; init s f32 : 1; init z u8 : 0; node QuantizeLinear x,s,z -> y; out y", ": u8[2]");
    expect(21, "in x f32 4; init s f32 2 : 1 1; node QuantizeLinear x,s -> y; i axis 0; i block_size 2; out y u8 4", "opaque \"QuantizeLinear\"");
    expect(10, "in x i32 2; init s f32 : 1; node QuantizeLinear x,s -> y; out y u8 2", "opaque \"QuantizeLinear\"");
    expect(13, "in x i8 2; init s f32 : 1; init z u8 : 0; node DequantizeLinear x,s,z -> y; out y f32 2", "opaque \"DequantizeLinear\"");
    expect(10, "in x i32 2; init s f32 : 1; init z i32 : 0; node DequantizeLinear x,s,z -> y; out y f32 2", "opaque \"DequantizeLinear\"");
    expect(10, "in x i32 2 2; node MatMulInteger x,x -> y; out y i32 2 2", "opaque \"MatMulInteger\"");
    expect(10, "in x u8 1 1 2 2; init w i8 2 1 1 1 : 1 2; init t i8 3 : 0 1 2; node ConvInteger x,w,_,t -> y; out y i32 1 2 2 2", "opaque \"ConvInteger\"");
}

/* Names and types: the last operator has the node's name and the value's; a value that is an older node's gets an Identity. */
static void test_names(void)
{
    expect(9, "in x f32 2; node Shrink x -> y act; out y", "y = Add(");
    expect(13, "in x f32 2; node ReduceProd x -> y; is axes; out y", "y = ");
    expect(18, "in x f32 2; node ReduceMax x -> y; i noop_with_empty_axes 1; out y", "y = Identity(x)");
    expect(13, "in x f32 2; init s f32 1 : 1; node Resize x,_,s -> y; out y; out x", "y = Identity(x)|return y, x");
    expect(9, "in x 10 2; node Shrink x -> y; out y 10 2", "y = opaque \"Shrink\"(x;");
    expect(9, "in x f32 2; node Foo x -> a; node Shrink a -> y; out y f32 2", "opaque \"Shrink\"(a;"); /* of unknown type */
    expect(9, "in x f32 2; node Shrink x -> y; i axis 1; out y", "error: node '#0' (Shrink): has no attribute 'axis' in opset 9");
    expect(8, "in x f32 2; node Shrink x -> y; out y f32 2", "opaque \"Shrink\"(x;");
    expect(9, "in x f32 2; node Shrink x,x -> y; out y", "error: node '#0' (Shrink): takes 1 input(s), not 2");
}

static void test_fail_after(void)
{
    fail_after(13, "in x f32 1 2 2 2; init w f32 2 1 2 2 : 1 2 3 4 5 6 7 8; init s f32 4 : 1 1 1.5 2; node ConvTranspose x,w -> a l; "
                   "is strides 2 2; node Resize a,_,s -> b; s mode linear; node ReduceMax b -> c; is axes 1; "
                   "node ArgMax c -> y; i axis 3; out y");
    fail_after(14, "in x f32 2 3; init a i64 : 1; init r i64 2 : 2 1; node CumSum x,a -> b; node Trilu b -> c; node Tile c,r -> d; "
                   "node Einsum d,d -> e; s equation ij,ik->jk; node ReduceProd e -> f; node Cast a -> g; i to 1; node Cos g -> h; "
                   "node Add f,h -> y; out y");
    fail_after(14, "in x f32 2 1 1; init w f32 2 4 1 : 1 2 3 4 5 6 7 8; init b f32 2 8 : 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2; init p f32 2 3 : 1 2 3 4 5 6; "
                   "node LSTM x,w,w,b,_,_,_,p -> y,h,c; i hidden_size 1; s direction bidirectional; out y; out h; out c");
    fail_after(23, QKV "in m f32 2 2; init p f32 1 1 1 1 : 0; init n f32 2 3 : 0 0 0 0 0 0; node Attention q,k,v,n,p,p -> y,a,b,w; f softcap 2; "
                   "out y; out a; out b; out w");
    fail_after(21, "in x f32 1 4 4; init s f32 4 : 1 2 3 4; init p i64 6 : 0 0 1 0 0 1; node GroupNormalization x,s,s -> a; i num_groups 2; "
                   "node AveragePool a -> b; is kernel_shape 2; is dilations 2; node Pad b,p -> c; s mode wrap; node LogSoftmax c -> y; out y");
    fail_after(11, "in x f32 1 1 2 2; init w i8 1 1 1 1 : 2; init s f32 : 1; init z i8 : 1; init d i32 1 : 1; node DynamicQuantizeLinear x -> q,a,p; "
                   "node QLinearConv q,a,p,w,s,z,s,z,d -> r; node DequantizeLinear r,s,z -> y; out y");
    fail_after(16, "in x f32 3; in u f32 2; init i i64 2 1 : 1 1; node ScatterND x,i,u -> a; s reduction add; init j i64 1 : 2; init v f32 1 : 4; "
                   "node ScatterElements a,j,v -> y; out y");
    fail_after(13, "in x f32 2 3; init i i64 1 2 : 1 2; node GatherND x,i -> a; node Tan a -> b; node IsNaN b -> c; node IsInf b -> d; node Or c,d -> y; "
                   "out y");
}

int main(void)
{
    static const struct unit_case cases[] = {{"activations", test_activations},
                                             {"reductions", test_reductions},
                                             {"places of the greatest", test_places},
                                             {"Sin, Cos, Tan", test_waves},
                                             {"GatherND", test_gather_nd},
                                             {"Scatter", test_scatter},
                                             {"pools", test_pools},
                                             {"ConvTranspose", test_conv_transpose},
                                             {"Resize", test_resize},
                                             {"moves", test_moves},
                                             {"Einsum", test_einsum},
                                             {"recurrent", test_recurrent},
                                             {"attention", test_attention},
                                             {"constants", test_constants},
                                             {"quantised", test_quantised},
                                             {"names", test_names},
                                             {"fail_after", test_fail_after}};
    return unit_main("onnx_expand", cases, UNIT_COUNT(cases));
}
