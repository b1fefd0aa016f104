/* Compaction: all that is written once the nodes have their new numbers. Nothing here fails. */
#ifndef CALQUE_GRAPH_COMPACT_RENEW_H
#define CALQUE_GRAPH_COMPACT_RENEW_H

#include "graph/compact_emit.h"
#include "graph/compact_step.h"

/* What nodes own, and room for its new numbers. */
struct graph_store {
    struct tensor *tensor;
    struct raw *raw;
    int ntensor, nraw;
    int *tensor_map, *raw_map;
};

/* The inputs and the outputs of the graph. */
struct graph_ends {
    int *input;
    struct graph_output *output;
    int ninput, noutput;
};

/* The new arrays; so many tensors and bytes stay. */
struct graph_renewed {
    struct graph_put to;
    int ntensor, nraw;
};

#ifdef __FRAMAC__
#include "graph/renew.acsl"

#define RENEW_REQUIRES                                                                                                 \
    requires valid:    valid_graph(g) && ranges_ok(g) && numbers(g, map, order, n) && n <= g.n;                        \
    requires read:     \valid_read(map + (0 .. g.n - 1)) && \valid_read(order + (0 .. n - 1));                         \
    requires room:     ins(g, order, n) <= h.capin <= INT32_MAX && atts(g, order, n) <= h.capattr <= INT32_MAX;        \
    requires to:       \valid(h.node + (0 .. n - 1)) && \valid(h.in + (0 .. h.capin - 1)) &&                           \
                       \valid(h.attr + (0 .. h.capattr - 1));                                                          \
    requires apart:    own_nodes(h.node, g, order) && own_ids(h.in, g, order) && own_attrs(h.attr, g, order) &&        \
                       \base_addr(h.in) != \base_addr(map) && own_put(h);                                              \
    requires store:    valid_store(s) && own_store(s, h);                                                              \
    requires data:     data_below(g.node, g.n, 1, s.ntensor) && data_below(g.node, g.n, 0, s.nraw);
#define RENEW_ENSURES                                                                                                  \
    ensures  counts:   \result.to == {h \with .n = n, .nin = (int)ins{Pre}(g, order, n),                               \
                       .nattr = (int)atts{Pre}(g, order, n)};                                                          \
    ensures  stay:     0 <= \result.ntensor <= s.ntensor && 0 <= \result.nraw <= s.nraw;                               \
    ensures  sums:     sums_ok{Pre}(g, order, n);                                                                      \
    ensures  nodes:    \forall integer i; 0 <= i < n ==> renewed{Pre,Post}(g, order, h, i);                            \
    ensures  inputs:   \forall integer i; 0 <= i < n ==> renamed_inputs{Pre,Post}(g, map, order, h.in, i);             \
    ensures  attrs:    \forall integer i; 0 <= i < n ==> same_attrs{Pre,Post}(g, order, h.attr, i);                    \
    ensures  tensors:  \forall integer i; 0 <= i < n ==> has_data{Pre}(g.node, \old(order[i]), 1) ==>                  \
                       same_tensor{Pre,Post}(g, order, h, s, i, \result.ntensor);                                      \
    ensures  raws:     \forall integer i; 0 <= i < n ==> has_data{Pre}(g.node, \old(order[i]), 0) ==>                  \
                       same_raw{Pre,Post}(g, order, h, s, i, \result.nraw);                                            \
    ensures  none:     \forall integer i; 0 <= i < n ==> \old(g.node[order[i]].data) < 0 ==>                           \
                       h.node[i].data == \old(g.node[order[i]].data);
#endif

/* Node i of the new arrays is node order[i] of g, with the same attributes and the same tensor or bytes, its inputs renamed;
   the ends are renamed; tensors and bytes that no node has are freed. */
/*@ RENEW_REQUIRES
    requires ends:     valid_ends(e) && ends_in(e, g.n);
    requires others:   own_ends(e, h, s) && off_put(\base_addr(map), h) && off_store(\base_addr(map), s) &&
                       off_ends(\base_addr(map), e);
    terminates \true;
    exits    never:    \false;
    assigns  h.node[0 .. n - 1], h.in[0 .. h.capin - 1], h.attr[0 .. h.capattr - 1],
             s.tensor_map[0 .. s.ntensor - 1], s.tensor[0 .. s.ntensor - 1], s.raw_map[0 .. s.nraw - 1],
             s.raw[0 .. s.nraw - 1], e.input[0 .. e.ninput - 1], e.output[0 .. e.noutput - 1].node;
    RENEW_ENSURES
    ensures  input:    \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \old(map[e.input[k]]);
    ensures  output:   \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \old(map[e.output[k].node]);
    ensures  order:    \forall integer i; 0 <= i < n ==> renamed_less{Pre}(g, map, order, i);
*/
struct graph_renewed graph_renew(struct graph_put g, const int *map, const int *order, int n, struct graph_put h,
                                 struct graph_store s, struct graph_ends e);

#endif
