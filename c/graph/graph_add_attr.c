/* graph_add_attr.h has the contract. Not proved: that the nodes stay as they were, and what follows from it. */
#include "graph/graph_add_attr.h"
#include "graph/graph_view.h"

/* What is at p is none of what changes. */
#define FAR(p) \separated(p, g->attr.a + (0 .. g->attr.cap - 1)) && \separated(p, &g->node.a[node].attr) && \separated(p, &g->node.a[node].nattr)

/* The attribute in a graph that does not count it yet; how many there are then. */
/*@ requires ready:    ready_graph(g);
    requires strings:  own_strings(g);
    requires node:     0 <= node < g->node.n;
    requires room:     g->attr.n + g->node.a[node].nattr < g->attr.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[node].attr, g->node.a[node].nattr, g->attr.a[0 .. g->attr.cap - 1];
    ensures  number:   \result == \old(place_of(put_of(g), node)) + \old(g->node.a[node].nattr) + 1;
    ensures  more:     \old(g->attr.n) <= \result <= \old(g->attr.cap);
    ensures  place:    \old(g->node.a)[node].attr == \old(place_of(put_of(g), node)) &&
                       \old(g->node.a)[node].nattr == \old(g->node.a[node].nattr) + 1;
    ensures  below:    moved_attrs{Pre,Post}(\old(g->attr.a), \old(g->attr.a), \old(place_of(put_of(g), node)));
    ensures  attrs:    one_pair{Pre,Post}(\old(g->attr.a + g->node.a[node].attr), \old(g->attr.a) + \old(place_of(put_of(g), node)),
                       \old(g->node.a[node].nattr), label, val);
    ensures  sorted:   sorted_attrs(\old(table_of(g->strs)), \old(g->attr.a) + \old(place_of(put_of(g), node)),
                       \old(g->node.a[node].nattr) + 1);
    ensures  ranges:   ranges_ok({\old(put_of(g)) \with .nattr = (int)\result});
    ensures  wf:       \old(wf_graph(put_of(g))) ==> \old(g->node.a)[node].kind == NODE_OP ==>
                       wf_graph({\old(put_of(g)) \with .nattr = (int)\result});
*/
static int put(struct graph *g, int node, int label, int val)
{
    struct graph_put v = graph_view(g), h;

    /*@ ghost View: ; */
    /*@ assert in: node_in(v, node); */
    /*@ assert strs: valid_strs(table_of(g->strs)) && texts_ok(table_of(g->strs)) && \valid_read(g->strs); */
    /*@ assert a_attr: \separated(g->attr.a + (0 .. g->attr.cap - 1), g->strs); */
    /*@ assert a_entry: \separated(g->attr.a + (0 .. g->attr.cap - 1), g->strs->entry.a + (0 .. g->strs->entry.n - 1)); */
    /*@ assert n_strs: \separated(g->node.a + (0 .. g->node.cap - 1), g->strs); */
    /*@ assert n_entry: \separated(g->node.a + (0 .. g->node.cap - 1), g->strs->entry.a + (0 .. g->strs->entry.n - 1)); */
    /*@ assert place: place_of(v, node) == \at(place_of(put_of(g), node), Pre); */
    /*@ assert is_attr: v.attr == g->attr.a && v.capattr == g->attr.cap; */ /*@ assert is_node: v.node == g->node.a && v.cap == g->node.cap; */
    h = graph_put_attr(g->strs, v, node, label, val);
    /*@ assert labels: \forall integer k; 0 <= k < \at(place_of(v, node), View) ==> v.attr[k].label == \at(v.attr[k].label, View); */
    /*@ assert values: \forall integer k; 0 <= k < \at(place_of(v, node), View) ==> v.attr[k].value == \at(v.attr[k].value, View); */
    /*@ assert below: moved_attrs{View,Here}(v.attr, v.attr, \at(place_of(v, node), View)); */
    return h.nattr;
}

void graph_add_attr(struct graph *g, int node, int label, int val)
{
    int n;

    /*@ assert far_0: FAR(&g->node.n); */ /*@ assert far_1: FAR(&g->node.cap); */ /*@ assert far_2: FAR(&g->in.n); */
    /*@ assert far_3: FAR(&g->in.cap); */ /*@ assert far_4: FAR(&g->attr.cap); */ /*@ assert far_5: FAR(&g->input.n); */
    /*@ assert far_6: FAR(&g->input.cap); */ /*@ assert far_7: FAR(&g->output.n); */ /*@ assert far_8: FAR(&g->output.cap); */
    /*@ assert far_9: FAR(&g->tensor.n); */ /*@ assert far_10: FAR(&g->tensor.cap); */ /*@ assert far_11: FAR(&g->name); */
    /*@ assert far_12: FAR(&g->rules); */ /*@ assert far_13: FAR(&g->class); */ /*@ assert far_14: FAR(&g->opset); */
    /*@ assert far_15: FAR(&g->raw.n); */ /*@ assert far_16: FAR(&g->model.n); */ /*@ assert far_17: FAR(&g->strs->entry.n); */
    /*@ assert far_18: FAR(&g->strs->entry.cap); */ /*@ assert far_19: FAR(&g->strs->text.n); */
    /*@ assert far_20: FAR(&g->strs->text.cap); */ /*@ assert far_21: FAR(&g->strs->buckets); */ /*@ assert far_22: FAR(&g->attr.n); */
    /*@ assert far_n_kind: \forall integer i; 0 <= i < g->node.n ==> FAR(&g->node.a[i].kind); */
    /*@ assert far_n_op: \forall integer i; 0 <= i < g->node.n ==> FAR(&g->node.a[i].op); */
    /*@ assert far_n_name: \forall integer i; 0 <= i < g->node.n ==> FAR(&g->node.a[i].name); */
    /*@ assert far_n_label: \forall integer i; 0 <= i < g->node.n ==> FAR(&g->node.a[i].label); */
    /*@ assert far_n_in: \forall integer i; 0 <= i < g->node.n ==> FAR(&g->node.a[i].in); */
    /*@ assert far_n_nin: \forall integer i; 0 <= i < g->node.n ==> FAR(&g->node.a[i].nin); */
    /*@ assert far_n_index: \forall integer i; 0 <= i < g->node.n ==> FAR(&g->node.a[i].index); */
    /*@ assert far_n_dtype: \forall integer i; 0 <= i < g->node.n ==> FAR(&g->node.a[i].dtype); */
    /*@ assert far_n_data: \forall integer i; 0 <= i < g->node.n ==> FAR(&g->node.a[i].data); */
    /*@ assert far_n_origin: \forall integer i; 0 <= i < g->node.n ==> FAR(&g->node.a[i].origin); */
    /*@ assert far_n_rank: \forall integer i; 0 <= i < g->node.n ==> FAR(&g->node.a[i].shape.rank); */
    /*@ assert far_n_attr: \forall integer i; 0 <= i < g->node.n ==> i != node ==> FAR(&g->node.a[i].attr); */
    /*@ assert far_n_nattr: \forall integer i; 0 <= i < g->node.n ==> i != node ==> FAR(&g->node.a[i].nattr); */
    /*@ assert far_in: \forall integer k; 0 <= k < g->in.n ==> FAR(&g->in.a[k]); */
    /*@ assert far_input: \forall integer k; 0 <= k < g->input.n ==> FAR(&g->input.a[k]); */
    /*@ assert far_o_node: \forall integer k; 0 <= k < g->output.n ==> FAR(&g->output.a[k].node); */
    /*@ assert far_o_name: \forall integer k; 0 <= k < g->output.n ==> FAR(&g->output.a[k].name); */
    /*@ assert far_t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> FAR(&g->tensor.a[k].dtype); */
    /*@ assert far_t_rank: \forall integer k; 0 <= k < g->tensor.n ==> FAR(&g->tensor.a[k].shape.rank); */
    /*@ assert far_len: \forall integer k; 0 <= k < g->strs->entry.n ==> FAR(&g->strs->entry.a[k].len); */
    n = put(g, node, label, val);
    /*@ ghost Put: ; */
    /*@ assert table_p: table_of(g->strs) == \at(table_of(g->strs), Pre); */
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
    /*@ assert n_attr: \forall integer i; 0 <= i < g->node.n ==> i != node ==> g->node.a[i].attr == \at(g->node.a[i].attr, Pre); */
    /*@ assert n_nattr: \forall integer i; 0 <= i < g->node.n ==> i != node ==> g->node.a[i].nattr == \at(g->node.a[i].nattr, Pre); */
    /*@ assert bares: moved_bares{Pre,Here}(g->node.a, g->node.a, g->node.n); */
    /*@ assert places: moved_places{Pre,Here}(g->node.a, g->node.a, g->node.n, node); */
    /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */ /*@ assert arena: kept_arena{Pre,Here}(g, node); */
    /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */
    /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert o_moved: moved_outputs{Pre,Here}(g->output.a, g->output.a, g->output.n); */
    /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert t_dim: \forall integer k, d; 0 <= k < g->tensor.n ==> 0 <= d < RANK_MAX ==> g->tensor.a[k].shape.dim[d] == \at(g->tensor.a[k].shape.dim[d], Pre); */
    /*@ assert t_moved: moved_tensors{Pre,Here}(g->tensor.a, g->tensor.a, g->tensor.n); */
    /*@ assert tensors: kept_tensors{Pre,Here}(g); */ /*@ assert r_name: g->name == \at(g->name, Pre); */
    /*@ assert r_rules: g->rules == \at(g->rules, Pre); */ /*@ assert r_class: g->class == \at(g->class, Pre); */
    /*@ assert r_opset: g->opset == \at(g->opset, Pre); */ /*@ assert r_raw: g->raw.n == \at(g->raw.n, Pre); */
    /*@ assert r_model: g->model.n == \at(g->model.n, Pre); */ /*@ assert rest: kept_rest{Pre,Here}(g); */
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
    /*@ assert ends: same_ends{Pre,Here}(table_of(g->strs)); */ /*@ assert strings: kept_strings{Pre,Here}(g); */
    /*@ assert kept: kept_but{Pre,Here}(g, node); */ /*@ assert valid: valid_graph(put_of(g)); */
    /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */
    /*@ assert v_lists: valid_lists(g); */ /*@ assert apart: apart_graph(g); */
    /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */ /*@ assert texts: texts_ok(table_of(g->strs)); */
    /*@ assert away: apart_labels(g); */ /*@ assert held: held_graph(g); */
    /*@ assert in_ids: \forall integer k; 0 <= k < g->input.n ==> 0 <= g->input.a[k] < g->node.n; */
    /*@ assert in_kind: \forall integer k; 0 <= k < g->input.n ==> \at(g->node.a[g->input.a[k]].kind, Pre) == NODE_INPUT; */
    /*@ assert are_in: inputs_are(g); */ /*@ assert are_out: outputs_are(g); */ /*@ assert data: data_are(g, g->node.n); */
    /*@ assert below: moved_attrs{Pre,Here}(g->attr.a, g->attr.a, \at(place_of(put_of(g), node), Pre)); */
    /*@ assert place: has_place{Pre,Here}(g, node, \at(place_of(put_of(g), node), Pre)); */
    /*@ assert same_p: same_pairs{Put,Here}(g->attr.a + g->node.a[node].attr, g->node.a[node].nattr); */
    /*@ assert more: has_more{Pre,Here}(g, node, label, val); */
    /*@ assert sorted: is_sorted(g, node); */
    /*@ assert same_n: same_nodes{Put,Here}(put_of(g)); */ /*@ assert same_i: same_inputs{Put,Here}(put_of(g)); */
    /*@ assert same: same_graph{Put,Here}(put_of(g)); */
    /*@ assert ranges: ranges_ok(put_of(g)); */
}
