/* Index arithmetic of code generation in its two modes: normal forms with ranges, and plain trees. */
#include "emit/codegen_internal.h"

static int cix(struct gen *g, int kind, int a, int b, long k)
{
    if (!gen_ok(g))
        return -1;
    if (!vec_room(g->m->mem, &g->m->cix, 1)) {
        gen_fail(g, CALQUE_NOMEM);
        return -1;
    }
    g->m->cix.a[g->m->cix.n] = (struct cix){ kind, a, b, k };
    return g->m->cix.n++;
}

/* Is it the number k? */
static bool is(const struct gen *g, int a, long k)
{
    return g->m->cix.a[a].kind == CIX_SIZE && g->m->cix.a[a].k == k;
}

/* a op b, with 0 and 1 left out. */
static int two(struct gen *g, int kind, int a, int b)
{
    bool unit = kind == CIX_MUL || kind == CIX_DIV || kind == CIX_FDIV;

    if (!gen_ok(g) || a < 0 || b < 0)
        return -1;
    if ((kind == CIX_ADD || kind == CIX_SUB) && is(g, b, 0))
        return a;
    if (kind == CIX_ADD && is(g, a, 0))
        return b;
    if (unit && is(g, b, 1))
        return a;
    if (kind == CIX_MUL && is(g, a, 1))
        return b;
    if (kind != CIX_ADD && kind != CIX_SUB && is(g, a, 0))
        return a;
    if ((kind == CIX_MOD || kind == CIX_FMOD) && is(g, b, 1))
        return cix(g, CIX_SIZE, -1, -1, 0);
    return cix(g, kind, a, b, 0);
}

int index_size(struct gen *g, long n)
{
    return g->m->plain ? cix(g, CIX_SIZE, -1, -1, n) : lin_const(&g->m->lins, n);
}

int index_number(struct gen *g, long k)
{
    if (g->m->plain && k < 0)
        return cix(g, CIX_NUMBER, -1, -1, k);
    return index_size(g, k);
}

int index_loop(struct gen *g, int level, long extent)
{
    return g->m->plain ? cix(g, CIX_LEVEL, -1, -1, level) : lin_var(&g->m->lins, level, 0, extent - 1);
}

int index_add(struct gen *g, int a, int b)
{
    return g->m->plain ? two(g, CIX_ADD, a, b) : lin_add(&g->m->lins, a, b);
}

int index_sub(struct gen *g, int a, int b)
{
    return g->m->plain ? two(g, CIX_SUB, a, b) : lin_sub(&g->m->lins, a, b);
}

int index_scale(struct gen *g, int a, long n)
{
    return g->m->plain ? two(g, CIX_MUL, a, index_size(g, n)) : lin_scale(&g->m->lins, a, n);
}

int index_times(struct gen *g, int a, long k)
{
    return g->m->plain ? two(g, CIX_MUL, a, index_number(g, k)) : lin_scale(&g->m->lins, a, k);
}

int index_div(struct gen *g, int a, long n, bool user)
{
    return g->m->plain ? two(g, user ? CIX_FDIV : CIX_DIV, a, index_size(g, n)) : lin_div(&g->m->lins, a, n);
}

int index_mod(struct gen *g, int a, long n, bool user)
{
    return g->m->plain ? two(g, user ? CIX_FMOD : CIX_MOD, a, index_size(g, n)) : lin_mod(&g->m->lins, a, n);
}

int index_start(struct gen *g)
{
    return g->m->listing ? cix(g, CIX_PLACE, -1, -1, 0) : index_size(g, 0);
}

int index_cell(struct gen *g, int place, int i, long cells)
{
    if (g->m->listing)
        return cix(g, CIX_SUB1, place, i, 0);
    return index_add(g, place, index_scale(g, i, cells));
}

int index_field(struct gen *g, int place, bool left, long cells)
{
    if (g->m->listing)
        return cix(g, left ? CIX_X1 : CIX_X2, place, -1, 0);
    return left ? place : index_add(g, place, index_size(g, cells));
}
