#include "graph/compact_order.h"

struct graph_numbers graph_order(struct graph_put g, const struct graph_output *out, int nout, int *map, int *order,
                                 struct frame *stack)
{
    struct graph_numbers r;

    graph_mark(g, out, nout, map, stack);
    /*@ ghost Marked: ; */
    /*@ assert nodes:  same_nodes{Pre,Here}(g); */
    /*@ assert inputs: same_inputs{Pre,Here}(g); */
    /*@ assert same:   same_graph{Pre,Here}(g); */
    /*@ assert ranges: ranges_ok(g); */
    /*@ assert live:   live(g, map); */
    r = graph_number(g, map, order, stack);
    /*@ assert out:    \forall integer k; 0 <= k < nout ==> out[k].node == \at(out[k].node, Pre) && 0 <= out[k].node < g.n; */
    /*@ assert graph:  same_graph{Pre,Here}(g); */
    /*@ assert marked: \forall integer i; 0 <= i < g.n ==> 0 <= map[i] ==> \at(map[i], Marked) == MARK_NEEDED; */
    return r;
}
