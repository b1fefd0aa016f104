/* Convolution and pooling: auto_pad and defaults resolved, so that the attributes say the whole window. */
#include "onnx/expand.h"

#include <string.h>

#define WINDOW_MAX ((long)1 << 31) /* keeps the arithmetic below far from overflow */

static enum calque_status read_list(const struct onnx_node *n, const char *label, size_t want,
                                    long least, long *out)
{
    struct onnx_list l;
    enum calque_status st = onnx_list_get(n, label, -1, &l);

    if (st || !l.given)
        return st;
    if (l.n != want)
        return onnx_fail(n, CALQUE_BAD, "attribute '%s' must have %zu elements, has %zu", label,
                         want, l.n);
    for (size_t i = 0; i < want; i++) {
        if (l.a[i] < least || l.a[i] > WINDOW_MAX)
            return onnx_fail(n, CALQUE_BAD, "attribute '%s': %ld is out of range", label, l.a[i]);
        out[i] = l.a[i];
    }
    return CALQUE_OK;
}

/* auto_pad SAME_*: output = ceil(input / stride); the odd cell of padding goes to the end for
   SAME_UPPER, to the beginning for SAME_LOWER. */
static enum calque_status resolve_pads(const struct onnx_node *n, struct onnx_window *w)
{
    const Onnx__AttributeProto *a = onnx_attr(n, "auto_pad");
    const struct shape *x = onnx_in_shape(n, 0);
    bool upper;

    if (!a || onnx_attr_is(a, "NOTSET") || a->s.len == 0)
        return read_list(n, "pads", 2 * (size_t)w->n, 0, w->pad);
    w->fixed_pads = true;
    upper = onnx_attr_is(a, "SAME_UPPER");
    if (onnx_attr_is(a, "VALID"))
        return CALQUE_OK;
    if (!upper && !onnx_attr_is(a, "SAME_LOWER"))
        return onnx_fail(n, CALQUE_BAD, "auto_pad must be NOTSET, SAME_UPPER, SAME_LOWER or VALID");
    for (int i = 0; i < w->n; i++) {
        long in = x->dim[2 + i], extent = (w->kernel[i] - 1) * w->dilation[i] + 1;
        long out = in / w->stride[i] + (in % w->stride[i] != 0);
        long total = (out - 1) * w->stride[i] + extent - in;
        if (total < 0)
            total = 0;
        w->pad[i] = upper ? total / 2 : total - total / 2;
        w->pad[i + w->n] = total - w->pad[i];
    }
    return CALQUE_OK;
}

enum calque_status onnx_window_read(const struct onnx_node *n, struct onnx_window *w)
{
    size_t k;
    enum calque_status st;

    for (int i = 0; i < RANK_MAX; i++)
        w->stride[i] = w->dilation[i] = 1;
    if (onnx_in_rank(n, 0) < 2)
        return onnx_in_rank(n, 0) < 0 ? onnx_no(n, "with an input 0 of unknown shape")
                                      : onnx_fail(n, CALQUE_BAD, "input 0 has rank %d, not 3 or more",
                                                  onnx_in_rank(n, 0));
    w->n = onnx_in_rank(n, 0) - 2;
    k = (size_t)w->n;
    st = read_list(n, "kernel_shape", k, 1, w->kernel);
    if (!st)
        st = read_list(n, "strides", k, 1, w->stride);
    if (!st)
        st = read_list(n, "dilations", k, 1, w->dilation);
    return st ? st : resolve_pads(n, w);
}

static void set_window(struct onnx_node *n, const struct onnx_window *w, bool dilations)
{
    onnx_set_is(n, "kernel_shape", w->kernel, (size_t)w->n);
    onnx_set_is(n, "strides", w->stride, (size_t)w->n);
    onnx_set_is(n, "pads", w->pad, 2 * (size_t)w->n);
    if (dilations)
        onnx_set_is(n, "dilations", w->dilation, (size_t)w->n);
}

enum calque_status canonical_conv(struct onnx_node *n)
{
    struct onnx_window w = {0};
    const struct shape *f = onnx_in_shape(n, 1);
    enum calque_status st;

    if (f->rank < 0 || onnx_in_rank(n, 0) < 0)
        return onnx_no(n, "with an input %d of unknown shape", f->rank < 0);
    if (f->rank != onnx_in_rank(n, 0))
        return onnx_fail(n, CALQUE_BAD, "input 0 has rank %d, the weights rank %d",
                         onnx_in_rank(n, 0), f->rank);
    for (int i = 2; i < f->rank; i++)
        w.kernel[i - 2] = f->dim[i];
    st = onnx_window_read(n, &w);
    if (st)
        return st;
    set_window(n, &w, true);
    onnx_set_i(n, "group", onnx_attr_i(n, "group", 1));
    return CALQUE_OK;
}

enum calque_status canonical_pool(struct onnx_node *n)
{
    struct onnx_window w = {0};
    enum calque_status st;

    if (n->nout > 1)
        return onnx_no(n, "with an Indices output");
    st = onnx_window_read(n, &w);
    if (st)
        return st;
    for (int i = 0; n->op == OP_AveragePool && i < w.n; i++)
        if (w.dilation[i] != 1) /* the internal form has none */
            return onnx_expand_by(n, expand_average);
    set_window(n, &w, n->op == OP_MaxPool);
    onnx_set_i(n, "ceil_mode", !w.fixed_pads && onnx_attr_i(n, "ceil_mode", 0) != 0);
    if (n->op == OP_AveragePool)
        onnx_set_i(n, "count_include_pad", onnx_attr_i(n, "count_include_pad", 0) != 0);
    return CALQUE_OK;
}
