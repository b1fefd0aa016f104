/* From a parsed statement to one of the kernel: ranges of summed variables, implicit sums made explicit per additive
   term, variables numbered binder by binder (spec kernel section 1, spec autodiff section 3). */
#include "kernel/parse.h"

/* The bounds that `index in 0..d-1` gives to implicit variables. d is at most KERNEL_INDEX_MAX; it may be negative. */
static void infer(struct parser *p, int id, long d)
{
    struct ix x = p->ix.a[id].ix;
    const struct ix *b = x.b >= 0 ? &p->ix.a[x.b].ix : NULL, *a = x.a >= 0 ? &p->ix.a[x.a].ix : NULL;
    struct raw_var *v;

    d = d > KERNEL_INDEX_MAX ? KERNEL_INDEX_MAX : d < -KERNEL_INDEX_MAX ? -KERNEL_INDEX_MAX : d;
    switch (x.kind) {
    case IX_VAR:
        v = &p->var.a[x.k];
        if (v->implicit && (v->extent < 0 || d < v->extent))
            v->extent = d > 0 ? d : 0;
        break;
    case IX_ADD:
        if (b->kind == IX_CONST) {
            infer(p, x.a, d - b->k);
        } else if (a->kind == IX_CONST) {
            infer(p, x.b, d - a->k);
        } else {
            infer(p, x.a, d);
            infer(p, x.b, d);
        }
        break;
    case IX_SUB:
        if (b->kind == IX_CONST)
            infer(p, x.a, d + b->k);
        break;
    case IX_MUL:
        if (x.k > 0)
            infer(p, x.a, (d > 0 ? d + x.k - 1 : d) / x.k);
        break;
    case IX_DIV:
        infer(p, x.a, d * x.k);
        break;
    default:
        break;
    }
}

static bool infer_ranges(struct parser *p)
{
    for (int i = 0; i < p->ex.n; i++) {
        const struct ex *e = &p->ex.a[i].ex;
        for (int j = 0; e->kind == EX_LOAD && j < e->n; j++)
            infer(p, p->pool.a[e->first + j], p->k->tensor.a[e->op].dim[j]);
    }
    for (int i = 0; i < p->var.n; i++) {
        const struct raw_var *v = &p->var.a[i];
        const char *name = strs_text(p->k->strs, v->name);
        if (v->implicit && v->extent < 0) {
            parse_fail(p, v->at, "no use of %s as an index bounds its range", name);
            return false;
        }
        if (v->implicit && v->extent == 0) {
            parse_fail(p, v->at, "the range of %s is empty", name);
            return false;
        }
    }
    return true;
}

static void collect_ix(const struct parser *p, int id, int *list, int *n)
{
    struct ix x = p->ix.a[id].ix;

    if (x.kind == IX_VAR && p->var.a[x.k].implicit) {
        for (int i = 0; i < *n; i++)
            if (list[i] == (int)x.k)
                return;
        list[(*n)++] = (int)x.k;
    }
    if (x.a >= 0)
        collect_ix(p, x.a, list, n);
    if (x.b >= 0)
        collect_ix(p, x.b, list, n);
}

/* The implicit variables of a term in order of first occurrence; list has room for all variables. */
static void collect(const struct parser *p, int id, int *list, int *n)
{
    const struct ex *e = &p->ex.a[id].ex;

    if (e->kind == EX_LOAD)
        for (int i = 0; i < e->n; i++)
            collect_ix(p, p->pool.a[e->first + i], list, n);
    if (e->kind == EX_SELECT)
        for (int i = 0; i < e->n; i++) {
            collect_ix(p, p->cond.a[e->first + i].a, list, n);
            collect_ix(p, p->cond.a[e->first + i].b, list, n);
        }
    if (e->a >= 0)
        collect(p, e->a, list, n);
    if (e->b >= 0)
        collect(p, e->b, list, n);
}

static int copy_ix(struct parser *p, int id)
{
    struct ix x = p->ix.a[id].ix;
    int r;

    if (x.kind == IX_VAR)
        x.k = p->var.a[x.k].now;
    if (x.a >= 0 && (x.a = copy_ix(p, x.a)) < 0)
        return -1;
    if (x.b >= 0 && (x.b = copy_ix(p, x.b)) < 0)
        return -1;
    x.a = x.a < 0 ? 0 : x.a;
    x.b = x.b < 0 ? 0 : x.b;
    r = kernel_ix(p->k, x);
    return r < 0 ? parse_nomem(p) : r;
}

static bool push_pool(struct parser *p, int x, struct kpos at)
{
    if (!vec_room(p->k->mem, &p->at, 1) || !ints_push(p->k->mem, &p->k->pool, x)) {
        parse_nomem(p);
        return false;
    }
    p->at.a[p->at.n++] = at;
    return true;
}

/* Gives each of the n raw variables a new number and writes these to the pool; the first one's place there or -1. */
static int bind(struct parser *p, const int *raw, int n, const struct kernel_stmt *s)
{
    struct kernel *k = p->k;
    int first = k->pool.n;

    for (int i = 0; i < n; i++) {
        struct raw_var *v = &p->var.a[raw[i]];
        if (!vec_room(k->mem, &k->var, 1))
            return parse_nomem(p);
        v->now = k->var.n - s->var;
        k->var.a[k->var.n++] = (struct kernel_var){v->name, v->extent};
        if (!push_pool(p, v->now, v->at))
            return -1;
    }
    return first;
}

static int copy_ex(struct parser *p, int id, const struct kernel_stmt *s);

/* Indices are copied first (they may be large), then listed in the pool. */
static int copy_load(struct parser *p, struct ex e)
{
    int ix[KERNEL_RANK_MAX], r;

    for (int i = 0; i < e.n; i++)
        if ((ix[i] = copy_ix(p, p->pool.a[e.first + i])) < 0)
            return -1;
    r = p->k->pool.n;
    for (int i = 0; i < e.n; i++)
        if (!push_pool(p, ix[i], p->ix.a[p->pool.a[e.first + i]].at))
            return -1;
    e.first = r;
    r = kernel_ex(p->k, e);
    return r < 0 ? parse_nomem(p) : r;
}

static bool copy_conds(struct parser *p, struct ex *e)
{
    struct kernel *k = p->k;
    int first = k->cond.n;

    for (int i = 0; i < e->n; i++) {
        struct cond c = p->cond.a[e->first + i];
        if ((c.a = copy_ix(p, c.a)) < 0 || (c.b = copy_ix(p, c.b)) < 0)
            return false;
        if (!vec_room(k->mem, &k->cond, 1)) {
            parse_nomem(p);
            return false;
        }
        k->cond.a[k->cond.n++] = c;
    }
    e->first = first;
    return true;
}

static int copy_ex(struct parser *p, int id, const struct kernel_stmt *s)
{
    struct ex e = p->ex.a[id].ex;
    int r;

    if (e.kind == EX_LOAD)
        return copy_load(p, e);
    if (e.kind == EX_REDUCE && (e.first = bind(p, p->pool.a + e.first, e.n, s)) < 0)
        return -1;
    if (e.kind == EX_SELECT && !copy_conds(p, &e))
        return -1;
    if (e.a >= 0 && (e.a = copy_ex(p, e.a, s)) < 0)
        return -1;
    if (e.b >= 0 && (e.b = copy_ex(p, e.b, s)) < 0)
        return -1;
    r = kernel_ex(p->k, e);
    return r < 0 ? parse_nomem(p) : r;
}

/* A term of the statement under its implicit sum. list: room for all variables. */
static int copy_term(struct parser *p, int id, const struct kernel_stmt *s, int *list)
{
    struct ex e = {.kind = EX_REDUCE, .op = RED_SUM, .a = -1, .b = -1};
    int r;

    collect(p, id, list, &e.n);
    if (e.n == 0)
        return copy_ex(p, id, s);
    if ((e.first = bind(p, list, e.n, s)) < 0 || (e.a = copy_ex(p, id, s)) < 0)
        return -1;
    r = kernel_ex(p->k, e);
    return r < 0 ? parse_nomem(p) : r;
}

static int copy_spine(struct parser *p, int id, const struct kernel_stmt *s, int *list)
{
    struct ex e = p->ex.a[id].ex;
    int r;

    if (e.kind != EX_CALL || (e.op != FN_ADD && e.op != FN_SUB))
        return copy_term(p, id, s, list);
    if ((e.a = copy_spine(p, e.a, s, list)) < 0 || (e.b = copy_spine(p, e.b, s, list)) < 0)
        return -1;
    r = kernel_ex(p->k, e);
    return r < 0 ? parse_nomem(p) : r;
}

static bool any_implicit(const struct parser *p)
{
    for (int i = 0; i < p->var.n; i++)
        if (p->var.a[i].implicit)
            return true;
    return false;
}

static int copy_body(struct parser *p, const struct kernel_stmt *s)
{
    int *list, r;

    if (!any_implicit(p))
        return copy_ex(p, p->body, s);
    list = mem_zero(p->k->mem, (size_t)p->var.n, sizeof *list);
    if (!list)
        return parse_nomem(p);
    r = copy_spine(p, p->body, s, list);
    mem_free(list);
    return r;
}

enum calque_status elaborate(struct parser *p)
{
    struct kernel *k = p->k;
    struct kernel_stmt s = {.out = p->out, .var = k->var.n, .line = p->start.line, .col = p->start.col};
    enum calque_status st;

    if (!vec_room(k->mem, &p->at, k->pool.n - p->at.n) || !vec_room(k->mem, &k->var, p->nout) ||
        !vec_room(k->mem, &k->stmt, 1)) {
        parse_nomem(p);
        return p->lx.status;
    }
    while (p->at.n < k->pool.n)
        p->at.a[p->at.n++] = p->start;
    for (int i = 0; i < p->nout; i++) {
        struct raw_var *v = &p->var.a[i];
        v->now = i;
        k->var.a[k->var.n++] = (struct kernel_var){v->name, v->extent};
    }
    if (p->look > 0 && any_implicit(p)) {
        parse_fail(p, p->assign, "a look-up has no variables but those on the left");
        return p->lx.status;
    }
    if (!infer_ranges(p) || (s.body = copy_body(p, &s)) < 0 || (p->look > 0 && (s.at = copy_ex(p, p->look_at, &s)) < 0))
        return p->lx.status;
    s.look = p->look;
    s.nvar = k->var.n - s.var;
    st = bounds_check(k, &s, p->lx.file, p->at.a, p->at.n, p->lx.diag);
    if (st != CALQUE_OK) {
        p->nomem = st == CALQUE_NOMEM;
        p->lx.status = st;
        return st;
    }
    k->stmt.a[k->stmt.n++] = s;
    return CALQUE_OK;
}
