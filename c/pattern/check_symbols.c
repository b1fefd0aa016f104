/* The final numbers of the symbols. A Symbol() has its number in the order of the text; that of a comprehension is the
   least that no other symbol in its body has, so that rules that differ only in such names are printed alike. */
#include <string.h>

#include "pattern/check_internal.h"

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
