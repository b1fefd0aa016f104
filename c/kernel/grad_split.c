/* Forward statements. A reduction inside a product, quotient or function becomes a statement of its own over the
   variables it depends on, under the guards around it, so that the reverse sweep can use its value and adjoint
   instead of computing it again for each weight. An amax always does, with the number of places that attain it.
   Before it, large expressions are cut into parts. */
#include "kernel/grad_internal.h"

#include <stdio.h>
#include <string.h>

struct splitter {
    struct grad *g;
    const struct kernel_stmt *s;
    struct split x;
    struct split_guard path[KERNEL_DEPTH_MAX];
    int npath;
    struct ints scope; /* output variables and those of the reductions around */
};

static void mark_ix(const struct kernel *k, int id, char *used)
{
    struct ix x = k->ix.a[id];

    if (x.kind == IX_VAR)
        used[x.k] = 1;
    if (x.kind > IX_CONST)
        mark_ix(k, x.a, used);
    if (x.kind == IX_ADD || x.kind == IX_SUB)
        mark_ix(k, x.b, used);
}

static void mark_conds(const struct kernel *k, const struct ex *e, char *used)
{
    for (int i = 0; i < e->n; i++) {
        mark_ix(k, k->cond.a[e->first + i].a, used);
        mark_ix(k, k->cond.a[e->first + i].b, used);
    }
}

static void mark_ex(const struct kernel *k, int id, char *used)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_LOAD)
        for (int i = 0; i < e->n; i++)
            mark_ix(k, k->pool.a[e->first + i], used);
    if (e->kind == EX_SELECT)
        mark_conds(k, e, used);
    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return;
    mark_ex(k, e->a, used);
    if (e->kind != EX_REDUCE && e->b >= 0)
        mark_ex(k, e->b, used);
}

/* The variables the reduction depends on; false when they are too many for a tensor. */
static bool depends(struct splitter *p, int id, struct split_entry *e)
{
    const struct kernel *k = p->g->k;
    char *used = mem_zero(p->g->mem, (size_t)p->s->nvar, 1);
    bool ok = true;
    long size = 1;

    if (!used)
        return grad_nomem(p->g), false;
    mark_ex(k, id, used);
    for (int i = 0; i < p->npath; i++)
        mark_conds(k, &k->ex.a[p->path[i].select], used);
    for (int i = 0; i < p->scope.n && ok; i++) {
        int v = p->scope.a[i];
        long extent = k->var.a[p->s->var + v].extent;
        if (!used[v])
            continue;
        ok = e->n < KERNEL_RANK_MAX && (extent == 0 || size <= KERNEL_INDEX_MAX / extent);
        size *= ok && extent > 0 ? extent : 1;
        if (ok)
            e->var[e->n++] = v;
    }
    mem_free(used);
    return ok;
}

static bool find_splits(struct splitter *p, int id, bool inside);

static bool enter_reduce(struct splitter *p, const struct ex *e, bool inside)
{
    int scope = p->scope.n;
    bool ok = true;

    for (int i = 0; i < e->n && ok; i++)
        if (!ints_push(p->g->mem, &p->scope, p->g->k->pool.a[e->first + i]))
            ok = grad_nomem(p->g) >= 0;
    ok = ok && find_splits(p, e->a, inside);
    p->scope.n = scope;
    return ok;
}

static bool split_reduce(struct splitter *p, int id, bool inside)
{
    const struct ex *e = &p->g->k->ex.a[id];
    struct split_entry x = {.ex = id, .guard = p->x.guard.n, .nguard = p->npath, .tensor = -1};
    int at = p->x.entry.n;

    if (e->op == RED_SUM && (!inside || p->g->o->no_split))
        return enter_reduce(p, e, inside);
    if (!depends(p, id, &x))
        return p->g->status == CALQUE_OK && enter_reduce(p, e, inside);
    if (!vec_room(p->g->mem, &p->x.entry, 1) || !vec_room(p->g->mem, &p->x.guard, p->npath))
        return grad_nomem(p->g), false;
    for (int i = 0; i < p->npath; i++)
        p->x.guard.a[p->x.guard.n++] = p->path[i];
    p->x.entry.a[p->x.entry.n++] = x;
    if (!enter_reduce(p, e, false))
        return false;
    p->x.entry.a[at].next = p->x.entry.n;
    return true;
}

static bool find_call(struct splitter *p, const struct ex *e, bool inside)
{
    const struct kernel *k = p->g->k;
    bool linear = e->op == FN_ADD || e->op == FN_SUB || e->op == FN_NEG;

    if (e->op == FN_MUL)
        linear = !grad_loads(k, e->a, -1) || !grad_loads(k, e->b, -1);
    if (e->op == FN_DIV)
        linear = !grad_loads(k, e->b, -1);
    inside = inside || !linear;
    return find_splits(p, e->a, inside) && (e->b < 0 || find_splits(p, e->b, inside));
}

/* inside: under an operation whose weights use the values of its arguments. Recursion: KERNEL_DEPTH_MAX. */
static bool find_splits(struct splitter *p, int id, bool inside)
{
    const struct ex *e = &p->g->k->ex.a[id];
    bool ok;

    switch (e->kind) {
    case EX_CALL:
        return find_call(p, e, inside);
    case EX_REDUCE:
        return split_reduce(p, id, inside);
    case EX_SELECT:
        p->path[p->npath++] = (struct split_guard){id, false};
        ok = find_splits(p, e->a, inside);
        p->path[p->npath - 1].other = true;
        ok = ok && find_splits(p, e->b, inside);
        p->npath--;
        return ok;
    default:
        return true;
    }
}

/* The body under the guards of the entry. */
static int guarded(struct grad_copy *c, const struct split *x, const struct split_entry *e, int body)
{
    struct grad *g = c->g;

    for (int i = e->nguard - 1; i >= 0 && body >= 0; i--) {
        struct split_guard q = x->guard.a[e->guard + i];
        const struct ex *s = &g->k->ex.a[q.select];
        struct cond *to = mem_zero(g->mem, (size_t)s->n, sizeof *to);
        int zero = grad_const(g, 0), n;
        if (!to)
            return grad_nomem(g);
        if ((n = grad_copy_conds(c, s, to)) < 0)
            body = -1;
        else
            body = q.other ? grad_select(g, to, n, zero, body) : grad_select(g, to, n, body, zero);
        mem_free(to);
    }
    return body;
}

/* sum(v..) (1 - less(body, maximum)) */
static int tie_body(struct grad_copy *c, const struct split_entry *e)
{
    struct grad *g = c->g;
    int r = grad_copy_ex(c, e->ex), ix[KERNEL_RANK_MAX], less;
    struct ex x;

    if (r < 0)
        return -1;
    x = g->b.ex.a[r];
    for (int i = 0; i < e->n; i++)
        ix[i] = c->ix[e->var[i]];
    less = grad_call(g, FN_LESS, x.a, grad_load(g, e->tensor, ix, e->n));
    x.op = RED_SUM;
    x.a = grad_call(g, FN_SUB, grad_const(g, 1), less);
    if (x.a < 0)
        return -1;
    r = kernel_ex(&g->b, x);
    return r < 0 ? grad_nomem(g) : r;
}

static int new_tensor(struct grad *g, const struct kernel_stmt *s, const struct split_entry *e, const char *what)
{
    long dim[KERNEL_RANK_MAX] = {1};
    char name[256];

    for (int i = 0; i < e->n; i++)
        dim[i] = g->k->var.a[s->var + e->var[i]].extent;
    snprintf(name, sizeof name, "%.200s_%s", strs_text(g->k->strs, g->k->tensor.a[s->out].name), what);
    return grad_tensor(g, name, KERNEL_TEMP, e->n > 0 ? e->n : 1, dim);
}

/* The variables of a statement over those an entry depends on. */
static bool begin_entry(struct grad *g, const struct kernel_stmt *s, const struct split_entry *e, int *ix)
{
    int empty = strs_addz(g->b.strs, "");

    grad_begin(g);
    if (empty < 0)
        return grad_nomem(g), false;
    if (e->n == 0)
        return grad_var(g, empty, 1) >= 0;
    for (int i = 0; i < e->n; i++) {
        struct kernel_var v = g->k->var.a[s->var + e->var[i]];
        if ((ix[e->var[i]] = grad_ix_var(g, grad_var(g, v.name, v.extent))) < 0)
            return false;
    }
    return true;
}

/* The statement under construction stores tensor t: the body, a copy in which indices have their normal form. */
static bool store(struct grad_copy *c, const struct split *x, const struct split_entry *e, int t,
                  int (*body)(struct grad_copy *c, const struct split_entry *e))
{
    struct grad *g = c->g;
    struct kernel_stmt here = {.var = g->base};
    struct aff aff;
    bool ok;

    aff_init(&aff, g->mem, &g->b, &here);
    c->aff = &aff;
    ok = grad_end(g, t, guarded(c, x, e, body(c, e))) >= 0;
    if (aff.status == CALQUE_NOMEM)
        ok = grad_nomem(g) >= 0;
    aff_free(&aff);
    return ok;
}

static int whole_body(struct grad_copy *c, const struct split_entry *e)
{
    return grad_copy_ex(c, e->ex);
}

static bool emit_entry(struct grad *g, const struct kernel_stmt *s, struct split *x, int at, const int *cur, int *ix)
{
    struct split_entry *e = &x->entry.a[at];
    struct grad_copy c = {.g = g, .src = g->k, .s = s, .tensor = cur, .ix = ix};
    struct split inner = *x;
    bool max = g->k->ex.a[e->ex].op == RED_MAX;
    int t;

    /* the reduction itself is copied, those in it are loads */
    inner.entry.n = e->next;
    c.split = &inner;
    c.cursor = at + 1;
    if ((e->tensor = new_tensor(g, s, e, max ? "max" : "sum")) < 0 || !begin_entry(g, s, e, ix) ||
        !store(&c, x, e, e->tensor, whole_body))
        return false;
    if (!max)
        return true;
    c.cursor = at + 1;
    if ((t = new_tensor(g, s, e, "ties")) < 0)
        return false;
    g->t.a[t].fixed = true;
    g->t.a[e->tensor].ties = t;
    return begin_entry(g, s, e, ix) && store(&c, x, e, t, tie_body);
}

static bool emit_main(struct grad *g, const struct kernel_stmt *s, const struct split *x, const int *cur, int out,
                      int *ix)
{
    struct grad_copy c = {.g = g, .src = g->k, .s = s, .tensor = cur, .ix = ix, .split = x};
    struct split_entry whole = {.ex = s->body};

    grad_begin(g);
    for (int i = 0; i < g->k->tensor.a[s->out].rank; i++) {
        struct kernel_var v = g->k->var.a[s->var + i];
        if ((ix[i] = grad_ix_var(g, grad_var(g, v.name, v.extent))) < 0)
            return false;
    }
    return store(&c, x, &whole, out, whole_body);
}

int grad_forward(struct grad *g, const struct kernel_stmt *s, const int *cur, bool own_name)
{
    struct splitter *p = mem_zero(g->mem, 1, sizeof *p);
    int *ix = mem_zero(g->mem, (size_t)s->nvar, sizeof *ix);
    bool ok = p && ix;
    int out = -1;

    if (!ok)
        grad_nomem(g);
    g->line = s->line;
    g->col = s->col;
    if (ok) {
        p->g = g;
        p->s = s;
        for (int i = 0; i < g->k->tensor.a[s->out].rank && ok; i++)
            if (!ints_push(g->mem, &p->scope, i))
                ok = grad_nomem(g) >= 0;
        ok = ok && find_splits(p, s->body, false);
        for (int i = p->x.entry.n - 1; i >= 0 && ok; i--)
            ok = emit_entry(g, s, &p->x, i, cur, ix);
        ok = ok && (out = grad_version(g, s->out, KERNEL_TEMP, own_name)) >= 0 &&
             emit_main(g, s, &p->x, cur, out, ix);
        mem_free(p->x.entry.a);
        mem_free(p->x.guard.a);
        ints_free(&p->scope);
    }
    mem_free(p);
    mem_free(ix);
    return ok ? out : -1;
}

/* Long statements in parts, before they are differentiated. The weight of an occurrence repeats what stands beside it on the
   way from the root, so that the gradient of one statement can be cubic in its size; what is computed in statements of
   bounded size has a gradient linear in their number. Recursion is bounded by KERNEL_DEPTH_MAX. */

/* Nodes of a statement that is left as it is, and of a part. */
enum { CUT_FROM = 64, CUT_PART = 12 };

struct cut {
    struct kernel *k;
    struct kernel_stmt s; /* being cut */
    int names;            /* numbers tried for names */
};

static int nodes_of(const struct kernel *k, int id, int most)
{
    const struct ex *e = &k->ex.a[id];
    int n = 1;

    if (e->kind != EX_CONST && e->kind != EX_LOAD && n < most)
        n += nodes_of(k, e->a, most - n);
    if ((e->kind == EX_CALL || e->kind == EX_SELECT) && e->b >= 0 && n < most)
        n += nodes_of(k, e->b, most - n);
    return n;
}

/* A temporary of the statement's shape. */
static int part_tensor(struct cut *c)
{
    struct kernel_tensor x = c->k->tensor.a[c->s.out];
    char text[32];
    int name;

    do {
        snprintf(text, sizeof text, "part%d", c->names++);
        name = strs_addz(c->k->strs, text);
    } while (name >= 0 && kernel_find_tensor(c->k, name) >= 0);
    return name < 0 ? -1 : kernel_add_tensor(c->k, name, KERNEL_TEMP, x.rank, x.dim);
}

/* The expression becomes a statement of its own; a load of it, at the statement's own variables. */
static int cut_off(struct cut *c, int id)
{
    struct kernel *k = c->k;
    struct kernel_stmt s = c->s;
    int t = part_tensor(c), rank;
    struct ex e = { .kind = EX_LOAD, .op = t, .a = -1, .b = -1 };

    if (t < 0 || !vec_room(k->mem, &k->stmt, 1) || !vec_room(k->mem, &k->pool, KERNEL_RANK_MAX))
        return -1;
    rank = k->tensor.a[t].rank;
    s.out = t;
    s.nvar = rank;
    s.body = id;
    k->stmt.a[k->stmt.n++] = s;
    e.first = k->pool.n;
    e.n = rank == 1 && k->tensor.a[t].dim[0] == 1 ? 0 : rank;
    for (int i = 0; i < e.n; i++) {
        int x = kernel_ix(k, (struct ix){ .kind = IX_VAR, .k = i });
        if (x < 0)
            return -1;
        k->pool.a[k->pool.n++] = x;
    }
    return kernel_ex(k, e);
}

/* Does the expression have a reduction? Then its statement needs that variable, and it stays. */
static bool reduces(const struct kernel *k, int id)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return false;
    return e->kind == EX_REDUCE || reduces(k, e->a) || (e->b >= 0 && reduces(k, e->b));
}

/* The expression with its parts cut off, *size nodes then; -1: no memory. Reductions and selects stay whole: their variables
   and guards are those of the place. */
static int cut_ex(struct cut *c, int id, bool root, int *size)
{
    struct ex e = c->k->ex.a[id];
    int a, b = e.b, na = 0, nb = 0;

    if (e.kind != EX_CALL) {
        *size = nodes_of(c->k, id, CUT_FROM);
        return id;
    }
    a = cut_ex(c, e.a, false, &na);
    if (a < 0 || (e.b >= 0 && (b = cut_ex(c, e.b, false, &nb)) < 0))
        return -1;
    *size = 1 + na + nb;
    if (a != e.a || b != e.b) {
        e.a = a;
        e.b = b;
        id = kernel_ex(c->k, e);
    }
    if (id < 0 || root || *size < CUT_PART || reduces(c->k, id))
        return id;
    *size = 1;
    return cut_off(c, id);
}

/* The statement, whose parts come before it. */
static bool cut_stmt(struct cut *c, struct kernel_stmt s)
{
    struct kernel *k = c->k;
    int size;

    c->s = s;
    if (nodes_of(k, c->s.body, CUT_FROM) >= CUT_FROM && (c->s.body = cut_ex(c, c->s.body, true, &size)) < 0)
        return false;
    if (!vec_room(k->mem, &k->stmt, 1))
        return false;
    k->stmt.a[k->stmt.n++] = c->s;
    return true;
}

enum calque_status grad_cut(const struct kernel *src, struct kernel *k, struct diag *d)
{
    struct cut c = { .k = k };
    enum calque_status st = kernel_copy(src, k, d);
    struct kernel_stmt *whole = k->stmt.a;
    bool ok = st == CALQUE_OK;

    memset(&k->stmt, 0, sizeof k->stmt);
    for (int i = 0; i < src->stmt.n && ok; i++)
        ok = cut_stmt(&c, whole[i]);
    mem_free(whole);
    return st != CALQUE_OK ? st : ok ? CALQUE_OK : diag_nomem(d);
}
