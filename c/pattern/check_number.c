/* The final numbers of the patterns and symbols, so that rules which differ only in names are printed alike. */
#include "pattern/check_internal.h"

#include <string.h>

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
static void visit(struct naming *n, int expr, bool binders)
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
        visit(n, kid[k], binders);
}

/* Bodies have smaller numbers than what binds their symbols: from the outermost comprehension inwards. */
static void name_all(struct naming *n)
{
    for (int expr = n->t->node.n - 1; expr >= 0; expr--) {
        const struct attr_node *nd = &n->t->node.a[expr];
        if ((nd->kind != ATTR_VAR && nd->kind != ATTR_MAP) || n->name[nd->op] != NOT_YET)
            continue;
        n->body++; /* the symbols bound inside */
        visit(n, nd->b, true);
        n->body++; /* the others */
        visit(n, nd->b, false);
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
