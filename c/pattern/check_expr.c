/* What the expressions of a rule refer to is there when they are evaluated. */
#include <string.h>

#include "pattern/check_internal.h"

enum { STEPS_MAX = 2000000 };

/* Why may p, a part of the source, be undefined? */
static const char *reason(struct check *c, int p)
{
    static const char *const text[] = { "'%s' is inside an Optional: a match may leave it undefined",
                                        "'%s' is inside a Variadic that may have no instance",
                                        "'%s' is inside an Alt, in an alternative that may not be taken: use Match" };
    static const int kinds[] = { PATTERN_OPTIONAL, PATTERN_VARIADIC };
    enum { BITS = 8 * (int)sizeof(check_word) };
    check_word *ctx = mem_zero(c->e->rs->mem, (size_t)c->gwords, sizeof *ctx);
    int k;

    if (!ctx)
        return elab_nomem(c->e), text[0];
    memcpy(ctx, c->at, (size_t)c->gwords * sizeof *ctx);
    for (k = 0; k < 2; k++) {
        for (int q = 0; q < c->n; q++)
            if (c->guard[q] >= 0 && c->r->pattern.a[q].kind == kinds[k])
                ctx[c->guard[q] / BITS] |= 1ul << (c->guard[q] % BITS);
        check_context(c, ctx);
        if (check_is_bound(c, p))
            break;
    }
    mem_free(ctx);
    return text[k];
}

bool check_use(struct check *c, int p, int line, int col)
{
    if (!c->r->pattern.a[p].in_source)
        return check_fail(c->e, line, col, "'%s' is not part of the source: its attributes are not known",
                          check_name(c->e, p));
    if (check_is_bound(c, p))
        return true;
    return check_fail(c->e, line, col, reason(c, p), check_name(c->e, p));
}

/* A walk over an expression in one context. */
struct walk {
    struct check *c;
    int pattern;    /* whose expression it is, or -1: of a requirement */
    int line, col;  /* where it is used */
    check_word *ctx;
};

/* Template t, in an instance that has the template `user`: is it bound too? */
static bool inside(struct check *c, int user, int t, const struct attr_note *note)
{
    for (int v = 0; v < c->n; v++)
        if (c->r->pattern.a[v].in_source && check_owned(c, t, v) &&
            check_covers(c, c->r->kid.a[c->r->pattern.a[v].kid], t))
            return true;
    return check_covers(c, user, t) ||
           check_fail(c->e, note->line, note->col, "'%s' is inside an Optional: an instance may leave it undefined",
                      check_name(c->e, t));
}

/* p.label, or in a template that of the instance at hand */
static bool access(struct walk *w, int expr)
{
    struct check *c = w->c;
    const struct attr_note *note = &c->e->note.a[expr];
    int p = c->r->attrs.slot.a[c->r->attrs.node.a[expr].a].pattern;

    if (p == w->pattern && c->r->pattern.a[p].in_source)
        return true;
    if (!c->r->pattern.a[p].in_source || !check_is_template(c, p))
        return check_use(c, p, note->line, note->col);
    if (w->pattern >= 0 && check_may_read(c, w->pattern, p))
        return inside(c, w->pattern, p, note);
    return check_fail(c->e, note->line, note->col,
                      "'%s' is a template: outside its Variadic only its instances have attributes",
                      check_name(c->e, p));
}

/* src(p, index).label */
static bool instance(struct walk *w, int expr)
{
    struct check *c = w->c;
    const struct attr_node *nd = &c->r->attrs.node.a[expr];
    const struct attr_note *note = &c->e->note.a[expr];

    return check_instance(c, note->variadic, c->r->attrs.slot.a[nd->a].pattern, nd->b, note->line, note->col);
}

static bool symbol(struct walk *w, int expr)
{
    struct check *c = w->c;
    int s = c->r->attrs.node.a[expr].op;
    bool ok = w->pattern >= 0 && check_is_template(c, w->pattern);

    if (c->e->bound.a[s])
        return true;
    for (int v = 0; v < c->n && ok; v++)
        if (check_owned(c, w->pattern, v) && c->r->pattern.a[v].in_source == c->r->pattern.a[w->pattern].in_source)
            ok = c->r->pattern.a[v].index == s;
    return ok || check_fail(c->e, w->line, w->col, "a Symbol stands only in the templates of the Variadic whose index "
                                                   "it is%s", "");
}

static bool visit(struct walk *w, int expr);

/* Match: each clause in its alternative. */
static bool choice(struct walk *w, int expr)
{
    struct check *c = w->c;
    const struct attr_node *nd = &c->r->attrs.node.a[expr];
    const struct attr_note *note = &c->e->note.a[expr];
    enum { BITS = 8 * (int)sizeof(check_word) };
    bool ok = check_use(c, nd->op, note->line, note->col);

    for (int k = 0; k < nd->b && ok; k++) {
        int g = c->guard[nd->op] + k, stamp = c->stamps;
        check_word bit = 1ul << (g % BITS), old = w->ctx[g / BITS];
        w->ctx[g / BITS] |= bit;
        c->stamps = ++c->last_stamp;
        check_context(c, w->ctx);
        ok = visit(w, c->r->attrs.kid.a[nd->a + k]);
        c->stamps = stamp;
        w->ctx[g / BITS] = old;
        check_context(c, w->ctx);
    }
    return ok;
}

/* Recursion is bounded by ATTR_DEPTH_MAX. */
static bool visit(struct walk *w, int expr)
{
    struct check *c = w->c;
    const struct attr_node *nd = &c->r->attrs.node.a[expr];
    int kid[2] = { nd->a, nd->b };

    if (c->stamp[expr] == c->stamps)
        return true;
    c->stamp[expr] = c->stamps;
    if (++c->steps > STEPS_MAX)
        return check_fail(c->e, c->r->line, c->r->col, "the rule '%s' is too large",
                          strs_text(c->e->rs->strs, c->r->name));
    switch (nd->kind) {
    case ATTR_CONST:
    case ATTR_ANY:
        return true;
    case ATTR_ACCESS:
        return access(w, expr);
    case ATTR_SYMBOL:
        return symbol(w, expr);
    case ATTR_INST:
        return instance(w, expr) && visit(w, nd->b);
    case ATTR_MATCH:
        return choice(w, expr);
    case ATTR_TUPLE:
    case ATTR_COND:
    case ATTR_FUNC:
        for (int k = 0; k < nd->b; k++)
            if (!visit(w, c->r->attrs.kid.a[nd->a + k]))
                return false;
        return true;
    case ATTR_UNARY:
    case ATTR_REDUCE:
        return visit(w, kid[0]);
    default:
        return visit(w, kid[0]) && visit(w, kid[1]);
    }
}

static bool walk(struct check *c, int pattern, const check_word *ctx, int expr, int line, int col)
{
    struct walk w = { c, pattern, line, col, mem_zero(c->e->rs->mem, (size_t)c->gwords, sizeof *ctx) };
    bool ok;

    if (!w.ctx)
        return elab_nomem(c->e), false;
    if (ctx)
        memcpy(w.ctx, ctx, (size_t)c->gwords * sizeof *ctx);
    c->stamps = ++c->last_stamp;
    check_context(c, w.ctx);
    ok = visit(&w, expr);
    mem_free(w.ctx);
    return ok && c->e->status == CALQUE_OK;
}

bool check_pattern_exprs(struct check *c, int p)
{
    const struct pattern *q = &c->r->pattern.a[p];
    const check_word *ctx = check_ctx_of(c, p);

    if (q->value >= 0 && !walk(c, p, ctx, q->value, q->line, q->col))
        return false;
    for (int k = q->attr; k < q->attr + q->nattr; k++) {
        const struct pattern_attr *a = &c->r->attr.a[k];
        if (!walk(c, p, ctx, a->expr, a->line, a->col))
            return false;
    }
    return true;
}

bool check_require(struct check *c, const struct rule_require *q)
{
    return walk(c, -1, NULL, q->expr, q->line, q->col);
}
