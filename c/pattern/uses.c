#include "pattern/uses_edit.h"

#include "pattern/uses_room.h"

struct uses_view uses_lists(const struct uses *u, const struct graph *g)
{
    return (struct uses_view){ .node = u->node.a, .slot = u->slot.a, .in = g->in.a, .n = u->node.n, .m = u->slot.n };
}

struct output_view uses_outputs(const struct uses *u, const struct graph *g)
{
    return (struct output_view){ .node = u->node.a, .next = u->output.a, .out = g->output.a, .n = u->node.n,
                                 .m = u->output.n };
}

void uses_unlink(struct uses *u, struct graph *g, int node)
    /*@ ghost (struct uses_view v) */
{
    struct uses_view lists = uses_lists(u, g);

    /*@ assert view: lists == v; */
    uses_leave(lists, g->node.a[node].in, g->node.a[node].nin, node);
}

void uses_drop(struct uses *u, struct graph *g, int node)
    /*@ ghost (struct uses_view v, const struct node *nd) */
{
    struct uses_view lists = uses_lists(u, g);
    int n;

    /*@ assert view: lists == v; */
    n = uses_die(lists, g->node.a, node);
    /*@ assert nodes_in: \forall integer k; 0 <= k < v.n ==> nd[k].in == \at(nd[k].in, Pre); */
    /*@ assert nodes_nin: \forall integer k; 0 <= k < v.n ==> nd[k].nin == \at(nd[k].nin, Pre); */
    /*@ assert nodes: valid_nodes(v, nd); */
    /*@ assert kinds: \forall integer k; 0 <= k < v.n ==> nd[k].kind == \at(nd[k].kind, Pre); */
    /*@ assert data: \forall integer k; 0 <= k < v.n ==> nd[k].data == \at(nd[k].data, Pre); */
    /*@ assert number: g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert tensors: valid_data(g, nd, v.n); */
    /*@ assert none: none_dead(v); */
    uses_free_data(g, lists, n) /*@ ghost (nd) */;
}
