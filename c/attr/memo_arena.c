#include "attr/memo_arena.h"

struct attr_put memo_source(const struct attrs *t)
{
    return (struct attr_put){ .node = t->node.a, .kid = t->kid.a, .n = t->node.n, .cap = t->node.cap, .nkid = t->kid.n,
                              .capkid = t->kid.cap, .nvalue = t->values->n, .nslot = t->slot.n, .nsymbol = t->nsymbol };
}

struct attr_put memo_arena(const struct attr_memo *m, const struct attrs *t, struct attr_node *node)
{
    return (struct attr_put){ .node = node, .kid = t->kid.a, .n = m->n, .cap = m->n, .nkid = t->kid.n,
                              .capkid = t->kid.cap, .nvalue = t->values->n, .nslot = t->slot.n, .nsymbol = t->nsymbol };
}
