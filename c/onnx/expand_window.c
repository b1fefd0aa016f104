/* ConvTranspose as a Conv, and poolings made of other operators. */
#include "onnx/onnx_internal.h"

#include <string.h>

#define EXTENT_MAX ((long)1 << 28) /* keeps the arithmetic below far from overflow */

struct transposed {
    int n; /* spatial dimensions */
    struct shape x, w;
    long group, stride[RANK_MAX], dilation[RANK_MAX], extent[RANK_MAX], extra[RANK_MAX];
    long before[RANK_MAX], after[RANK_MAX]; /* cut off the whole result */
};

static void read_list(struct onnx_build *b, const char *label, int n, long least, long *out)
{
    struct onnx_list l = {0};

    if (!b->st)
        b->st = onnx_list_get(b->n, label, -1, &l);
    if (b->st || !l.given)
        return;
    if (l.n != (size_t)n) {
        b->st = onnx_fail(b->n, CALQUE_BAD, "attribute '%s' must have %d elements, has %zu", label, n, l.n);
        return;
    }
    for (int i = 0; i < n && !b->st; i++) {
        out[i] = l.a[i];
        if (out[i] < least || out[i] > EXTENT_MAX)
            b->st = onnx_fail(b->n, CALQUE_BAD, "attribute '%s': %ld is out of range", label, out[i]);
    }
}

/* Pads for a whole result that is `total` cells longer than it shall be. */
static void share(struct transposed *t, int i, long total, bool upper)
{
    if (total < 0) { /* cells that no window reaches, at the end */
        t->before[i] = 0;
        t->after[i] = total;
        return;
    }
    t->before[i] = upper ? total / 2 : total - total / 2;
    t->after[i] = total - t->before[i];
}

static void read_pads(struct onnx_build *b, struct transposed *t)
{
    const Onnx__AttributeProto *a = onnx_attr(b->n, "auto_pad");
    bool upper = a && onnx_attr_is(a, "SAME_UPPER"), same = upper || (a && onnx_attr_is(a, "SAME_LOWER"));
    long pad[2 * RANK_MAX] = {0}, shape[RANK_MAX];

    if (!a || onnx_attr_is(a, "NOTSET") || !a->s.len)
        read_list(b, "pads", 2 * t->n, 0, pad);
    else if (!same && !onnx_attr_is(a, "VALID"))
        b->st = b->st ? b->st : onnx_fail(b->n, CALQUE_BAD, "auto_pad must be NOTSET, SAME_UPPER, SAME_LOWER or VALID");
    else if (same && b->n->opset < 11) /* says another size */
        make_no(b);
    read_list(b, "output_shape", t->n, 1, shape);
    for (int i = 0; i < t->n && !b->st; i++) {
        long whole = t->stride[i] * (t->x.dim[2 + i] - 1) + t->extra[i] + t->extent[i];
        t->before[i] = pad[i];
        t->after[i] = pad[i + t->n];
        if (onnx_attr(b->n, "output_shape"))
            share(t, i, whole - shape[i], upper);
        else if (same)
            share(t, i, whole - t->stride[i] * t->x.dim[2 + i], upper);
        if (whole - t->before[i] - t->after[i] < 1)
            b->st = onnx_fail(b->n, CALQUE_BAD, "the result has no cells in spatial dimension %d", i);
    }
}

static void read_window(struct onnx_build *b, struct transposed *t)
{
    long kernel[RANK_MAX];

    t->n = t->x.rank - 2;
    t->group = onnx_attr_i(b->n, "group", 1);
    if (!b->st && (t->n < 1 || t->w.rank != t->x.rank || t->group < 1 || t->x.dim[1] != t->w.dim[0] ||
                   t->x.dim[1] % t->group))
        b->st = onnx_fail(b->n, CALQUE_BAD, "input and weights do not fit in %ld groups", t->group);
    if (!b->st && (t->n > 3 || shape_elems(&t->x) == 0 || shape_elems(&t->w) == 0))
        make_no(b);
    for (int i = 0; i < t->n && !b->st; i++) {
        t->stride[i] = t->dilation[i] = 1;
        t->extra[i] = 0;
        kernel[i] = t->w.dim[2 + i];
    }
    read_list(b, "kernel_shape", t->n, 1, kernel);
    read_list(b, "strides", t->n, 1, t->stride);
    read_list(b, "dilations", t->n, 1, t->dilation);
    read_list(b, "output_padding", t->n, 0, t->extra);
    for (int i = 0; i < t->n && !b->st; i++) {
        if (kernel[i] != t->w.dim[2 + i])
            b->st = onnx_fail(b->n, CALQUE_BAD, "kernel_shape has %ld, the weights have %ld", kernel[i], t->w.dim[2 + i]);
        else if (kernel[i] > EXTENT_MAX / t->dilation[i] || t->x.dim[2 + i] > EXTENT_MAX / t->stride[i])
            make_no(b);
        else
            t->extent[i] = (kernel[i] - 1) * t->dilation[i] + 1;
    }
    read_pads(b, t);
}

/* The weights [C, M/g, ..] with the two first dimensions changed in each group. */
static int turned(struct onnx_build *b, const struct transposed *t, int w)
{
    long dim[RANK_MAX] = {t->group, t->w.dim[0] / t->group}, perm[RANK_MAX] = {0, 2, 1};

    for (int i = 1; i < t->w.rank; i++) {
        dim[i + 1] = t->w.dim[i];
        perm[i + 1] = i == 1 ? 1 : i + 1;
    }
    return make_transpose(b, make_reshape(b, w, dim, t->w.rank + 1), perm);
}

static int mirrored(struct onnx_build *b, const struct transposed *t, int w)
{
    long dim[RANK_MAX] = {t->w.dim[1] * t->group, t->w.dim[0] / t->group};

    for (int i = 0; i < t->n; i++)
        dim[2 + i] = t->w.dim[2 + i];
    w = make_reshape(b, turned(b, t, w), dim, t->w.rank);
    for (int i = 0; i < t->n && !b->st; i++) {
        long k = dim[2 + i], index[64];
        if (k > 64)
            make_no(b);
        for (long j = 0; j < k && k <= 64; j++)
            index[j] = k - 1 - j;
        if (k > 1)
            w = b->n->opset < 10 ? make_take(b, w, 2 + i, index, (int)k) : make_slice(b, w, 2 + i, k - 1, -1, k);
    }
    return w;
}

/* stride - 1 zeros after each place, the last included: cut to one place each by `right`. */
static int spaced(struct onnx_build *b, const struct transposed *t, int x, long *right)
{
    long dim[RANK_MAX] = {t->x.dim[0], t->x.dim[1]}, pads[2 * RANK_MAX] = {0}, wide[RANK_MAX] = {dim[0], dim[1]};
    int rank = 2;

    for (int i = 0; i < t->n; i++) {
        dim[rank++] = t->x.dim[2 + i];
        if (t->stride[i] > 1)
            dim[rank++] = 1;
        wide[2 + i] = t->x.dim[2 + i] * t->stride[i];
        right[i] = t->stride[i] - 1;
    }
    for (int i = 0, k = 2; i < t->n; i++) {
        k += 1 + (t->stride[i] > 1);
        if (t->stride[i] > 1)
            pads[rank + k - 1] = t->stride[i] - 1;
    }
    return make_reshape(b, make_pad(b, make_reshape(b, x, dim, rank), pads, "constant", 0), wide, 2 + t->n);
}

static int conv(struct onnx_build *b, const struct transposed *t, const int *in, const long *kernel, const long *dilation)
{
    long ones[RANK_MAX], none[2 * RANK_MAX] = {0};
    struct node_attr attr[5];

    for (int i = 0; i < t->n; i++)
        ones[i] = 1;
    attr[0] = make_is(b, "kernel_shape", kernel, t->n);
    attr[1] = make_is(b, "strides", ones, t->n);
    attr[2] = make_is(b, "pads", none, 2 * t->n);
    attr[3] = make_is(b, "dilations", dilation, t->n);
    attr[4] = make_i(b, "group", t->group);
    return make_op(b, OP_Conv, in, in[2] < 0 ? 2 : 3, attr, 5);
}

/* Dilated windows, and groups of three-dimensional images: zeros between the places. */
static int overlapping(struct onnx_build *b, const struct transposed *t, int x, int w, int bias)
{
    long right[RANK_MAX], pads[2 * RANK_MAX] = {0};
    int in[3] = {-1, make_folded(b, mirrored(b, t, w)), bias}, rank = 2 + t->n;

    x = spaced(b, t, x, right);
    for (int i = 0; i < t->n; i++) {
        pads[2 + i] = t->extent[i] - 1 - t->before[i];
        pads[rank + 2 + i] = t->extent[i] - 1 - t->after[i] + t->extra[i] - right[i];
    }
    in[0] = make_pad(b, x, pads, "constant", 0);
    return conv(b, t, in, t->w.dim + 2, t->dilation);
}

/* Undilated: cell stride * q + r of the result is made of the input's places q + u and the weights r + before - stride * u.
   For all r at once that is one Conv, of a window over all u, with stride times as many output channels. */
struct cells {
    long low[RANK_MAX], size[RANK_MAX]; /* the places u from low on */
    long places[RANK_MAX];              /* numbers q */
};

static long ceil_div(long a, long b) /* b > 0 */
{
    return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

static void read_cells(const struct transposed *t, struct cells *c)
{
    for (int i = 0; i < t->n; i++) {
        long s = t->stride[i], k = t->w.dim[2 + i], whole = s * (t->x.dim[2 + i] - 1) + t->extra[i] + k;
        c->low[i] = ceil_div(t->before[i] - k + 1, s);
        c->size[i] = (s - 1 + t->before[i]) / s - c->low[i] + 1;
        c->places[i] = ceil_div(whole - t->before[i] - t->after[i], s);
    }
}

enum { CELL_WEIGHTS_MAX = 4096 };

/* The weights along spatial dimension i for each r and u, zeros where there is none. */
static int cell_weights(struct onnx_build *b, const struct transposed *t, const struct cells *c, int w, int i)
{
    long s = t->stride[i], k = t->w.dim[2 + i], n = 0, index[CELL_WEIGHTS_MAX], pads[2 * RANK_MAX] = {0};
    bool same = s * c->size[i] == k, zero = false;

    if (s * c->size[i] > CELL_WEIGHTS_MAX) {
        make_no(b);
        return -1;
    }
    for (long r = 0; r < s; r++)
        for (long u = 0; u < c->size[i]; u++, n++) {
            long at = r + t->before[i] - s * (c->low[i] + u);
            index[n] = at >= 0 && at < k ? at : k;
            zero = zero || index[n] == k;
            same = same && index[n] == n;
        }
    pads[t->w.rank + 2 + i] = zero;
    return same ? w : make_take(b, make_pad(b, w, pads, "constant", 0), 2 + i, index, (int)n);
}

/* [C, M/g, k..] as the weights [M * cells, C/g, u..] of that Conv. */
static int block_weights(struct onnx_build *b, const struct transposed *t, const struct cells *c, int w, long channels)
{
    long split[RANK_MAX + 1], turn[RANK_MAX + 1], dim[RANK_MAX] = {channels, t->w.dim[0] / t->group};
    int g = t->group > 1, rank = g; /* a dimension of the groups where there are several */

    for (int i = 0; i < t->n; i++)
        w = cell_weights(b, t, c, w, i);
    if (2 + g + 2 * t->n > RANK_MAX)
        make_no(b);
    if (b->st)
        return -1;
    split[0] = t->group;
    split[rank++] = dim[1];
    split[rank++] = t->w.dim[1];
    for (int i = 0; i < t->n; i++) {
        split[rank++] = t->stride[i];
        split[rank++] = dim[2 + i] = c->size[i];
    }
    turn[0] = 0;
    turn[g] = g + 1;
    turn[g + 1 + t->n] = g;
    for (int i = 0; i < t->n; i++) {
        turn[g + 1 + i] = g + 2 + 2 * i;
        turn[g + 2 + t->n + i] = g + 3 + 2 * i;
    }
    return make_reshape(b, make_transpose(b, make_reshape(b, w, split, rank), turn), dim, t->w.rank);
}

/* [N, M * cells, places..] as the image of blocks. */
static int blocks(struct onnx_build *b, const struct transposed *t, const long *places, int y)
{
    long dim[RANK_MAX] = {t->x.dim[0], t->w.dim[1] * t->group}, perm[RANK_MAX] = {0, 1};

    for (int i = 0; i < t->n; i++) {
        dim[2 + i] = t->stride[i];
        dim[2 + t->n + i] = places[i];
        perm[2 + 2 * i] = 2 + t->n + i;
        perm[3 + 2 * i] = 2 + i;
    }
    y = make_transpose(b, make_reshape(b, y, dim, 2 + 2 * t->n), perm);
    for (int i = 0; i < t->n; i++)
        dim[2 + i] = places[i] * t->stride[i];
    return make_reshape(b, y, dim, 2 + t->n);
}

static int by_cells(struct onnx_build *b, const struct transposed *t, int x, int w, int bias)
{
    long count = 1, column[RANK_MAX] = {t->w.dim[1] * t->group}, ones[RANK_MAX], pads[2 * RANK_MAX] = {0};
    int in[3] = {-1, -1, -1}, rank = 2 + t->n, y;
    struct cells c;

    read_cells(t, &c);
    for (int i = 0; i < t->n; i++) {
        count *= t->stride[i];
        ones[i] = column[1 + i] = 1;
        pads[2 + i] = -c.low[i];
        pads[rank + 2 + i] = c.places[i] + c.size[i] - 1 - t->x.dim[2 + i] + c.low[i];
    }
    in[0] = make_pad(b, x, pads, "constant", 0);
    in[1] = make_folded(b, block_weights(b, t, &c, w, column[0] * count));
    y = blocks(b, t, c.places, conv(b, t, in, c.size, ones));
    for (int i = 0; i < t->n; i++)
        y = make_slice(b, y, 2 + i, 0, 1,
                       t->stride[i] * (t->x.dim[2 + i] - 1) + t->extra[i] + t->extent[i] - t->before[i] - t->after[i]);
    return bias < 0 ? y : make_binary(b, OP_Add, y, make_reshape(b, bias, column, 1 + t->n));
}

int expand_conv_transpose(struct onnx_build *b)
{
    struct transposed t = {.n = 0};
    int x = expand_real_input(b), w = expand_in(b, 1), bias = expand_in(b, 2);
    bool dilated = false;

    t.x = make_shape(b, x);
    t.w = make_shape(b, w);
    if (!b->st)
        read_window(b, &t);
    if (b->st)
        return -1;
    for (int i = 0; i < t.n; i++)
        dilated = dilated || t.dilation[i] != 1;
    return dilated || (t.n > 2 && t.group > 1) ? overlapping(b, &t, x, w, bias) : by_cells(b, &t, x, w, bias);
}

/* Poolings of ONNX made of other operators. */

int expand_image(struct onnx_build *b, struct shape *s)
{
    int x = expand_real_input(b);

    *s = make_shape(b, x);
    if (!b->st && (s->rank < 3 || shape_elems(s) == 0))
        make_no(b);
    return x;
}

int expand_sum_from(struct onnx_build *b, int x, int axis)
{
    struct shape s = make_shape(b, x);
    long axes[RANK_MAX];
    int n = 0;

    for (int i = axis; i < s.rank; i++)
        axes[n++] = i;
    return make_reduce(b, OP_ReduceSum, x, axes, n, true);
}

int expand_global_max_pool(struct onnx_build *b)
{
    struct shape s;
    int x = expand_image(b, &s), n = b->st ? 0 : s.rank - 2;
    long ones[RANK_MAX], none[2 * RANK_MAX] = {0};
    struct node_attr attr[5];

    for (int i = 0; i < n; i++)
        ones[i] = 1;
    attr[0] = make_is(b, "kernel_shape", s.dim + 2, n);
    attr[1] = make_is(b, "strides", ones, n);
    attr[2] = make_is(b, "pads", none, 2 * n);
    attr[3] = make_is(b, "dilations", ones, n);
    attr[4] = make_i(b, "ceil_mode", 0);
    return make_op(b, OP_MaxPool, &x, 1, attr, 5);
}

/* The power p of abs(x), and the root of a sum of such. */
static int power(struct onnx_build *b, int x)
{
    long p = onnx_attr_i(b->n, "p", 2);

    if (p < 1)
        make_no(b);
    if (p == 2)
        return make_binary(b, OP_Mul, x, x);
    x = make_unary(b, OP_Abs, x);
    return p == 1 ? x : make_with(b, OP_Pow, x, (double)p);
}

static int root(struct onnx_build *b, int x)
{
    long p = onnx_attr_i(b->n, "p", 2);

    if (p == 1 || b->st)
        return x;
    return p == 2 ? make_unary(b, OP_Sqrt, x) : make_with(b, OP_Pow, x, 1 / (double)p);
}

int expand_global_lp_pool(struct onnx_build *b)
{
    struct shape s;
    int x = expand_image(b, &s);

    return root(b, expand_sum_from(b, power(b, x), 2));
}

/* A window over an image: the sizes of the result, and the padding after the image that the last window needs. */
struct sums {
    struct onnx_window w;
    struct shape image;
    long out[RANK_MAX], after[RANK_MAX];
};

static void read_sums(struct onnx_build *b, struct sums *u)
{
    bool up = onnx_attr_i(b->n, "ceil_mode", 0) != 0;

    memset(&u->w, 0, sizeof u->w);
    if (!b->st)
        b->st = onnx_window_read(b->n, &u->w);
    for (int i = 0; i < u->w.n && !b->st; i++) {
        long in = u->image.dim[2 + i], extent = (u->w.kernel[i] - 1) * u->w.dilation[i] + 1;
        long room = in + u->w.pad[i] + u->w.pad[i + u->w.n] - extent;
        if (room < 0) {
            b->st = onnx_fail(b->n, CALQUE_BAD, "the window is larger than the padded input in spatial dimension %d", i);
            return;
        }
        u->out[i] = room / u->w.stride[i] + 1;
        u->after[i] = u->w.pad[i + u->w.n];
        /* a last window that would start beyond the input is dropped */
        if (up && !u->w.fixed_pads && room % u->w.stride[i] && u->out[i] * u->w.stride[i] < in + u->w.pad[i])
            u->after[i] = u->out[i]++ * u->w.stride[i] + extent - in - u->w.pad[i];
    }
}

/* The sums over the windows: a Conv of each channel by ones. */
static int window_sum(struct onnx_build *b, int x, const struct sums *u)
{
    struct shape ones = {u->w.n + 2, {u->image.dim[1], 1}};
    struct node_attr attr[5];
    struct tensor t;
    long pads[2 * RANK_MAX];
    int in[2] = {x, -1};

    for (int i = 0; i < u->w.n && !b->st; i++) {
        ones.dim[2 + i] = u->w.kernel[i];
        pads[i] = u->w.pad[i];
        pads[i + u->w.n] = u->after[i];
    }
    if (!b->st && (size_t)shape_elems(&ones) > ONNX_CONST_BUDGET / sizeof(double))
        make_no(b);
    if (!b->st)
        b->st = tensor_new(b->n->r->f.mem, make_dtype(b, x), &ones, &t, b->n->r->f.diag);
    if (b->st)
        return -1;
    for (long i = 0; i < shape_elems(&ones); i++) {
        if (t.dtype == DTYPE_F32)
            tensor_f32(&t)[i] = 1;
        else
            ((double *)t.data)[i] = 1;
    }
    in[1] = make_const(b, &t);
    attr[0] = make_is(b, "kernel_shape", u->w.kernel, u->w.n);
    attr[1] = make_is(b, "strides", u->w.stride, u->w.n);
    attr[2] = make_is(b, "pads", pads, 2 * u->w.n);
    attr[3] = make_is(b, "dilations", u->w.dilation, u->w.n);
    attr[4] = make_i(b, "group", u->image.dim[1]);
    return make_op(b, OP_Conv, in, 2, attr, 5);
}

int expand_lp_pool(struct onnx_build *b)
{
    struct sums u;
    int x = expand_image(b, &u.image);

    read_sums(b, &u);
    return root(b, window_sum(b, power(b, x), &u));
}

/* How many of the window's cells count at output i of spatial dimension k: those of the input, or of it and its padding. */
static double counted(const struct sums *u, int k, long i, bool include)
{
    long low = include ? -u->w.pad[k] : 0, high = u->image.dim[2 + k] + (include ? u->w.pad[k + u->w.n] : 0);
    double count = 0;

    for (long j = 0; j < u->w.kernel[k]; j++) {
        long at = i * u->w.stride[k] - u->w.pad[k] + j * u->w.dilation[k];
        count += at >= low && at < high;
    }
    return count;
}

/* The sums over the windows by the number of cells that count, a constant in the shape of one image. */
int expand_average(struct onnx_build *b)
{
    bool include = onnx_attr_i(b->n, "count_include_pad", 0) != 0;
    struct sums u;
    struct shape s = {.rank = 0};
    int x = expand_image(b, &u.image), count;
    bool varies = false;
    double *v;

    read_sums(b, &u);
    for (int i = 0; i < u.w.n; i++)
        s.dim[s.rank++] = u.out[i];
    if (!b->st && (size_t)shape_elems(&s) > ONNX_CONST_BUDGET / sizeof *v)
        make_no(b);
    if (b->st)
        return -1;
    v = mem_resize(b->n->r->f.mem, NULL, (size_t)shape_elems(&s), sizeof *v);
    if (!v) {
        b->st = diag_nomem(b->n->r->f.diag);
        return -1;
    }
    for (long i = 0; i < shape_elems(&s); i++) {
        long rest = i;
        v[i] = 1;
        for (int k = s.rank - 1; k >= 0; k--) {
            v[i] *= counted(&u, k, rest % s.dim[k], include);
            rest /= s.dim[k];
        }
        varies = varies || v[i] != v[0];
        if (v[i] == 0)
            make_no(b); /* a window without cells has no mean */
    }
    count = varies ? make_values(b, make_dtype(b, x), &s, v) : make_scalar(b, make_dtype(b, x), v[0]);
    mem_free(v);
    return make_binary(b, OP_Div, window_sum(b, x, &u), count);
}
