/* Quantised operators: their integers computed as integers, their reals as floats, by ONNX's formulas. */
#include "onnx/onnx_internal.h"

#include <math.h>

enum { EXACT_TERMS = 258 }; /* as many products of 9 bits and a sign have a sum below 2^24 */

/* Input k: i8 or u8. */
static int byte_input(struct onnx_build *b, int k)
{
    int x = expand_in(b, k);

    if (!b->st && !dtype_is_byte(make_dtype(b, x)))
        make_no(b);
    return x;
}

/* Input k, of one element or a vector along `axis` of the shape: as it broadcasts there. What is neither has that shape's rank
   and is left as it is, if `whole`. */
static int parameter(struct onnx_build *b, int k, const struct shape *s, long axis, bool whole)
{
    int x = expand_in(b, k);
    struct shape p = make_shape(b, x);
    long dim[RANK_MAX];

    if (b->st || p.rank == 0)
        return x;
    if (p.rank == 1 && p.dim[0] == 1)
        return make_reshape(b, x, dim, 0);
    if (p.rank != 1 || axis < 0 || axis >= s->rank || p.dim[0] != s->dim[axis]) {
        if (!whole || p.rank != s->rank)
            make_no(b);
        return x;
    }
    for (int i = 0; i < s->rank; i++)
        dim[i] = i == axis ? p.dim[0] : 1;
    return make_reshape(b, x, dim, s->rank);
}

/* The same of a scale: a float32. */
static int scale_of(struct onnx_build *b, int k, const struct shape *s, long axis, bool whole)
{
    if (!b->st && make_dtype(b, expand_in(b, k)) != DTYPE_F32)
        make_no(b);
    return parameter(b, k, s, axis, whole);
}

/* x - zero point k, as integers of 32 bits. */
static int centered(struct onnx_build *b, int x, int k, const struct shape *s, long axis, bool whole)
{
    int y = make_cast(b, x, DTYPE_I32);

    if (expand_in(b, k) < 0)
        return y;
    if (!b->st && make_dtype(b, expand_in(b, k)) != make_dtype(b, x))
        make_no(b);
    return make_binary(b, OP_Sub, y, make_cast(b, parameter(b, k, s, axis, whole), DTYPE_I32));
}

/* saturate(round(x) + zero): zero is of the result's type, or -1: it is 0. What is not a number becomes the zero point. Beyond +-1024 the
   result is an end of the range anyway; Clip of integers came with opset 12. In Coq: quantised_cell. */
static int saturated(struct onnx_build *b, int x, int zero, int dtype)
{
    int y = make_cast(b, expand_rounded(b, make_clip(b, x, -1024, 1024)), DTYPE_I32);

    if (zero >= 0)
        y = make_binary(b, OP_Add, y, make_cast(b, zero, DTYPE_I32));
    y = make_clip(b, make_cast(b, y, DTYPE_F32), dtype == DTYPE_I8 ? INT8_MIN : 0, dtype == DTYPE_I8 ? INT8_MAX : UINT8_MAX);
    return make_cast(b, y, dtype);
}

/* The axis of QuantizeLinear and DequantizeLinear, and what they have since opset 21 at its default. */
static long quant_axis(struct onnx_build *b, const struct shape *s)
{
    long axis = 0, type = onnx_attr_i(b->n, "output_dtype", 0);

    if (onnx_attr_i(b->n, "block_size", 0) != 0 || onnx_attr_i(b->n, "precision", 0) > 1 || (type != 0 && !dtype_is_byte((int)type) && type != 1))
        make_no(b);
    if (!b->st && s->rank > 0 && make_shape(b, expand_in(b, 1)).rank == 1)
        b->st = onnx_axis(b->n, onnx_attr_i(b->n, "axis", 1), s->rank > 1 ? s->rank : 2, 0, &axis);
    return axis;
}

int expand_quantize(struct onnx_build *b)
{
    int x = expand_in(b, 0), zero = expand_in(b, 2), dtype = (int)onnx_attr_i(b->n, "output_dtype", 0), scale;
    struct shape s = make_shape(b, x);
    long axis = quant_axis(b, &s);

    if (zero >= 0)
        dtype = make_dtype(b, zero);
    dtype = dtype ? dtype : DTYPE_U8;
    if (!b->st && (make_dtype(b, x) != DTYPE_F32 || !dtype_is_byte(dtype)))
        make_no(b);
    scale = scale_of(b, 1, &s, axis, false);
    zero = zero < 0 ? -1 : parameter(b, 2, &s, axis, false);
    return saturated(b, make_binary(b, OP_Div, x, scale), zero, dtype);
}

/* Of i32 without a zero point alone. */
int expand_dequantize(struct onnx_build *b)
{
    int x = expand_in(b, 0), y;
    struct shape s = make_shape(b, x);
    long axis = quant_axis(b, &s), type = onnx_attr_i(b->n, "output_dtype", 0);

    if (!b->st && ((type != 0 && type != DTYPE_F32) || (!dtype_is_byte(make_dtype(b, x)) && (make_dtype(b, x) != DTYPE_I32 || expand_in(b, 2) >= 0))))
        make_no(b);
    y = make_cast(b, centered(b, x, 2, &s, axis, false), DTYPE_F32);
    return make_binary(b, OP_Mul, y, scale_of(b, 1, &s, axis, false));
}

/* The greatest or least cell and 0. */
static int extent(struct onnx_build *b, int x, bool least)
{
    return make_with(b, least ? OP_Min : OP_Max, expand_extreme(b, x, least), 0);
}

int expand_dynamic_quantize(struct onnx_build *b)
{
    int x = expand_in(b, 0), least, scale, zero;

    if (!b->st && make_dtype(b, x) != DTYPE_F32)
        make_no(b);
    least = extent(b, x, true);
    scale = make_with(b, OP_Div, make_binary(b, OP_Sub, extent(b, x, false), least), UINT8_MAX);
    zero = make_binary(b, OP_Sub, make_scalar(b, DTYPE_F32, 0), make_binary(b, OP_Div, least, scale));
    zero = make_cast(b, expand_rounded(b, make_clip(b, zero, 0, UINT8_MAX)), DTYPE_U8);
    make_output(b, 1, scale);
    make_output(b, 2, zero);
    return saturated(b, make_binary(b, OP_Div, x, scale), zero, DTYPE_U8);
}

/* ---- products of integers ---- */

/* The product of matrices k and l with zero points after them, exact modulo 2^32. */
static int matmul(struct onnx_build *b, int k, int l, int zero_k, int zero_l)
{
    int x = byte_input(b, k), y = byte_input(b, l);
    struct shape s = make_shape(b, x), t = make_shape(b, y);

    x = centered(b, x, zero_k, &s, s.rank - 2, true);
    return make_binary(b, OP_MatMul, x, centered(b, y, zero_l, &t, t.rank - 1, true));
}

int expand_matmul_integer(struct onnx_build *b)
{
    return matmul(b, 0, 1, 2, 3);
}

/* The convolution of x by w with their zero points: as floats, that hold each sum, of few terms in 32 bits; exact modulo 2^32.
   The zero point of w may be one for each channel of the result. */
static int conv(struct onnx_build *b, int l, int zero_k, int zero_l)
{
    int in[2] = {byte_input(b, 0), byte_input(b, l)}, real;
    struct shape x = make_shape(b, in[0]), w = make_shape(b, in[1]);
    struct onnx_window window = {0};
    struct node_attr attr[5];
    long terms = 1;

    if (!b->st && (x.rank < 3 || w.rank != x.rank))
        make_no(b);
    for (int i = 1; i < w.rank; i++) {
        terms *= w.dim[i];
        if (i > 1)
            window.kernel[i - 2] = w.dim[i];
    }
    if (!b->st)
        b->st = onnx_window_read(b->n, &window);
    real = terms <= EXACT_TERMS ? DTYPE_F32 : DTYPE_F64;
    in[0] = make_cast(b, centered(b, in[0], zero_k, &x, -1, false), real);
    in[1] = make_folded(b, make_cast(b, centered(b, in[1], zero_l, &w, 0, false), real));
    if (b->st)
        return -1;
    attr[0] = make_is(b, "kernel_shape", window.kernel, window.n);
    attr[1] = make_is(b, "strides", window.stride, window.n);
    attr[2] = make_is(b, "pads", window.pad, 2 * window.n);
    attr[3] = make_is(b, "dilations", window.dilation, window.n);
    attr[4] = make_i(b, "group", onnx_attr_i(b->n, "group", 1));
    return make_cast(b, make_cast(b, make_op(b, OP_Conv, in, 2, attr, 5), DTYPE_I64), DTYPE_I32);
}

int expand_conv_integer(struct onnx_build *b)
{
    return conv(b, 1, 2, 3);
}

/* The sums times the scales of their factors (inputs 1 and 4) by that of the result (6), which has zero point 7. The second scale may
   be a vector along `axis`, the first one along `first`. */
static int requantized(struct onnx_build *b, int sums, long first, long axis)
{
    struct shape s = make_shape(b, sums), none = {0, {0}};
    int scale = make_binary(b, OP_Mul, scale_of(b, 1, &s, first, false), scale_of(b, 4, &s, axis, false));
    int zero = byte_input(b, 7);

    scale = make_binary(b, OP_Div, scale, scale_of(b, 6, &none, -1, false));
    zero = parameter(b, 7, &none, -1, false);
    return saturated(b, make_binary(b, OP_Mul, make_cast(b, sums, DTYPE_F32), scale), zero, make_dtype(b, zero));
}

int expand_qlinear_matmul(struct onnx_build *b)
{
    int sums = matmul(b, 0, 3, 2, 5);
    int rank = make_shape(b, sums).rank;

    return requantized(b, sums, rank - 2, rank - 1);
}

int expand_qlinear_conv(struct onnx_build *b)
{
    int sums = conv(b, 3, 2, 5), bias = expand_in(b, 8);
    struct shape s = make_shape(b, sums);

    if (bias >= 0 && !b->st && (make_dtype(b, bias) != DTYPE_I32 || make_shape(b, bias).rank != 1))
        make_no(b);
    if (bias >= 0)
        sums = make_binary(b, OP_Add, sums, parameter(b, 8, &s, 1, false));
    return requantized(b, sums, -1, 1);
}
