/* From scatter to gather (Coq: Calque.kernel.GatherForm): dX[a] = sum over the box of [e(I) = a] * w(I), then variables of
   the box are eliminated (grad_solve.c); guards and the weight are copied with what has become of them. */
#include "kernel/grad_internal.h"

#include <string.h>

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
        s = gather_span(p, &x->lin);
        n += divisible(p, i, c + n);
        if (s.lo < 0)
            c[n++] = (struct cond){CMP_GE, lin_ix(p, &x->lin), grad_ix(g, IX_CONST, 0, 0, 0)};
        if (s.hi > last)
            c[n++] = (struct cond){CMP_LT, lin_ix(p, &x->lin), grad_ix(g, IX_CONST, 0, 0, last + 1)};
    }
    for (int i = 0; i < p->eqs; i++) {
        s = gather_span(p, &p->eq[i]);
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
        gather_solve(p);
    if (p->overflow) /* forget the digits */
        p->slots = 0;
    if (g->status == CALQUE_OK)
        r = build(p);
    st = p->aff.status;
    aff_free(&p->aff);
    mem_free(p);
    return st == CALQUE_NOMEM ? grad_nomem(g) : r;
}
