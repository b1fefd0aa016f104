/* Random well-typed functional programs over every constructor. */
#ifndef CALQUE_TESTS_RANDOM_H
#define CALQUE_TESTS_RANDOM_H

#include "programs.h"

#include <math.h>

static unsigned long seed = 0x9e3779b97f4a7c15ul;

static inline unsigned rnd(unsigned n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 20) % n);
}

/* Which programs: with size variables; with every function that has a meaning in Coq, odd literals and negative factors. */
static bool random_symbolic, random_wide;

/* A size: a number, or built from the variables n, m, k. */
static inline long random_size(struct prog *p, unsigned most)
{
    static const char *const name[] = { "n", "m", "k" };
    long a;

    if (!random_symbolic)
        return 1 + (long)rnd(most);
    a = size_var(p, strs_addz(p->strs, name[rnd(3)]));
    switch (rnd(8)) {
    case 0: return (long)rnd(most);
    case 1: return size_mul(p, a, size_var(p, strs_addz(p->strs, name[rnd(3)])));
    case 2: return size_add(p, a, 1);
    default: return a;
    }
}

/* Random expressions of a given type. */
struct scope {
    int var[64], n, ivar[64], ni;
};

static inline int random_type(struct prog *p, int depth)
{
    unsigned r = depth <= 0 ? 0 : rnd(6);
    int a;

    if (r < 2)
        return data_num(p);
    if (r == 2) {
        a = random_type(p, depth - 1);
        return data_pair(p, a, random_type(p, depth - 1));
    }
    a = random_type(p, depth - 1);
    return data_ary(p, random_size(p, 5), a);
}

static inline int random_exp(struct prog *p, struct scope *s, int type, int depth);

/* An index below n, or -1: with size variables only a variable of that extent is known to be one. */
static inline int random_ix(struct prog *p, const struct scope *s, long n)
{
    if (random_symbolic) {
        int at = s->ni > 0 ? (int)rnd((unsigned)s->ni) : 0;
        for (int i = 0; i < s->ni; i++)
            if (p->var.a[s->ivar[(at + i) % s->ni]].extent == n)
                return prog_ix_var(p, s->ivar[(at + i) % s->ni]);
        return -1;
    }
    if (s->ni > 0 && rnd(3)) {
        int v = prog_ix_var(p, s->ivar[rnd((unsigned)s->ni)]);
        switch (rnd(6)) {
        case 0: v = prog_ix(p, (struct ix){ IX_ADD, v, prog_ix_const(p, (long)rnd(3)), 0 }); break;
        case 1: v = prog_ix(p, (struct ix){ IX_SUB, v, prog_ix_const(p, (long)rnd(4) - random_wide), 0 }); break;
        case 2: v = prog_ix(p, (struct ix){ IX_MUL, v, 0, (long)rnd(5) - 2 * random_wide }); break;
        case 3: v = prog_ix(p, (struct ix){ IX_DIV, v, 0, 1 + (long)rnd(3) }); break;
        default: break;
        }
        return prog_ix(p, (struct ix){ IX_MOD, v, 0, n });
    }
    return prog_ix_const(p, (long)rnd((unsigned)n));
}

static inline int random_lit(struct prog *p)
{
    static const double odd[] = { 0.1, -0.0, 1e300, -1e-40, INFINITY, NAN, 1e6, 12345678.0 };
    bool real = p->scalar == KERNEL_F32 || p->scalar == KERNEL_F64;
    int k = (int)rnd(5);

    if (random_wide && rnd(8) == 7)
        return exp_lit(p, real ? odd[rnd(8)] : 0, real ? 0 : rnd(2) ? INT32_MIN : 1000003);
    return exp_lit(p, real ? k - 1.5 : 0, real ? 0 : k - 2);
}

static inline int leaf(struct prog *p, struct scope *s, int type)
{
    int at = s->n > 0 ? (int)rnd((unsigned)s->n) : 0;
    struct data d = p->data.a[type];
    int x;

    if (d.kind == DATA_NUM && rnd(4) == 0)
        return random_lit(p);
    for (int i = 0; i < s->n; i++)
        if (p->var.a[s->var[(at + i) % s->n]].type == type)
            return exp_var(p, s->var[(at + i) % s->n]);
    for (int i = 0; i < s->n; i++) {
        int v = s->var[(at + i) % s->n];
        struct data t = p->data.a[p->var.a[v].type];
        if (t.kind == DATA_ARY && t.a == type && (x = random_ix(p, s, t.n)) >= 0)
            return exp_idx(p, exp_var(p, v), x);
    }
    if (d.kind == DATA_NUM)
        return random_lit(p);
    if (d.kind == DATA_PAIR) {
        x = leaf(p, s, d.a);
        return exp_pair(p, x, leaf(p, s, d.b));
    }
    x = prog_ivar(p, -1, d.n);
    s->ivar[s->ni++] = x;
    at = leaf(p, s, d.a);
    s->ni--;
    return exp_gen(p, rnd(2), x, at);
}

static inline int random_reduce(struct prog *p, struct scope *s, int type, int depth)
{
    int init = random_exp(p, s, type, depth - 1), x, acc, f, e = -1, n = s->n, ni = s->ni;
    bool array = rnd(2);

    if (array) {
        int elem = rnd(2) ? type : random_type(p, 1);
        e = random_exp(p, s, data_ary(p, random_size(p, 4), elem), depth - 1);
        x = prog_var(p, -1, elem);
        s->var[s->n++] = x;
    } else {
        x = prog_ivar(p, -1, random_size(p, 4));
        s->ivar[s->ni++] = x;
    }
    acc = prog_var(p, -1, type);
    s->var[s->n++] = acc;
    f = random_exp(p, s, type, depth - 1);
    s->n = n;
    s->ni = ni;
    return array ? exp_red(p, x, acc, f, init, e) : exp_fold(p, x, acc, f, init);
}

static inline int random_ite(struct prog *p, struct scope *s, int type, int depth)
{
    struct cond c[2];
    int n = 1 + (int)rnd(2), a, b;

    for (int i = 0; i < n; i++) {
        c[i] = (struct cond){ (int)rnd(6), -1, -1 };
        if (random_symbolic && s->ni > 0) {
            c[i].a = prog_ix_var(p, s->ivar[rnd((unsigned)s->ni)]);
            c[i].b = rnd(2) ? prog_ix_var(p, s->ivar[rnd((unsigned)s->ni)]) : prog_ix_const(p, (long)rnd(4) - random_wide);
        } else if (random_symbolic) {
            c[i].a = prog_ix(p, (struct ix){ IX_SIZE, -1, -1, random_size(p, 3) });
            c[i].b = prog_ix_const(p, (long)rnd(4));
        } else {
            c[i].a = random_ix(p, s, 5);
            c[i].b = random_ix(p, s, 4);
        }
    }
    a = random_exp(p, s, type, depth - 1);
    b = random_exp(p, s, type, depth - 1);
    return exp_ite(p, c, n, a, b);
}

static inline int random_let(struct prog *p, struct scope *s, int type, int depth)
{
    int d = random_type(p, 2), e = random_exp(p, s, d, depth - 1), x = prog_var(p, -1, d);

    s->var[s->n++] = x;
    d = random_exp(p, s, type, depth - 1);
    s->n--;
    return exp_let(p, x, e, d);
}

static inline int random_loop(struct prog *p, struct scope *s, struct data d, int depth)
{
    int x, f, e = -1;
    bool map = rnd(2);

    if (map) {
        int elem = rnd(2) ? d.a : random_type(p, 2);
        e = random_exp(p, s, data_ary(p, d.n, elem), depth - 1);
        x = prog_var(p, -1, elem);
        s->var[s->n++] = x;
        f = random_exp(p, s, d.a, depth - 1);
        s->n--;
        return exp_map(p, rnd(2), x, f, e);
    }
    x = prog_ivar(p, -1, d.n);
    s->ivar[s->ni++] = x;
    f = random_exp(p, s, d.a, depth - 1);
    s->ni--;
    return exp_gen(p, rnd(2), x, f);
}

/* Array views, where the type allows one. */
static inline int random_view(struct prog *p, struct scope *s, int type, int depth)
{
    struct data d = p->data.a[type], in = p->data.a[d.a];
    int a;
    long k;

    switch (rnd(4)) {
    case 0:
        return exp_rev(p, random_exp(p, s, type, depth - 1));
    case 1:
        if (in.kind == DATA_PAIR) {
            a = random_exp(p, s, data_ary(p, d.n, in.a), depth - 1);
            return exp_zip(p, a, random_exp(p, s, data_ary(p, d.n, in.b), depth - 1));
        }
        break;
    case 2:
        if (in.kind == DATA_ARY) {
            if (rnd(2))
                return exp_split(p, in.n, random_exp(p, s, data_ary(p, size_mul(p, d.n, in.n), in.a), depth - 1));
            return exp_tr(p, random_exp(p, s, data_ary(p, in.n, data_ary(p, d.n, in.a)), depth - 1));
        }
        break;
    default:
        for (int i = 0; random_symbolic && i < p->size_name.n; i++) {
            long inner = size_var(p, p->size_name.a[i]), outer = size_quotient(p, d.n, inner);
            if (outer != SIZE_NONE)
                return exp_join(p, random_exp(p, s, data_ary(p, outer, data_ary(p, inner, d.a)), depth - 1));
        }
        for (k = 2; k <= d.n; k++)
            if (d.n % k == 0)
                return exp_join(p, random_exp(p, s, data_ary(p, d.n / k, data_ary(p, k, d.a)), depth - 1));
    }
    return random_loop(p, s, d, depth);
}

static inline int random_call(struct prog *p, struct scope *s, int depth)
{
    static const int fn[] = { FN_ADD, FN_SUB, FN_MUL, FN_MAX, FN_MIN, FN_NEG, FN_DIV, FN_LESS, FN_ABS, FN_SQRT, FN_EQUAL, FN_WHEN,
                              FN_ORELSE, FN_ROUND };
    bool real = p->scalar == KERNEL_F32 || p->scalar == KERNEL_F64;
    int f = fn[rnd(random_wide ? 14 : 6)], a = random_exp(p, s, data_num(p), depth - 1);

    if (fn_is_float(f) && !real)
        f = FN_MOD;
    return exp_call(p, f, a, fn_info(f)->args == 1 ? -1 : random_exp(p, s, data_num(p), depth - 1));
}

static inline int random_exp(struct prog *p, struct scope *s, int type, int depth)
{
    struct data d = p->data.a[type];
    int a;

    if (depth <= 0 || s->n > 40)
        return leaf(p, s, type);
    switch (rnd(10)) {
    case 0: return random_let(p, s, type, depth);
    case 1: return random_ite(p, s, type, depth);
    case 2: case 3: return random_reduce(p, s, type, depth);
    case 4:
        a = random_type(p, 1);
        if (rnd(2))
            return exp_fst(p, random_exp(p, s, data_pair(p, type, a), depth - 1));
        return exp_snd(p, random_exp(p, s, data_pair(p, a, type), depth - 1));
    case 5: {
        long n = random_size(p, 3);
        int i = random_ix(p, s, n);
        if (i >= 0)
            return exp_idx(p, random_exp(p, s, data_ary(p, n, type), depth - 1), i);
        break;
    }
    default: break;
    }
    if (d.kind == DATA_NUM)
        return random_call(p, s, depth);
    if (d.kind == DATA_PAIR) {
        a = random_exp(p, s, d.a, depth - 1);
        return exp_pair(p, a, random_exp(p, s, d.b, depth - 1));
    }
    return rnd(2) ? random_loop(p, s, d, depth) : random_view(p, s, type, depth);
}

static inline void build_random(struct prog *p)
{
    struct scope s = { .n = 0, .ni = 0 };
    int num = data_num(p), v = data_ary(p, random_symbolic ? random_size(p, 4) : 4, num);

    s.var[s.n++] = in_param(p, "A", v);
    s.var[s.n++] = in_param(p, "B", data_ary(p, random_symbolic ? random_size(p, 3) : 3, v));
    s.var[s.n++] = in_param(p, "C", data_ary(p, 2, data_pair(p, num, v)));
    s.var[s.n++] = in_param(p, "D", num);
    out_param(p, random_exp(p, &s, random_type(p, 3), 5));
    if (random_wide && rnd(3) == 1 && p->status == CALQUE_OK) {
        /* a second output that may read the first, and the first again, perhaps from itself through a buffer */
        struct prog_param first = p->param.a[p->param.n - 1];
        int k = p->param.n - 1, e;
        s.var[s.n++] = first.var;
        e = random_exp(p, &s, random_type(p, 2), 4);
        if (e >= 0)
            prog_assign(p, prog_param(p, strs_addz(p->strs, "more"), KERNEL_OUT, p->exp.a[e].type), e, false);
        e = random_exp(p, &s, p->var.a[first.var].type, 3);
        if (e >= 0)
            prog_assign(p, k, e, exp_occurs(p, e, first.var) || rnd(2));
    }
}

#endif
