/* Functional programs of the DPIA literature, built by hand, for the tests of translation and emission. */
#ifndef CALQUE_TESTS_PROGRAMS_H
#define CALQUE_TESTS_PROGRAMS_H

#include "dpia/comm.h"

#include <string.h>

static inline int in_param(struct prog *p, const char *name, int type)
{
    int k = prog_param(p, strs_addz(p->strs, name), KERNEL_IN, type);

    return k < 0 ? -1 : p->param.a[k].var;
}

static inline void out_param(struct prog *p, int e)
{
    if (e >= 0)
        prog_assign(p, prog_param(p, strs_addz(p->strs, "out"), KERNEL_OUT, p->exp.a[e].type), e, false);
}

/* reduceSeq (fun x acc -> op acc x) init e */
static inline int reduce(struct prog *p, int fn, int init, int e)
{
    int d = p->data.a[p->exp.a[e].type].a, x = prog_var(p, -1, d), acc = prog_var(p, -1, d);

    return exp_red(p, x, acc, exp_call(p, fn, exp_var(p, acc), exp_var(p, x)), init, e);
}

/* map (fun x -> fst x * snd x) e */
static inline int products(struct prog *p, bool par, int e)
{
    int x = prog_var(p, -1, p->data.a[p->exp.a[e].type].a);

    return exp_map(p, par, x, exp_call(p, FN_MUL, exp_fst(p, exp_var(p, x)), exp_snd(p, exp_var(p, x))), e);
}

/* reduceSeq (+) 0 (mapPar (fun x -> fst x * snd x) (zip xs ys)) */
static inline void build_dot(struct prog *p)
{
    int v = data_ary(p, 6, data_num(p)), xs = in_param(p, "xs", v), ys = in_param(p, "ys", v);

    out_param(p, reduce(p, FN_ADD, exp_lit(p, 0, 0), products(p, true, exp_zip(p, exp_var(p, xs), exp_var(p, ys)))));
}

/* reduceSeq (+) 0 (mapPar (fun y -> reduceSeq (+) 0 (mapSeq .. y)) (split 2 (zip xs ys))) */
static inline void build_split_dot(struct prog *p)
{
    int v = data_ary(p, 6, data_num(p)), xs = in_param(p, "xs", v), ys = in_param(p, "ys", v);
    int e = exp_split(p, 2, exp_zip(p, exp_var(p, xs), exp_var(p, ys)));
    int y = prog_var(p, -1, p->data.a[p->exp.a[e].type].a);
    int part = reduce(p, FN_ADD, exp_lit(p, 0, 0), products(p, false, exp_var(p, y)));

    out_param(p, reduce(p, FN_ADD, exp_lit(p, 0, 0), exp_map(p, true, y, part, e)));
}

/* The seed's in-place rule is wrong here: reduceSeq (fun x acc -> mapSeq (fun y -> y + x) (reverse acc)) [10; 20; 30] xs. */
static inline void build_reversed(struct prog *p)
{
    int num = data_num(p), v = data_ary(p, 3, num), xs = in_param(p, "xs", v), z = in_param(p, "z", v);
    int x = prog_var(p, -1, num), acc = prog_var(p, -1, v), y = prog_var(p, -1, num);
    int f = exp_map(p, false, y, exp_call(p, FN_ADD, exp_var(p, y), exp_var(p, x)), exp_rev(p, exp_var(p, acc)));

    out_param(p, exp_red(p, x, acc, f, exp_var(p, z), exp_var(p, xs)));
}

/* reduceSeq (fun x acc -> mapPar (fun y -> fst y + snd y) (zip acc x)) z m: in place. */
static inline void build_row_sum(struct prog *p)
{
    int num = data_num(p), v = data_ary(p, 3, num), m = in_param(p, "m", data_ary(p, 4, v)), z = in_param(p, "z", v);
    int x = prog_var(p, -1, v), acc = prog_var(p, -1, v), y = prog_var(p, -1, data_pair(p, num, num));
    int f = exp_map(p, true, y, exp_call(p, FN_ADD, exp_fst(p, exp_var(p, y)), exp_snd(p, exp_var(p, y))),
                    exp_zip(p, exp_var(p, acc), exp_var(p, x)));

    out_param(p, exp_red(p, x, acc, f, exp_var(p, z), exp_var(p, m)));
}

/* Acceptors of every kind: pair (transpose (map (fun r -> reverse r) m)) (join (generate (zip a b))). */
static inline void build_acceptors(struct prog *p)
{
    int num = data_num(p), v = data_ary(p, 4, num), a = in_param(p, "a", v), b = in_param(p, "b", v);
    int m = in_param(p, "m", data_ary(p, 3, v)), r = prog_var(p, -1, v), i = prog_ivar(p, -1, 2);
    int left = exp_tr(p, exp_map(p, true, r, exp_rev(p, exp_var(p, r)), exp_var(p, m)));
    int right = exp_join(p, exp_gen(p, false, i, exp_zip(p, exp_var(p, a), exp_rev(p, exp_var(p, b)))));
    int w = exp_split(p, 2, exp_gen(p, false, prog_ivar(p, -1, 6), exp_lit(p, 1.5, 1)));

    out_param(p, exp_pair(p, exp_pair(p, left, right), w));
}

/* A conditional array and a shared scalar: let s = reduceSeq max x0 xs in generate i (if i < 2 then xs[i] / s else ..). */
static inline void build_choice(struct prog *p)
{
    int num = data_num(p), v = data_ary(p, 4, num), xs = in_param(p, "xs", v), ys = in_param(p, "ys", v);
    int s = prog_var(p, -1, num), i = prog_ivar(p, -1, 4), j = prog_ivar(p, -1, 4), t = prog_var(p, -1, num);
    struct cond c = { CMP_LT, prog_ix_var(p, i), prog_ix_const(p, 2) };
    struct cond k = { CMP_EQ, prog_ix_var(p, j), prog_ix_const(p, 1) };
    int zero = prog_ix_const(p, 0), xi = exp_idx(p, exp_var(p, xs), prog_ix_var(p, i));
    int first = exp_idx(p, exp_var(p, xs), zero);
    int e = exp_ite(p, &c, 1, exp_call(p, FN_DIV, xi, exp_var(p, s)), reduce(p, FN_MAX, xi, exp_var(p, ys)));
    int arr = exp_ite(p, &k, 1, exp_var(p, xs), exp_map(p, false, t, exp_call(p, FN_NEG, exp_var(p, t), -1), exp_var(p, ys)));
    int sum = exp_gen(p, true, j, reduce(p, FN_ADD, exp_lit(p, 0, 0), arr));

    out_param(p, exp_pair(p, exp_let(p, s, exp_call(p, FN_ADD, first, first), exp_gen(p, true, i, e)), sum));
}

#endif
