#include "attr/memo.h"

#include <string.h>

#include "attr/run.h"

void attr_memo_init(struct attr_memo *m, struct mem *mem)
{
    memset(m, 0, sizeof *m);
    m->mem = mem;
}

void attr_memo_free(struct attr_memo *m)
{
    mem_free(m->node);
    mem_free(m->of);
    attr_memo_init(m, m->mem);
}

/* The children of node i: their number, and where they stand. */
static int children(const struct attrs *t, const struct attr_node *nd, int own[2], const int **kid)
{
    own[0] = nd->kind == ATTR_INST ? nd->b : nd->a;
    own[1] = nd->b;
    *kid = own;
    switch (nd->kind) {
    case ATTR_CONST:
    case ATTR_ANY:
    case ATTR_ACCESS:
    case ATTR_SYMBOL:
        return 0;
    case ATTR_UNARY:
    case ATTR_REDUCE:
    case ATTR_INST:
        return 1;
    case ATTR_BINARY:
    case ATTR_PROJ:
    case ATTR_VAR:
    case ATTR_MAP:
        return 2;
    default:
        *kid = nd->b ? t->kid.a + nd->a : own;
        return nd->b;
    }
}

/* What a node says besides its children: constants by value, slots by number. */
static bool same_root(const struct attrs *t, const struct attr_node *x, const struct attr_node *y)
{
    if (x->kind != y->kind || x->op != y->op)
        return false;
    if (x->kind == ATTR_CONST)
        return value_equal(t->values, x->a, y->a);
    return (x->kind != ATTR_ACCESS && x->kind != ATTR_INST) || x->a == y->a;
}

static bool same_expression(const struct attr_memo *m, const struct attrs *t, int i, int j)
{
    const struct attr_node *x = &t->node.a[i], *y = &t->node.a[j];
    const int *xk, *yk;
    int xo[2], yo[2], n = children(t, x, xo, &xk);

    if (!same_root(t, x, y) || children(t, y, yo, &yk) != n)
        return false;
    for (int k = 0; k < n; k++)
        if (m->of[xk[k]].first != m->of[yk[k]].first)
            return false;
    return true;
}

static unsigned long mix(unsigned long h, unsigned long x)
{
    return (h ^ x) * 0x9e3779b97f4a7c15UL;
}

static unsigned long hash(const struct attr_memo *m, const struct attrs *t, int i)
{
    const struct attr_node *nd = &t->node.a[i];
    const struct value *v = nd->kind == ATTR_CONST ? &t->values->v[nd->a] : NULL;
    unsigned long h = mix((unsigned long)nd->kind, (unsigned long)nd->op);
    const int *kid;
    int own[2], n = children(t, nd, own, &kid);

    if (v)
        h = mix(mix(mix(h, (unsigned long)v->kind), (unsigned long)v->num), (unsigned long)v->len);
    if (nd->kind == ATTR_ACCESS || nd->kind == ATTR_INST)
        h = mix(h, (unsigned long)nd->a);
    for (int k = 0; k < n; k++)
        h = mix(h, (unsigned long)m->of[kid[k]].first);
    return h ^ h >> 29;
}

/* Finds the first node that is the same expression as node i, for each i; table has a power of two of entries, -1: free. */
static void classify(struct attr_memo *m, const struct attrs *t, int *table, unsigned long size)
{
    for (unsigned long h = 0; h < size; h++)
        table[h] = -1;
    for (int i = 0; i < m->n; i++) {
        unsigned long h = hash(m, t, i) & (size - 1);

        while (table[h] >= 0 && !same_expression(m, t, table[h], i))
            h = (h + 1) & (size - 1);
        m->of[i] = (struct attr_memo_class){ .first = i, .next = -1 };
        if (table[h] >= 0) {
            m->of[i].first = table[h];
            m->of[i].next = m->of[table[h]].next;
            m->of[table[h]].next = i;
        } else
            table[h] = i;
    }
}

static unsigned long bit(int symbol)
{
    return 1UL << (symbol < 63 ? symbol : 63);
}

/* FV(var a s n) = FV(n) + (FV(a) - s). */
static unsigned long free_symbols(const struct attr_memo *m, const struct attrs *t, int i)
{
    const struct attr_node *nd = &t->node.a[i];
    const int *kid;
    int own[2], n = children(t, nd, own, &kid);
    unsigned long all = 0;

    if (nd->kind == ATTR_SYMBOL)
        return bit(nd->op);
    if (nd->kind == ATTR_VAR || nd->kind == ATTR_MAP)
        return m->of[nd->a].free | (m->of[nd->b].free & ~(nd->op < 63 ? bit(nd->op) : 0));
    for (int k = 0; k < n; k++)
        all |= m->of[kid[k]].free;
    return all;
}

/* Uses, free symbols, and what is worth remembering: closed, no leaf, and written several times, or with several uses, or
   with one in an expression that is not closed. */
static void survey(struct attr_memo *m, const struct attrs *t)
{
    const int *kid;
    int own[2], n;

    for (int i = 0; i < m->n; i++) {
        m->of[i].free = free_symbols(m, t, i);
        m->of[i].keep = m->of[i].next >= 0 && m->of[i].free == 0 && t->node.a[i].depth > 0;
    }
    for (int i = 0; i < m->n; i++) {
        n = children(t, &t->node.a[i], own, &kid);
        for (int k = 0; k < n; k++) {
            struct attr_memo_class *c = &m->of[m->of[kid[k]].first];

            c->uses += m->of[i].first == i;
            if (c->free == 0 && t->node.a[kid[k]].depth > 0 && (c->uses > 1 || m->of[i].free))
                c->keep = true;
        }
    }
}

bool attr_memo_start(struct attr_memo *m, const struct attrs *t)
{
    unsigned long size = 16;
    int *table;

    m->n = 0;
    while (size < 2 * (unsigned long)t->node.n)
        size *= 2;
    if ((m->cap < t->node.n &&
         !mem_grow(m->mem, (void **)(void *)&m->node, &m->cap, t->node.n, sizeof *m->node)) ||
        (m->capof < t->node.n && !mem_grow(m->mem, (void **)(void *)&m->of, &m->capof, t->node.n, sizeof *m->of)))
        return false;
    table = mem_resize(m->mem, NULL, size, sizeof *table);
    if (!table)
        return false;
    m->n = t->node.n;
    if (m->n)
        memcpy(m->node, t->node.a, (size_t)m->n * sizeof *m->node);
    classify(m, t, table, size);
    survey(m, t);
    mem_free(table);
    return true;
}

/* The expressions that are the same as node i are the constant v from now on. */
static void remember(struct attr_memo *m, int i, int v)
{
    for (int j = i; j >= 0; j = m->of[j].next) {
        m->node[j].kind = ATTR_CONST;
        m->node[j].a = v;
    }
}

/* Marks what expression a consists of. */
static void mark(struct attr_memo *m, const struct attrs *t, int a)
{
    const int *kid;
    int own[2], n;

    for (int i = 0; i <= a; i++)
        m->of[i].marked = i == a;
    for (int i = a; i >= 0; i--) {
        if (!m->of[i].marked)
            continue;
        n = children(t, &m->node[i], own, &kid);
        for (int k = 0; k < n; k++)
            m->of[kid[k]].marked = true;
    }
}

/* Smaller expressions come first, so that each is evaluated with what it consists of remembered. What is stuck, or too
   large, is left to the evaluation of the whole: perhaps it is not needed. */
enum attr_result attr_eval_memo(struct attrs *t, const struct attr_env *env, struct attr_memo *m, int a, int *out)
{
    enum attr_result res;
    int v;

    if (a < 0 || a >= m->n)
        return attr_eval(t, env, a, out);
    mark(m, t, a);
    for (int i = 0; i <= a; i++) {
        struct attr_memo_class *c = &m->of[m->of[i].first];

        if (!m->of[i].marked || !c->keep || c->tried)
            continue;
        c->tried = true;
        if (attr_run_eval(t, m->node, env, i, &v) == ATTR_VALUE)
            remember(m, m->of[i].first, v);
    }
    res = attr_run_eval(t, m->node, env, a, out);
    if (res == ATTR_VALUE && m->of[a].free == 0)
        remember(m, m->of[a].first, *out);
    return res;
}
