/* Parts of a statement's cells: ranges of its output variables in which conditions of one such variable do not change. Each part
   has loops and functions of its own, in which these conditions are decided; what they compute is the same logic function. */
#include "emit/contract_internal.h"

/* The value of an index expression where the variable has this one; false: it has other variables or sizes, or is too large.
   Recursion is as deep as the expression, which its makers limit. */
static bool value_at(const struct cells *c, int id, int var, long value, long *r)
{
    const struct ax *x = &c->ax.a[id];
    long a, b, m;

    if (x->kind == AX_NUM || (x->kind == AX_VAR && x->k == var)) {
        *r = x->kind == AX_NUM ? x->k : value;
        return true;
    }
    if (x->kind == AX_VAR || x->kind == AX_SIZE || !value_at(c, x->a, var, value, &a) || !value_at(c, x->b, var, value, &b))
        return false;
    switch (x->kind) {
    case AX_ADD: return !__builtin_add_overflow(a, b, r);
    case AX_SUB: return !__builtin_sub_overflow(a, b, r);
    case AX_MUL: return !__builtin_mul_overflow(a, b, r);
    case AX_JOIN: return value_at(c, x->m, var, value, &m) && !__builtin_mul_overflow(a, m, r) && !__builtin_add_overflow(*r, b, r);
    default:
        if (b <= 0)
            return false;
        m = a % b + (a % b < 0 ? b : 0);
        *r = x->kind == AX_DIV || x->kind == AX_FDIV ? (a - m) / b : m;
        return true;
    }
}

/* Is the condition true where the variable has this value; -1: nothing is known. */
static int truth_at(const struct cells *c, const struct cond *k, int var, long value)
{
    long a, b;

    if (!value_at(c, k->a, var, value, &a) || !value_at(c, k->b, var, value, &b))
        return -1;
    switch (k->op) {
    case CMP_LT: return a < b;
    case CMP_LE: return a <= b;
    case CMP_GT: return a > b;
    case CMP_GE: return a >= b;
    case CMP_EQ: return a == b;
    default: return a != b;
    }
}

static bool uses(const struct cells *c, const struct cond *k, int var)
{
    return ax_uses(c, k->a, var) || ax_uses(c, k->b, var);
}

int acsl_known(const struct acsl_printer *q, const struct ac *select)
{
    const struct cells *c = q->c;
    const struct acsl_stmt *s = &c->stmt.a[q->stmt];
    int all = 1;

    for (int i = 0; i < select->n; i++) {
        const struct cond *k = &c->cond.a[select->first + i];
        int known = -1;
        for (int d = 0; d < s->nvar && known < 0; d++)
            if (q->part.cut[d] && uses(c, k, s->var[d]))
                known = truth_at(c, k, s->var[d], q->part.lo[d]);
        if (known == 0)
            return 0;
        all = known < 0 ? -1 : all;
    }
    return all;
}

bool acsl_part_loads(const struct acsl_printer *q, int id, int tensor)
{
    const struct ac *x;
    int known;

    if (id < 0)
        return false;
    x = &q->c->ac.a[id];
    if (x->kind == AC_LOAD)
        return x->op == tensor;
    known = x->kind == AC_SELECT ? acsl_known(q, x) : -1;
    return (known != 0 && acsl_part_loads(q, x->a, tensor)) || (known != 1 && acsl_part_loads(q, x->b, tensor));
}

bool acsl_part_uses(const struct acsl_printer *q, int id, int var)
{
    const struct ac *x;
    int known;

    if (id < 0)
        return false;
    x = &q->c->ac.a[id];
    if (x->kind == AC_LOAD)
        return ax_uses(q->c, x->var, var);
    known = x->kind == AC_SELECT ? acsl_known(q, x) : -1;
    for (int i = 0; known < 0 && x->kind == AC_SELECT && i < x->n; i++)
        if (uses(q->c, &q->c->cond.a[x->first + i], var))
            return true;
    return (known != 0 && acsl_part_uses(q, x->a, var)) || (known != 1 && acsl_part_uses(q, x->b, var));
}

/* Adds a value at which a part begins, keeping them in order; false: there are too many. */
static bool add_cut(struct acsl_cuts *x, long at)
{
    int i = x->n;

    for (int k = 0; k < x->n; k++)
        if (x->at[k] == at)
            return true;
    if (x->n == ACSL_CUTS)
        return false;
    for (; i > 0 && x->at[i - 1] > at; i--)
        x->at[i] = x->at[i - 1];
    x->at[i] = at;
    x->n++;
    return true;
}

/* Where the condition changes for the variable from lo to hi - 1. One of another variable, too, has no such place. */
static bool cond_cuts(const struct cells *c, const struct cond *k, int var, long lo, long hi, struct acsl_cuts *x)
{
    int was, now;

    if (!uses(c, k, var) || (was = truth_at(c, k, var, lo)) < 0)
        return true;
    if (hi - lo > ACSL_EXTENT)
        return false;
    for (long v = lo + 1; v < hi; v++, was = now) {
        now = truth_at(c, k, var, v);
        if (now < 0 || (now != was && !add_cut(x, v)))
            return false;
    }
    return true;
}

static bool find_cuts(const struct acsl_printer *q, int id, int d, struct acsl_cuts *x)
{
    const struct acsl_stmt *s = &q->c->stmt.a[q->stmt];
    const struct ac *e;
    int known;

    if (id < 0)
        return true;
    e = &q->c->ac.a[id];
    if (e->kind == AC_FOLD)
        return find_cuts(q, e->a, d, x);
    if (e->kind != AC_SELECT)
        return find_cuts(q, e->a, d, x) && find_cuts(q, e->b, d, x);
    known = acsl_known(q, e);
    for (int i = 0; i < e->n && known < 0; i++)
        if (!cond_cuts(q->c, &q->c->cond.a[e->first + i], s->var[d], q->part.lo[d], q->part.hi[d], x))
            return false;
    return (known == 0 || find_cuts(q, e->a, d, x)) && (known == 1 || find_cuts(q, e->b, d, x));
}

/* Is a select with a literal branch an operand of arithmetic? Decided, two literals could meet, and WP computes with those, which
   says nothing of the function in the contract: the guards stay. */
static bool meets_literal(const struct cells *c, int id, bool operand)
{
    const struct ac *x;

    if (id < 0)
        return false;
    x = &c->ac.a[id];
    if (x->kind == AC_FOLD)
        return meets_literal(c, x->a, false);
    if (x->kind == AC_CALL)
        operand = x->op <= FN_DIV || x->op == FN_NEG;
    if (x->kind == AC_SELECT && operand && (c->ac.a[x->a].kind == AC_LIT || c->ac.a[x->b].kind == AC_LIT))
        return true;
    return meets_literal(c, x->a, operand) || meets_literal(c, x->b, operand);
}

void acsl_whole(struct acsl_printer *q)
{
    const struct acsl_stmt *s = &q->c->stmt.a[q->stmt];

    q->part = (struct acsl_part){ .id = 0 };
    for (int d = 0; d < s->nvar; d++) {
        const struct ax *n = &q->c->ax.a[q->c->var.a[s->var[d]].extent];
        q->part.hi[d] = n->kind == AX_NUM ? n->k : -1;
    }
}

void acsl_find_cuts(struct acsl_printer *q, int d, struct acsl_cuts *x)
{
    x->n = 0;
    if (q->part.hi[d] < 0)
        return;
    if (meets_literal(q->c, q->c->stmt.a[q->stmt].body, false) || !find_cuts(q, q->c->stmt.a[q->stmt].body, d, x) || q->parts + x->n + 1 > ACSL_PARTS)
        x->n = 0;
}

/* The variable's factor in a linear index expression. */
static bool factor(const struct cells *c, int id, int var, long *r)
{
    const struct ax *x = &c->ax.a[id], *n;
    long a, b;

    *r = 0;
    if (!ax_uses(c, id, var))
        return true;
    if (x->kind == AX_VAR) {
        *r = 1;
        return true;
    }
    if (!factor(c, x->a, var, &a) || !factor(c, x->b, var, &b))
        return false;
    switch (x->kind) {
    case AX_ADD: return !__builtin_add_overflow(a, b, r);
    case AX_SUB: return !__builtin_sub_overflow(a, b, r);
    case AX_JOIN:
        n = &c->ax.a[x->m];
        return n->kind == AX_NUM && !__builtin_mul_overflow(a, n->k, r) && !__builtin_add_overflow(*r, b, r);
    case AX_MUL:
        n = &c->ax.a[ax_uses(c, x->a, var) ? x->b : x->a];
        return n->kind == AX_NUM && !__builtin_mul_overflow(a + b, n->k, r);
    default: return false;
    }
}

/* 1: once true the condition stays true as the variable grows; -1: once false it stays false; 0: neither is known. */
static int direction(const struct cells *c, const struct cond *k, int var)
{
    long a, b, d;

    if (!factor(c, k->a, var, &a) || !factor(c, k->b, var, &b) || __builtin_sub_overflow(a, b, &d))
        return 0;
    if (d == 0)
        return 1;
    if (k->op == CMP_EQ || k->op == CMP_NE)
        return 0;
    return (k->op == CMP_GE || k->op == CMP_GT) == (d > 0) ? 1 : -1;
}

int acsl_fold_select(const struct cells *c, int fold, bool *has_low, bool *has_high)
{
    int id = c->ac.a[fold].b, var = c->ac.a[fold].var;

    for (;;) { /* the select is the last operand */
        const struct ac *x = &c->ac.a[id];
        if (x->kind == AC_SELECT)
            break;
        if (x->kind != AC_CALL)
            return -1;
        id = x->b >= 0 ? x->b : x->a;
    }
    *has_low = *has_high = false;
    for (int i = 0; i < c->ac.a[id].n; i++) {
        int d = direction(c, &c->cond.a[c->ac.a[id].first + i], var);
        if (d == 0)
            return -1;
        *has_low = *has_low || d > 0;
        *has_high = *has_high || d < 0;
    }
    return id;
}

void acsl_fold_conds(struct acsl_printer *q, int fold, int select, bool low)
{
    const struct ac x = q->c->ac.a[select];
    bool any = false;

    for (int i = 0; i < x.n; i++)
        if ((direction(q->c, &q->c->cond.a[x.first + i], q->c->ac.a[fold].var) > 0) == low) {
            text_puts(q->t, any ? " && " : "");
            acsl_conds(q, x.first + i, 1);
            any = true;
        }
}
