/* Memory of the arena of nodes: growth keeps what is there, also a range that the caller passes from the graph
   itself. Trusted by the proofs of graph_*.c. */
#include "graph/graph_room.h"
#include "graph/graph_attr_room.h"
#include "graph/graph_const_room.h"

/* Offset of p in the array base[0..n-1] if it points into it (a caller may pass a node's own range,
   which moves when the arena grows), else -1. */
/*@ requires size:     0 < size && 0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    -1 <= \result && (\result < 0 || \result < n);
    ensures  none:     base == \null ==> \result == -1;
*/
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
