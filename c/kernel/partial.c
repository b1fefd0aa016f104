/* Sums in lanes (Coq: Calque.kernel.Lanes). Where a sum over variables of extents d1 .. dk, n is taken, partial sums over
   d1 .. d(k-1), n/16 are stored first, one for each remainder of the last variable by 16:
     T0<..,16>[..,l] = sum(r<..,q<n/16) f(..,16 q + l);
   and its place takes sum(l<16) T0[..,l], plus the sum of the rest, f(..,16 (n/16) + t) for t < n mod 16, if there is one.

   Fused sums (Coq: Calque.kernel.Fma): in the term of a sum, products stay exact until they are added.

   Recursion is bounded by KERNEL_DEPTH_MAX. */
#include "kernel/kernel.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16, LEAST = 2 * LANES };

struct partial {
    struct kernel *k;
    struct kernel_stmt s; /* as it was */
    int *ix;              /* of each of its variables: what stands for it in the new statement */
    int cells;            /* variables of its cell that are written */
    int name;             /* of the new variable */
    int next;             /* number of the next temporary */
    struct ints temps;    /* of the sums of s that are taken, in order */
    int seen;             /* how many of these have been replaced */
    struct { struct kernel_stmt *a; int n, cap; } out;
};

/* ---- which sums ---- */

/* What the index grows by when the variable does; false where it is under a quotient or remainder. */
static bool slope(const struct kernel *k, int ix, int var, long *c)
{
    struct ix x = k->ix.a[ix];
    long a, b;

    switch (x.kind) {
    case IX_VAR:
        *c = x.k == var;
        return true;
    case IX_ADD:
    case IX_SUB:
        if (!slope(k, x.a, var, &a) || !slope(k, x.b, var, &b))
            return false;
        *c = x.kind == IX_ADD ? a + b : a - b;
        return true;
    case IX_MUL:
        if (!slope(k, x.a, var, &a))
            return false;
        *c = a * x.k;
        return true;
    default:
        *c = 0;
        return x.kind == IX_CONST || !lookup_ix_uses(k, x.a, var);
    }
}

/* Is each cell of the load read for one cell of the result alone, next to one another as the variable goes on? */
static bool runs(const struct kernel *k, const struct kernel_stmt *s, const struct ex *e, int var)
{
    long c;

    for (int i = 0; i < e->n - 1; i++)
        if (lookup_ix_uses(k, k->pool.a[e->first + i], var))
            return false;
    for (int v = 0; v < k->tensor.a[s->out].rank; v++)
        if (k->var.a[s->var + v].extent != 1 && !lookup_uses(k, e, -1, v))
            return false;
    return slope(k, k->pool.a[e->first + e->n - 1], var, &c) && c == 1;
}

/* Loads, without choice and without another reduction; *n: how many of them use the variable. */
static bool simple(const struct kernel *k, const struct kernel_stmt *s, int id, int var, int *n)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_LOAD && lookup_uses(k, e, -1, var)) {
        ++*n;
        return runs(k, s, e, var);
    }
    if (e->kind == EX_CALL)
        return simple(k, s, e->a, var, n) && (e->b < 0 || simple(k, s, e->b, var, n));
    return e->kind == EX_CONST || e->kind == EX_LOAD;
}

static bool taken(const struct partial *p, const struct ex *e)
{
    const struct kernel *k = p->k;
    int last = e->kind == EX_REDUCE && e->op == RED_SUM ? k->pool.a[e->first + e->n - 1] : -1, loads = 0;

    return last >= 0 && p->cells < KERNEL_RANK_MAX && k->var.a[p->s.var + last].extent >= LEAST &&
           simple(k, &p->s, e->a, last, &loads) && loads > 0;
}

/* ---- copies with new variables ---- */

static int variable(struct partial *p, int from, int name, long extent)
{
    struct kernel *k = p->k;
    struct ix x = {.kind = IX_VAR, .k = from};

    if (!vec_room(k->mem, &k->var, 1))
        return -1;
    k->var.a[k->var.n++] = (struct kernel_var){name, extent};
    return kernel_ix(k, x);
}

/* The number of the next variable of the statement whose variables begin at first. */
static int next_var(const struct partial *p, int first)
{
    return p->k->var.n - first;
}

static int copy_ix(struct partial *p, int id)
{
    struct ix x = p->k->ix.a[id];

    if (x.kind == IX_VAR)
        return p->ix[x.k];
    if (x.kind != IX_CONST) {
        x.a = copy_ix(p, x.a);
        if ((x.kind == IX_ADD || x.kind == IX_SUB) && x.a >= 0)
            x.b = copy_ix(p, x.b);
        if (x.a < 0 || ((x.kind == IX_ADD || x.kind == IX_SUB) && x.b < 0))
            return -1;
    }
    return kernel_ix(p->k, x);
}

static int copy_load(struct partial *p, struct ex e)
{
    struct kernel *k = p->k;
    int ix[KERNEL_RANK_MAX];

    for (int i = 0; i < e.n; i++)
        if ((ix[i] = copy_ix(p, k->pool.a[e.first + i])) < 0)
            return -1;
    e.first = k->pool.n;
    for (int i = 0; i < e.n; i++)
        if (!ints_push(k->mem, &k->pool, ix[i]))
            return -1;
    return kernel_ex(k, e);
}

static int copy_ex(struct partial *p, int id, int first, bool top);

/* The conditions first: they are a range. */
static int copy_select(struct partial *p, struct ex e, int first)
{
    struct kernel *k = p->k;
    int at;

    for (int i = 0; i < e.n; i++) {
        struct cond c = k->cond.a[e.first + i];
        c.a = copy_ix(p, c.a);
        c.b = copy_ix(p, c.b);
        if (c.a < 0 || c.b < 0 || !vec_room(k->mem, &k->cond, 1))
            return -1;
        k->cond.a[k->cond.n++] = c;
    }
    at = k->cond.n - e.n;
    if ((e.a = copy_ex(p, e.a, first, false)) < 0 || (e.b = copy_ex(p, e.b, first, false)) < 0)
        return -1;
    e.first = at;
    return kernel_ex(k, e);
}

/* A reduction of the same body over new variables, the last one of this extent (0: as it was) and in the body `step` times
   itself plus the index `plus` (-1: nothing). */
static int copy_reduce(struct partial *p, struct ex e, int first, long extent, long step, int plus)
{
    struct kernel *k = p->k;
    int at = next_var(p, first), ix;

    for (int i = 0; i < e.n; i++) {
        int v = k->pool.a[e.first + i];
        struct kernel_var x = k->var.a[p->s.var + v];
        bool last = i == e.n - 1;
        ix = variable(p, next_var(p, first), x.name, last && extent ? extent : x.extent);
        if (last && step != 1 && ix >= 0)
            ix = kernel_ix(k, (struct ix){IX_MUL, ix, 0, step});
        if (last && plus >= 0 && ix >= 0)
            ix = kernel_ix(k, (struct ix){IX_ADD, ix, plus, 0});
        if (ix < 0)
            return -1;
        p->ix[v] = ix;
    }
    if ((e.a = copy_ex(p, e.a, first, false)) < 0)
        return -1;
    e.first = k->pool.n;
    for (int i = 0; i < e.n; i++)
        if (!ints_push(k->mem, &k->pool, at + i))
            return -1;
    return kernel_ex(k, e);
}

/* The sum over the new variable of temporary t at the statement's cell. */
static int lane_sum(struct partial *p, int t, int first)
{
    struct kernel *k = p->k;
    struct ex load = {.kind = EX_LOAD, .op = t, .a = -1, .b = -1, .n = p->cells + 1};
    struct ex sum = {.kind = EX_REDUCE, .op = RED_SUM, .b = -1, .n = 1};
    int v = next_var(p, first), l = variable(p, v, p->name, LANES);

    load.first = k->pool.n;
    for (int i = 0; i < p->cells; i++)
        if (!ints_push(k->mem, &k->pool, p->ix[i]))
            return -1;
    if (l < 0 || !ints_push(k->mem, &k->pool, l) || (sum.a = kernel_ex(k, load)) < 0)
        return -1;
    sum.first = k->pool.n;
    return ints_push(k->mem, &k->pool, v) ? kernel_ex(k, sum) : -1;
}

/* What takes the place of a sum. */
static int replaced(struct partial *p, struct ex e, int first)
{
    long n = p->k->var.a[p->s.var + p->k->pool.a[e.first + e.n - 1]].extent;
    struct ex both = {.kind = EX_CALL, .op = FN_ADD};
    int done;

    both.a = lane_sum(p, p->temps.a[p->seen++], first);
    if (both.a < 0 || n % LANES == 0)
        return both.a;
    done = kernel_ix(p->k, (struct ix){IX_CONST, 0, 0, n - n % LANES});
    both.b = done < 0 ? -1 : copy_reduce(p, e, first, n % LANES, 1, done);
    return both.b < 0 ? -1 : kernel_ex(p->k, both);
}

/* first: where the variables of the new statement begin; top: neither under a reduction nor under a choice. */
static int copy_ex(struct partial *p, int id, int first, bool top)
{
    struct ex e = p->k->ex.a[id];

    switch (e.kind) {
    case EX_CONST:
        return id;
    case EX_LOAD:
        return copy_load(p, e);
    case EX_SELECT:
        return copy_select(p, e, first);
    case EX_REDUCE:
        return top && taken(p, &e) ? replaced(p, e, first) : copy_reduce(p, e, first, 0, 1, -1);
    default:
        if ((e.a = copy_ex(p, e.a, first, top)) < 0 || (e.b >= 0 && (e.b = copy_ex(p, e.b, first, top)) < 0))
            return -1;
        return kernel_ex(p->k, e);
    }
}

/* ---- statements ---- */

/* The variables of a cell, in a new statement. */
static bool cell_variables(struct partial *p, struct kernel_stmt *s, int n)
{
    s->var = p->k->var.n;
    for (int v = 0; v < n; v++) {
        struct kernel_var x = p->k->var.a[p->s.var + v];
        if ((p->ix[v] = variable(p, v, x.name, x.extent)) < 0)
            return false;
    }
    return true;
}

static bool finish(struct partial *p, struct kernel_stmt *s)
{
    s->nvar = next_var(p, s->var);
    if (s->body < 0 || !vec_room(p->k->mem, &p->out, 1))
        return false;
    p->out.a[p->out.n++] = *s;
    return true;
}

/* The temporary of a sum that is taken. */
static int temporary(struct partial *p)
{
    long dim[KERNEL_RANK_MAX];
    char name[16];
    int id;

    for (int v = 0; v < p->cells; v++)
        dim[v] = p->k->var.a[p->s.var + v].extent;
    dim[p->cells] = LANES;
    snprintf(name, sizeof name, "T%d", p->next++);
    id = strs_addz(p->k->strs, name);
    return id < 0 ? -1 : kernel_add_tensor(p->k, id, KERNEL_TEMP, p->cells + 1, dim);
}

static bool add_partial_sums(struct partial *p, struct ex e)
{
    long n = p->k->var.a[p->s.var + p->k->pool.a[e.first + e.n - 1]].extent;
    struct kernel_stmt s = {.line = p->s.line, .col = p->s.col, .out = temporary(p)};
    int l;

    if (s.out < 0 || !ints_push(p->k->mem, &p->temps, s.out) || !cell_variables(p, &s, p->cells))
        return false;
    l = variable(p, p->cells, p->name, LANES);
    s.body = l < 0 ? -1 : copy_reduce(p, e, s.var, n / LANES, LANES, l);
    return finish(p, &s);
}

/* The partial sums of the expression, in order. */
static bool sums_of(struct partial *p, int id)
{
    struct ex e = p->k->ex.a[id];

    if (taken(p, &e))
        return add_partial_sums(p, e);
    return e.kind != EX_CALL || (sums_of(p, e.a) && (e.b < 0 || sums_of(p, e.b)));
}

/* l, l1, ..: what no variable of the statement is called; -1 when memory is out. */
static int fresh_name(const struct partial *p)
{
    char name[16] = "l";
    int id = strs_addz(p->k->strs, name);

    for (int i = 1; id >= 0; i++) {
        int v = 0;
        while (v < p->s.nvar && p->k->var.a[p->s.var + v].name != id)
            v++;
        if (v == p->s.nvar)
            return id;
        snprintf(name, sizeof name, "l%d", i);
        id = strs_addz(p->k->strs, name);
    }
    return id;
}

static bool statement(struct partial *p)
{
    struct kernel_stmt s = p->s;
    struct kernel *k = p->k;
    bool ok;

    p->ix = mem_zero(k->mem, (size_t)s.nvar + 1, sizeof *p->ix);
    p->cells = s.nvar > 0 && *strs_text(k->strs, k->var.a[s.var].name) ? k->tensor.a[s.out].rank : 0;
    p->temps.n = p->seen = 0;
    p->name = fresh_name(p);
    ok = p->ix && p->name >= 0 && (s.look > 0 || sums_of(p, s.body));
    if (ok && p->temps.n == 0) {
        ok = vec_room(k->mem, &p->out, 1);
        if (ok)
            p->out.a[p->out.n++] = s;
    } else if (ok) {
        ok = cell_variables(p, &s, k->tensor.a[s.out].rank);
        s.body = ok ? copy_ex(p, s.body, s.var, true) : -1;
        ok = finish(p, &s);
    }
    mem_free(p->ix);
    return ok;
}

/* One more than the greatest number of a tensor called T and a number. */
static int first_temporary(const struct kernel *k)
{
    int next = 0;

    for (int t = 0; t < k->tensor.n; t++) {
        const char *s = strs_text(k->strs, k->tensor.a[t].name);
        char *end;
        long n = s[0] == 'T' && s[1] >= '0' && s[1] <= '9' ? strtol(s + 1, &end, 10) : -1;
        if (n >= next && n < INT_MAX / 2 && !*end)
            next = (int)n + 1;
    }
    return next;
}

/* Temporaries have at most as many cells as other tensors. */
static enum calque_status small(const struct kernel *k, int from, struct diag *d)
{
    for (int t = from; t < k->tensor.n; t++) {
        double cells = 1;
        for (int i = 0; i < k->tensor.a[t].rank; i++)
            cells *= (double)k->tensor.a[t].dim[i];
        if (cells > KERNEL_INDEX_MAX)
            return diag_set(d, CALQUE_LIMIT, "", 0, 0, "partial sums of more than %d cells", KERNEL_INDEX_MAX);
    }
    return CALQUE_OK;
}

enum calque_status kernel_lanes(struct kernel *k, struct diag *d)
{
    struct partial p = {.k = k, .next = first_temporary(k)};
    int n = k->tensor.n;
    bool ok = true;

    for (int i = 0; i < k->stmt.n && ok; i++) {
        p.s = k->stmt.a[i];
        ok = statement(&p);
    }
    ints_free(&p.temps);
    if (!ok) {
        mem_free(p.out.a);
        return diag_nomem(d);
    }
    mem_free(k->stmt.a);
    k->stmt.a = p.out.a;
    k->stmt.n = p.out.n;
    k->stmt.cap = p.out.cap;
    return small(k, n, d);
}

/* ---- fused sums ---- */

bool kernel_is_fused(const struct kernel *k, int id)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST || e->kind == EX_LOAD)
        return false;
    return (e->kind == EX_CALL && e->op == FN_EXACT) || kernel_is_fused(k, e->a) ||
           (e->kind != EX_REDUCE && e->b >= 0 && kernel_is_fused(k, e->b));
}

bool kernel_has_fused(const struct kernel *k)
{
    for (int i = 0; i < k->stmt.n; i++)
        if (kernel_is_fused(k, k->stmt.a[i].body))
            return true;
    return false;
}

struct fused {
    struct kernel *k;
    int *now; /* of each expression there was: what it has become, or -1 */
    int n;
};

/* Is the term of a sum made of products, of the constant 0 and of choices among these? *products: how many of the first. */
static bool fuses(const struct kernel *k, int id, int *products)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_SELECT)
        return fuses(k, e->a, products) && fuses(k, e->b, products);
    if (e->kind == EX_CALL && e->op == FN_MUL)
        return ++*products > 0;
    return e->kind == EX_CONST && e->num == 0 && !signbit(e->num);
}

static int fused_ex(struct fused *f, int id);

/* The term with exact products; -1: memory is out. Adding -0 changes no number, adding 0 would change a sum that is -0. */
static int fused_term(struct fused *f, int id)
{
    struct ex e = f->k->ex.a[id];

    if (e.kind == EX_CONST) {
        e.num = -0.0;
        return kernel_ex(f->k, e);
    }
    if (e.kind == EX_SELECT) {
        e.a = fused_term(f, e.a);
        e.b = e.a < 0 ? -1 : fused_term(f, e.b);
    } else {
        e.op = FN_EXACT;
        e.a = fused_ex(f, e.a);
        e.b = e.a < 0 ? -1 : fused_ex(f, e.b);
    }
    return e.a < 0 || e.b < 0 ? -1 : kernel_ex(f->k, e);
}

/* The expression with its sums fused: itself where there are none, and what is one node stays one. */
static int fused_ex(struct fused *f, int id)
{
    struct ex e = f->k->ex.a[id], old = e;
    int products = 0, r;

    if (e.kind == EX_CONST || e.kind == EX_LOAD)
        return id;
    if (id < f->n && f->now[id] >= 0)
        return f->now[id];
    if (e.kind == EX_REDUCE && e.op == RED_SUM && fuses(f->k, e.a, &products) && products > 0)
        e.a = fused_term(f, e.a);
    else
        e.a = fused_ex(f, e.a);
    if (e.a >= 0 && e.kind != EX_REDUCE && e.b >= 0 && (e.b = fused_ex(f, e.b)) < 0)
        return -1;
    if (e.a < 0)
        return -1;
    r = e.a == old.a && e.b == old.b ? id : kernel_ex(f->k, e);
    if (r >= 0 && id < f->n)
        f->now[id] = r;
    return r;
}

enum calque_status kernel_fuse(struct kernel *k, struct diag *d)
{
    struct fused f = {.k = k, .n = k->ex.n};
    bool ok;

    if (k->type != KERNEL_F32 && k->type != KERNEL_F64)
        return CALQUE_OK;
    f.now = mem_zero(k->mem, (size_t)f.n + 1, sizeof *f.now);
    ok = f.now != NULL;
    for (int i = 0; i < f.n && ok; i++)
        f.now[i] = -1;
    for (int i = 0; i < k->stmt.n && ok; i++) {
        int body = k->stmt.a[i].look > 0 ? k->stmt.a[i].body : fused_ex(&f, k->stmt.a[i].body);
        ok = body >= 0;
        if (ok)
            k->stmt.a[i].body = body;
    }
    mem_free(f.now);
    return ok ? CALQUE_OK : diag_nomem(d);
}

enum calque_status kernel_choose(struct kernel *k, const struct kernel_numbers *numbers, struct diag *d)
{
    enum calque_status st = numbers->sums == SUMS_LANES ? kernel_lanes(k, d) : CALQUE_OK;

    return st == CALQUE_OK && numbers->fma ? kernel_fuse(k, d) : st;
}
