/* Direct evaluation of functional programs (Coq: eval), independent of translation and emission: the reference of the tests.
   A value of type d is its data_size scalars, arrays element by element, pairs one component after the other. */
#ifndef CALQUE_TESTS_EVAL_H
#define CALQUE_TESTS_EVAL_H

#include "dpia/exp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Floats as doubles (f32 rounded after each operation: once more is innocuous for + - * / sqrt), integers as int64_t. */
union scalar {
    double d;
    int64_t i;
};

enum { EVAL_VARS = 4096 };
struct eval {
    const struct prog *p;
    const union scalar *data[EVAL_VARS];
    long index[EVAL_VARS];
};

static inline long eval_ix(const struct eval *v, int id)
{
    struct ix x = v->p->ix.a[id];
    long a;

    if (x.kind == IX_VAR)
        return v->index[x.k];
    if (x.kind == IX_CONST)
        return x.k;
    a = eval_ix(v, x.a);
    switch (x.kind) {
    case IX_ADD: return a + eval_ix(v, x.b);
    case IX_SUB: return a - eval_ix(v, x.b);
    case IX_MUL: return a * x.k;
    case IX_DIV: return a / x.k - (a % x.k < 0);
    default: return (a % x.k + x.k) % x.k;
    }
}

static inline union scalar *eval(struct eval *v, int id);

static inline union scalar *eval_new(long n)
{
    return malloc(sizeof(union scalar) * (size_t)(n + 1));
}

static inline double eval_real(int fn, double a, double b)
{
    switch (fn) {
    case FN_ADD: return a + b;
    case FN_SUB: return a - b;
    case FN_MUL: return a * b;
    case FN_MAX: return a < b ? b : a;
    case FN_MIN: return b < a ? b : a;
    case FN_DIV: return a / b;
    case FN_ABS: return fabs(a);
    case FN_ROUND: return nearbyint(a);
    case FN_SQRT: return sqrt(a);
    default: return -a;
    }
}

static inline int64_t eval_int(int fn, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;

    switch (fn) {
    case FN_ADD: return (int64_t)(x + y);
    case FN_SUB: return (int64_t)(x - y);
    case FN_MUL: return (int64_t)(x * y);
    case FN_MAX: return a < b ? b : a;
    case FN_MIN: return b < a ? b : a;
    case FN_DIV: return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));
    case FN_ABS: return a < 0 ? (int64_t)(0 - x) : a;
    default: return (int64_t)(0 - x);
    }
}

static inline union scalar eval_call(const struct prog *p, int fn, union scalar a, union scalar b)
{
    union scalar r;

    switch (p->scalar) {
    case KERNEL_F32: r.d = (double)(float)eval_real(fn, a.d, b.d); break;
    case KERNEL_F64: r.d = eval_real(fn, a.d, b.d); break;
    case KERNEL_I32: r.i = (int32_t)(uint32_t)(uint64_t)eval_int(fn, a.i, b.i); break;
    default: r.i = eval_int(fn, a.i, b.i); break;
    }
    return r;
}

static inline bool eval_holds(const struct eval *v, const struct exp *e)
{
    for (int i = 0; i < e->len; i++) {
        struct cond k = v->p->cond.a[e->first + i];
        long a = eval_ix(v, k.a), b = eval_ix(v, k.b);
        bool yes = k.op == CMP_LT ? a < b : k.op == CMP_LE ? a <= b : k.op == CMP_GT ? a > b : k.op == CMP_GE ? a >= b :
                   k.op == CMP_EQ ? a == b : a != b;
        if (!yes)
            return false;
    }
    return true;
}

/* map, generate, reduceSeq, fold: n times the body. */
static inline union scalar *eval_binder(struct eval *v, const struct exp *e)
{
    const struct prog *p = v->p;
    bool reduces = e->kind == EXP_RED || e->kind == EXP_FOLD;
    int arr = e->kind == EXP_MAP ? e->b : e->kind == EXP_RED ? e->c : -1;
    long part = data_size(p, p->exp.a[e->a].type), elem = arr < 0 ? 0 : data_size(p, p->data.a[p->exp.a[arr].type].a);
    union scalar *out = reduces ? eval(v, e->b) : eval_new(data_size(p, e->type)), *in = arr < 0 ? NULL : eval(v, arr), *r;

    for (long i = 0; i < e->n; i++) {
        if (arr < 0)
            v->index[e->x] = i;
        else
            v->data[e->x] = in + i * elem;
        if (reduces)
            v->data[e->y] = out;
        r = eval(v, e->a);
        if (reduces) {
            free(out);
            out = r;
        } else {
            memcpy(out + i * part, r, sizeof *out * (size_t)part);
            free(r);
        }
    }
    free(in);
    return out;
}

static inline void eval_copy(union scalar *to, const union scalar *from, long n)
{
    if (n > 0)
        memcpy(to, from, sizeof *to * (size_t)n);
}

static inline union scalar *eval_rearranged(struct eval *v, const struct exp *e)
{
    const struct prog *p = v->p;
    const struct data *t = &p->data.a[e->type];
    union scalar *a = eval(v, e->a), *b = e->kind == EXP_ZIP || e->kind == EXP_PAIR ? eval(v, e->b) : NULL;
    long na = data_size(p, p->exp.a[e->a].type), n = data_size(p, e->type), k;
    union scalar *out = eval_new(n);

    switch (e->kind) {
    case EXP_ZIP:
        for (long i = 0; i < e->n; i++) {
            long u = na / e->n, w = n / e->n - u;
            eval_copy(out + i * (u + w), a + i * u, u);
            eval_copy(out + i * (u + w) + u, b + i * w, w);
        }
        break;
    case EXP_PAIR:
        eval_copy(out, a, na);
        eval_copy(out + na, b, n - na);
        break;
    case EXP_IDX:
        eval_copy(out, a + eval_ix(v, e->b) * n, n);
        break;
    case EXP_SND:
        eval_copy(out, a + na - n, n);
        break;
    case EXP_REV:
        k = data_size(p, t->a);
        for (long i = 0; i < e->n; i++)
            eval_copy(out + i * k, a + (e->n - 1 - i) * k, k);
        break;
    case EXP_TR:
        k = n > 0 ? n / (e->n * e->m) : 0;
        for (long i = 0; i < e->n; i++)
            for (long j = 0; j < e->m; j++)
                eval_copy(out + (j * e->n + i) * k, a + (i * e->m + j) * k, k);
        break;
    default: /* split, join, fst: the same scalars from the start */
        eval_copy(out, a, n);
    }
    free(a);
    free(b);
    return out;
}

/* The value, to be freed. */
static inline union scalar *eval(struct eval *v, int id)
{
    const struct exp *e = &v->p->exp.a[id];
    long n = data_size(v->p, e->type);
    union scalar *out, *a, *b, none = { 0 };

    switch (e->kind) {
    case EXP_VAR:
        out = eval_new(n);
        eval_copy(out, v->data[e->x], n);
        return out;
    case EXP_LIT:
        out = eval_new(1);
        if (v->p->scalar == KERNEL_F32 || v->p->scalar == KERNEL_F64)
            out->d = v->p->scalar == KERNEL_F32 ? (double)(float)e->num : e->num;
        else
            out->i = e->inum;
        return out;
    case EXP_CALL:
        a = eval(v, e->a);
        b = e->b < 0 ? NULL : eval(v, e->b);
        a[0] = eval_call(v->p, e->op, a[0], b ? b[0] : none);
        free(b);
        return a;
    case EXP_MAP: case EXP_GEN: case EXP_RED: case EXP_FOLD:
        return eval_binder(v, e);
    case EXP_ITE:
        return eval(v, eval_holds(v, e) ? e->a : e->b);
    case EXP_LET:
        a = eval(v, e->a);
        v->data[e->x] = a;
        out = eval(v, e->b);
        free(a);
        return out;
    default:
        return eval_rearranged(v, e);
    }
}

/* Scalars to memory of the program's element type, and back. */
static inline void eval_store(const struct prog *p, void *to, const union scalar *from, long n)
{
    for (long i = 0; i < n; i++)
        switch (p->scalar) {
        case KERNEL_F32: ((float *)to)[i] = (float)from[i].d; break;
        case KERNEL_F64: ((double *)to)[i] = from[i].d; break;
        case KERNEL_I32: ((int32_t *)to)[i] = (int32_t)from[i].i; break;
        default: ((int64_t *)to)[i] = from[i].i; break;
        }
}

#endif
