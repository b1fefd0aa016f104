/* Arithmetic of size polynomials. Invariant: terms ascend by their variables, coefficients are not 0, and a
   polynomial is stored once; overflow is a failure, never a wrong number. */
#include "dpia/exp.h"

#include "base/arith.h"

#include <limits.h>
#include <string.h>

/* A polynomial under construction: terms in any order, variables of each in its own row. */
struct build {
    long c[POLY_TERMS];
    int deg[POLY_TERMS];
    int var[POLY_TERMS][POLY_DEGREE];
    int n;
};

void polys_init(struct polys *p, struct mem *mem)
{
    memset(p, 0, sizeof *p);
    p->mem = mem;
}

void polys_free(struct polys *p)
{
    mem_free(p->poly.a);
    mem_free(p->mono.a);
    ints_free(&p->pool);
    polys_init(p, p->mem);
}

static int fail(struct polys *p, enum calque_status st)
{
    if (p->status == CALQUE_OK)
        p->status = st;
    return -1;
}

/* The order of terms: higher degree first, then by variables. */
static int compare(const int *a, int na, const int *b, int nb)
{
    if (na != nb)
        return na > nb ? -1 : 1;
    for (int i = 0; i < na; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Adds c * vars (sorted) to the term with these variables, which stays in order. */
static bool term(struct polys *p, struct build *b, long c, const int *vars, int n)
{
    int at = 0;

    if (n > POLY_DEGREE)
        return fail(p, CALQUE_LIMIT) == 0;
    while (at < b->n && compare(b->var[at], b->deg[at], vars, n) < 0)
        at++;
    if (at < b->n && compare(b->var[at], b->deg[at], vars, n) == 0) {
        struct exact sum = exact_add(b->c[at], c);
        if (!sum.fits)
            return fail(p, CALQUE_LIMIT) == 0;
        b->c[at] = sum.z;
        return true;
    }
    if (b->n == POLY_TERMS)
        return fail(p, CALQUE_LIMIT) == 0;
    for (int i = b->n++; i > at; i--) {
        b->c[i] = b->c[i - 1];
        b->deg[i] = b->deg[i - 1];
        memcpy(b->var[i], b->var[i - 1], sizeof b->var[i]);
    }
    b->c[at] = c;
    b->deg[at] = n;
    if (n > 0)
        memcpy(b->var[at], vars, (size_t)n * sizeof *vars);
    return true;
}

/* NULL when there are none: then there may be no pool. */
static const int *vars(const struct polys *p, const struct mono *m)
{
    return m->n == 0 ? NULL : p->pool.a + m->first;
}

static bool same(const struct polys *p, const struct poly *q, const struct build *b)
{
    for (int i = 0; i < b->n; i++) {
        const struct mono *m = &p->mono.a[q->first + i];
        if (m->c != b->c[i] || compare(vars(p, m), m->n, b->var[i], b->deg[i]) != 0)
            return false;
    }
    return true;
}

/* The id of what was built. */
static int finish(struct polys *p, struct build *b)
{
    struct poly q = { p->mono.n, 0 };
    int n = 0;

    for (int i = 0; i < b->n; i++)
        if (b->c[i] != 0) {
            b->c[n] = b->c[i];
            b->deg[n] = b->deg[i];
            memmove(b->var[n++], b->var[i], sizeof b->var[i]);
        }
    b->n = n;
    for (int i = 0; i < p->poly.n; i++)
        if (p->poly.a[i].n == n && same(p, &p->poly.a[i], b))
            return i;
    if (!vec_room(p->mem, &p->mono, n) || !vec_room(p->mem, &p->poly, 1))
        return fail(p, CALQUE_NOMEM);
    for (int i = 0; i < n; i++) {
        p->mono.a[p->mono.n++] = (struct mono){ b->c[i], p->pool.n, b->deg[i] };
        for (int k = 0; k < b->deg[i]; k++)
            if (!ints_push(p->mem, &p->pool, b->var[i][k]))
                return fail(p, CALQUE_NOMEM);
    }
    q.n = n;
    p->poly.a[p->poly.n] = q;
    return p->poly.n++;
}

int poly_const(struct polys *p, long k)
{
    struct build b;

    b.n = 0;
    return term(p, &b, k, NULL, 0) ? finish(p, &b) : -1;
}

int poly_var(struct polys *p, int var)
{
    struct build b;

    b.n = 0;
    return term(p, &b, 1, &var, 1) ? finish(p, &b) : -1;
}

/* Adds k * a to b. */
static bool scaled(struct polys *p, struct build *b, int a, long k)
{
    for (int i = 0; i < p->poly.a[a].n; i++) {
        const struct mono *m = &p->mono.a[p->poly.a[a].first + i];
        struct exact c = exact_mul(m->c, k);
        if (!c.fits)
            return fail(p, CALQUE_LIMIT) == 0;
        if (!term(p, b, c.z, vars(p, m), m->n))
            return false;
    }
    return true;
}

static int combine(struct polys *p, int a, int b, long k)
{
    struct build r;

    r.n = 0;
    if (a < 0 || b < 0)
        return -1;
    return scaled(p, &r, a, 1) && scaled(p, &r, b, k) ? finish(p, &r) : -1;
}

int poly_add(struct polys *p, int a, int b)
{
    return combine(p, a, b, 1);
}

int poly_sub(struct polys *p, int a, int b)
{
    return combine(p, a, b, -1);
}

int poly_scale(struct polys *p, int a, long k)
{
    struct build r;

    r.n = 0;
    return a >= 0 && scaled(p, &r, a, k) ? finish(p, &r) : -1;
}

static bool product(struct polys *p, struct build *r, const struct mono *x, const struct mono *y)
{
    int var[2 * POLY_DEGREE], n = 0, i = 0, j = 0;
    struct exact c = exact_mul(x->c, y->c);

    if (!c.fits)
        return fail(p, CALQUE_LIMIT) == 0;
    while (i < x->n || j < y->n) {
        int u = i < x->n ? p->pool.a[x->first + i] : INT_MAX, v = j < y->n ? p->pool.a[y->first + j] : INT_MAX;
        var[n++] = u < v ? u : v;
        if (u < v)
            i++;
        else
            j++;
    }
    return term(p, r, c.z, var, n);
}

int poly_mul(struct polys *p, int a, int b)
{
    struct build r;

    r.n = 0;
    if (a < 0 || b < 0)
        return -1;
    for (int i = 0; i < p->poly.a[a].n; i++)
        for (int j = 0; j < p->poly.a[b].n; j++)
            if (!product(p, &r, &p->mono.a[p->poly.a[a].first + i], &p->mono.a[p->poly.a[b].first + j]))
                return -1;
    return finish(p, &r);
}

/* The variables of x without those of y, or -1: some are missing. */
static int without(const struct polys *p, const struct mono *x, const struct mono *y, int *var)
{
    int n = 0, j = 0;

    for (int i = 0; i < x->n; i++) {
        int v = p->pool.a[x->first + i];
        if (j < y->n && p->pool.a[y->first + j] == v)
            j++;
        else
            var[n++] = v;
    }
    return j == y->n ? n : -1;
}

int poly_quotient(struct polys *p, int a, int b)
{
    struct build r;
    int var[POLY_DEGREE];
    struct mono y;

    r.n = 0;
    if (a < 0 || b < 0 || p->poly.a[b].n != 1)
        return -1;
    y = p->mono.a[p->poly.a[b].first];
    for (int i = 0; i < p->poly.a[a].n; i++) {
        struct mono x = p->mono.a[p->poly.a[a].first + i];
        int n = without(p, &x, &y, var);
        if (n < 0 || (y.c == -1 && x.c == LONG_MIN) || x.c % y.c != 0 || !term(p, &r, x.c / y.c, var, n))
            return -1;
    }
    return finish(p, &r);
}

bool poly_is_const(const struct polys *p, int a, long *k)
{
    const struct poly *q = &p->poly.a[a];

    *k = q->n > 0 ? p->mono.a[q->first].c : 0;
    return q->n == 0 || (q->n == 1 && p->mono.a[q->first].n == 0);
}

bool poly_nonnegative(const struct polys *p, int a)
{
    for (int i = 0; i < p->poly.a[a].n; i++)
        if (p->mono.a[p->poly.a[a].first + i].c < 0)
            return false;
    return true;
}
