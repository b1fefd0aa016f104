/* Mini-C of the plain mode (emit/minic.h), run: what its C text computes, statement by statement. */
#ifndef CALQUE_TESTS_DPIA_EVAL_MINIC_H
#define CALQUE_TESTS_DPIA_EVAL_MINIC_H

#include "emit/minic.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* A float in x, rounded to its type, or an integer in z. */
struct cell {
    double x;
    int64_t z;
};

/* place[level]: the cells of a parameter or local variable; at[level]: where a loop is. */
struct eval {
    const struct minic *m;
    const long *size; /* of the size variables */
    struct cell **place;
    long *cells, *at;
    bool outside; /* a cell that is not there was used */
};

static inline long size_at(const struct prog *p, long n, const long *size)
{
    const struct poly *q;
    long r = 0;

    if (n >= 0)
        return n;
    q = &p->size.poly.a[-1 - n];
    for (int i = 0; i < q->n; i++) {
        const struct mono *m = &p->size.mono.a[q->first + i];
        long c = m->c;
        for (int k = 0; k < m->n; k++)
            c *= size[p->size.pool.a[m->first + k]];
        r += c;
    }
    return r;
}

static inline long eval_index(struct eval *v, int id)
{
    const struct cix *x = &v->m->cix.a[id];
    long a, b, r;

    switch (x->kind) {
    case CIX_LEVEL: return v->at[x->k];
    case CIX_SIZE: return size_at(v->m->code->prog, x->k, v->size);
    case CIX_NUMBER: return x->k;
    default: break;
    }
    a = eval_index(v, x->a);
    b = eval_index(v, x->b);
    switch (x->kind) {
    case CIX_ADD: return a + b;
    case CIX_SUB: return a - b;
    case CIX_MUL: return a * b;
    default: break;
    }
    if (b <= 0)
        return v->outside = true, 0;
    r = a % b;
    if (x->kind == CIX_DIV || x->kind == CIX_FDIV)
        return a / b - (x->kind == CIX_FDIV && r < 0);
    return x->kind == CIX_FMOD && r < 0 ? r + b : r;
}

static inline bool eval_conds(struct eval *v, int first, int len)
{
    for (int i = 0; i < len; i++) {
        const struct mcond *k = &v->m->cond.a[first + i];
        long a = eval_index(v, k->a), b = eval_index(v, k->b);
        bool yes[] = { a < b, a <= b, a > b, a >= b, a == b, a != b };
        if (!yes[k->op])
            return false;
    }
    return true;
}

static inline double eval_real(int op, double a, double b, bool f32)
{
    bool zero = a == 0 && !signbit(a);

    switch (op) {
    case FN_ADD: return f32 ? (double)((float)a + (float)b) : a + b;
    case FN_SUB: return f32 ? (double)((float)a - (float)b) : a - b;
    case FN_MUL: return f32 ? (double)((float)a * (float)b) : a * b;
    case FN_DIV: return f32 ? (double)((float)a / (float)b) : a / b;
    case FN_SQRT: return f32 ? (double)sqrtf((float)a) : sqrt(a);
    case FN_MAX: return a < b ? b : a;
    case FN_MIN: return b < a ? b : a;
    case FN_NEG: return -a;
    case FN_ABS: return fabs(a);
    case FN_ROUND: return nearbyint(a);
    case FN_LESS: return a < b;
    case FN_EQUAL: return a == b;
    case FN_WHEN: return a == 0 ? 0 : b;
    case FN_ORELSE: return zero ? b : a;
    default: return (double)NAN; /* those of the library have no meaning in Coq */
    }
}

static inline int64_t eval_whole(int op, int64_t a, int64_t b, bool i32)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b, r = 0;

    switch (op) {
    case FN_ADD: r = x + y; break;
    case FN_SUB: r = x - y; break;
    case FN_MUL: r = x * y; break;
    case FN_DIV: r = b == 0 ? 0 : b == -1 ? 0 - x : (uint64_t)(a / b - (a % b != 0 && (a < 0) != (b < 0))); break;
    case FN_MOD: r = b == 0 || b == -1 ? 0 : (uint64_t)(a % b != 0 && (a < 0) != (b < 0) ? a % b + b : a % b); break;
    case FN_MAX: return a < b ? b : a;
    case FN_MIN: return b < a ? b : a;
    case FN_NEG: r = 0 - x; break;
    case FN_ABS: r = a < 0 ? 0 - x : x; break;
    case FN_LESS: return a < b;
    case FN_EQUAL: return a == b;
    case FN_WHEN: return a == 0 ? 0 : b;
    case FN_ORELSE: return a == 0 ? b : a;
    default: break;
    }
    return i32 ? (int64_t)(int32_t)(uint32_t)r : (int64_t)r;
}

static inline struct cell *eval_place(struct eval *v, int var, int lin)
{
    static struct cell nowhere;
    long k = lin < 0 ? 0 : eval_index(v, lin);

    if (!v->place[var] || k < 0 || k >= v->cells[var])
        return v->outside = true, &nowhere;
    return &v->place[var][k];
}

static inline struct cell eval_value(struct eval *v, int id)
{
    const struct mx *x = &v->m->mx.a[id];
    enum kernel_type type = v->m->code->prog->scalar;
    struct cell a, b = { 0, 0 };

    switch (x->kind) {
    case MX_LIT: return (struct cell){ type == KERNEL_F32 ? (double)(float)x->num : x->num, x->inum };
    case MX_VAR: return *eval_place(v, x->var, -1);
    case MX_LOAD: return *eval_place(v, x->var, x->lin);
    case MX_COND: return eval_value(v, eval_conds(v, x->first, x->len) ? x->a : x->b);
    default: break;
    }
    a = eval_value(v, x->a);
    if (x->b >= 0)
        b = eval_value(v, x->b);
    if (type == KERNEL_F32 || type == KERNEL_F64)
        return (struct cell){ eval_real(x->op, a.x, b.x, type == KERNEL_F32), 0 };
    return (struct cell){ 0, eval_whole(x->op, a.z, b.z, type == KERNEL_I32) };
}

static inline void eval_stmt(struct eval *v, int id);

static inline void eval_array(struct eval *v, const struct ms *x)
{
    long n = size_at(v->m->code->prog, x->n, v->size);

    v->cells[x->var] = n;
    v->place[x->var] = calloc((size_t)n + 1, sizeof **v->place);
    eval_stmt(v, x->a);
    free(v->place[x->var]);
    v->place[x->var] = NULL;
}

/* Recursion follows the program's text, whose depth is bounded. */
static inline void eval_stmt(struct eval *v, int id)
{
    const struct ms *x = &v->m->ms.a[id];

    switch (x->kind) {
    case MS_BLOCK: {
        for (int i = 0; i < x->len; i++)
            eval_stmt(v, v->m->pool.a[x->first + i]);
        for (int i = 0; i < x->len; i++) { /* the scalars that it declares end with it */
            const struct ms *y = &v->m->ms.a[v->m->pool.a[x->first + i]];
            if (y->kind == MS_DECL) {
                free(v->place[y->var]);
                v->place[y->var] = NULL;
            }
        }
        break;
    }
    case MS_DECL:
        v->cells[x->var] = 1;
        v->place[x->var] = calloc(1, sizeof **v->place);
        if (x->a >= 0)
            *v->place[x->var] = eval_value(v, x->a);
        break;
    case MS_ARRAY: eval_array(v, x); break;
    case MS_SET: {
        struct cell c = eval_value(v, x->a);
        *eval_place(v, x->var, x->lin) = c;
        break;
    }
    case MS_FOR:
        for (long n = size_at(v->m->code->prog, x->n, v->size), i = 0; i < n; i++) {
            v->at[x->var] = i;
            eval_stmt(v, x->a);
        }
        break;
    default:
        if (eval_conds(v, x->first, x->len))
            eval_stmt(v, x->a);
        else if (x->b >= 0)
            eval_stmt(v, x->b);
    }
}

#endif
