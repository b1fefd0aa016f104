#include "graph/compact_renew.h"

#ifdef __FRAMAC__
#define OFF(p, count) \base_addr(p) != \base_addr(node) &&                                                            \
    (count > 0 ==> \base_addr(p) != \base_addr(a) && \base_addr(p) != \base_addr(map))
#define KEEPS                                                                                                          \
    requires ids:      \valid_read(in + (0 .. nin - 1)) && OFF(in, count);                                             \
    requires attrs:    \valid_read(attr + (0 .. nattr - 1)) && OFF(attr, count);                                       \
    requires rest:     \valid_read(b + (0 .. m - 1)) && (m > 0 ==> OFF(b, count));
#endif

/* graph_compact_tensors: inputs, attributes and bytes are apart from what it writes. */
/*@ DATA_REQUIRES(1)
    KEEPS
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. count - 1], node[0 .. n - 1].data, a[0 .. count - 1];
    ensures  count:    0 <= \result <= count;
    ensures  data:     DATA_OF(1);
    ensures  others:   DATA_OTHERS(1);
    ensures  fields:   DATA_FIELDS;
    ensures  ids:      same_ids{Pre,Post}(in, nin);
    ensures  attrs:    same_attrs_below{Pre,Post}(attr, nattr);
    ensures  rest:     \forall integer k; 0 <= k < m ==> b[k] == \old(b[k]);
    ensures  ints:     \forall int *p; OFF(p, count) ==> *p == \old(*p);
*/
static int renew_tensors(struct node *node, int n, struct tensor *a, int *map, int count)
/*@ ghost (int *in, int nin, struct node_attr *attr, int nattr, struct raw *b, int m) */
{
    return graph_compact_tensors(node, n, a, map, count);
}

/* graph_compact_raws: inputs, attributes and tensors are apart from what it writes. */
/*@ DATA_REQUIRES(0)
    KEEPS
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. count - 1], node[0 .. n - 1].data, a[0 .. count - 1];
    ensures  count:    0 <= \result <= count;
    ensures  data:     DATA_OF(0);
    ensures  others:   DATA_OTHERS(0);
    ensures  fields:   DATA_FIELDS;
    ensures  ids:      same_ids{Pre,Post}(in, nin);
    ensures  attrs:    same_attrs_below{Pre,Post}(attr, nattr);
    ensures  rest:     \forall integer k; 0 <= k < m ==> b[k] == \old(b[k]);
    ensures  ints:     \forall int *p; OFF(p, count) ==> *p == \old(*p);
*/
static int renew_raws(struct node *node, int n, struct raw *a, int *map, int count)
/*@ ghost (int *in, int nin, struct node_attr *attr, int nattr, struct tensor *b, int m) */
{
    return graph_compact_raws(node, n, a, map, count);
}

/* Tensors, then bytes; what else there is stays. */
/*@ requires valid:    0 <= n && \valid(h.node + (0 .. n - 1)) && \valid(h.in + (0 .. h.capin - 1)) &&
                       \valid(h.attr + (0 .. h.capattr - 1)) && own_put(h);
    requires store:    valid_store(s) && own_store(s, h);
    requires data:     data_below(h.node, n, 1, s.ntensor) && data_below(h.node, n, 0, s.nraw);
    requires ends:     valid_ends(e) && own_ends(e, h, s);
    requires map:      0 <= m && \valid_read(map + (0 .. m - 1)) && off_put(\base_addr(map), h) && off_store(\base_addr(map), s);
    terminates \true;
    exits    never:    \false;
    assigns  h.node[0 .. n - 1].data, s.tensor_map[0 .. s.ntensor - 1], s.tensor[0 .. s.ntensor - 1],
             s.raw_map[0 .. s.nraw - 1], s.raw[0 .. s.nraw - 1];
    ensures  stay:     0 <= \result.ntensor <= s.ntensor && 0 <= \result.nraw <= s.nraw;
    ensures  fields:   but_data{Pre,Post}(h.node, n);
    ensures  tensors:  \forall integer i; 0 <= i < n ==> has_data{Pre}(h.node, i, 1) ==> 0 <= h.node[i].data < \result.ntensor &&
                       s.tensor[h.node[i].data] == \old(s.tensor[\old(h.node[i].data)]);
    ensures  raws:     \forall integer i; 0 <= i < n ==> has_data{Pre}(h.node, i, 0) ==> 0 <= h.node[i].data < \result.nraw &&
                       s.raw[h.node[i].data] == \old(s.raw[\old(h.node[i].data)]);
    ensures  none:     \forall integer i; 0 <= i < n ==> \old(h.node[i].data) < 0 ==> h.node[i].data == \old(h.node[i].data);
    ensures  ids:      same_ids{Pre,Post}(h.in, h.capin);
    ensures  attrs:    same_attrs_below{Pre,Post}(h.attr, h.capattr);
    ensures  input:    \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \old(e.input[k]);
    ensures  output:   \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \old(e.output[k].node);
    ensures  map:      \forall integer k; 0 <= k < m ==> map[k] == \old(map[k]);
*/
static struct graph_renewed renew_data(struct graph_put h, int n, struct graph_store s)
/*@ ghost (struct graph_ends e, const int *map, int m) */
{
    struct graph_renewed r = { .to = h };

    r.ntensor = renew_tensors(h.node, n, s.tensor, s.tensor_map, s.ntensor)
    /*@ ghost (h.in, h.capin, h.attr, h.capattr, s.raw, s.nraw) */;
    /*@ ghost Tensors: ; */
    /*@ assert input_t:   \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \at(e.input[k], Pre); */
    /*@ assert output_t:  \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \at(e.output[k].node, Pre); */
    /*@ assert map_t:     \forall integer k; 0 <= k < m ==> map[k] == \at(map[k], Pre); */
    /*@ assert kind_t:    \forall integer i; 0 <= i < n ==> h.node[i].kind == \at(h.node[i].kind, Pre); */
    /*@ assert has_t:     \forall integer i; 0 <= i < n ==> has_data(h.node, i, 0) ==> !has_data{Pre}(h.node, i, 1) &&
                          has_data{Pre}(h.node, i, 0) && h.node[i].data == \at(h.node[i].data, Pre); */
    /*@ assert below_t:   \forall integer i; 0 <= i < n ==> has_data(h.node, i, 0) ==> h.node[i].data < s.nraw; */
    /*@ assert not_t:     \forall integer i; 0 <= i < n ==> has_data{Pre}(h.node, i, 1) ==> !has_data(h.node, i, 0) &&
                          0 <= h.node[i].data < r.ntensor; */
    /*@ assert none_t:    \forall integer i; 0 <= i < n ==> \at(h.node[i].data, Pre) < 0 ==> !has_data(h.node, i, 0) &&
                          h.node[i].data == \at(h.node[i].data, Pre); */
    /*@ assert was_t:     \forall integer i; 0 <= i < n ==> has_data{Pre}(h.node, i, 0) ==> has_data(h.node, i, 0) &&
                          h.node[i].data == \at(h.node[i].data, Pre); */
    r.nraw = renew_raws(h.node, n, s.raw, s.raw_map, s.nraw)
    /*@ ghost (h.in, h.capin, h.attr, h.capattr, s.tensor, s.ntensor) */;
    /*@ assert input_r:   \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \at(e.input[k], Tensors); */
    /*@ assert output_r:  \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \at(e.output[k].node, Tensors); */
    /*@ assert map_r:     \forall integer k; 0 <= k < m ==> map[k] == \at(map[k], Tensors); */
    /*@ assert data_r:    \forall integer i; 0 <= i < n ==> has_data{Pre}(h.node, i, 1) ==>
                          h.node[i].data == \at(h.node[i].data, Tensors); */
    /*@ assert tensor_r:  \forall integer k; 0 <= k < s.ntensor ==> s.tensor[k] == \at(s.tensor[k], Tensors); */
    return r;
}

/* The nodes, their inputs and attributes, with their tensors and bytes. */
/*@ RENEW_REQUIRES
    requires ends:     valid_ends(e);
    requires others:   own_ends(e, h, s) && off_put(\base_addr(map), h) && off_store(\base_addr(map), s);
    terminates \true;
    exits    never:    \false;
    assigns  h.node[0 .. n - 1], h.in[0 .. h.capin - 1], h.attr[0 .. h.capattr - 1],
             s.tensor_map[0 .. s.ntensor - 1], s.tensor[0 .. s.ntensor - 1], s.raw_map[0 .. s.nraw - 1], s.raw[0 .. s.nraw - 1];
    RENEW_ENSURES
    ensures  input:    \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \old(e.input[k]);
    ensures  output:   \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \old(e.output[k].node);
    ensures  map:      \forall integer k; 0 <= k < g.n ==> map[k] == \old(map[k]);
*/
static struct graph_renewed renew_nodes(struct graph_put g, const int *map, const int *order, int n, struct graph_put h,
                                        struct graph_store s) /*@ ghost (struct graph_ends e) */
{
    struct graph_put to = graph_emit(g, map, order, n, h);
    struct graph_renewed r;

    /*@ ghost Emitted: ; */
    /*@ assert input_e:   \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \at(e.input[k], Pre); */
    /*@ assert output_e:  \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \at(e.output[k].node, Pre); */
    /*@ assert map_e:     \forall integer k; 0 <= k < g.n ==> map[k] == \at(map[k], Pre); */
    /*@ assert tensor_e:  \forall integer k; 0 <= k < s.ntensor ==> s.tensor[k] == \at(s.tensor[k], Pre); */
    /*@ assert raw_e:     \forall integer k; 0 <= k < s.nraw ==> s.raw[k] == \at(s.raw[k], Pre); */
    /*@ assert order:     \forall integer i; 0 <= i < n ==> 0 <= \at(order[i], Pre) < g.n; */
    /*@ assert kind:      \forall integer i; 0 <= i < n ==> emitted{Pre,Here}(g, order, h, i) &&
                          h.node[i].kind == \at(g.node[order[i]].kind, Pre); */
    /*@ assert data:      \forall integer i; 0 <= i < n ==> emitted{Pre,Here}(g, order, h, i) &&
                          h.node[i].data == \at(g.node[order[i]].data, Pre); */
    /*@ assert has_1:     \forall integer i; 0 <= i < n ==>
                          (has_data(h.node, i, 1) <==> has_data{Pre}(g.node, \at(order[i], Pre), 1)); */
    /*@ assert has_0:     \forall integer i; 0 <= i < n ==>
                          (has_data(h.node, i, 0) <==> has_data{Pre}(g.node, \at(order[i], Pre), 0)); */
    /*@ assert below_1:   \forall integer i; 0 <= i < n ==> has_data(h.node, i, 1) ==> h.node[i].data < s.ntensor; */
    /*@ assert below_0:   \forall integer i; 0 <= i < n ==> has_data(h.node, i, 0) ==> h.node[i].data < s.nraw; */
    /*@ assert attrs_e:   all_attrs{Pre,Here}(g, order, h.attr, n); */
    r = renew_data(h, n, s) /*@ ghost (e, map, g.n) */;
    r.to = to;
    /*@ assert fields:    but_data{Emitted,Here}(h.node, n); */
    /*@ assert attrs:     all_attrs{Pre,Here}(g, order, h.attr, n); */
    /*@ assert nodes:     \forall integer i; 0 <= i < n ==> emitted{Pre,Emitted}(g, order, h, i) &&
                          data_moved{Emitted,Here}(h.node, i) && renewed{Pre,Here}(g, order, h, i); */
    /*@ assert fits:      \forall integer i; 0 <= i < n ==> 0 <= ins{Pre}(g, order, i) &&
                          ins{Pre}(g, order, i) + \at(g.node[order[i]].nin, Pre) <= h.capin; */
    /*@ assert inputs:    \forall integer i; 0 <= i < n ==> renamed_inputs{Pre,Emitted}(g, map, order, h.in, i) &&
                          renamed_inputs{Pre,Here}(g, map, order, h.in, i); */
    /*@ assert tensors:   \forall integer i; 0 <= i < n ==> has_data{Pre}(g.node, \at(order[i], Pre), 1) ==>
                          0 <= h.node[i].data < r.ntensor &&
                          s.tensor[h.node[i].data] == \at(s.tensor[\at(g.node[order[i]].data, Pre)], Pre); */
    /*@ assert raws:      \forall integer i; 0 <= i < n ==> has_data{Pre}(g.node, \at(order[i], Pre), 0) ==>
                          0 <= h.node[i].data < r.nraw &&
                          s.raw[h.node[i].data] == \at(s.raw[\at(g.node[order[i]].data, Pre)], Pre); */
    return r;
}

/* The ends get their new numbers; nothing else changes. */
/*@ requires ends:     valid_ends(e) && ends_in(e, n) && 0 <= n && \valid_read(map + (0 .. n - 1));
    requires apart:    own_ends(e, h, s) && off_ends(\base_addr(map), e);
    requires read:     0 <= m && \valid_read(h.node + (0 .. m - 1)) && \valid_read(s.tensor + (0 .. s.ntensor - 1));
    terminates \true;
    exits    never:    \false;
    assigns  e.input[0 .. e.ninput - 1], e.output[0 .. e.noutput - 1].node;
    ensures  input:    \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \old(map[e.input[k]]);
    ensures  output:   \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \old(map[e.output[k].node]);
    ensures  nodes:    \forall integer k; 0 <= k < m ==> h.node[k] == \old(h.node[k]);
    ensures  ids:      same_ids{Pre,Post}(h.in, h.capin);
    ensures  attrs:    same_attrs_below{Pre,Post}(h.attr, h.capattr);
    ensures  tensors:  \forall integer k; 0 <= k < s.ntensor ==> s.tensor[k] == \old(s.tensor[k]);
*/
static void rename_ends(struct graph_ends e, const int *map)
/*@ ghost (int n, struct graph_put h, int m, struct graph_store s) */
{
    graph_rename(e.input, e.ninput, map) /*@ ghost (n) */;
    /*@ assert output: \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \at(e.output[k].node, Pre); */
    /*@ assert map:    \forall integer k; 0 <= k < n ==> map[k] == \at(map[k], Pre); */
    graph_rename_outputs(e.output, e.noutput, map) /*@ ghost (n) */;
}

struct graph_renewed graph_renew(struct graph_put g, const int *map, const int *order, int n, struct graph_put h,
                                 struct graph_store s, struct graph_ends e)
{
    struct graph_renewed r;

    /*@ assert less:      \forall integer i; 0 <= i < n ==> renamed_less(g, map, order, i); */
    r = renew_nodes(g, map, order, n, h, s) /*@ ghost (e) */;
    /*@ ghost Nodes: ; */
    /*@ assert fits:      \forall integer i; 0 <= i < n ==> 0 <= ins{Pre}(g, order, i) &&
                          ins{Pre}(g, order, i) + \at(g.node[order[i]].nin, Pre) <= h.capin; */
    /*@ assert attrs_n:   all_attrs{Pre,Here}(g, order, h.attr, n); */
    rename_ends(e, map) /*@ ghost (g.n, h, n, s) */;
    /*@ assert nodes:     \forall integer i; 0 <= i < n ==> renewed{Pre,Nodes}(g, order, h, i) && renewed{Pre,Here}(g, order, h, i); */
    /*@ assert inputs:    \forall integer i; 0 <= i < n ==> renamed_inputs{Pre,Nodes}(g, map, order, h.in, i) &&
                          renamed_inputs{Pre,Here}(g, map, order, h.in, i); */
    /*@ assert attrs:     all_attrs{Pre,Here}(g, order, h.attr, n); */
    /*@ assert data:      \forall integer i; 0 <= i < n ==> h.node[i].data == \at(h.node[i].data, Nodes); */
    return r;
}
