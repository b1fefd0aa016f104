/* Memory of graphs, of their compaction and of use lists: growth keeps what is there, also a range that the caller passes from the
   graph itself; a failure leaves the graph as it was. What grows is trusted (acsl/TRUSTED.md); what frees is
   proved. */
#include "graph/build.h"
#include "graph/compact_internal.h"
#include "graph/use_list_internal.h"

/* Offset of p in the array base[0..n-1] if it points into it (a caller may pass a node's own range,
   which moves when the arena grows), else -1. */
static ptrdiff_t offset_in(const void *p, const void *base, int n, size_t size)
{
    uintptr_t x = (uintptr_t)p, b = (uintptr_t)base;

    return base && x >= b && x < b + (size_t)n * size ? (ptrdiff_t)((x - b) / size) : -1;
}

struct graph_given graph_room(struct graph *g, const int *in, int nin, const struct node_attr *attr, int nattr)
{
    ptrdiff_t id = offset_in(in, g->in.a, g->in.n, sizeof *in), at = offset_in(attr, g->attr.a, g->attr.n, sizeof *attr);
    struct graph_given r = { in, attr, false };

    r.ok = vec_room(g->mem, &g->attr, nattr) && vec_room(g->mem, &g->node, 1) && vec_room(g->mem, &g->in, nin);
    if (r.ok && !g->attr.a) /* so that a node without attributes has an address for them; it is none without memory */
        (void)vec_room(g->mem, &g->attr, 1);
    if (id >= 0)
        r.in = g->in.a + id;
    if (at >= 0)
        r.attr = g->attr.a + at;
    return r;
}

bool graph_input_room(struct graph *g)
{
    return vec_room(g->mem, &g->input, 1);
}

bool graph_output_room(struct graph *g)
{
    return vec_room(g->mem, &g->output, 1);
}

bool graph_const_room(struct graph *g) /*@ ghost (struct tensor *own) */
{
    return vec_room(g->mem, &g->node, 1) && vec_room(g->mem, &g->tensor, 1);
}

bool graph_attr_room(struct graph *g, int node)
{
    return vec_room(g->mem, &g->attr, g->node.a[node].nattr + 1);
}

/* Memory and messages of compaction. A failure leaves the graph as it was. */
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
    /*@ assert node: node_placed(put_of(g), bad.node); */
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

/* Memory of the lists of users and of what dies with a node: growth keeps what is there. */
void uses_free_data(struct graph *g, struct uses_view v, int n) /*@ ghost (const struct node *nd) */
{
    /*@ ghost struct tensor *ts = g->tensor.a; int nts = g->tensor.n; */
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant nodes:  nd == g->node.a;
        loop invariant array:  g->tensor.a == ts && g->tensor.n == nts;
        loop invariant freed:  \forall integer i; 0 <= i < k ==> nd[v.node[i].died].kind == NODE_CONST ==>
                               no_data(g, nd[v.node[i].died].data);
        loop assigns k, ts[0 .. nts - 1].bytes, ts[0 .. nts - 1].data;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        const struct node *dead = &g->node.a[v.node[k].died];
        if (dead->kind == NODE_CONST)
            tensor_free(&g->tensor.a[dead->data]);
    }
}

enum calque_status uses_room(struct uses *u, const struct graph *g, int nodes, int slots, int outputs, struct diag *d)
{
    (void)g; /* only the contract speaks of it */
    if (!vec_room(u->mem, &u->node, nodes - u->node.n) || !vec_room(u->mem, &u->slot, slots - u->slot.n) ||
        !vec_room(u->mem, &u->output, outputs - u->output.n))
        return diag_nomem(d);
    return CALQUE_OK;
}
