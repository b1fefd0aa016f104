/* Edges to a node become edges to another: those of its users and those of the graph's outputs. */
#ifndef CALQUE_PATTERN_USES_EDGES_H
#define CALQUE_PATTERN_USES_EDGES_H

#include "pattern/uses_grow.h"
#include "pattern/uses_output.h"

#ifdef __FRAMAC__
#include "pattern/edges.acsl"

/* What moving edges in the lists v and o of a graph with the nodes nd requires, may assign and does. */
#define MOVE_REQUIRES(nd)                                                                      \
    requires valid:    valid_uses(v) && valid_outputs(o) && side_by_side(v, o);                \
    requires graph:    valid_nodes(v, nd) && nodes_aside(o, nd);                               \
    requires ok:       uses_ok(v) && outputs_ok(o);                                            \
    requires nodes:    0 <= from < v.n && 0 <= to < v.n;
#define MOVE_ASSIGNS                                                                           \
    assigns  v.slot[0 .. v.m - 1], v.in[0 .. v.m - 1], v.node[0 .. v.n - 1].head, v.node[0 .. v.n - 1].count, \
             o.next[0 .. o.m - 1], o.out[0 .. o.m - 1].node, v.node[0 .. v.n - 1].output, v.node[0 .. v.n - 1].outputs;
#define MOVE_ENSURES(nd)                                                                       \
    ensures  ok:       uses_ok(v) && outputs_ok(o);                                            \
    ensures  users:    same_users{Pre,Post}(v);                                                \
    ensures  moved:    moved_in{Pre,Post}(v, from, to);                                        \
    ensures  outputs:  \forall integer k; 0 <= k < o.m ==>                                     \
                       o.out[k].node == (\old(o.out[k].node) == from ? to : \old(o.out[k].node)); \
    ensures  none:     from != to ==> v.node[from].head == -1 && v.node[from].outputs == 0;    \
    ensures  exact:    !\old(v.node[to].dead) ==> \old(exact(v, nd)) ==> exact(v, nd);
#endif

/* Every slot on a list that holds `from`, and every output that is `from`, now is `to`; nothing else changes. */
/*@ MOVE_REQUIRES(nd)
    terminates \true;
    exits    never:    \false;
    MOVE_ASSIGNS
    MOVE_ENSURES(nd)
    ensures  nodes:    same_nodes{Pre,Post}(v, nd);
*/
void edges_move(struct uses_view v, struct output_view o, int from, int to)
    /*@ ghost (const struct node *nd) */;

#endif
