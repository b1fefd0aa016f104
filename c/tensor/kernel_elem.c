/* Kernels of the elementwise operators (elementwise.def), reductions and products. Truth values are 1 and 0 of the type that is
   computed on; booleans are converted as they are loaded and stored. */
#include "tensor/gen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum calque_status gen_Opaque(struct gen *x)
{
    return gen_bad(x, "an unknown operator has no kernel");
}

/* The number between braces: an attribute's, or the one that stands there. Returns its closing brace. */
static const char *parameter(struct gen *x, const char *open)
{
    char label[24];
    size_t n = strcspn(open + 1, "}");

    snprintf(label, sizeof label, "%.*s", (int)n, open + 1);
    gen_num(x, *label >= '0' && *label <= '9' ? strtod(label, NULL) : graph_attr_real(x->g, x->node, label, 0));
    return open + 1 + n;
}

/* Y0 = text, where a digit stands for the input of that number, # for 0 and ! for 1, braces for a parameter. */
static enum calque_status formula(struct gen *x, const char *text)
{
    gen_store(x, 'Y', 0, &x->out, NULL);
    for (; *text; text++)
        if (*text == '{')
            text = parameter(x, text);
        else if (*text >= '0' && *text <= '9')
            gen_spread(x, *text - '0');
        else if (*text == '#' || *text == '!')
            gen_num(x, *text == '!');
        else
            text_put(x->t, text, 1);
    gen_end(x);
    return CALQUE_OK;
}

/* The same for functions that kernels have for floats only. */
static enum calque_status floats(struct gen *x, const char *text)
{
    if (dtype_is_int(x->dtype))
        return gen_bad(x, "element type %s: no kernel", dtype_name(x->dtype));
    return formula(x, text);
}

/* An infinite bound is none. */
enum calque_status gen_Clip(struct gen *x)
{
    double lo = graph_attr_real(x->g, x->node, "min", -HUGE_VAL), hi = graph_attr_real(x->g, x->node, "max", HUGE_VAL);

    gen_store(x, 'Y', 0, &x->out, NULL);
    text_puts(x->t, isinf(hi) && hi > 0 ? "" : "min(");
    text_puts(x->t, isinf(lo) && lo < 0 ? "" : "max(");
    gen_spread(x, 0);
    for (int k = 0; k < 2; k++) {
        double bound = k ? hi : lo;
        if (isinf(bound) && (k ? bound > 0 : bound < 0))
            continue;
        text_puts(x->t, ", ");
        gen_num(x, bound);
        text_puts(x->t, ")");
    }
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_LeakyRelu(struct gen *x)
{
    gen_store(x, 'Y', 0, &x->out, NULL);
    text_puts(x->t, "max(");
    gen_spread(x, 0);
    text_puts(x->t, ", 0x0p+0) + ");
    gen_num(x, graph_attr_real(x->g, x->node, "alpha", 0x1.47ae14p-7));
    text_puts(x->t, " * min(");
    gen_spread(x, 0);
    text_puts(x->t, ", 0x0p+0)");
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_Cast(struct gen *x) { return formula(x, "0"); }

enum calque_status gen_Abs(struct gen *x)
{
    return formula(x, "abs(0)");
}

enum { FOLD_MAX = 128 }; /* inputs of one statement: expressions have a limited depth */

/* The left fold of inputs from..to-1 after statement T<part-1>, if there is one: "a op b op c" with a blank before
   op, else "op(op(a, b), c)". */
static void fold_part(struct gen *x, const char *op, int part, int from, int to)
{
    bool infix = *op == ' ', first = true;

    for (int k = from + (part == 0); k < to && !infix; k++)
        text_puts(x->t, op);
    if (part > 0) {
        gen_load(x, 'T', part - 1, &x->out, x->var);
        first = false;
    }
    for (int k = from; k < to; k++, first = false) {
        text_puts(x->t, first ? "" : infix ? op : ", ");
        gen_spread(x, k);
        text_puts(x->t, first || infix ? "" : ")");
    }
}

static enum calque_status fold(struct gen *x, const char *op)
{
    for (int from = 0, part = 0; from < x->nin; part++) {
        int to = x->nin - from > FOLD_MAX ? from + FOLD_MAX : x->nin;
        gen_store(x, to < x->nin ? 'T' : 'Y', to < x->nin ? part : 0, &x->out, NULL);
        fold_part(x, op, part, from, to);
        gen_end(x);
        from = to;
    }
    return CALQUE_OK;
}

enum calque_status gen_Pow(struct gen *x)
{
    if (dtype_is_int(x->dtype))
        return gen_bad(x, "element type %s: no kernel", dtype_name(x->dtype));
    return fold(x, "pow(");
}

/* ONNX truncates integer quotients, kernels have the floor: one more where that is below 0 and there is a rest. */
enum calque_status gen_Div(struct gen *x)
{
    return dtype_is_int(x->dtype) ? formula(x, "0 // 1 + when(less(0 // 1, #), ! - equal(0 // 1 * 1, 0))") : fold(x, " / ");
}

/* Over the marked dimensions of X: T0 the greatest, T1 = exp(X - T0), T2 the sum, Y = T1 / T2; or
   T1 = X - T0, T2 = log of the sum of exp(T1), Y = T1 - T2. */
static enum calque_status softmax(struct gen *x, bool logarithm)
{
    const struct shape *s = &x->out;
    int axis = (int)graph_attr_int(x->g, x->node, "axis", 0);
    int end = graph_attr_int(x->g, x->node, "flatten", 0) ? s->rank : axis + 1;
    struct shape rest = {.rank = 0};
    struct ixs at[RANK_MAX], outer[RANK_MAX];
    const char *const *names = gen_reduced;

    for (int i = 0; i < s->rank; i++)
        if (i < axis || i >= end)
            rest.dim[rest.rank++] = s->dim[i];
    for (int pass = 0; pass < 4; pass++) {
        bool whole = pass == 1 || pass == 3;
        gen_store(x, whole && pass == 3 ? 'Y' : 'T', pass == 3 ? 0 : pass, whole ? s : &rest, NULL);
        for (int i = 0, k = 0; i < s->rank; i++) {
            bool inner = i >= axis && i < end;
            at[i] = whole ? x->var[i] : inner ? ix_bound(names[i - axis], s->dim[i]) : x->var[k];
            if (!inner)
                outer[k++] = at[i];
        }
        text_puts(x->t, pass == 2 && logarithm ? "log(" : "");
        if (!whole)
            gen_reduce(x, pass ? "sum" : "amax", names, s->dim + axis, end - axis);
        text_puts(x->t, pass == 1 + logarithm ? "exp(" : "");
        gen_load(x, pass < 2 ? 'X' : 'T', pass < 2 ? 0 : 1, s, at);
        if (whole) {
            text_puts(x->t, pass == 1 || logarithm ? " - " : " / ");
            gen_load(x, 'T', pass == 1 ? 0 : 2, &rest, outer);
        }
        text_puts(x->t, pass == 1 + logarithm ? ")" : "");
        text_puts(x->t, pass == 2 && logarithm ? ")" : "");
        gen_end(x);
    }
    return CALQUE_OK;
}

enum calque_status gen_Softmax(struct gen *x) { return softmax(x, false); }
enum calque_status gen_LogSoftmax(struct gen *x) { return softmax(x, true); }

/* X / pow(bias + alpha/size * sum X*X, beta): the window reaches (size-1)/2 channels down, the rest up. */
enum calque_status gen_LRN(struct gen *x)
{
    const struct graph *g = x->g;
    const struct shape *s = &x->out;
    static const char *const names[] = {"s"};
    long size = graph_attr_int(g, x->node, "size", 1);
    float alpha = (float)graph_attr_real(g, x->node, "alpha", 0x1.a36e2ep-14);
    struct ixs at[RANK_MAX], reach = ix_bound("s", size);
    enum gen_guard guard;

    gen_store(x, 'Y', 0, s, NULL);
    memcpy(at, x->var, sizeof at);
    at[1] = ix_add(&at[1], &reach);
    at[1] = ix_plus(&at[1], -((size - 1) / 2));
    gen_load(x, 'X', 0, s, x->var);
    text_puts(x->t, " / pow(");
    gen_num(x, graph_attr_real(g, x->node, "bias", 1.0));
    text_puts(x->t, " + ");
    gen_num(x, alpha / (float)size);
    text_puts(x->t, " * ");
    gen_reduce(x, "sum", names, &size, 1);
    guard = gen_guard(x, at, s->dim, s->rank);
    text_puts(x->t, guard == GUARD_NONE ? "(" : "");
    gen_load(x, 'X', 0, s, at);
    text_puts(x->t, " * ");
    gen_load(x, 'X', 0, s, at);
    text_puts(x->t, guard == GUARD_NONE ? "), " : ", 0x0p+0), ");
    gen_num(x, graph_attr_real(g, x->node, "beta", 0.75));
    text_puts(x->t, ")");
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_BatchNormalization(struct gen *x)
{
    static const char *const after[] = {"", " * ", " + "};
    struct ixs channel;

    gen_store(x, 'Y', 0, &x->out, NULL);
    channel = x->out.rank > 1 ? x->var[1] : ix_const(0);
    text_puts(x->t, "(");
    gen_spread(x, 0);
    text_puts(x->t, " - ");
    gen_load(x, 'X', 3, gen_in(x, 3), &channel);
    text_puts(x->t, ") / sqrt(");
    gen_load(x, 'X', 4, gen_in(x, 4), &channel);
    text_puts(x->t, " + ");
    gen_num(x, graph_attr_real(x->g, x->node, "epsilon", 0x1.4f8b58p-17));
    text_puts(x->t, ")");
    for (int k = 1; k < 3; k++) {
        text_puts(x->t, after[k]);
        gen_load(x, 'X', k, gen_in(x, k), &channel);
    }
    gen_end(x);
    return CALQUE_OK;
}

/* "sum(k<K) (A * B)"; scaled: as the right operand of a product. */
static void product(struct gen *x, long inner, const struct ixs *a, const struct ixs *b, bool scaled)
{
    static const char *const names[] = {"a"};
    enum gen_reduction terms = gen_reduce(x, "sum", names, &inner, 1);
    bool paren = scaled || terms == REDUCE_MANY;

    if (terms == REDUCE_NONE) {
        gen_num(x, 0);
        return;
    }
    text_puts(x->t, paren ? "(" : "");
    gen_load(x, 'X', 0, gen_in(x, 0), a);
    text_puts(x->t, " * ");
    gen_load(x, 'X', 1, gen_in(x, 1), b);
    text_puts(x->t, paren ? ")" : "");
}

/* "factor * " unless it is 1; was it written? */
static bool scale(struct gen *x, double factor)
{
    if ((float)factor == 1.0f)
        return false;
    gen_num(x, factor);
    text_puts(x->t, " * ");
    return true;
}

/* beta = 0 drops C, as BLAS does (0 * infinity does not arise). */
enum calque_status gen_Gemm(struct gen *x)
{
    const struct graph *g = x->g;
    long ta = graph_attr_int(g, x->node, "transA", 0), tb = graph_attr_int(g, x->node, "transB", 0);
    long inner = gen_in(x, 0)->dim[!ta];
    double beta = graph_attr_real(g, x->node, "beta", 1.0);
    struct ixs a[2], b[2], k = ix_bound("a", inner);
    bool scaled;

    if (dtype_is_int(x->dtype))
        return gen_bad(x, "element type %s: no kernel", dtype_name(x->dtype));
    gen_store(x, 'Y', 0, &x->out, NULL);
    a[ta] = x->var[0];
    a[!ta] = k;
    b[tb] = k;
    b[!tb] = x->var[1];
    scaled = scale(x, graph_attr_real(g, x->node, "alpha", 1.0));
    product(x, inner, a, b, scaled);
    if (gen_has(x, 2) && (float)beta != 0.0f) {
        text_puts(x->t, " + ");
        scale(x, beta);
        gen_spread(x, 2);
    }
    gen_end(x);
    return CALQUE_OK;
}

/* Indices of one operand: broadcast batch dimensions from the right, then its rows or columns. */
static void operand(struct gen *x, int k, int batch, const struct ixs *last, int nlast, struct ixs *at)
{
    const struct shape *s = gen_in(x, k);
    int own = s->rank - nlast;

    for (int i = 0; i < own; i++) {
        int j = i + batch - own;
        at[i] = s->dim[i] == x->out.dim[j] ? x->var[j] : ix_const(0);
    }
    for (int i = 0; i < nlast; i++)
        at[own + i] = last[i];
}

enum calque_status gen_MatMul(struct gen *x)
{
    const struct shape *p = gen_in(x, 0), *q = gen_in(x, 1);
    bool vp = p->rank == 1, vq = q->rank == 1;
    int batch = x->out.rank - !vp - !vq;
    long inner = p->dim[p->rank - 1];
    struct ixs a[RANK_MAX], b[RANK_MAX], last[2], k = ix_bound("a", inner);

    gen_store(x, 'Y', 0, &x->out, NULL);
    last[0] = vp ? k : x->var[batch];
    last[1] = k;
    operand(x, 0, batch, last, vp ? 1 : 2, a);
    last[0] = k;
    last[1] = vq ? k : x->var[x->out.rank - 1];
    operand(x, 1, batch, last, vq ? 1 : 2, b);
    product(x, inner, a, b, false);
    gen_end(x);
    return CALQUE_OK;
}

static enum calque_status reduce(struct gen *x, const char *op, bool mean)
{
    const struct shape *s = gen_in(x, 0);
    bool keep = graph_attr_int(x->g, x->node, "keepdims", 1), set[RANK_MAX] = {false};
    long axes[RANK_MAX], extent[RANK_MAX], count = 1;
    int n = graph_attr_ints(x->g, x->node, "axes", axes, RANK_MAX), m = 0;
    struct ixs at[RANK_MAX];

    for (int i = 0; i < n; i++)
        set[axes[i]] = true;
    gen_store(x, 'Y', 0, &x->out, NULL);
    for (int i = 0, k = 0; i < s->rank; i++) {
        if (set[i]) {
            at[i] = ix_bound(gen_reduced[m], s->dim[i]);
            count *= s->dim[i];
            extent[m++] = s->dim[i];
        } else {
            at[i] = x->var[k];
        }
        k += !set[i] || keep;
    }
    if (gen_reduce(x, op, gen_reduced, extent, m) != REDUCE_NONE)
        gen_load(x, 'X', 0, s, at);
    else
        gen_num(x, 0);
    if (mean && count != 1) {
        text_puts(x->t, " / ");
        gen_num(x, (double)count);
    }
    gen_end(x);
    return CALQUE_OK;
}

enum calque_status gen_ReduceSum(struct gen *x) { return reduce(x, "sum", false); }
enum calque_status gen_ReduceMax(struct gen *x) { return reduce(x, "amax", false); }

enum calque_status gen_ReduceMean(struct gen *x)
{
    if (dtype_is_int(x->dtype))
        return gen_bad(x, "element type %s: no kernel", dtype_name(x->dtype));
    return reduce(x, "sum", true);
}

#define ELEMENTWISE(op, types, text) enum calque_status gen_##op(struct gen *x) { return formula(x, text); }
#define FLOATS(op, text) enum calque_status gen_##op(struct gen *x) { return floats(x, text); }
#define FOLD(op, text) enum calque_status gen_##op(struct gen *x) { return fold(x, text); }
#include "tensor/elementwise.def"

/* One of the two parts is 0, so that the other one is what is left, bit for bit. */
enum calque_status gen_Where(struct gen *x) { return formula(x, "orelse(when(0, 1), when(equal(0, #), 2))"); }

enum calque_status gen_Gelu(struct gen *x)
{
    int by = (int)x->g->values->v[graph_attr(x->g, x->node, "approximate")].num;
    bool is_tanh = strcmp(strs_text(x->g->strs, by), "tanh") == 0;

    return formula(x, is_tanh ? "0 * {0.5} * (tanh((0 + 0 * 0 * 0 * {0x1.6e4e26d4801f7p-5}) * {0x1.9884533d43651p-1}) + !)"
                              : "0 * {0.5} * (erf(0 * {0x1.6a09e667f3bcdp-1}) + !)");
}
