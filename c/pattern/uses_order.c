#include "pattern/order_list.h"
#include "pattern/uses_room.h"

struct order_view uses_order(const struct uses *u)
{
    return (struct order_view){ .node = u->node.a, .n = u->node.n, .first = u->first, .last = u->last };
}

void uses_reorder(struct uses *u, struct order_view v)
{
    u->first = (int)v.first;
    u->last = (int)v.last;
}

void uses_append(struct uses *u, int k)
{
    uses_reorder(u, order_append(uses_order(u), k));
}

void uses_place(struct uses *u, int node, int next)
{
    uses_reorder(u, order_place(uses_order(u), node, next));
}
