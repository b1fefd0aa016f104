/* Kernels of padding and broadcasting, and of the operators that take only the type of an input. */
#include "tensor/gen.h"

#include <string.h>

/* X at the output's places less the pads before, else the value. */
static void pad_constant(struct gen *x, const long *pad)
{
    const struct shape *in = gen_in(x, 0);
    double value = graph_attr_real(x->g, x->node, "value", 0);
    enum gen_guard guard = GUARD_NEVER;
    struct ixs at[RANK_MAX];

    gen_store(x, 'Y', 0, &x->out, NULL);
    for (int i = 0; i < in->rank; i++)
        at[i] = ix_plus(&x->var[i], -pad[i]);
    if (shape_elems(in) > 0)
        guard = gen_guard(x, at, in->dim, in->rank);
    if (guard == GUARD_NEVER) {
        gen_num(x, value);
    } else {
        gen_load(x, 'X', 0, in, at);
        if (guard == GUARD_SOME) {
            text_puts(x->t, ", ");
            gen_num(x, value);
            text_puts(x->t, ")");
        }
    }
    gen_end(x);
}

/* One dimension from `from`, with n cells, to x->var: what lies before and after is its edge or its mirror image. */
static void pad_dimension(struct gen *x, char tensor, int number, const struct shape *from, int dim, long lo, long hi,
                          bool reflect)
{
    long n = from->dim[dim];
    struct ixs at[RANK_MAX], inside = ix_plus(&x->var[dim], -lo), turned = ix_mul(&x->var[dim], -1);

    memcpy(at, x->var, sizeof at);
    if (lo > 0) {
        text_puts(x->t, "select(");
        gen_ix(x, &x->var[dim]);
        text_printf(x->t, " < %ld, ", lo);
        at[dim] = reflect ? ix_plus(&turned, lo) : ix_const(0);
        gen_load(x, tensor, number, from, at);
        text_puts(x->t, ", ");
    }
    if (hi > 0) {
        text_puts(x->t, "select(");
        gen_ix(x, &x->var[dim]);
        text_printf(x->t, " < %ld, ", lo + n);
    }
    at[dim] = n == 1 ? ix_const(0) : inside;
    gen_load(x, tensor, number, from, at);
    if (hi > 0) {
        text_puts(x->t, ", ");
        at[dim] = reflect ? ix_plus(&turned, lo + 2 * n - 2) : ix_const(n - 1);
        gen_load(x, tensor, number, from, at);
    }
    text_puts(x->t, lo > 0 && hi > 0 ? "))" : ")");
}

/* A statement for each dimension that grows. */
static void pad_repeated(struct gen *x, const long *pad, bool reflect)
{
    struct shape now = *gen_in(x, 0);
    int left = 0, part = 0;

    for (int i = 0; i < now.rank; i++)
        left += pad[i] > 0 || pad[i + now.rank] > 0;
    for (int i = 0; i < now.rank; i++) {
        struct shape from = now;
        long lo = pad[i], hi = pad[i + now.rank];
        if (lo == 0 && hi == 0)
            continue;
        now.dim[i] += lo + hi;
        left--;
        gen_store(x, left ? 'T' : 'Y', left ? part : 0, &now, NULL);
        pad_dimension(x, part ? 'T' : 'X', part ? part - 1 : 0, &from, i, lo, hi, reflect);
        gen_end(x);
        part++;
    }
}

static enum calque_status spread(struct gen *x)
{
    gen_store(x, 'Y', 0, &x->out, NULL);
    gen_spread(x, 0);
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_Pad(struct gen *x)
{
    const struct value *mode = &x->g->values->v[graph_attr(x->g, x->node, "mode")];
    const char *name = strs_text(x->g->strs, (int)mode->num);
    long pad[2 * RANK_MAX];

    graph_attr_ints(x->g, x->node, "pads", pad, 2 * RANK_MAX);
    if (strcmp(name, "constant") == 0)
        pad_constant(x, pad);
    else if (shape_equal(gen_in(x, 0), &x->out))
        return spread(x);
    else
        pad_repeated(x, pad, strcmp(name, "reflect") == 0);
    return CALQUE_OK;
}

enum calque_status gen_Expand(struct gen *x) { return spread(x); }
enum calque_status gen_BroadcastLike(struct gen *x) { return spread(x); }

/* Sums over the dimensions that the result lacks, or has with size 1. */
static enum calque_status collapse(struct gen *x)
{
    const struct shape *in = gen_in(x, 0);
    int more = in->rank - x->out.rank, n = 0;
    struct ixs at[RANK_MAX];
    long extent[RANK_MAX];

    gen_store(x, 'Y', 0, &x->out, NULL);
    for (int i = 0; i < in->rank; i++) {
        if (i >= more && x->out.dim[i - more] == in->dim[i]) {
            at[i] = x->var[i - more];
            continue;
        }
        at[i] = ix_bound(gen_reduced[n], in->dim[i]);
        extent[n++] = in->dim[i];
    }
    if (gen_reduce(x, "sum", gen_reduced, extent, n) != REDUCE_NONE)
        gen_load(x, 'X', 0, in, at);
    else
        gen_num(x, 0);
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_CollapseSum(struct gen *x) { return collapse(x); }
enum calque_status gen_CollapseSumLike(struct gen *x) { return collapse(x); }

static enum calque_status filled(struct gen *x, double value)
{
    gen_store(x, 'Y', 0, &x->out, NULL);
    gen_num(x, value);
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_ZerosLike(struct gen *x) { return filled(x, 0); }
enum calque_status gen_OnesLike(struct gen *x) { return filled(x, 1); }

enum calque_status gen_FullLike(struct gen *x)
{
    gen_store(x, 'Y', 0, &x->out, NULL);
    gen_spread(x, 1);
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_EyeLike(struct gen *x)
{
    struct ixs diagonal;

    gen_store(x, 'Y', 0, &x->out, NULL);
    diagonal = ix_plus(&x->var[0], graph_attr_int(x->g, x->node, "k", 0));
    text_puts(x->t, "select(");
    gen_ix(x, &x->var[1]);
    text_puts(x->t, " == ");
    gen_ix(x, &diagonal);
    text_puts(x->t, ", ");
    gen_num(x, 1);
    text_puts(x->t, ", ");
    gen_num(x, 0);
    text_puts(x->t, ")");
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_LayoutTransform(struct gen *x)
{
    const struct values *vs = x->g->values;
    const char *from = strs_text(x->g->strs, (int)vs->v[graph_attr(x->g, x->node, "src_layout")].num);
    const char *to = strs_text(x->g->strs, (int)vs->v[graph_attr(x->g, x->node, "dst_layout")].num);
    struct ixs at[RANK_MAX];

    gen_store(x, 'Y', 0, &x->out, NULL);
    for (int i = 0; i < x->out.rank; i++)
        at[strchr(from, to[i]) - from] = x->var[i];
    gen_load(x, 'X', 0, gen_in(x, 0), at);
    gen_end(x);
    return CALQUE_OK;
}
