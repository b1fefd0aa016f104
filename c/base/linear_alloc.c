/* Memory around the core of normal forms. Invariant: a form says what it said, whatever grows. */
#include <string.h>

#include "base/linear_internal.h"

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

static struct lins_view view(const struct lins *l)
{
    return (struct lins_view){ l->atom.a, l->term.a, l->lin.a, l->atom.n, l->atom.cap,
                               l->term.n, l->term.cap, l->lin.n, l->lin.cap };
}

/* Keeps what the step appended; true: there is room now for what it could not append, so it is to be done again. */
static bool again(struct lins *l, struct lin_step *r)
{
    bool room = false;

    if (r->code == LIN_DONE) {
        l->atom.n = r->v.natom;
        l->term.n = r->v.nterm;
        l->lin.n = r->v.nlin;
        return false;
    }
    r->id = -1;
    if (r->code == LIN_ATOMS)
        room = vec_room(l->mem, &l->atom, l->atom.cap - l->atom.n + 1);
    else if (r->code == LIN_TERMS)
        room = vec_room(l->mem, &l->term, l->term.cap - l->term.n + 1);
    else if (r->code == LIN_LINS)
        room = vec_room(l->mem, &l->lin, l->lin.cap - l->lin.n + 1);
    if (!room)
        fail(l, r->code == LIN_FAR ? CALQUE_LIMIT : CALQUE_NOMEM);
    return room;
}

int lin_const(struct lins *l, long k)
{
    struct lin_step r = { LIN_FAR, -1, -1, view(l) };

    if (l->status == CALQUE_OK)
        do
            r = lin_number(view(l), k);
        while (again(l, &r));
    return r.id;
}

int lin_var(struct lins *l, int var, long lo, long hi)
{
    struct lin_step r = { LIN_FAR, -1, -1, view(l) };

    if (l->status == CALQUE_OK)
        do
            r = lin_variable(view(l), var, lo, hi);
        while (again(l, &r));
    return r.id;
}

/* a + k * b */
static int combine(struct lins *l, int a, int b, long k)
{
    struct lin_step r = { LIN_FAR, -1, -1, view(l) };

    if (l->status == CALQUE_OK && a >= 0 && b >= 0)
        do
            r = lin_combine(view(l), a, b, k);
        while (again(l, &r));
    return r.id;
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

int lin_div(struct lins *l, int a, long k)
{
    struct lin_step r = { LIN_FAR, -1, -1, view(l) };

    if (a >= 0 && k <= 0)
        return fail(l, CALQUE_LIMIT);
    if (l->status == CALQUE_OK && a >= 0)
        do
            r = lin_quotient(view(l), a, k);
        while (again(l, &r));
    return r.id;
}

int lin_mod(struct lins *l, int a, long k)
{
    struct lin_step r = { LIN_FAR, -1, -1, view(l) };

    if (a >= 0 && k <= 0)
        return fail(l, CALQUE_LIMIT);
    if (l->status == CALQUE_OK && a >= 0)
        do
            r = lin_rest(view(l), a, k);
        while (again(l, &r));
    return r.id;
}

bool lin_equal(const struct lins *l, int a, int b)
{
    return lin_same(view(l), a, b);
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
