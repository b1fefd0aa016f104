#include "pattern/uses_room.h"

#include <string.h>

#include "pattern/uses_fill.h"

void uses_init(struct uses *u, struct mem *mem)
{
    memset(u, 0, sizeof *u);
    u->mem = mem;
    u->first = u->last = -1;
}

void uses_free(struct uses *u)
{
    mem_free(u->node.a);
    mem_free(u->slot.a);
    ints_free(&u->output);
    uses_init(u, u->mem);
}

void uses_free_data(struct graph *g, struct uses_view v, int n)
{
    for (int k = 0; k < n; k++) {
        const struct node *nd = &g->node.a[v.node[k].died];
        if (nd->kind == NODE_CONST)
            tensor_free(&g->tensor.a[nd->data]);
    }
}

enum calque_status uses_extend(struct uses *u, const struct graph *g, struct diag *d)
{
    struct uses_view old, all;

    if (!vec_room(u->mem, &u->node, g->node.n - u->node.n) ||
        !vec_room(u->mem, &u->slot, g->in.n - u->slot.n))
        return diag_nomem(d);
    old = all = uses_lists(u, g);
    all.n = g->node.n;
    all.m = g->in.n;
    uses_reorder(u, lists_grow(old, all, uses_order(u), g->node.a));
    u->node.n = all.n;
    u->slot.n = all.m;
    return CALQUE_OK;
}

enum calque_status uses_build(struct uses *u, const struct graph *g, struct diag *d)
{
    u->node.n = u->slot.n = u->output.n = 0;
    u->first = u->last = -1;
    if (!vec_room(u->mem, &u->node, g->node.n) || !vec_room(u->mem, &u->slot, g->in.n) ||
        !vec_room(u->mem, &u->output, g->output.n))
        return diag_nomem(d);
    u->node.n = g->node.n;
    u->slot.n = g->in.n;
    u->output.n = g->output.n;
    uses_reorder(u, lists_fill(uses_lists(u, g), uses_outputs(u, g), g->node.a));
    return CALQUE_OK;
}
