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

/* The final numbers of the patterns and symbols, so that rules which differ only in names are printed alike. */

/* What is kept: everything but instances that only attributes were read of. */
static void mark_used(const struct elab *e, bool *used)
{
    const struct rule *r = e->r;

    for (int p = 0; p < r->pattern.n; p++)
        used[p] = r->pattern.a[p].kind != PATTERN_INST;
    for (int p = 0; p < r->pattern.n; p++)
        for (int k = 0; k < r->pattern.a[p].nkid && r->pattern.a[p].kind != PATTERN_OP; k++)
            used[r->kid.a[r->pattern.a[p].kid + k]] = true;
    for (int k = 0; k < r->target.n; k++)
        used[r->source.a[k]] = used[r->target.a[k]] = true;
    for (int k = 0; k < e->template.n; k++)
        used[e->template.a[k].pattern] = true;
}

static bool known(const int *to, int p)
{
    return p < 0 || to[p] >= 0;
}

/* Are all that must come before p numbered? */
static bool ready(const struct elab *e, int p, const int *to)
{
    const struct rule *r = e->r;
    const struct pattern *q = &r->pattern.a[p];
    bool ok = known(to, q->opat) && known(to, q->like) && known(to, q->kind == PATTERN_INST ? q->index : -1);

    for (int k = 0; k < q->nkid && ok && q->kind != PATTERN_OP; k++)
        ok = known(to, r->kid.a[q->kid + k]);
    for (int k = 0; k < e->template.n && ok; k++)
        if (e->template.a[k].pattern == p)
            ok = known(to, e->template.a[k].first);
    return ok;
}

/* Each time the first that is ready, so that the order changes only where it must. */
static int number(const struct elab *e, const bool *used, int *to)
{
    int n = 0;
    bool more = true;

    while (more) {
        more = false;
        for (int p = 0; p < e->r->pattern.n; p++)
            if (used[p] && to[p] < 0 && ready(e, p, to)) {
                to[p] = n++;
                more = true;
            }
    }
    return n;
}

static void renumber(int *p, const int *to)
{
    if (*p >= 0)
        *p = to[*p];
}

static void renumber_rule(struct elab *e, const int *to)
{
    struct rule *r = e->r;

    for (int p = 0; p < r->pattern.n; p++) {
        struct pattern *q = &r->pattern.a[p];
        for (int k = 0; k < q->nkid && q->kind != PATTERN_OP; k++)
            renumber(&r->kid.a[q->kid + k], to);
        renumber(&q->opat, to);
        renumber(&q->like, to);
        if (q->kind == PATTERN_INST)
            renumber(&q->index, to);
    }
    for (int k = 0; k < r->source.n; k++) {
        renumber(&r->source.a[k], to);
        renumber(&r->target.a[k], to);
    }
    for (int s = 0; s < r->attrs.slot.n; s++)
        renumber(&r->attrs.slot.a[s].pattern, to);
    for (int k = 0; k < r->attrs.node.n; k++)
        if (r->attrs.node.a[k].kind == ATTR_MATCH)
            renumber(&r->attrs.node.a[k].op, to);
    for (int k = 0; k < e->note.n; k++)
        renumber(&e->note.a[k].variadic, to);
    for (int k = 0; k < e->template.n; k++) {
        renumber(&e->template.a[k].variadic, to);
        renumber(&e->template.a[k].pattern, to);
        renumber(&e->template.a[k].first, to);
    }
}

static bool circular(struct elab *e, int p)
{
    return check_fail(e, e->r->pattern.a[p].line, e->r->pattern.a[p].col,
                      "'%s' is part of a first pattern that contains a template of another Variadic", check_name(e, p));
}

bool check_tidy(struct elab *e)
{
    struct rule *r = e->r;
    size_t n = (size_t)r->pattern.n;
    bool *used = mem_zero(e->rs->mem, n, sizeof *used);
    int *to = mem_zero(e->rs->mem, n, sizeof *to), count = 0;
    struct pattern *sorted = mem_zero(e->rs->mem, n, sizeof *sorted);
    bool ok = used && to && sorted;

    if (!ok) {
        elab_nomem(e);
    } else {
        memset(to, -1, n * sizeof *to);
        mark_used(e, used);
        count = number(e, used, to);
        for (int p = 0; p < r->pattern.n && ok; p++)
            ok = !used[p] || to[p] >= 0 || circular(e, p);
    }
    if (ok) {
        renumber_rule(e, to);
        for (int p = 0; p < r->pattern.n; p++)
            if (to[p] >= 0)
                sorted[to[p]] = r->pattern.a[p];
        memcpy(r->pattern.a, sorted, (size_t)count * sizeof *sorted);
        r->pattern.n = count;
    }
    mem_free(used);
    mem_free(to);
    mem_free(sorted);
    return ok;
}

/* The final numbers of the symbols. A Symbol() has its number in the order of the text; that of a comprehension is the
   least that no other symbol in its body has, so that rules that differ only in such names are printed alike. */

enum { NOT_YET = -1 };

struct naming {
    const struct attrs *t;
    int *name;                /* of each symbol, or NOT_YET */
    int *seen;                /* of each expression, symbol: the last body it was met in */
    int *taken;               /* of each number: the last body in which another symbol has it */
    int *binder;              /* of each symbol: the last body in which a comprehension binds it */
    int body;
};

/* Recursion is bounded by ATTR_DEPTH_MAX. */
static void note_symbols(struct naming *n, int expr, bool binders)
{
    const struct attr_node *nd = &n->t->node.a[expr];
    const int pair[2] = { nd->a, nd->b }, *kid = pair;
    int kids = 0;

    if (n->seen[expr] == n->body)
        return;
    n->seen[expr] = n->body;
    switch (nd->kind) {
    case ATTR_CONST:
    case ATTR_ANY:
    case ATTR_ACCESS:
        break;
    case ATTR_SYMBOL:
        if (!binders && n->binder[nd->op] < n->body - 1 && n->name[nd->op] != NOT_YET)
            n->taken[n->name[nd->op]] = n->body;
        break;
    case ATTR_TUPLE:
    case ATTR_COND:
    case ATTR_MATCH:
    case ATTR_FUNC:
        kid = n->t->kid.a + nd->a;
        kids = nd->b;
        break;
    case ATTR_INST:
        kid = pair + 1;
        kids = 1;
        break;
    case ATTR_UNARY:
    case ATTR_REDUCE:
        kids = 1;
        break;
    default:
        if (nd->kind == ATTR_VAR || nd->kind == ATTR_MAP)
            n->binder[nd->op] = n->body;
        kids = 2;
    }
    for (int k = 0; k < kids; k++)
        note_symbols(n, kid[k], binders);
}

/* Bodies have smaller numbers than what binds their symbols: from the outermost comprehension inwards. */
static void name_all(struct naming *n)
{
    for (int expr = n->t->node.n - 1; expr >= 0; expr--) {
        const struct attr_node *nd = &n->t->node.a[expr];
        if ((nd->kind != ATTR_VAR && nd->kind != ATTR_MAP) || n->name[nd->op] != NOT_YET)
            continue;
        n->body++; /* the symbols bound inside */
        note_symbols(n, nd->b, true);
        n->body++; /* the others */
        note_symbols(n, nd->b, false);
        n->name[nd->op] = 0;
        while (n->taken[n->name[nd->op]] == n->body)
            n->name[nd->op]++;
    }
}

static void rename_all(struct rule *r, const int *name)
{
    for (int k = 0; k < r->attrs.node.n; k++) {
        struct attr_node *nd = &r->attrs.node.a[k];
        if ((nd->kind == ATTR_SYMBOL || nd->kind == ATTR_VAR || nd->kind == ATTR_MAP) && name[nd->op] != NOT_YET)
            nd->op = name[nd->op];
    }
    for (int p = 0; p < r->pattern.n; p++)
        if (r->pattern.a[p].kind == PATTERN_VARIADIC && r->pattern.a[p].index >= 0)
            r->pattern.a[p].index = name[r->pattern.a[p].index];
}

bool check_symbols(struct elab *e)
{
    struct mem *mem = e->rs->mem;
    size_t n = (size_t)e->bound.n + 1, exprs = (size_t)e->r->attrs.node.n + 1;
    int *all = mem_zero(mem, 3 * n + exprs, sizeof *all), free_symbols = 0;
    struct naming w = { &e->r->attrs, all, all + 3 * n, all + n, all + 2 * n, 1 };

    if (!all)
        return elab_nomem(e), false;
    for (int s = 0; s < e->bound.n; s++)
        w.name[s] = e->bound.a[s] ? NOT_YET : free_symbols++;
    name_all(&w);
    rename_all(e->r, w.name);
    mem_free(all);
    return true;
}
