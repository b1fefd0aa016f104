#include "emit/lin.h"

#include <string.h>

void lins_init(struct lins *l, struct mem *mem)
{
    memset(l, 0, sizeof *l);
    l->mem = mem;
}

void lins_free(struct lins *l)
{
    mem_free(l->atom.a);
    mem_free(l->term.a);
    mem_free(l->lin.a);
    lins_init(l, l->mem);
}

static int fail(struct lins *l, enum calque_status st)
{
    if (l->status == CALQUE_OK)
        l->status = st;
    return -1;
}

static long mul(struct lins *l, long a, long b)
{
    long r;

    if (__builtin_mul_overflow(a, b, &r)) {
        fail(l, CALQUE_LIMIT);
        return 0;
    }
    return r;
}

static long add(struct lins *l, long a, long b)
{
    long r;

    if (__builtin_add_overflow(a, b, &r)) {
        fail(l, CALQUE_LIMIT);
        return 0;
    }
    return r;
}

static long floor_div(long a, long k)
{
    return a / k - (a % k < 0);
}

static long floor_mod(long a, long k)
{
    return a % k < 0 ? a % k + k : a % k;
}

static int begin(struct lins *l, long k)
{
    if (!vec_room(l->mem, &l->lin, 1))
        return fail(l, CALQUE_NOMEM);
    l->lin.a[l->lin.n] = (struct lin){ l->term.n, 0, k, k, k };
    return l->lin.n++;
}

/* Appends c * atom to the last form; terms come by increasing atom. */
static void push(struct lins *l, int id, int atom, long c)
{
    struct lin *x = &l->lin.a[id];
    const struct atom *a = &l->atom.a[atom];

    if (c == 0)
        return;
    if (!vec_room(l->mem, &l->term, 1)) {
        fail(l, CALQUE_NOMEM);
        return;
    }
    l->term.a[l->term.n++] = (struct term){ atom, c };
    x->n++;
    x->lo = add(l, x->lo, mul(l, c, c > 0 ? a->lo : a->hi));
    x->hi = add(l, x->hi, mul(l, c, c > 0 ? a->hi : a->lo));
}

static int done(struct lins *l, int id)
{
    return l->status == CALQUE_OK ? id : -1;
}

int lin_const(struct lins *l, long k)
{
    return done(l, begin(l, k));
}

static int atom_form(struct lins *l, struct atom x)
{
    int at = -1, id;

    for (int i = 0; i < l->atom.n && at < 0; i++) {
        const struct atom *a = &l->atom.a[i];
        if (a->kind == x.kind && (x.kind == ATOM_VAR ? a->var == x.var : a->k == x.k && lin_equal(l, a->lin, x.lin)))
            at = i;
    }
    if (at < 0) {
        if (!vec_room(l->mem, &l->atom, 1))
            return fail(l, CALQUE_NOMEM);
        l->atom.a[at = l->atom.n++] = x;
    }
    id = begin(l, 0);
    if (id >= 0)
        push(l, id, at, 1);
    return done(l, id);
}

int lin_var(struct lins *l, int var, long lo, long hi)
{
    return atom_form(l, (struct atom){ ATOM_VAR, var, -1, 0, lo, hi });
}

static const struct atom *lone_atom(const struct lins *l, int a, int kind);

/* Is atom d the quotient x / k that goes with the remainder x % k? Nested quotients are one: (y / j) / k is y / (j * k). */
static bool is_quotient(const struct lins *l, const struct atom *d, int x, long k)
{
    const struct atom *inner = lone_atom(l, x, ATOM_DIV);
    long jk;

    if (d->kind != ATOM_DIV)
        return false;
    if (d->k == k && lin_equal(l, d->lin, x))
        return true;
    return inner && !__builtin_mul_overflow(inner->k, k, &jk) && d->k == jk && lin_equal(l, d->lin, inner->lin);
}

static int combine(struct lins *l, int a, int b, long k);

/* c * k * (x / k) + c * (x % k) is c * x: what splitting an index into quotient and remainder and addressing row-major
   with them comes to. */
static int rejoin(struct lins *l, int a)
{
    struct lin x = l->lin.a[a];

    for (int i = 0; i < x.n; i++)
        for (int j = 0; j < x.n; j++) {
            struct term m = l->term.a[x.first + i], q = l->term.a[x.first + j];
            struct atom r = l->atom.a[m.atom];
            int without;
            if (r.kind != ATOM_MOD || q.c % r.k != 0 || q.c / r.k != m.c ||
                !is_quotient(l, &l->atom.a[q.atom], r.lin, r.k))
                continue;
            without = begin(l, x.k);
            for (int t = 0; t < x.n && without >= 0; t++)
                if (t != i && t != j)
                    push(l, without, l->term.a[x.first + t].atom, l->term.a[x.first + t].c);
            return l->status == CALQUE_OK && without >= 0 ? combine(l, without, r.lin, m.c) : -1;
        }
    return a;
}

/* a + k * b */
static int combine(struct lins *l, int a, int b, long k)
{
    struct lin x, y;
    int id, i = 0, j = 0;

    if (a < 0 || b < 0)
        return -1;
    x = l->lin.a[a];
    y = l->lin.a[b];
    id = begin(l, add(l, x.k, mul(l, k, y.k)));
    while (id >= 0 && l->status == CALQUE_OK && (i < x.n || j < y.n)) {
        struct term s = i < x.n ? l->term.a[x.first + i] : (struct term){ -1, 0 };
        struct term t = j < y.n ? l->term.a[y.first + j] : (struct term){ -1, 0 };
        if (j >= y.n || (i < x.n && s.atom < t.atom)) {
            push(l, id, s.atom, s.c);
            i++;
        } else if (i >= x.n || t.atom < s.atom) {
            push(l, id, t.atom, mul(l, k, t.c));
            j++;
        } else {
            push(l, id, s.atom, add(l, s.c, mul(l, k, t.c)));
            i++;
            j++;
        }
    }
    return done(l, id) < 0 ? -1 : rejoin(l, id);
}

int lin_add(struct lins *l, int a, int b)
{
    return combine(l, a, b, 1);
}

int lin_sub(struct lins *l, int a, int b)
{
    return combine(l, a, b, -1);
}

int lin_scale(struct lins *l, int a, long k)
{
    return a < 0 ? -1 : combine(l, lin_const(l, 0), a, k);
}

/* a = k * out + rest with as much as possible in out; rest keeps what k does not divide. */
static bool divide(struct lins *l, int a, long k, int *out, int *rest)
{
    struct lin x = l->lin.a[a];

    *out = begin(l, floor_div(x.k, k));
    for (int i = 0; i < x.n && *out >= 0; i++) {
        struct term t = l->term.a[x.first + i];
        if (t.c % k == 0)
            push(l, *out, t.atom, t.c / k);
    }
    *rest = *out < 0 ? -1 : begin(l, floor_mod(x.k, k));
    for (int i = 0; i < x.n && *rest >= 0; i++) {
        struct term t = l->term.a[x.first + i];
        if (t.c % k != 0)
            push(l, *rest, t.atom, t.c);
    }
    return l->status == CALQUE_OK && *out >= 0 && *rest >= 0;
}

/* The single atom of kind with coefficient 1 the form consists of, or NULL. */
static const struct atom *lone_atom(const struct lins *l, int a, int kind)
{
    const struct lin *x = &l->lin.a[a];

    if (x->n != 1 || x->k != 0 || l->term.a[x->first].c != 1)
        return NULL;
    return l->atom.a[l->term.a[x->first].atom].kind == kind ? &l->atom.a[l->term.a[x->first].atom] : NULL;
}

int lin_div(struct lins *l, int a, long k)
{
    int out, rest;
    long lo, hi;
    const struct atom *inner;

    if (a < 0 || k <= 0)
        return a < 0 ? -1 : fail(l, CALQUE_LIMIT);
    if (k == 1)
        return a;
    if (!divide(l, a, k, &out, &rest))
        return -1;
    lo = floor_div(l->lin.a[rest].lo, k);
    hi = floor_div(l->lin.a[rest].hi, k);
    if (lo == hi)
        return lin_add(l, out, lin_const(l, lo));
    inner = lone_atom(l, rest, ATOM_DIV); /* (x / j) / k = x / (j * k) */
    if (inner)
        return lin_add(l, out, lin_div(l, inner->lin, mul(l, inner->k, k)));
    return lin_add(l, out, atom_form(l, (struct atom){ ATOM_DIV, -1, rest, k, lo, hi }));
}

int lin_mod(struct lins *l, int a, long k)
{
    int out, rest;
    long q;
    const struct atom *inner;

    if (a < 0 || k <= 0)
        return a < 0 ? -1 : fail(l, CALQUE_LIMIT);
    if (k == 1)
        return lin_const(l, 0);
    if (!divide(l, a, k, &out, &rest))
        return -1;
    q = floor_div(l->lin.a[rest].lo, k);
    if (q == floor_div(l->lin.a[rest].hi, k))
        return lin_add(l, rest, lin_const(l, mul(l, -q, k)));
    inner = lone_atom(l, rest, ATOM_MOD); /* (x % (j * k)) % k = x % k */
    if (inner && inner->k % k == 0)
        return lin_mod(l, inner->lin, k);
    return atom_form(l, (struct atom){ ATOM_MOD, -1, rest, k, 0, k - 1 });
}

bool lin_equal(const struct lins *l, int a, int b)
{
    const struct lin *x = &l->lin.a[a], *y = &l->lin.a[b];

    if (a == b)
        return true;
    if (x->n != y->n || x->k != y->k)
        return false;
    for (int i = 0; i < x->n; i++) {
        const struct term *s = &l->term.a[x->first + i], *t = &l->term.a[y->first + i];
        if (s->atom != t->atom || s->c != t->c)
            return false;
    }
    return true;
}

long lin_coef(const struct lins *l, int a, int var)
{
    const struct lin *x = &l->lin.a[a];

    for (int i = 0; i < x->n; i++) {
        const struct term *t = &l->term.a[x->first + i];
        if (l->atom.a[t->atom].kind == ATOM_VAR && l->atom.a[t->atom].var == var)
            return t->c;
    }
    return 0;
}

/* Atoms under a division have smaller forms than it, so this ends. */
bool lin_uses(const struct lins *l, int a, int var)
{
    const struct lin *x = &l->lin.a[a];

    for (int i = 0; i < x->n; i++) {
        const struct atom *t = &l->atom.a[l->term.a[x->first + i].atom];
        if (t->kind == ATOM_VAR ? t->var == var : lin_uses(l, t->lin, var))
            return true;
    }
    return false;
}
