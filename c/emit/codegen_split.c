/* Loops split where a guard under them changes: one plain loop for each range. A guard is normally `form >= 0`; where the form
   is linear in the loop's variable it holds from a bound on, or before one. Bounds that are numbers become the ends of loops
   with a range of their own, which decides the guards; other bounds limit two loops over the same variable, in which the
   guard is a known fact. Parts run in the order of their iterations, so that reductions keep theirs. */
#include "emit/codegen_internal.h"

#include <stdlib.h>
#include <string.h>

bool part_is_cell(const struct part *r)
{
    return r->hi - r->lo == 1 && r->low.n + r->high.n == 0;
}

static int negated(struct gen *g, int form) /* form < 0 */
{
    struct lins *l = &g->m->lins;

    return lin_sub(l, lin_const(l, -1), form);
}

/* The divided form that makes form - *factor * floor(it / *by) one without var; -1: there is no single such quotient. */
static int only_quotient(struct gen *g, int form, int var, long *factor, long *by)
{
    struct lins *l = &g->m->lins;
    struct lin x = l->lin.a[form];
    int found = -1;

    for (int i = 0; i < x.n; i++) {
        struct term t = l->term.a[x.first + i];
        struct atom a = l->atom.a[t.atom];
        if (a.kind == ATOM_VAR ? a.var != var : !lin_uses(l, a.lin, var))
            continue;
        if (a.kind != ATOM_DIV || found >= 0)
            return -1;
        found = a.lin;
        *factor = t.c;
        *by = a.k;
    }
    return found;
}

/* form >= 0 without quotients of var: s * floor(a / k) + r >= 0 is a >= k * ceil(-r / s), or for -s: a < k * (floor(r / s) + 1). */
static int undivided(struct gen *g, int form, int var)
{
    struct lins *l = &g->m->lins;

    for (;;) {
        long s = 0, k = 0;
        int a = gen_ok(g) ? only_quotient(g, form, var, &s, &k) : -1, r, edge;
        if (a < 0)
            return form;
        r = lin_sub(l, form, lin_scale(l, lin_div(l, a, k), s));
        if (!gen_ok(g) || lin_uses(l, r, var))
            return form;
        if (s > 0) {
            edge = lin_div(l, lin_sub(l, lin_const(l, s - 1), r), s);
            form = lin_sub(l, a, lin_scale(l, edge, k));
        } else {
            edge = lin_add(l, lin_div(l, r, -s), lin_const(l, 1));
            form = lin_sub(l, lin_sub(l, lin_scale(l, edge, k), lin_const(l, 1)), a);
        }
    }
}

/* Where form >= 0 begins or ends to hold for var. */
static enum place place(struct gen *g, int form, int var, int *bound)
{
    struct lins *l = &g->m->lins;
    long s;
    int r;

    if (!gen_ok(g) || !lin_uses(l, form, var))
        return PLACE_OUTSIDE;
    form = undivided(g, form, var);
    if (!gen_ok(g))
        return PLACE_INSIDE;
    s = lin_coef(l, form, var);
    r = lin_sub(l, form, lin_scale(l, lin_var(l, var, 0, 0), s));
    if (!gen_ok(g) || s == 0 || lin_uses(l, r, var))
        return PLACE_INSIDE;
    if (s > 0) /* v >= -r / s */
        *bound = lin_div(l, lin_sub(l, lin_const(l, s - 1), r), s);
    else /* v <= r / -s */
        *bound = lin_add(l, lin_div(l, r, -s), lin_const(l, 1));
    return s > 0 ? PLACE_LOW : PLACE_HIGH;
}

/* Forms that are all not negative where the condition holds, for EQ and NE where a = b; their number. */
static int forms_of(struct gen *g, const struct mcond *k, int form[2])
{
    struct lins *l = &g->m->lins;
    bool strict = k->op == CMP_LT || k->op == CMP_GT;

    form[0] = k->op == CMP_LT || k->op == CMP_LE ? lin_sub(l, k->b, k->a) : lin_sub(l, k->a, k->b);
    form[0] = strict ? lin_sub(l, form[0], lin_const(l, 1)) : form[0];
    form[1] = lin_sub(l, k->b, k->a);
    return k->op == CMP_EQ || k->op == CMP_NE ? 2 : 1;
}

enum place split_cond(struct gen *g, const struct mcond *k, int var, int *bound)
{
    int form[2];

    if (forms_of(g, k, form) == 2)
        return gen_ok(g) && !lin_uses(&g->m->lins, form[0], var) ? PLACE_OUTSIDE : PLACE_INSIDE;
    return place(g, form[0], var, bound);
}

/* What the commands under a loop over var ask of it. */
struct scan {
    struct gen *g;
    const struct part *r;
    struct ints inner; /* levels of the loops inside */
    struct { long *a; int n, cap; } at; /* bounds that are numbers */
    int bound, form;   /* one that is none, of form >= 0; or -1 */
    bool low;
};

static bool is_outer(struct scan *s, int form)
{
    for (int i = 0; i < s->inner.n; i++)
        if (lin_uses(&s->g->m->lins, form, s->inner.a[i]))
            return false;
    return true;
}

static void scan_form(struct scan *s, int form, bool both)
{
    struct gen *g = s->g;
    enum place where;
    int bound = -1;
    long at;

    if (!gen_ok(g) || gen_sign(g, form) >= 0)
        return;
    where = place(g, form, s->r->var, &bound);
    if (!gen_ok(g) || (where != PLACE_LOW && where != PLACE_HIGH))
        return;
    if (g->m->lins.lin.a[bound].n > 0) {
        if (both && s->bound < 0 && is_outer(s, bound)) {
            s->bound = bound;
            s->form = form;
            s->low = where == PLACE_LOW;
        }
        return;
    }
    at = g->m->lins.lin.a[bound].k;
    if (at <= s->r->lo || at >= s->r->hi)
        return;
    if (!vec_room(g->m->mem, &s->at, 1))
        gen_fail(g, CALQUE_NOMEM);
    else
        s->at.a[s->at.n++] = at;
}

/* The conditions; both: there is something to do where they do not hold. 0: never all true, 1: always, -1: it depends. */
static int scan_conds(struct scan *s, int first, int len, bool both)
{
    struct gen *g = s->g;
    int all = 1;

    for (int i = 0; i < len && gen_ok(g) && all != 0; i++) {
        struct cond k = g->c->cond.a[first + i];
        struct mcond x = { k.op, gen_index(g, k.a), gen_index(g, k.b) };
        int form[2], n, known = gen_ok(g) ? gen_decide(g, &x) : 1;
        if (known == 1)
            continue;
        all = known;
        n = known < 0 ? forms_of(g, &x, form) : 0;
        for (int f = 0; f < n; f++)
            scan_form(s, form[f], both);
    }
    return all;
}

/* Recursion is bounded by EXP_DEPTH_MAX; a shared expression is visited once. */
static void scan_view(struct scan *s, int id)
{
    struct gen *g = s->g;
    const struct vexp *v = &g->c->vexp.a[id];
    int known = -1;

    if (g->depth > EXP_DEPTH_MAX)
        gen_fail(g, CALQUE_LIMIT);
    if (!gen_ok(g) || g->seen[id] == g->stamp || v->kind == VEXP_ROOT || v->kind == VEXP_LIT)
        return;
    g->seen[id] = g->stamp;
    g->depth++;
    if (v->kind == VEXP_ITE)
        known = scan_conds(s, v->first, v->len, true);
    if (known != 0)
        scan_view(s, v->a);
    if (known != 1 && (v->kind == VEXP_ITE || v->kind == VEXP_CALL || v->kind == VEXP_ZIP || v->kind == VEXP_PAIR) && v->b >= 0)
        scan_view(s, v->b);
    g->depth--;
}

static void scan_comm(struct scan *s, int id);

static void scan_loop(struct scan *s, const struct comm *c)
{
    struct gen *g = s->g;
    long n = g->c->level.a[c->level].extent;

    if (n == 0)
        return;
    g->loop[c->level] = n == 1 ? lin_const(&g->m->lins, 0) : lin_var(&g->m->lins, c->level, 0, n - 1);
    if (!ints_push(g->m->mem, &s->inner, c->level))
        gen_fail(g, CALQUE_NOMEM);
    scan_comm(s, c->a);
    s->inner.n -= gen_ok(g);
}

static void scan_comm(struct scan *s, int id)
{
    struct gen *g = s->g;
    const struct comm *c = &g->c->comm.a[id];
    int known;

    if (g->depth > EXP_DEPTH_MAX)
        gen_fail(g, CALQUE_LIMIT);
    if (!gen_ok(g))
        return;
    g->depth++;
    switch (c->kind) {
    case COMM_SKIP: break;
    case COMM_SEQ:
        for (int i = 0; i < c->len; i++)
            scan_comm(s, g->c->pool.a[c->first + i]);
        break;
    case COMM_ASSIGN: scan_view(s, c->b); break;
    case COMM_NEW: scan_comm(s, c->a); break;
    case COMM_IF:
        known = scan_conds(s, c->first, c->len, g->c->comm.a[c->b].kind != COMM_SKIP);
        if (known != 0)
            scan_comm(s, c->a);
        if (known != 1)
            scan_comm(s, c->b);
        break;
    default: scan_loop(s, c); break;
    }
    g->depth--;
}

static int by_value(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;

    return (x > y) - (x < y);
}

static void sort_bounds(struct scan *s)
{
    int n = 0;

    if (s->at.n > 0)
        qsort(s->at.a, (size_t)s->at.n, sizeof *s->at.a, by_value);
    for (int i = 0; i < s->at.n; i++)
        if (n == 0 || s->at.a[n - 1] != s->at.a[i])
            s->at.a[n++] = s->at.a[i];
    s->at.n = n;
}

static int part(struct gen *g, const struct comm *c, const struct split_rules *rule, struct part *r, long most);

/* A variable for a part of the loop. */
static int new_var(struct gen *g, const struct comm *c)
{
    if (!ints_push(g->m->mem, &g->m->alias, c->level))
        gen_fail(g, CALQUE_NOMEM);
    return g->vars++;
}

/* One loop from each number to the next. */
static int at_numbers(struct gen *g, const struct comm *c, const struct split_rules *rule, struct part *r, const struct scan *s,
                      long most)
{
    long lo = r->lo, hi = r->hi;
    int var = r->var, n = s->at.n + 1, x = -1, *items = mem_resize(g->m->mem, NULL, (size_t)n, sizeof *items);

    if (!items) {
        gen_fail(g, CALQUE_NOMEM);
        return -1;
    }
    for (int i = 0; i < n && gen_ok(g); i++) {
        r->lo = i > 0 ? s->at.a[i - 1] : lo;
        r->hi = i < n - 1 ? s->at.a[i] : hi;
        r->var = new_var(g, c);
        items[i] = part(g, c, rule, r, most / n);
    }
    r->lo = lo;
    r->hi = hi;
    r->var = var;
    if (gen_ok(g))
        x = rule->parts(g, c, items, n);
    mem_free(items);
    return x;
}

/* One side of the bound, where the form is known not to be negative. */
static int side(struct gen *g, const struct comm *c, const struct split_rules *rule, struct part *r, struct ints *ends, int bound,
                int fact, long most)
{
    int x = -1;

    if (!gen_ok(g))
        return -1;
    if (!ints_push(g->m->mem, ends, bound) || !ints_push(g->m->mem, &g->fact, fact)) {
        gen_fail(g, CALQUE_NOMEM);
        return -1;
    }
    x = part(g, c, rule, r, most);
    ends->n--;
    g->fact.n--;
    return x;
}

/* One loop before the bound, one from it on. */
static int at_bound(struct gen *g, const struct comm *c, const struct split_rules *rule, struct part *r, const struct scan *s,
                    long most)
{
    int no = negated(g, s->form), items[2];

    items[0] = side(g, c, rule, r, &r->high, s->bound, s->low ? no : s->form, most / 2);
    items[1] = side(g, c, rule, r, &r->low, s->bound, s->low ? s->form : no, most / 2);
    return gen_ok(g) ? rule->parts(g, c, items, 2) : -1;
}

static int part(struct gen *g, const struct comm *c, const struct split_rules *rule, struct part *r, long most)
{
    struct lins *l = &g->m->lins;
    struct scan s = { .g = g, .r = r, .bound = -1, .form = -1 };
    int form, x = -1;

    form = part_is_cell(r) ? lin_const(l, r->lo) : lin_var(l, r->var, r->lo, r->hi - 1);
    g->loop[c->level] = form;
    if (gen_ok(g) && most > 1 && !part_is_cell(r)) {
        g->stamp++;
        scan_comm(&s, c->a);
        sort_bounds(&s);
    }
    if (gen_ok(g) && s.at.n > 0 && s.at.n < most)
        x = at_numbers(g, c, rule, r, &s, most);
    else if (gen_ok(g) && s.bound >= 0 && most > 1)
        x = at_bound(g, c, rule, r, &s, most);
    else if (gen_ok(g))
        x = rule->loop(g, c, r);
    mem_free(s.at.a);
    ints_free(&s.inner);
    return x;
}

int split_loop(struct gen *g, const struct comm *c, const struct split_rules *rule)
{
    struct part r = { .var = c->level, .hi = g->c->level.a[c->level].extent };
    int x = part(g, c, rule, &r, g->most);

    ints_free(&r.low);
    ints_free(&r.high);
    return x;
}
