/* Constants as attributes, and the operator of an opaque node. Guards: graph.c. */
#include "graph/graph.c"

/*@ GRAPH_REQUIRES
    requires data:  g->node.a[node].kind == NODE_CONST ==> 0 <= g->node.a[node].data < g->tensor.n &&
                    \valid_read(g->tensor.a + (0 .. g->tensor.n - 1));
    requires ready: ready_values(g->values) && \valid(out);
*/
void client_const_attr(const struct graph *g, int node, int *out)
{
    bool a = graph_const_attr(g, node, out);

    /*@ assert none: a == 0 ==> *out == -1; */
    /*@ assert kept: ready_values(g->values); */
    /*@ assert BOOM: \false; */
}

/*@ GRAPH_REQUIRES
    requires raw: valid_raw(g) && \valid(n) && \separated(n, g, g->node.a + node, g->raw.a + (0 .. g->raw.n - 1));
*/
void client_opaque_type(const struct graph *g, int node, size_t *n)
{
    (void)graph_opaque_type(g, node, n);

    /*@ assert none: !is_opaque(g, node) ==> *n == 0; */
    /*@ assert BOOM: \false; */
}
