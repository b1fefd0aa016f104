/* Commands to mini-C (seed rules cgc). */
#include "emit/gen.h"

#include <string.h>

/* One statement from items[0..n-1], without the empty ones. */
static int block(struct gen *g, const int *items, int n)
{
    struct ms x = { .kind = MS_BLOCK, .a = -1, .b = -1, .first = g->m->pool.n };

    for (int i = 0; i < n && gen_ok(g); i++) {
        if (gen_is_empty(g->m, items[i]))
            continue;
        if (!ints_push(g->m->mem, &g->m->pool, items[i]))
            gen_fail(g, CALQUE_NOMEM);
        x.len++;
        x.work += g->m->ms.a[items[i]].work;
    }
    if (x.len == 1 && gen_ok(g))
        return g->m->pool.a[--g->m->pool.n];
    return gen_add(g, x);
}

static int assign(struct gen *g, const struct comm *c) /* cgc.3 */
{
    struct ms x = { .kind = MS_SET, .b = -1 };
    struct path p;

    p.n = 0;
    x.var = gen_acceptor(g, c->a, &x.lin);
    x.a = gen_view(g, c->b, &p);
    if (gen_ok(g))
        x.work = g->m->mx.a[x.a].work;
    return gen_add(g, x);
}

static int branch(struct gen *g, const struct comm *c)
{
    struct ms x = { .kind = MS_IF, .b = -1, .var = -1, .lin = -1 };
    double a, b;

    if (!gen_conditions(g, c->first, c->len, &x.first, &x.len))
        return gen_stmt(g, c->b);
    if (x.len == 0)
        return gen_stmt(g, c->a);
    x.a = gen_stmt(g, c->a);
    x.b = gen_stmt(g, c->b);
    if (!gen_ok(g))
        return -1;
    a = g->m->ms.a[x.a].work;
    b = g->m->ms.a[x.b].work;
    x.work = 1 + (a > b ? a : b);
    if (gen_is_empty(g->m, x.a) && gen_is_empty(g->m, x.b))
        return block(g, NULL, 0);
    if (gen_is_empty(g->m, x.b))
        x.b = -1;
    return gen_add(g, x);
}

/* Does the command begin with an assignment to the whole scalar root? Its acceptor is then the root itself. */
static const struct comm *first_assign(const struct gen *g, int id, int level)
{
    const struct comm *c = &g->c->comm.a[id];
    const struct vacc *a;

    if (c->kind == COMM_SEQ && c->len > 0)
        c = &g->c->comm.a[g->c->pool.a[c->first]];
    if (c->kind != COMM_ASSIGN)
        return NULL;
    a = &g->c->vacc.a[c->a];
    return a->kind == VACC_ROOT && a->a == level ? c : NULL;
}

static int new_scalar(struct gen *g, const struct comm *c)
{
    const struct comm *body = &g->c->comm.a[c->a], *init = first_assign(g, c->a, c->level);
    struct ms x = { .kind = MS_DECL, .a = -1, .b = -1, .var = c->level, .lin = -1 };
    int from = 0, n, *items;
    struct path p;

    p.n = 0;
    if (init) {
        x.a = gen_view(g, init->b, &p);
        x.work = gen_ok(g) ? g->m->mx.a[x.a].work : 0;
        from = 1;
    }
    n = body->kind == COMM_SEQ ? body->len : 1;
    items = mem_resize(g->m->mem, NULL, (size_t)n + 1, sizeof *items);
    if (!items) {
        gen_fail(g, CALQUE_NOMEM);
        return -1;
    }
    items[0] = gen_add(g, x);
    for (int i = from; i < n && gen_ok(g); i++)
        items[1 + i - from] = gen_stmt(g, body->kind == COMM_SEQ ? g->c->pool.a[body->first + i] : c->a);
    n = gen_ok(g) ? block(g, items, 1 + n - from) : -1;
    mem_free(items);
    return n;
}

static int new_memory(struct gen *g, const struct comm *c) /* cgc.4 */
{
    const struct prog *p = g->c->prog;
    int type = g->c->level.a[c->level].type;
    struct ms x = { .kind = MS_ARRAY, .b = -1, .var = c->level, .lin = -1 };
    long bytes = p->scalar == KERNEL_F32 || p->scalar == KERNEL_I32 ? 4 : 8;

    if (p->data.a[type].kind == DATA_NUM)
        return new_scalar(g, c);
    x.n = data_size(p, type) > 0 ? data_size(p, type) : 1;
    x.heap = x.n > MINIC_STACK_MAX / bytes;
    x.a = gen_stmt(g, c->a);
    if (!gen_ok(g))
        return -1;
    g->m->heap = g->m->heap || x.heap;
    x.work = g->m->ms.a[x.a].work;
    return gen_add(g, x);
}

/* Where a condition of a loop over var belongs. */
enum place { PLACE_OUTSIDE, PLACE_LOW, PLACE_HIGH, PLACE_INSIDE };

/* Classifies s*v + r op 0. For a bound, *bound is the first v allowed (LOW) or the first not allowed (HIGH). */
static enum place place(struct gen *g, const struct mcond *k, int var, int *bound)
{
    struct lins *l = &g->m->lins;
    int d = lin_sub(l, k->a, k->b), r, op = k->op, edge;
    long s;

    if (!gen_ok(g) || !lin_uses(l, d, var))
        return PLACE_OUTSIDE;
    s = lin_coef(l, d, var);
    if (s < 0) { /* -s*v - r, the comparison turned around */
        static const int turned[] = { CMP_GT, CMP_GE, CMP_LT, CMP_LE, CMP_EQ, CMP_NE };
        d = lin_scale(l, d, -1);
        s = -s;
        op = turned[op];
    }
    r = lin_sub(l, d, lin_scale(l, lin_var(l, var, 0, 0), s));
    if (!gen_ok(g) || s == 0 || op == CMP_EQ || op == CMP_NE || lin_uses(l, r, var))
        return PLACE_INSIDE;
    edge = lin_scale(l, r, -1);
    if (op == CMP_LT || op == CMP_GE) /* v < -r/s, v >= -r/s: rounded up */
        edge = lin_div(l, lin_add(l, edge, lin_const(l, s - 1)), s);
    else /* v <= -r/s, v > -r/s: one past it, rounded down */
        edge = lin_add(l, lin_div(l, edge, s), lin_const(l, 1));
    *bound = edge;
    return op == CMP_LT || op == CMP_LE ? PLACE_HIGH : PLACE_LOW;
}

/* Conditions taken out of a loop's body, by place. */
struct guards {
    struct { struct mcond *a; int n, cap; } out, in;
    struct ints low, high;
};

static bool sort_guards(struct gen *g, const struct ms *cond, int var, struct guards *q)
{
    struct mem *mem = g->m->mem;
    bool stored = true;

    for (int i = 0; i < cond->len && gen_ok(g) && stored; i++) {
        struct mcond k = g->m->cond.a[cond->first + i];
        int bound = -1;
        switch (place(g, &k, var, &bound)) {
        case PLACE_LOW: stored = ints_push(mem, &q->low, bound); break;
        case PLACE_HIGH: stored = ints_push(mem, &q->high, bound); break;
        case PLACE_OUTSIDE:
            stored = vec_room(mem, &q->out, 1);
            if (stored)
                q->out.a[q->out.n++] = k;
            break;
        default:
            stored = vec_room(mem, &q->in, 1);
            if (stored)
                q->in.a[q->in.n++] = k;
        }
    }
    return stored || gen_fail(g, CALQUE_NOMEM);
}

/* if (conds) body */
static int guarded(struct gen *g, const struct mcond *conds, int n, int body)
{
    struct ms x = { .kind = MS_IF, .a = body, .b = -1, .var = -1, .lin = -1, .first = g->m->cond.n, .len = n };

    if (n == 0 || !gen_ok(g))
        return body;
    if (!vec_room(g->m->mem, &g->m->cond, n)) {
        gen_fail(g, CALQUE_NOMEM);
        return -1;
    }
    memcpy(g->m->cond.a + g->m->cond.n, conds, (size_t)n * sizeof *conds);
    g->m->cond.n += n;
    x.work = 1 + g->m->ms.a[body].work;
    return gen_add(g, x);
}

static void put_bounds(struct gen *g, struct ms *f, const struct guards *q)
{
    f->first = g->m->pool.n;
    f->nlo = q->low.n;
    f->nhi = q->high.n;
    for (int i = 0; i < q->low.n + q->high.n; i++)
        if (!ints_push(g->m->mem, &g->m->pool, i < q->low.n ? q->low.a[i] : q->high.a[i - q->low.n]))
            gen_fail(g, CALQUE_NOMEM);
}

/* Are all cells read in the expression at most two apart from one iteration to the next? */
static bool near_loads(const struct minic *m, int id, int var)
{
    const struct mx *x = &m->mx.a[id];
    long c = x->kind == MX_LOAD ? lin_coef(&m->lins, x->lin, var) : 0;

    if (c < 0 || c > 2)
        return false;
    return x->kind != MX_CALL || (near_loads(m, x->a, var) && (x->b < 0 || near_loads(m, x->b, var)));
}

/* Straight-line arithmetic with cells next to each other, worth vector instructions. */
static bool is_simd(const struct minic *m, int id, int var)
{
    const struct ms *x = &m->ms.a[id];

    if (x->kind == MS_BLOCK) {
        for (int i = 0; i < x->len; i++)
            if (!is_simd(m, m->pool.a[x->first + i], var))
                return false;
        return x->len > 0;
    }
    if (x->kind == MS_DECL)
        return x->a < 0 || (m->mx.a[x->a].plain && near_loads(m, x->a, var));
    return x->kind == MS_SET && m->mx.a[x->a].plain && near_loads(m, x->a, var) &&
           (x->lin < 0 || lin_coef(&m->lins, x->lin, var) == 1);
}

/* Does the expression read a local array, cell after cell? */
static bool reads_local(const struct minic *m, int id, int var)
{
    const struct mx *x = &m->mx.a[id];

    if (x->kind == MX_LOAD)
        return x->var >= m->code->prog->param.n && lin_coef(&m->lins, x->lin, var) == 1;
    return x->kind == MX_CALL && (reads_local(m, x->a, var) || (x->b >= 0 && reads_local(m, x->b, var)));
}

/* The cells of a tile going to memory, wherever that is: its accumulators are vectors, so this is done with vectors too. */
static bool is_tile_store(const struct minic *m, int id, int var)
{
    const struct ms *x = &m->ms.a[id];

    return x->kind == MS_SET && x->lin >= 0 && x->var < m->code->prog->param.n && m->mx.a[x->a].plain &&
           near_loads(m, x->a, var) && reads_local(m, x->a, var);
}

static int for_loop(struct gen *g, const struct comm *c, struct ms f)
{
    f.kind = MS_FOR;
    f.b = f.lin = -1;
    f.var = c->level;
    f.n = g->c->level.a[c->level].extent;
    f.par = c->kind == COMM_PAR;
    if (!gen_ok(g))
        return -1;
    f.simd = (f.par || c->free) && (is_simd(g->m, f.a, c->level) || is_tile_store(g->m, f.a, c->level));
    f.work = (double)f.n * (1 + g->m->ms.a[f.a].work);
    return gen_add(g, f);
}

/* for v < n: if (conds) body. What is linear in v becomes loop bounds, what does not depend on v moves out of the loop. */
static int loop_guarded(struct gen *g, const struct comm *c, struct ms cond)
{
    struct ms f = { .kind = MS_FOR };
    struct guards q;
    int r = -1;

    memset(&q, 0, sizeof q);
    if (sort_guards(g, &cond, c->level, &q)) {
        f.a = guarded(g, q.in.a, q.in.n, cond.a);
        put_bounds(g, &f, &q);
        r = for_loop(g, c, f);
        r = guarded(g, q.out.a, q.out.n, r);
    }
    mem_free(q.out.a);
    mem_free(q.in.a);
    ints_free(&q.low);
    ints_free(&q.high);
    return r;
}

/* for v < n: if (conds and low <= v < high) then a else b: three loops, the body of the first and last being b, where the
   bounds are single and constant. -1: they are not. */
static int loop_split(struct gen *g, const struct comm *c, struct ms cond)
{
    struct lins *l = &g->m->lins;
    struct guards q, none;
    int item[3], r = -1;

    memset(&q, 0, sizeof q);
    memset(&none, 0, sizeof none);
    if (sort_guards(g, &cond, c->level, &q) && q.in.n == 0 && q.low.n <= 1 && q.high.n <= 1) {
        long n = g->c->level.a[c->level].extent;
        int low = q.low.n ? q.low.a[0] : lin_const(l, 0), high = q.high.n ? q.high.a[0] : lin_const(l, n);
        bool fixed = gen_ok(g) && l->lin.a[low].n == 0 && l->lin.a[high].n == 0 && l->lin.a[low].k <= l->lin.a[high].k;
        for (int i = 0; i < 3 && fixed; i++) {
            struct ms f = { .kind = MS_FOR, .a = i == 1 ? cond.a : cond.b };
            struct guards *own = i == 1 ? &q : &none;
            if (i != 1)
                fixed = ints_push(g->m->mem, i == 0 ? &none.high : &none.low, i == 0 ? low : high) ||
                        gen_fail(g, CALQUE_NOMEM);
            put_bounds(g, &f, own);
            none.low.n = none.high.n = 0;
            item[i] = (i == 0 && !q.low.n) || (i == 2 && !q.high.n) ? block(g, NULL, 0) : for_loop(g, c, f);
        }
        if (fixed && gen_ok(g)) {
            r = block(g, item, 3);
            if (q.out.n > 0 && gen_ok(g)) {
                int otherwise = for_loop(g, c, (struct ms){ .a = cond.b });
                r = guarded(g, q.out.a, q.out.n, r);
                if (gen_ok(g))
                    g->m->ms.a[r].b = otherwise;
            }
        }
    }
    mem_free(q.out.a);
    mem_free(q.in.a);
    ints_free(&q.low);
    ints_free(&q.high);
    ints_free(&none.low);
    ints_free(&none.high);
    return r;
}

/* Does no condition of the IF depend on the variable? */
static bool is_invariant(const struct minic *m, const struct ms *x, int var)
{
    for (int i = 0; i < x->len; i++) {
        const struct mcond *k = &m->cond.a[x->first + i];
        if (lin_uses(&m->lins, k->a, var) || lin_uses(&m->lins, k->b, var))
            return false;
    }
    return true;
}

/* for v < n: body. A condition around the whole body leaves a sequential loop as far as possible. */
static int loop_around(struct gen *g, const struct comm *c, int body)
{
    struct ms x = g->m->ms.a[body];

    if (x.kind != MS_IF || c->kind == COMM_PAR)
        return for_loop(g, c, (struct ms){ .a = body });
    if (x.b < 0)
        return loop_guarded(g, c, x);
    if (!is_invariant(g->m, &x, c->level)) {
        int r = c->kind == COMM_FOR && c->free ? loop_split(g, c, x) : -1;
        return r >= 0 || !gen_ok(g) ? r : for_loop(g, c, (struct ms){ .a = body });
    }
    if (!gen_is_empty(g->m, x.a))
        x.a = for_loop(g, c, (struct ms){ .a = x.a });
    x.b = for_loop(g, c, (struct ms){ .a = x.b });
    if (gen_ok(g))
        x.work = 1 + (g->m->ms.a[x.a].work > g->m->ms.a[x.b].work ? g->m->ms.a[x.a].work : g->m->ms.a[x.b].work);
    return gen_add(g, x);
}

static int loop(struct gen *g, const struct comm *c) /* cgc.5 cgc.6 */
{
    long n = g->c->level.a[c->level].extent;
    int body;

    if (n == 0)
        return block(g, NULL, 0);
    g->loop[c->level] = n == 1 ? lin_const(&g->m->lins, 0) : lin_var(&g->m->lins, c->level, 0, n - 1);
    body = gen_ok(g) ? gen_stmt(g, c->a) : -1;
    if (!gen_ok(g) || n == 1 || gen_is_empty(g->m, body))
        return body;
    return loop_around(g, c, body);
}

enum calque_status codegen(const struct code *code, struct minic *m, struct diag *d)
{
    static const struct gen_rules rules = { block, assign, new_memory, branch, loop };
    struct gen g = { .rule = &rules, .m = m, .c = code };

    memset(m, 0, sizeof *m);
    m->mem = code->mem;
    m->code = code;
    lins_init(&m->lins, code->mem);
    if (prog_is_symbolic(code->prog))
        return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "emit: symbolic sizes need plain code");
    return gen_main(&g, d);
}

void minic_free(struct minic *m)
{
    lins_free(&m->lins);
    mem_free(m->mx.a);
    mem_free(m->cond.a);
    mem_free(m->ms.a);
    mem_free(m->cix.a);
    ints_free(&m->pool);
}
