/* Commands to mini-C one by one, as the seed's rules have it: sizes may be symbolic, so nothing is decided or merged. */
#include "emit/gen.h"

#include <string.h>

static int add(struct gen *g, struct ms x)
{
    if (!gen_ok(g))
        return -1;
    if (!vec_room(g->m->mem, &g->m->ms, 1)) {
        gen_fail(g, CALQUE_NOMEM);
        return -1;
    }
    g->m->ms.a[g->m->ms.n] = x;
    return g->m->ms.n++;
}

static int stmt(struct gen *g, int id);

static int block(struct gen *g, const int *items, int n)
{
    struct ms x = { .kind = MS_BLOCK, .a = -1, .b = -1, .var = -1, .lin = -1, .first = g->m->pool.n, .len = n };

    for (int i = 0; i < n && gen_ok(g); i++)
        if (!ints_push(g->m->mem, &g->m->pool, items[i]))
            gen_fail(g, CALQUE_NOMEM);
    return add(g, x);
}

static int sequence(struct gen *g, const struct comm *c) /* cgc.2 */
{
    int *items = mem_resize(g->m->mem, NULL, (size_t)c->len, sizeof *items), r = -1;

    if (!items) {
        gen_fail(g, CALQUE_NOMEM);
        return -1;
    }
    for (int i = 0; i < c->len && gen_ok(g); i++)
        items[i] = stmt(g, g->c->pool.a[c->first + i]);
    if (gen_ok(g))
        r = block(g, items, c->len);
    mem_free(items);
    return r;
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
    return add(g, x);
}

static bool is_empty(const struct minic *m, int id)
{
    return m->ms.a[id].kind == MS_BLOCK && m->ms.a[id].len == 0;
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
        items[0] = add(g, (struct ms){ .kind = MS_DECL, .a = -1, .b = -1, .var = c->level, .lin = -1 });
        items[1] = stmt(g, c->a);
        return gen_ok(g) ? block(g, items, 2) : -1;
    }
    x.n = x.n == 0 ? 1 : x.n;
    x.heap = !g->m->listing && (x.n < 0 || x.n > MINIC_STACK_MAX / bytes);
    g->m->heap = g->m->heap || x.heap;
    x.a = stmt(g, c->a);
    return add(g, x);
}

static int loop(struct gen *g, const struct comm *c) /* cgc.5 cgc.6 */
{
    struct ms f = { .kind = MS_FOR, .b = -1, .var = c->level, .lin = -1, .par = c->kind == COMM_PAR, .work = 1e18 };

    f.n = g->c->level.a[c->level].extent;
    g->loop[c->level] = index_loop(g, c->level, f.n);
    f.a = gen_ok(g) ? stmt(g, c->a) : -1;
    return add(g, f);
}

static int branch(struct gen *g, const struct comm *c)
{
    struct ms x = { .kind = MS_IF, .b = -1, .var = -1, .lin = -1 };

    if (!gen_conditions(g, c->first, c->len, &x.first, &x.len))
        return -1;
    x.a = stmt(g, c->a);
    if (gen_ok(g) && g->c->comm.a[c->b].kind != COMM_SKIP)
        x.b = stmt(g, c->b);
    if (gen_ok(g) && x.b >= 0 && is_empty(g->m, x.b))
        x.b = -1;
    return add(g, x);
}

static int stmt_step(struct gen *g, const struct comm *c)
{
    switch (c->kind) {
    case COMM_SKIP: return block(g, NULL, 0); /* cgc.1 */
    case COMM_SEQ: return sequence(g, c);
    case COMM_ASSIGN: return assign(g, c);
    case COMM_NEW: return new_memory(g, c);
    case COMM_IF: return branch(g, c);
    default: return loop(g, c);
    }
}

static int stmt(struct gen *g, int id)
{
    int r;

    if (g->depth > EXP_DEPTH_MAX)
        gen_fail(g, CALQUE_LIMIT);
    if (!gen_ok(g))
        return -1;
    g->depth++;
    r = stmt_step(g, &g->c->comm.a[id]);
    g->depth--;
    return gen_ok(g) ? r : -1;
}

enum calque_status codegen_plain(const struct code *code, bool listing, const int *numbers, struct minic *m, struct diag *d)
{
    struct gen g = { .m = m, .c = code };

    memset(m, 0, sizeof *m);
    m->mem = code->mem;
    m->code = code;
    m->plain = true;
    m->listing = listing;
    m->number = numbers;
    lins_init(&m->lins, code->mem);
    g.loop = mem_zero(code->mem, (size_t)code->level.n, sizeof *g.loop);
    if (!g.loop)
        return diag_nomem(d);
    m->main = stmt(&g, code->main);
    mem_free(g.loop);
    if (m->status == CALQUE_NOMEM)
        return diag_nomem(d);
    if (m->status == CALQUE_LIMIT)
        return diag_set(d, m->status, "", 0, 0, "emit: an index or the nesting exceeds the limits");
    return m->status == CALQUE_OK ? CALQUE_OK : diag_set(d, m->status, "", 0, 0, "emit: ill-typed command");
}
