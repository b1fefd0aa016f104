/* Intervals of linear forms under assumptions. Invariant: what is said to be not negative is so for all sizes >= 0
   and all indices in their ranges; unknown is always an answer. */
#include "dpia/parse_internal.h"

#include "base/arith.h"

#include <string.h>

void range_init(struct range *r, struct prog *p)
{
    memset(r, 0, sizeof *r);
    r->p = p;
}

void range_free(struct range *r)
{
    mem_free(r->atom.a);
    mem_free(r->form.a);
    ints_free(&r->fact);
}

static int fail(struct range *r)
{
    if (r->p->status == CALQUE_OK)
        r->p->status = r->p->size.status != CALQUE_OK ? r->p->size.status : CALQUE_NOMEM;
    return -1;
}

static int form(struct range *r, struct range_form f)
{
    if (f.c < 0 || !vec_room(r->p->mem, &r->form, 1))
        return fail(r);
    r->form.a[r->form.n] = f;
    return r->form.n++;
}

static bool same_form(const struct range *r, int a, int b)
{
    const struct range_form *f, *g;

    if (a < 0 || b < 0 || a == b)
        return a == b;
    f = &r->form.a[a];
    g = &r->form.a[b];
    if (f->c != g->c || f->n != g->n)
        return false;
    for (int i = 0; i < f->n; i++)
        if (f->atom[i] != g->atom[i] || f->k[i] != g->k[i])
            return false;
    return true;
}

/* Bounds may have been found with facts, so atoms are the same only with the same bounds. */
static bool same_atom(const struct range *r, const struct range_atom *x, const struct range_atom *y)
{
    return x->kind == y->kind && x->var == y->var && x->k == y->k && x->lo == y->lo && x->hi == y->hi &&
           same_form(r, x->arg, y->arg);
}

static int atom_form(struct range *r, struct range_atom x)
{
    struct range_form f = { .c = poly_const(&r->p->size, 0), .n = 1, .k = { 1 } };
    int i = 0;

    while (i < r->atom.n && !same_atom(r, &r->atom.a[i], &x))
        i++;
    if (i == r->atom.n) {
        if (!vec_room(r->p->mem, &r->atom, 1))
            return fail(r);
        r->atom.a[r->atom.n++] = x;
    }
    f.atom[0] = i;
    return form(r, f);
}

int range_size(struct range *r, long n)
{
    return form(r, (struct range_form){ .c = poly_size(r->p, n) });
}

int range_const(struct range *r, long k)
{
    return form(r, (struct range_form){ .c = poly_const(&r->p->size, k) });
}

int range_var(struct range *r, int var)
{
    struct polys *ps = &r->p->size;
    int n = poly_size(r->p, r->p->var.a[var].extent);

    return atom_form(r, (struct range_atom){ IX_VAR, var, -1, 0, poly_const(ps, 0), poly_sub(ps, n, poly_const(ps, 1)) });
}

/* Adds k times the atom; false when there is no room. */
static bool add_term(struct range_form *f, int atom, long k)
{
    struct exact sum;
    int i = 0;

    while (i < f->n && f->atom[i] != atom)
        i++;
    if (i == f->n) {
        if (f->n == RANGE_TERMS)
            return false;
        f->atom[f->n] = atom;
        f->k[f->n++] = 0;
    }
    sum = exact_add(f->k[i], k);
    if (!sum.fits)
        return false;
    f->k[i] = sum.z;
    if (f->k[i] == 0) {
        f->n--;
        f->atom[i] = f->atom[f->n];
        f->k[i] = f->k[f->n];
    }
    return true;
}

int range_add(struct range *r, int a, int b, long k)
{
    struct range_form f;

    if (a < 0 || b < 0)
        return -1;
    f = r->form.a[a];
    f.c = poly_add(&r->p->size, f.c, poly_scale(&r->p->size, r->form.a[b].c, k));
    for (int i = 0; i < r->form.a[b].n; i++) {
        struct exact c = exact_mul(r->form.a[b].k[i], k);
        if (!c.fits || !add_term(&f, r->form.a[b].atom[i], c.z))
            return -1;
    }
    return form(r, f);
}

/* The least (or greatest) value as a polynomial, -1 when not known. */
static int bound(struct range *r, int a, bool low)
{
    struct polys *ps = &r->p->size;
    const struct range_form *f;
    int c;

    if (a < 0)
        return -1;
    f = &r->form.a[a];
    c = f->c;
    for (int i = 0; i < f->n && c >= 0; i++) {
        const struct range_atom *x = &r->atom.a[f->atom[i]];
        int e = (f->k[i] > 0) == low ? x->lo : x->hi;
        c = e < 0 ? -1 : poly_add(ps, c, poly_scale(ps, e, f->k[i]));
    }
    return c;
}

static bool at_least_zero(struct range *r, int a)
{
    int c = bound(r, a, true);

    return c >= 0 && poly_nonnegative(&r->p->size, c);
}

/* The form itself, or less one or two facts. */
bool range_nonnegative(struct range *r, int a)
{
    int mark = r->form.n;
    bool yes = a >= 0 && at_least_zero(r, a);

    for (int i = 0; i < r->fact.n && a >= 0 && !yes; i++) {
        int b = range_add(r, a, r->fact.a[i], -1);
        yes = at_least_zero(r, b);
        for (int k = 0; k < i && !yes; k++)
            yes = at_least_zero(r, range_add(r, b, r->fact.a[k], -1));
    }
    r->form.n = mark;
    return yes;
}

bool range_is_const(const struct range *r, int a, long *k)
{
    return a >= 0 && r->form.a[a].n == 0 && poly_is_const(&r->p->size, r->form.a[a].c, k);
}

/* Is 0 <= a < k? */
static bool below(struct range *r, int a, long k)
{
    return range_nonnegative(r, a) && range_nonnegative(r, range_add(r, range_const(r, k - 1), a, -1));
}

int range_div(struct range *r, int a, long k)
{
    struct polys *ps = &r->p->size;
    struct range_atom x = { IX_DIV, -1, a, k, -1, -1 };
    int lo = bound(r, a, true), hi = bound(r, a, false), q;
    long c;

    if (a < 0)
        return -1;
    if (below(r, a, k))
        return range_const(r, 0);
    if (lo >= 0 && poly_is_const(ps, lo, &c))
        x.lo = poly_const(ps, floor_div(c, k));
    else if (range_nonnegative(r, a))
        x.lo = poly_const(ps, 0);
    if (hi >= 0 && poly_is_const(ps, hi, &c)) {
        x.hi = poly_const(ps, floor_div(c, k));
    } else if (hi >= 0) { /* a < q * k */
        q = poly_quotient(ps, poly_add(ps, hi, poly_const(ps, 1)), poly_const(ps, k));
        x.hi = q < 0 ? -1 : poly_sub(ps, q, poly_const(ps, 1));
    }
    return atom_form(r, x);
}

int range_mod(struct range *r, int a, long k)
{
    struct polys *ps = &r->p->size;

    if (a < 0)
        return -1;
    if (below(r, a, k))
        return a;
    return atom_form(r, (struct range_atom){ IX_MOD, -1, a, k, poly_const(ps, 0), poly_const(ps, k - 1) });
}

int range_mark(const struct range *r)
{
    return r->fact.n;
}

void range_assume(struct range *r, int a)
{
    if (a >= 0 && !ints_push(r->p->mem, &r->fact, a))
        fail(r);
}

void range_forget(struct range *r, int mark)
{
    r->fact.n = mark;
}
