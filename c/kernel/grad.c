/* The gradient of a kernel: forward statements in single assignment form, adjoints backwards, one for each version of a
   tensor, then what the wanted gradients need is copied to the result (spec autodiff section 6, step 6). */
#include "kernel/grad_internal.h"

#include <stdio.h>
#include <string.h>

static bool is_scalar(const struct kernel_tensor *x)
{
    return x->rank == 1 && x->dim[0] == 1;
}

static const char *source_name(const struct grad *g, int t)
{
    return strs_text(g->k->strs, g->k->tensor.a[t].name);
}

enum { ORDER_LOADED = 1, ORDER_STORED = 2 };

static void mark_loaded(const struct kernel *k, int id, char *order)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_LOAD && order[e->op] == 0)
        order[e->op] = ORDER_LOADED;
    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return;
    mark_loaded(k, e->a, order);
    if (e->kind != EX_REDUCE && e->b >= 0)
        mark_loaded(k, e->b, order);
}

/* Of each tensor of the source, what statements do with it first; to be freed. NULL: memory is out. */
static char *find_order(struct grad *g)
{
    char *order = mem_zero(g->mem, (size_t)g->k->tensor.n + 1, 1);

    for (int i = 0; order && i < g->k->stmt.n; i++) {
        const struct kernel_stmt *s = &g->k->stmt.a[i];
        mark_loaded(g->k, s->body, order);
        if (order[s->out] == 0)
            order[s->out] = ORDER_STORED;
    }
    if (!order)
        grad_nomem(g);
    return order;
}

int grad_version(struct grad *g, int t, int role, bool own_name)
{
    const struct kernel_tensor *x = &g->k->tensor.a[t];
    char text[256];
    int name, r;

    snprintf(text, sizeof text, "%.250s", source_name(g, t));
    if (!own_name)
        return grad_tensor(g, text, role, x->rank, x->dim);
    name = strs_addz(g->b.strs, text);
    if (name < 0 || !vec_room(g->mem, &g->t, 1) || !grad_take(g, name) || (r = kernel_add_tensor(&g->b, name, role, x->rank, x->dim)) < 0)
        return grad_nomem(g);
    g->t.a[g->t.n++] = (struct grad_tensor){false, false, -1, -1, -1};
    return r;
}

static bool depends_on_active(const struct grad *g, int id)
{
    const struct ex *e = &g->b.ex.a[id];

    if (e->kind == EX_CONST)
        return false;
    if (e->kind == EX_LOAD)
        return g->t.a[e->op].active;
    return depends_on_active(g, e->a) || (e->kind != EX_REDUCE && e->b >= 0 && depends_on_active(g, e->b));
}

/* The forward statements; cur[t]: the version of t after the last one, first: before the first one. */
static bool forward(struct grad *g, const int *wrt, int n, int *cur, int *first)
{
    char *order;
    int out = 0;

    for (int t = 0; t < g->k->tensor.n; t++)
        if (!grad_take(g, g->k->tensor.a[t].name))
            return false;
    for (int t = 0; t < g->k->tensor.n; t++)
        if ((first[t] = cur[t] = grad_version(g, t, KERNEL_IN, true)) < 0)
            return false;
    for (int i = 0; i < n; i++)
        g->t.a[first[wrt[i]]].active = true;
    order = find_order(g);
    for (int i = 0; order && i < g->k->stmt.n && out >= 0; i++) {
        const struct kernel_stmt *s = &g->k->stmt.a[i];
        out = grad_forward(g, s, cur, cur[s->out] == first[s->out] && order[s->out] != ORDER_LOADED);
        cur[s->out] = out;
    }
    mem_free(order);
    if (!order || out < 0)
        return false;
    g->forward = g->b.stmt.n;
    for (int i = 0; i < g->forward; i++) {
        struct kernel_stmt s = g->b.stmt.a[i];
        if (!g->t.a[s.out].fixed)
            g->t.a[s.out].active = depends_on_active(g, s.body);
    }
    return true;
}

/* Links the statement to each tensor that the expression loads. */
static bool link_loads(struct grad *g, int id, int stmt)
{
    const struct ex *e = &g->b.ex.a[id];
    int at = g->link.n;

    if (e->kind == EX_CONST)
        return true;
    if (e->kind != EX_LOAD)
        return link_loads(g, e->a, stmt) && (e->kind == EX_REDUCE || e->b < 0 || link_loads(g, e->b, stmt));
    if (g->load[e->op] >= 0 && g->link.a[g->load[e->op]] == stmt)
        return true;
    if (!ints_push(g->mem, &g->link, stmt) || !ints_push(g->mem, &g->link, g->load[e->op]))
        return grad_nomem(g) >= 0;
    g->load[e->op] = at;
    return true;
}

/* Which forward statements load each tensor. */
static bool find_loads(struct grad *g)
{
    bool ok;

    g->loads = g->b.tensor.n;
    g->load = mem_resize(g->mem, NULL, (size_t)g->loads + 1, sizeof *g->load);
    ok = g->load || grad_nomem(g) >= 0;
    for (int t = 0; ok && t < g->loads; t++)
        g->load[t] = -1;
    for (int i = g->forward - 1; ok && i >= 0; i--)
        ok = link_loads(g, g->b.stmt.a[i].body, i);
    return ok;
}

/* d<name> of the same shape. */
static int adjoint_tensor(struct grad *g, int t, int role)
{
    struct kernel_tensor x = g->b.tensor.a[t];
    char name[256];

    snprintf(name, sizeof name, "d%.250s", strs_text(g->b.strs, x.name));
    return grad_tensor(g, name, role, x.rank, x.dim);
}

/* The variables a0.. of an adjoint, or the one of a scalar; their index expressions in ix, their number. */
static int begin_adjoint(struct grad *g, int t, int *ix)
{
    struct kernel_tensor x = g->b.tensor.a[t];
    bool scalar = is_scalar(&x);
    char name[16];

    grad_begin(g);
    for (int i = 0; i < x.rank; i++) {
        int id;
        snprintf(name, sizeof name, "a%d", i);
        id = strs_addz(g->b.strs, scalar ? "" : name);
        if (id < 0)
            return grad_nomem(g);
        if ((ix[i] = grad_ix_var(g, grad_var(g, id, x.dim[i]))) < 0)
            return -1;
    }
    return scalar ? 0 : x.rank;
}

/* Is the body a whole tensor as it is? Then that tensor, else -1. */
static int same_tensor(const struct grad *g, int body, int t)
{
    const struct ex *e = &g->b.ex.a[body];
    const struct kernel_tensor *x = &g->b.tensor.a[t], *y;

    if (e->kind != EX_LOAD)
        return -1;
    y = &g->b.tensor.a[e->op];
    if (e->n != (is_scalar(x) ? 0 : x->rank) || y->rank != x->rank ||
        memcmp(y->dim, x->dim, (size_t)x->rank * sizeof *x->dim) != 0)
        return -1;
    for (int i = 0; i < e->n; i++) {
        struct ix v = g->b.ix.a[g->b.pool.a[e->first + i]];
        if (v.kind != IX_VAR || v.k != i)
            return -1;
    }
    return e->op;
}

/* A sum of many terms is stored and loaded again, so that expressions stay flat. */
enum { SUM_DEPTH = 128 };

static bool is_deep(const struct grad *g, int sum)
{
    int depth = 0;

    for (int id = sum; id >= 0 && g->b.ex.a[id].kind == EX_CALL && depth < SUM_DEPTH; id = g->b.ex.a[id].a)
        depth++;
    return depth >= SUM_DEPTH;
}

static int store_part(struct grad *g, int t, int sum, int *ix)
{
    struct kernel_tensor x = g->b.tensor.a[t];
    int part = grad_tensor(g, "part", KERNEL_TEMP, x.rank, x.dim), n;

    if (part < 0 || grad_end(g, part, sum) < 0 || (n = begin_adjoint(g, t, ix)) < 0)
        return -1;
    return grad_load(g, part, ix, n);
}

/* The adjoint of a version as an expression over the variables just begun; -1 without failure: zero. */
static int adjoint_body(struct grad *g, int t, int *ix, int n)
{
    int sum = -1;

    if (g->t.a[t].seed >= 0 && (sum = grad_load(g, g->t.a[t].seed, ix, n)) < 0)
        return -1;
    for (int l = t < g->loads ? g->load[t] : -1; l >= 0; l = g->link.a[l + 1]) {
        int i = g->link.a[l], out = g->b.stmt.a[i].out;
        if (g->t.a[out].adjoint < 0 || !g->t.a[out].active)
            continue;
        if (!grad_sweep(g, i, t, g->b.tensor.a[t].rank, &sum) ||
            (is_deep(g, sum) && (sum = store_part(g, t, sum, ix)) < 0))
            return -1;
    }
    if (sum >= 0 && grad_is_const(g, sum, 0))
        return -1;
    return sum;
}

/* The adjoint of what statement i stores. */
static bool adjoint_of(struct grad *g, int i)
{
    struct kernel_stmt s = g->b.stmt.a[i];
    int ix[KERNEL_RANK_MAX], t = s.out, n = begin_adjoint(g, t, ix), body, same;

    if (n < 0)
        return false;
    body = adjoint_body(g, t, ix, n);
    if (body < 0)
        return g->status == CALQUE_OK;
    if ((same = same_tensor(g, body, t)) >= 0) {
        g->t.a[t].adjoint = same;
        return true;
    }
    if ((same = adjoint_tensor(g, t, KERNEL_TEMP)) < 0)
        return false;
    g->t.a[t].adjoint = same;
    return grad_end(g, same, body) >= 0;
}

/* The gradient of x: stored in a tensor of its own. */
static int gradient_of(struct grad *g, int x)
{
    int ix[KERNEL_RANK_MAX], n = begin_adjoint(g, x, ix), body, t;

    if (n < 0)
        return -1;
    body = adjoint_body(g, x, ix, n);
    if (body < 0 && g->status == CALQUE_OK)
        body = grad_const(g, 0);
    if (body < 0 || (t = adjoint_tensor(g, x, KERNEL_OUT)) < 0)
        return -1;
    return grad_end(g, t, body) < 0 ? -1 : t;
}

static void mark(const struct kernel *k, int id, char *used)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_LOAD)
        used[e->op] = 1;
    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return;
    mark(k, e->a, used);
    if (e->kind != EX_REDUCE && e->b >= 0)
        mark(k, e->b, used);
}

/* One statement of b to the result r, with the names of its variables made different where they nest. */
static bool deliver_stmt(struct grad *r, const struct grad *g, int i, const int *map)
{
    const struct kernel_stmt *s = &g->b.stmt.a[i];
    struct ints scope = {0};
    struct grad_copy c = {.g = r, .src = &g->b, .s = s, .tensor = map, .scope = &scope};
    bool ok;

    c.ix = mem_zero(r->mem, (size_t)s->nvar, sizeof *c.ix);
    ok = c.ix != NULL;
    if (!ok)
        grad_nomem(r);
    grad_begin(r);
    r->line = s->line;
    r->col = s->col;
    for (int v = 0; v < g->b.tensor.a[s->out].rank && ok; v++) {
        struct kernel_var x = g->b.var.a[s->var + v];
        ok = (c.ix[v] = grad_ix_var(r, grad_var(r, x.name, x.extent))) >= 0;
        if (ok && !ints_push(r->mem, &scope, x.name))
            ok = grad_nomem(r) >= 0;
    }
    ok = ok && grad_end(r, map[s->out], grad_copy_ex(&c, s->body)) >= 0;
    ints_free(&scope);
    mem_free(c.ix);
    return ok;
}

/* What an output is called in the result when it is also given: the seed and the gradient are one tensor. */
struct result {
    int x;    /* the version differentiated by */
    int to;   /* its gradient */
    int seed; /* the adjoint given under the same name, or -1 */
};

static bool add_tensor(struct grad *r, const struct grad *g, int t, int role, int name_of, int *map)
{
    struct kernel_tensor x = g->b.tensor.a[t];

    if (map[t] >= 0)
        return true;
    map[t] = kernel_add_tensor(&r->b, g->b.tensor.a[name_of].name, role, x.rank, x.dim);
    return map[t] >= 0 || grad_nomem(r) >= 0;
}

/* Is t an output of the source that is asked for? */
static bool is_value(const struct grad *g, int t, const struct result *to, int n)
{
    bool gradient = false;

    for (int i = 0; i < n; i++)
        gradient = gradient || to[i].to == t;
    return g->b.tensor.a[t].role == KERNEL_OUT && !gradient;
}

/* Tensors of the result in the order of the signature, temporaries last. */
static bool deliver_tensors(struct grad *r, const struct grad *g, const char *used, const struct result *to, int n,
                            int *map)
{
    bool ok = true;

    for (int t = 0; t < g->b.tensor.n; t++)
        map[t] = -1;
    for (int t = 0; t < g->k->tensor.n && ok; t++) /* first versions */
        if (used[t])
            ok = add_tensor(r, g, t, KERNEL_IN, t, map);
    for (int t = g->k->tensor.n; t < g->b.tensor.n && ok; t++) {
        bool both = false;
        for (int i = 0; i < n; i++)
            both = both || to[i].seed == t;
        if (used[t] && g->b.tensor.a[t].role == KERNEL_IN && !both)
            ok = add_tensor(r, g, t, KERNEL_IN, t, map);
    }
    for (int t = g->k->tensor.n; t < g->b.tensor.n && ok; t++)
        if (is_value(g, t, to, n))
            ok = add_tensor(r, g, t, KERNEL_OUT, t, map);
    for (int i = 0; i < n && ok; i++) {
        ok = add_tensor(r, g, to[i].to, KERNEL_OUT, to[i].seed >= 0 ? to[i].seed : to[i].to, map);
        if (to[i].seed >= 0)
            map[to[i].seed] = map[to[i].to];
    }
    for (int t = g->k->tensor.n; t < g->b.tensor.n && ok; t++)
        if (used[t])
            ok = add_tensor(r, g, t, KERNEL_TEMP, t, map);
    return ok;
}

static bool deliver(struct grad *r, const struct grad *g, const struct result *to, int n)
{
    char *used = mem_zero(g->mem, (size_t)g->b.tensor.n, 1);
    int *map = mem_zero(g->mem, (size_t)g->b.tensor.n, sizeof *map);
    bool ok = used && map;

    if (!ok)
        grad_nomem(r);
    for (int i = 0; i < g->b.tensor.n && ok; i++)
        used[i] = g->b.tensor.a[i].role == KERNEL_OUT;
    for (int i = g->b.stmt.n - 1; i >= 0 && ok; i--)
        if (used[g->b.stmt.a[i].out])
            mark(&g->b, g->b.stmt.a[i].body, used);
    ok = ok && deliver_tensors(r, g, used, to, n, map);
    for (int i = 0; i < g->b.stmt.n && ok; i++)
        if (used[g->b.stmt.a[i].out])
            ok = deliver_stmt(r, g, i, map);
    mem_free(used);
    mem_free(map);
    return ok;
}

/* A seed whose tensor also receives a gradient is overwritten only when no later statement reads a seed: such gradients
   are computed into temporaries first when there are several. */
static bool store_last(struct grad *g, struct result *to, int n)
{
    int both = 0;

    for (int i = 0; i < n; i++)
        both += to[i].seed >= 0;
    for (int i = 0; i < n && both > 1; i++) {
        int ix[KERNEL_RANK_MAX], m, t;
        if (to[i].seed < 0)
            continue;
        g->b.tensor.a[to[i].to].role = KERNEL_TEMP;
        if ((m = begin_adjoint(g, to[i].x, ix)) < 0 || (t = adjoint_tensor(g, to[i].x, KERNEL_OUT)) < 0 ||
            grad_end(g, t, grad_load(g, to[i].to, ix, m)) < 0)
            return false;
        to[i].to = t;
    }
    return true;
}

static bool gradients(struct grad *g, const int *wrt, int n, const int *cur, const int *first, struct result *to)
{
    for (int i = 0; i < n; i++)
        to[i] = (struct result){first[wrt[i]], -1, g->t.a[cur[wrt[i]]].seed};
    /* those that overwrite their seed come last */
    for (int both = 0; both < 2; both++)
        for (int i = 0; i < n; i++)
            if ((to[i].seed >= 0) == (both == 1) && (to[i].to = gradient_of(g, to[i].x)) < 0)
                return false;
    return store_last(g, to, n);
}

static bool run(struct grad *g, struct grad *r, const int *wrt, int n, int *cur, int *first, struct result *to)
{
    const struct kernel *k = g->k;

    if (!forward(g, wrt, n, cur, first) || !find_loads(g))
        return false;
    for (int t = 0; t < k->tensor.n; t++)
        if (k->tensor.a[t].role == KERNEL_OUT) {
            int seed = adjoint_tensor(g, first[t], KERNEL_IN);
            if (seed < 0)
                return false;
            g->t.a[cur[t]].seed = seed;
            if (g->o->values)
                g->b.tensor.a[cur[t]].role = KERNEL_OUT;
        }
    for (int i = g->forward - 1; i >= 0; i--) /* KG-Seq */
        if (g->t.a[g->b.stmt.a[i].out].active && !adjoint_of(g, i))
            return false;
    return gradients(g, wrt, n, cur, first, to) && deliver(r, g, to, n);
}

static void grad_free(struct grad *g)
{
    kernel_free(&g->b);
    mem_free(g->t.a);
    mem_free(g->load);
    ints_free(&g->link);
    ints_free(&g->taken);
}

static enum calque_status gradient(struct kernel *out, const struct kernel *k, const int *wrt, int n,
                                   const struct grad_options *o, struct diag *d)
{
    struct grad g = {.mem = k->mem, .k = k, .o = o, .d = d}, r = g;
    struct result *to;
    enum calque_status st;
    int *cur, *first;

    kernel_like(&g.b, k);
    kernel_like(&r.b, k);
    cur = mem_zero(k->mem, (size_t)k->tensor.n, sizeof *cur);
    first = mem_zero(k->mem, (size_t)k->tensor.n, sizeof *first);
    to = mem_zero(k->mem, (size_t)n, sizeof *to);
    if (!cur || !first || !to)
        grad_nomem(&g);
    else
        run(&g, &r, wrt, n, cur, first, to);
    st = g.status != CALQUE_OK ? g.status : r.status;
    mem_free(cur);
    mem_free(first);
    mem_free(to);
    grad_free(&g);
    if (st == CALQUE_OK)
        st = kernel_check(&r.b, d);
    mem_free(r.t.a);
    if (st == CALQUE_OK)
        *out = r.b;
    else
        kernel_free(&r.b);
    return st;
}

enum calque_status kernel_grad(struct kernel *out, const struct kernel *k, const int *wrt, int n,
                               const struct grad_options *o, struct diag *d)
{
    struct grad_options all = {.universal = false};
    enum calque_status st = kernel_check(k, d);
    struct kernel cut;

    kernel_like(out, k);
    if (st != CALQUE_OK)
        return st;
    if (kernel_looks_up(k))
        return diag_set(d, CALQUE_BAD, "", 0, 0, "a look-up by data cannot be differentiated");
    for (int t = 0; t < k->tensor.n; t++)
        if (k->tensor.a[t].elem != ELEM_OWN)
            return diag_set(d, CALQUE_BAD, "", 0, 0, "%s is stored as %s: only tensors of the kernel's type can be differentiated",
                            strs_text(k->strs, k->tensor.a[t].name), elem_name(k->tensor.a[t].elem));
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            if (wrt[i] < 0 || wrt[i] >= k->tensor.n || (j < i && wrt[i] == wrt[j]))
                return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "a tensor to differentiate by is none or is given twice");
    if (o)
        all = *o;
    st = grad_cut(k, &cut, d);
    if (st == CALQUE_OK)
        st = gradient(out, &cut, wrt, n, &all, d);
    if (st == CALQUE_BAD && !all.universal) { /* bounds that cannot be shown: the accesses are those of the source then */
        all.universal = true;
        st = gradient(out, &cut, wrt, n, &all, d);
    }
    kernel_free(&cut);
    return st;
}

void kernel_prototype(struct text *t, const struct kernel *k, const char *name)
{
    static const char *const type[] = {"float", "double", "int", "int64_t"};
    const char *between = "";

    text_printf(t, "void %s(", name);
    for (int i = 0; i < k->tensor.n; i++) {
        const struct kernel_tensor *x = &k->tensor.a[i];
        if (x->role == KERNEL_TEMP)
            continue;
        text_printf(t, is_scalar(x) ? "%s%s &%s" : "%s%s (&%s)", between, type[k->type], strs_text(k->strs, x->name));
        for (int j = 0; j < x->rank && !is_scalar(x); j++)
            text_printf(t, "[%ld]", x->dim[j]);
        between = ", ";
    }
    text_puts(t, ");\n");
}
