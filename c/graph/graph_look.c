#include "graph/graph_look.h"

const char *graph_name(const struct graph *g, int node)
{
    return strs_text(g->strs, g->node.a[node].name);
}

int graph_attr_float(const struct graph *g, int node, const char *label)
{
    int v = graph_attr(g, node, label);

    /*@ assert id: v < g->values->n; */
    return v >= 0 && g->values->v[v].kind == VALUE_FLOAT ? v : -1;
}

struct wire_part graph_type_part(const struct graph *g, int node)
{
    struct wire_part none = { false, 0, 0 };
    const struct node *x = &g->node.a[node];

    if (x->kind != NODE_OP || x->op != OP_Opaque || x->data < 0 || x->data >= g->raw.n)
        return none;
    return graph_op_type(g->raw.a[x->data].a, g->raw.a[x->data].n);
}
