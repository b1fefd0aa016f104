#include "graph/graph_add.h"
#include "graph/graph_append.h"

int graph_const(struct graph *g, int name, struct tensor *t)
{
    struct tensor own = *t;
    bool room = graph_tensor_room(g) /*@ ghost (t) */;
    int id = room ? graph_append(g, NODE_CONST, 0, name, NULL, 0, NULL, 0, 0) : -1;

    if (id < 0)
        return -1;
    g->node.a[id].dtype = own.dtype;
    g->node.a[id].shape = own.shape;
    g->node.a[id].data = g->tensor.n;
    g->tensor.a[g->tensor.n] = own;
    g->tensor.n++;
    t->data = NULL;
    t->bytes = 0;
    return id;
}
