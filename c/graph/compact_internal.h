/* The parts of compaction in the order in which they run; its memory. */
#ifndef CALQUE_GRAPH_COMPACT_INTERNAL_H
#define CALQUE_GRAPH_COMPACT_INTERNAL_H

#include "graph/graph.h"
#include "graph/graph_accessors.h"

/* Which nodes are needed, and their numbers in topological order. */
enum { MARK_DEAD = -1, MARK_NEEDED = -2 }; /* in map[] */
enum { MARK_OPEN = -3 }; /* in map[]: on the path; MARK_DEAD or MARK_NEEDED: no number yet; else the new id */

struct frame {
    int node, next;
};

#ifdef __FRAMAC__
#include "graph/number.acsl"
#endif

/* Marks the graph's inputs and what its outputs need, nothing else. A node enters the stack once: when it is marked. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && leaves(g);
    requires outs:     0 <= nout && \valid_read(out + (0 .. nout - 1)) &&
                       \forall integer k; 0 <= k < nout ==> 0 <= out[k].node < g.n;
    requires own:      own_marks(map, stack, g.n);
    requires apart:    g.n > 0 ==> \base_addr(map) != \base_addr(g.node) && \base_addr(stack) != \base_addr(g.node) &&
                       \base_addr(map) != \base_addr(g.in) && \base_addr(stack) != \base_addr(g.in) &&
                       \base_addr(map) != \base_addr(out) && \base_addr(stack) != \base_addr(out);
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. g.n - 1], stack[0 .. g.n - 1];
    ensures  marks:    marks(map, g.n);
    ensures  leaves:   \forall integer i; 0 <= i < g.n ==> g.node[i].kind == NODE_INPUT ==> map[i] == MARK_NEEDED;
    ensures  outs:     \forall integer k; 0 <= k < nout ==> map[out[k].node] == MARK_NEEDED;
    ensures  closed:   \forall integer i; 0 <= i < g.n ==> map[i] == MARK_NEEDED ==> inputs_marked(g, map, i);
    ensures  needed:   \forall integer i; 0 <= i < g.n ==> map[i] == MARK_NEEDED ==>
                       \old(g.node[i].kind) == NODE_INPUT || needed{Pre}(g, out, nout, i);
*/
void graph_mark(struct graph_put g, const struct graph_output *out, int nout, int *map, struct frame *stack);

/* Compaction: new numbers of the nodes that are needed. */
/* So many nodes have a number; cycle: a node of one, or -1; then the stack has it. */
struct graph_numbers {
    int n, cycle;
};

/* Numbers the needed nodes, each after its inputs, by depth-first postorder in the order of ids; order[] has the old ids.
   A node on the path met again closes a cycle. Every edge is crossed once. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && own_numbers(g, map, order, stack);
    requires marks:    marks(map, g.n) && live(g, map);
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. g.n - 1], order[0 .. g.n - 1], stack[0 .. g.n - 1];
    ensures  graph:    same_graph{Pre,Post}(g);
    ensures  cycle:    \result.cycle >= 0 ==> \exists integer k, l; cycle(g, stack, k, l) && \result.cycle == stack[k].node;
    ensures  none:     -1 <= \result.cycle;
    ensures  numbers:  \result.cycle < 0 ==> numbers(g, map, order, \result.n) && \result.n <= g.n;
    ensures  all:      \result.cycle < 0 ==> \forall integer i; 0 <= i < g.n ==> \old(map[i]) == MARK_NEEDED ==> 0 <= map[i];
    ensures  dead:     same_dead{Pre,Post}(map, g.n);
*/
struct graph_numbers graph_number(struct graph_put g, int *map, int *order, struct frame *stack);

/* No data is left. */
/*@ requires valid:    \valid(t);
    terminates \true;
    exits    never:    \false;
    assigns  t->data \from \nothing;
    assigns  t->bytes \from \nothing;
*/
void graph_drop_tensor(struct tensor *t);

/*@ requires valid:    \valid(r);
    terminates \true;
    exits    never:    \false;
    assigns  r->a \from \nothing;
    assigns  r->n \from \nothing;
*/
void graph_drop_raw(struct raw *r);

/* The proved part of compaction: whether all inputs and outputs exist. */
/* The first id that does not exist: input k of a node, or (node -1) output k; k is -1 when all exist. */
struct graph_bad {
    int node, k;
};

/* ok: neither is above GRAPH_ROOM_MAX. */
struct graph_sums {
    bool ok;
    int in, attr;
};

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
#endif

/* Inputs, node by node, then outputs. */
/*@ requires valid:    valid_graph(g) && placed(g);
    requires outs:     0 <= nout && \valid_read(out + (0 .. nout - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  ok:       \result.k < 0 <==> ids_exist(g, g.n) && outputs_exist(g, out, nout);
    ensures  ranges:   \result.k < 0 ==> ranges_ok(g);
    ensures  none:     -1 <= \result.k && -1 <= \result.node && (\result.k < 0 ==> \result.node < 0);
    ensures  input:    0 <= \result.node ==> \result.node < g.n && 0 <= \result.k < g.node[\result.node].nin &&
                       !(-1 <= g.in[g.node[\result.node].in + \result.k] < g.n) &&
                       ids_exist(g, \result.node) && inputs_exist(g, \result.node, \result.k);
    ensures  output:   \result.node < 0 <= \result.k ==> \result.k < nout && !(0 <= out[\result.k].node < g.n) &&
                       ids_exist(g, g.n) && outputs_exist(g, out, \result.k);
*/
struct graph_bad graph_find_bad(struct graph_put g, const struct graph_output *out, int nout);

/* The proved part of compaction: the data of nodes that have their new order. */
#ifdef __FRAMAC__
#define DATA_REQUIRES(tensor)                                                                                        \
    requires valid:    0 <= n && 0 <= count && \valid(node + (0 .. n - 1)) && \valid(a + (0 .. count - 1)) &&         \
                       \valid(map + (0 .. count - 1));                                                               \
    requires apart:    count > 0 ==> \base_addr(map) != \base_addr(a) &&                                             \
                       (n > 0 ==> \base_addr(map) != \base_addr(node) && \base_addr(node) != \base_addr(a));         \
    requires data:     \forall integer i; 0 <= i < n ==> has_data(node, i, tensor) ==> node[i].data < count;
#define DATA_OF(tensor) \forall integer i; 0 <= i < n ==> has_data{Pre}(node, i, tensor) ==>                         \
    0 <= node[i].data < \result && a[node[i].data] == \old(a[node[i].data])
#define DATA_OTHERS(tensor) \forall integer i; 0 <= i < n ==> !has_data{Pre}(node, i, tensor) ==>                    \
    node[i].data == \old(node[i].data)
#define DATA_FIELDS \forall integer i; 0 <= i < n ==> node[i] == {\old(node[i]) \with .data = node[i].data}
#define DATA_USED(tensor) \forall integer v; 0 <= v < \result ==> used_data(node, n, tensor, v)
#endif

/* The tensors that n nodes use come first, in their order, and the nodes get their numbers; the others are freed. How many
   stay. */
/*@ DATA_REQUIRES(1)
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. count - 1], node[0 .. n - 1].data, a[0 .. count - 1];
    ensures  count:    0 <= \result <= count;
    ensures  data:     DATA_OF(1);
    ensures  others:   DATA_OTHERS(1);
    ensures  used:     DATA_USED(1);
    ensures  fields:   DATA_FIELDS;
*/
int graph_compact_tensors(struct node *node, int n, struct tensor *a, int *map, int count);

/* The same of bytes. */
/*@ DATA_REQUIRES(0)
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. count - 1], node[0 .. n - 1].data, a[0 .. count - 1];
    ensures  count:    0 <= \result <= count;
    ensures  data:     DATA_OF(0);
    ensures  others:   DATA_OTHERS(0);
    ensures  used:     DATA_USED(0);
    ensures  fields:   DATA_FIELDS;
*/
int graph_compact_raws(struct node *node, int n, struct raw *a, int *map, int count);

/* The proved part of compaction: nodes in their new order. */
/* out[k] is the new number of in[k], -1 (no input) stays: when the new numbers of the inputs are smaller than that of
   their user, `id`, so are those that are written. map has the new number of each of n nodes. */
/*@ requires valid:    0 <= nin && 0 <= n && \valid_read(in + (0 .. nin - 1)) && \valid_read(map + (0 .. n - 1)) &&
                       \valid(out + (0 .. nin - 1));
    requires apart:    \separated(out + (0 .. nin - 1), in + (0 .. nin - 1)) &&
                       \separated(out + (0 .. nin - 1), map + (0 .. n - 1));
    requires inputs:   \forall integer k; 0 <= k < nin ==> -1 <= in[k] < n;
    requires order:    \forall integer k; 0 <= k < nin ==> 0 <= in[k] ==> 0 <= map[in[k]] < id;
    terminates \true;
    exits    never:    \false;
    assigns  out[0 .. nin - 1];
    ensures  renamed:  \forall integer k; 0 <= k < nin ==> out[k] == (in[k] < 0 ? -1 : map[in[k]]);
    ensures  children: \forall integer k; 0 <= k < nin ==> -1 <= out[k] && (0 <= out[k] ==> out[k] < id);
*/
void graph_renumber(const int *in, int nin, const int *map, int n, int *out, int id);

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

/* The proved part of compaction: room for the inputs and attributes of the nodes that stay. */
enum { GRAPH_ROOM_MAX = INT32_MAX / 2 };

/* The sum over the nodes: ranges may overlap, so that it can exceed the arenas. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  ok:       \result.ok != 0 <==> all_ins(g, g.n) <= GRAPH_ROOM_MAX && all_atts(g, g.n) <= GRAPH_ROOM_MAX;
    ensures  sums:     \result.ok != 0 ==> \result.in == all_ins(g, g.n) && \result.attr == all_atts(g, g.n);
    ensures  range:    \result.ok != 0 ==> 0 <= \result.in && 0 <= \result.attr;
*/
struct graph_sums graph_sums(struct graph_put g);

/* That is enough for the nodes that have numbers (graph_emit). */
/*@ ghost
  /@ requires valid:    valid_graph(g) && ranges_ok(g) && numbers(g, map, order, n);
     requires read:     \valid_read(map + (0 .. g.n - 1)) && \valid_read(order + (0 .. n - 1));
     terminates \true;
     exits    never:    \false;
     assigns  \nothing;
     ensures  ins:      0 <= ins(g, order, n) <= all_ins(g, g.n);
     ensures  atts:     0 <= atts(g, order, n) <= all_atts(g, g.n);
  @/
  void graph_sums_enough(struct graph_put g, int *map, int *order, int n);
*/

/* Compaction: which nodes stay, and in which order. */
/* graph_mark, then graph_number: the graph's inputs and what its outputs need get numbers, nothing else does. */
/*@ requires valid:    valid_graph(g) && ranges_ok(g) && leaves(g) && own_numbers(g, map, order, stack);
    requires outs:     0 <= nout && \valid_read(out + (0 .. nout - 1)) && outputs_exist(g, out, nout);
    requires apart:    g.n > 0 ==> \base_addr(map) != \base_addr(out) && \base_addr(order) != \base_addr(out) &&
                       \base_addr(stack) != \base_addr(out);
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. g.n - 1], order[0 .. g.n - 1], stack[0 .. g.n - 1];
    ensures  graph:    same_graph{Pre,Post}(g);
    ensures  cycle:    \result.cycle >= 0 ==> \exists integer k, l; cycle(g, stack, k, l) && \result.cycle == stack[k].node;
    ensures  none:     -1 <= \result.cycle;
    ensures  numbers:  \result.cycle < 0 ==> numbers(g, map, order, \result.n) && \result.n <= g.n;
    ensures  leaves:   \result.cycle < 0 ==> \forall integer i; 0 <= i < g.n ==> g.node[i].kind == NODE_INPUT ==> 0 <= map[i];
    ensures  outs:     \result.cycle < 0 ==> \forall integer k; 0 <= k < nout ==> 0 <= map[out[k].node];
    ensures  needed:   \forall integer i; 0 <= i < g.n ==> 0 <= map[i] ==>
                       \old(g.node[i].kind) == NODE_INPUT || needed{Pre}(g, out, nout, i);
*/
struct graph_numbers graph_order(struct graph_put g, const struct graph_output *out, int nout, int *map, int *order,
                                 struct frame *stack);

/* Compaction: all that is written once the nodes have their new numbers. Nothing here fails. */
#ifdef __FRAMAC__
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

/* Memory and messages of compaction. Growth is trusted (compact_room); the rest is proved from it, mem_free and
   diag_set. */
struct compactor {
    int *map;            /* MARK_DEAD or the new id */
    int *own;            /* the map again when the caller gave none, else NULL */
    int *order;          /* old ids in their new order */
    struct frame *stack;
    int *tensor, *raw;   /* new number of a tensor or raw, -1: unused */
    struct graph_put to; /* the new arrays; once the graph has them, its old ones */
    bool ok;
};

#ifdef __FRAMAC__
#include "graph/compact.acsl"
#endif

/* Arrays for a graph with so many inputs and attributes; not ok, and nothing to give back, when memory is out. */
/*@ requires graph:    held_arrays(g) && held_mem(g);
    requires map:      map != \null ==> \valid(map + (0 .. g->node.n - 1)) && off_graph(\base_addr(map), g);
    requires sum:      sum.ok != 0 && 0 <= sum.in && 0 <= sum.attr;
    terminates \true;
    exits    never:    \false;
    assigns  \result \from g, *g, map, sum;
    assigns  *g->mem \from *g->mem;
    ensures  result:   \result.ok == 0 || \result.ok == 1;
    ensures  held:     \result.ok == 1 ==> held_compactor(\result, g);
    ensures  sum:      \result.ok == 1 ==> \result.to.capin == sum.in && \result.to.capattr == sum.attr;
    ensures  map:      \result.ok == 1 ==> map != \null ==> \result.map == map && \result.own == \null;
    ensures  own:      \result.ok == 1 ==> map == \null ==> \result.own == \result.map;
*/
struct compactor compact_room(const struct graph *g, int *map, struct graph_sums sum);

/* The arrays, which are none of g's and not the caller's, are freed. */
/*@ requires others:   off_arrays(\base_addr(c.order), g) && off_arrays(\base_addr(c.stack), g) &&
                       off_arrays(\base_addr(c.tensor), g) && off_arrays(\base_addr(c.raw), g);
    requires to:       (c.to.node != \null ==> off_arrays(\base_addr(c.to.node), g)) &&
                       (c.to.in != \null ==> off_arrays(\base_addr(c.to.in), g)) &&
                       (c.to.attr != \null ==> off_arrays(\base_addr(c.to.attr), g));
    requires own:      c.own != \null ==> off_arrays(\base_addr(c.own), g) && map == \null;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
*/
void compact_give_back(struct compactor c) /*@ ghost (struct graph *g, int *map) */;

/* Messages. That an id does not exist: an input of a node, or an output. */
/*@ requires graph:    \valid_read(g) && valid_graph(put_of(g)) && placed(put_of(g)) && held_names(g);
    requires id:       0 <= bad.k && (0 <= bad.node ==> bad.node < g->node.n && bad.k < g->node.a[bad.node].nin);
    requires diag:     d == \null || \valid(d);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    ensures  status:   \result == CALQUE_INTERNAL;
*/
enum calque_status compact_no_node(const struct graph *g, struct graph_bad bad, struct diag *d);

/*@ requires graph:    \valid_read(g) && valid_graph(put_of(g)) && ranges_ok(put_of(g)) && held_names(g);
    requires node:     0 <= node < g->node.n;
    requires diag:     d == \null || \valid(d);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
*/
void compact_cyclic(const struct graph *g, int node, struct diag *d);

/*@ requires diag:     d == \null || \valid(d);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    ensures  status:   \result == CALQUE_NOMEM;
*/
enum calque_status compact_nomem(struct diag *d);

#endif
