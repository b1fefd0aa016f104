/* Building statements of a gradient: simplifying constructors and copies under substitution. */
#include "kernel/grad_internal.h"

#include <stdio.h>
#include <string.h>

int grad_refuse(struct grad *g, enum calque_status st, const char *text)
{
    if (g->status != CALQUE_OK)
        return -1;
    g->status = st;
    if (st == CALQUE_NOMEM)
        diag_nomem(g->d);
    else
        diag_set(g->d, st, "", g->line, g->col, "%s", text);
    return -1;
}

int grad_nomem(struct grad *g)
{
    return grad_refuse(g, CALQUE_NOMEM, "");
}

static bool name_taken(const struct grad *g, int name)
{
    return name < g->taken.n && g->taken.a[name] != 0;
}

bool grad_take(struct grad *g, int name)
{
    while (g->taken.n <= name)
        if (!ints_push(g->mem, &g->taken, 0))
            return grad_nomem(g) >= 0;
    g->taken.a[name] = 1;
    return true;
}

int grad_tensor(struct grad *g, const char *name, int role, int rank, const long *dim)
{
    char text[256];
    int id = strs_addz(g->b.strs, name), t;

    snprintf(text, sizeof text, "%.200s", name);
    for (int i = 1; id >= 0 && name_taken(g, id); i++) {
        char numbered[288];
        snprintf(numbered, sizeof numbered, "%s_%d", text, i);
        id = strs_addz(g->b.strs, numbered);
    }
    if (id < 0 || !vec_room(g->mem, &g->t, 1) || !grad_take(g, id))
        return grad_nomem(g);
    t = kernel_add_tensor(&g->b, id, role, rank, dim);
    if (t < 0)
        return grad_nomem(g);
    g->t.a[g->t.n++] = (struct grad_tensor){false, false, -1, -1, -1};
    return t;
}

void grad_begin(struct grad *g)
{
    g->base = g->b.var.n;
}

int grad_var(struct grad *g, int name, long extent)
{
    if (!vec_room(g->mem, &g->b.var, 1))
        return grad_nomem(g);
    g->b.var.a[g->b.var.n] = (struct kernel_var){name, extent};
    return g->b.var.n++ - g->base;
}

int grad_end(struct grad *g, int out, int body)
{
    struct kernel_stmt s = {.out = out, .var = g->base, .nvar = g->b.var.n - g->base, .body = body,
                            .line = g->line, .col = g->col};

    if (body < 0)
        return -1;
    if (!vec_room(g->mem, &g->b.stmt, 1))
        return grad_nomem(g);
    g->b.stmt.a[g->b.stmt.n] = s;
    return g->b.stmt.n++;
}

int grad_ix(struct grad *g, int kind, int a, int b, long k)
{
    int r;

    if (a < 0 || b < 0)
        return -1;
    r = kernel_ix(&g->b, (struct ix){kind, a, b, k});
    return r < 0 ? grad_nomem(g) : r;
}

int grad_ix_var(struct grad *g, int v)
{
    return v < 0 ? -1 : grad_ix(g, IX_VAR, 0, 0, v);
}

static int push(struct grad *g, struct ex e)
{
    int r = kernel_ex(&g->b, e);

    return r < 0 ? grad_nomem(g) : r;
}

static bool is_real(const struct grad *g)
{
    return g->b.type == KERNEL_F32 || g->b.type == KERNEL_F64;
}

int grad_const(struct grad *g, double x)
{
    struct ex e = {.kind = EX_CONST, .a = -1, .b = -1};

    if (is_real(g))
        e.num = g->b.type == KERNEL_F32 ? (double)(float)x : x;
    else
        e.inum = (long)x;
    return push(g, e);
}

bool grad_is_const(const struct grad *g, int id, double x)
{
    const struct ex *e;

    if (id < 0)
        return false;
    e = &g->b.ex.a[id];
    return e->kind == EX_CONST && (is_real(g) ? e->num <= x && e->num >= x : e->inum == (long)x);
}

static int negate(struct grad *g, int a)
{
    struct ex e = g->b.ex.a[a];

    if (e.kind == EX_CALL && e.op == FN_NEG)
        return e.a;
    if (e.kind != EX_CONST || (!is_real(g) && e.inum < -KERNEL_INDEX_MAX))
        return push(g, (struct ex){.kind = EX_CALL, .op = FN_NEG, .a = a, .b = -1});
    e.num = -e.num;
    e.inum = -e.inum;
    return push(g, e);
}

int grad_call(struct grad *g, int fn, int a, int b)
{
    bool binary = fn <= FN_POW || fn >= FN_LESS;

    if (a < 0 || (binary && b < 0))
        return -1;
    switch (fn) {
    case FN_NEG:
        return grad_is_const(g, a, 0) ? a : negate(g, a);
    case FN_ADD:
        if (grad_is_const(g, a, 0))
            return b;
        if (grad_is_const(g, b, 0))
            return a;
        break;
    case FN_SUB:
        if (grad_is_const(g, b, 0))
            return a;
        if (grad_is_const(g, a, 0))
            return negate(g, b);
        break;
    case FN_MUL:
        if (grad_is_const(g, a, 0) || grad_is_const(g, b, 1))
            return a;
        if (grad_is_const(g, b, 0) || grad_is_const(g, a, 1))
            return b;
        break;
    case FN_DIV:
        if (grad_is_const(g, a, 0) || grad_is_const(g, b, 1))
            return a;
        break;
    default:
        break;
    }
    return push(g, (struct ex){.kind = EX_CALL, .op = fn, .a = a, .b = binary ? b : -1});
}

static int push_pool(struct grad *g, const int *x, int n)
{
    int first = g->b.pool.n;

    for (int i = 0; i < n; i++)
        if (!ints_push(g->mem, &g->b.pool, x[i]))
            return grad_nomem(g);
    return first;
}

int grad_load(struct grad *g, int tensor, const int *ix, int n)
{
    struct ex e = {.kind = EX_LOAD, .op = tensor, .a = -1, .b = -1, .n = n};

    for (int i = 0; i < n; i++)
        if (ix[i] < 0)
            return -1;
    e.first = tensor < 0 ? -1 : push_pool(g, ix, n);
    return e.first < 0 ? -1 : push(g, e);
}

int grad_select(struct grad *g, const struct cond *c, int n, int a, int b)
{
    struct ex e = {.kind = EX_SELECT, .a = a, .b = b, .first = g->b.cond.n, .n = n};

    if (a < 0 || b < 0)
        return -1;
    if (n == 0 || (grad_is_const(g, a, 0) && grad_is_const(g, b, 0)))
        return a;
    if (!vec_room(g->mem, &g->b.cond, n))
        return grad_nomem(g);
    for (int i = 0; i < n; i++) {
        if (c[i].a < 0 || c[i].b < 0)
            return -1;
        g->b.cond.a[g->b.cond.n++] = c[i];
    }
    return push(g, e);
}

int grad_reduce(struct grad *g, int op, const int *var, int n, int body)
{
    struct ex e = {.kind = EX_REDUCE, .op = op, .a = body, .b = -1, .n = n};

    if (body < 0)
        return -1;
    if (n == 0 || (op == RED_SUM && grad_is_const(g, body, 0)))
        return body;
    e.first = push_pool(g, var, n);
    return e.first < 0 ? -1 : push(g, e);
}

bool grad_loads(const struct kernel *k, int id, int tensor)
{
    const struct ex *e = &k->ex.a[id];

    if (e->kind == EX_CONST)
        return false;
    if (e->kind == EX_LOAD)
        return tensor < 0 || e->op == tensor;
    return grad_loads(k, e->a, tensor) || (e->kind != EX_REDUCE && e->b >= 0 && grad_loads(k, e->b, tensor));
}

/* c * x, x an index expression without factor */
static int scaled(struct grad *g, int x, long c)
{
    return c == 1 ? x : grad_ix(g, IX_MUL, x, 0, c);
}

static int atom_ix(struct grad *g, struct aff *t, int atom)
{
    struct aff_atom x = t->atom.a[atom];

    if (x.kind == IX_VAR)
        return grad_ix_var(g, (int)x.k);
    return grad_ix(g, x.kind, grad_form_ix(g, t, x.form), 0, x.k);
}

/* Terms with positive coefficients, the constant, then what is subtracted; a sum of negative terms starts at its constant.
   Recursion follows nested quotients, which stood in an index expression: bounded by KERNEL_DEPTH_MAX. */
int grad_form_ix(struct grad *g, struct aff *t, int form)
{
    struct aff_form f;
    struct aff_term x;
    int r = -1, one;
    bool positive;

    if (form < 0)
        return grad_refuse(g, t->status == CALQUE_NOMEM ? CALQUE_NOMEM : CALQUE_LIMIT, "an index is too large");
    f = t->form.a[form];
    for (int i = 0; i < f.n; i++) {
        x = t->term.a[f.first + i];
        if (x.c < 0)
            continue;
        one = scaled(g, atom_ix(g, t, x.atom), x.c);
        if ((r = r < 0 ? one : grad_ix(g, IX_ADD, r, one, 0)) < 0)
            return -1;
    }
    positive = r >= 0;
    if (!positive || f.k > 0) {
        one = grad_ix(g, IX_CONST, 0, 0, f.k);
        r = positive ? grad_ix(g, IX_ADD, r, one, 0) : one;
    }
    for (int i = 0; i < f.n && r >= 0; i++) {
        x = t->term.a[f.first + i];
        if (x.c < 0)
            r = grad_ix(g, IX_SUB, r, scaled(g, atom_ix(g, t, x.atom), -x.c), 0);
    }
    if (r >= 0 && f.k < 0 && positive)
        r = grad_ix(g, IX_SUB, r, grad_ix(g, IX_CONST, 0, 0, -f.k), 0);
    return r;
}

/* Under the substitution, as it is. */
static int copy_ix(struct grad_copy *c, int id)
{
    struct ix x = c->src->ix.a[id];
    int a, b = 0;

    if (x.kind == IX_VAR)
        return c->ix[x.k];
    if (x.kind == IX_CONST)
        return grad_ix(c->g, IX_CONST, 0, 0, x.k);
    a = copy_ix(c, x.a);
    if (x.kind == IX_ADD || x.kind == IX_SUB)
        b = copy_ix(c, x.b);
    return grad_ix(c->g, x.kind, a, b, x.k);
}

int grad_copy_ix(struct grad_copy *c, int id)
{
    int r = copy_ix(c, id);

    return r < 0 || !c->aff ? r : grad_form_ix(c->g, c->aff, aff_of(c->aff, r));
}

/* The values of an index expression of src. */
static struct span src_span(const struct grad_copy *c, int id)
{
    struct ix x = c->src->ix.a[id];
    struct span s;

    if (x.kind == IX_VAR)
        return (struct span){0, c->src->var.a[c->s->var + x.k].extent - 1};
    if (x.kind == IX_CONST)
        return (struct span){x.k, x.k};
    s = src_span(c, x.a);
    switch (x.kind) {
    case IX_ADD:
        return span_add(s, src_span(c, x.b));
    case IX_SUB:
        return span_add(s, span_scale(src_span(c, x.b), -1));
    case IX_MUL:
        return span_scale(s, x.k);
    case IX_DIV:
        return span_div(s, x.k);
    default:
        return span_mod(s, x.k);
    }
}

/* An index of a dimension: in normal form where its bounds can be seen as before. */
static int copy_index(struct grad_copy *c, int id, long dim)
{
    int r = copy_ix(c, id), form;
    struct span s, was;

    if (r < 0 || !c->aff)
        return r;
    form = aff_of(c->aff, r);
    if (form < 0)
        return grad_form_ix(c->g, c->aff, form);
    s = aff_span(c->aff, form);
    was = src_span(c, id);
    if ((s.lo >= 0 && s.hi < dim) || (s.lo >= was.lo && s.hi <= was.hi))
        return grad_form_ix(c->g, c->aff, form);
    return r;
}

static bool in_scope(const struct ints *s, int name)
{
    for (int i = 0; i < s->n; i++)
        if (s->a[i] == name)
            return true;
    return false;
}

/* The variable's name, or that with a number. */
static int scope_name(struct grad_copy *c, int name)
{
    char old[224], text[256];
    struct strs *s = c->g->b.strs;

    snprintf(old, sizeof old, "%.200s", strs_text(s, name));
    for (int i = 1; name >= 0 && in_scope(c->scope, name); i++) {
        snprintf(text, sizeof text, "%s_%d", old, i);
        name = strs_addz(s, text);
    }
    return name < 0 || !ints_push(c->g->mem, c->scope, name) ? grad_nomem(c->g) : name;
}

static int copy_reduce(struct grad_copy *c, struct ex e)
{
    struct grad *g = c->g;
    int scope = c->scope ? c->scope->n : 0, *var, r = -1, i;

    var = mem_zero(g->mem, (size_t)e.n, sizeof *var);
    if (!var)
        return grad_nomem(g);
    for (i = 0; i < e.n; i++) {
        int v = c->src->pool.a[e.first + i], name;
        struct kernel_var x = c->src->var.a[c->s->var + v];
        name = c->scope ? scope_name(c, x.name) : x.name;
        if (name < 0 || (var[i] = grad_var(g, name, x.extent)) < 0 || (c->ix[v] = grad_ix_var(g, var[i])) < 0)
            break;
    }
    if (i == e.n && (r = grad_copy_ex(c, e.a)) >= 0) {
        int first = push_pool(g, var, e.n);
        e.first = first;
        e.a = r;
        r = first < 0 ? -1 : push(g, e);
    }
    if (c->scope)
        c->scope->n = scope;
    mem_free(var);
    return r;
}

bool grad_holds(struct aff *t, struct cond c)
{
    int f = t ? aff_add(t, aff_of(t, c.a), aff_of(t, c.b), -1) : -1;
    struct span s;

    if (f < 0)
        return false;
    s = aff_span(t, f);
    switch (c.op) {
    case CMP_LT:
        return s.hi < 0;
    case CMP_LE:
        return s.hi <= 0;
    case CMP_GT:
        return s.lo > 0;
    case CMP_GE:
        return s.lo >= 0;
    case CMP_EQ:
        return s.lo == 0 && s.hi == 0;
    default:
        return s.lo > 0 || s.hi < 0;
    }
}

int grad_copy_conds(struct grad_copy *c, const struct ex *e, struct cond *to)
{
    int first = e->first, n = 0;

    for (int i = 0; i < e->n; i++) {
        struct cond x = c->src->cond.a[first + i];
        to[n] = (struct cond){x.op, grad_copy_ix(c, x.a), grad_copy_ix(c, x.b)};
        if (to[n].a < 0 || to[n].b < 0)
            return -1;
        n += !grad_holds(c->aff, to[n]);
    }
    return n;
}

static int copy_select(struct grad_copy *c, struct ex e)
{
    struct cond *to = mem_zero(c->g->mem, (size_t)e.n, sizeof *to);
    int r = -1, a, b, n;

    if (!to)
        return grad_nomem(c->g);
    if ((n = grad_copy_conds(c, &e, to)) >= 0 && (a = grad_copy_ex(c, e.a)) >= 0 && (b = grad_copy_ex(c, e.b)) >= 0)
        r = grad_select(c->g, to, n, a, b);
    mem_free(to);
    return r;
}

/* A reduction split off: a load of its tensor at the variables it depends on. */
static int copy_split(struct grad_copy *c)
{
    const struct split_entry *x = &c->split->entry.a[c->cursor];
    int ix[KERNEL_RANK_MAX];

    c->cursor = x->next;
    for (int i = 0; i < x->n; i++)
        ix[i] = c->ix[x->var[i]];
    return grad_load(c->g, x->tensor, ix, x->n);
}

int grad_copy_ex(struct grad_copy *c, int id)
{
    struct ex e = c->src->ex.a[id];
    int ix[KERNEL_RANK_MAX], t;

    switch (e.kind) {
    case EX_CONST:
        return push(c->g, e);
    case EX_LOAD:
        t = c->tensor ? c->tensor[e.op] : e.op;
        for (int i = 0; i < e.n; i++)
            if ((ix[i] = copy_index(c, c->src->pool.a[e.first + i], c->g->b.tensor.a[t].dim[i])) < 0)
                return -1;
        return grad_load(c->g, t, ix, e.n);
    case EX_SELECT:
        return copy_select(c, e);
    case EX_REDUCE:
        if (c->split && c->cursor < c->split->entry.n && c->split->entry.a[c->cursor].ex == id)
            return copy_split(c);
        return copy_reduce(c, e);
    default:
        if ((e.a = grad_copy_ex(c, e.a)) < 0 || (e.b >= 0 && (e.b = grad_copy_ex(c, e.b)) < 0))
            return -1;
        return push(c->g, e);
    }
}
