#include "graph/graph_value.h"

#include "attr/value_real.h"

double graph_attr_real(const struct graph *g, int node, const char *label, double otherwise)
{
    int v = graph_attr_float(g, node, label);

    return v < 0 ? otherwise : value_real(g->values, v);
}

int graph_const_len(const struct tensor *t)
{
    long n;

    if (!t || (t->dtype != DTYPE_F32 && t->dtype != DTYPE_I64))
        return -1;
    n = shape_elems(&t->shape);
    /*@ assert rank:    0 <= n ==> 0 <= t->shape.rank <= RANK_MAX; */
    /*@ assert count:   0 <= n ==> n == elements(t); */
    /*@ assert dims:    0 <= n ==> dims(&t->shape.dim[0], t->shape.rank); */
    /*@ assert refused: n < 0 ==> !is_const(t) || !in_limits(t); */
    if (n == 1)
        return 1;
    return 0 <= n && t->shape.rank == 1 && n <= GRAPH_ATTR_ELEMS ? (int)n : -1;
}
