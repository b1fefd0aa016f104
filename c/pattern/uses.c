#include "pattern/uses.h"

#include <string.h>

#include "pattern/uses_grow.h"
#include "pattern/uses_output.h"

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

struct uses_view uses_lists(const struct uses *u, const struct graph *g)
{
    return (struct uses_view){ .node = u->node.a, .slot = u->slot.a, .in = g->in.a, .n = u->node.n, .m = u->slot.n };
}

static struct output_view output_lists(const struct uses *u, const struct graph *g)
{
    return (struct output_view){ .node = u->node.a, .next = u->output.a, .out = g->output.a, .n = u->node.n, .m = u->output.n };
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
    uses_reorder(u, uses_grow(old, all, uses_order(u), g->node.a));
    u->node.n = all.n;
    u->slot.n = all.m;
    return CALQUE_OK;
}

enum calque_status uses_build(struct uses *u, const struct graph *g, struct diag *d)
{
    enum calque_status status;

    u->node.n = u->slot.n = u->output.n = 0;
    u->first = u->last = -1;
    status = uses_extend(u, g, d);
    if (status != CALQUE_OK)
        return status;
    if (!vec_room(u->mem, &u->output, g->output.n))
        return diag_nomem(d);
    u->output.n = g->output.n;
    outputs_build(output_lists(u, g));
    return CALQUE_OK;
}

void uses_move(struct uses *u, struct graph *g, int from, int to)
{
    if (from == to)
        return;
    uses_redirect(uses_lists(u, g), from, to);
    outputs_move(output_lists(u, g), from, to);
}

void uses_unlink(struct uses *u, struct graph *g, int node)
{
    uses_leave(uses_lists(u, g), g->node.a[node].in, g->node.a[node].nin, node);
}

void uses_drop(struct uses *u, struct graph *g, int node)
{
    int n = uses_die(uses_lists(u, g), g->node.a, node);

    for (int k = 0; k < n; k++) {
        const struct node *nd = &g->node.a[u->node.a[k].died];
        if (nd->kind == NODE_CONST)
            tensor_free(&g->tensor.a[nd->data]);
    }
}
