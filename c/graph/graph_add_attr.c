/* Where there is room for it: one attribute more. graph_add_attr.h has the contract. */
#include "graph/graph_add_attr.h"
#include "graph/graph_view.h"

#ifdef __FRAMAC__
#include "graph/add_attr.acsl"
#define ATTR_GIVEN                                                      \
    requires ready:    ready_graph(g);                                  \
    requires strings:  own_strings(g);                                  \
    requires node:     0 <= node < g->node.n;                           \
    requires room:     g->attr.n + g->node.a[node].nattr < g->attr.cap;
#define ATTR_PUT                                                                                                                     \
    ensures  number:   \result == \old(place_of(put_of(g), node)) + \old(g->node.a[node].nattr) + 1;                                 \
    ensures  more:     \old(g->attr.n) <= \result <= \old(g->attr.cap);                                                              \
    ensures  place:    \old(g->node.a)[node].attr == \old(place_of(put_of(g), node)) &&                                              \
                       \old(g->node.a)[node].nattr == \old(g->node.a[node].nattr) + 1;                                               \
    ensures  below:    moved_attrs{Pre,Post}(\old(g->attr.a), \old(g->attr.a), \old(place_of(put_of(g), node)));                     \
    ensures  attrs:    one_pair{Pre,Post}(\old(g->attr.a + g->node.a[node].attr), \old(g->attr.a) + \old(place_of(put_of(g), node)), \
                       \old(g->node.a[node].nattr), label, val);                                                                     \
    ensures  sorted:   sorted_attrs(\old(table_of(g->strs)), \old(g->attr.a) + \old(place_of(put_of(g), node)),                      \
                       \old(g->node.a[node].nattr) + 1);                                                                             \
    ensures  ranges:   ranges_ok({\old(put_of(g)) \with .nattr = (int)\result});                                                     \
    ensures  wf:       \old(wf_graph(put_of(g))) ==> \old(g->node.a)[node].kind == NODE_OP ==>                                       \
                       wf_graph({\old(put_of(g)) \with .nattr = (int)\result});
#endif

/* What is at p is none of what changes. */
#define FAR(p) \separated(p, g->attr.a + (0 .. g->attr.cap - 1)) && \separated(p, &g->node.a[node].attr) && \separated(p, &g->node.a[node].nattr)

/* As graph_put_attr; all else of the nodes, the other nodes and the inputs are as they were. */
/*@ requires valid:    valid_graph(v) && ranges_ok(v) && 0 <= node < v.n;
    requires room:     v.nattr + v.node[node].nattr < v.capattr;
    requires strs:     \valid_read(s) && valid_strs(table_of(s)) && texts_ok(table_of(s));
    requires apart:    \separated(v.attr + (0 .. v.capattr - 1), s, s->entry.a + (0 .. s->entry.n - 1)) &&
                       \separated(v.node + (0 .. v.cap - 1), s, s->entry.a + (0 .. s->entry.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  v.node[node].attr, v.node[node].nattr, v.attr[0 .. v.capattr - 1];
    ensures  number:   \result == \old(place_of(v, node)) + \old(v.node[node].nattr) + 1;
    ensures  place:    v.node[node].attr == \old(place_of(v, node)) && v.node[node].nattr == \old(v.node[node].nattr) + 1;
    ensures  below:    moved_attrs{Pre,Post}(v.attr, v.attr, \old(place_of(v, node)));
    ensures  attrs:    one_pair{Pre,Post}(v.attr + \old(v.node[node].attr), v.attr + \old(place_of(v, node)),
                       \old(v.node[node].nattr), label, val);
    ensures  sorted:   sorted_attrs(table_of(s), v.attr + \old(place_of(v, node)), v.node[node].nattr);
    ensures  ranges:   ranges_ok({v \with .nattr = (int)\result});
    ensures  wf:       \old(wf_graph(v)) ==> v.node[node].kind == NODE_OP ==> wf_graph({v \with .nattr = (int)\result});
    ensures  kinds:    \forall integer i; 0 <= i < v.n ==> v.node[i].kind == \old(v.node[i].kind);
    ensures  datas:    \forall integer i; 0 <= i < v.n ==> v.node[i].data == \old(v.node[i].data);
    ensures  bares:    moved_bares{Pre,Post}(v.node, v.node, v.n);
    ensures  places:   moved_places{Pre,Post}(v.node, v.node, v.n, node);
    ensures  ins:      moved_numbers{Pre,Post}(v.in, v.in, v.nin);
*/
static int put_view(const struct strs *s, struct graph_put v, int node, int label, int val)
{
    struct graph_put h;

    /*@ assert in: node_in(v, node); */
    /*@ assert far_kind: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].kind, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_op: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].op, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_name: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].name, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_label: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].label, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_in: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].in, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_nin: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].nin, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_index: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].index, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_dtype: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].dtype, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_data: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].data, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_origin: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].origin, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_rank: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].shape.rank, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_attr: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].attr, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert far_nattr: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].nattr, v.attr + (0 .. v.capattr - 1)); */
    /*@ assert others: \forall integer i; 0 <= i < v.n ==> i != node ==> &v.node[i].attr != &v.node[node].attr; */
    h = graph_put_attr(s, v, node, label, val);
    /*@ assert n_kind: \forall integer i; 0 <= i < v.n ==> v.node[i].kind == \at(v.node[i].kind, Pre); */
    /*@ assert n_op: \forall integer i; 0 <= i < v.n ==> v.node[i].op == \at(v.node[i].op, Pre); */
    /*@ assert n_name: \forall integer i; 0 <= i < v.n ==> v.node[i].name == \at(v.node[i].name, Pre); */
    /*@ assert n_label: \forall integer i; 0 <= i < v.n ==> v.node[i].label == \at(v.node[i].label, Pre); */
    /*@ assert n_in: \forall integer i; 0 <= i < v.n ==> v.node[i].in == \at(v.node[i].in, Pre); */
    /*@ assert n_nin: \forall integer i; 0 <= i < v.n ==> v.node[i].nin == \at(v.node[i].nin, Pre); */
    /*@ assert n_index: \forall integer i; 0 <= i < v.n ==> v.node[i].index == \at(v.node[i].index, Pre); */
    /*@ assert n_dtype: \forall integer i; 0 <= i < v.n ==> v.node[i].dtype == \at(v.node[i].dtype, Pre); */
    /*@ assert n_data: \forall integer i; 0 <= i < v.n ==> v.node[i].data == \at(v.node[i].data, Pre); */
    /*@ assert n_origin: \forall integer i; 0 <= i < v.n ==> v.node[i].origin == \at(v.node[i].origin, Pre); */
    /*@ assert n_rank: \forall integer i; 0 <= i < v.n ==> v.node[i].shape.rank == \at(v.node[i].shape.rank, Pre); */
    /*@ assert n_dim: \forall integer i, d; 0 <= i < v.n ==> 0 <= d < RANK_MAX ==> v.node[i].shape.dim[d] == \at(v.node[i].shape.dim[d], Pre); */
    /*@ assert n_attr: \forall integer i; 0 <= i < v.n ==> i != node ==> v.node[i].attr == \at(v.node[i].attr, Pre); */
    /*@ assert n_nattr: \forall integer i; 0 <= i < v.n ==> i != node ==> v.node[i].nattr == \at(v.node[i].nattr, Pre); */
    /*@ assert bares: moved_bares{Pre,Here}(v.node, v.node, v.n); */ /*@ assert places: moved_places{Pre,Here}(v.node, v.node, v.n, node); */
    /*@ assert ins: moved_numbers{Pre,Here}(v.in, v.in, v.nin); */
    /*@ assert low: \forall integer k; 0 <= k < \at(place_of(v, node), Pre) ==> same_attr{Pre,Here}(v.attr, k) &&
                     v.attr[k].label == \at(v.attr[k].label, Pre) && v.attr[k].value == \at(v.attr[k].value, Pre); */
    /*@ assert below: moved_attrs{Pre,Here}(v.attr, v.attr, \at(place_of(v, node), Pre)); */
    return h.nattr;
}

/* The attribute in the arrays of g; how many attributes there are then. */
/*@ ATTR_GIVEN
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[node].attr, g->node.a[node].nattr, g->attr.a[0 .. g->attr.cap - 1];
    ATTR_PUT
    ensures  kinds:    \forall integer i; 0 <= i < \old(g->node.n) ==> \old(g->node.a)[i].kind == \old(g->node.a[i].kind);
    ensures  datas:    \forall integer i; 0 <= i < \old(g->node.n) ==> \old(g->node.a)[i].data == \old(g->node.a[i].data);
    ensures  bares:    moved_bares{Pre,Post}(\old(g->node.a), \old(g->node.a), \old(g->node.n));
    ensures  places:   moved_places{Pre,Post}(\old(g->node.a), \old(g->node.a), \old(g->node.n), node);
    ensures  ins:      moved_numbers{Pre,Post}(\old(g->in.a), \old(g->in.a), \old(g->in.n));
*/
static int put(struct graph *g, int node, int label, int val)
{
    struct graph_put v = graph_view(g);
    int n;

    /*@ ghost View: ; */
    /*@ assert in: node_in(v, node); */
    /*@ assert strs: valid_strs(table_of(g->strs)) && texts_ok(table_of(g->strs)) && \valid_read(g->strs); */
    /*@ assert a_attr: \separated(g->attr.a + (0 .. g->attr.cap - 1), g->strs); */
    /*@ assert a_entry: \separated(g->attr.a + (0 .. g->attr.cap - 1), g->strs->entry.a + (0 .. g->strs->entry.n - 1)); */
    /*@ assert n_strs: \separated(g->node.a + (0 .. g->node.cap - 1), g->strs); */
    /*@ assert n_entry: \separated(g->node.a + (0 .. g->node.cap - 1), g->strs->entry.a + (0 .. g->strs->entry.n - 1)); */
    /*@ assert place: place_of(v, node) == \at(place_of(put_of(g), node), Pre); */
    /*@ assert is_attr: v.attr == g->attr.a && v.capattr == g->attr.cap; */ /*@ assert is_node: v.node == g->node.a && v.cap == g->node.cap; */
    /*@ assert is_n: v.n == g->node.n && v.nin == g->in.n && v.in == g->in.a; */
    n = put_view(g->strs, v, node, label, val);
    /*@ assert kinds: \forall integer i; 0 <= i < v.n ==> v.node[i].kind == \at(v.node[i].kind, View); */
    /*@ assert datas: \forall integer i; 0 <= i < v.n ==> v.node[i].data == \at(v.node[i].data, View); */
    /*@ assert v_node: v.node == \at(g->node.a, Pre) && v.n == \at(g->node.n, Pre); */
    /*@ assert g_kinds: \forall integer i; 0 <= i < \at(g->node.n, Pre) ==> v.node[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert g_datas: \forall integer i; 0 <= i < \at(g->node.n, Pre) ==> v.node[i].data == \at(g->node.a[i].data, Pre); */
    return n;
}

/* The attribute in a graph that does not count it yet: all else is kept. */
/*@ ATTR_GIVEN
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[node].attr, g->node.a[node].nattr, g->attr.a[0 .. g->attr.cap - 1];
    ATTR_PUT
    ensures  view:     put_of(g) == \old(put_of(g));
    ensures  held:     held_graph(g);
    ensures  lists:    inputs_are(g) && outputs_are(g) && data_are(g, g->node.n);
    ensures  kept:     kept_but{Pre,Post}(g, node);
    ensures  in_order: sorted_attrs(table_of(g->strs), g->attr.a + g->node.a[node].attr, g->node.a[node].nattr);
*/
static int put_last(struct graph *g, int node, int label, int val)
{
    int n;

    /*@ assert far_0: FAR(&g->node.n); */ /*@ assert far_1: FAR(&g->node.cap); */ /*@ assert far_2: FAR(&g->in.n); */ /*@ assert far_3: FAR(&g->in.cap); */
    /*@ assert far_4: FAR(&g->attr.cap); */ /*@ assert far_5: FAR(&g->input.n); */ /*@ assert far_6: FAR(&g->input.cap); */ /*@ assert far_7: FAR(&g->output.n); */
    /*@ assert far_8: FAR(&g->output.cap); */ /*@ assert far_9: FAR(&g->tensor.n); */ /*@ assert far_10: FAR(&g->tensor.cap); */
    /*@ assert far_11: FAR(&g->name); */ /*@ assert far_12: FAR(&g->rules); */ /*@ assert far_13: FAR(&g->class); */ /*@ assert far_14: FAR(&g->opset); */
    /*@ assert far_15: FAR(&g->raw.n); */ /*@ assert far_16: FAR(&g->model.n); */ /*@ assert far_17: FAR(&g->strs->entry.n); */
    /*@ assert far_18: FAR(&g->strs->entry.cap); */ /*@ assert far_19: FAR(&g->strs->text.n); */ /*@ assert far_20: FAR(&g->strs->text.cap); */
    /*@ assert far_21: FAR(&g->strs->buckets); */ /*@ assert far_22: FAR(&g->attr.n); */
    /*@ assert far_input: \forall integer k; 0 <= k < g->input.n ==> FAR(&g->input.a[k]); */
    /*@ assert far_o_node: \forall integer k; 0 <= k < g->output.n ==> FAR(&g->output.a[k].node); */
    /*@ assert far_o_name: \forall integer k; 0 <= k < g->output.n ==> FAR(&g->output.a[k].name); */
    /*@ assert far_t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> FAR(&g->tensor.a[k].dtype); */
    /*@ assert far_t_rank: \forall integer k; 0 <= k < g->tensor.n ==> FAR(&g->tensor.a[k].shape.rank); */
    /*@ assert far_len: \forall integer k; 0 <= k < g->strs->entry.n ==> FAR(&g->strs->entry.a[k].len); */
    n = put(g, node, label, val);
    /*@ assert counts: g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre); */ /*@ assert counted: g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert caps_n: g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert ptrs: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert view: put_of(g) == \at(put_of(g), Pre); */
    /*@ assert datas: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].data == \at(g->node.a[i].data, Pre); */
    /*@ assert kinds: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert bares: moved_bares{Pre,Here}(g->node.a, g->node.a, g->node.n); */
    /*@ assert places: moved_places{Pre,Here}(g->node.a, g->node.a, g->node.n, node); */ /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert arena: kept_arena{Pre,Here}(g, node); */ /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */
    /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert o_moved: moved_outputs{Pre,Here}(g->output.a, g->output.a, g->output.n); */ /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert t_dim: \forall integer k, d; 0 <= k < g->tensor.n ==> 0 <= d < RANK_MAX ==> g->tensor.a[k].shape.dim[d] == \at(g->tensor.a[k].shape.dim[d], Pre); */
    /*@ assert t_moved: moved_tensors{Pre,Here}(g->tensor.a, g->tensor.a, g->tensor.n); */ /*@ assert tensors: kept_tensors{Pre,Here}(g); */
    /*@ assert r_name: g->name == \at(g->name, Pre); */ /*@ assert r_rules: g->rules == \at(g->rules, Pre); */
    /*@ assert r_class: g->class == \at(g->class, Pre); */ /*@ assert r_opset: g->opset == \at(g->opset, Pre); */
    /*@ assert r_raw: g->raw.n == \at(g->raw.n, Pre); */ /*@ assert r_model: g->model.n == \at(g->model.n, Pre); */ /*@ assert rest: kept_rest{Pre,Here}(g); */
    /*@ assert s_strs: g->strs == \at(g->strs, Pre); */ /*@ assert s_n: g->strs->entry.n == \at(g->strs->entry.n, Pre); */
    /*@ assert s_entry: g->strs->entry.a == \at(g->strs->entry.a, Pre); */
    /*@ assert s_rest: g->strs->entry.cap == \at(g->strs->entry.cap, Pre) && g->strs->buckets == \at(g->strs->buckets, Pre); */
    /*@ assert s_text: g->strs->text.n == \at(g->strs->text.n, Pre) && g->strs->text.cap == \at(g->strs->text.cap, Pre); */
    /*@ assert table: table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert s_start: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start == \at(g->strs->entry.a[id].start, Pre); */
    /*@ assert s_len: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].len == \at(g->strs->entry.a[id].len, Pre); */
    /*@ assert lens: same_lens{Pre,Here}(table_of(g->strs)); */ /*@ assert chars: same_chars{Pre,Here}(table_of(g->strs)); */
    /*@ assert ends_to: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok{Pre}(table_of(g->strs), id) ==> text_ok(table_of(g->strs), id); */
    /*@ assert ends_of: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id) ==> text_ok{Pre}(table_of(g->strs), id); */
    /*@ assert ends: same_ends{Pre,Here}(table_of(g->strs)); */ /*@ assert strings: kept_strings{Pre,Here}(g); */ /*@ assert kept: kept_but{Pre,Here}(g, node); */
    /*@ assert valid: valid_graph(put_of(g)); */ /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */ /*@ assert v_lists: valid_lists(g); */
    /*@ assert apart: apart_graph(g); */ /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */
    /*@ assert texts: texts_ok(table_of(g->strs)); */ /*@ assert away: apart_labels(g); */ /*@ assert held: held_graph(g); */
    /*@ assert in_ids: \forall integer k; 0 <= k < g->input.n ==> 0 <= g->input.a[k] < g->node.n; */
    /*@ assert in_kind: \forall integer k; 0 <= k < g->input.n ==> \at(g->node.a[g->input.a[k]].kind, Pre) == NODE_INPUT; */
    /*@ assert in_old: \forall integer k, i; 0 <= k < g->input.n ==> i == g->input.a[k] ==> \at(g->node.a[i].kind, Pre) == NODE_INPUT; */
    /*@ assert in_new: \forall integer k, i; 0 <= k < g->input.n ==> i == g->input.a[k] ==> g->node.a[i].kind == NODE_INPUT; */ /*@ assert are_in: inputs_are(g); */
    /*@ assert are_out: outputs_are(g); */ /*@ assert data: data_are(g, g->node.n); */
    return n;
}

/* The graph has n attributes: those behind the ones that it counts already are taken over. */
/*@ requires held:     held_graph(g);
    requires lists:    inputs_are(g) && outputs_are(g) && data_are(g, g->node.n);
    requires node:     0 <= node < g->node.n;
    requires more:     g->attr.n <= n <= g->attr.cap;
    requires ranges:   ranges_ok({put_of(g) \with .nattr = n});
    requires sorted:   is_sorted(g, node);
    terminates \true;
    exits    never:    \false;
    assigns  g->attr.n;
    ensures  view:     put_of(g) == {\old(put_of(g)) \with .nattr = n};
    ensures  ready:    ready_graph(g);
    ensures  kept:     kept_but{Pre,Post}(g, node);
    ensures  same:     same_graph{Pre,Post}(put_of(g));
    ensures  attrs:    moved_attrs{Pre,Post}(g->attr.a, g->attr.a, n);
    ensures  pairs:    same_pairs{Pre,Post}(g->attr.a + g->node.a[node].attr, g->node.a[node].nattr);
    ensures  sorted:   is_sorted(g, node);
*/
static void count(struct graph *g, int n) /*@ ghost (int node) */
{
    /*@ ghost int at = 0; */
    /*@ assert in: node_in({put_of(g) \with .nattr = n}, node); */
    g->attr.n = n;
    /*@ assert counts: g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert caps_n: g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert ptrs: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert view: put_of(g) == {\at(put_of(g), Pre) \with .nattr = n}; */
    /*@ assert n_kind: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert n_op: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].op == \at(g->node.a[i].op, Pre); */
    /*@ assert n_name: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].name == \at(g->node.a[i].name, Pre); */
    /*@ assert n_label: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].label == \at(g->node.a[i].label, Pre); */
    /*@ assert n_in: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].in == \at(g->node.a[i].in, Pre); */
    /*@ assert n_nin: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nin == \at(g->node.a[i].nin, Pre); */
    /*@ assert n_index: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].index == \at(g->node.a[i].index, Pre); */
    /*@ assert n_dtype: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].dtype == \at(g->node.a[i].dtype, Pre); */
    /*@ assert n_data: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].data == \at(g->node.a[i].data, Pre); */
    /*@ assert n_origin: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].origin == \at(g->node.a[i].origin, Pre); */
    /*@ assert n_rank: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].shape.rank == \at(g->node.a[i].shape.rank, Pre); */
    /*@ assert n_dim: \forall integer i, d; 0 <= i < g->node.n ==> 0 <= d < RANK_MAX ==> g->node.a[i].shape.dim[d] == \at(g->node.a[i].shape.dim[d], Pre); */
    /*@ assert n_attr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].attr == \at(g->node.a[i].attr, Pre); */
    /*@ assert n_nattr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nattr == \at(g->node.a[i].nattr, Pre); */
    /*@ assert bares: moved_bares{Pre,Here}(g->node.a, g->node.a, g->node.n); */
    /*@ assert places: moved_places{Pre,Here}(g->node.a, g->node.a, g->node.n, node); */ /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert arena: kept_arena{Pre,Here}(g, node); */ /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */
    /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert o_moved: moved_outputs{Pre,Here}(g->output.a, g->output.a, g->output.n); */ /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert t_dim: \forall integer k, d; 0 <= k < g->tensor.n ==> 0 <= d < RANK_MAX ==> g->tensor.a[k].shape.dim[d] == \at(g->tensor.a[k].shape.dim[d], Pre); */
    /*@ assert t_moved: moved_tensors{Pre,Here}(g->tensor.a, g->tensor.a, g->tensor.n); */ /*@ assert tensors: kept_tensors{Pre,Here}(g); */
    /*@ assert r_name: g->name == \at(g->name, Pre); */ /*@ assert r_rules: g->rules == \at(g->rules, Pre); */
    /*@ assert r_class: g->class == \at(g->class, Pre); */ /*@ assert r_opset: g->opset == \at(g->opset, Pre); */
    /*@ assert r_raw: g->raw.n == \at(g->raw.n, Pre); */ /*@ assert r_model: g->model.n == \at(g->model.n, Pre); */ /*@ assert rest: kept_rest{Pre,Here}(g); */
    /*@ assert s_strs: g->strs == \at(g->strs, Pre); */ /*@ assert s_n: g->strs->entry.n == \at(g->strs->entry.n, Pre); */
    /*@ assert s_entry: g->strs->entry.a == \at(g->strs->entry.a, Pre); */
    /*@ assert s_rest: g->strs->entry.cap == \at(g->strs->entry.cap, Pre) && g->strs->buckets == \at(g->strs->buckets, Pre); */
    /*@ assert s_text: g->strs->text.n == \at(g->strs->text.n, Pre) && g->strs->text.cap == \at(g->strs->text.cap, Pre); */
    /*@ assert table: table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert s_start: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start == \at(g->strs->entry.a[id].start, Pre); */
    /*@ assert s_len: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].len == \at(g->strs->entry.a[id].len, Pre); */
    /*@ assert lens: same_lens{Pre,Here}(table_of(g->strs)); */ /*@ assert chars: same_chars{Pre,Here}(table_of(g->strs)); */
    /*@ assert ends_to: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok{Pre}(table_of(g->strs), id) ==> text_ok(table_of(g->strs), id); */
    /*@ assert ends_of: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id) ==> text_ok{Pre}(table_of(g->strs), id); */
    /*@ assert ends: same_ends{Pre,Here}(table_of(g->strs)); */ /*@ assert strings: kept_strings{Pre,Here}(g); */ /*@ assert kept: kept_but{Pre,Here}(g, node); */
    /*@ assert n_room: 0 <= g->attr.n <= g->attr.cap; */ /*@ assert valid: valid_graph(put_of(g)); */
    /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */ /*@ assert v_lists: valid_lists(g); */
    /*@ assert apart: apart_graph(g); */ /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */
    /*@ assert texts: texts_ok(table_of(g->strs)); */ /*@ assert away: apart_labels(g); */ /*@ assert held: held_graph(g); */
    /*@ assert in_ids: \forall integer k; 0 <= k < g->input.n ==> 0 <= g->input.a[k] < g->node.n; */
    /*@ assert in_kind: \forall integer k; 0 <= k < g->input.n ==> \at(g->node.a[g->input.a[k]].kind, Pre) == NODE_INPUT; */ /*@ assert are_in: inputs_are(g); */
    /*@ assert are_out: outputs_are(g); */ /*@ assert data: data_are(g, g->node.n); */
    /*@ assert labels: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].label == \at(g->attr.a[k].label, Pre); */
    /*@ assert values: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].value == \at(g->attr.a[k].value, Pre); */
    /*@ assert attrs: moved_attrs{Pre,Here}(g->attr.a, g->attr.a, g->attr.n); */ /*@ assert s_nodes: same_nodes{Pre,Here}(put_of(g)); */
    /*@ assert s_ins: same_inputs{Pre,Here}(put_of(g)); */ /*@ assert same: same_graph{Pre,Here}(put_of(g)); */ /*@ assert ranges: ranges_ok(put_of(g)); */
    /*@ assert ready: ready_graph(g); */ /*@ assert names: same_labels{Pre,Here}(table_of(g->strs)); */ /*@ assert sorted: is_sorted(g, node); */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= g->node.a[node].nattr;
           loop invariant same:  same_pairs{Pre,Here}(g->attr.a + g->node.a[node].attr, at);
           loop assigns at;
           loop variant g->node.a[node].nattr - at;
        @/
        while (at < g->node.a[node].nattr)
            at++;
    */
}

void graph_add_attr(struct graph *g, int node, int label, int val)
{
    int n = put_last(g, node, label, val);

    /*@ ghost Put: ; */
    /*@ assert p_ptrs: g->attr.a == \at(g->attr.a, Pre) && g->node.a == \at(g->node.a, Pre); */
    count(g, n) /*@ ghost (node) */;
    /*@ assert ptrs: g->attr.a == \at(g->attr.a, Pre) && g->node.a == \at(g->node.a, Pre); */
    /*@ assert nodes: same_nodes{Put,Here}(put_of(g)); */
    /*@ assert at: g->node.a[node].attr == \at(place_of(put_of(g), node), Pre); */
    /*@ assert size: g->node.a[node].nattr == \at(g->node.a[node].nattr, Pre) + 1; */
    /*@ assert kind: g->node.a[node].kind == \at(g->node.a[node].kind, Put); */
    /*@ assert kept: kept_but{Pre,Here}(g, node); */
    /*@ assert wf: wf_graph{Pre}(\at(put_of(g), Pre)) ==> g->node.a[node].kind == NODE_OP ==> wf_graph{Put}(put_of(g)); */
    /*@ assert place: has_place{Pre,Here}(g, node, \at(place_of(put_of(g), node), Pre)); */
    /*@ assert put: one_pair{Pre,Put}(\at(g->attr.a + g->node.a[node].attr, Pre), g->attr.a + g->node.a[node].attr,
                     \at(g->node.a[node].nattr, Pre), label, val); */
    /*@ assert pairs: same_pairs{Put,Here}(g->attr.a + g->node.a[node].attr, \at(g->node.a[node].nattr, Pre) + 1); */
    /*@ assert more: has_more{Pre,Here}(g, node, label, val); */
    /*@ assert below: moved_attrs{Pre,Here}(\at(g->attr.a, Pre), g->attr.a, \at(place_of(put_of(g), node), Pre)); */
}
