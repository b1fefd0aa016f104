/* Kernels of the normalisations: statistics of groups of cells as temporaries, then each cell. */
#include "tensor/gen.h"

/* Which cells belong together. */
struct norm {
    struct shape rest;   /* of the statistics: one cell for each group */
    bool set[RANK_MAX];  /* the dimensions summed over */
    long share;          /* channels in a group, when dimension 1 is cut into groups; else 0 */
    const char *const *names;
    long extent[RANK_MAX];
    int n;
    double count;
};

static void norm_init(const struct gen *x, struct norm *m)
{
    m->names = gen_reduced;
    m->count = 1;
    for (int i = 0; i < x->out.rank; i++) {
        bool cut = i == 1 && m->share > 0;
        if (cut || !m->set[i])
            m->rest.dim[m->rest.rank++] = cut ? x->out.dim[i] / m->share : x->out.dim[i];
        if (cut || m->set[i]) {
            m->extent[m->n] = cut ? m->share : x->out.dim[i];
            m->count *= (double)m->extent[m->n++];
        }
    }
}

/* X's cells of the group at the statistics' variables. */
static void norm_cells(const struct gen *x, const struct norm *m, struct ixs *at)
{
    for (int i = 0, k = 0, r = 0; i < x->out.rank; i++) {
        bool cut = i == 1 && m->share > 0;
        if (cut) {
            struct ixs c = ix_bound(m->names[r++], m->share);
            at[i] = ix_mul(&x->var[k++], m->share);
            at[i] = ix_add(&at[i], &c);
        } else if (m->set[i]) {
            at[i] = ix_bound(m->names[r++], x->out.dim[i]);
        } else {
            at[i] = x->var[k++];
        }
    }
}

/* The group of the cell at X's variables. */
static void norm_own(const struct gen *x, const struct norm *m, struct ixs *at)
{
    for (int i = 0, k = 0; i < x->out.rank; i++)
        if (i == 1 && m->share > 0)
            at[k++] = ix_div(&x->var[i], m->share);
        else if (!m->set[i])
            at[k++] = x->var[i];
}

static void over_count(struct gen *x, const struct norm *m)
{
    if (m->count != 1) {
        text_puts(x->t, " / ");
        gen_num(x, m->count);
    }
}

/* The sum of X * X. */
static void square_sum(struct gen *x, const struct norm *m, const struct ixs *at)
{
    bool paren = gen_reduce(x, "sum", m->names, m->extent, m->n) == REDUCE_MANY;

    text_puts(x->t, paren ? "(" : "");
    gen_load(x, 'X', 0, &x->out, at);
    text_puts(x->t, " * ");
    gen_load(x, 'X', 0, &x->out, at);
    text_puts(x->t, paren ? ")" : "");
}

/* T0 = the mean, T1 = the mean square of X - T0. */
static void moments(struct gen *x, const struct norm *m)
{
    struct ixs at[RANK_MAX];
    bool paren;

    gen_store(x, 'T', 0, &m->rest, NULL);
    norm_cells(x, m, at);
    gen_reduce(x, "sum", m->names, m->extent, m->n);
    gen_load(x, 'X', 0, &x->out, at);
    over_count(x, m);
    gen_end(x);
    gen_store(x, 'T', 1, &m->rest, NULL);
    paren = gen_reduce(x, "sum", m->names, m->extent, m->n) == REDUCE_MANY;
    text_puts(x->t, paren ? "(" : "");
    for (int i = 0; i < 2; i++) {
        text_puts(x->t, i ? " * (" : "(");
        gen_load(x, 'X', 0, &x->out, at);
        text_puts(x->t, " - ");
        gen_load(x, 'T', 0, &m->rest, x->var);
        text_puts(x->t, ")");
    }
    text_puts(x->t, paren ? ")" : "");
    over_count(x, m);
    gen_end(x);
}

/* (X - T0) / sqrt(T1 + epsilon), left open for scale and bias. */
static void standard(struct gen *x, const struct norm *m)
{
    struct ixs own[RANK_MAX];

    gen_store(x, 'Y', 0, &x->out, NULL);
    norm_own(x, m, own);
    text_puts(x->t, "(");
    gen_spread(x, 0);
    text_puts(x->t, " - ");
    gen_load(x, 'T', 0, &m->rest, own);
    text_puts(x->t, ") / sqrt(");
    gen_load(x, 'T', 1, &m->rest, own);
    text_puts(x->t, " + ");
    gen_num(x, graph_attr_real(x->g, x->node, "epsilon", 0x1.4f8b58p-17));
    text_puts(x->t, ")");
}

enum calque_status gen_LayerNormalization(struct gen *x)
{
    struct norm m = {.rest = {.rank = 0}};

    for (int i = (int)graph_attr_int(x->g, x->node, "axis", 0); i < x->out.rank; i++)
        m.set[i] = true;
    norm_init(x, &m);
    moments(x, &m);
    standard(x, &m);
    text_puts(x->t, " * ");
    gen_spread(x, 1);
    if (gen_has(x, 2)) {
        text_puts(x->t, " + ");
        gen_spread(x, 2);
    }
    gen_end(x);
    return CALQUE_OK;
}

/* T0 = the root of the mean square, Y = X / T0 * scale. */
enum calque_status gen_RMSNormalization(struct gen *x)
{
    struct norm m = {.rest = {.rank = 0}};
    struct ixs at[RANK_MAX];

    for (int i = (int)graph_attr_int(x->g, x->node, "axis", 0); i < x->out.rank; i++)
        m.set[i] = true;
    norm_init(x, &m);
    gen_store(x, 'T', 0, &m.rest, NULL);
    norm_cells(x, &m, at);
    text_puts(x->t, "sqrt(");
    square_sum(x, &m, at);
    over_count(x, &m);
    text_puts(x->t, " + ");
    gen_num(x, graph_attr_real(x->g, x->node, "epsilon", 0x1.4f8b58p-17));
    text_puts(x->t, ")");
    gen_end(x);
    gen_store(x, 'Y', 0, &x->out, NULL);
    norm_own(x, &m, at);
    gen_spread(x, 0);
    text_puts(x->t, " / ");
    gen_load(x, 'T', 0, &m.rest, at);
    text_puts(x->t, " * ");
    gen_spread(x, 1);
    gen_end(x);
    return CALQUE_OK;
}

/* Scale and bias of the channel. */
static enum calque_status per_channel(struct gen *x, struct norm *m)
{
    norm_init(x, m);
    moments(x, m);
    standard(x, m);
    text_puts(x->t, " * ");
    gen_load(x, 'X', 1, gen_in(x, 1), &x->var[1]);
    text_puts(x->t, " + ");
    gen_load(x, 'X', 2, gen_in(x, 2), &x->var[1]);
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_InstanceNormalization(struct gen *x)
{
    struct norm m = {.rest = {.rank = 0}};

    for (int i = 2; i < x->out.rank; i++)
        m.set[i] = true;
    return per_channel(x, &m);
}

enum calque_status gen_GroupNormalization(struct gen *x)
{
    struct norm m = {.share = x->out.dim[1] / graph_attr_int(x->g, x->node, "num_groups", 1)};

    for (int i = 2; i < x->out.rank; i++)
        m.set[i] = true;
    return per_channel(x, &m);
}

/* T0 = before sum(..) of |X| or X * X, after. */
static void magnitude(struct gen *x, struct norm *m, long p, const char *before, const char *after)
{
    struct ixs at[RANK_MAX];
    bool paren;

    norm_init(x, m);
    gen_store(x, 'T', 0, &m->rest, NULL);
    norm_cells(x, m, at);
    text_puts(x->t, before);
    paren = gen_reduce(x, "sum", m->names, m->extent, m->n) == REDUCE_MANY && p == 2;
    text_puts(x->t, paren ? "(" : p == 1 ? "abs(" : "");
    gen_load(x, 'X', 0, &x->out, at);
    if (p == 2) {
        text_puts(x->t, " * ");
        gen_load(x, 'X', 0, &x->out, at);
    }
    text_puts(x->t, paren || p == 1 ? ")" : "");
    text_puts(x->t, after);
    gen_end(x);
}

/* Y = X / before T0 bound) */
static void quotient(struct gen *x, const struct norm *m, const char *before, double bound, const char *after)
{
    struct ixs own[RANK_MAX];

    gen_store(x, 'Y', 0, &x->out, NULL);
    norm_own(x, m, own);
    gen_spread(x, 0);
    text_printf(x->t, " / %s", before);
    gen_load(x, 'T', 0, &m->rest, own);
    text_puts(x->t, ", ");
    gen_num(x, bound);
    text_puts(x->t, after);
    gen_end(x);
}

/* A norm that is not 0 is at least the least positive number; with that in place of 0 the quotient is 0. */
enum calque_status gen_LpNormalization(struct gen *x)
{
    struct norm m = {.rest = {.rank = 0}};
    long p = graph_attr_int(x->g, x->node, "p", 2);

    m.set[graph_attr_int(x->g, x->node, "axis", 0)] = true;
    magnitude(x, &m, p, p == 2 ? "sqrt(" : "", p == 2 ? ")" : "");
    quotient(x, &m, "max(", x->dtype == DTYPE_F32 ? 0x1p-149 : 0x1p-1074, ")");
    return CALQUE_OK;
}

enum calque_status gen_L2Normalize(struct gen *x)
{
    struct norm m = {.rest = {.rank = 0}};
    long axes[RANK_MAX];
    int n = graph_attr_ints(x->g, x->node, "axes", axes, RANK_MAX);

    for (int i = 0; i < n; i++)
        m.set[axes[i]] = true;
    magnitude(x, &m, 2, "", "");
    quotient(x, &m, "sqrt(max(", graph_attr_real(x->g, x->node, "epsilon", 0x1.4f8b58p-17), "))");
    return CALQUE_OK;
}

enum calque_status gen_BiasAdd(struct gen *x)
{
    gen_store(x, 'Y', 0, &x->out, NULL);
    gen_spread(x, 0);
    text_puts(x->t, " + ");
    gen_load(x, 'X', 1, gen_in(x, 1), &x->var[graph_attr_int(x->g, x->node, "axis", 1)]);
    gen_end(x);
    return CALQUE_OK;
}
