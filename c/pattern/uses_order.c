#include "pattern/uses_order.h"

struct order_view uses_order(const struct uses *u)
{
    return (struct order_view){ .node = u->node.a, .n = u->node.n, .first = u->first, .last = u->last };
}

void uses_reorder(struct uses *u, struct order_view v)
{
    u->first = (int)v.first;
    u->last = (int)v.last;
}

void uses_place(struct uses *u, int node, int next)
    /*@ ghost (struct order_view o) */
{
    struct order_view v = uses_order(u);

    /*@ assert view: v == o; */
    v = order_place(v, node, next);
    /*@ assert ok: order_ok(v); */
    uses_reorder(u, v);
    /*@ assert still: order_ok(v); */
}
