#include <string.h>

#include "graph/graph.h"
#include "graph/mark.h"
#include "graph/number.h"
#include "graph/renumber.h"

struct compactor {
    struct graph *g;
    struct diag *d;
    int *map;                    /* MARK_DEAD or the new id */
    int *order;                  /* old ids in their new order */
    int n;                       /* of them */
    struct frame *stack;
    int ntensor, nraw, *tensor, *raw; /* new number of a tensor or raw, -1: unused */
    struct node *node;
    int *in;
    struct node_attr *attr;
    int nin, nattr;
};

static enum calque_status check_ids(const struct compactor *c)
{
    const struct graph *g = c->g;

    for (int i = 0; i < g->node.n; i++)
        for (int k = 0; k < g->node.a[i].nin; k++) {
            int x = g->in.a[g->node.a[i].in + k];
            if (x < -1 || x >= g->node.n)
                return diag_set(c->d, CALQUE_INTERNAL, "", 0, 0,
                                "graph: node %d '%.200s': input %d does not exist", i,
                                graph_name(g, i), x);
        }
    for (int i = 0; i < g->output.n; i++)
        if (g->output.a[i].node < 0 || g->output.a[i].node >= g->node.n)
            return diag_set(c->d, CALQUE_INTERNAL, "", 0, 0, "graph: output %d does not exist", i);
    return CALQUE_OK;
}

static struct graph_put view(const struct graph *g)
{
    return (struct graph_put){ .node = g->node.a, .in = g->in.a, .attr = g->attr.a, .n = g->node.n, .cap = g->node.cap,
                               .nin = g->in.n, .capin = g->in.cap, .nattr = g->attr.n, .capattr = g->attr.cap };
}

static void mark(struct compactor *c)
{
    graph_mark(view(c->g), c->g->output.a, c->g->output.n, c->map, c->stack);
}

/* Visiting in id order keeps the order of a graph that is already sorted. */
static enum calque_status sort(struct compactor *c)
{
    struct graph_numbers r = graph_number(view(c->g), c->map, c->order, c->stack);

    c->n = r.n;
    if (r.cycle >= 0)
        return diag_set(c->d, CALQUE_BAD, "", 0, 0, "the graph has a cycle through '%.200s'", graph_name(c->g, r.cycle));
    return CALQUE_OK;
}

static bool allocate(struct compactor *c)
{
    const struct graph *g = c->g;
    struct mem *m = g->mem;
    size_t in = 0, attr = 0;

    for (int i = 0; i < g->node.n; i++) { /* ranges may overlap: the sum can exceed the arenas */
        in += (size_t)g->node.a[i].nin;
        attr += (size_t)g->node.a[i].nattr;
    }
    if (in > INT32_MAX / 2 || attr > INT32_MAX / 2)
        return false;
    c->order = mem_resize(m, NULL, (size_t)g->node.n, sizeof *c->order);
    c->stack = mem_resize(m, NULL, (size_t)g->node.n, sizeof *c->stack);
    c->tensor = mem_resize(m, NULL, (size_t)g->tensor.n, sizeof *c->tensor);
    c->raw = mem_resize(m, NULL, (size_t)g->raw.n, sizeof *c->raw);
    c->node = mem_resize(m, NULL, (size_t)g->node.n, sizeof *c->node);
    c->in = mem_resize(m, NULL, in, sizeof *c->in);
    c->attr = mem_resize(m, NULL, attr, sizeof *c->attr);
    return c->order && c->stack && c->tensor && c->raw && c->node && c->in && c->attr;
}

static void emit_nodes(struct compactor *c)
{
    const struct graph *g = c->g;

    for (int i = 0; i < c->n; i++) {
        struct node *n = &c->node[i];
        *n = g->node.a[c->order[i]];
        if (n->nin > 0)
            graph_renumber(g->in.a + n->in, n->nin, c->map, g->node.n, c->in + c->nin, i);
        if (n->nattr > 0)
            memcpy(c->attr + c->nattr, g->attr.a + n->attr, (size_t)n->nattr * sizeof *c->attr);
        n->in = c->nin;
        n->attr = c->nattr;
        c->nin += n->nin;
        c->nattr += n->nattr;
    }
}

/* Numbers tensors and bytes in the order of their first use. */
static void number_data(struct compactor *c)
{
    for (int i = 0; i < c->g->tensor.n; i++)
        c->tensor[i] = -1;
    for (int i = 0; i < c->g->raw.n; i++)
        c->raw[i] = -1;
    for (int i = 0; i < c->n; i++) {
        struct node *n = &c->node[i];
        if (n->data < 0)
            continue;
        if (n->kind == NODE_CONST) {
            if (c->tensor[n->data] < 0)
                c->tensor[n->data] = c->ntensor++;
            n->data = c->tensor[n->data];
        } else {
            if (c->raw[n->data] < 0)
                c->raw[n->data] = c->nraw++;
            n->data = c->raw[n->data];
        }
    }
}

/* Moves each element to the place the map gives it, along the cycles of the permutation; those without a
   place are freed and get the places behind the others. */
#define MOVE(T, arr, map, kept, drop)                                                            \
    do {                                                                                         \
        int last_ = (kept);                                                                      \
        for (int i_ = 0; i_ < (arr).n; i_++)                                                     \
            if ((map)[i_] < 0) {                                                                 \
                drop(&(arr).a[i_]);                                                              \
                (map)[i_] = last_++;                                                             \
            }                                                                                    \
        for (int i_ = 0; i_ < (arr).n; i_++)                                                     \
            while ((map)[i_] != i_) {                                                            \
                int to_ = (map)[i_];                                                             \
                T x_ = (arr).a[to_];                                                             \
                (arr).a[to_] = (arr).a[i_];                                                      \
                (arr).a[i_] = x_;                                                                \
                (map)[i_] = (map)[to_];                                                          \
                (map)[to_] = to_;                                                                \
            }                                                                                    \
        (arr).n = (kept);                                                                        \
    } while (0)

static void raw_drop(struct raw *r)
{
    mem_free(r->a);
    r->a = NULL;
    r->n = 0;
}

/* Nothing fails from here on: the graph changes as a whole or not at all. */
static void commit(struct compactor *c)
{
    struct graph *g = c->g;

    emit_nodes(c);
    number_data(c);
    MOVE(struct tensor, g->tensor, c->tensor, c->ntensor, tensor_free);
    MOVE(struct raw, g->raw, c->raw, c->nraw, raw_drop);
    for (int i = 0; i < g->input.n; i++)
        g->input.a[i] = c->map[g->input.a[i]];
    for (int i = 0; i < g->output.n; i++)
        g->output.a[i].node = c->map[g->output.a[i].node];
    mem_free(g->node.a);
    mem_free(g->in.a);
    mem_free(g->attr.a);
    g->node.a = c->node;
    g->node.cap = g->node.n;
    g->node.n = c->n;
    g->in.a = c->in;
    g->in.n = g->in.cap = c->nin;
    g->attr.a = c->attr;
    g->attr.n = g->attr.cap = c->nattr;
    c->node = NULL;
    c->in = NULL;
    c->attr = NULL;
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
        mark(&c);
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
    mem_free(c.node);
    mem_free(c.in);
    mem_free(c.attr);
    return st;
}
