/* Not proved: what makes room for a memo; what it is filled with is (memo_fill.c). */
#include "attr/memo.h"

#include <string.h>

#include "attr/memo_arena.h"
#include "attr/memo_fill.h"

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

struct attr_put memo_arena(const struct attr_memo *m, const struct attrs *t, struct attr_node *node)
{
    return (struct attr_put){ .node = node, .kid = t->kid.a, .n = m->n, .cap = m->n, .nkid = t->kid.n,
                              .capkid = t->kid.cap, .nvalue = t->values->n, .nslot = t->slot.n, .nsymbol = t->nsymbol };
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
    memo_fill((struct memo_view){ .t = memo_arena(m, t, t->node.a), .of = m->of, .table = table, .size = size }, *t->values,
              memo_arena(m, t, m->node));
    mem_free(table);
    return true;
}
