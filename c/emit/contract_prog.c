/* Functional programs to cells: the expression is asked for one scalar, at a path of indices and pair components. Arrays are
   never made: a map's value at i is its function's of the argument at i, an array accumulator is read at the cell that is
   computed. So every cell has the operations of the program in its order. */
#include "emit/contract.h"

#include <string.h>

enum { PATH_MAX_ = 48, LEFT = -2, RIGHT = -3 };
struct path {
    int n, step[PATH_MAX_]; /* ax, LEFT or RIGHT; the next one last */
};

/* What a variable stands for: expression exp at index at (-1: none), index at, or the accumulator of a fold at a path. */
enum bound_kind { BOUND_NONE, BOUND_EXP, BOUND_INDEX, BOUND_ACC };
struct bound {
    int kind, exp, at, var;
    struct path path;
};

struct from_prog {
    struct cells *c;
    const struct prog *p;
    struct bound *bound; /* of the program's variables */
    struct cells_target to;
    int depth;
};

static int fail(struct from_prog *f, enum calque_status st, const char *why)
{
    cells_fail(f->c, st, why);
    return -1;
}

static void push(struct from_prog *f, struct path *p, int step)
{
    if (p->n == PATH_MAX_ || step == -1)
        fail(f, CALQUE_LIMIT, NULL);
    else
        p->step[p->n++] = step;
}

static int pop_index(struct from_prog *f, struct path *p)
{
    int s = p->n > 0 ? p->step[--p->n] : -1;

    return s >= 0 ? s : fail(f, CALQUE_INTERNAL, "ill-typed path");
}

static bool pop_left(struct from_prog *f, struct path *p)
{
    int s = p->n > 0 ? p->step[--p->n] : -1;

    if (s != LEFT && s != RIGHT)
        fail(f, CALQUE_INTERNAL, "ill-typed path");
    return s == LEFT;
}

static int index_of(struct from_prog *f, int id, int depth)
{
    static const int kind[] = {
        [IX_ADD] = AX_ADD, [IX_SUB] = AX_SUB, [IX_MUL] = AX_MUL, [IX_DIV] = AX_FDIV, [IX_MOD] = AX_FMOD,
    };
    const struct ix *x = &f->p->ix.a[id];
    int a, b;

    if (depth > EXP_DEPTH_MAX)
        return fail(f, CALQUE_LIMIT, NULL);
    switch (x->kind) {
    case IX_VAR: return f->bound[x->k].kind == BOUND_INDEX ? f->bound[x->k].at : fail(f, CALQUE_INTERNAL, "unbound index");
    case IX_CONST: return ax_num(f->c, x->k);
    case IX_SIZE: return ax_size(f->c, x->k);
    default: break;
    }
    a = index_of(f, x->a, depth + 1);
    if (x->kind == IX_ADD || x->kind == IX_SUB)
        b = index_of(f, x->b, depth + 1);
    else
        b = x->kind == IX_MUL ? ax_num(f->c, x->k) : ax_size(f->c, x->k);
    return ax_two(f->c, kind[x->kind], a, b);
}

static int scalar(struct from_prog *f, int id, struct path *p);

/* The expression with a variable bound. */
static int under(struct from_prog *f, int var, struct bound b, int body, struct path *p)
{
    struct bound old = f->bound[var];
    int r;

    f->bound[var] = b;
    r = scalar(f, body, p);
    f->bound[var] = old;
    return r;
}

static bool same_path(const struct from_prog *f, const struct path *a, const struct path *b)
{
    bool same = a->n == b->n;

    for (int i = 0; same && i < a->n; i++)
        same = a->step[i] == b->step[i] || (a->step[i] >= 0 && b->step[i] >= 0 && ax_same(f->c, a->step[i], b->step[i]));
    return same;
}

static int parameter(struct from_prog *f, int k, struct path *p)
{
    int index[KERNEL_RANK_MAX], n = 0;

    while (p->n > 0 && n < KERNEL_RANK_MAX)
        index[n++] = pop_index(f, p);
    return f->c->status == CALQUE_OK ? cells_load(f->c, f->to.now[k], index, n) : -1;
}

static int variable(struct from_prog *f, int var, struct path *p)
{
    const struct bound *b = &f->bound[var];
    struct path q = *p;

    for (int k = 0; k < f->p->param.n; k++)
        if (f->p->param.a[k].var == var)
            return parameter(f, k, &q);
    if (b->kind == BOUND_ACC) {
        if (!same_path(f, p, &b->path))
            return fail(f, CALQUE_BAD, "an array accumulator is read at another cell than the one computed");
        return cells_ac(f->c, (struct ac){ .kind = AC_ACC, .a = -1, .b = -1, .var = b->var });
    }
    if (b->kind != BOUND_EXP)
        return fail(f, CALQUE_INTERNAL, "unbound variable");
    if (b->at >= 0)
        push(f, &q, b->at);
    return scalar(f, b->exp, &q);
}

static int fold(struct from_prog *f, const struct exp *e, struct path *p)
{
    struct bound acc = { .kind = BOUND_ACC, .path = *p }, x = { .kind = BOUND_INDEX }, old = f->bound[e->y];
    struct ac r = { .kind = AC_FOLD };
    struct path q = *p;

    r.a = scalar(f, e->b, &q);
    acc.var = r.var = cells_var(f->c, ax_size(f->c, e->n));
    x.at = ax_var(f->c, r.var);
    if (e->kind == EXP_RED) {
        x.kind = BOUND_EXP;
        x.exp = e->c;
    }
    f->bound[e->y] = acc;
    r.b = under(f, e->x, x, e->a, p);
    f->bound[e->y] = old;
    return cells_ac(f->c, r);
}

static int branch(struct from_prog *f, const struct exp *e, struct path *p)
{
    struct ac x = { .kind = AC_SELECT, .n = e->len };
    struct path q = *p;

    x.a = scalar(f, e->a, p);
    x.b = scalar(f, e->b, &q);
    x.first = f->c->cond.n;
    for (int i = 0; i < e->len; i++) {
        struct cond k = f->p->cond.a[e->first + i];
        k.a = index_of(f, k.a, 0);
        k.b = index_of(f, k.b, 0);
        if (!vec_room(f->c->mem, &f->c->cond, 1))
            return fail(f, CALQUE_NOMEM, NULL);
        f->c->cond.a[f->c->cond.n++] = k;
    }
    return cells_ac(f->c, x);
}

static int call(struct from_prog *f, const struct exp *e, struct path *p)
{
    struct ac x = { .kind = AC_CALL, .op = e->op, .b = -1 };
    struct path q = *p;

    x.a = scalar(f, e->a, p);
    if (e->b >= 0)
        x.b = scalar(f, e->b, &q);
    return cells_ac(f->c, x);
}

/* The views: the path that leads to the same scalar of the argument. */
static int view(struct from_prog *f, const struct exp *e, struct path *p)
{
    struct cells *c = f->c;
    int i, j, m, n;
    bool left;

    switch (e->kind) {
    case EXP_ZIP:
        i = pop_index(f, p);
        left = pop_left(f, p);
        push(f, p, i);
        return scalar(f, left ? e->a : e->b, p);
    case EXP_SPLIT:
        i = pop_index(f, p);
        j = pop_index(f, p);
        m = ax_size(c, e->m);
        n = ax_size(c, e->n);
        push(f, p, ax_join(c, i, j, m, n));
        return scalar(f, e->a, p);
    case EXP_JOIN:
        i = pop_index(f, p);
        n = ax_size(c, e->n);
        push(f, p, ax_two(c, AX_MOD, i, n));
        push(f, p, ax_two(c, AX_DIV, i, n));
        return scalar(f, e->a, p);
    case EXP_TR:
        i = pop_index(f, p);
        j = pop_index(f, p);
        push(f, p, i);
        push(f, p, j);
        return scalar(f, e->a, p);
    case EXP_REV:
        i = pop_index(f, p);
        push(f, p, ax_two(c, AX_SUB, ax_two(c, AX_SUB, ax_size(c, e->n), ax_num(c, 1)), i));
        return scalar(f, e->a, p);
    case EXP_IDX:
        push(f, p, index_of(f, e->b, 0));
        return scalar(f, e->a, p);
    case EXP_PAIR:
        left = pop_left(f, p);
        return scalar(f, left ? e->a : e->b, p);
    default: /* FST SND */
        push(f, p, e->kind == EXP_FST ? LEFT : RIGHT);
        return scalar(f, e->a, p);
    }
}

static int form(struct from_prog *f, const struct exp *e, struct path *p)
{
    struct bound b = { .kind = BOUND_EXP, .at = -1 };

    switch (e->kind) {
    case EXP_VAR: return variable(f, e->x, p);
    case EXP_LIT: return cells_ac(f->c, (struct ac){ .kind = AC_LIT, .a = -1, .b = -1, .num = e->num, .inum = e->inum });
    case EXP_CALL: return call(f, e, p);
    case EXP_RED: case EXP_FOLD: return fold(f, e, p);
    case EXP_ITE: return branch(f, e, p);
    case EXP_MAP:
        b.exp = e->b;
        b.at = pop_index(f, p);
        return under(f, e->x, b, e->a, p);
    case EXP_GEN:
        b.kind = BOUND_INDEX;
        b.at = pop_index(f, p);
        return under(f, e->x, b, e->a, p);
    case EXP_LET:
        b.exp = e->a;
        return under(f, e->x, b, e->b, p);
    default: return view(f, e, p);
    }
}

static int scalar(struct from_prog *f, int id, struct path *p)
{
    int r;

    if (f->depth > EXP_DEPTH_MAX)
        fail(f, CALQUE_LIMIT, NULL);
    if (f->c->ac.n > ACSL_LIMIT)
        fail(f, CALQUE_LIMIT, NULL);
    if (f->c->status != CALQUE_OK)
        return -1;
    f->depth++;
    r = form(f, &f->p->exp.a[id], p);
    f->depth--;
    return r;
}

static void parameters(struct from_prog *f)
{
    const struct prog *p = f->p;

    for (int i = 0; i < p->size_name.n; i++)
        if (!cells_name_free(&(struct cells){ 0 }, strs_text(p->strs, p->size_name.a[i])))
            fail(f, CALQUE_BAD, "a size has a name that C or ACSL has another use for");
    for (int k = 0; k < p->param.n && f->c->status == CALQUE_OK; k++) {
        int type = p->var.a[p->param.a[k].var].type, dim[KERNEL_RANK_MAX], rank = 0;
        for (; p->data.a[type].kind == DATA_ARY && rank < KERNEL_RANK_MAX; type = p->data.a[type].a)
            dim[rank++] = ax_size(f->c, p->data.a[type].n);
        if (p->data.a[type].kind != DATA_NUM)
            fail(f, CALQUE_BAD, "a parameter of pairs, or of more than 8 dimensions");
        cells_tensor(f->c, strs_text(p->strs, p->param.a[k].name), p->param.a[k].role,
                     p->param.a[k].elem, rank, dim);
    }
}

static void statement(struct from_prog *f, const struct prog_stmt *x)
{
    struct acsl_stmt s;
    struct path p = { 0 };
    int index[KERNEL_RANK_MAX], rank = cells_begin(f->c, x->param, &s, index);

    for (int i = rank - 1; i >= 0; i--)
        push(f, &p, index[i]);
    s.body = scalar(f, x->exp, &p);
    cells_end(&f->to, &s, x->param);
}

enum calque_status cells_prog(struct cells *c, const struct prog *p, struct diag *d)
{
    struct from_prog f = { .c = c, .p = p };

    cells_init(c, p->mem, p->scalar);
    c->sizes = p;
    f.bound = mem_zero(p->mem, (size_t)p->var.n + 1, sizeof *f.bound);
    if (!f.bound)
        cells_fail(c, CALQUE_NOMEM, NULL);
    parameters(&f);
    if (c->status == CALQUE_OK && cells_targets(&f.to, c))
        for (int i = 0; i < p->stmt.n; i++)
            f.to.left[p->stmt.a[i].param]++;
    for (int i = 0; i < p->stmt.n && c->status == CALQUE_OK; i++)
        statement(&f, &p->stmt.a[i]);
    cells_finish(&f.to);
    mem_free(f.bound);
    return cells_status(c, d);
}
