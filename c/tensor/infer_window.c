/* Type rules of convolution and pooling. */
#include "tensor/op_internal.h"

#include <string.h>

struct window {
    int n; /* spatial dimensions */
    long size[RANK_MAX], stride[RANK_MAX], dilation[RANK_MAX], pad[2 * RANK_MAX];
    bool ceil;
};

static enum calque_status spatial(struct infer *x, struct window *w)
{
    memset(w, 0, sizeof *w);
    if (x->out.rank < 3)
        return infer_bad(x, "input 0 has rank %d, expected at least 3", x->out.rank);
    w->n = x->out.rank - 2;
    for (int i = 0; i < w->n; i++)
        w->dilation[i] = 1;
    return CALQUE_OK;
}

static enum calque_status strides_pads(struct infer *x, struct window *w)
{
    enum calque_status s = infer_ints(x, "strides", w->n, 1, 1, w->stride);
    return s ? s : infer_ints(x, "pads", 2 * w->n, 0, 0, w->pad);
}

/* Output size of spatial dimension i over `in` cells, -1 if the window does not fit. With ceil_mode a
   last window that would start beyond input and left padding is dropped (as ONNX Runtime does). */
static long window_count(const struct window *w, int i, long in)
{
    long extent = (w->size[i] - 1) * w->dilation[i] + 1;
    long room = in + w->pad[i] + w->pad[i + w->n] - extent, n;

    if (room < 0)
        return -1;
    n = room / w->stride[i] + 1;
    if (w->ceil && room % w->stride[i] != 0 && n * w->stride[i] < in + w->pad[i])
        n++;
    return n;
}

static enum calque_status window_shape(struct infer *x, const struct window *w)
{
    for (int i = 0; i < w->n; i++) {
        long in = infer_in(x, 0)->dim[2 + i], n = window_count(w, i, in);
        if (n < 0)
            return infer_bad(x, "window of extent %ld is larger than the padded input %ld in spatial dimension %d",
                             (w->size[i] - 1) * w->dilation[i] + 1,
                             in + w->pad[i] + w->pad[i + w->n], i);
        x->out.dim[2 + i] = n;
    }
    return CALQUE_OK;
}

/* kernel_shape of Conv follows from the weights; one that is there must agree with them. */
static enum calque_status conv_kernel(struct infer *x, struct window *w)
{
    const struct shape *f = infer_in(x, 1);
    enum calque_status s;

    if (graph_attr(x->g, x->node, "kernel_shape") < 0 &&
        (s = infer_put(x, "kernel_shape", f->dim + 2, w->n)))
        return s;
    if ((s = infer_ints(x, "kernel_shape", w->n, 0, 1, w->size)))
        return s;
    for (int i = 0; i < w->n; i++)
        if (w->size[i] != f->dim[2 + i])
            return infer_bad(x, "kernel_shape has %ld, the weights have %ld in spatial dimension %d",
                             w->size[i], f->dim[2 + i], i);
    return CALQUE_OK;
}

enum calque_status infer_Conv(struct infer *x)
{
    struct window w;
    enum calque_status s = infer_same_type(x);
    const struct shape *in = infer_in(x, 0), *f = infer_in(x, 1);
    long group;

    if (s || (s = spatial(x, &w)) || (s = infer_rank(x, 1, in->rank)) ||
        (s = conv_kernel(x, &w)) || (s = strides_pads(x, &w)) ||
        (s = infer_ints(x, "dilations", w.n, 1, 1, w.dilation)) ||
        (s = infer_int(x, "group", 1, ATTR_INT_MAX, &group)))
        return s;
    if (in->dim[1] % group != 0 || in->dim[1] / group != f->dim[1])
        return infer_bad(x, "input has %ld channels, the weights take %ld in each of %ld groups",
                         in->dim[1], f->dim[1], group);
    if (f->dim[0] % group != 0)
        return infer_bad(x, "%ld output channels in %ld groups", f->dim[0], group);
    if (infer_has(x, 2) && (s = infer_vector(x, 2, f->dim[0])))
        return s;
    x->out.dim[1] = f->dim[0];
    return window_shape(x, &w);
}

static enum calque_status pool(struct infer *x, struct window *w)
{
    enum calque_status s = spatial(x, w);
    long up;

    if (s || (s = infer_ints(x, "kernel_shape", w->n, 0, 1, w->size)) ||
        (s = strides_pads(x, w)) || (s = infer_int(x, "ceil_mode", 0, 1, &up)))
        return s;
    w->ceil = up;
    return CALQUE_OK;
}

/* A window that lies in the padding would have no maximum and no mean. */
static enum calque_status pool_shape(struct infer *x, const struct window *w)
{
    for (int i = 0; i < w->n; i++) {
        long extent = (w->size[i] - 1) * w->dilation[i] + 1;
        long pad = w->pad[i] > w->pad[i + w->n] ? w->pad[i] : w->pad[i + w->n];
        if (pad >= extent)
            return infer_bad(x, "padding %ld is not less than the window's extent %ld in spatial dimension %d",
                             pad, extent, i);
    }
    return window_shape(x, w);
}

enum calque_status infer_MaxPool(struct infer *x)
{
    struct window w;
    enum calque_status s = pool(x, &w);

    if (s || (s = infer_ints(x, "dilations", w.n, 1, 1, w.dilation)))
        return s;
    return pool_shape(x, &w);
}

enum calque_status infer_AveragePool(struct infer *x)
{
    struct window w;
    enum calque_status s = pool(x, &w);
    long include;

    if (s || (s = infer_int(x, "count_include_pad", 0, 1, &include)))
        return s;
    return pool_shape(x, &w);
}

enum calque_status infer_GlobalAveragePool(struct infer *x)
{
    struct window w;
    enum calque_status s = spatial(x, &w);

    for (int i = 0; i < w.n; i++)
        x->out.dim[2 + i] = 1;
    return s;
}
