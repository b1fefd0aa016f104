/* Variables of the box of a gather are eliminated (spec autodiff section 6, step 4):
     KG-Digit   f // m and f % m: new variables q, r with f = m*q + r, r < m; a finer division of the same f comes first;
     KG-Point   an equation with coefficient 1 or -1 of a box variable x: x is the rest, guarded by x's range;
     KG-Stride  with a coefficient c, |c| > 1: x is the rest / c, guarded by divisibility and range;
     KG-Guard   an equation without box variables stays as a guard.
   Point and stride take the equation with the fewest box variables, in it the least |c|, then the largest range, then the
   first. */
#include "kernel/grad_internal.h"

#include <string.h>

static bool lin_ok(struct gather *p, const struct lin *a)
{
    bool ok = a->k <= FAR && a->k >= -(long)FAR;

    for (int i = 0; i < p->slots; i++)
        ok = ok && a->c[i] <= FAR && a->c[i] >= -(long)FAR;
    p->overflow = p->overflow || !ok;
    return ok;
}

/* a*x + b*y. All numbers are at most FAR, so nothing overflows. */
static struct lin lin_mix(struct gather *p, const struct lin *x, long a, const struct lin *y, long b)
{
    struct lin r;

    memset(&r, 0, sizeof r);
    if (!p->overflow && a <= FAR && a >= -(long)FAR && b <= FAR && b >= -(long)FAR) {
        for (int i = 0; i < p->slots; i++)
            r.c[i] = a * x->c[i] + b * y->c[i];
        r.k = a * x->k + b * y->k;
        lin_ok(p, &r);
    } else {
        p->overflow = true;
    }
    return r;
}

struct span gather_span(const struct gather *p, const struct lin *a)
{
    struct span s = {a->k, a->k};

    for (int i = 0; i < p->slots; i++)
        s = span_add(s, span_scale((struct span){0, p->slot[i].extent - 1}, a->c[i]));
    return s;
}

static int add_slot(struct gather *p, int var, long extent, bool box)
{
    if (p->slots == SLOTS) {
        p->overflow = true;
        return 0;
    }
    p->slot[p->slots] = (struct slot){.var = var, .extent = extent, .box = box, .m = 1};
    return p->slots++;
}

static void add_eq(struct gather *p, struct lin x)
{
    if (p->eqs == EQUATIONS)
        p->overflow = true;
    else
        p->eq[p->eqs++] = x;
}

/* The greatest proper divisor of m, not 1, by which the form is divided somewhere in `in`, if it is more than best. */
static long finer_in(const struct gather *p, int in, int form, long m, long best)
{
    const struct aff_form *f = &p->aff.form.a[in];

    for (int i = 0; i < f->n; i++) {
        const struct aff_atom *x = &p->aff.atom.a[p->aff.term.a[f->first + i].atom];
        if (x->kind == IX_VAR)
            continue;
        if (x->form == form && x->k < m && m % x->k == 0 && x->k > best && x->k > 1)
            best = x->k;
        best = finer_in(p, x->form, form, m, best);
    }
    return best;
}

static long finer(const struct gather *p, int form, long m)
{
    long best = 0;

    for (int i = 0; i < p->t->n; i++)
        best = finer_in(p, p->form[i], form, m, best);
    return best;
}

static struct lin unit(int slot, long k)
{
    struct lin r;

    memset(&r, 0, sizeof r);
    r.c[slot] = 1;
    r.k = k;
    return r;
}

static int new_var(struct gather *p, const char *name, long extent)
{
    int id = strs_addz(p->g->b.strs, name), v;

    if (id < 0)
        return grad_nomem(p->g), add_slot(p, 0, 1, true);
    v = grad_var(p->g, id, extent);
    p->s.nvar = p->g->b.var.n - p->g->base;
    return add_slot(p, v, extent, true);
}

/* KG-Digit: f = m*q + r with new variables; the same ones for the same f and m. */
static const struct digit *split_digit(struct gather *p, const struct lin *f, long m)
{
    struct span s = gather_span(p, f);
    struct lin rest;
    struct digit *x;
    int q, r;

    for (int i = 0; i < p->digits; i++)
        if (p->digit[i].m == m && memcmp(&p->digit[i].f, f, sizeof *f) == 0)
            return &p->digit[i];
    if (p->digits == EQUATIONS || s.hi - s.lo > FAR || p->overflow) {
        p->overflow = true;
        return &p->digit[0];
    }
    s = span_div(s, m);
    q = new_var(p, "q", s.hi - s.lo + 1);
    r = new_var(p, "r", m);
    x = &p->digit[p->digits++];
    *x = (struct digit){*f, m, unit(q, s.lo), unit(r, 0)};
    rest = lin_mix(p, f, 1, &x->q, -m);
    add_eq(p, lin_mix(p, &rest, 1, &x->r, -1));
    return x;
}

static struct lin lin_of(struct gather *p, int form);

/* The value of f // m or f % m. */
static struct lin divided(struct gather *p, const struct aff_atom *x)
{
    long m = finer(p, x->form, x->k);
    struct lin f = lin_of(p, x->form);
    const struct digit *d;
    struct lin low;

    if (m == 0) {
        d = split_digit(p, &f, x->k);
        return x->kind == IX_DIV ? d->q : d->r;
    }
    d = split_digit(p, &f, m);
    low = d->r;
    f = d->q;
    d = split_digit(p, &f, x->k / m);
    return x->kind == IX_DIV ? d->q : lin_mix(p, &d->r, m, &low, 1);
}

static int slot_of(struct gather *p, int var)
{
    for (int i = 0; i < p->slots; i++)
        if (p->slot[i].var == var)
            return i;
    p->overflow = true;
    return 0;
}

/* Recursion follows nested quotients: KERNEL_DEPTH_MAX. */
static struct lin lin_of(struct gather *p, int form)
{
    struct lin r, x;

    memset(&r, 0, sizeof r);
    if (form < 0) {
        p->overflow = true;
        return r;
    }
    r.k = p->aff.form.a[form].k;
    lin_ok(p, &r);
    for (int i = 0; i < p->aff.form.a[form].n && !p->overflow; i++) {
        struct aff_term term = p->aff.term.a[p->aff.form.a[form].first + i];
        struct aff_atom a = p->aff.atom.a[term.atom];
        x = a.kind == IX_VAR ? unit(slot_of(p, (int)a.k), 0) : divided(p, &a);
        r = lin_mix(p, &r, 1, &x, term.c);
    }
    return r;
}

/* The slots and the equations index = a. Variables of extent 1 are 0 in normal forms and have no slot. */
static void set_up(struct gather *p)
{
    struct grad *g = p->g;

    for (int i = 0; i < p->rank; i++)
        if (g->b.var.a[g->base + i].extent > 1)
            add_slot(p, i, g->b.var.a[g->base + i].extent, false);
    for (int i = 0; i < p->t->box.n; i++)
        if (g->b.var.a[g->base + p->t->box.a[i]].extent > 1)
            add_slot(p, p->t->box.a[i], g->b.var.a[g->base + p->t->box.a[i]].extent, true);
    for (int i = 0; i < p->t->n; i++)
        if ((p->form[i] = aff_of(&p->aff, p->t->ix[i])) < 0)
            p->overflow = true;
    for (int i = 0; i < p->t->n && !p->overflow; i++) {
        struct lin x, a;
        if (g->b.var.a[g->base + i].extent <= 1)
            continue; /* index and a are both 0 */
        x = lin_of(p, p->form[i]);
        a = unit(slot_of(p, i), 0);
        add_eq(p, lin_mix(p, &x, 1, &a, -1));
    }
}

/* Slot x becomes num / m, exactly, in everything so far: a*x + rest = (a*num + m*rest) / m. */
static void replace(struct gather *p, int x, const struct lin *num, long m)
{
    struct lin rest;
    long c;

    for (int i = 0; i < p->eqs; i++) {
        rest = p->eq[i];
        c = rest.c[x];
        rest.c[x] = 0;
        if (c != 0)
            p->eq[i] = lin_mix(p, &rest, m, num, c);
    }
    for (int i = 0; i < p->slots; i++) {
        if (!p->slot[i].gone || p->slot[i].lin.c[x] == 0)
            continue;
        rest = p->slot[i].lin;
        c = rest.c[x];
        rest.c[x] = 0;
        p->slot[i].lin = lin_mix(p, &rest, m, num, c);
        if (p->slot[i].m > FAR)
            p->overflow = true;
        else
            p->slot[i].m *= m;
    }
    p->slot[x].box = false;
    p->slot[x].gone = true;
    p->slot[x].lin = *num;
    p->slot[x].m = m;
    p->gone[p->ngone++] = x;
}

static int box_count(const struct gather *p, const struct lin *x)
{
    int n = 0;

    for (int i = 0; i < p->slots; i++)
        n += p->slot[i].box && x->c[i] != 0;
    return n;
}

static struct lin take_eq(struct gather *p, int i)
{
    struct lin x = p->eq[i];

    memmove(p->eq + i, p->eq + i + 1, (size_t)(p->eqs - i - 1) * sizeof *p->eq);
    p->eqs--;
    return x;
}

/* KG-Point (m = 1), KG-Stride: eliminates the slot by the equation c * slot + rest = 0. */
static void solve(struct gather *p, int eq, int slot)
{
    struct lin zero, x = take_eq(p, eq), num;
    long c = x.c[slot], m = c < 0 ? -c : c;

    memset(&zero, 0, sizeof zero);
    x.c[slot] = 0;
    num = lin_mix(p, &x, c < 0 ? 1 : -1, &zero, 0);
    replace(p, slot, &num, m);
}

/* Takes the best equation and variable (see above) until no equation has a variable of the box. */
static bool step(struct gather *p)
{
    int eq = -1, slot = -1, fewest = 0;
    long least = 0;

    for (int i = 0; i < p->eqs; i++) {
        int n = box_count(p, &p->eq[i]);
        for (int j = 0; j < p->slots; j++) {
            long c = p->eq[i].c[j] < 0 ? -p->eq[i].c[j] : p->eq[i].c[j];
            if (!p->slot[j].box || c == 0)
                continue;
            if (slot >= 0 && (n > fewest || (n == fewest && (c > least || (c == least && p->slot[j].extent <=
                                                                                          p->slot[slot].extent)))))
                continue;
            eq = i;
            slot = j;
            fewest = n;
            least = c;
        }
    }
    if (slot >= 0)
        solve(p, eq, slot);
    return slot >= 0;
}

/* Divides by what divides all of x and m; the divisor, 0 when all are 0. */
static long lowest(const struct gather *p, struct lin *x, long m)
{
    long d = gcd(m, x->k);

    for (int i = 0; i < p->slots; i++)
        d = gcd(d, x->c[i]);
    for (int i = 0; i < p->slots && d > 1; i++)
        x->c[i] /= d;
    if (d > 1)
        x->k /= d;
    return d;
}

static bool negative(const struct gather *p, const struct lin *x)
{
    for (int i = 0; i < p->slots; i++)
        if (x->c[i] > 0)
            return false;
    return true;
}

/* KG-Guard: the equations that are left stay as guards. */
void gather_solve(struct gather *p)
{
    struct lin zero;

    memset(&zero, 0, sizeof zero);
    set_up(p);
    while (!p->overflow && step(p))
        ;
    for (int i = 0; i < p->eqs && !p->overflow; i++) {
        lowest(p, &p->eq[i], 0);
        if (negative(p, &p->eq[i]))
            p->eq[i] = lin_mix(p, &p->eq[i], -1, &zero, 0);
    }
    for (int i = 0; i < p->ngone && !p->overflow; i++) {
        struct slot *x = &p->slot[p->gone[i]];
        x->m /= lowest(p, &x->lin, x->m);
        p->overflow = x->m > FAR || x->extent > FAR / x->m;
    }
}
