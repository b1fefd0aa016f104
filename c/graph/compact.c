/* Compaction: memory and messages around what compact_check.c, compact_sums.c, compact_order.c and compact_renew.c do. */
#include "graph/compact_free.h"
#include "graph/compact_order.h"
#include "graph/compact_renew.h"
#include "graph/compact_sums.h"
#include "graph/graph_view.h"

struct compactor {
    struct graph *g;
    struct diag *d;
    int *map;                    /* MARK_DEAD or the new id */
    int *order;                  /* old ids in their new order */
    int n;                       /* of them */
    struct frame *stack;
    int *tensor, *raw;           /* new number of a tensor or raw, -1: unused */
    struct graph_put to;         /* the new arrays */
};

static enum calque_status check_ids(const struct compactor *c)
{
    const struct graph *g = c->g;
    struct graph_bad bad = graph_find_bad(graph_view(g), g->output.a, g->output.n);

    if (bad.node >= 0)
        return diag_set(c->d, CALQUE_INTERNAL, "", 0, 0, "graph: node %d '%.200s': input %d does not exist", bad.node,
                        graph_name(g, bad.node), g->in.a[g->node.a[bad.node].in + bad.k]);
    if (bad.k >= 0)
        return diag_set(c->d, CALQUE_INTERNAL, "", 0, 0, "graph: output %d does not exist", bad.k);
    return CALQUE_OK;
}

/* Visiting in id order keeps the order of a graph that is already sorted. */
static enum calque_status sort(struct compactor *c)
{
    const struct graph *g = c->g;
    struct graph_numbers r = graph_order(graph_view(g), g->output.a, g->output.n, c->map, c->order, c->stack);

    c->n = r.n;
    if (r.cycle >= 0)
        return diag_set(c->d, CALQUE_BAD, "", 0, 0, "the graph has a cycle through '%.200s'", graph_name(g, r.cycle));
    return CALQUE_OK;
}

static bool allocate(struct compactor *c)
{
    const struct graph *g = c->g;
    struct mem *m = g->mem;
    struct graph_sums sum = graph_sums(graph_view(g));

    if (!sum.ok)
        return false;
    c->order = mem_resize(m, NULL, (size_t)g->node.n, sizeof *c->order);
    c->stack = mem_resize(m, NULL, (size_t)g->node.n, sizeof *c->stack);
    c->tensor = mem_resize(m, NULL, (size_t)g->tensor.n, sizeof *c->tensor);
    c->raw = mem_resize(m, NULL, (size_t)g->raw.n, sizeof *c->raw);
    c->to.node = mem_resize(m, NULL, (size_t)g->node.n, sizeof *c->to.node);
    c->to.in = mem_resize(m, NULL, (size_t)sum.in, sizeof *c->to.in);
    c->to.attr = mem_resize(m, NULL, (size_t)sum.attr, sizeof *c->to.attr);
    c->to.capin = sum.in;
    c->to.capattr = sum.attr;
    return c->order && c->stack && c->tensor && c->raw && c->to.node && c->to.in && c->to.attr;
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

/* Nothing fails from here on: the graph changes as a whole or not at all. */
static void commit(struct compactor *c)
{
    struct graph *g = c->g;
    struct graph_store store = { .tensor = g->tensor.a, .raw = g->raw.a, .ntensor = g->tensor.n, .nraw = g->raw.n,
                                 .tensor_map = c->tensor, .raw_map = c->raw };
    struct graph_ends ends = { .input = g->input.a, .output = g->output.a, .ninput = g->input.n, .noutput = g->output.n };
    struct graph_renewed new = graph_renew(graph_view(g), c->map, c->order, c->n, c->to, store, ends);

    g->tensor.n = new.ntensor;
    g->raw.n = new.nraw;
    mem_free(g->node.a);
    mem_free(g->in.a);
    mem_free(g->attr.a);
    g->node.a = new.to.node;
    g->node.cap = g->node.n;
    g->node.n = c->n;
    g->in.a = new.to.in;
    g->in.n = g->in.cap = new.to.nin;
    g->attr.a = new.to.attr;
    g->attr.n = g->attr.cap = new.to.nattr;
    c->to = (struct graph_put){ 0 };
}

enum calque_status graph_compact(struct graph *g, int *map, struct diag *d)
{
    struct compactor c = {.g = g, .d = d, .map = map};
    enum calque_status st = check_ids(&c);

    if (st != CALQUE_OK)
        return st;
    if (!map)
        c.map = mem_resize(g->mem, NULL, (size_t)g->node.n, sizeof *c.map);
    if (!c.map || !allocate(&c)) {
        st = diag_nomem(d);
    } else {
        st = sort(&c);
        if (st == CALQUE_OK)
            commit(&c);
    }
    if (!map)
        mem_free(c.map);
    mem_free(c.order);
    mem_free(c.stack);
    mem_free(c.tensor);
    mem_free(c.raw);
    mem_free(c.to.node);
    mem_free(c.to.in);
    mem_free(c.to.attr);
    return st;
}
