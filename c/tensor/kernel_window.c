/* Kernels of convolution and pooling over any number of spatial dimensions. */
#include "tensor/gen.h"

#include <math.h>

struct window {
    int n;
    long size[RANK_MAX], stride[RANK_MAX], dilation[RANK_MAX], pad[2 * RANK_MAX];
    const char *names[RANK_MAX]; /* of the output: two leading ones, then spatial */
};

static void window_read(const struct gen *x, struct window *w, const char *channel)
{
    w->n = x->out.rank - 2;
    for (int i = 0; i < w->n; i++)
        w->dilation[i] = 1;
    graph_attr_ints(x->g, x->node, "kernel_shape", w->size, RANK_MAX);
    graph_attr_ints(x->g, x->node, "strides", w->stride, RANK_MAX);
    graph_attr_ints(x->g, x->node, "pads", w->pad, 2 * RANK_MAX);
    graph_attr_ints(x->g, x->node, "dilations", w->dilation, RANK_MAX);
    w->names[0] = "n";
    w->names[1] = channel;
    for (int i = 0; i < w->n; i++)
        w->names[2 + i] = gen_spatial(w->n)[i];
}

/* Positions in the input of the window's cell u,v.. at output y,x..: y*stride + u*dilation - pad. */
static void window_at(const struct window *w, const struct ixs *out, struct ixs *at)
{
    for (int i = 0; i < w->n; i++) {
        struct ixs u = ix_bound(gen_window(w->n)[i], w->size[i]);
        u = ix_mul(&u, w->dilation[i]);
        at[i] = ix_mul(&out[i], w->stride[i]);
        at[i] = ix_add(&at[i], &u);
        at[i] = ix_plus(&at[i], -w->pad[i]);
    }
}

enum calque_status gen_Conv(struct gen *x)
{
    const struct shape *in = gen_in(x, 0), *f = gen_in(x, 1);
    long group = graph_attr_int(x->g, x->node, "group", 1), extent[RANK_MAX];
    const char *names[RANK_MAX] = {"c"};
    struct ixs at[RANK_MAX], weight[RANK_MAX], c = ix_bound("c", f->dim[1]);
    enum gen_reduction terms;
    enum gen_guard guard;
    struct window w;

    window_read(x, &w, "o");
    gen_store(x, 'Y', 0, &x->out, w.names);
    at[0] = x->var[0];
    at[1] = ix_div(&x->var[1], f->dim[0] / group);
    at[1] = ix_mul(&at[1], f->dim[1]);
    at[1] = ix_add(&at[1], &c);
    window_at(&w, x->var + 2, at + 2);
    weight[0] = x->var[1];
    weight[1] = c;
    extent[0] = f->dim[1];
    for (int i = 0; i < w.n; i++) {
        names[1 + i] = gen_window(w.n)[i];
        extent[1 + i] = w.size[i];
        weight[2 + i] = ix_bound(names[1 + i], w.size[i]);
    }
    terms = gen_reduce(x, "sum", names, extent, 1 + w.n);
    if (terms == REDUCE_NONE) {
        gen_num(x, 0);
    } else if ((guard = gen_guard(x, at, in->dim, in->rank)) == GUARD_NEVER) {
        gen_num(x, 0);
    } else {
        bool paren = guard == GUARD_NONE && terms == REDUCE_MANY;
        text_puts(x->t, paren ? "(" : "");
        gen_load(x, 'X', 0, in, at);
        text_puts(x->t, " * ");
        gen_load(x, 'X', 1, f, weight);
        text_puts(x->t, paren ? ")" : guard == GUARD_SOME ? ", 0x0p+0)" : "");
    }
    if (gen_has(x, 2)) {
        text_puts(x->t, " + ");
        gen_load(x, 'X', 2, gen_in(x, 2), &x->var[1]);
    }
    gen_end(x);
    return CALQUE_OK;
}

/* reduce(u<..,v<..) select(in range, X, otherwise) */
static void pool(struct gen *x, const struct window *w, const char *reduce, double otherwise)
{
    struct ixs at[RANK_MAX] = {x->var[0], x->var[1]};
    enum gen_guard guard;

    window_at(w, x->var + 2, at + 2);
    gen_reduce(x, reduce, gen_window(w->n), w->size, w->n);
    guard = gen_guard(x, at, gen_in(x, 0)->dim, w->n + 2);
    gen_load(x, 'X', 0, gen_in(x, 0), at);
    if (guard == GUARD_SOME) {
        text_puts(x->t, ", ");
        gen_num(x, otherwise);
        text_puts(x->t, ")");
    }
}

static enum calque_status pool_input(struct gen *x)
{
    if (dtype_is_int(x->dtype))
        return gen_bad(x, "element type %s: no kernel", dtype_name(x->dtype));
    if (shape_elems(gen_in(x, 0)) == 0)
        return gen_bad(x, "pooling over an empty input has no kernel");
    return CALQUE_OK;
}

enum calque_status gen_MaxPool(struct gen *x)
{
    struct window w;
    enum calque_status s = pool_input(x);

    if (s)
        return s;
    window_read(x, &w, "c");
    gen_store(x, 'Y', 0, &x->out, w.names);
    pool(x, &w, "amax", -HUGE_VAL);
    gen_end(x);
    return CALQUE_OK;
}

/* Cells of each window that count: T0 over the spatial output, unless it is the same everywhere.
   With count_include_pad the padding counts, but not what ceil_mode reaches beyond it. */
static bool count_cells(struct gen *x, const struct window *w, long *all)
{
    struct shape spatial = {.rank = w->n};
    bool include = graph_attr_int(x->g, x->node, "count_include_pad", 0), varies = false;
    struct ixs at[RANK_MAX];
    long limit[RANK_MAX], lo, hi;
    struct ixs *var = x->var;

    *all = 1;
    for (int i = 0; i < w->n; i++) {
        spatial.dim[i] = x->out.dim[2 + i];
        var[i] = ix_var(w->names[2 + i], spatial.dim[i]);
        *all *= w->size[i];
    }
    window_at(w, var, at);
    for (int i = 0; i < w->n; i++) {
        limit[i] = gen_in(x, 0)->dim[2 + i];
        if (include) {
            at[i] = ix_plus(&at[i], w->pad[i]);
            limit[i] += w->pad[i] + w->pad[i + w->n];
        }
        ix_range(&at[i], &lo, &hi);
        varies = varies || lo < 0 || hi >= limit[i];
    }
    if (!varies)
        return false;
    gen_store(x, 'T', 0, &spatial, w->names + 2);
    gen_reduce(x, "sum", gen_window(w->n), w->size, w->n);
    gen_guard(x, at, limit, w->n);
    text_puts(x->t, "0x1p+0, 0x0p+0)");
    gen_end(x);
    return true;
}

enum calque_status gen_AveragePool(struct gen *x)
{
    struct window w;
    struct shape spatial = {.rank = x->out.rank - 2};
    enum calque_status s = pool_input(x);
    long all;
    bool varies;

    if (s)
        return s;
    window_read(x, &w, "c");
    varies = count_cells(x, &w, &all);
    gen_store(x, 'Y', 0, &x->out, w.names);
    pool(x, &w, "sum", 0.0);
    text_puts(x->t, " / ");
    for (int i = 0; i < w.n; i++)
        spatial.dim[i] = x->out.dim[2 + i];
    if (varies)
        gen_load(x, 'T', 0, &spatial, x->var + 2);
    else
        gen_num(x, (double)all);
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_GlobalAveragePool(struct gen *x)
{
    const struct shape *in = gen_in(x, 0);
    int n = in->rank - 2;
    struct ixs at[RANK_MAX];
    struct shape all = *in;

    all.dim[0] = all.dim[1] = 1;
    gen_store(x, 'Y', 0, &x->out, NULL);
    at[0] = x->var[0];
    at[1] = x->var[1];
    for (int i = 0; i < n; i++)
        at[2 + i] = ix_bound(gen_spatial(n)[i], in->dim[2 + i]);
    if (gen_reduce(x, "sum", gen_spatial(n), in->dim + 2, n) != REDUCE_NONE)
        gen_load(x, 'X', 0, in, at);
    else
        gen_num(x, 0);
    text_puts(x->t, " / ");
    gen_num(x, (double)shape_elems(&all));
    gen_end(x);
    return CALQUE_OK;
}
