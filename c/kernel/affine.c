/* Normal forms of index expressions (KE-Int, KE-Var, KE-Plus, KE-Minus, KE-Scale, KE-Div, KE-Mod). Invariant: a form
   has the value of its expression wherever the variables are in their ranges; equal forms have equal ids; overflow is
   a failure. */
#include "kernel/affine.h"

#include <string.h>

#define SPAN_FAR ((long)1 << 60)
#define COEF_MAX ((long)1 << 45)

static long clamp(long x)
{
    return x > SPAN_FAR ? SPAN_FAR : x < -SPAN_FAR ? -SPAN_FAR : x;
}

static long mul(long a, long b)
{
    struct exact r = exact_mul(a, b);

    if (!r.fits)
        return (a < 0) == (b < 0) ? SPAN_FAR : -SPAN_FAR;
    return clamp(r.z);
}

struct span span_add(struct span a, struct span b)
{
    return (struct span){clamp(a.lo + b.lo), clamp(a.hi + b.hi)};
}

struct span span_scale(struct span a, long c)
{
    if (c >= 0)
        return (struct span){mul(a.lo, c), mul(a.hi, c)};
    return (struct span){mul(a.hi, c), mul(a.lo, c)};
}

struct span span_meet(struct span a, struct span b)
{
    return (struct span){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

struct span span_div(struct span a, long k)
{
    return (struct span){floor_div(a.lo, k), floor_div(a.hi, k)};
}

struct span span_mod(struct span a, long k)
{
    long q = floor_div(a.lo, k);

    if (a.lo <= a.hi && q == floor_div(a.hi, k))
        return (struct span){a.lo - q * k, a.hi - q * k};
    return (struct span){0, k - 1};
}

void aff_init(struct aff *t, struct mem *mem, const struct kernel *k, const struct kernel_stmt *s)
{
    memset(t, 0, sizeof *t);
    t->mem = mem;
    t->k = k;
    t->s = s;
    for (int i = 0; i < AFF_BUCKETS; i++)
        t->bucket[i] = -1;
}

void aff_free(struct aff *t)
{
    mem_free(t->atom.a);
    mem_free(t->form.a);
    mem_free(t->term.a);
    mem_free(t->more);
}

static int fail(struct aff *t, enum calque_status st)
{
    if (t->status == CALQUE_OK)
        t->status = st;
    return -1;
}

static int *bucket_of(struct aff *t, unsigned long hash)
{
    return t->more ? &t->more[hash % (unsigned long)t->buckets] : &t->bucket[hash % AFF_BUCKETS];
}

/* Four times as many buckets once there are four forms for each; when memory is out they stay as they are. */
static void more_buckets(struct aff *t)
{
    int old = t->more ? t->buckets : AFF_BUCKETS, *more;

    if (t->form.n / 4 < old || old > INT32_MAX / 8 || !(more = mem_resize(t->mem, NULL, (size_t)old * 4, sizeof *more)))
        return;
    mem_free(t->more);
    t->more = more;
    t->buckets = old * 4;
    for (int i = 0; i < t->buckets; i++)
        more[i] = -1;
    for (int i = 0; i < t->form.n; i++) {
        int *b = bucket_of(t, t->form.a[i].hash);
        t->form.a[i].next = *b;
        *b = i;
    }
}

/* Interns the form whose n terms were just pushed on the term table; takes them off if it is known. */
static int intern(struct aff *t, int n, long k)
{
    unsigned long h = (unsigned long)k * 31u;
    int first = t->term.n - n;
    struct aff_form f;

    if (k > COEF_MAX || k < -COEF_MAX)
        return fail(t, CALQUE_LIMIT);
    for (int i = first; i < t->term.n; i++)
        h = (h ^ (unsigned long)t->term.a[i].atom ^ ((unsigned long)t->term.a[i].c << 8)) * 1099511628211u;
    h = h >> 24 ^ h;
    for (int i = *bucket_of(t, h); i >= 0; i = t->form.a[i].next) {
        const struct aff_form *g = &t->form.a[i];
        int j = 0;
        if (g->n != n || g->k != k)
            continue;
        while (j < n && t->term.a[g->first + j].atom == t->term.a[first + j].atom &&
               t->term.a[g->first + j].c == t->term.a[first + j].c)
            j++;
        if (j == n) {
            t->term.n = first;
            return i;
        }
    }
    if (!vec_room(t->mem, &t->form, 1))
        return fail(t, CALQUE_NOMEM);
    more_buckets(t);
    f = (struct aff_form){first, n, k, *bucket_of(t, h), h};
    *bucket_of(t, h) = t->form.n;
    t->form.a[t->form.n] = f;
    return t->form.n++;
}

int aff_const(struct aff *t, long k)
{
    return intern(t, 0, k);
}

static int find_atom(const struct aff *t, int kind, int form, long k)
{
    for (int i = 0; i < t->atom.n; i++)
        if (t->atom.a[i].kind == kind && t->atom.a[i].form == form && t->atom.a[i].k == k)
            return i;
    return -1;
}

static int atom(struct aff *t, int kind, int form, long k)
{
    int i = find_atom(t, kind, form, k);
    struct span s;

    if (i >= 0)
        return i;
    if (!vec_room(t->mem, &t->atom, 1))
        return fail(t, CALQUE_NOMEM);
    s = kind == IX_VAR ? (struct span){0, t->k->var.a[t->s->var + k].extent - 1} : aff_span(t, form);
    if (kind != IX_VAR)
        s = kind == IX_DIV ? span_div(s, k) : span_mod(s, k);
    t->atom.a[t->atom.n] = (struct aff_atom){kind, form, k, s};
    return t->atom.n++;
}

static int compare(long a, long b)
{
    return a < b ? -1 : a > b;
}

static int form_order(const struct aff *t, int a, int b);

int aff_atom_form(struct aff *t, int id)
{
    if (id < 0)
        return -1;
    if (!vec_room(t->mem, &t->term, 1))
        return fail(t, CALQUE_NOMEM);
    t->term.a[t->term.n++] = (struct aff_term){id, 1};
    return intern(t, 1, 0);
}

/* Variables by number, then quotients, then remainders, by what is divided and by what. Recursion follows nested
   quotients, which stood in an index expression: KERNEL_DEPTH_MAX. */
static int atom_order(const struct aff *t, int a, int b)
{
    const struct aff_atom *x = &t->atom.a[a], *y = &t->atom.a[b];
    int order;

    if (a == b)
        return 0;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->kind != IX_VAR && (order = form_order(t, x->form, y->form)) != 0)
        return order;
    return compare(x->k, y->k);
}

/* Term by term, the constants last; a form that ends comes before one that goes on. */
static int form_order(const struct aff *t, int a, int b)
{
    const struct aff_form *f = &t->form.a[a], *g = &t->form.a[b];

    for (int i = 0; a != b && i < f->n && i < g->n; i++) {
        const struct aff_term *x = &t->term.a[f->first + i], *y = &t->term.a[g->first + i];
        int order = atom_order(t, x->atom, y->atom);
        if (order == 0)
            order = compare(x->c, y->c);
        if (order != 0)
            return order;
    }
    return f->n != g->n ? compare(f->n, g->n) : compare(f->k, g->k);
}

/* a + c * b, merging the two sorted lists of terms, without simplification. */
static int merge(struct aff *t, int a, int b, long c)
{
    struct aff_form fa = t->form.a[a], fb = t->form.a[b];
    int i = 0, j = 0, n = 0;
    long k;

    if (__builtin_mul_overflow(fb.k, c, &k) || __builtin_add_overflow(fa.k, k, &k))
        return fail(t, CALQUE_LIMIT);
    if (!vec_room(t->mem, &t->term, fa.n + fb.n))
        return fail(t, CALQUE_NOMEM);
    while (i < fa.n || j < fb.n) {
        const struct aff_term *x = &t->term.a[fa.first + i], *y = &t->term.a[fb.first + j];
        struct aff_term z;
        if (j == fb.n || (i < fa.n && atom_order(t, x->atom, y->atom) < 0)) {
            z = *x;
            i++;
        } else {
            z.atom = y->atom;
            if (__builtin_mul_overflow(y->c, c, &z.c))
                return fail(t, CALQUE_LIMIT);
            j++;
            if (i < fa.n && x->atom == z.atom) {
                if (__builtin_add_overflow(x->c, z.c, &z.c))
                    return fail(t, CALQUE_LIMIT);
                i++;
            }
        }
        if (z.c > COEF_MAX || z.c < -COEF_MAX)
            return fail(t, CALQUE_LIMIT);
        if (z.c != 0)
            t->term.a[t->term.n + n++] = z;
    }
    t->term.n += n;
    return intern(t, n, k);
}

static long coefficient(const struct aff *t, int form, int id)
{
    const struct aff_form *f = &t->form.a[form];

    for (int i = 0; i < f->n; i++)
        if (t->term.a[f->first + i].atom == id)
            return t->term.a[f->first + i].c;
    return 0;
}

/* The atom f // k if it exists, f // a // b being f // (a*b). */
static int find_div(const struct aff *t, int form, long k)
{
    const struct aff_form *f = &t->form.a[form];

    if (f->n == 1 && f->k == 0 && t->term.a[f->first].c == 1) {
        const struct aff_atom *x = &t->atom.a[t->term.a[f->first].atom];
        if (x->kind == IX_DIV && x->k <= KERNEL_INDEX_MAX / k)
            return find_atom(t, IX_DIV, x->form, x->k * k);
    }
    return find_atom(t, IX_DIV, form, k);
}

int aff_add(struct aff *t, int a, int b, long c)
{
    int r, again = 1;

    if (a < 0 || b < 0)
        return -1;
    r = merge(t, a, b, c);
    /* c * k * (f // k) + c * (f % k) = c * f; each step removes a remainder */
    while (again && r >= 0) {
        again = 0;
        for (int i = 0; !again && i < t->form.a[r].n; i++) { /* r is -1 after a step that failed */
            struct aff_term x = t->term.a[t->form.a[r].first + i];
            struct aff_atom m = t->atom.a[x.atom];
            int q = m.kind == IX_MOD ? find_div(t, m.form, m.k) : -1;
            if (q < 0 || coefficient(t, r, q) != x.c * m.k)
                continue;
            again = 1;
            r = merge(t, r, aff_atom_form(t, x.atom), -x.c);
            if (r >= 0 && (b = aff_atom_form(t, q)) >= 0)
                r = merge(t, r, b, -x.c * m.k);
            if (r >= 0 && b >= 0)
                r = merge(t, r, m.form, x.c);
        }
    }
    return t->status == CALQUE_OK ? r : -1;
}

/* The terms of a form whose coefficients are multiples of k, divided by k; or, with rest, the others and the constant. */
static int part(struct aff *t, int form, long k, bool rest)
{
    struct aff_form f = t->form.a[form];
    int n = 0;

    if (!vec_room(t->mem, &t->term, f.n))
        return fail(t, CALQUE_NOMEM);
    for (int i = 0; i < f.n; i++) {
        struct aff_term x = t->term.a[f.first + i];
        if ((x.c % k != 0) != rest)
            continue;
        x.c = rest ? x.c : x.c / k;
        t->term.a[t->term.n + n++] = x;
    }
    t->term.n += n;
    return intern(t, n, rest ? f.k : 0);
}

/* (k*a + b) // k = a + b // k and (k*a + b) % k = b % k; when b // k is one number q, so are they. */
int aff_divide(struct aff *t, int kind, int form, long k)
{
    int whole, rest, id;
    struct span s;
    long q;

    if (form < 0 || (whole = part(t, form, k, false)) < 0 || (rest = part(t, form, k, true)) < 0)
        return -1;
    s = aff_span(t, rest);
    q = floor_div(s.lo, k);
    if (q == floor_div(s.hi, k))
        return aff_add(t, kind == IX_DIV ? whole : rest, aff_const(t, 1), kind == IX_DIV ? q : -q * k);
    if (kind == IX_MOD)
        return aff_atom_form(t, atom(t, IX_MOD, rest, k));
    if (t->form.a[rest].n == 1 && t->form.a[rest].k == 0 && t->term.a[t->form.a[rest].first].c == 1) {
        struct aff_atom x = t->atom.a[t->term.a[t->form.a[rest].first].atom];
        if (x.kind == IX_DIV && x.k <= KERNEL_INDEX_MAX / k) {
            rest = x.form;
            k *= x.k;
        }
    }
    id = aff_atom_form(t, atom(t, IX_DIV, rest, k));
    return aff_add(t, whole, id, 1);
}

int aff_var(struct aff *t, int var)
{
    if (t->k->var.a[t->s->var + var].extent <= 1)
        return aff_const(t, 0);
    return aff_atom_form(t, atom(t, IX_VAR, -1, var));
}

int aff_of(struct aff *t, int ix)
{
    struct ix x = t->k->ix.a[ix];
    int a, b;

    switch (x.kind) {
    case IX_VAR: /* KE-Var */
        return aff_var(t, (int)x.k);
    case IX_CONST: /* KE-Int */
        return aff_const(t, x.k);
    case IX_ADD: /* KE-Plus */
    case IX_SUB: /* KE-Minus */
        a = aff_of(t, x.a);
        b = aff_of(t, x.b);
        return aff_add(t, a, b, x.kind == IX_ADD ? 1 : -1);
    case IX_MUL: /* KE-Scale */
        b = aff_const(t, 0);
        return aff_add(t, b, aff_of(t, x.a), x.k);
    default: /* KE-Div, KE-Mod */
        return aff_divide(t, x.kind, aff_of(t, x.a), x.k);
    }
}

long gcd(long a, long b)
{
    while (b != 0) {
        long r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

int aff_base(struct aff *t, int form, long *scale, long *k)
{
    struct aff_form f = t->form.a[form];
    long g = 0;

    *k = f.k;
    *scale = 1;
    if (f.n == 0)
        return aff_const(t, 0);
    for (int i = 0; i < f.n; i++)
        g = gcd(g, t->term.a[f.first + i].c);
    if (t->term.a[f.first].c < 0)
        g = -g;
    *scale = g;
    if (!vec_room(t->mem, &t->term, f.n))
        return fail(t, CALQUE_NOMEM);
    for (int i = 0; i < f.n; i++) {
        struct aff_term x = t->term.a[f.first + i];
        x.c /= g;
        t->term.a[t->term.n++] = x;
    }
    return intern(t, f.n, 0);
}

struct span aff_span(const struct aff *t, int form)
{
    const struct aff_form *f = &t->form.a[form];
    struct span r = {f->k, f->k};

    for (int i = 0; i < f->n; i++) {
        const struct aff_term *x = &t->term.a[f->first + i];
        r = span_add(r, span_scale(t->atom.a[x->atom].span, x->c));
    }
    return r;
}

long aff_reach(const struct aff *t, int form)
{
    const struct aff_form *f = &t->form.a[form];
    struct span r = {0, f->k < 0 ? -f->k : f->k};

    for (int i = 0; i < f->n; i++) {
        const struct aff_term *x = &t->term.a[f->first + i];
        struct span s = span_scale(t->atom.a[x->atom].span, x->c);
        long m = s.hi > -s.lo ? s.hi : -s.lo;
        r = span_add(r, (struct span){0, m});
    }
    return r.hi;
}
