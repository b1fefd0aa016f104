/* One attribute more, where there is room. */
#ifndef CALQUE_GRAPH_GRAPH_SET_H
#define CALQUE_GRAPH_GRAPH_SET_H

#include "graph/graph_put.h"
#include "graph/sort_attrs.h"

#ifdef __FRAMAC__
#include "graph/set.acsl"
#endif

/* A node gets one attribute more, in the order of labels. Its range is moved behind all others or, as the last one, grows in
   place; what stands before it stays. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && 0 <= node < g.n;
    requires room:     g.nattr + g.node[node].nattr < g.capattr;
    requires strs:     \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    requires apart:    \separated(g.attr + (0 .. g.capattr - 1), s, s->entry.a + (0 .. s->entry.n - 1)) &&
                       \separated(g.node + (0 .. g.cap - 1), s, s->entry.a + (0 .. s->entry.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  g.node[node].attr, g.node[node].nattr, g.attr[0 .. g.capattr - 1];
    ensures  more:     \result == {g \with .nattr = (int)(\old(place_of(g, node)) + \old(g.node[node].nattr) + 1)};
    ensures  place:    g.node[node].attr == \old(place_of(g, node)) && g.node[node].nattr == \old(g.node[node].nattr) + 1;
    ensures  below:    \forall integer k; 0 <= k < \old(place_of(g, node)) ==> same_attr{Pre,Post}(g.attr, k);
    ensures  attrs:    one_pair{Pre,Post}(g.attr + \old(g.node[node].attr), g.attr + \old(place_of(g, node)),
                       \old(g.node[node].nattr), label, val);
    ensures  sorted:   sorted_attrs(table_of(s), g.attr + \old(place_of(g, node)), g.node[node].nattr);
    ensures  ranges:   ranges_ok(\result);
    ensures  wf:       \old(wf_graph(g)) ==> g.node[node].kind == NODE_OP ==> wf_graph(\result);
*/
struct graph_put graph_put_attr(const struct strs *s, struct graph_put g, int node, int label, int val);

#endif
