/* Commands to mini-C one by one, as the seed's rules have it: sizes may be symbolic, so nothing is decided or merged. */
#include "emit/codegen_internal.h"

#include <string.h>

static int block(struct gen *g, const int *items, int n)
{
    struct ms x = { .kind = MS_BLOCK, .a = -1, .b = -1, .var = -1, .lin = -1, .first = g->m->pool.n, .len = n };

    for (int i = 0; i < n && gen_ok(g); i++)
        if (!ints_push(g->m->mem, &g->m->pool, items[i]))
            gen_fail(g, CALQUE_NOMEM);
    return gen_add(g, x);
}

static bool same_index(const struct minic *m, int a, int b, int depth)
{
    const struct cix *x = &m->cix.a[a], *y = &m->cix.a[b];

    if (x->kind != y->kind || x->k != y->k || depth > EXP_DEPTH_MAX)
        return false;
    return (x->a < 0 || same_index(m, x->a, y->a, depth + 1)) && (x->b < 0 || same_index(m, x->b, y->b, depth + 1));
}

/* Is the expression the place that is set? */
static bool is_own(const struct minic *m, const struct ms *x)
{
    const struct mx *v = &m->mx.a[x->a];

    if (v->var != x->var)
        return false;
    return v->kind == MX_VAR || (v->kind == MX_LOAD && same_index(m, v->lin, x->lin, 0));
}

static int assign(struct gen *g, const struct comm *c) /* cgc.3 */
{
    struct ms x = { .kind = MS_SET, .b = -1 };
    struct path p;

    p.n = 0;
    x.var = gen_acceptor(g, c->a, &x.lin);
    x.a = gen_view(g, c->b, &p);
    if (gen_ok(g) && is_own(g->m, &x)) { /* Coq: Tidy.tidy */
        g->m->mx.n = x.a;
        return block(g, NULL, 0);
    }
    return gen_add(g, x);
}

/* A scalar is a local variable, a short array of known size lives on the stack, any other on the heap. */
static int new_memory(struct gen *g, const struct comm *c) /* cgc.4 */
{
    const struct prog *p = g->c->prog;
    int type = g->c->level.a[c->level].type;
    struct ms x = { .kind = MS_ARRAY, .b = -1, .var = c->level, .lin = -1, .n = p->data.a[type].cells };
    long bytes = p->scalar == KERNEL_F32 || p->scalar == KERNEL_I32 ? 4 : 8;
    int items[2];

    if (p->data.a[type].kind == DATA_NUM) {
        items[0] = gen_add(g, (struct ms){ .kind = MS_DECL, .a = -1, .b = -1, .var = c->level, .lin = -1 });
        items[1] = gen_stmt(g, c->a);
        return gen_ok(g) ? block(g, items, 2) : -1;
    }
    x.n = x.n == 0 ? 1 : x.n;
    x.heap = !g->m->listing && (x.n < 0 || x.n > MINIC_STACK_MAX / bytes);
    g->m->heap = g->m->heap || x.heap;
    x.a = gen_stmt(g, c->a);
    return gen_add(g, x);
}

static int loop(struct gen *g, const struct comm *c) /* cgc.5 cgc.6 */
{
    struct ms f = { .kind = MS_FOR, .b = -1, .var = c->level, .lin = -1, .par = c->kind == COMM_PAR, .work = 1e18 };

    f.n = g->c->level.a[c->level].extent;
    g->loop[c->level] = index_loop(g, c->level, f.n);
    f.a = gen_ok(g) ? gen_stmt(g, c->a) : -1;
    return gen_add(g, f);
}

static int branch(struct gen *g, const struct comm *c)
{
    struct ms x = { .kind = MS_IF, .b = -1, .var = -1, .lin = -1 };

    if (!gen_conditions(g, c->first, c->len, &x.first, &x.len))
        return -1;
    x.a = gen_stmt(g, c->a);
    if (gen_ok(g) && g->c->comm.a[c->b].kind != COMM_SKIP)
        x.b = gen_stmt(g, c->b);
    if (gen_ok(g) && x.b >= 0 && gen_is_empty(g->m, x.b))
        x.b = -1;
    return gen_add(g, x);
}

enum calque_status codegen_plain(const struct code *code, bool listing, const int *numbers, struct minic *m, struct diag *d)
{
    static const struct gen_rules rules = { block, assign, new_memory, branch, loop };
    struct gen g = { .rule = &rules, .m = m, .c = code };

    memset(m, 0, sizeof *m);
    m->mem = code->mem;
    m->code = code;
    m->plain = true;
    m->listing = listing;
    m->number = numbers;
    lins_init(&m->lins, code->mem);
    return gen_main(&g, d);
}
