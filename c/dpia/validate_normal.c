/* The normal form of a cell (Coq: dpia/CellsNormal.v). Conditions that the ranges decide are gone; a fold in a fold that goes
   on with its accumulator is one fold over all their terms, in the same order; a guard that leaves an accumulator alone is an
   addition of what does not change it. Nothing else is used of the scalars. Cells are trees: a change makes new nodes. */
#include "dpia/validate_internal.h"
#include "kernel/index.h"

static int with_kids(struct validate *v, struct vcell c, int a, int b)
{
    if (a < 0 || (b < 0 && c.b >= 0))
        return -1;
    c.a = a;
    c.b = b;
    return validate_cell(v, c);
}

/* ---- conditions ---- */

/* Of a select the comparisons that are open stay, or a branch alone. */
static int polish(struct validate *v, int id, int depth)
{
    struct vcell c = v->cell.a[id];
    int first = v->cond.n, b;

    if (!validate_step(v, depth))
        return -1;
    if (c.kind == CELL_LIT || c.kind == CELL_ACC || c.kind == CELL_LOAD)
        return id;
    if (c.kind == CELL_ITE && !vec_room(v->mem, &v->cond, c.len))
        return validate_fail(v, CALQUE_NOMEM);
    for (int i = 0; c.kind == CELL_ITE && i < c.len; i++) {
        struct cond x = v->cond.a[c.first + i];
        struct span s = aff_span(&v->aff, x.a);
        enum outcome o = s.lo <= s.hi ? index_decide(x.op, s.lo, s.hi) : MIXED;
        if (o == NEVER) {
            v->cond.n = first;
            return polish(v, c.b, depth + 1);
        }
        if (o == MIXED)
            v->cond.a[v->cond.n++] = x;
    }
    if (c.kind == CELL_ITE && v->cond.n == first)
        return polish(v, c.a, depth + 1);
    if (c.kind == CELL_ITE) {
        c.first = first;
        c.len = v->cond.n - first;
    }
    b = c.b < 0 ? -1 : polish(v, c.b, depth + 1);
    return with_kids(v, c, polish(v, c.a, depth + 1), b);
}

/* ---- two folds as one ---- */

/* Loop l, of n turns, and loop l + 1, of k, are loop l; later ones move down. */
struct merge {
    int l;
    long n, k;
};

static int merged_form(struct validate *v, const struct merge *m, int form);

static int merged_atom(struct validate *v, const struct merge *m, const struct aff_atom *x)
{
    int level = (int)(x->k / VALIDATE_EXTENTS);

    if (x->kind != IX_VAR)
        return aff_divide(&v->aff, x->kind, merged_form(v, m, x->form), x->k);
    if (level < m->l)
        return aff_var(&v->aff, (int)x->k);
    if (level > m->l + 1)
        return validate_level(v, level - 1, v->vars.var.a[x->k].extent);
    return aff_divide(&v->aff, level == m->l ? IX_DIV : IX_MOD, validate_level(v, m->l, m->n), m->k);
}

/* Recursion follows nested quotients. */
static int merged_form(struct validate *v, const struct merge *m, int form)
{
    struct aff_form f = v->aff.form.a[form];
    int r = aff_const(&v->aff, f.k);

    for (int i = 0; i < f.n && r >= 0; i++) {
        struct aff_term t = v->aff.term.a[f.first + i];
        struct aff_atom x = v->aff.atom.a[t.atom];
        r = aff_add(&v->aff, r, merged_atom(v, m, &x), t.c);
    }
    return r >= 0 ? r : validate_fail(v, v->aff.status);
}

static bool merged_place(struct validate *v, const struct merge *m, struct vcell *c)
{
    int first = v->pool.n;

    for (int i = 0; i < c->len; i++) {
        int at = v->pool.a[c->first + i];
        if (at >= 0 && (at = merged_form(v, m, at)) < 0)
            return false;
        if (!ints_push(v->mem, &v->pool, at)) {
            validate_fail(v, CALQUE_NOMEM);
            return false;
        }
    }
    c->first = first;
    return true;
}

static bool merged_conds(struct validate *v, const struct merge *m, struct vcell *c)
{
    int first = v->cond.n;

    if (!vec_room(v->mem, &v->cond, c->len)) {
        validate_fail(v, CALQUE_NOMEM);
        return false;
    }
    for (int i = 0; i < c->len; i++) {
        struct cond x = v->cond.a[c->first + i];
        x.a = merged_form(v, m, x.a);
        if (x.a < 0)
            return false;
        v->cond.a[v->cond.n++] = x;
    }
    c->first = first;
    return true;
}

/* The cell with the loops merged, d of them around it then; -1: it has the outer fold's accumulator, or an error. */
static int rename(struct validate *v, const struct merge *m, int id, int d, int depth)
{
    struct vcell c = v->cell.a[id];
    int b;

    if (!validate_step(v, depth))
        return -1;
    switch (c.kind) {
    case CELL_LIT: return id;
    case CELL_ACC:
        if (c.level == m->l || d < c.level)
            return -1;
        c.level -= c.level > m->l;
        return validate_cell(v, c);
    case CELL_LOAD: return merged_place(v, m, &c) ? validate_cell(v, c) : -1;
    case CELL_FOLD:
        if (c.level != d + 1)
            return -1;
        c.level = d;
        b = rename(v, m, c.b, d, depth + 1);
        return b < 0 ? -1 : with_kids(v, c, rename(v, m, c.a, d + 1, depth + 1), b);
    case CELL_ITE:
        if (!merged_conds(v, m, &c))
            return -1;
        break;
    default: break;
    }
    b = c.b < 0 ? -1 : rename(v, m, c.b, d, depth + 1);
    return b < 0 && c.b >= 0 ? -1 : with_kids(v, c, rename(v, m, c.a, d, depth + 1), b);
}

/* Step and number of turns of the fold, of its own loop and of a fold in it that goes on with its accumulator. */
static void one_fold(struct validate *v, struct vcell *fold, int depth)
{
    struct vcell s = v->cell.a[fold->a], start;
    struct exact all = exact_mul(fold->n, s.n);
    struct merge m = {fold->level, all.z, s.n};
    int step;

    if (s.kind != CELL_FOLD || s.level != fold->level + 1 || s.n < 1 || !all.fits)
        return;
    start = v->cell.a[s.b];
    if (start.kind != CELL_ACC || start.level != fold->level)
        return;
    step = rename(v, &m, s.a, fold->level + 1, depth);
    if (step < 0)
        return;
    fold->n = all.z;
    fold->a = step;
}

/* ---- guards ---- */

/* May `z` be added by op to whatever has been added to it? */
static bool is_neutral(const struct validate *v, int op, long z)
{
    return (op == FN_ADD && z == validate_number(v->p->scalar, 0.0, 0)) || (op == FN_MAX && z == validate_least(v->p->scalar));
}

static bool is_acc(const struct validate *v, int id, int level)
{
    return v->cell.a[id].kind == CELL_ACC && v->cell.a[id].level == level;
}

/* What is added where a guard leaves the accumulator alone: what it starts from. A sum with products that are not rounded may
   be -0, which + 0 would change and + -0 does not. */
static int padding(struct validate *v, int op, int start)
{
    if (op != FN_ADD || !v->fused)
        return start;
    return validate_cell(v, (struct vcell){.kind = CELL_LIT, .a = -1, .b = -1, .n = validate_number(v->p->scalar, -0.0, 0)});
}

/* acc := c ? op(acc, e) : acc as acc := op(acc, c ? e : z); the step as it is where it is another. */
static int unguarded(struct validate *v, const struct vcell *fold)
{
    struct vcell step = v->cell.a[fold->a], start = v->cell.a[fold->b], add;
    int z, ite;

    if (start.kind != CELL_LIT || step.kind != CELL_ITE)
        return fold->a;
    add = v->cell.a[step.a];
    if (add.kind != CELL_CALL || add.b < 0 || !is_neutral(v, add.op, start.n) || !is_acc(v, add.a, fold->level) ||
        !is_acc(v, step.b, fold->level))
        return fold->a;
    z = padding(v, add.op, fold->b);
    ite = z < 0 ? -1 : with_kids(v, step, add.b, z);
    return ite < 0 ? -1 : with_kids(v, add, add.a, ite);
}

static int fuse(struct validate *v, int id, int loops, int depth)
{
    struct vcell c = v->cell.a[id];
    int b;

    if (!validate_step(v, depth))
        return -1;
    if (c.kind == CELL_LIT || c.kind == CELL_ACC || c.kind == CELL_LOAD)
        return id;
    if (c.kind == CELL_FOLD && c.level != loops)
        return id;
    b = c.b < 0 ? -1 : fuse(v, c.b, loops, depth + 1);
    if (b < 0 && c.b >= 0)
        return -1;
    c.a = fuse(v, c.a, loops + (c.kind == CELL_FOLD), depth + 1);
    c.b = b;
    if (c.a < 0)
        return -1;
    if (c.kind == CELL_FOLD) {
        one_fold(v, &c, depth + 1);
        if (v->status != CALQUE_OK || (c.a = unguarded(v, &c)) < 0)
            return -1;
    }
    return validate_cell(v, c);
}

int validate_normal(struct validate *v, int cell, int loops)
{
    int c = cell < 0 ? -1 : polish(v, cell, 0);

    c = c < 0 ? -1 : fuse(v, c, loops, 0);
    return c < 0 ? -1 : polish(v, c, 0);
}

/* ---- the same cell ---- */

static bool same_conds(const struct validate *v, const struct vcell *x, const struct vcell *y)
{
    for (int i = 0; i < x->len; i++) {
        const struct cond *c = &v->cond.a[x->first + i], *d = &v->cond.a[y->first + i];
        if (c->op != d->op || c->a != d->a)
            return false;
    }
    return true;
}

static bool same_place(const struct validate *v, const struct vcell *x, const struct vcell *y)
{
    for (int i = 0; i < x->len; i++)
        if (v->pool.a[x->first + i] != v->pool.a[y->first + i])
            return false;
    return true;
}

bool validate_same(struct validate *v, int c, int d, int depth)
{
    const struct vcell *x = &v->cell.a[c], *y = &v->cell.a[d];

    if (c == d)
        return true;
    if (!validate_step(v, depth) || x->kind != y->kind)
        return false;
    switch (x->kind) {
    case CELL_LIT: return x->n == y->n;
    case CELL_ACC: return x->level == y->level;
    case CELL_LOAD: return x->op == y->op && x->len == y->len && same_place(v, x, y);
    case CELL_CALL:
        if (x->op != y->op || (x->b < 0) != (y->b < 0))
            return false;
        break;
    case CELL_FOLD:
        if (x->level != y->level || x->n != y->n)
            return false;
        break;
    default:
        if (x->len != y->len || !same_conds(v, x, y))
            return false;
    }
    return validate_same(v, x->a, y->a, depth + 1) && (x->b < 0 || validate_same(v, x->b, y->b, depth + 1));
}
