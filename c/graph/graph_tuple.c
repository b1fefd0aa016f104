/* A tuple of nodes. graph_add.h has the contract. */
#include "graph/graph_add.h"
#include "graph/graph_append.h"

int graph_tuple(struct graph *g, const int *in, int nin)
{
    int id = graph_append(g, NODE_TUPLE, 0, -1, in, nin, NULL, 0, 0);
    /*@ assert kind: id >= 0 ==> g->node.a[id].kind == NODE_TUPLE; */
    /*@ assert none: id < 0 ==> g->node.n == \at(g->node.n, Pre); */
    /*@ assert more: id >= 0 ==> g->node.n == \at(g->node.n, Pre) + 1 && id == \at(g->node.n, Pre); */
    /*@ assert old:  data_are(g, \at(g->node.n, Pre)); */
    /*@ assert each: \forall integer i; 0 <= i < g->node.n ==> i < \at(g->node.n, Pre) || (i == id && g->node.a[i].kind == NODE_TUPLE); */
    /*@ assert data: data_are(g, g->node.n); */
    return id;
}
