/* The walk over commands (seed rules cgc): what is the same whether statements are merged (codegen.c) or not (codegen_direct.c). */
#include "emit/codegen_internal.h"

int gen_add(struct gen *g, struct ms x)
{
    if (!gen_ok(g))
        return -1;
    if (g->longest > 0 && g->m->ms.n + (long)g->m->mx.n > g->longest) {
        g->is_long = true;
        gen_fail(g, CALQUE_LIMIT);
        return -1;
    }
    if (!vec_room(g->m->mem, &g->m->ms, 1)) {
        gen_fail(g, CALQUE_NOMEM);
        return -1;
    }
    g->m->ms.a[g->m->ms.n] = x;
    return g->m->ms.n++;
}

bool gen_is_empty(const struct minic *m, int id)
{
    return m->ms.a[id].kind == MS_BLOCK && m->ms.a[id].len == 0;
}

static int sequence(struct gen *g, const struct comm *c) /* cgc.2 */
{
    int *items = mem_resize(g->m->mem, NULL, (size_t)c->len, sizeof *items), r = -1;

    if (!items) {
        gen_fail(g, CALQUE_NOMEM);
        return -1;
    }
    for (int i = 0; i < c->len && gen_ok(g); i++)
        items[i] = gen_stmt(g, g->c->pool.a[c->first + i]);
    if (gen_ok(g))
        r = g->rule->block(g, items, c->len);
    mem_free(items);
    return r;
}

static int step(struct gen *g, const struct comm *c)
{
    switch (c->kind) {
    case COMM_SKIP: return g->rule->block(g, NULL, 0); /* cgc.1 */
    case COMM_SEQ: return sequence(g, c);
    case COMM_ASSIGN: return g->rule->assign(g, c);
    case COMM_NEW: return g->rule->memory(g, c);
    case COMM_IF: return g->rule->branch(g, c);
    default: return g->rule->loop(g, c);
    }
}

/* Recursion is bounded by EXP_DEPTH_MAX. */
int gen_stmt(struct gen *g, int id)
{
    int r;

    if (g->depth > EXP_DEPTH_MAX)
        gen_fail(g, CALQUE_LIMIT);
    if (!gen_ok(g))
        return -1;
    g->depth++;
    r = step(g, &g->c->comm.a[id]);
    g->depth--;
    return gen_ok(g) ? r : -1;
}

enum calque_status gen_main(struct gen *g, struct diag *d)
{
    struct minic *m = g->m;
    enum calque_status st;

    g->loop = mem_zero(m->mem, (size_t)g->c->level.n, sizeof *g->loop);
    if (!g->loop)
        return diag_nomem(d);
    m->main = gen_stmt(g, g->c->main);
    mem_free(g->loop);
    st = m->status != CALQUE_OK ? m->status : m->lins.status;
    if (st == CALQUE_NOMEM)
        return diag_nomem(d);
    if (st == CALQUE_LIMIT)
        return diag_set(d, st, "", 0, 0, "emit: an index or the nesting exceeds the limits");
    return st == CALQUE_OK ? st : diag_set(d, st, "", 0, 0, "emit: ill-typed command");
}
