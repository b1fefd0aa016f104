/* Which reductions work on their accumulator in place (Coq: in_place). */
#include "dpia/trans_internal.h"

/* Pure expressions and elementwise bodies (Coq: pure, elementwise): only the accumulator's own cell is read where it is written. */
static bool pure(const struct prog *p, int e, int depth)
{
    const struct exp *n = &p->exp.a[e];

    if (depth > EXP_DEPTH_MAX)
        return false;
    switch (n->kind) {
    case EXP_VAR: case EXP_LIT:
        return true;
    case EXP_FST: case EXP_SND:
        return pure(p, n->a, depth + 1);
    case EXP_CALL:
        return pure(p, n->a, depth + 1) && (n->b < 0 || pure(p, n->b, depth + 1));
    case EXP_ZIP: case EXP_PAIR:
        return pure(p, n->a, depth + 1) && pure(p, n->b, depth + 1);
    default:
        return false;
    }
}

/* Nested maps over pure views with a pure scalar core; what is mapped over, the accumulator at first, is not used inside. */
static bool elementwise(const struct prog *p, int d, int f, int acc)
{
    for (; p->data.a[d].kind == DATA_ARY; d = p->data.a[d].a) {
        const struct exp *n = &p->exp.a[f];
        if (n->kind != EXP_MAP || !pure(p, n->b, 0) || exp_occurs(p, n->a, acc))
            return false;
        f = n->a;
        acc = n->x;
    }
    return p->data.a[d].kind == DATA_NUM && pure(p, f, 0);
}

/* Body of nested generates at exactly the accumulator's depth: the accumulator may be read only as acc[i1]..[ik] at the
   generates' own variables, from pure scalar code. */
static bool own_cell(const struct prog *p, int e, int acc, const int *ivar, int k, int depth)
{
    const struct exp *n = &p->exp.a[e];

    if (depth > EXP_DEPTH_MAX)
        return false;
    switch (n->kind) {
    case EXP_LIT:
        return true;
    case EXP_VAR:
        return n->x != acc;
    case EXP_CALL: case EXP_ITE:
        return own_cell(p, n->a, acc, ivar, k, depth + 1) &&
               (n->b < 0 || own_cell(p, n->b, acc, ivar, k, depth + 1));
    case EXP_IDX:
        for (int j = k - 1; j >= 0 && n->kind == EXP_IDX; j--) {
            const struct ix *x = &p->ix.a[n->b];
            if (x->kind != IX_VAR || x->k != ivar[j])
                return !exp_occurs(p, e, acc);
            n = &p->exp.a[n->a];
        }
        return (n->kind == EXP_VAR && n->x == acc) || !exp_occurs(p, e, acc);
    default:
        return !exp_occurs(p, e, acc);
    }
}

enum { INPLACE_RANK = 8 };

/* More bodies that may work in place: nested generates reading only their own cell, or a reduction that starts from the
   accumulator and is itself in place. */
static bool reusable(const struct prog *p, int d, int f, int acc, int depth)
{
    int ivar[INPLACE_RANK], k = 0, e = f, ty = d;

    if (p->data.a[d].kind == DATA_NUM || elementwise(p, d, f, acc))
        return true;
    if (depth > EXP_DEPTH_MAX)
        return false;
    if (p->exp.a[f].kind == EXP_FOLD) {
        const struct exp *n = &p->exp.a[f], *init = &p->exp.a[n->b];
        return init->kind == EXP_VAR && init->x == acc && !exp_occurs(p, n->a, acc) &&
               reusable(p, d, n->a, n->y, depth + 1);
    }
    while (p->data.a[ty].kind == DATA_ARY && p->exp.a[e].kind == EXP_GEN && k < INPLACE_RANK) {
        ivar[k++] = p->exp.a[e].x;
        ty = p->data.a[ty].a;
        e = p->exp.a[e].a;
    }
    return k > 0 && p->data.a[ty].kind == DATA_NUM && own_cell(p, e, acc, ivar, k, 0);
}

bool in_place(const struct prog *p, bool reuse, int d, int f, int acc)
{
    if (reuse)
        return reusable(p, d, f, acc, 0);
    return p->data.a[d].kind == DATA_NUM || elementwise(p, d, f, acc);
}
