/* Sin, Cos and Tan of data, made of others. X = q * pi / 2 + r in binary64 with |r| a little above pi / 4 at most: pi / 2 in parts of 26
   bits, so that the products with q are exact for |X| < 2^26, beyond which the result is NaN. Then Taylor's polynomials, whose remainders
   are below 2^-57, chosen by q modulo 4. Of a constant the value is libm's. */
#include "onnx/expand.h"

#include <math.h>

#define LIMIT 0x1p26

/* X = quadrant (i64) * pi / 2 + rest (f64); x: X in binary64. */
struct angle {
    int x, quadrant, rest;
};

static int where(struct onnx_build *b, int condition, int x, int y)
{
    int in[3] = {condition, x, y};

    return make_op(b, OP_Where, in, 3, NULL, 0);
}

static struct angle reduced(struct onnx_build *b)
{
    static const double half_pi[4] = {0x1.921fb5p+0, 0x1.110b46p-26, 0x1.1a6263p-54, 0x1.8a2e03707344ap-81};
    struct angle a = {expand_real_input(b), -1, -1};
    int turns, half;

    if (make_dtype(b, a.x) == DTYPE_F32)
        a.x = make_cast(b, a.x, DTYPE_F64);
    turns = make_with(b, OP_Mul, a.x, 0x1.45f306dc9c883p-1); /* 2 / pi */
    half = where(b, make_with(b, OP_Less, turns, 0), make_scalar(b, DTYPE_F64, -0.5), make_scalar(b, DTYPE_F64, 0.5));
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
    int s = make_binary(b, OP_Mul, a->rest, series(b, z, 1)), c = series(b, z, 0), q, even, back, y;

    q = make_with(b, OP_Add, a->quadrant, turn);
    even = make_with(b, OP_Equal, modulo(b, q, 2), 0);
    y = where(b, even, s, c);
    q = modulo(b, q, 4); /* -3 .. 3 */
    back = make_binary(b, OP_Or, make_with(b, OP_Greater, q, 1),
                       make_binary(b, OP_And, make_with(b, OP_Less, q, 0), make_with(b, OP_Greater, q, -3)));
    y = where(b, back, make_unary(b, OP_Neg, y), y);
    return where(b, make_with(b, OP_Less, make_unary(b, OP_Abs, a->x), LIMIT), y, make_scalar(b, DTYPE_F64, NAN));
}

static int narrowed(struct onnx_build *b, int y)
{
    int dtype = make_dtype(b, expand_in(b, 0));

    return dtype == DTYPE_F32 ? make_cast(b, y, dtype) : y;
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
