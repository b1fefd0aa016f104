#include "graph/graph_view.h"

struct graph_put graph_view(const struct graph *g)
{
    return (struct graph_put){ .node = g->node.a, .in = g->in.a, .attr = g->attr.a, .n = g->node.n, .cap = g->node.cap,
                               .nin = g->in.n, .capin = g->in.cap, .nattr = g->attr.n, .capattr = g->attr.cap };
}
