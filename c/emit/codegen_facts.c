/* What is known where merged statements are compared with plain ones (codegen_check.c): forms over the variables of merged loops that
   are not negative, by ranges, bounds and branches; which conditions they decide, and which indices and expressions are the same by
   them. Of a merged form only its shape counts: ranges are those of the loops around it. */
#include "emit/codegen_internal.h"

#include <string.h>

bool facts_refuse(struct check *c, const char *why)
{
    if (c->status == CALQUE_OK) {
        c->status = CALQUE_NO;
        c->why = why;
    }
    return false;
}

bool facts_fail(struct check *c, enum calque_status st)
{
    if (st != CALQUE_NOMEM)
        return facts_refuse(c, "it is beyond the limits of the check");
    c->status = st;
    return false;
}

bool facts_ok(struct check *c)
{
    if (c->status == CALQUE_OK && c->l.status != CALQUE_OK)
        facts_fail(c, c->l.status);
    return c->status == CALQUE_OK;
}

bool facts_enter(struct check *c)
{
    if (c->depth >= CHECK_DEPTH || ++c->steps > CHECK_STEPS)
        facts_fail(c, CALQUE_LIMIT);
    c->depth++;
    return facts_ok(c);
}

/* ---- forms and facts; what is made between mark and release is forgotten ---- */

struct mark facts_mark(const struct check *c)
{
    return (struct mark){ c->l.atom.n, c->l.term.n, c->l.lin.n, c->fact.n };
}

void facts_release(struct check *c, struct mark m)
{
    c->l.atom.n = m.atom;
    c->l.term.n = m.term;
    c->l.lin.n = m.lin;
    c->fact.n = m.fact;
}

int facts_plus(struct check *c, int form, long k)
{
    return lin_add(&c->l, form, lin_const(&c->l, k));
}

static long greatest_divisor(long a, long b)
{
    while (b != 0) {
        long r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

/* form >= 0 without a divisor that all variables have: it is floor(form / k) >= 0. */
static int reduced(struct check *c, int form)
{
    const struct lin x = c->l.lin.a[form];
    long k = 0;

    for (int i = 0; i < x.n; i++)
        k = greatest_divisor(k, c->l.term.a[x.first + i].c);
    return k > 1 ? lin_div(&c->l, form, k) : form;
}

/* form >= 0 without its i-th division: s * floor(a / k) + r >= 0 is a >= k * ceil(-r / s) for s > 0, else
   a < k * (floor(r / -s) + 1). */
static int multiplied(struct check *c, int form, int i)
{
    struct lins *l = &c->l;
    struct term t = l->term.a[l->lin.a[form].first + i];
    struct atom a = l->atom.a[t.atom];
    int r;

    if (a.kind != ATOM_DIV)
        return -1;
    r = lin_sub(l, form, lin_scale(l, lin_div(l, a.lin, a.k), t.c));
    if (!facts_ok(c))
        return -1;
    if (t.c > 0)
        return lin_sub(l, a.lin, lin_scale(l, lin_div(l, facts_plus(c, lin_scale(l, r, -1), t.c - 1), t.c), a.k));
    return lin_sub(l, facts_plus(c, lin_scale(l, facts_plus(c, lin_div(l, r, -t.c), 1), a.k), -1), a.lin);
}

/* Is the form at least 0 by the facts: 1 always, 0 never, -1 that is not seen. */
int facts_sign(struct check *c, int form, int depth)
{
    struct lins *l = &c->l;
    int r, n;

    form = facts_ok(c) && form >= 0 ? reduced(c, form) : -1;
    if (!facts_ok(c) || form < 0)
        return -1;
    r = l->lin.a[form].lo >= 0 ? 1 : l->lin.a[form].hi < 0 ? 0 : -1;
    for (int i = 0; i < c->fact.n && r < 0; i++) {
        int more = lin_sub(l, form, c->fact.a[i]), less = lin_add(l, form, c->fact.a[i]);
        if (!facts_ok(c))
            return -1;
        r = l->lin.a[more].lo >= 0 ? 1 : l->lin.a[less].hi < 0 ? 0 : -1;
    }
    n = l->lin.a[form].n;
    for (int i = 0; i < n && r < 0 && depth < CHECK_DIVIDED; i++) {
        int other = multiplied(c, form, i);
        r = other < 0 ? -1 : facts_sign(c, other, depth + 1);
    }
    return facts_ok(c) ? r : -1;
}

/* A fact, and what it says without divisions. */
void facts_learn(struct check *c, int form, int depth)
{
    int n;

    form = facts_ok(c) ? reduced(c, form) : -1;
    if (!facts_ok(c))
        return;
    if (!ints_push(c->mem, &c->fact, form)) {
        facts_fail(c, CALQUE_NOMEM);
        return;
    }
    n = c->l.lin.a[form].n;
    for (int i = 0; i < n && depth < CHECK_DIVIDED && facts_ok(c); i++) {
        int other = multiplied(c, form, i);
        if (other >= 0)
            facts_learn(c, other, depth + 1);
    }
}

/* Are two forms the same number? */
static bool same_number(struct check *c, int a, int b)
{
    struct mark k = facts_mark(c);
    int d = lin_sub(&c->l, a, b);
    bool same = facts_ok(c) && c->l.lin.a[d].n == 0 && c->l.lin.a[d].k == 0;

    if (facts_ok(c) && !same)
        same = facts_sign(c, d, 0) == 1 && facts_sign(c, lin_scale(&c->l, d, -1), 0) == 1;
    facts_release(c, k);
    return same;
}

static int plain_index(struct check *c, int id);

/* An operation on plain indices; the second operand of products, quotients and remainders is a number. */
static int operate(struct check *c, const struct cix *x, int a)
{
    const struct cix *y = &c->p->cix.a[x->b];
    struct lins *l = &c->l;
    int b;

    if (x->kind == CIX_ADD || x->kind == CIX_SUB) {
        b = plain_index(c, x->b);
        return x->kind == CIX_ADD ? lin_add(l, a, b) : lin_sub(l, a, b);
    }
    if ((y->kind != CIX_SIZE && y->kind != CIX_NUMBER) || (x->kind != CIX_MUL && y->k <= 0))
        return -1;
    if (x->kind == CIX_MUL)
        return lin_scale(l, a, y->k);
    return x->kind == CIX_DIV || x->kind == CIX_FDIV ? lin_div(l, a, y->k) : lin_mod(l, a, y->k);
}

/* The form of a plain index. */
static int plain_index(struct check *c, int id)
{
    const struct cix *x = &c->p->cix.a[id];
    int a, r = -1;

    if (x->kind == CIX_LEVEL && c->plain[x->k] < 0)
        facts_refuse(c, "a loop's variable is used outside of it");
    if (x->kind == CIX_SIZE && x->k < 0)
        facts_refuse(c, "a size is symbolic");
    if (!facts_enter(c))
        r = -1;
    else if (x->kind == CIX_LEVEL)
        r = c->plain[x->k];
    else if (x->kind == CIX_SIZE || x->kind == CIX_NUMBER)
        r = lin_const(&c->l, x->k);
    else if (x->kind <= CIX_FMOD) {
        a = plain_index(c, x->a);
        r = facts_ok(c) ? operate(c, x, a) : -1;
    }
    c->depth--;
    if (facts_ok(c) && r < 0)
        facts_refuse(c, "an index is no form");
    return r;
}

/* The form of a merged index, over the checked ranges. Where C divides as it rounds, towards 0, the dividend is not negative. */
int facts_index(struct check *c, int id)
{
    const struct lins *from = &c->m->lins;
    struct lin x = from->lin.a[id];
    int r = lin_const(&c->l, x.k), a;

    if (!facts_enter(c))
        x.n = 0;
    for (int i = 0; i < x.n && facts_ok(c); i++) {
        struct term t = from->term.a[x.first + i];
        struct atom y = from->atom.a[t.atom];
        if (y.kind == ATOM_VAR) {
            a = y.var < c->m->code->level.n + c->m->alias.n ? c->merged[y.var] : -1;
            if (a < 0)
                facts_refuse(c, "a loop's variable is used outside of it");
        } else {
            a = facts_index(c, y.lin);
            if (facts_ok(c) && from->lin.a[y.lin].lo >= 0 && c->l.lin.a[a].lo < 0)
                facts_refuse(c, "a dividend may be negative");
            a = y.kind == ATOM_DIV ? lin_div(&c->l, a, y.k) : lin_mod(&c->l, a, y.k);
        }
        r = lin_add(&c->l, r, lin_scale(&c->l, a, t.c));
    }
    c->depth--;
    return facts_ok(c) ? r : -1;
}

/* ---- conditions ---- */

/* Left minus right of a condition of the plain or the merged code. */
static int difference(struct check *c, bool plain, const struct mcond *k)
{
    int a = plain ? plain_index(c, k->a) : facts_index(c, k->a), b = plain ? plain_index(c, k->b) : facts_index(c, k->b);

    return facts_ok(c) ? lin_sub(&c->l, a, b) : -1;
}

/* What `d op 0`, or its negation, says: in each of at most two alternatives, one or two forms are not negative. */
static int says(struct check *c, int op, int d, bool holds, int form[2][2])
{
    struct lins *l = &c->l;
    int up = facts_plus(c, d, -1), less = lin_scale(l, d, -1), down = facts_plus(c, less, -1);

    form[0][1] = form[1][1] = -1;
    switch (op) {
    case CMP_LT: form[0][0] = holds ? down : d; return 1;
    case CMP_LE: form[0][0] = holds ? less : up; return 1;
    case CMP_GT: form[0][0] = holds ? up : less; return 1;
    case CMP_GE: form[0][0] = holds ? d : down; return 1;
    default:
        if ((op == CMP_EQ) == holds) {
            form[0][0] = d;
            form[0][1] = less;
            return 1;
        }
        form[0][0] = up;
        form[1][0] = down;
        return 2;
    }
}

/* 1: what it says is known, 0: it is known not to be so, -1: neither. */
static int known(struct check *c, int op, int d)
{
    int form[2][2], n, r = 0;

    if (!facts_ok(c))
        return -1;
    n = says(c, op, d, true, form);
    for (int i = 0; i < n && r != 1; i++) {
        int a = facts_sign(c, form[i][0], 0), b = form[i][1] < 0 ? 1 : facts_sign(c, form[i][1], 0);
        r = a == 0 || b == 0 ? r : a == 1 && b == 1 ? 1 : -1;
    }
    return r;
}

/* Do all the conditions hold: 1 yes, 0 no, -1 that is not seen. */
int facts_known(struct check *c, bool plain, int first, int len)
{
    int all = 1;

    for (int i = 0; i < len && facts_ok(c) && all != 0; i++) {
        struct mark k = facts_mark(c);
        const struct mcond *x = &(plain ? c->p : c->m)->cond.a[first + i];
        int r = known(c, x->op, difference(c, plain, x));
        all = r == 1 ? all : r;
        facts_release(c, k);
    }
    return facts_ok(c) ? all : -1;
}

/* Is it so in each case? Cases that cannot be are left out. */
bool facts_cases(struct check *c, bool plain, int first, int len, in_case *ask, void *arg)
{
    const struct mcond *x = &(plain ? c->p : c->m)->cond.a[first];
    struct mark k = facts_mark(c);
    bool ok = true;
    int d;

    if (len == 0)
        return ask(c, true, arg);
    if (!facts_enter(c))
        ok = false;
    d = ok ? difference(c, plain, x) : -1;
    for (int holds = 0; holds < 2 && ok && facts_ok(c); holds++) {
        int form[2][2], n = says(c, x->op, d, holds, form);
        for (int i = 0; i < n && ok && facts_ok(c); i++) {
            int facts = c->fact.n;
            if (facts_sign(c, form[i][0], 0) == 0 || (form[i][1] >= 0 && facts_sign(c, form[i][1], 0) == 0))
                continue;
            facts_learn(c, form[i][0], 0);
            if (form[i][1] >= 0)
                facts_learn(c, form[i][1], 0);
            ok = facts_ok(c) && (holds ? facts_cases(c, plain, first + 1, len - 1, ask, arg) : ask(c, false, arg));
            c->fact.n = facts;
        }
    }
    c->depth--;
    facts_release(c, k);
    return ok && facts_ok(c);
}

/* ---- ranges of loops ---- */

bool facts_range_of(struct check *c, const struct ms *f, struct range *r)
{
    *r = (struct range){ .lo = f->from, .hi = f->n };
    if (f->nlo > CHECK_BOUNDS || f->nhi > CHECK_BOUNDS)
        return facts_fail(c, CALQUE_LIMIT);
    for (int i = 0; i < f->nlo + f->nhi; i++) {
        int form = facts_index(c, c->m->pool.a[f->first + i]);
        struct lin x;
        if (!facts_ok(c))
            return false;
        x = c->l.lin.a[form];
        if (x.n > 0 && i < f->nlo)
            r->low[r->nlow++] = form;
        else if (x.n > 0)
            r->high[r->nhigh++] = form;
        else if (i < f->nlo)
            r->lo = x.k > r->lo ? x.k : r->lo;
        else
            r->hi = x.k < r->hi ? x.k : r->hi;
    }
    return true;
}

bool facts_range_bound(struct check *c, const int *bound, int n, int form)
{
    for (int i = 0; i < n; i++)
        if (lin_equal(&c->l, bound[i], form))
            return true;
    return false;
}

bool facts_range_has(struct check *c, const struct range *a, const struct range *b)
{
    for (int i = 0; i < b->nlow; i++)
        if (!facts_range_bound(c, a->low, a->nlow, b->low[i]))
            return false;
    for (int i = 0; i < b->nhigh; i++)
        if (!facts_range_bound(c, a->high, a->nhigh, b->high[i]))
            return false;
    return true;
}

struct range facts_range_with(struct check *c, struct range r, bool low, int form)
{
    int *n = low ? &r.nlow : &r.nhigh;

    if (*n == CHECK_BOUNDS)
        facts_fail(c, CALQUE_LIMIT);
    else
        (low ? r.low : r.high)[(*n)++] = form;
    return r;
}

int facts_range_var(struct check *c, int var, const struct range *r)
{
    return r->hi - r->lo == 1 ? lin_const(&c->l, r->lo) : lin_var(&c->l, var, r->lo, r->hi - 1);
}

bool facts_range_learn(struct check *c, int var, const struct range *r)
{
    int facts = c->fact.n;
    bool can = true;

    for (int i = 0; i < r->nlow && facts_ok(c); i++)
        facts_learn(c, lin_sub(&c->l, var, r->low[i]), 0);
    for (int i = 0; i < r->nhigh && facts_ok(c); i++)
        facts_learn(c, facts_plus(c, lin_sub(&c->l, r->high[i], var), -1), 0);
    for (int i = facts; i < c->fact.n && can && facts_ok(c); i++)
        can = facts_sign(c, c->fact.a[i], 0) != 0;
    return can || !facts_ok(c);
}

/* ---- expressions ---- */

static bool exp_case(struct check *c, bool holds, void *arg)
{
    const struct two *t = arg;
    const struct mx *y = &c->m->mx.a[t->merged];

    return facts_exp(c, t->plain, holds ? y->a : y->b);
}

bool facts_place(struct check *c, int plain, int merged)
{
    struct mark k = facts_mark(c);
    int a, b;
    bool same;

    if (plain < 0 || merged < 0)
        return (plain < 0 && merged < 0) || facts_refuse(c, "a scalar is an array");
    a = plain_index(c, plain);
    b = facts_ok(c) ? facts_index(c, merged) : -1;
    same = facts_ok(c) && same_number(c, a, b);
    facts_release(c, k);
    return same || facts_refuse(c, "an offset is another one");
}

static bool same_leaf(struct check *c, const struct mx *x, const struct mx *y)
{
    if (x->kind != y->kind)
        return facts_refuse(c, "an operand is another one");
    switch (x->kind) {
    case MX_LIT:
        return (memcmp(&x->num, &y->num, sizeof x->num) == 0 && x->inum == y->inum) || facts_refuse(c, "a number is another one");
    case MX_VAR: return x->var == y->var || facts_refuse(c, "a variable is another one");
    case MX_LOAD: return x->var == y->var ? facts_place(c, x->lin, y->lin) : facts_refuse(c, "another array is read");
    default: return facts_refuse(c, "an operand is another one");
    }
}

bool facts_exp(struct check *c, int plain, int merged)
{
    const struct mx *x, *y = &c->m->mx.a[merged];
    struct two t = { plain, merged };
    bool same = facts_enter(c);
    int all;

    if (same && y->kind == MX_COND) {
        same = facts_cases(c, false, y->first, y->len, exp_case, &t);
        c->depth--;
        return same;
    }
    for (x = &c->p->mx.a[plain]; same && x->kind == MX_COND; x = &c->p->mx.a[plain]) {
        all = facts_known(c, true, x->first, x->len);
        if (all < 0)
            same = facts_refuse(c, "a condition is gone that is not decided");
        plain = all == 1 ? x->a : x->b;
    }
    if (same && x->kind == MX_CALL) {
        if (y->kind != MX_CALL || y->op != x->op || (x->b < 0) != (y->b < 0))
            same = facts_refuse(c, "an operation is another one");
        same = same && facts_exp(c, x->a, y->a) && (x->b < 0 || facts_exp(c, x->b, y->b));
    } else if (same) {
        same = same_leaf(c, x, y);
    }
    c->depth--;
    return same;
}
