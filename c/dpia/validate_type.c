/* Typing of programs, once more (Coq: dpia/Typing.v, infer; dpia/RangeKnown.v): each expression has the type that it says it
   has, variables are in scope and bound once, and every index is in its array, by intervals that the conditions around narrow. */
#include "dpia/validate_internal.h"

static bool typed(struct validate *v, int e, int depth);

static const struct exp *exp_of(const struct validate *v, int e)
{
    return &v->p->exp.a[e];
}

static const struct data *type_of(const struct validate *v, int type)
{
    return &v->p->data.a[type];
}

static bool is_array(const struct validate *v, int type, long n, int elem)
{
    const struct data *d = type_of(v, type);

    return d->kind == DATA_ARY && d->n == n && d->a == elem;
}

static bool is_num(const struct validate *v, int type)
{
    return type_of(v, type)->kind == DATA_NUM;
}

/* ---- indices ---- */

static bool same_ix(const struct prog *p, int i, int j, int depth)
{
    const struct ix *x = &p->ix.a[i], *y = &p->ix.a[j];

    if (i == j)
        return true;
    if (depth > VALIDATE_DEPTH || x->kind != y->kind)
        return false;
    if (x->kind == IX_ADD || x->kind == IX_SUB)
        return same_ix(p, x->a, y->a, depth + 1) && same_ix(p, x->b, y->b, depth + 1);
    return x->k == y->k && (x->kind == IX_VAR || x->kind == IX_CONST || x->kind == IX_SIZE || same_ix(p, x->a, y->a, depth + 1));
}

/* Are all variables of the index indices in scope, and what it divides by positive? */
static bool scoped(struct validate *v, int i, int depth)
{
    const struct ix *x = &v->p->ix.a[i];

    if (!validate_step(v, depth))
        return false;
    switch (x->kind) {
    case IX_VAR: return x->k >= 0 && x->k < v->p->var.n && v->env[x->k].kind == BOUND_INDEX;
    case IX_CONST: return true;
    case IX_SIZE: return x->k >= 0;
    case IX_ADD: case IX_SUB: return scoped(v, x->a, depth + 1) && scoped(v, x->b, depth + 1);
    default: return (x->kind == IX_MUL || x->k > 0) && scoped(v, x->a, depth + 1);
    }
}

/* What the index can be, of which the facts are not asked, or are at every part of it but those of a remainder. */
static struct span interval(struct validate *v, int i, bool facts, int depth);

static struct span interval_of(struct validate *v, const struct ix *x, bool facts, int depth)
{
    struct span a, b;

    switch (x->kind) {
    case IX_VAR: return (struct span){0, v->p->var.a[x->k].extent - 1};
    case IX_CONST: case IX_SIZE: return (struct span){x->k, x->k};
    case IX_ADD: case IX_SUB:
        a = interval(v, x->a, facts, depth + 1);
        b = interval(v, x->b, facts, depth + 1);
        return span_add(a, x->kind == IX_ADD ? b : span_scale(b, -1));
    case IX_MUL: return span_scale(interval(v, x->a, facts, depth + 1), x->k);
    case IX_DIV: return span_div(interval(v, x->a, facts, depth + 1), x->k);
    default: return span_mod(interval(v, x->a, false, depth + 1), x->k);
    }
}

/* x, where it is known that it compares so to what is in s. */
static struct span narrow(struct span x, int op, struct span s)
{
    bool least = op == CMP_GT || op == CMP_GE || op == CMP_EQ, most = op == CMP_LT || op == CMP_LE || op == CMP_EQ;
    long lo = op == CMP_GT ? s.lo + 1 : s.lo, hi = op == CMP_LT ? s.hi - 1 : s.hi;

    return (struct span){least && lo > x.lo ? lo : x.lo, most && hi < x.hi ? hi : x.hi};
}

static struct span interval(struct validate *v, int i, bool facts, int depth)
{
    struct span s = {0, 0};

    if (!validate_step(v, depth))
        return s;
    s = interval_of(v, &v->p->ix.a[i], facts, depth);
    for (int f = 0; facts && f < v->cond.n; f++)
        if (same_ix(v->p, v->cond.a[f].a, i, 0))
            s = narrow(s, v->cond.a[f].op, interval(v, v->cond.a[f].b, false, depth + 1));
    return s;
}

/* ---- expressions ---- */

/* A subexpression is before what it is in: no walk is endless. */
static bool kid(struct validate *v, int of, int e, int depth)
{
    return e >= 0 && e < of && typed(v, e, depth + 1);
}

/* Binds data (type >= 0) or an index; false where the variable is in scope already, or is another one. */
static bool enter(struct validate *v, int x, int type, long extent)
{
    const struct exp_var *y = x >= 0 && x < v->p->var.n ? &v->p->var.a[x] : NULL;

    if (!y || v->env[x].kind != BOUND_NOT || y->type != type || (type < 0 && y->extent != extent))
        return false;
    v->env[x].kind = type < 0 ? BOUND_INDEX : BOUND_INPUT;
    return true;
}

static void leave(struct validate *v, int x)
{
    v->env[x].kind = BOUND_NOT;
}

/* The body f of e, of the type, under x and then (y >= 0) data y of the same type. */
static bool under(struct validate *v, int e, int x, int xtype, int y, int type, int depth)
{
    const struct exp *q = exp_of(v, e);
    int f = q->kind == EXP_LET ? q->b : q->a;
    bool ok;

    if (f < 0 || f >= e || exp_of(v, f)->type != type || !enter(v, x, xtype, q->n))
        return false;
    ok = y < 0 || enter(v, y, type, 0);
    if (ok) {
        ok = kid(v, e, f, depth);
        if (y >= 0)
            leave(v, y);
    }
    leave(v, x);
    return ok;
}

/* The facts of a branch: all conditions hold, or the only one does not. */
static bool branch(struct validate *v, int e, bool yes, int depth)
{
    static const int not[] = {[CMP_LT] = CMP_GE, [CMP_LE] = CMP_GT, [CMP_GT] = CMP_LE,
                              [CMP_GE] = CMP_LT, [CMP_EQ] = CMP_NE, [CMP_NE] = CMP_EQ};
    const struct exp *q = exp_of(v, e);
    int mark = v->cond.n, f = yes ? q->a : q->b;
    bool ok;

    if (!vec_room(v->mem, &v->cond, q->len)) {
        validate_fail(v, CALQUE_NOMEM);
        return false;
    }
    for (int i = 0; i < q->len && (yes || q->len == 1); i++) {
        struct cond c = v->p->cond.a[q->first + i];
        c.op = yes ? c.op : not[c.op];
        v->cond.a[v->cond.n++] = c;
    }
    ok = kid(v, e, f, depth) && exp_of(v, f)->type == q->type;
    v->cond.n = mark;
    return ok;
}

static bool typed_ite(struct validate *v, int e, int depth)
{
    const struct exp *q = exp_of(v, e);

    for (int i = 0; i < q->len; i++)
        if (!scoped(v, v->p->cond.a[q->first + i].a, 0) || !scoped(v, v->p->cond.a[q->first + i].b, 0))
            return false;
    return branch(v, e, true, depth) && branch(v, e, false, depth);
}

static bool typed_idx(struct validate *v, const struct exp *q, const struct data *t)
{
    struct span s;

    if (t->kind != DATA_ARY || t->a != q->type || !scoped(v, q->b, 0))
        return false;
    s = interval(v, q->b, true, 0);
    return 0 <= s.lo && s.hi < t->n;
}

/* What makes arrays of arrays: t is the type of the subexpression. */
static bool typed_view(struct validate *v, const struct exp *q, const struct data *t)
{
    const struct data *u = type_of(v, q->type), *in, *out;
    struct exact nm = exact_mul(q->n, q->m);

    if (t->kind != DATA_ARY || u->kind != DATA_ARY)
        return false;
    in = type_of(v, t->a);
    out = type_of(v, u->a);
    switch (q->kind) {
    case EXP_SPLIT: return nm.fits && t->n == nm.z && u->n == q->m && is_array(v, u->a, q->n, t->a);
    case EXP_JOIN: return nm.fits && u->n == nm.z && t->n == q->m && is_array(v, t->a, q->n, u->a);
    case EXP_TR:
        return t->n == q->n && u->n == q->m && in->kind == DATA_ARY && in->n == q->m && out->kind == DATA_ARY &&
               out->n == q->n && in->a == out->a;
    default: return t->n == q->n && u->n == q->n && t->a == u->a; /* EXP_REV */
    }
}

static bool typed_call(struct validate *v, int e, int depth)
{
    const struct exp *q = exp_of(v, e);
    const struct fn_info *f = fn_info(q->op);

    if (!f || (f->args == 2) != (q->b >= 0) || !is_num(v, q->type))
        return false;
    return kid(v, e, q->a, depth) && is_num(v, exp_of(v, q->a)->type) &&
           (q->b < 0 || (kid(v, e, q->b, depth) && is_num(v, exp_of(v, q->b)->type)));
}

/* Two subexpressions side by side: EXP_ZIP, EXP_PAIR. */
static bool typed_both(struct validate *v, int e, int depth)
{
    const struct exp *q = exp_of(v, e);
    const struct data *u = type_of(v, q->type), *pair = u;
    int a, b;

    if (!kid(v, e, q->a, depth) || !kid(v, e, q->b, depth) || u->kind != (q->kind == EXP_ZIP ? DATA_ARY : DATA_PAIR))
        return false;
    a = exp_of(v, q->a)->type;
    b = exp_of(v, q->b)->type;
    if (q->kind == EXP_PAIR)
        return u->a == a && u->b == b;
    pair = type_of(v, u->a);
    return u->n == q->n && pair->kind == DATA_PAIR && is_array(v, a, q->n, pair->a) && is_array(v, b, q->n, pair->b);
}

/* What binds variables. */
static bool typed_binder(struct validate *v, int e, int depth)
{
    const struct exp *q = exp_of(v, e);
    const struct data *u = type_of(v, q->type), *t;

    switch (q->kind) {
    case EXP_MAP:
        if (!kid(v, e, q->b, depth) || u->kind != DATA_ARY || u->n != q->n)
            return false;
        t = type_of(v, exp_of(v, q->b)->type);
        return t->kind == DATA_ARY && t->n == q->n && under(v, e, q->x, t->a, -1, u->a, depth);
    case EXP_GEN:
        return u->kind == DATA_ARY && u->n == q->n && under(v, e, q->x, -1, -1, u->a, depth);
    case EXP_RED:
        if (!kid(v, e, q->b, depth) || !kid(v, e, q->c, depth) || exp_of(v, q->b)->type != q->type)
            return false;
        t = type_of(v, exp_of(v, q->c)->type);
        return t->kind == DATA_ARY && t->n == q->n && q->y >= 0 && under(v, e, q->x, t->a, q->y, q->type, depth);
    case EXP_FOLD:
        return kid(v, e, q->b, depth) && exp_of(v, q->b)->type == q->type && q->y >= 0 &&
               under(v, e, q->x, -1, q->y, q->type, depth);
    default: /* EXP_LET */
        return kid(v, e, q->a, depth) && under(v, e, q->x, exp_of(v, q->a)->type, -1, q->type, depth);
    }
}

static bool typed(struct validate *v, int e, int depth)
{
    const struct exp *q = exp_of(v, e);
    const struct data *t;

    if (!validate_step(v, depth))
        return false;
    switch (q->kind) {
    case EXP_VAR:
        return q->x >= 0 && q->x < v->p->var.n && v->env[q->x].kind == BOUND_INPUT && v->p->var.a[q->x].type == q->type;
    case EXP_LIT: return is_num(v, q->type);
    case EXP_CALL: return typed_call(v, e, depth);
    case EXP_ITE: return typed_ite(v, e, depth);
    case EXP_ZIP: case EXP_PAIR: return typed_both(v, e, depth);
    case EXP_MAP: case EXP_GEN: case EXP_RED: case EXP_FOLD: case EXP_LET: return typed_binder(v, e, depth);
    default: break;
    }
    if (!kid(v, e, q->a, depth))
        return false;
    t = type_of(v, exp_of(v, q->a)->type);
    switch (q->kind) {
    case EXP_IDX: return typed_idx(v, q, t);
    case EXP_FST: return t->kind == DATA_PAIR && t->a == q->type;
    case EXP_SND: return t->kind == DATA_PAIR && t->b == q->type;
    default: return typed_view(v, q, t);
    }
}

bool validate_typed(struct validate *v, int e)
{
    bool ok;

    for (int i = 0; i < v->p->param.n; i++)
        v->env[v->p->param.a[i].var].kind = BOUND_INPUT;
    v->cond.n = 0;
    ok = typed(v, e, 0) && v->status == CALQUE_OK;
    for (int i = 0; i < v->p->param.n; i++)
        v->env[v->p->param.a[i].var].kind = BOUND_NOT;
    return ok;
}
