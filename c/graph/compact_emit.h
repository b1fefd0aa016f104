/* The proved part of compaction: nodes in their new order. */
#ifndef CALQUE_GRAPH_COMPACT_EMIT_H
#define CALQUE_GRAPH_COMPACT_EMIT_H

#include "graph/number.h"

#ifdef __FRAMAC__
#include "graph/emit.acsl"
#endif

/* Node i of h becomes node order[i] of g, for the n nodes that have numbers, with its inputs renamed and its attributes, all
   ranges one behind the other. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && numbers(g, map, order, n) && n <= g.n;
    requires read:     \valid_read(map + (0 .. g.n - 1)) && \valid_read(order + (0 .. n - 1));
    requires room:     ins(g, order, n) <= h.capin <= INT32_MAX && atts(g, order, n) <= h.capattr <= INT32_MAX;
    requires to:       \valid(h.node + (0 .. n - 1)) && \valid(h.in + (0 .. h.capin - 1)) && \valid(h.attr + (0 .. h.capattr - 1));
    requires apart:    own_nodes(h.node, g, order) && own_ids(h.in, g, order) && own_attrs(h.attr, g, order) &&
                       \base_addr(h.in) != \base_addr(map) && \base_addr(h.node) != \base_addr(h.in) &&
                       \base_addr(h.node) != \base_addr(h.attr) && \base_addr(h.in) != \base_addr(h.attr);
    terminates \true;
    exits    never:    \false;
    assigns  h.node[0 .. n - 1], h.in[0 .. h.capin - 1], h.attr[0 .. h.capattr - 1];
    ensures  counts:   \result == {h \with .n = n, .nin = (int)ins{Pre}(g, order, n), .nattr = (int)atts{Pre}(g, order, n)};
    ensures  sums:     sums_ok{Pre}(g, order, n);
    ensures  nodes:    \forall integer i; 0 <= i < n ==> emitted{Pre,Post}(g, order, h, i);
    ensures  inputs:   \forall integer i; 0 <= i < n ==> renamed_inputs{Pre,Post}(g, map, order, h.in, i);
    ensures  attrs:    \forall integer i; 0 <= i < n ==> same_attrs{Pre,Post}(g, order, h.attr, i);
*/
struct graph_put graph_emit(struct graph_put g, const int *map, const int *order, int n, struct graph_put h);

/* Nodes of a list get their new numbers. */
/*@ requires valid:    0 <= n && 0 <= count && \valid(id + (0 .. n - 1)) && \valid_read(map + (0 .. count - 1));
    requires apart:    n > 0 ==> \base_addr(map) != \base_addr(id);
    requires ids:      \forall integer k; 0 <= k < n ==> 0 <= id[k] < count;
    terminates \true;
    exits    never:    \false;
    assigns  id[0 .. n - 1];
    ensures  renamed:  \forall integer k; 0 <= k < n ==> id[k] == map[\old(id[k])];
*/
void graph_rename(int *id, int n, const int *map) /*@ ghost (int count) */;

/*@ requires valid:    0 <= n && 0 <= count && \valid(out + (0 .. n - 1)) && \valid_read(map + (0 .. count - 1));
    requires apart:    n > 0 ==> \base_addr(map) != \base_addr(out);
    requires ids:      \forall integer k; 0 <= k < n ==> 0 <= out[k].node < count;
    terminates \true;
    exits    never:    \false;
    assigns  out[0 .. n - 1].node;
    ensures  renamed:  \forall integer k; 0 <= k < n ==> out[k].node == map[\old(out[k].node)];
*/
void graph_rename_outputs(struct graph_output *out, int n, const int *map) /*@ ghost (int count) */;

#endif
