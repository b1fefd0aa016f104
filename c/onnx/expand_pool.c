/* Poolings of ONNX made of other operators. */
#include "onnx/expand.h"

#include <string.h>

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
