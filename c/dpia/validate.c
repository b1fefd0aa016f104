/* Does a functional program compute a kernel? (Coq: kernel/Validate.v, validate; dpia/Cells.v, read). A strategy may tile,
   exchange, merge and guard as it likes: its result is checked here. Each expression is read at a symbolic place of its value:
   generate binds, split, join, transpose and idx are arithmetic of indices, a fold over an array of accumulators is a fold at
   that place alone. What is left is one cell's computation, and so is the kernel's statement; both in normal form are the same,
   or the program is refused. Invariant: the program is typed, so a variable means one thing wherever it is read. */
#include "dpia/validate_internal.h"

#include <math.h>
#include <string.h>

int validate_fail(struct validate *v, enum calque_status st)
{
    if (v->status == CALQUE_OK)
        v->status = st == CALQUE_NOMEM ? st : CALQUE_LIMIT;
    return -1;
}

bool validate_step(struct validate *v, int depth)
{
    if (depth > VALIDATE_DEPTH || ++v->steps > VALIDATE_STEPS)
        validate_fail(v, CALQUE_LIMIT);
    return v->status == CALQUE_OK;
}

int validate_cell(struct validate *v, struct vcell c)
{
    if (v->status != CALQUE_OK)
        return -1;
    if (!vec_room(v->mem, &v->cell, 1))
        return validate_fail(v, CALQUE_NOMEM);
    v->cell.a[v->cell.n] = c;
    return v->cell.n++;
}

enum { UNREAD = -1 }; /* a cell is asked for that there is not: -1 without a status */

/* ---- numbers and indices ---- */

long validate_number(enum kernel_type type, double num, long inum)
{
    double x = type == KERNEL_F32 ? (double)(float)num : num;
    long bits;

    if (type == KERNEL_I32 && inum == INT32_MIN)
        return LONG_MIN;
    if (type == KERNEL_I32 || type == KERNEL_I64)
        return inum;
    x = isnan(x) ? (double)NAN : x;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

long validate_least(enum kernel_type type)
{
    return validate_number(type, -(double)INFINITY, LONG_MIN);
}

/* A form, or -1 and the status of the table. */
static int checked(struct validate *v, int form)
{
    return form >= 0 ? form : validate_fail(v, v->aff.status);
}

int validate_level(struct validate *v, int level, long extent)
{
    int x = level * VALIDATE_EXTENTS, end = x + VALIDATE_EXTENTS;

    if (extent <= 1)
        return checked(v, aff_const(&v->aff, 0));
    if (level >= VALIDATE_LEVELS)
        return validate_fail(v, CALQUE_LIMIT);
    while (x < end && v->vars.var.a[x].extent != 0 && v->vars.var.a[x].extent != extent)
        x++;
    if (x == end)
        return validate_fail(v, CALQUE_LIMIT);
    v->vars.var.a[x].extent = extent;
    return checked(v, aff_var(&v->aff, x));
}

/* An operation on forms, of kind IX_ADD ..; k where it has one operand. */
static int operate(struct validate *v, int kind, int a, int b, long k)
{
    int r = a < 0 ? -1 : kind == IX_ADD || kind == IX_SUB ? (b < 0 ? -1 : aff_add(&v->aff, a, b, kind == IX_ADD ? 1 : -1))
            : kind == IX_MUL ? aff_add(&v->aff, aff_const(&v->aff, 0), a, k) : aff_divide(&v->aff, kind, a, k);

    return a < 0 || (b < 0 && (kind == IX_ADD || kind == IX_SUB)) ? -1 : checked(v, r);
}

/* The form of an index of the program, or (of_kernel) of the kernel's statement. */
static int form_of(struct validate *v, bool of_kernel, int i, int depth)
{
    struct ix x = of_kernel ? v->k->ix.a[i] : v->p->ix.a[i];
    int a, b = -1;

    if (!validate_step(v, depth))
        return -1;
    if (x.kind == IX_CONST || x.kind == IX_SIZE)
        return checked(v, aff_const(&v->aff, x.k));
    if (x.kind == IX_VAR)
        return of_kernel ? v->index[x.k] : v->env[x.k].at;
    a = form_of(v, of_kernel, x.a, depth + 1);
    if (x.kind == IX_ADD || x.kind == IX_SUB)
        b = form_of(v, of_kernel, x.b, depth + 1);
    return operate(v, x.kind, a, b, x.k);
}

/* The conditions of a branch, as differences, behind those there are: the first one's place, or -1. */
static int read_conds(struct validate *v, bool of_kernel, const struct cond *c, int n)
{
    int first = v->cond.n;

    if (!vec_room(v->mem, &v->cond, n))
        return validate_fail(v, CALQUE_NOMEM);
    for (int i = 0; i < n; i++) {
        int a = form_of(v, of_kernel, c[i].a, 0), b = form_of(v, of_kernel, c[i].b, 0);
        int less = operate(v, IX_SUB, a, b, 0);
        if (less < 0)
            return -1;
        v->cond.a[v->cond.n++] = (struct cond){c[i].op, less, -1};
    }
    return first;
}

/* ---- programs ---- */

static int read_exp(struct validate *v, int e, int loops, int place, int depth);

static int put(struct validate *v, int at, int place)
{
    if (v->status != CALQUE_OK)
        return -1;
    if (!vec_room(v->mem, &v->turn, 1))
        return validate_fail(v, CALQUE_NOMEM);
    v->turn.a[v->turn.n] = (struct turn){at, place};
    return v->turn.n++;
}

/* Takes an index off the place; -1: there is none. */
static int take_index(struct validate *v, int *place)
{
    int at = *place < 0 ? -1 : v->turn.a[*place].at;

    if (at < 0)
        return UNREAD;
    *place = v->turn.a[*place].next;
    return at;
}

static bool same_turns(const struct validate *v, int p, int q)
{
    for (; p >= 0 && q >= 0 && p != q; p = v->turn.a[p].next, q = v->turn.a[q].next)
        if (v->turn.a[p].at != v->turn.a[q].at)
            return false;
    return p == q;
}

/* Parameter x at the place. */
static int read_load(struct validate *v, int x, int place)
{
    struct vcell c = {.kind = CELL_LOAD, .op = x, .a = -1, .b = -1, .first = v->pool.n};

    for (; place >= 0; place = v->turn.a[place].next)
        if (!ints_push(v->mem, &v->pool, v->turn.a[place].at))
            return validate_fail(v, CALQUE_NOMEM);
    c.len = v->pool.n - c.first;
    return validate_cell(v, c);
}

static int read_var(struct validate *v, int x, int loops, int place, int depth)
{
    struct binding b = v->env[x];

    switch (b.kind) {
    case BOUND_INPUT: return read_load(v, b.at, place);
    case BOUND_READ:
        if (b.place >= 0 && (place = put(v, b.place, place)) < 0)
            return -1;
        return read_exp(v, b.at, loops, place, depth + 1);
    case BOUND_HOLD:
        return same_turns(v, place, b.place) ? validate_cell(v, (struct vcell){.kind = CELL_ACC, .a = -1, .b = -1, .level = b.at})
                                             : UNREAD;
    default: return UNREAD;
    }
}

/* EXP_RED, EXP_FOLD: a fold at the place alone. */
static int read_fold(struct validate *v, const struct exp *q, int loops, int place, int depth)
{
    struct vcell c = {.kind = CELL_FOLD, .level = loops, .n = q->n};
    int at = validate_level(v, loops, q->n);

    if (at < 0)
        return -1;
    v->env[q->x] = q->kind == EXP_RED ? (struct binding){BOUND_READ, q->c, at} : (struct binding){BOUND_INDEX, at, -1};
    v->env[q->y] = (struct binding){BOUND_HOLD, loops, place};
    c.a = read_exp(v, q->a, loops + 1, place, depth + 1);
    c.b = c.a < 0 ? -1 : read_exp(v, q->b, loops, place, depth + 1);
    return c.b < 0 ? -1 : validate_cell(v, c);
}

static int read_call(struct validate *v, const struct exp *q, int loops, int place, int depth)
{
    struct vcell c = {.kind = CELL_CALL, .op = q->op, .b = -1};

    if (place >= 0)
        return UNREAD;
    c.a = read_exp(v, q->a, loops, -1, depth + 1);
    if (c.a >= 0 && q->b >= 0)
        c.b = read_exp(v, q->b, loops, -1, depth + 1);
    return c.a < 0 || (q->b >= 0 && c.b < 0) ? -1 : validate_cell(v, c);
}

static int read_ite(struct validate *v, const struct exp *q, int loops, int place, int depth)
{
    struct vcell c = {.kind = CELL_ITE, .len = q->len, .first = read_conds(v, false, v->p->cond.a + q->first, q->len)};

    if (c.first < 0)
        return -1;
    c.a = read_exp(v, q->a, loops, place, depth + 1);
    c.b = c.a < 0 ? -1 : read_exp(v, q->b, loops, place, depth + 1);
    return c.b < 0 ? -1 : validate_cell(v, c);
}

/* An array in another order: its one subexpression at another place. */
static int read_view(struct validate *v, const struct exp *q, int loops, int place, int depth)
{
    int i = q->kind == EXP_IDX ? form_of(v, false, q->b, 0) : take_index(v, &place), j = 0;

    if (i >= 0 && (q->kind == EXP_SPLIT || q->kind == EXP_TR))
        j = take_index(v, &place);
    if (i < 0 || j < 0 || (q->kind == EXP_JOIN && q->n < 1))
        return i >= 0 && j >= 0 ? UNREAD : -1;
    switch (q->kind) {
    case EXP_SPLIT: i = operate(v, IX_ADD, operate(v, IX_MUL, i, -1, q->n), j, 0); break;
    case EXP_JOIN:
        j = operate(v, IX_MOD, i, -1, q->n);
        place = j < 0 ? -1 : put(v, j, place);
        i = place < 0 ? -1 : operate(v, IX_DIV, i, -1, q->n);
        break;
    case EXP_REV: i = operate(v, IX_SUB, checked(v, aff_const(&v->aff, q->n - 1)), i, 0); break;
    case EXP_TR:
        place = put(v, i, place);
        i = place < 0 ? -1 : j;
        break;
    default: break;
    }
    place = i < 0 ? -1 : put(v, i, place);
    return place < 0 ? -1 : read_exp(v, q->a, loops, place, depth + 1);
}

/* One of two: of a pair, or (EXP_ZIP) of an array of pairs. */
static int read_part(struct validate *v, const struct exp *q, int loops, int place, int depth)
{
    int i = q->kind == EXP_ZIP ? take_index(v, &place) : 0, side = place < 0 ? 0 : v->turn.a[place].at;

    if (i < 0 || side >= 0)
        return i < 0 ? -1 : UNREAD;
    place = v->turn.a[place].next;
    if (q->kind == EXP_ZIP && (place = put(v, i, place)) < 0)
        return -1;
    return read_exp(v, side == TURN_LEFT ? q->a : q->b, loops, place, depth + 1);
}

/* The cell of the expression at the place, under so many loops; -1: there is none, or an error. */
static int read_exp(struct validate *v, int e, int loops, int place, int depth)
{
    const struct exp *q = &v->p->exp.a[e];
    int i;

    if (!validate_step(v, depth))
        return -1;
    switch (q->kind) {
    case EXP_VAR: return read_var(v, q->x, loops, place, depth);
    case EXP_LIT:
        return place >= 0 ? UNREAD
                          : validate_cell(v, (struct vcell){.kind = CELL_LIT, .a = -1, .b = -1,
                                                            .n = validate_number(v->p->scalar, q->num, q->inum)});
    case EXP_CALL: return read_call(v, q, loops, place, depth);
    case EXP_MAP: case EXP_GEN:
        if ((i = take_index(v, &place)) < 0)
            return -1;
        v->env[q->x] = q->kind == EXP_MAP ? (struct binding){BOUND_READ, q->b, i} : (struct binding){BOUND_INDEX, i, -1};
        return read_exp(v, q->a, loops, place, depth + 1);
    case EXP_RED: case EXP_FOLD: return read_fold(v, q, loops, place, depth);
    case EXP_ZIP: case EXP_PAIR: return read_part(v, q, loops, place, depth);
    case EXP_FST: case EXP_SND:
        place = put(v, q->kind == EXP_FST ? TURN_LEFT : TURN_RIGHT, place);
        return place < 0 ? -1 : read_exp(v, q->a, loops, place, depth + 1);
    case EXP_ITE: return read_ite(v, q, loops, place, depth);
    case EXP_LET:
        v->env[q->x] = (struct binding){BOUND_READ, q->a, -1};
        return read_exp(v, q->b, loops, place, depth + 1);
    default: return read_view(v, q, loops, place, depth);
    }
}

/* ---- kernels ---- */

/* The program's parameter of the kernel's tensor; -1: none. */
static int param_of(const struct validate *v, int tensor)
{
    for (int i = 0; i < v->p->param.n; i++)
        if (v->p->param.a[i].tensor == tensor)
            return i;
    return -1;
}

static int read_ex(struct validate *v, const struct kernel_stmt *s, int id, int loops, int depth);

static int read_kernel_load(struct validate *v, const struct ex *e)
{
    struct vcell c = {.kind = CELL_LOAD, .op = param_of(v, e->op), .a = -1, .b = -1, .first = v->pool.n};
    int rank = v->k->tensor.a[e->op].rank;

    if (c.op < 0) {
        v->missing = e->op;
        return UNREAD;
    }
    for (int i = 0; i < rank; i++) { /* an index that is not written is 0 */
        int at = i < e->n ? form_of(v, true, v->k->pool.a[e->first + i], 0) : checked(v, aff_const(&v->aff, 0));
        if (at < 0)
            return -1;
        if (!ints_push(v->mem, &v->pool, at))
            return validate_fail(v, CALQUE_NOMEM);
    }
    c.len = rank;
    return validate_cell(v, c);
}

/* Folds over the variables, the first one outside, with one accumulator. */
static int read_reduce(struct validate *v, const struct kernel_stmt *s, const struct ex *e, int loops, int depth)
{
    bool sum = e->op == RED_SUM;
    struct vcell start = {.kind = CELL_LIT, .a = -1, .b = -1};
    struct vcell acc = {.kind = CELL_ACC, .a = -1, .b = -1}, step = {.kind = CELL_CALL, .op = sum ? FN_ADD : FN_MAX};
    int first, r;

    start.n = sum ? validate_number(v->k->type, 0.0, 0) : validate_least(v->k->type);
    for (int i = 0; i < e->n; i++) {
        int x = v->k->pool.a[e->first + i];
        v->index[x] = validate_level(v, loops + i, v->k->var.a[s->var + x].extent);
        if (v->index[x] < 0)
            return -1;
    }
    first = validate_cell(v, start);
    acc.level = loops + e->n - 1;
    step.a = e->n > 0 ? validate_cell(v, acc) : first;
    step.b = read_ex(v, s, e->a, loops + e->n, depth + 1);
    r = step.a < 0 || step.b < 0 ? -1 : validate_cell(v, step);
    for (int i = e->n - 1; i >= 0 && r >= 0; i--) {
        struct vcell f = {.kind = CELL_FOLD, .level = loops + i, .a = r, .b = first};
        f.n = v->k->var.a[s->var + v->k->pool.a[e->first + i]].extent;
        acc.level = loops + i - 1;
        f.b = i > 0 ? validate_cell(v, acc) : first;
        r = f.b < 0 ? -1 : validate_cell(v, f);
    }
    return r;
}

static int read_ex(struct validate *v, const struct kernel_stmt *s, int id, int loops, int depth)
{
    const struct ex *e = &v->k->ex.a[id];
    struct vcell c = {.kind = e->kind == EX_CALL ? CELL_CALL : CELL_ITE, .op = e->op, .b = -1, .len = e->n};

    if (!validate_step(v, depth))
        return -1;
    switch (e->kind) {
    case EX_CONST:
        return validate_cell(v, (struct vcell){.kind = CELL_LIT, .a = -1, .b = -1,
                                               .n = validate_number(v->k->type, e->num, e->inum)});
    case EX_LOAD: return read_kernel_load(v, e);
    case EX_REDUCE: return read_reduce(v, s, e, loops, depth);
    case EX_SELECT:
        c.op = 0;
        c.first = read_conds(v, true, v->k->cond.a + e->first, e->n);
        if (c.first < 0)
            return -1;
        break;
    default: c.len = 0;
    }
    c.a = read_ex(v, s, e->a, loops, depth + 1);
    if (c.a >= 0 && e->b >= 0)
        c.b = read_ex(v, s, e->b, loops, depth + 1);
    return c.a < 0 || (e->b >= 0 && c.b < 0) ? -1 : validate_cell(v, c);
}

/* ---- a statement ---- */

/* The cell of assignment i of the program at the indices of its statement, in normal form; -1: it is not read. */
static int program_cell(struct validate *v, int e, const struct kernel_tensor *out)
{
    int place = -1;

    for (int i = 0; i < v->p->param.n; i++)
        v->env[v->p->param.a[i].var] = (struct binding){BOUND_INPUT, i, -1};
    for (int i = out->rank - 1; i >= 0; i--) {
        int at = validate_level(v, i, out->dim[i]);
        place = at < 0 ? -1 : put(v, at, place);
        if (place < 0)
            return -1;
    }
    return validate_normal(v, read_exp(v, e, out->rank, place, 0), out->rank);
}

static int statement_cell(struct validate *v, const struct kernel_stmt *s, const struct kernel_tensor *out)
{
    for (int i = 0; i < out->rank; i++)
        if ((v->index[i] = validate_level(v, i, out->dim[i])) < 0)
            return -1;
    return validate_normal(v, read_ex(v, s, s->body, out->rank, 0), out->rank);
}

/* A fresh table of forms, and no cells. */
static void begin(struct validate *v)
{
    aff_free(&v->aff);
    aff_init(&v->aff, v->mem, &v->vars, &v->loops);
    memset(v->vars.var.a, 0, (size_t)v->vars.var.n * sizeof *v->vars.var.a);
    memset(v->env, 0, (size_t)v->p->var.n * sizeof *v->env);
    v->cell.n = v->turn.n = v->cond.n = v->pool.n = 0;
    v->steps = 0;
    v->missing = -1;
}

/* NULL: the assignment computes the statement, or there is a status; else what is wrong. */
static const char *compare(struct validate *v, const struct prog_stmt *a, const struct kernel_stmt *s, bool inside)
{
    const struct kernel_tensor *out = &v->k->tensor.a[s->out];
    int c, d;
    bool same;

    begin(v);
    v->fused = kernel_is_fused(v->k, s->body);
    if (v->p->exp.a[a->exp].type != v->p->var.a[v->p->param.a[a->param].var].type || !validate_typed(v, a->exp))
        return "the program has not the type of the output";
    if (!inside)
        return "the kernel may read outside of a tensor";
    v->steps = 0;
    c = program_cell(v, a->exp, out);
    d = c < 0 ? -1 : statement_cell(v, s, out);
    if (c < 0 || d < 0)
        return "a cell is not read";
    same = validate_same(v, c, d, 0);
    return same ? NULL : "the program computes another cell";
}

/* ---- the whole program ---- */

/* Has the parameter the tensor's shape and stored type? */
static bool has_shape(const struct validate *v, int param, const struct kernel_tensor *t)
{
    int type = v->p->var.a[v->p->param.a[param].var].type;

    for (int i = 0; i < t->rank; i++) {
        const struct data *d = &v->p->data.a[type];
        if (d->kind != DATA_ARY || d->n != t->dim[i])
            return false;
        type = d->a;
    }
    return v->p->data.a[type].kind == DATA_NUM && v->p->param.a[param].elem == t->elem;
}

static enum calque_status refuse(struct diag *d, const char *name, const char *why)
{
    return diag_set(d, CALQUE_NO, "", 0, 0, "%s%s%s", name, name[0] ? ": " : "", why);
}

/* Are the program's parameters the kernel's tensors, and its assignments those of the statements? */
static enum calque_status check_heads(const struct validate *v, struct diag *d)
{
    const struct kernel *k = v->k;

    if (v->p->stmt.n != k->stmt.n)
        return diag_set(d, CALQUE_NO, "", 0, 0, "%d assignments for %d statements", v->p->stmt.n, k->stmt.n);
    for (int t = 0; t < k->tensor.n; t++) {
        const char *name = strs_text(k->strs, k->tensor.a[t].name);
        int param = param_of(v, t);
        if (param >= 0 && !has_shape(v, param, &k->tensor.a[t]))
            return diag_set(d, CALQUE_NO, "", 0, 0, "%s has another shape in the program", name);
    }
    for (int i = 0; i < k->stmt.n; i++)
        if (v->p->stmt.a[i].param != param_of(v, k->stmt.a[i].out))
            return diag_set(d, CALQUE_NO, "", 0, 0, "%s is not what the program assigns",
                            strs_text(k->strs, k->tensor.a[k->stmt.a[i].out].name));
    return CALQUE_OK;
}

static enum calque_status missing(const struct validate *v, struct diag *d)
{
    return diag_set(d, CALQUE_NO, "", 0, 0, "the program has no %s", strs_text(v->k->strs, v->k->tensor.a[v->missing].name));
}

static enum calque_status check_all(struct validate *v, struct diag *d)
{
    struct diag bounds;
    enum calque_status inside = kernel_check(v->k, &bounds), st = check_heads(v, d);

    if (inside == CALQUE_NOMEM)
        return diag_nomem(d);
    for (int i = 0; i < v->k->stmt.n && st == CALQUE_OK; i++) {
        const char *name = strs_text(v->k->strs, v->k->tensor.a[v->k->stmt.a[i].out].name);
        const char *why = compare(v, &v->p->stmt.a[i], &v->k->stmt.a[i], inside == CALQUE_OK);
        st = v->status == CALQUE_NOMEM ? diag_nomem(d)
             : v->status != CALQUE_OK  ? refuse(d, name, "a cell is too large to be compared")
             : v->missing >= 0         ? missing(v, d)
             : why                     ? refuse(d, name, why)
                                       : CALQUE_OK;
    }
    return st;
}

static bool make_room(struct validate *v)
{
    int vars = 1;

    for (int s = 0; s < v->k->stmt.n; s++)
        vars = v->k->stmt.a[s].nvar > vars ? v->k->stmt.a[s].nvar : vars;
    v->env = mem_zero(v->mem, (size_t)v->p->var.n + 1, sizeof *v->env);
    v->index = mem_zero(v->mem, (size_t)vars, sizeof *v->index);
    if (!v->env || !v->index || !vec_room(v->mem, &v->vars.var, VALIDATE_LEVELS * VALIDATE_EXTENTS))
        return false;
    v->vars.var.n = VALIDATE_LEVELS * VALIDATE_EXTENTS;
    return true;
}

enum calque_status validate_program(const struct kernel *k, const struct prog *p, struct diag *d)
{
    struct validate v = {.mem = k->mem, .k = k, .p = p};
    enum calque_status st;

    if (kernel_looks_up(k))
        return refuse(d, "", "a look-up by data is no functional program");
    if (prog_is_symbolic(p) || p->scalar != k->type)
        return refuse(d, "", "the program has other sizes or scalars than the kernel");
    kernel_like(&v.vars, k);
    aff_init(&v.aff, k->mem, &v.vars, &v.loops);
    st = make_room(&v) ? check_all(&v, d) : diag_nomem(d);
    aff_free(&v.aff);
    mem_free(v.env);
    mem_free(v.index);
    kernel_free(&v.vars);
    mem_free(v.cell.a);
    mem_free(v.turn.a);
    mem_free(v.cond.a);
    ints_free(&v.pool);
    return st;
}

/* The tensor of k that a tensor of the other kernel is: the output, or the input of this name; -1: there is none. */
static int tensor_like(const struct kernel *k, const struct kernel *other, int tensor)
{
    const struct kernel_tensor *x = &other->tensor.a[tensor];
    int t = x->role == KERNEL_OUT ? k->stmt.a[0].out : kernel_find_tensor(k, x->name);

    return t >= 0 && k->tensor.a[t].role == x->role ? t : -1;
}

enum calque_status validate_kernels(const struct kernel *a, const struct kernel *b, struct diag *d)
{
    struct prog p;
    enum calque_status st = CALQUE_OK;

    if (a->stmt.n != 1 || b->stmt.n != 1 || kernel_looks_up(a) || kernel_looks_up(b))
        return refuse(d, "", "a kernel is not one statement without look-ups");
    st = lower_kernel(a, LOWER_PLAIN, &p, d);
    if (st == CALQUE_OK)
        st = validate_program(a, &p, d);
    for (int i = 0; i < p.param.n && st == CALQUE_OK; i++)
        if (p.param.a[i].tensor >= 0)
            p.param.a[i].tensor = tensor_like(b, a, p.param.a[i].tensor);
    if (st == CALQUE_OK)
        st = validate_program(b, &p, d);
    prog_free(&p);
    return st == CALQUE_NOMEM || st == CALQUE_OK ? st : CALQUE_NO;
}
