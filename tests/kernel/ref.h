/* For the kernel tests: a naive evaluator straight from the definition, one cell at a time, random data, comparison. */
#ifndef CALQUE_TESTS_KERNEL_REF_H
#define CALQUE_TESTS_KERNEL_REF_H

#include "kernel/kernel.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

union ref_num {
    float f;
    double d;
    int32_t i;
    int64_t l;
};

struct ref {
    const struct kernel *k;
    const struct kernel_stmt *s;
    void *const *data;
    long *var;
    bool zero;     /* a division by zero */
    bool outside;  /* a load out of bounds */
};

static inline long ref_ix(struct ref *r, int id)
{
    struct ix x = r->k->ix.a[id];
    long a, q;

    if (x.kind == IX_VAR)
        return r->var[x.k];
    if (x.kind == IX_CONST)
        return x.k;
    a = ref_ix(r, x.a);
    if (x.kind == IX_ADD)
        return a + ref_ix(r, x.b);
    if (x.kind == IX_SUB)
        return a - ref_ix(r, x.b);
    if (x.kind == IX_MUL)
        return a * x.k;
    q = (a - ((a % x.k + x.k) % x.k)) / x.k;
    return x.kind == IX_DIV ? q : a - q * x.k;
}

static inline float ref_f32(int fn, float a, float b)
{
    switch (fn) {
    case FN_ADD: return a + b;
    case FN_SUB: return a - b;
    case FN_MUL: return a * b;
    case FN_DIV: return a / b;
    case FN_MAX: return a < b ? b : a;
    case FN_MIN: return b < a ? b : a;
    case FN_POW: return powf(a, b);
    case FN_NEG: return -a;
    case FN_EXP: return expf(a);
    case FN_LOG: return logf(a);
    case FN_SQRT: return sqrtf(a);
    case FN_TANH: return tanhf(a);
    case FN_ABS: return fabsf(a);
    case FN_ROUND: return nearbyintf(a);
    case FN_LESS: return a < b;
    case FN_EQUAL: return a == b;
    case FN_WHEN: return a == 0 ? 0 : b;
    case FN_ORELSE: return a == 0 && !signbit(a) ? b : a;
    default: return erff(a);
    }
}

static inline double ref_f64(int fn, double a, double b)
{
    switch (fn) {
    case FN_ADD: return a + b;
    case FN_SUB: return a - b;
    case FN_MUL: return a * b;
    case FN_DIV: return a / b;
    case FN_MAX: return a < b ? b : a;
    case FN_MIN: return b < a ? b : a;
    case FN_POW: return pow(a, b);
    case FN_NEG: return -a;
    case FN_EXP: return exp(a);
    case FN_LOG: return log(a);
    case FN_SQRT: return sqrt(a);
    case FN_TANH: return tanh(a);
    case FN_ABS: return fabs(a);
    case FN_ROUND: return nearbyint(a);
    case FN_LESS: return a < b;
    case FN_EQUAL: return a == b;
    case FN_WHEN: return a == 0 ? 0 : b;
    case FN_ORELSE: return a == 0 && !signbit(a) ? b : a;
    default: return erf(a);
    }
}

/* In 64 bits; the caller cuts to 32. */
static inline int64_t ref_int(struct ref *r, int fn, int64_t a, int64_t b)
{
    int64_t m;

    switch (fn) {
    case FN_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
    case FN_SUB: return (int64_t)((uint64_t)a - (uint64_t)b);
    case FN_MUL: return (int64_t)((uint64_t)a * (uint64_t)b);
    case FN_MAX: return a < b ? b : a;
    case FN_MIN: return b < a ? b : a;
    case FN_NEG: return (int64_t)(0 - (uint64_t)a);
    case FN_ABS: return a < 0 ? (int64_t)(0 - (uint64_t)a) : a;
    case FN_LESS: return a < b;
    case FN_EQUAL: return a == b;
    case FN_WHEN: return a == 0 ? 0 : b;
    case FN_ORELSE: return a == 0 ? b : a;
    default:
        break;
    }
    if (b == 0) {
        r->zero = true;
        return 0;
    }
    if (b == -1)
        return fn == FN_MOD ? 0 : (int64_t)(0 - (uint64_t)a);
    m = a % b;
    if (m == 0 || (m < 0) == (b < 0))
        return fn == FN_MOD ? m : a / b;
    return fn == FN_MOD ? m + b : a / b - 1;
}

static inline union ref_num ref_apply(struct ref *r, int fn, union ref_num a, union ref_num b)
{
    union ref_num x = {.l = 0};

    switch (r->k->type) {
    case KERNEL_F32: x.f = ref_f32(fn, a.f, b.f); break;
    case KERNEL_F64: x.d = ref_f64(fn, a.d, b.d); break;
    case KERNEL_I32: x.i = (int32_t)(uint32_t)ref_int(r, fn, a.i, b.i); break;
    default: x.l = ref_int(r, fn, a.l, b.l); break;
    }
    return x;
}

static inline bool ref_cond(struct ref *r, struct cond c)
{
    long a = ref_ix(r, c.a), b = ref_ix(r, c.b);

    switch (c.op) {
    case CMP_LT: return a < b;
    case CMP_LE: return a <= b;
    case CMP_GT: return a > b;
    case CMP_GE: return a >= b;
    case CMP_EQ: return a == b;
    default: return a != b;
    }
}

static inline union ref_num ref_ex(struct ref *r, int id);

/* What a choice chooses. */
static inline int ref_branch(struct ref *r, int id)
{
    const struct ex *e = &r->k->ex.a[id];
    bool all = true;

    if (e->kind != EX_SELECT)
        return id;
    for (int i = 0; i < e->n && all; i++)
        all = ref_cond(r, r->k->cond.a[e->first + i]);
    return ref_branch(r, all ? e->a : e->b);
}

static inline void ref_fold(struct ref *r, const struct ex *e, int i, union ref_num *acc)
{
    const struct kernel *k = r->k;

    if (i == e->n) {
        const struct ex *x = &k->ex.a[ref_branch(r, e->a)];
        if (x->kind == EX_CALL && x->op == FN_EXACT && k->type == KERNEL_F32)
            acc->f = fmaf(ref_ex(r, x->a).f, ref_ex(r, x->b).f, acc->f);
        else if (x->kind == EX_CALL && x->op == FN_EXACT)
            acc->d = fma(ref_ex(r, x->a).d, ref_ex(r, x->b).d, acc->d);
        else
            *acc = ref_apply(r, e->op == RED_SUM ? FN_ADD : FN_MAX, *acc, ref_ex(r, e->a));
        return;
    }
    for (long v = 0; v < k->var.a[r->s->var + k->pool.a[e->first + i]].extent; v++) {
        r->var[k->pool.a[e->first + i]] = v;
        ref_fold(r, e, i + 1, acc);
    }
}

static inline union ref_num ref_load(struct ref *r, const struct ex *e)
{
    const struct kernel_tensor *t = &r->k->tensor.a[e->op];
    size_t size = kernel_type_size(r->k->type);
    union ref_num x = {.l = 0};
    long at = 0;

    for (int i = 0; i < e->n; i++) {
        long v = ref_ix(r, r->k->pool.a[e->first + i]);
        if (v < 0 || v >= t->dim[i]) {
            r->outside = true;
            return x;
        }
        at = at * t->dim[i] + v;
    }
    memcpy(&x, (const char *)r->data[e->op] + (size_t)at * size, size);
    return x;
}

static inline union ref_num ref_ex(struct ref *r, int id)
{
    const struct ex *e = &r->k->ex.a[id];
    union ref_num a, b = {.l = 0};

    a.l = 0;
    switch (e->kind) {
    case EX_LOAD:
        return ref_load(r, e);
    case EX_CONST:
        if (r->k->type == KERNEL_F32)
            a.f = (float)e->num;
        else if (r->k->type == KERNEL_F64)
            a.d = e->num;
        else if (r->k->type == KERNEL_I32)
            a.i = (int32_t)e->inum;
        else
            a.l = e->inum;
        return a;
    case EX_SELECT:
        for (int i = 0; i < e->n; i++)
            if (!ref_cond(r, r->k->cond.a[e->first + i]))
                return ref_ex(r, e->b);
        return ref_ex(r, e->a);
    case EX_REDUCE:
        if (e->op == RED_MAX && r->k->type == KERNEL_F32)
            a.f = -INFINITY;
        else if (e->op == RED_MAX && r->k->type == KERNEL_F64)
            a.d = (double)-INFINITY;
        else if (e->op == RED_MAX && r->k->type == KERNEL_I32)
            a.i = INT32_MIN;
        else if (e->op == RED_MAX)
            a.l = INT64_MIN;
        ref_fold(r, e, 0, &a);
        return a;
    default:
        a = ref_ex(r, e->a);
        if (e->b >= 0)
            b = ref_ex(r, e->b);
        return ref_apply(r, e->op, a, b);
    }
}

enum ref_outcome { REF_OK, REF_ZERO, REF_OUTSIDE };

/* Evaluates the kernel on data; says whether a division by zero or an access out of bounds happened. */
static inline enum ref_outcome ref_eval(const struct kernel *k, void *const *data)
{
    size_t size = kernel_type_size(k->type);
    enum ref_outcome ok = REF_OK;

    for (int i = 0; i < k->stmt.n && ok == REF_OK; i++) {
        struct ref r = {.k = k, .s = &k->stmt.a[i], .data = data};
        const struct kernel_tensor *t = &k->tensor.a[r.s->out];
        long n = kernel_elems(k, r.s->out);
        char *out = malloc((size_t)n * size + 1);
        r.var = calloc((size_t)r.s->nvar + 1, sizeof *r.var);
        for (long c = 0; c < n; c++) {
            union ref_num x;
            long rest = c;
            for (int j = t->rank - 1; j >= 0; j--) {
                r.var[j] = rest % t->dim[j];
                rest /= t->dim[j];
            }
            x = ref_ex(&r, r.s->body);
            memcpy(out + (size_t)c * size, &x, size);
        }
        ok = r.outside ? REF_OUTSIDE : r.zero ? REF_ZERO : REF_OK;
        if (ok == REF_OK)
            memcpy(data[r.s->out], out, (size_t)n * size);
        free(out);
        free(r.var);
    }
    return ok;
}

static inline bool ref_run(const struct kernel *k, void *const *data)
{
    return ref_eval(k, data) == REF_OK;
}

static inline uint64_t ref_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Storage for every tensor, random; floats are small dyadic numbers and now and then any. */
static inline void **ref_data(const struct kernel *k, uint64_t seed)
{
    void **data = calloc((size_t)k->tensor.n + 1, sizeof *data);

    for (int t = 0; t < k->tensor.n; t++) {
        long n = kernel_elems(k, t);
        data[t] = malloc((size_t)(n > 0 ? n : 1) * kernel_type_size(k->type));
        for (long c = 0; c < n; c++) {
            uint64_t x = ref_random(&seed);
            double real = ((double)(x % 4001) - 2000) / 256;
            if (k->type == KERNEL_F32)
                ((float *)data[t])[c] = x % 97 == 0 ? -0.0f : (float)real * 1.1f;
            else if (k->type == KERNEL_F64)
                ((double *)data[t])[c] = real * 1.1;
            else if (k->type == KERNEL_I32)
                ((int32_t *)data[t])[c] = x % 31 == 0 ? INT32_MIN : (int32_t)(x % 41) - 20;
            else
                ((int64_t *)data[t])[c] = x % 31 == 0 ? INT64_MIN : (int64_t)(x % 41) - 20;
        }
    }
    return data;
}

static inline void ref_free(const struct kernel *k, void **data)
{
    for (int t = 0; t < k->tensor.n; t++)
        free(data[t]);
    free(data);
}

/* The same bits, or both not a number. */
static inline bool ref_same(enum kernel_type type, const void *a, const void *b, long n)
{
    size_t size = kernel_type_size(type);

    for (long i = 0; i < n; i++) {
        const char *x = (const char *)a + (size_t)i * size, *y = (const char *)b + (size_t)i * size;
        float f, g;
        double d, e;
        if (memcmp(x, y, size) == 0)
            continue;
        if (type == KERNEL_F32) {
            memcpy(&f, x, sizeof f);
            memcpy(&g, y, sizeof g);
            if (isnan(f) && isnan(g))
                continue;
        }
        if (type == KERNEL_F64) {
            memcpy(&d, x, sizeof d);
            memcpy(&e, y, sizeof e);
            if (isnan(d) && isnan(e))
                continue;
        }
        return false;
    }
    return true;
}

/* All tensors stored by k agree. */
static inline bool ref_same_all(const struct kernel *k, void **a, void **b)
{
    for (int t = 0; t < k->tensor.n; t++)
        if (!ref_same(k->type, a[t], b[t], kernel_elems(k, t)))
            return false;
    return true;
}

#endif
