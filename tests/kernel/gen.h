/* Random well-formed kernels as text, for the kernel tests: every index expression, guard, reduction and function. The
   generator tracks the interval of each index and makes the tensors large enough. */
#ifndef CALQUE_TESTS_KERNEL_GEN_H
#define CALQUE_TESTS_KERNEL_GEN_H

#include "ref.h"

#include <stdarg.h>

enum { GEN_TEXT = 1 << 16, GEN_VARS = 16, GEN_TENSORS = 64 };

struct gen {
    uint64_t seed;
    bool real;
    bool powers; /* pow too: set before gen_kernel */
    bool products; /* sums of products under guards: likewise */
    bool choices; /* less, equal, when and orelse too: likewise */
    char text[GEN_TEXT];
    int len;
    struct { char name[24]; long extent; } var[GEN_VARS];
    int nvar;
    struct { char name[24]; int rank; long dim[4]; } tensor[GEN_TENSORS];
    int ntensor, inputs, names;
    int out[4], rank; /* the statement's own variables are 0..rank-1 */
    long weight;      /* evaluations of the current place for each cell, times cells */
    int budget;       /* nodes still to spend in the statement */
};

static inline long gen_int(struct gen *g, long n)
{
    return (long)(ref_random(&g->seed) % (uint64_t)n);
}

static inline void gen_put(struct gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline void gen_put(struct gen *g, const char *format, ...)
{
    va_list ap;
    int k;

    va_start(ap, format);
    k = vsnprintf(g->text + g->len, (size_t)(GEN_TEXT - g->len), format, ap);
    va_end(ap);
    if (k > 0 && g->len + k < GEN_TEXT)
        g->len += k;
}

struct gen_ix {
    char text[400];
    long lo, hi;
};

static inline void gen_set(struct gen_ix *x, long lo, long hi, const char *format, ...) __attribute__((format(printf, 4, 5)));

static inline void gen_set(struct gen_ix *x, long lo, long hi, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vsnprintf(x->text, sizeof x->text, format, ap);
    va_end(ap);
    x->lo = lo;
    x->hi = hi;
}

static inline long gen_floor(long a, long k)
{
    return (a - ((a % k + k) % k)) / k;
}

static inline void gen_index(struct gen *g, int depth, struct gen_ix *x)
{
    struct gen_ix a, b;
    long k = 1 + gen_int(g, 5), v = gen_int(g, g->nvar), lo, hi;

    if (depth == 0 || gen_int(g, 3) == 0) {
        if (gen_int(g, 6) == 0)
            gen_set(x, k - 2, k - 2, "%ld", k - 2);
        else
            gen_set(x, 0, g->var[v].extent - 1, "%s", g->var[v].name);
        return;
    }
    gen_index(g, depth - 1, &a);
    switch (gen_int(g, 6)) {
    case 0:
        gen_index(g, depth - 1, &b);
        gen_set(x, a.lo + b.lo, a.hi + b.hi, "(%.150s + %.150s)", a.text, b.text);
        break;
    case 1:
        gen_index(g, depth - 1, &b);
        gen_set(x, a.lo - b.hi, a.hi - b.lo, "(%.150s - (%.150s))", a.text, b.text);
        break;
    case 2:
        gen_set(x, a.lo * k, a.hi * k, gen_int(g, 2) ? "(%.150s) * %ld" : "(%.150s)*%ld", a.text, k);
        break;
    case 3:
        gen_set(x, gen_floor(a.lo, k), gen_floor(a.hi, k), "(%.150s) // %ld", a.text, k);
        break;
    case 4:
        lo = 0;
        hi = k - 1;
        if (gen_floor(a.lo, k) == gen_floor(a.hi, k)) {
            lo = a.lo - gen_floor(a.lo, k) * k;
            hi = a.hi - gen_floor(a.lo, k) * k;
        }
        gen_set(x, lo, hi, "(%.150s) %% %ld", a.text, k);
        break;
    default:
        gen_set(x, a.lo - k, a.hi - k, "%.150s - %ld", a.text, k);
        break;
    }
}

/* An index from 0 to at most 12 */
static inline void gen_small(struct gen *g, struct gen_ix *x)
{
    struct gen_ix a;

    gen_index(g, 2, &a);
    if (a.hi - a.lo > 12 && a.hi - a.lo < 2000 && gen_int(g, 4)) {
        gen_set(x, 0, 6, "(%.350s) %% 7", a.text);
        return;
    }
    if (a.hi - a.lo > 3000) {
        gen_set(x, 0, 4, "(%.350s) %% 5", a.text);
        return;
    }
    if (a.lo < 0)
        gen_set(x, 0, a.hi - a.lo, "%.350s + %ld", a.text, -a.lo);
    else
        *x = a;
}

static inline void gen_tensor(struct gen *g, int rank, const long *dim)
{
    int t = g->ntensor;

    snprintf(g->tensor[t].name, sizeof g->tensor[t].name, "X%d", g->inputs++);
    g->tensor[t].rank = rank;
    for (int i = 0; i < rank; i++)
        g->tensor[t].dim[i] = dim[i];
    g->ntensor++;
}

static inline void gen_ref(struct gen *g, int t)
{
    gen_put(g, "%s<", g->tensor[t].name);
    for (int i = 0; i < g->tensor[t].rank; i++)
        gen_put(g, "%s%ld", i ? "," : "", g->tensor[t].dim[i]);
    gen_put(g, ">");
}

static inline bool gen_is_own(const struct gen *g, int t)
{
    if (g->tensor[t].rank != g->rank)
        return false;
    for (int i = 0; i < g->rank; i++)
        if (g->tensor[t].dim[i] != g->var[i].extent)
            return false;
    return true;
}

static inline void gen_load(struct gen *g)
{
    struct gen_ix x[3];
    int rank = 1 + (int)gen_int(g, 3), t;
    long dim[3], elems = 1;

    if (g->ntensor > 0 && gen_int(g, 3) == 0) {
        t = (int)gen_int(g, g->ntensor);
        if (gen_is_own(g, t)) {
            gen_ref(g, t);
            for (int i = 0; i < g->rank; i++)
                gen_put(g, "%s%s", i ? "," : "[", g->var[i].name);
            gen_put(g, "]");
            return;
        }
    }
    for (int i = 0; i < rank; i++) {
        gen_small(g, &x[i]);
        dim[i] = x[i].hi + 1;
        elems *= dim[i];
        if (elems > 200000) {
            rank = i;
            break;
        }
    }
    if (rank == 0) {
        gen_put(g, g->real ? "0.5" : "2");
        return;
    }
    for (t = 0; t < g->ntensor; t++) {
        bool fits = g->tensor[t].rank == rank;
        for (int i = 0; i < rank && fits; i++)
            fits = g->tensor[t].dim[i] >= dim[i];
        if (fits && gen_int(g, 4))
            break;
    }
    if (t == g->ntensor) {
        if (t >= GEN_TENSORS - 8) {
            gen_put(g, "3");
            return;
        }
        gen_tensor(g, rank, dim);
    }
    gen_ref(g, t);
    for (int i = 0; i < rank; i++)
        gen_put(g, "%s%s", i ? ", " : "[", x[i].text);
    gen_put(g, "]");
}

static inline void gen_ex(struct gen *g, int depth);

static inline void gen_select(struct gen *g, int depth)
{
    static const char *const op[] = {"<", "<=", ">", ">=", "==", "!="};
    struct gen_ix a, b;
    long low, high, dim[1];

    gen_index(g, 2, &a);
    if (gen_int(g, 2) && a.hi - a.lo < 3000 && g->ntensor < GEN_TENSORS - 4) {
        /* a padded read: only the guard makes it safe */
        low = a.lo + gen_int(g, a.hi - a.lo + 1);
        high = low + gen_int(g, a.hi - low + 1);
        dim[0] = high - low + 1;
        gen_tensor(g, 1, dim);
        if (gen_int(g, 2)) {
            gen_put(g, "select(%s >= %ld && %s <= %ld, ", a.text, low, a.text, high);
            gen_ref(g, g->ntensor - 1);
            gen_put(g, "[%s - (%ld)] * ", a.text, low);
            gen_ex(g, depth - 1);
            gen_put(g, ", ");
            gen_ex(g, depth - 1);
        } else {
            /* the part before, the part from low on */
            long rest[1] = {a.hi - low + 1};
            dim[0] = low - a.lo > 0 ? low - a.lo : 1;
            g->tensor[g->ntensor - 1].dim[0] = dim[0];
            gen_put(g, "select(%s < %ld, ", a.text, low);
            gen_ref(g, g->ntensor - 1);
            gen_put(g, "[%s - (%ld)], ", a.text, a.lo);
            gen_tensor(g, 1, rest);
            gen_ref(g, g->ntensor - 1);
            gen_put(g, "[%s - (%ld)]", a.text, low);
        }
        gen_put(g, ")");
        return;
    }
    gen_index(g, 1, &b);
    gen_put(g, "select(%s %s %s", a.text, op[gen_int(g, 6)], b.text);
    if (gen_int(g, 2)) {
        gen_index(g, 1, &a);
        gen_put(g, " && %s %s ", a.text, op[gen_int(g, 6)]);
        gen_put(g, "%ld", gen_int(g, 4));
    }
    gen_put(g, ", ");
    gen_ex(g, depth - 1);
    gen_put(g, ", ");
    gen_ex(g, depth - 1);
    gen_put(g, ")");
}

static inline void gen_reduce(struct gen *g, int depth)
{
    int n = 1 + (int)gen_int(g, 2), nvar = g->nvar;
    long weight = g->weight;

    gen_put(g, gen_int(g, 3) ? "sum(" : "amax(");
    for (int i = 0; i < n; i++) {
        long extent = gen_int(g, 20) == 0 ? 0 : 1 + gen_int(g, 5);
        gen_put(g, "%sr%d<%ld", i ? ", " : "", g->names, extent);
        snprintf(g->var[g->nvar].name, sizeof g->var[g->nvar].name, "r%d", g->names);
        g->var[g->nvar++].extent = extent > 0 ? extent : 1;
        g->names = (g->names + 1) % 10000;
        g->weight *= extent > 0 ? extent : 1;
    }
    gen_put(g, ") (");
    if (g->products && gen_int(g, 2)) {
        gen_put(g, "select(%s < %ld, ", g->var[g->nvar - 1].name, gen_int(g, 5));
        for (int i = 0; i < 2; i++) {
            gen_load(g);
            gen_put(g, i ? ", 0)" : " * ");
        }
    } else {
        gen_ex(g, depth - 1);
    }
    gen_put(g, ")");
    g->nvar = nvar;
    g->weight = weight;
}

static inline void gen_literal(struct gen *g)
{
    if (!g->real)
        gen_put(g, "%ld", gen_int(g, 9) - 4);
    else if (gen_int(g, 12) == 0)
        gen_put(g, gen_int(g, 2) ? "-inf" : "0x1.8p-3");
    else {
        long whole = gen_int(g, 9) - 4;
        gen_put(g, "%ld.%ld", whole, gen_int(g, 100));
    }
}

static inline void gen_ex(struct gen *g, int depth)
{
    static const char *const unary[] = {"exp", "sqrt", "tanh", "abs", "erf", "log", "round"};
    static const char *const choice[] = {"min", "max", "less", "equal", "when", "orelse"};
    static const char *const real_op[] = {"+", "-", "*", "/"}, *const int_op[] = {"+", "-", "*", "//", "%"};

    if (depth <= 0 || --g->budget <= 0 || gen_int(g, 5) == 0) {
        if (gen_int(g, 6) == 0)
            gen_literal(g);
        else
            gen_load(g);
        return;
    }
    switch (gen_int(g, 8)) {
    case 0:
        gen_select(g, depth);
        break;
    case 1:
    case 2:
        if (g->weight > 4000 || g->nvar + 2 > GEN_VARS)
            gen_load(g);
        else
            gen_reduce(g, depth);
        break;
    case 3:
        gen_put(g, "%s(", choice[gen_int(g, g->choices ? 6 : 2)]);
        gen_ex(g, depth - 1);
        gen_put(g, ", ");
        gen_ex(g, depth - 1);
        gen_put(g, ")");
        break;
    case 4:
        if (g->powers && g->real && gen_int(g, 8) == 0) {
            static const char *const power[] = {"1", "2", "3", "0.5", "-1"};
            gen_put(g, "pow(");
            gen_ex(g, depth - 1);
            gen_put(g, ", ");
            if (gen_int(g, 3))
                gen_put(g, "%s", power[gen_int(g, 5)]);
            else
                gen_ex(g, depth - 1);
            gen_put(g, ")");
            break;
        }
        if (gen_int(g, 3) == 0)
            gen_put(g, "-(");
        else
            gen_put(g, "%s(", g->real ? unary[gen_int(g, 7)] : "abs");
        gen_ex(g, depth - 1);
        gen_put(g, ")");
        break;
    default:
        gen_put(g, "(");
        gen_ex(g, depth - 1);
        gen_put(g, " %s ", g->real ? real_op[gen_int(g, 4)] : int_op[gen_int(g, gen_int(g, 4) ? 3 : 5)]);
        gen_ex(g, depth - 1);
        gen_put(g, ")");
        break;
    }
}

static inline void gen_stmt(struct gen *g, int number)
{
    int t = -1;
    long cells = 1;

    g->nvar = 0;
    if (number > 0 && gen_int(g, 3)) { /* the shape of an earlier result: loads at own variables become likely */
        for (int i = 0; i < g->ntensor; i++)
            if (g->tensor[i].name[0] == 'T')
                t = i;
    }
    g->rank = t >= 0 ? g->tensor[t].rank : 1 + (int)gen_int(g, 4);
    for (int i = 0; i < g->rank; i++) {
        long extent = 1 + gen_int(g, 6);
        if (cells < 8 && gen_int(g, 8) == 0)
            extent = 40 + gen_int(g, gen_int(g, 2) ? 1000 : 60);
        if (t >= 0)
            extent = g->tensor[t].dim[i];
        snprintf(g->var[i].name, sizeof g->var[i].name, "%c", "ijkl"[i]);
        g->var[i].extent = extent;
        cells *= extent;
        g->nvar++;
    }
    g->weight = cells;
    g->budget = 25;
    t = g->ntensor + 1;
    gen_put(g, "T%d<", number);
    for (int i = 0; i < g->rank; i++)
        gen_put(g, "%s%ld", i ? "," : "", g->var[i].extent);
    gen_put(g, ">[");
    for (int i = 0; i < g->rank; i++)
        gen_put(g, "%s%s", i ? "," : "", g->var[i].name);
    gen_put(g, "] = ");
    gen_ex(g, 4);
    if (gen_int(g, 8) == 0)
        gen_put(g, " + U<4>[u] * V<4>[u]");
    gen_put(g, ";\n");
    if (g->ntensor < GEN_TENSORS - 1) {
        t = g->ntensor++;
        snprintf(g->tensor[t].name, sizeof g->tensor[t].name, "T%d", number);
        g->tensor[t].rank = g->rank;
        for (int i = 0; i < g->rank; i++)
            g->tensor[t].dim[i] = g->var[i].extent;
    }
}

static inline void gen_kernel(struct gen *g, uint64_t seed, bool real, int stmts)
{
    bool powers = g->powers, choices = g->choices, products = g->products;

    memset(g, 0, sizeof *g);
    g->powers = powers;
    g->choices = choices;
    g->products = products;
    g->seed = seed * 2654435761u + 12345;
    g->real = real;
    for (int i = 0; i < stmts; i++)
        gen_stmt(g, i);
}

#endif
