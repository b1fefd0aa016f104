#include "attr/memo.h"

#include <string.h>

#include "attr/memo_core.h"
#include "attr/memo_table.h"

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

/* The expressions of t, their nodes in `node`. */
static struct attr_put arena_of(const struct attr_memo *m, const struct attrs *t, struct attr_node *node)
{
    return (struct attr_put){ .node = node, .kid = t->kid.a, .n = m->n, .cap = m->n, .nkid = t->kid.n,
                              .capkid = t->kid.cap, .nvalue = t->values->n, .nslot = t->slot.n, .nsymbol = t->nsymbol };
}

/* Classes, and the list of each. */
static void classify(struct attr_memo *m, const struct attrs *t, int *table, int size)
{
    memset(m->of, 0, (size_t)m->n * sizeof *m->of);
    memo_classify((struct memo_view){ .t = arena_of(m, t, t->node.a), .of = m->of, .table = table, .size = size }, *t->values);
    memo_link(m->of, m->n);
}

static unsigned long bit(int symbol)
{
    return 1UL << (symbol < 63 ? symbol : 63);
}

/* FV(var a s n) = FV(n) + (FV(a) - s). */
static unsigned long free_symbols(const struct attr_memo *m, struct attr_put t, int i)
{
    const struct attr_node *nd = &t.node[i];
    int n = attr_kids(t, i);
    unsigned long all = 0;

    if (nd->kind == ATTR_SYMBOL)
        return bit(nd->op);
    if (nd->kind == ATTR_VAR || nd->kind == ATTR_MAP)
        return m->of[nd->a].free | (m->of[nd->b].free & ~(nd->op < 63 ? bit(nd->op) : 0));
    for (int k = 0; k < n; k++)
        all |= m->of[attr_kid(t, i, k)].free;
    return all;
}

/* Uses, free symbols, and what is worth remembering: closed, no leaf, and written several times, or with several uses, or
   with one in an expression that is not closed. */
static void survey(struct attr_memo *m, struct attr_put t)
{
    for (int i = 0; i < m->n; i++) {
        m->of[i].free = free_symbols(m, t, i);
        m->of[i].keep = m->of[i].next >= 0 && m->of[i].free == 0 && t.node[i].depth > 0;
    }
    for (int i = 0; i < m->n; i++) {
        int n = attr_kids(t, i);

        for (int k = 0; k < n; k++) {
            int x = attr_kid(t, i, k);
            struct attr_memo_class *c = &m->of[m->of[x].first];

            c->uses += m->of[i].first == i;
            if (c->free == 0 && t.node[x].depth > 0 && (c->uses > 1 || m->of[i].free))
                c->keep = true;
        }
    }
}

bool attr_memo_start(struct attr_memo *m, const struct attrs *t)
{
    int size = 16;
    int *table;

    m->n = 0;
    while (size < 2 * t->node.n)
        size *= 2;
    if ((m->cap < t->node.n &&
         !mem_grow(m->mem, (void **)(void *)&m->node, &m->cap, t->node.n, sizeof *m->node)) ||
        (m->capof < t->node.n && !mem_grow(m->mem, (void **)(void *)&m->of, &m->capof, t->node.n, sizeof *m->of)))
        return false;
    table = mem_resize(m->mem, NULL, (size_t)size, sizeof *table);
    if (!table)
        return false;
    m->n = t->node.n;
    if (m->n)
        memcpy(m->node, t->node.a, (size_t)m->n * sizeof *m->node);
    if (m->n)
        classify(m, t, table, size);
    survey(m, arena_of(m, t, t->node.a));
    mem_free(table);
    return true;
}
