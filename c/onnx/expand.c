/* ONNX operators made of others: which expansion an operator has (expand.def), the elementwise ones, functions of
   constants, sine and cosine. */
#include "onnx/onnx_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    int (*make)(struct onnx_build *b);
    const char *words;
} expansions[] = {
#define ONNX_EXPAND(op, function, words) {#op, expand_##function, words},
#include "onnx/expand.def"
};

enum { EXPANSIONS = sizeof expansions / sizeof *expansions };

int onnx_expansion_find(const char *name)
{
    for (int k = 0; k < EXPANSIONS; k++)
        if (strcmp(expansions[k].name, name) == 0)
            return OP_COUNT + k;
    return -1;
}

static const struct {
    int code;
    const char *theorem;
} proved[] = {
#define ONNX_PROVED(op, theorem) {EX_##op, #theorem},
#include "onnx/expand.def"
};

bool onnx_expansion(int k, struct onnx_expansion *out)
{
    if (k < 0 || k >= EXPANSIONS)
        return false;
    *out = (struct onnx_expansion){expansions[k].name, expansions[k].words, NULL, OP_COUNT + k};
    for (size_t i = 0; i < sizeof proved / sizeof *proved; i++)
        if (proved[i].code == out->code)
            out->theorem = proved[i].theorem;
    return true;
}

enum calque_status onnx_expand(struct onnx_node *n)
{
    return onnx_expand_by(n, expansions[n->op - OP_COUNT].make);
}

enum calque_status onnx_expand_by(struct onnx_node *n, int (*make)(struct onnx_build *b))
{
    struct onnx_build b;
    int x;

    for (int k = 0; k < n->in.n; k++)
        if (n->in.a[k] >= 0 && (onnx_in_rank(n, k) < 0 || onnx_in_dtype(n, k) == DTYPE_UNKNOWN))
            return CALQUE_NO;
    make_init(&b, n);
    x = make(&b);
    return n->is_const ? b.st : make_done(&b, x);
}

int expand_in(const struct onnx_build *b, int k)
{
    return k < b->n->in.n ? b->n->in.a[k] : -1;
}

bool expand_is_float(const struct onnx_build *b, int x)
{
    return make_dtype(b, x) == DTYPE_F32 || make_dtype(b, x) == DTYPE_F64;
}

int expand_real_input(struct onnx_build *b)
{
    int x = expand_in(b, 0);

    if (!expand_is_float(b, x))
        make_no(b);
    return x;
}

int expand_numbers(struct onnx_build *b, int k, double *out, int max)
{
    struct tensor t;
    int n = 0;

    if (b->st || expand_in(b, k) < 0)
        return 0;
    if ((b->st = onnx_const_input(b->n, k, &t)))
        return 0;
    if (shape_elems(&t.shape) > max || !onnx_computed(t.dtype))
        make_no(b);
    else
        n = (int)shape_elems(&t.shape);
    for (int i = 0; i < n; i++)
        out[i] = t.dtype == DTYPE_F32   ? (double)tensor_f32(&t)[i]
                 : t.dtype == DTYPE_F64 ? ((const double *)t.data)[i]
                 : t.dtype == DTYPE_I32 ? (double)((const int32_t *)t.data)[i]
                 : t.dtype == DTYPE_I8  ? (double)((const int8_t *)t.data)[i]
                 : t.dtype == DTYPE_U8 || t.dtype == DTYPE_BOOL ? (double)((const uint8_t *)t.data)[i]
                                        : (double)tensor_i64(&t)[i];
    tensor_free(&t);
    return n;
}

static double real(const struct onnx_build *b, const char *label, double otherwise)
{
    return (double)onnx_attr_f(b->n, label, (float)otherwise);
}

/* PRelu before opset 7: a slope for each channel is a vector. */
int expand_slopes(struct onnx_build *b)
{
    int x = expand_real_input(b), slope = expand_in(b, 1), below;
    struct shape s = make_shape(b, x), p = make_shape(b, slope);
    long dim[RANK_MAX];

    for (int i = 0; i < s.rank; i++)
        dim[i] = i == 1 ? shape_elems(&p) : 1;
    if (!b->st)
        slope = shape_elems(&p) == 1 ? make_reshape(b, slope, dim, 0)
                                     : make_reshape(b, slope, dim + 1, s.rank > 0 ? s.rank - 1 : 0);
    below = make_binary(b, OP_Mul, slope, make_clip(b, x, -HUGE_VAL, 0));
    return make_binary(b, OP_Add, make_unary(b, OP_Relu, x), below);
}

/* The least positive float times this is at least 1, and no product of the two factors overflows but those of numbers that
   the limit cuts anyway. */
static int stretch(struct onnx_build *b, int x)
{
    if (make_dtype(b, x) == DTYPE_F64)
        return make_with(b, OP_Mul, make_with(b, OP_Mul, x, 0x1p1000), 0x1p74);
    return make_with(b, OP_Mul, make_with(b, OP_Mul, x, 0x1p127), 0x1p22);
}

int expand_positive(struct onnx_build *b, int x)
{
    return make_clip(b, stretch(b, x), 0, 1);
}

int expand_shrink(struct onnx_build *b)
{
    int x = expand_real_input(b), over, under;
    double bias = real(b, "bias", 0), lambd = real(b, "lambd", 0.5);

    over = expand_positive(b, make_with(b, OP_Sub, x, lambd));
    over = make_binary(b, OP_Mul, make_with(b, OP_Sub, make_clip(b, x, lambd, HUGE_VAL), bias), over);
    under = expand_positive(b, make_unary(b, OP_Neg, make_with(b, OP_Add, x, lambd)));
    under = make_binary(b, OP_Mul, make_with(b, OP_Add, make_clip(b, x, -HUGE_VAL, -lambd), bias), under);
    if (lambd < 0 || !isfinite(lambd) || !isfinite(bias)) /* both cases at once */
        make_no(b);
    return make_binary(b, OP_Add, over, under);
}

/* Halves of the exponent: exp(abs(X)) overflows before cosh(X) does. */
int expand_cosh(struct onnx_build *b)
{
    int e = make_unary(b, OP_Exp, make_with(b, OP_Mul, make_unary(b, OP_Abs, expand_real_input(b)), 0.5));
    int half = make_scalar(b, make_dtype(b, e), 0.5);
    int down = make_binary(b, OP_Div, make_binary(b, OP_Div, half, e), e);
    int up = make_binary(b, OP_Mul, make_binary(b, OP_Mul, half, e), e);

    return make_binary(b, OP_Add, up, down);
}

int expand_sinh(struct onnx_build *b)
{
    int y = expand_cosh(b);

    return make_binary(b, OP_Mul, make_unary(b, OP_Tanh, expand_real_input(b)), y);
}

/* Comparisons with a NaN are false, that with itself too. Before opset 11, where floats are not compared for equality: below 1 or above 0. */
int expand_is_nan(struct onnx_build *b)
{
    int x = expand_real_input(b), above;

    if (b->n->opset >= 11)
        return make_unary(b, OP_Not, make_binary(b, OP_Equal, x, x));
    above = make_with(b, OP_Greater, x, 0);
    return make_unary(b, OP_Not, make_binary(b, OP_Or, make_with(b, OP_Less, x, 1), above));
}

int expand_is_inf(struct onnx_build *b)
{
    bool below = onnx_attr_i(b->n, "detect_negative", 1) != 0, above = onnx_attr_i(b->n, "detect_positive", 1) != 0;
    int x = expand_real_input(b);
    double most = make_dtype(b, x) == DTYPE_F32 ? (double)FLT_MAX : DBL_MAX;

    if (!below && !above)
        make_no(b);
    if (!above)
        return make_with(b, OP_Less, x, -most);
    return make_with(b, OP_Greater, below ? make_unary(b, OP_Abs, x) : x, most);
}

int expand_mean(struct onnx_build *b)
{
    int x = expand_real_input(b), n = b->n->in.n;

    return make_with(b, OP_Div, n == 1 ? x : make_op(b, OP_Sum, b->n->in.a, n, NULL, 0), n);
}

/* a - b * (a / b), which has the sign of a: quotients are rounded towards 0. */
static int remainder_of(struct onnx_build *b, int x, int y)
{
    return make_binary(b, OP_Sub, x, make_binary(b, OP_Mul, y, make_binary(b, OP_Div, x, y)));
}

/* Bytes in i32: ONNX divides no bytes before opset 14. */
int expand_fmod(struct onnx_build *b)
{
    int x = expand_in(b, 0), y = expand_in(b, 1), dtype = make_dtype(b, x);
    bool bytes = dtype_is_byte(dtype);

    x = bytes ? make_cast(b, x, DTYPE_I32) : x;
    y = bytes ? make_cast(b, y, DTYPE_I32) : y;
    x = remainder_of(b, x, y);
    return bytes ? make_cast(b, x, dtype) : x;
}

int expand_cast_like(struct onnx_build *b)
{
    int dtype = make_dtype(b, expand_in(b, 1));

    if (!onnx_computed(dtype) || !onnx_computed(make_dtype(b, expand_in(b, 0))))
        make_no(b);
    return make_cast(b, expand_in(b, 0), dtype);
}

int expand_size(struct onnx_build *b)
{
    struct shape s = make_shape(b, expand_in(b, 0)), one = {0, {0}};

    b->st = tensor_new(b->n->r->f.mem, DTYPE_I64, &one, &b->n->value, b->n->r->f.diag);
    b->n->is_const = !b->st;
    if (!b->st)
        *tensor_i64(&b->n->value) = shape_elems(&s);
    return -1;
}

/* Functions that no kernel computes: of a constant they are a constant, as in the computation of shapes and tables. */

/* The constant that f makes of input 0, each element in binary64 and rounded once: -1, as it is no node. CALQUE_NO in st where input 0 is
   data, or not of floats. */
static int expand_constant(struct onnx_build *b, double (*f)(double))
{
    struct tensor *t = &b->n->value;
    long n;

    if (!expand_is_float(b, expand_in(b, 0)))
        make_no(b);
    if (!b->st)
        b->st = onnx_const_input(b->n, 0, t);
    b->n->is_const = !b->st;
    n = b->st ? 0 : shape_elems(&t->shape);
    for (long i = 0; i < n; i++) {
        if (t->dtype == DTYPE_F32)
            tensor_f32(t)[i] = (float)f((double)tensor_f32(t)[i]);
        else
            ((double *)t->data)[i] = f(((double *)t->data)[i]);
    }
    return -1;
}

int expand_asin(struct onnx_build *b) { return expand_constant(b, asin); }
int expand_acos(struct onnx_build *b) { return expand_constant(b, acos); }
int expand_atan(struct onnx_build *b) { return expand_constant(b, atan); }
int expand_asinh(struct onnx_build *b) { return expand_constant(b, asinh); }
int expand_acosh(struct onnx_build *b) { return expand_constant(b, acosh); }
int expand_atanh(struct onnx_build *b) { return expand_constant(b, atanh); }

static int where(struct onnx_build *b, int condition, int x, int y)
{
    int in[3] = {condition, x, y};

    return make_op(b, OP_Where, in, 3, NULL, 0);
}

/* Is the result the constant that f makes, or a failure? Else input 0 is data. */
static bool is_constant(struct onnx_build *b, double (*f)(double))
{
    if (!expand_is_float(b, expand_in(b, 0)))
        make_no(b);
    if (b->st)
        return true;
    expand_constant(b, f);
    if (b->st != CALQUE_NO)
        return true;
    b->st = CALQUE_OK;
    b->n->r->no[0] = '\0';
    return false;
}

/* Floor and Ceil of data, exact. Round came with opset 11; before it by Cast to i64, which cuts, below 2^23 (2^52 of f64), from where on
   all numbers are integers. What is an integer stays as it is, -0 too. */

static bool has_round(const struct onnx_build *b)
{
    return b->n->opset >= 11;
}

static int cut(struct onnx_build *b, int x)
{
    return make_cast(b, make_cast(b, x, DTYPE_I64), make_dtype(b, x));
}

/* y where abs(x) is below that, else x: an integer, an infinity, a NaN. */
static int small(struct onnx_build *b, int x, int y)
{
    return where(b, make_with(b, OP_Less, make_unary(b, OP_Abs, x), make_dtype(b, x) == DTYPE_F32 ? 0x1p23 : 0x1p52), y, x);
}

static int floor_of(struct onnx_build *b, int x)
{
    int t, y, lower;

    if (has_round(b)) {
        t = make_unary(b, OP_Round, x);
        return make_binary(b, OP_Sub, t, make_cast(b, make_binary(b, OP_Greater, t, x), make_dtype(b, x)));
    }
    t = cut(b, x);
    y = where(b, make_binary(b, OP_Less, t, x), t, x);
    lower = make_with(b, OP_Sub, t, 1);
    return small(b, x, where(b, make_binary(b, OP_Less, x, t), lower, y));
}

int expand_floor(struct onnx_build *b)
{
    return is_constant(b, floor) ? -1 : floor_of(b, expand_real_input(b));
}

int expand_ceil(struct onnx_build *b)
{
    return is_constant(b, ceil) ? -1 : make_unary(b, OP_Neg, floor_of(b, make_unary(b, OP_Neg, expand_real_input(b))));
}

/* Halves to even; before opset 11 what is beyond +-2^21 becomes that, and -0 is 0: a sum with 3 * 2^22 is an integer. It is its own magnitude,
   which rules do not know, so that it is not cancelled. In Coq: shifted_worth. */
int expand_rounded(struct onnx_build *b, int x)
{
    if (has_round(b))
        return make_unary(b, OP_Round, x);
    x = make_with(b, OP_Add, make_clip(b, x, -0x1p21, 0x1p21), 0x1.8p23);
    return make_with(b, OP_Sub, make_unary(b, OP_Abs, x), 0x1.8p23);
}

/* Sin, Cos and Tan of data, made of others. X = q * pi / 2 + r in binary64 with |r| a little above pi / 4 at most: pi / 2 in parts of 26
   bits, so that the products with q are exact for |X| < 2^26, beyond which the result is NaN. Then Taylor's polynomials, whose remainders
   are below 2^-57, chosen by q modulo 4. Of a constant the value is libm's. */

#define LIMIT 0x1p26

/* X = quadrant (i64) * pi / 2 + rest (f64); x: X in binary64. */
struct angle {
    int x, quadrant, rest;
};

static struct angle reduced(struct onnx_build *b)
{
    static const double half_pi[4] = {0x1.921fb5p+0, 0x1.110b46p-26, 0x1.1a6263p-54, 0x1.8a2e03707344ap-81};
    struct angle a = {expand_real_input(b), -1, -1};
    int turns, plus, minus, half;

    if (make_dtype(b, a.x) == DTYPE_F32)
        a.x = make_cast(b, a.x, DTYPE_F64);
    turns = make_with(b, OP_Mul, a.x, 0x1.45f306dc9c883p-1); /* 2 / pi */
    plus = make_scalar(b, DTYPE_F64, 0.5);
    minus = make_scalar(b, DTYPE_F64, -0.5);
    half = where(b, make_with(b, OP_Less, turns, 0), minus, plus);
    a.quadrant = make_cast(b, make_binary(b, OP_Add, turns, half), DTYPE_I64); /* towards zero */
    turns = make_cast(b, a.quadrant, DTYPE_F64);
    a.rest = a.x;
    for (int i = 0; i < 4; i++)
        a.rest = make_binary(b, OP_Sub, a.rest, make_with(b, OP_Mul, turns, half_pi[i]));
    return a;
}

/* 1 - z k! / (k + 2)! + z^2 k! / (k + 4)! .. of ten terms: the cosine of the root of z for k = 0, its sine by it for k = 1. */
static int series(struct onnx_build *b, int z, int k)
{
    double c[10], f = 1;
    int n = 0, p;

    for (int i = k; i < 20; i += 2) {
        c[n] = n % 2 ? -1 / f : 1 / f;
        n++;
        f *= (double)((i + 1) * (i + 2));
    }
    p = make_with(b, OP_Mul, z, c[n - 1]);
    for (int i = n - 2; i > 0; i--)
        p = make_binary(b, OP_Mul, make_with(b, OP_Add, p, c[i]), z);
    return make_with(b, OP_Add, p, 1);
}

/* The quadrant's remainder by m, of its own sign. */
static int modulo(struct onnx_build *b, int quadrant, long m)
{
    return make_binary(b, OP_Sub, quadrant, make_with(b, OP_Mul, make_with(b, OP_Div, quadrant, (double)m), (double)m));
}

/* sin (turn 0) or cos (turn 1, a quarter further) of the angle. */
static int wave(struct onnx_build *b, const struct angle *a, int turn)
{
    int z = make_binary(b, OP_Mul, a->rest, a->rest);
    int s = make_binary(b, OP_Mul, a->rest, series(b, z, 1)), c = series(b, z, 0), q, even, back, y, none;

    q = make_with(b, OP_Add, a->quadrant, turn);
    even = make_with(b, OP_Equal, modulo(b, q, 2), 0);
    y = where(b, even, s, c);
    q = modulo(b, q, 4); /* -3 .. 3 */
    back = make_with(b, OP_Greater, q, -3);
    back = make_binary(b, OP_And, make_with(b, OP_Less, q, 0), back);
    back = make_binary(b, OP_Or, make_with(b, OP_Greater, q, 1), back);
    y = where(b, back, make_unary(b, OP_Neg, y), y);
    none = make_scalar(b, DTYPE_F64, NAN);
    return where(b, make_with(b, OP_Less, make_unary(b, OP_Abs, a->x), LIMIT), y, none);
}

static int narrowed(struct onnx_build *b, int y)
{
    int dtype = make_dtype(b, expand_in(b, 0));

    return dtype == DTYPE_F32 ? make_cast(b, y, dtype) : y;
}

static int sine(struct onnx_build *b, double (*f)(double), int turn)
{
    struct angle a;

    if (is_constant(b, f))
        return -1;
    a = reduced(b);
    return narrowed(b, wave(b, &a, turn));
}

int expand_sin(struct onnx_build *b) { return sine(b, sin, 0); }
int expand_cos(struct onnx_build *b) { return sine(b, cos, 1); }

int expand_tan(struct onnx_build *b)
{
    struct angle a;
    int s;

    if (is_constant(b, tan))
        return -1;
    a = reduced(b);
    s = wave(b, &a, 0);
    return narrowed(b, make_binary(b, OP_Div, s, wave(b, &a, 1)));
}
