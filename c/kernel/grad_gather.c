/* From scatter to gather (Coq: Calque.kernel.GatherForm): dX[a] = sum over the box of [e(I) = a] * w(I), then variables of
   the box are eliminated (spec autodiff section 6, steps 3 and 4):
     digit   f // m and f % m: new variables q, r with f = m*q + r, r < m; a finer division of the same f comes first;
     point   an equation with coefficient 1 or -1 of a box variable x: x is the rest, guarded by x's range;
     stride  with a coefficient c, |c| > 1: x is the rest / c, guarded by divisibility and range;
     else    an equation without box variables stays as a guard.
   Point and stride take the equation with the fewest box variables, in it the least |c|, then the largest range, then the
   first. */
#include "kernel/grad_room.h"

#include <string.h>

enum { SLOTS = 40, EQUATIONS = 40, GUARDS = 3 * SLOTS + EQUATIONS, FAR = 1 << 30 };

/* k + sum of c[i] * slot i */
struct lin {
    long c[SLOTS], k;
};

struct slot {
    int var; /* of the statement */
    long extent;
    bool box;    /* summed over, not yet eliminated */
    bool gone;   /* eliminated: (lin) / m */
    struct lin lin;
    long m;
};

struct digit {
    struct lin f;
    long m;
    struct lin q, r;
};

struct gather {
    struct grad *g;
    const struct grad_term *t;
    int rank;
    struct kernel_stmt s; /* the statement under construction as it is now */
    struct aff aff;
    struct slot slot[SLOTS];
    struct lin eq[EQUATIONS];
    struct digit digit[EQUATIONS];
    int form[KERNEL_RANK_MAX];    /* of the indices */
    int gone[SLOTS];              /* the slots eliminated, in order */
    int slots, eqs, digits, ngone;
    bool overflow; /* too much for the tables: no elimination */
};

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

static struct span lin_span(const struct gather *p, const struct lin *a)
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

/* f = m*q + r with new variables; the same ones for the same f and m. */
static const struct digit *split_digit(struct gather *p, const struct lin *f, long m)
{
    struct span s = lin_span(p, f);
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

/* Eliminates the slot by the equation: c * slot + rest = 0. */
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

static long gcd(long a, long b)
{
    while (b != 0) {
        long r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
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

static void eliminate(struct gather *p)
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

/* What the variables that are gone have become; the others stay. */
static int lin_ix(struct gather *p, const struct lin *x)
{
    struct aff *t = &p->aff;
    int f = aff_const(t, x->k);

    for (int i = 0; i < p->slots && f >= 0; i++)
        if (x->c[i] != 0) {
            int v = grad_ix_var(p->g, p->slot[i].var);
            f = v < 0 ? -1 : aff_add(t, f, aff_of(t, v), x->c[i]);
        }
    return grad_form_ix(p->g, t, f);
}

static int *substitution(struct gather *p)
{
    int *ix = mem_zero(p->g->mem, (size_t)p->s.nvar, sizeof *ix);

    if (!ix)
        return grad_nomem(p->g), NULL;
    for (int v = 0; v < p->s.nvar; v++)
        ix[v] = grad_ix_var(p->g, v);
    for (int i = 0; i < p->t->box.n; i++)
        if (p->g->b.var.a[p->g->base + p->t->box.a[i]].extent == 1)
            ix[p->t->box.a[i]] = grad_ix(p->g, IX_CONST, 0, 0, 0);
    for (int i = 0; i < p->slots; i++)
        if (p->slot[i].gone) {
            int n = lin_ix(p, &p->slot[i].lin);
            ix[p->slot[i].var] = p->slot[i].m == 1 ? n : grad_ix(p->g, IX_DIV, n, 0, p->slot[i].m);
        }
    return ix;
}

/* x without what m divides, in r; false when nothing is left. */
static bool residue(const struct gather *p, const struct lin *x, long m, struct lin *r)
{
    bool any = x->k % m != 0;

    memset(r, 0, sizeof *r);
    r->k = any ? x->k : 0;
    for (int i = 0; i < p->slots; i++)
        if (x->c[i] % m != 0) {
            r->c[i] = x->c[i];
            any = true;
        }
    return any;
}

/* Is x the same as sign * y modulo m? */
static bool congruent(const struct gather *p, const struct lin *x, const struct lin *y, int sign, long m)
{
    bool same = (x->k - sign * y->k) % m == 0;

    for (int i = 0; i < p->slots && same; i++)
        same = (x->c[i] - sign * y->c[i]) % m == 0;
    return same;
}

/* The condition that m divides x, if it is not always true nor that of one of the slots gone before number i. */
static int divisible(struct gather *p, int i, struct cond *c)
{
    struct lin r;
    const struct slot *x = &p->slot[p->gone[i]], *y;

    if (!residue(p, &x->lin, x->m, &r))
        return 0;
    for (int j = 0; j < i; j++) {
        y = &p->slot[p->gone[j]];
        if (y->m == x->m && (congruent(p, &x->lin, &y->lin, 1, x->m) || congruent(p, &x->lin, &y->lin, -1, x->m)))
            return 0;
    }
    *c = (struct cond){CMP_EQ, grad_ix(p->g, IX_MOD, lin_ix(p, &r), 0, x->m), grad_ix(p->g, IX_CONST, 0, 0, 0)};
    return 1;
}

/* The conditions of the elimination that are not always true, in c: of what is gone that it is in its range, and the
   equations that are left. Their number. */
static int own_conds(struct gather *p, struct cond *c)
{
    struct grad *g = p->g;
    struct span s;
    int n = 0;

    for (int i = 0; i < p->ngone; i++) {
        const struct slot *x = &p->slot[p->gone[i]];
        long last = (x->extent - 1) * x->m;
        s = lin_span(p, &x->lin);
        n += divisible(p, i, c + n);
        if (s.lo < 0)
            c[n++] = (struct cond){CMP_GE, lin_ix(p, &x->lin), grad_ix(g, IX_CONST, 0, 0, 0)};
        if (s.hi > last)
            c[n++] = (struct cond){CMP_LT, lin_ix(p, &x->lin), grad_ix(g, IX_CONST, 0, 0, last + 1)};
    }
    for (int i = 0; i < p->eqs; i++) {
        s = lin_span(p, &p->eq[i]);
        if (s.lo != 0 || s.hi != 0)
            c[n++] = (struct cond){CMP_EQ, lin_ix(p, &p->eq[i]), grad_ix(g, IX_CONST, 0, 0, 0)};
    }
    return n;
}

static int negation(int op)
{
    static const int other[] = {CMP_GE, CMP_GT, CMP_LE, CMP_LT, CMP_NE, CMP_EQ};

    return other[op];
}

/* Appends a condition of the source to the n in the list if it is not always true; the new number. */
static int put_cond(struct grad_copy *c, struct cond x, struct cond *list, int n)
{
    if (n < 0)
        return -1;
    list[n] = (struct cond){x.op, grad_copy_ix(c, x.a), grad_copy_ix(c, x.b)};
    return list[n].a < 0 || list[n].b < 0 ? -1 : n + !grad_holds(c->aff, list[n]);
}

/* Puts the body under the n conditions c already there and the guards of the source, adjacent ones in one select. */
static int under_guards(struct gather *p, struct grad_copy *c, struct cond *list, int n, int body)
{
    struct grad *g = p->g;
    const struct grad_term *t = p->t;
    int zero = grad_const(g, 0), from = t->guard.n, first;

    while (from > 0 && body >= 0) { /* the selects from the inside out; list[n..] collects a run of them */
        for (first = from - 1; first > 0 && t->guard.a[first - 1].more > 0; first--)
            ;
        bool alone = first == from - 1, other = t->guard.a[first].other;
        if (other && !alone) {
            int m = n;
            for (int i = first; i < from; i++)
                m = put_cond(c, t->guard.a[i].c, list, m);
            body = m < 0 ? -1 : grad_select(g, list + n, m - n, zero, body);
            from = first;
            continue;
        }
        /* a run of conditions that must hold: [first, from) and those before it of the same kind */
        while (first > 0) {
            int at = first - 1;
            while (at > 0 && t->guard.a[at - 1].more > 0)
                at--;
            if (t->guard.a[at].other && at != first - 1)
                break;
            first = at;
        }
        int own = first == 0 ? 0 : n, m = n;
        for (int i = first; i < from && m >= 0; i++) {
            struct cond q = t->guard.a[i].c;
            m = put_cond(c, (struct cond){t->guard.a[i].other ? negation(q.op) : q.op, q.a, q.b}, list, m);
        }
        if (m < 0)
            return -1;
        body = grad_select(g, list + own, m - own, body, zero);
        if (first == 0)
            return body;
        from = first;
    }
    return body < 0 ? -1 : grad_select(g, list, n, body, zero);
}

static int build(struct gather *p)
{
    struct grad *g = p->g;
    int n = 0, sums = 0, r = -1, *kept, *ix;
    struct grad_copy c = {.g = g, .src = &g->b, .s = &p->s, .aff = &p->aff};
    struct cond *list = mem_zero(g->mem, (size_t)(GUARDS + KERNEL_RANK_MAX + p->t->guard.n), sizeof *list);

    kept = mem_zero(g->mem, (size_t)(p->s.nvar), sizeof *kept);
    ix = c.ix = substitution(p);
    if (!list || !kept)
        grad_nomem(g);
    if (g->status == CALQUE_OK) {
        if (p->overflow) {
            for (int i = 0; i < p->t->n; i++)
                if (g->b.var.a[g->base + i].extent > 1)
                    list[n++] = (struct cond){CMP_EQ, grad_copy_ix(&c, p->t->ix[i]), grad_ix_var(g, i)};
            for (int i = 0; i < p->t->box.n; i++)
                if (g->b.var.a[g->base + p->t->box.a[i]].extent > 1)
                    kept[sums++] = p->t->box.a[i];
        } else {
            n = own_conds(p, list);
            for (int i = 0; i < p->slots; i++)
                if (p->slot[i].box)
                    kept[sums++] = p->slot[i].var;
        }
        r = grad_reduce(g, RED_SUM, kept, sums, under_guards(p, &c, list, n, grad_copy_ex(&c, p->t->weight)));
    }
    mem_free(list);
    mem_free(kept);
    mem_free(ix);
    return g->status == CALQUE_OK ? r : -1;
}

int grad_gather(struct grad *g, const struct grad_term *t, int rank, int out)
{
    struct gather *p;
    enum calque_status st;
    int r = -1;

    for (int i = 0; i < t->box.n; i++)
        if (g->b.var.a[g->base + t->box.a[i]].extent == 0)
            return grad_const(g, 0);
    p = mem_zero(g->mem, 1, sizeof *p);
    if (!p)
        return grad_nomem(g);
    p->g = g;
    p->t = t;
    p->rank = rank;
    p->s = (struct kernel_stmt){.out = out, .var = g->base, .nvar = g->b.var.n - g->base, .line = g->line, .col = g->col};
    p->overflow = g->o->universal;
    aff_init(&p->aff, g->mem, &g->b, &p->s);
    if (!p->overflow)
        eliminate(p);
    if (p->overflow) /* forget the digits */
        p->slots = 0;
    if (g->status == CALQUE_OK)
        r = build(p);
    st = p->aff.status;
    aff_free(&p->aff);
    mem_free(p);
    return st == CALQUE_NOMEM ? grad_nomem(g) : r;
}
