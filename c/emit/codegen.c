/* Commands to mini-C (seed rules cgc): the walk over commands, and its rules for fixed sizes, which merge statements,
   split loops at guards and mark what is worth vector instructions. codegen_direct.c has the seed's rules for the
   same walk. */
#include "emit/codegen_internal.h"

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
        switch (split_cond(g, &k, var, &bound)) {
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

static void put_bounds(struct gen *g, struct ms *f, const struct ints *low, const struct ints *high, const struct part *r)
{
    const struct ints *from[] = { low, &r->low, high, &r->high };

    f->first = g->m->pool.n;
    f->nlo = low->n + r->low.n;
    f->nhi = high->n + r->high.n;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < from[i]->n; k++)
            if (!ints_push(g->m->mem, &g->m->pool, from[i]->a[k]))
                gen_fail(g, CALQUE_NOMEM);
}

/* Is the variable divided in a form? */
static bool is_divided(const struct lins *l, int id, int var)
{
    const struct lin *x = &l->lin.a[id];

    for (int i = 0; i < x->n; i++) {
        const struct atom *a = &l->atom.a[l->term.a[x->first + i].atom];
        if (a->kind != ATOM_VAR && lin_uses(l, a->lin, var))
            return true;
    }
    return false;
}

/* Is the variable divided in no index that the expression reads at? */
static bool straight_loads(const struct minic *m, int id, int var)
{
    const struct mx *x = &m->mx.a[id];

    if (x->kind == MX_LOAD)
        return !is_divided(&m->lins, x->lin, var);
    return x->kind != MX_CALL || (straight_loads(m, x->a, var) && (x->b < 0 || straight_loads(m, x->b, var)));
}

/* Are all cells read in the expression at most two apart from one iteration to the next? */
static bool near_loads(const struct minic *m, int id, int var)
{
    const struct mx *x = &m->mx.a[id];
    long c = x->kind == MX_LOAD ? lin_coef(&m->lins, x->lin, var) : 0;

    if (c < 0 || c > 2 || (x->kind == MX_LOAD && is_divided(&m->lins, x->lin, var)))
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

/* A row of a block of exchanged loops: cells that are read apart and stored side by side. */
static bool is_block_row(const struct minic *m, int id, int var)
{
    const struct ms *x = &m->ms.a[id];

    return x->kind == MS_SET && x->lin >= 0 && m->mx.a[x->a].plain && straight_loads(m, x->a, var) &&
           lin_coef(&m->lins, x->lin, var) == 1;
}

enum { SIMD_WIDE = 16, SIMD_PART = 8 };

/* A row of accumulators that ends within a vector: gcc does it in half of the time when it is not told to use vectors. */
static bool is_odd_row(const struct minic *m, const struct ms *f)
{
    const struct ms *x = &m->ms.a[f->a];
    long n = f->n - f->from;

    return n > SIMD_WIDE && n % SIMD_PART != 0 && x->kind == MS_SET &&
           ((x->lin >= 0 && x->var >= m->code->prog->param.n) || reads_local(m, x->a, f->var));
}

/* Is the loop worth vector instructions? */
static bool pays_simd(const struct minic *m, const struct ms *f)
{
    if (is_odd_row(m, f))
        return false;
    return is_simd(m, f->a, f->var) || is_tile_store(m, f->a, f->var) ||
           (f->n - f->from == LOWER_BLOCK && is_block_row(m, f->a, f->var));
}

/* The part's loop around body f.a, within its bounds and those. */
static int for_loop(struct gen *g, const struct comm *c, const struct part *r, int body, const struct guards *q)
{
    static const struct ints none;
    struct ms f = { .kind = MS_FOR, .a = body, .b = -1, .lin = -1, .var = r->var, .from = r->lo, .n = r->hi };

    f.par = c->kind == COMM_PAR;
    if (!gen_ok(g))
        return -1;
    put_bounds(g, &f, q ? &q->low : &none, q ? &q->high : &none, r);
    f.simd = (f.par || c->free) && pays_simd(g->m, &f);
    f.work = (double)(f.n - f.from) * (1 + g->m->ms.a[body].work);
    return gen_add(g, f);
}

/* for v in the part: if (conds) body. What is linear in v becomes loop bounds, what does not depend on v moves out of the
   loop. */
static int loop_guarded(struct gen *g, const struct comm *c, const struct part *r, struct ms cond)
{
    struct guards q;
    int x = -1;

    memset(&q, 0, sizeof q);
    if (sort_guards(g, &cond, r->var, &q)) {
        x = for_loop(g, c, r, guarded(g, q.in.a, q.in.n, cond.a), &q);
        x = guarded(g, q.out.a, q.out.n, x);
    }
    mem_free(q.out.a);
    mem_free(q.in.a);
    ints_free(&q.low);
    ints_free(&q.high);
    return x;
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

/* for v in the part: body. A condition around the whole body leaves a sequential loop as far as possible. */
static int loop_around(struct gen *g, const struct comm *c, const struct part *r, int body)
{
    struct ms x = g->m->ms.a[body];

    if (x.kind != MS_IF || c->kind == COMM_PAR)
        return for_loop(g, c, r, body, NULL);
    if (x.b < 0)
        return loop_guarded(g, c, r, x);
    if (!is_invariant(g->m, &x, r->var))
        return for_loop(g, c, r, body, NULL);
    if (!gen_is_empty(g->m, x.a))
        x.a = for_loop(g, c, r, x.a, NULL);
    x.b = for_loop(g, c, r, x.b, NULL);
    if (gen_ok(g))
        x.work = 1 + (g->m->ms.a[x.a].work > g->m->ms.a[x.b].work ? g->m->ms.a[x.a].work : g->m->ms.a[x.b].work);
    return gen_add(g, x);
}

/* Does the statement declare a variable for those after it? */
static bool declares(const struct minic *m, int id)
{
    const struct ms *x = &m->ms.a[id];

    for (int i = 0; x->kind == MS_BLOCK && i < x->len; i++)
        if (declares(m, m->pool.a[x->first + i]))
            return true;
    return x->kind == MS_DECL || x->kind == MS_ARRAY;
}

/* Parts of a loop; those of a parallel one in any order. One that needs no loop declares what the others do, too. */
static int parts(struct gen *g, const struct comm *c, const int *items, int n)
{
    int x = block(g, items, n);

    for (int i = 0; i < n && gen_ok(g); i++)
        g->m->ms.a[items[i]].scope = items[i] != x && declares(g->m, items[i]);
    if (gen_ok(g) && c->kind == COMM_PAR && g->m->ms.a[x].kind == MS_BLOCK && g->m->ms.a[x].len > 1 && n > 1)
        g->m->ms.a[x].par = true;
    return x;
}

/* A parallel loop around the parts of one becomes a loop around each, so that they are nests of parallel loops.
   Recursion is bounded by the nesting of loops. */
static int spread(struct gen *g, const struct comm *c, const struct part *r, int body)
{
    struct ms x = g->m->ms.a[body];
    int *items, y;

    if (c->kind != COMM_PAR || x.kind != MS_BLOCK || !x.par)
        return loop_around(g, c, r, body);
    items = mem_resize(g->m->mem, NULL, (size_t)x.len, sizeof *items);
    if (!items) {
        gen_fail(g, CALQUE_NOMEM);
        return -1;
    }
    for (int i = 0; i < x.len && gen_ok(g); i++)
        items[i] = spread(g, c, r, g->m->pool.a[x.first + i]);
    y = gen_ok(g) ? parts(g, c, items, x.len) : -1;
    mem_free(items);
    return y;
}

/* One loop, whose variable is bound. */
static int loop_part(struct gen *g, const struct comm *c, const struct part *r)
{
    int body = gen_stmt(g, c->a);

    if (!gen_ok(g) || part_is_cell(r) || gen_is_empty(g->m, body))
        return body;
    return spread(g, c, r, body);
}

static int loop(struct gen *g, const struct comm *c) /* cgc.5 cgc.6 */
{
    static const struct split_rules rules = { loop_part, parts };

    if (g->c->level.a[c->level].extent == 0)
        return block(g, NULL, 0);
    return split_loop(g, c, &rules);
}

/* With loops in at most so many parts each; CALQUE_NO: it becomes too long. */
static enum calque_status generate(const struct code *code, long most, struct minic *m, struct diag *d)
{
    static const struct gen_rules rules = { block, assign, new_memory, branch, loop };
    struct gen g = { .rule = &rules, .m = m, .c = code, .most = most, .vars = code->level.n };
    enum calque_status st;

    memset(m, 0, sizeof *m);
    m->mem = code->mem;
    m->code = code;
    lins_init(&m->lins, code->mem);
    if (most > 1)
        g.longest = SPLIT_SIZE + SPLIT_GROWTH * ((long)code->comm.n + code->vexp.n);
    g.seen = mem_zero(m->mem, (size_t)code->vexp.n + 1, sizeof *g.seen);
    st = g.seen ? gen_main(&g, d) : diag_nomem(d);
    mem_free(g.seen);
    ints_free(&g.fact);
    return g.is_long ? CALQUE_NO : st;
}

enum calque_status codegen(const struct code *code, struct minic *m, struct diag *d)
{
    static const long most[] = { 1L << 20, 9, 3, 1 };
    enum calque_status st = CALQUE_NO;

    memset(m, 0, sizeof *m);
    if (prog_is_symbolic(code->prog))
        return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "emit: symbolic sizes need plain code");
    for (size_t i = 0; i < sizeof most / sizeof *most && st == CALQUE_NO; i++) {
        if (i > 0)
            minic_free(m);
        st = generate(code, most[i], m, d);
    }
    return st;
}

void minic_free(struct minic *m)
{
    lins_free(&m->lins);
    mem_free(m->mx.a);
    mem_free(m->cond.a);
    mem_free(m->ms.a);
    mem_free(m->cix.a);
    ints_free(&m->pool);
    ints_free(&m->alias);
}

/* ---- the walk over commands: the same whether statements are merged or not (codegen_direct.c) ---- */

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
