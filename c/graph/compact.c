/* Compaction: what compact_check.c, compact_sums.c, compact_order.c and compact_renew.c do, one after the other. */
#include "graph/compact.h"

#include "graph/compact_room.h"

/*@ requires graph:    held_arrays(g) && placed(put_of(g));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  exist:    \result.k < 0 <==> all_exist(g);
    ensures  ranges:   \result.k < 0 ==> ranges_ok(put_of(g));
    ensures  input:    0 <= \result.k ==> 0 <= \result.node ==> \result.node < g->node.n &&
                       \result.k < g->node.a[\result.node].nin;
    ensures  bad:      0 <= \result.k ==> 0 <= \result.node ==>
                       !(-1 <= g->in.a[g->node.a[\result.node].in + \result.k] < g->node.n);
    ensures  output:   0 <= \result.k ==> \result.node < 0 ==> \result.k < g->output.n &&
                       !(0 <= g->output.a[\result.k].node < g->node.n);
*/
static struct graph_bad check_ids(const struct graph *g)
{
    return graph_find_bad(graph_view(g), g->output.a, g->output.n);
}

/* The message; the graph stays. */
/*@ requires graph:    held_arrays(g) && placed(put_of(g)) && held_names(g) && held_diag(d, g);
    requires id:       0 <= bad.k && (0 <= bad.node ==> bad.node < g->node.n && bad.k < g->node.a[bad.node].nin);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    UNCHANGED
    ensures  status:   \result == CALQUE_INTERNAL;
*/
static enum calque_status refuse(const struct graph *g, struct graph_bad bad, struct diag *d)
{
    enum calque_status st;

    /*@ assert apart: 0 < g->node.n ==> \base_addr(d) != \base_addr(g->node.a); */
    st = compact_no_node(g, bad, d);
    /*@ assert same:  fields_stay{Pre,Here}(g); */
    /*@ assert ints:  \forall int *p; \base_addr(p) != \base_addr(d) ==> *p == \at(*p, Pre); */
    return st;
}

/* graph_order; a node of a cycle needs itself; there is room for the inputs and attributes of what is kept. */
/*@ requires graph:    valid_graph(v) && ranges_ok(v) && leaves(v) && own_numbers(v, c.map, c.order, c.stack);
    requires outs:     0 <= nout && \valid_read(out + (0 .. nout - 1)) && outputs_exist(v, out, nout);
    requires apart:    \base_addr(c.map) != \base_addr(out) && \base_addr(c.order) != \base_addr(out) &&
                       \base_addr(c.stack) != \base_addr(out);
    terminates \true;
    exits    never:    \false;
    assigns  c.map[0 .. v.n - 1], c.order[0 .. v.n - 1], c.stack[0 .. v.n - 1];
    ensures  graph:    same_graph{Pre,Post}(v);
    ensures  none:     -1 <= \result.cycle < v.n;
    ensures  cycle:    \result.cycle >= 0 ==> depends{Pre}(v, \result.cycle, \result.cycle);
    ensures  numbers:  \result.cycle < 0 ==> numbers(v, c.map, c.order, \result.n) && \result.n <= v.n;
    ensures  leaves:   \result.cycle < 0 ==> \forall integer i; 0 <= i < v.n ==> v.node[i].kind == NODE_INPUT ==> 0 <= c.map[i];
    ensures  outs:     \result.cycle < 0 ==> \forall integer k; 0 <= k < nout ==> 0 <= c.map[out[k].node];
    ensures  needed:   \forall integer i; 0 <= i < v.n ==> 0 <= c.map[i] ==>
                       \old(v.node[i].kind) == NODE_INPUT || needed{Pre}(v, out, nout, i);
    ensures  enough:   \result.cycle < 0 ==> ins(v, c.order, \result.n) <= all_ins{Pre}(v, v.n) &&
                       atts(v, c.order, \result.n) <= all_atts{Pre}(v, v.n);
    ensures  ints:     \forall int *p; \base_addr(p) != \base_addr(c.map) ==> \base_addr(p) != \base_addr(c.order) ==>
                       \base_addr(p) != \base_addr(c.stack) ==> *p == \old(*p);
*/
static struct graph_numbers order(struct graph_put v, const struct graph_output *out, int nout, struct compactor c)
{
    struct graph_numbers r = graph_order(v, out, nout, c.map, c.order, c.stack);

    /*@ ghost int at = 0, k = 0, x = 0, y = 0; */
    /*@ assert ranges: ranges_ok(v); */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= v.n;
           loop invariant ins:   all_ins(v, at) == all_ins{Pre}(v, at);
           loop invariant atts:  all_atts(v, at) == all_atts{Pre}(v, at);
           loop assigns at;
           loop variant v.n - at;
        @/
        while (at < v.n)
            at++;
        if (r.cycle < 0)
            graph_sums_enough(v, c.map, c.order, r.n);
        /@ loop invariant range: 0 <= k <= v.n;
           loop invariant some:  \forall integer a, b; 0 <= a < k ==> cycle(v, c.stack, a, b) ==>
                                 depends{Pre}(v, c.stack[a].node, c.stack[a].node);
           loop assigns k, at, x, y;
           loop variant v.n - k;
        @/
        while (k < v.n) {
            at = k + 1;
            /@ loop invariant range: k < at <= v.n;
               loop invariant uses:  \forall integer b; k + 1 < b <= at ==> chain(v, c.stack, k, b) ==>
                                     depends{Pre}(v, c.stack[k].node, c.stack[b - 1].node);
               loop assigns at, x, y;
               loop variant v.n - at;
            @/
            while (at < v.n) {
                x = at + 1;
                y = at - 1;
                /@ assert shorter: chain(v, c.stack, k, x) ==> chain(v, c.stack, k, at); @/
                /@ assert link:    chain(v, c.stack, k, x) ==> 0 <= c.stack[y].node < v.n &&
                                   uses_node(v, c.stack[y].node, c.stack[at].node); @/
                /@ assert before:  chain(v, c.stack, k, x) ==> uses_node{Pre}(v, c.stack[y].node, c.stack[at].node); @/
                /@ assert next:    chain(v, c.stack, k, x) ==> depends{Pre}(v, c.stack[k].node, c.stack[at].node); @/
                at++;
            }
            /@ assert whole:   \forall integer b; cycle(v, c.stack, k, b) ==> chain(v, c.stack, k, b) && 0 <= c.stack[b - 1].node < v.n &&
                               uses_node(v, c.stack[b - 1].node, c.stack[k].node); @/
            /@ assert before:  \forall integer b; cycle(v, c.stack, k, b) ==> uses_node{Pre}(v, c.stack[b - 1].node, c.stack[k].node); @/
            /@ assert alone:   \forall integer b; cycle(v, c.stack, k, b) ==> b == k + 1 ==>
                               depends{Pre}(v, c.stack[k].node, c.stack[k].node); @/
            /@ assert others:  \forall integer b; cycle(v, c.stack, k, b) ==> k + 1 < b ==>
                               depends{Pre}(v, c.stack[k].node, c.stack[b - 1].node) &&
                               depends{Pre}(v, c.stack[k].node, c.stack[k].node); @/
            /@ assert itself:  \forall integer b; cycle(v, c.stack, k, b) ==> depends{Pre}(v, c.stack[k].node, c.stack[k].node); @/
            k++;
        }
    */
    return r;
}

#ifdef __FRAMAC__
#define APART(p) (\base_addr(p) != \base_addr(c.map) && \base_addr(p) != \base_addr(c.order) && \
                  \base_addr(p) != \base_addr(c.stack))
#endif

/* On the arrays of g, which stay. */
/*@ requires graph:    held_arrays(g) && ranges_ok(put_of(g)) && leaves(put_of(g)) && held_names(g);
    requires outs:     outputs_exist(put_of(g), g->output.a, g->output.n);
    requires room:     held_compactor(c, g);
    requires sums:     c.to.capin == all_ins(put_of(g), g->node.n) && c.to.capattr == all_atts(put_of(g), g->node.n);
    terminates \true;
    exits    never:    \false;
    assigns  c.map[0 .. g->node.n - 1], c.order[0 .. g->node.n - 1], c.stack[0 .. g->node.n - 1];
    UNCHANGED
    ensures  held:     held_arrays(g);
    ensures  names:    held_names(g);
    ensures  ranges:   ranges_ok(put_of(g));
    ensures  none:     -1 <= \result.cycle < g->node.n;
    ensures  cycle:    \result.cycle >= 0 ==> depends{Pre}(\old(put_of(g)), \result.cycle, \result.cycle);
    ensures  numbers:  \result.cycle < 0 ==> numbers(put_of(g), c.map, c.order, \result.n) && \result.n <= g->node.n;
    ensures  leaves:   \result.cycle < 0 ==> inputs_kept{Pre,Post}(g, c.map);
    ensures  outs:     \result.cycle < 0 ==> outputs_kept{Pre,Post}(g, c.map);
    ensures  used:     \result.cycle < 0 ==> used_kept{Pre,Post}(\old(put_of(g)), c.map);
    ensures  needed:   \result.cycle < 0 ==> only_needed{Pre,Post}(g, c.map);
    ensures  enough:   \result.cycle < 0 ==> ins(put_of(g), c.order, \result.n) <= c.to.capin &&
                       atts(put_of(g), c.order, \result.n) <= c.to.capattr;
*/
static struct graph_numbers number(const struct graph *g, struct compactor c)
{
    struct graph_put v = graph_view(g);
    struct graph_numbers r;

    /*@ assert off_g:    APART(g); */ /*@ assert off_node: APART(g->node.a); */ /*@ assert off_in: APART(g->in.a); */
    /*@ assert off_attr: APART(g->attr.a); */ /*@ assert off_t: APART(g->tensor.a); */ /*@ assert off_i: APART(g->input.a); */
    /*@ assert off_o:    APART(g->output.a); */ /*@ assert off_strs: APART(g->strs) && APART(g->strs->entry.a); */
    r = order(v, g->output.a, g->output.n, c);
    /*@ assert view:     put_of(g) == \at(put_of(g), Pre); */
    /*@ assert lists:    g->input == \at(g->input, Pre) && g->output == \at(g->output, Pre) && g->tensor == \at(g->tensor, Pre); */
    /*@ assert fields:   same_fields{Pre,Here}(g); */
    /*@ assert node:     nodes_stay{Pre,Here}(g); */
    /*@ assert table:    g->strs == \at(g->strs, Pre) && table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert entries:  same_entries{Pre,Here}(table_of(g->strs)); */
    /*@ assert bytes:    same_bytes{Pre,Here}(g->strs->text.a, g->strs->text.n); */
    /*@ assert texts:    texts_ok(table_of(g->strs)); */
    /*@ assert valid:    \valid_read(g->strs) && valid_strs(table_of(g->strs)); */
    /*@ assert stay:     fields_stay{Pre,Here}(g); */
    /*@ assert lists_v:  valid_arrays(g); */ /*@ assert own: own_arrays(g); */ /*@ assert own_n: own_nodes_of(g); */
    return r;
}

/* The message of a cycle; the graph stays. */
/*@ requires graph:    held_arrays(g) && ranges_ok(put_of(g)) && held_names(g);
    requires node:     0 <= node < g->node.n;
    requires diag:     held_diag(d, g);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    UNCHANGED
    ensures  held:     held_arrays(g);
*/
static void cyclic(const struct graph *g, int node, struct diag *d)
{
    compact_cyclic(g, node, d);
    /*@ assert fields: same_fields{Pre,Here}(g); */
}

/* Visiting in id order keeps the order of a graph that is already sorted. How many nodes stay; -1: there is a cycle. */
/*@ requires graph:    held_arrays(g) && ranges_ok(put_of(g)) && leaves(put_of(g)) && held_names(g);
    requires outs:     outputs_exist(put_of(g), g->output.a, g->output.n);
    requires room:     held_compactor(c, g);
    requires sums:     c.to.capin == all_ins(put_of(g), g->node.n) && c.to.capattr == all_atts(put_of(g), g->node.n);
    requires diag:     held_diag(d, g);
    terminates \true;
    exits    never:    \false;
    assigns  c.map[0 .. g->node.n - 1], c.order[0 .. g->node.n - 1], c.stack[0 .. g->node.n - 1], *d;
    UNCHANGED
    ensures  held:     held_arrays(g);
    ensures  range:    -1 <= \result <= g->node.n;
    ensures  cycle:    \result < 0 ==> cyclic{Pre}(\old(put_of(g)));
    ensures  ranges:   0 <= \result ==> ranges_ok(put_of(g));
    ensures  numbers:  0 <= \result ==> numbers(put_of(g), c.map, c.order, \result);
    ensures  kept:     0 <= \result ==> kept_are{Pre,Post}(g, c.map);
    ensures  enough:   0 <= \result ==> ins(put_of(g), c.order, \result) <= c.to.capin &&
                       atts(put_of(g), c.order, \result) <= c.to.capattr;
*/
static int sort(const struct graph *g, struct compactor c, struct diag *d)
{
    struct graph_numbers r = number(g, c);

    if (r.cycle < 0)
        return r.n;
    cyclic(g, r.cycle, d);
    return -1;
}

#ifdef __FRAMAC__
#define WRITTEN_REQUIRES                                                                                               \
    requires ends:     valid_ends(e) && ends_in(e, g.n);                                                               \
    requires others:   own_ends(e, h, s) && off_all(\base_addr(map), h, s, e);                                          \
    requires outside:  \valid(o) && off_all(\base_addr(o), h, s, e);
#define WRITTEN                                                                                                        \
    assigns  h.node[0 .. n - 1], h.in[0 .. h.capin - 1], h.attr[0 .. h.capattr - 1],                                   \
             s.tensor_map[0 .. s.ntensor - 1], s.tensor[0 .. s.ntensor - 1], s.raw_map[0 .. s.nraw - 1],               \
             s.raw[0 .. s.nraw - 1], e.input[0 .. e.ninput - 1], e.output[0 .. e.noutput - 1];                         \
    ensures  graph:    *o == \old(*o);                                                                                 \
    ensures  map:      same_map{Pre,Post}(map, g.n);                                                                   \
    ensures  names:    same_names{Pre,Post}(e.output, e.noutput);
#endif

/* graph_renew; the map stays, and the graph o, which stands apart from all that is written. */
/*@ RENEW_REQUIRES
    WRITTEN_REQUIRES
    terminates \true;
    exits    never:    \false;
    WRITTEN
    RENEW_ENSURES
    ensures  input:    \forall integer k; 0 <= k < e.ninput ==> e.input[k] == \old(map[e.input[k]]);
    ensures  output:   \forall integer k; 0 <= k < e.noutput ==> e.output[k].node == \old(map[e.output[k].node]);
    ensures  order:    \forall integer i; 0 <= i < n ==> renamed_less{Pre}(g, map, order, i);
*/
static struct graph_renewed renew_apart(struct graph_put g, const int *map, const int *order, int n, struct graph_put h,
                                        struct graph_store s, struct graph_ends e) /*@ ghost (const struct graph *o) */
{
    struct graph_renewed r = graph_renew(g, map, order, n, h, s, e);

    /*@ assert nodes:  \forall int *p; off_all(\base_addr(p), h, s, e) ==> \forall integer k; p != &e.output[k].node; */
    /*@ assert bases:  \forall int *p; off_all(\base_addr(p), h, s, e) ==> \separated(p, h.node + (0 .. n - 1)) &&
                       \separated(p, h.in + (0 .. h.capin - 1)) && \separated(p, h.attr + (0 .. h.capattr - 1)) &&
                       \separated(p, s.tensor + (0 .. s.ntensor - 1)) && \separated(p, s.raw + (0 .. s.nraw - 1)) &&
                       \separated(p, s.tensor_map + (0 .. s.ntensor - 1)) && \separated(p, s.raw_map + (0 .. s.nraw - 1)) &&
                       \separated(p, e.input + (0 .. e.ninput - 1)); */
    /*@ assert ints:   \forall int *p; off_all(\base_addr(p), h, s, e) ==> *p == \at(*p, Pre); */
    /*@ assert ptrs:   \forall char **p; off_all(\base_addr(p), h, s, e) ==> *p == \at(*p, Pre); */
    /*@ assert sizes:  \forall unsigned long *p; off_all(\base_addr(p), h, s, e) ==> *p == \at(*p, Pre); */
    /*@ assert other:  \forall integer k, i; &e.output[k].name != &e.output[i].node; */
    /*@ assert names:  \forall int *p; \separated(p, h.node + (0 .. n - 1)) ==>
                       \separated(p, h.in + (0 .. h.capin - 1)) ==> \separated(p, h.attr + (0 .. h.capattr - 1)) ==>
                       \separated(p, s.tensor + (0 .. s.ntensor - 1)) ==> \separated(p, s.raw + (0 .. s.nraw - 1)) ==>
                       \separated(p, s.tensor_map + (0 .. s.ntensor - 1)) ==>
                       \separated(p, s.raw_map + (0 .. s.nraw - 1)) ==> \separated(p, e.input + (0 .. e.ninput - 1)) ==>
                       (\forall integer k; p != (int *)&e.output[k].node) ==> *p == \at(*p, Pre); */
    /*@ assert named:  \forall integer k; 0 <= k < e.noutput ==> \separated(&e.output[k].name, h.node + (0 .. n - 1)) &&
                       \separated(&e.output[k].name, h.in + (0 .. h.capin - 1)) &&
                       \separated(&e.output[k].name, h.attr + (0 .. h.capattr - 1)) &&
                       \separated(&e.output[k].name, s.tensor + (0 .. s.ntensor - 1)) &&
                       \separated(&e.output[k].name, s.raw + (0 .. s.nraw - 1)) &&
                       \separated(&e.output[k].name, s.tensor_map + (0 .. s.ntensor - 1)) &&
                       \separated(&e.output[k].name, s.raw_map + (0 .. s.nraw - 1)) &&
                       \separated(&e.output[k].name, e.input + (0 .. e.ninput - 1)); */
    /*@ assert called: same_names{Pre,Here}(e.output, e.noutput); */
    /*@ assert view:   o->node == \at(o->node, Pre) && o->in == \at(o->in, Pre) && o->attr == \at(o->attr, Pre); */
    /*@ assert data:   o->tensor == \at(o->tensor, Pre) && o->raw == \at(o->raw, Pre); */
    /*@ assert lists:  o->input == \at(o->input, Pre) && o->output == \at(o->output, Pre); */
    /*@ assert rest:   o->mem == \at(o->mem, Pre) && o->strs == \at(o->strs, Pre) && o->values == \at(o->values, Pre) &&
                       o->model == \at(o->model, Pre); */
    /*@ assert ids:    o->name == \at(o->name, Pre) && o->rules == \at(o->rules, Pre) && o->class == \at(o->class, Pre) &&
                       o->opset == \at(o->opset, Pre); */
    return r;
}

/* The same, as the map says it. */
/*@ RENEW_REQUIRES
    WRITTEN_REQUIRES
    terminates \true;
    exits    never:    \false;
    WRITTEN
    ensures  to:       \result.to == {h \with .n = n, .cap = g.n, .nin = \result.to.nin, .capin = \result.to.nin,
                       .nattr = \result.to.nattr, .capattr = \result.to.nattr};
    ensures  sizes:    0 <= \result.to.nin <= h.capin && 0 <= \result.to.nattr <= h.capattr;
    ensures  stay:     0 <= \result.ntensor <= s.ntensor && 0 <= \result.nraw <= s.nraw;
    ensures  nodes:    nodes_moved{Pre,Post}(g, \result.to, map);
    ensures  ids:      all_ids_moved{Pre,Post}(g, \result.to, map);
    ensures  attrs:    all_attributes_moved{Pre,Post}(g, \result.to, map);
    ensures  tensors:  tensors_moved{Pre,Post}(g, \result.to, map, s.tensor, \result.ntensor);
    ensures  raws:     raws_moved{Pre,Post}(g, \result.to, map, s.raw, \result.nraw);
    ensures  all:      all_numbers(map, g.n, n);
    ensures  input:    inputs_renamed{Pre,Post}(map, e.input, e.ninput);
    ensures  output:   outputs_renamed{Pre,Post}(map, e.output, e.noutput);
*/
static struct graph_renewed renew(struct graph_put g, const int *map, const int *order, int n, struct graph_put h,
                                  struct graph_store s, struct graph_ends e) /*@ ghost (const struct graph *o) */
{
    struct graph_renewed r;

    /*@ assert kept:    order_at{Here,Here}(map, order, g.n, n); */
    /*@ assert numbers: all_numbers(map, g.n, n); */
    r = renew_apart(g, map, order, n, h, s, e) /*@ ghost (o) */;
    r.to.cap = g.n;
    r.to.capin = r.to.nin;
    r.to.capattr = r.to.nattr;
    /*@ assert still:   order_at{Pre,Here}(map, order, g.n, n); */
    /*@ assert sizes:   r.to.nin == ins{Pre}(g, order, n) && r.to.nattr == atts{Pre}(g, order, n); */
    /*@ assert onto:    onto(h, r.to, n); */
    /*@ assert nodes:   all_renewed{Pre,Here}(g, order, h, n); */
    /*@ assert sums:    sums_ok{Pre}(g, order, n) && r.to.nin <= INT32_MAX && r.to.nattr <= INT32_MAX; */
    /*@ assert first:   ids_first{Pre,Here}(g, order, r.to, n); */
    /*@ assert first_a: attributes_first{Pre,Here}(g, order, r.to, n); */
    /*@ assert ids:     all_renamed{Pre,Here}(g, map, order, r.to.in, n); */
    /*@ assert attrs:   all_attrs{Pre,Here}(g, order, r.to.attr, n); */
    /*@ assert tensors: all_same_tensors{Pre,Here}(g, order, h, s, n, r.ntensor); */
    /*@ assert raws:    all_same_raws{Pre,Here}(g, order, h, s, n, r.nraw); */
    return r;
}

/* What is new goes into the graph; else nothing changes. */
/*@ requires valid:    \valid(g) && 0 <= g->input.n && 0 <= g->output.n && 0 <= n;
    requires to:       off_put(\base_addr(g), r.to) && \base_addr(g) != \base_addr(map);
    requires lists:    \base_addr(g) != \base_addr(g->tensor.a) && \base_addr(g) != \base_addr(g->raw.a) &&
                       \base_addr(g) != \base_addr(g->input.a) && \base_addr(g) != \base_addr(g->output.a);
    terminates \true;
    exits    never:    \false;
    assigns  g->tensor.n, g->raw.n, g->node, g->in, g->attr;
    ensures  view:     put_of(g) == r.to;
    ensures  data:     g->tensor.n == r.ntensor && g->raw.n == r.nraw;
    ensures  fields:   same_fields{Pre,Post}(g);
    ensures  map:      same_map{Pre,Post}(map, n);
    ensures  new:      same_view{Pre,Post}(r.to);
    ensures  tensors:  \forall integer k; 0 <= k < r.ntensor ==> g->tensor.a[k] == \old(g->tensor.a[k]);
    ensures  raws:     \forall integer k; 0 <= k < r.nraw ==> g->raw.a[k] == \old(g->raw.a[k]);
    ensures  inputs:   inputs_stay{Pre,Post}(g);
    ensures  outputs:  outputs_stay{Pre,Post}(g);
*/
static void put(struct graph *g, struct graph_renewed r) /*@ ghost (int *map, int n) */
{
    g->tensor.n = r.ntensor;
    g->raw.n = r.nraw;
    g->node.a = r.to.node;
    g->node.n = r.to.n;
    g->node.cap = r.to.cap;
    g->in.a = r.to.in;
    g->in.n = r.to.nin;
    g->in.cap = r.to.capin;
    g->attr.a = r.to.attr;
    g->attr.n = r.to.nattr;
    g->attr.cap = r.to.capattr;
    /*@ assert ints:   \forall int *p; \base_addr(p) != \base_addr(g) ==> *p == \at(*p, Pre); */
    /*@ assert ptrs:   \forall char **p; \base_addr(p) != \base_addr(g) ==> *p == \at(*p, Pre); */
    /*@ assert nodes:  same_records{Pre,Here}(r.to.node, r.to.n); */
    /*@ assert ids:    same_ids{Pre,Here}(r.to.in, r.to.nin); */
    /*@ assert attrs:  same_attrs_below{Pre,Here}(r.to.attr, r.to.nattr); */
    /*@ assert shared: g->mem == \at(g->mem, Pre) && g->strs == \at(g->strs, Pre) && g->values == \at(g->values, Pre) &&
                       g->model == \at(g->model, Pre); */
    /*@ assert ends:   g->input == \at(g->input, Pre) && g->output == \at(g->output, Pre); */
    /*@ assert arrays: g->tensor.a == \at(g->tensor.a, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre) &&
                       g->raw.a == \at(g->raw.a, Pre) && g->raw.cap == \at(g->raw.cap, Pre); */
}

/* Nothing fails from here on: the graph changes as a whole or not at all. The arrays it had. */
/*@ requires graph:    held_arrays(g) && ranges_ok(put_of(g)) && data_exist(g) && ends_exist(g);
    requires outs:     outputs_exist(put_of(g), g->output.a, g->output.n);
    requires room:     held_compactor(c, g);
    requires numbers:  numbers(put_of(g), c.map, c.order, n) && n <= g->node.n;
    requires enough:   ins(put_of(g), c.order, n) <= c.to.capin && atts(put_of(g), c.order, n) <= c.to.capattr;
    terminates \true;
    exits    never:    \false;
    assigns  c.to.node[0 .. n - 1], c.to.in[0 .. c.to.capin - 1], c.to.attr[0 .. c.to.capattr - 1],
             c.tensor[0 .. g->tensor.n - 1], g->tensor.a[0 .. g->tensor.n - 1], c.raw[0 .. g->raw.n - 1],
             g->raw.a[0 .. g->raw.n - 1], g->input.a[0 .. g->input.n - 1], g->output.a[0 .. g->output.n - 1],
             g->tensor.n, g->raw.n, g->node, g->in, g->attr;
    ensures  old:      \result == \old(put_of(g));
    ensures  new:      g->node.a == c.to.node && g->in.a == c.to.in && g->attr.a == c.to.attr && g->node.n == n;
    ensures  valid:    valid_graph(put_of(g));
    ensures  data:     0 <= g->tensor.n <= \old(g->tensor.n) && 0 <= g->raw.n <= \old(g->raw.n);
    ensures  fields:   same_fields{Pre,Post}(g);
    ensures  map:      same_map{Pre,Post}(c.map, \old(g->node.n));
    ensures  all:      all_numbers(c.map, \old(g->node.n), n);
    ensures  nodes:    nodes_moved{Pre,Post}(\old(put_of(g)), put_of(g), c.map);
    ensures  ids:      all_ids_moved{Pre,Post}(\old(put_of(g)), put_of(g), c.map);
    ensures  attrs:    all_attributes_moved{Pre,Post}(\old(put_of(g)), put_of(g), c.map);
    ensures  tensors:  tensors_moved{Pre,Post}(\old(put_of(g)), put_of(g), c.map, g->tensor.a, g->tensor.n);
    ensures  raws:     raws_moved{Pre,Post}(\old(put_of(g)), put_of(g), c.map, g->raw.a, g->raw.n);
    ensures  input:    inputs_renamed{Pre,Post}(c.map, g->input.a, g->input.n);
    ensures  output:   outputs_renamed{Pre,Post}(c.map, g->output.a, g->output.n);
    ensures  names:    same_names{Pre,Post}(g->output.a, g->output.n);
*/
static struct graph_put commit(struct graph *g, struct compactor c, int n)
{
    struct graph_put old = graph_view(g);
    struct graph_store store = { .tensor = g->tensor.a, .raw = g->raw.a, .ntensor = g->tensor.n, .nraw = g->raw.n,
                                 .tensor_map = c.tensor, .raw_map = c.raw };
    struct graph_ends ends = { .input = g->input.a, .output = g->output.a, .ninput = g->input.n, .noutput = g->output.n };
    struct graph_renewed new;

    /*@ assert apart:    own_nodes(c.to.node, old, c.order) && own_ids(c.to.in, old, c.order) &&
                         own_attrs(c.to.attr, old, c.order) && \base_addr(c.to.in) != \base_addr(c.map) && own_put(c.to); */
    /*@ assert store:    own_store(store, c.to); */ /*@ assert ends: own_ends(ends, c.to, store); */
    /*@ assert map:      off_all(\base_addr(c.map), c.to, store, ends); */
    /*@ assert outside:  off_all(\base_addr(g), c.to, store, ends); */
    /*@ assert room:     \valid(c.to.node + (0 .. old.n - 1)); */
    new = renew(old, c.map, c.order, n, c.to, store, ends) /*@ ghost (g) */;
    /*@ ghost Renewed: ; */
    put(g, new) /*@ ghost (c.map, old.n) */;
    /*@ assert ids:      same_ids{Renewed,Here}(ends.input, ends.ninput); */
    /*@ assert stay:     outputs_stay{Renewed,Here}(g) && ends.output == g->output.a && ends.noutput == g->output.n; */
    /*@ assert outs:     same_outputs{Renewed,Here}(ends.output, ends.noutput); */
    /*@ assert nodes:    new.to.node == c.to.node && new.to.cap == old.n; */
    /*@ assert inputs:   \valid(new.to.in + (0 .. new.to.capin - 1)); */
    /*@ assert attrs:    \valid(new.to.attr + (0 .. new.to.capattr - 1)); */
    /*@ assert two:      \separated(new.to.node + (0 .. new.to.cap - 1), new.to.in + (0 .. new.to.capin - 1),
                         new.to.attr + (0 .. new.to.capattr - 1)); */
    return old;
}

/* compact_room; the graph stays. */
/*@ requires graph:    compactable(g) && ranges_ok(put_of(g));
    requires map:      map != \null ==> \valid(map + (0 .. g->node.n - 1)) && off_graph(\base_addr(map), g);
    requires sum:      sum.ok != 0 && 0 <= sum.in && 0 <= sum.attr;
    terminates \true;
    exits    never:    \false;
    assigns  *g->mem;
    UNCHANGED
    ensures  result:   \result.ok == 0 || \result.ok == 1;
    ensures  held:     \result.ok == 1 ==> held_compactor(\result, g);
    ensures  sums:     \result.ok == 1 ==> \result.to.capin == sum.in && \result.to.capattr == sum.attr;
    ensures  map:      \result.ok == 1 ==> map != \null ==> \result.map == map && \result.own == \null;
    ensures  own:      \result.ok == 1 ==> map == \null ==> \result.own == \result.map;
*/
static struct compactor room(const struct graph *g, int *map, struct graph_sums sum)
{
    return compact_room(g, map, sum);
}

/* There is no memory; the graph stays. */
/*@ requires graph:    held_arrays(g) && held_diag(d, g);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    UNCHANGED
    ensures  status:   \result == CALQUE_NOMEM;
*/
static enum calque_status nomem(struct diag *d) /*@ ghost (const struct graph *g) */
{
    return compact_nomem(d);
}

/* With room for it: not ok, and the graph as it was, when there is a cycle; what is to be given back. */
/*@ requires graph:    compactable(g) && ranges_ok(put_of(g)) && held_diag(d, g);
    requires outs:     outputs_exist(put_of(g), g->output.a, g->output.n);
    requires room:     held_compactor(c, g) && c.ok == 1;
    requires sums:     c.to.capin == all_ins(put_of(g), g->node.n) && c.to.capattr == all_atts(put_of(g), g->node.n);
    terminates \true;
    exits    never:    \false;
    assigns  c.map[0 .. g->node.n - 1], c.order[0 .. g->node.n - 1], c.stack[0 .. g->node.n - 1], *d,
             c.to.node[0 .. g->node.n - 1], c.to.in[0 .. c.to.capin - 1], c.to.attr[0 .. c.to.capattr - 1],
             c.tensor[0 .. g->tensor.n - 1], g->tensor.a[0 .. g->tensor.n - 1], c.raw[0 .. g->raw.n - 1],
             g->raw.a[0 .. g->raw.n - 1], g->input.a[0 .. g->input.n - 1], g->output.a[0 .. g->output.n - 1],
             g->tensor.n, g->raw.n, g->node, g->in, g->attr;
    ensures  result:   \result == {c \with .to = \result.to, .ok = \result.ok} && (\result.ok == 0 || \result.ok == 1);
    ensures  cycle:    \result.ok == 0 ==> cyclic{Pre}(\old(put_of(g)));
    ensures  graph:    \result.ok == 0 ==> unchanged{Pre,Post}(g) && \result.to == c.to;
    ensures  valid:    \result.ok == 1 ==> valid_graph(put_of(g));
    ensures  arrays:   \result.ok == 1 ==> arrays_moved{Pre,Post}(\old(put_of(g)), put_of(g), g, c.map);
    ensures  all:      \result.ok == 1 ==> all_numbers(c.map, \old(g->node.n), g->node.n);
    ensures  ends:     \result.ok == 1 ==> inputs_renamed{Pre,Post}(c.map, g->input.a, g->input.n) &&
                       outputs_renamed{Pre,Post}(c.map, g->output.a, g->output.n) &&
                       same_names{Pre,Post}(g->output.a, g->output.n);
    ensures  fields:   \result.ok == 1 ==> same_fields{Pre,Post}(g);
    ensures  kept:     \result.ok == 1 ==> kept_are{Pre,Post}(g, c.map);
    ensures  others:   off_arrays(\base_addr(c.order), g) && off_arrays(\base_addr(c.stack), g) &&
                       off_arrays(\base_addr(c.tensor), g) && off_arrays(\base_addr(c.raw), g) &&
                       off_arrays(\base_addr(c.map), g);
    ensures  back:     (\result.to.node != \null ==> off_arrays(\base_addr(\result.to.node), g)) &&
                       (\result.to.in != \null ==> off_arrays(\base_addr(\result.to.in), g)) &&
                       (\result.to.attr != \null ==> off_arrays(\base_addr(\result.to.attr), g));
*/
static struct compactor renumber(struct graph *g, struct compactor c, struct diag *d)
{
    int n = sort(g, c, d);

    /*@ ghost Sorted: ; */
    /*@ assert same:     unchanged{Pre,Here}(g); */
    if (n < 0) {
        c.ok = false;
        return c;
    }
    /*@ assert view:     put_of(g) == \at(put_of(g), Pre); */
    /*@ assert records:  same_view{Pre,Here}(\at(put_of(g), Pre)); */
    /*@ assert strs:     g->strs->entry.a == \at(g->strs->entry.a, Pre); */
    /*@ assert t_stay:   \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k] == \at(g->tensor.a[k], Pre); */
    /*@ assert t_below:  data_below{Pre}(g->node.a, g->node.n, 1, g->tensor.n); */
    /*@ assert i_stay:   same_ids{Pre,Here}(g->input.a, g->input.n); */
    /*@ assert o_stay:   same_outputs{Pre,Here}(g->output.a, g->output.n); */
    /*@ assert names:    same_names{Pre,Here}(g->output.a, g->output.n); */
    /*@ assert valid:    valid_numbers(c, g->node.n) && valid_new(c, g->node.n) && \valid(c.tensor + (0 .. g->tensor.n - 1)) &&
                         \valid(c.raw + (0 .. g->raw.n - 1)); */
    /*@ assert blocks:   new_blocks(c, g); */
    c.to = commit(g, c, n);
    /*@ assert off_o:    off_arrays(\base_addr(c.order), g); */ /*@ assert off_s: off_arrays(\base_addr(c.stack), g); */
    /*@ assert off_t:    off_arrays(\base_addr(c.tensor), g); */ /*@ assert off_r: off_arrays(\base_addr(c.raw), g); */
    /*@ assert off_m:    off_arrays(\base_addr(c.map), g); */
    /*@ assert input:    inputs_renamed{Pre,Here}(c.map, g->input.a, g->input.n); */
    /*@ assert output:   outputs_renamed{Pre,Here}(c.map, g->output.a, g->output.n); */
    /*@ assert arrays:   g->node.a == \at(c, Pre).to.node && g->in.a == \at(c, Pre).to.in && g->attr.a == \at(c, Pre).to.attr; */
    /*@ assert fields:   same_fields{Pre,Here}(g); */
    /*@ assert nodes:    nodes_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map); */
    /*@ assert ids:      all_ids_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map); */
    /*@ assert attrs:    all_attributes_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map); */
    /*@ assert tensors:  tensors_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map, g->tensor.a, g->tensor.n); */
    /*@ assert raws:     raws_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map, g->raw.a, g->raw.n); */
    return c;
}

enum calque_status graph_compact(struct graph *g, int *map, struct diag *d)
{
    struct graph_bad bad = check_ids(g);
    struct graph_sums sum;
    struct compactor c;

    if (bad.k >= 0)
        return refuse(g, bad, d);
    sum = graph_sums(graph_view(g));
    if (!sum.ok)
        return nomem(d) /*@ ghost (g) */;
    c = room(g, map, sum);
    /*@ ghost Room: ; */
    /*@ assert same:     unchanged{Pre,Here}(g); */
    if (!c.ok)
        return nomem(d) /*@ ghost (g) */;
    /*@ assert records:  same_view{Pre,Here}(\at(put_of(g), Pre)); */
    /*@ assert t_stay:   \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k] == \at(g->tensor.a[k], Pre); */
    /*@ assert t_below:  data_below{Pre}(g->node.a, g->node.n, 1, g->tensor.n); */
    c = renumber(g, c, d);
    /*@ assert nodes:    c.ok == 1 ==> nodes_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map); */
    /*@ assert ids:      c.ok == 1 ==> all_ids_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map); */
    /*@ assert attrs:    c.ok == 1 ==> all_attributes_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map); */
    /*@ assert tensors:  c.ok == 1 ==> tensors_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map, g->tensor.a, g->tensor.n); */
    /*@ assert raws:     c.ok == 1 ==> raws_moved{Pre,Here}(\at(put_of(g), Pre), put_of(g), c.map, g->raw.a, g->raw.n); */
    /*@ assert kept:     c.ok == 1 ==> kept_are{Pre,Here}(g, c.map); */
    /*@ assert fields:   c.ok == 1 ==> same_fields{Pre,Here}(g); */
    /*@ assert all:      c.ok == 1 ==> compacted{Pre,Here}(g, c.map); */
    compact_give_back(c) /*@ ghost (g, map) */;
    return c.ok ? CALQUE_OK : CALQUE_BAD;
}
