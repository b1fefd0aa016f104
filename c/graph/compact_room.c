/* Memory and messages of compaction. A failure leaves the graph as it was. Trusted by compact.c. */
#include "graph/compact_room.h"

struct compactor compact_room(const struct graph *g, int *map, struct graph_sums sum)
{
    struct mem *m = g->mem;
    struct compactor c = { .map = map };

    if (!map)
        c.map = c.own = mem_resize(m, NULL, (size_t)g->node.n, sizeof *c.map);
    c.order = mem_resize(m, NULL, (size_t)g->node.n, sizeof *c.order);
    c.stack = mem_resize(m, NULL, (size_t)g->node.n, sizeof *c.stack);
    c.tensor = mem_resize(m, NULL, (size_t)g->tensor.n, sizeof *c.tensor);
    c.raw = mem_resize(m, NULL, (size_t)g->raw.n, sizeof *c.raw);
    c.to.node = mem_resize(m, NULL, (size_t)g->node.n, sizeof *c.to.node);
    c.to.in = mem_resize(m, NULL, (size_t)sum.in, sizeof *c.to.in);
    c.to.attr = mem_resize(m, NULL, (size_t)sum.attr, sizeof *c.to.attr);
    c.to.capin = sum.in;
    c.to.capattr = sum.attr;
    c.ok = c.map && c.order && c.stack && c.tensor && c.raw && c.to.node && c.to.in && c.to.attr;
    if (!c.ok)
        compact_give_back(c) /*@ ghost ((struct graph *)g, map) */;
    return c;
}

void compact_give_back(struct compactor c) /*@ ghost (struct graph *g, int *map) */
{
    mem_free(c.own);
    mem_free(c.order);
    mem_free(c.stack);
    mem_free(c.tensor);
    mem_free(c.raw);
    mem_free(c.to.node);
    mem_free(c.to.in);
    mem_free(c.to.attr);
}

void graph_drop_tensor(struct tensor *t)
{
    tensor_free(t);
}

void graph_drop_raw(struct raw *r)
{
    mem_free(r->a);
    r->a = NULL;
    r->n = 0;
}

enum calque_status compact_no_node(const struct graph *g, struct graph_bad bad, struct diag *d)
{
    if (bad.node < 0)
        return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "graph: output %d does not exist", bad.k);
    return diag_set(d, CALQUE_INTERNAL, "", 0, 0, "graph: node %d '%.200s': input %d does not exist", bad.node,
                    graph_name(g, bad.node), g->in.a[g->node.a[bad.node].in + bad.k]);
}

void compact_cyclic(const struct graph *g, int node, struct diag *d)
{
    diag_set(d, CALQUE_BAD, "", 0, 0, "the graph has a cycle through '%.200s'", graph_name(g, node));
}

enum calque_status compact_nomem(struct diag *d)
{
    return diag_nomem(d);
}
