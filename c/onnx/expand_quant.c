/* Quantised operators: their integers computed as integers, their reals as floats, by ONNX's formulas. */
#include "onnx/onnx_internal.h"

#include <math.h>

/* Input k: i8 or u8. */
static int byte_input(struct onnx_build *b, int k)
{
    int x = expand_in(b, k);

    if (!b->st && !dtype_is_byte(make_dtype(b, x)))
        make_no(b);
    return x;
}

static bool broadcasts(const struct shape *p, const struct shape *s)
{
    bool yes = p->rank == s->rank;

    for (int i = 0; yes && i < s->rank; i++)
        yes = p->dim[i] == 1 || p->dim[i] == s->dim[i];
    return yes;
}

/* Input k, of one element or a vector along `axis` of the shape: as it broadcasts there. What is neither has that shape's rank
   and broadcasts to it as it is, if `whole`. */
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
        if (!whole || !broadcasts(&p, s))
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

static double element(const struct tensor *t, long i)
{
    switch (t->dtype) {
    case DTYPE_I8: return ((const int8_t *)t->data)[i];
    case DTYPE_U8: return ((const uint8_t *)t->data)[i];
    default:       return ((const int32_t *)t->data)[i];
    }
}

/* The *n elements of the integers x, to be freed; NULL: they are not constant, or b->st is set. */
static double *constant_of(struct onnx_build *b, int x, long *n)
{
    struct graph *g = b->n->r->g;
    struct tensor t = {0};
    struct diag d;
    double *to = NULL;
    enum calque_status st = b->st || x < 0 ? CALQUE_NO : graph_const_value(g, x, ONNX_CONST_BUDGET, NULL, &t, &d);

    *n = st == CALQUE_OK ? shape_elems(&t.shape) : 0;
    if (st == CALQUE_OK && !(to = mem_resize(g->mem, NULL, (size_t)*n + 1, sizeof *to)))
        st = CALQUE_NOMEM;
    for (long i = 0; to && i < *n; i++)
        to[i] = element(&t, i);
    if (st == CALQUE_NOMEM)
        b->st = diag_nomem(b->n->r->f.diag);
    tensor_free(&t);
    return to;
}

/* The greatest |x - zero point k| of a byte x. */
static double reach(struct onnx_build *b, int x, int k)
{
    double lo = make_dtype(b, x) == DTYPE_I8 ? INT8_MIN : 0, hi = lo + UINT8_MAX, most = 0, *zero;
    long n;

    if (expand_in(b, k) < 0)
        return hi > -lo ? hi : -lo;
    zero = constant_of(b, expand_in(b, k), &n);
    for (long i = 0; zero && i < n; i++)
        most = fmax(most, fmax(hi - zero[i], zero[i] - lo));
    most = zero ? most : UINT8_MAX;
    mem_free(zero);
    return most;
}

static bool is_zero(struct onnx_build *b, int x)
{
    long n;
    double *zero = constant_of(b, x, &n);
    bool yes = zero != NULL;

    for (long i = 0; zero && i < n; i++)
        yes = yes && zero[i] == 0;
    mem_free(zero);
    return yes;
}

/* x - zero point k, as numbers of that type, which holds them. */
static int centered(struct onnx_build *b, int x, int k, const struct shape *s, long axis, bool whole, int dtype)
{
    int y = make_cast(b, x, dtype), zero;

    if (expand_in(b, k) < 0)
        return y;
    if (!b->st && make_dtype(b, expand_in(b, k)) != make_dtype(b, x))
        make_no(b);
    zero = parameter(b, k, s, axis, whole);
    return is_zero(b, zero) ? y : make_binary(b, OP_Sub, y, make_folded(b, make_cast(b, zero, dtype)));
}

/* end - zero, of float32 */
static int below(struct onnx_build *b, int zero, double end)
{
    return make_folded(b, make_binary(b, OP_Sub, make_scalar(b, DTYPE_F32, end), zero));
}

/* saturate(round(x) + zero): zero, of float32, is in the range of the result's type, or -1: it is 0. What is above 0 and what is below it
   are cut apart, so that what is not a number becomes the zero point: max and min with 0 first are 0 then. In Coq: quantised_cell. */
static int saturated(struct onnx_build *b, int x, int zero, int dtype)
{
    double lo = dtype == DTYPE_I8 ? INT8_MIN : 0, hi = lo + UINT8_MAX;
    int y = expand_rounded(b, x), none, up, down;

    if (zero < 0)
        return make_cast(b, make_clip(b, y, lo, hi), dtype);
    none = make_scalar(b, DTYPE_F32, 0);
    up = make_binary(b, OP_Max, none, y);
    up = make_binary(b, OP_Min, below(b, zero, hi), up);
    down = make_binary(b, OP_Min, none, y);
    down = make_binary(b, OP_Max, below(b, zero, lo), down);
    return make_cast(b, make_binary(b, OP_Add, make_binary(b, OP_Add, up, down), zero), dtype);
}

/* A zero point of bytes, or -1, as saturated takes it. */
static int as_zero(struct onnx_build *b, int zero)
{
    return zero < 0 || is_zero(b, zero) ? -1 : make_folded(b, make_cast(b, zero, DTYPE_F32));
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
    zero = zero < 0 ? -1 : as_zero(b, parameter(b, 2, &s, axis, false));
    return saturated(b, make_binary(b, OP_Div, x, scale), zero, dtype);
}

/* Of i32 without a zero point alone. What bytes stand for is marked by an Identity, which the rules of the set quantised look for. */
int expand_dequantize(struct onnx_build *b)
{
    int x = expand_in(b, 0), y;
    struct shape s = make_shape(b, x);
    long axis = quant_axis(b, &s), type = onnx_attr_i(b->n, "output_dtype", 0);

    if (!b->st && ((type != 0 && type != DTYPE_F32) || (!dtype_is_byte(make_dtype(b, x)) && (make_dtype(b, x) != DTYPE_I32 || expand_in(b, 2) >= 0))))
        make_no(b);
    y = centered(b, x, 2, &s, axis, false, DTYPE_F32);
    if (!b->st && dtype_is_byte(make_dtype(b, x)))
        y = make_unary(b, OP_Identity, y);
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
    zero = make_binary(b, OP_Div, least, scale);
    zero = make_binary(b, OP_Sub, make_scalar(b, DTYPE_F32, 0), zero);
    zero = expand_rounded(b, make_clip(b, zero, 0, UINT8_MAX));
    make_output(b, 1, scale);
    make_output(b, 2, make_cast(b, zero, DTYPE_U8));
    return saturated(b, make_binary(b, OP_Div, x, scale), zero, DTYPE_U8);
}

/* ---- products of integers ---- */

/* Integers whose sums of products are wanted, exactly. */
struct factors {
    int x, y, zero_x, zero_y; /* numbers of inputs: the factors, their zero points */
    int bias;                 /* the node of what is added, i32, or -1 */
    double most;              /* no sum, with the bias, is greater than this or less than -most */
    int dtype;                /* f32 or f64, which holds each sum */
};

/* The greatest sum of |y - zero point| over `terms` cells that are `stride` apart, which is taken of each sum. */
static double column(struct onnx_build *b, const struct factors *f, int y, long terms, long stride)
{
    long n;
    double most = 0, *w = constant_of(b, y, &n), *sum = mem_zero(b->n->r->g->mem, (size_t)(n / terms) + 1, sizeof *sum);

    if (!sum && !b->st)
        b->st = diag_nomem(b->n->r->f.diag);
    for (long i = 0; w && sum && i < n; i++)
        sum[i / (terms * stride) * stride + i % stride] += fabs(w[i]);
    for (long i = 0; w && sum && i < n / terms; i++)
        most = fmax(most, sum[i]);
    most = w ? most : (double)terms * reach(b, expand_in(b, f->y), f->zero_y);
    mem_free(w);
    mem_free(sum);
    return most;
}

/* Finds f->most and f->dtype, of sums over so many cells of y, which are `stride` apart; y: less its zero point. */
static void bound(struct onnx_build *b, struct factors *f, int y, long terms, long stride)
{
    double *bias, most = 0;
    long n;

    if (b->st)
        return;
    f->most = reach(b, expand_in(b, f->x), f->zero_x) * column(b, f, y, terms > 0 ? terms : 1, stride > 0 ? stride : 1);
    bias = constant_of(b, f->bias, &n);
    for (long i = 0; bias && i < n; i++)
        most = fmax(most, fabs(bias[i]));
    f->most += f->bias >= 0 && !bias ? 0x1p31 : most;
    mem_free(bias);
    f->dtype = f->most < 0x1p24 ? DTYPE_F32 : DTYPE_F64;
}

/* The sum of products, exact modulo 2^32, as i32. */
static int whole(struct onnx_build *b, const struct factors *f, int sum)
{
    return make_cast(b, f->most < 0x1p31 ? sum : make_cast(b, sum, DTYPE_I64), DTYPE_I32);
}

/* The product of matrices x and y, of f->dtype. */
static int matmul(struct onnx_build *b, struct factors *f)
{
    int x = byte_input(b, f->x), y = byte_input(b, f->y), z;
    struct shape s = make_shape(b, x), t = make_shape(b, y);
    long n = t.rank < 2 ? 1 : t.dim[t.rank - 1];

    z = centered(b, y, f->zero_y, &t, t.rank - 1, true, DTYPE_I32);
    if (!b->st && t.rank < 1)
        make_no(b);
    if (!b->st)
        bound(b, f, z, t.dim[t.rank < 2 ? 0 : t.rank - 2], n);
    x = centered(b, x, f->zero_x, &s, s.rank - 2, true, f->dtype);
    return make_binary(b, OP_MatMul, x, make_folded(b, make_cast(b, z, f->dtype)));
}

int expand_matmul_integer(struct onnx_build *b)
{
    struct factors f = {.x = 0, .y = 1, .zero_x = 2, .zero_y = 3, .bias = -1};
    int sum = matmul(b, &f);

    return whole(b, &f, sum);
}

/* The convolution of x by y, with the bias. The zero point of y may be one for each channel of the result. */
static int conv(struct onnx_build *b, struct factors *f)
{
    int in[3] = {byte_input(b, f->x), byte_input(b, f->y), f->bias};
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
    in[1] = centered(b, in[1], f->zero_y, &w, 0, false, DTYPE_I32);
    bound(b, f, in[1], terms, 1);
    in[0] = centered(b, in[0], f->zero_x, &x, -1, false, f->dtype);
    in[1] = make_folded(b, make_cast(b, in[1], f->dtype));
    if (f->bias >= 0)
        in[2] = make_folded(b, make_cast(b, f->bias, f->dtype));
    if (b->st)
        return -1;
    attr[0] = make_is(b, "kernel_shape", window.kernel, window.n);
    attr[1] = make_is(b, "strides", window.stride, window.n);
    attr[2] = make_is(b, "pads", window.pad, 2 * window.n);
    attr[3] = make_is(b, "dilations", window.dilation, window.n);
    attr[4] = make_i(b, "group", onnx_attr_i(b->n, "group", 1));
    return make_op(b, OP_Conv, in, f->bias < 0 ? 2 : 3, attr, 5);
}

int expand_conv_integer(struct onnx_build *b)
{
    struct factors f = {.x = 0, .y = 1, .zero_x = 2, .zero_y = 3, .bias = -1};
    int sum = conv(b, &f);

    return whole(b, &f, sum);
}

/* The sums times the scales of their factors (inputs 1 and 4) by that of the result (6), which has zero point 7. The second scale may
   be a vector along `axis`, the first one along `first`. */
static int requantized(struct onnx_build *b, const struct factors *f, int sums, long first, long axis)
{
    struct shape s = make_shape(b, sums), none = {0, {0}};
    int scale = scale_of(b, 4, &s, axis, false), zero, dtype;

    scale = make_binary(b, OP_Mul, scale_of(b, 1, &s, first, false), scale);
    zero = byte_input(b, 7);
    dtype = make_dtype(b, zero);
    scale = make_folded(b, make_binary(b, OP_Div, scale, scale_of(b, 6, &none, -1, false)));
    zero = parameter(b, 7, &none, -1, false);
    sums = make_cast(b, f->most < 0x1p31 ? sums : whole(b, f, sums), DTYPE_F32);
    zero = as_zero(b, zero);
    return saturated(b, make_binary(b, OP_Mul, sums, scale), zero, dtype);
}

int expand_qlinear_matmul(struct onnx_build *b)
{
    struct factors f = {.x = 0, .y = 3, .zero_x = 2, .zero_y = 5, .bias = -1};
    int sums = matmul(b, &f), rank = make_shape(b, sums).rank;
    bool rows = make_shape(b, expand_in(b, 0)).rank > 1, columns = make_shape(b, expand_in(b, 3)).rank > 1;

    return requantized(b, &f, sums, rows && columns ? rank - 2 : -1, columns ? rank - 1 : -1);
}

int expand_qlinear_conv(struct onnx_build *b)
{
    struct factors f = {.x = 0, .y = 3, .zero_x = 2, .zero_y = 5, .bias = expand_in(b, 8)};
    int sums;

    if (f.bias >= 0 && !b->st && (make_dtype(b, f.bias) != DTYPE_I32 || make_shape(b, f.bias).rank != 1))
        make_no(b);
    sums = conv(b, &f);
    return requantized(b, &f, sums, -1, 1);
}
