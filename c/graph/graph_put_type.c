/* graph_put_type.h has the contract. */
#include "graph/graph_put_type.h"

#ifdef __FRAMAC__
#include "graph/kept.acsl"
#include "graph/typed.acsl"
#endif

/* What is at p is no part of node id. */
#define FAR(p) \separated(p, g->node.a + id)

/* What is written, field by field; the lists, all else and the strings stay. */
/*@ requires valid:    \valid(g) && \valid_read(g->strs) && \valid(g->node.a + id);
    requires last:     0 <= id && id == g->node.n - 1;
    requires held:     valid_lists(g);
    requires apart:    node_apart(g, g->node.a + id);
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[id].dtype, g->node.a[id].shape, g->node.a[id].data;
    ensures  counts:   g->node.n == \old(g->node.n) && g->in.n == \old(g->in.n) && g->attr.n == \old(g->attr.n);
    ensures  lists:    g->input.a == \old(g->input.a) && g->output.a == \old(g->output.a) && g->tensor.a == \old(g->tensor.a);
    ensures  lists_n:  g->input.n == \old(g->input.n) && g->output.n == \old(g->output.n) && g->tensor.n == \old(g->tensor.n);
    ensures  caps:     g->input.cap == \old(g->input.cap) && g->output.cap == \old(g->output.cap) && g->tensor.cap == \old(g->tensor.cap);
    ensures  caps_n:   g->node.cap == \old(g->node.cap) && g->in.cap == \old(g->in.cap) && g->attr.cap == \old(g->attr.cap);
    ensures  ptrs:     g->node.a == \old(g->node.a) && g->in.a == \old(g->in.a) && g->attr.a == \old(g->attr.a);
    ensures  view:     put_of(g) == \old(put_of(g));
    ensures  held:     valid_lists(g);
    ensures  links:    kept_links{Pre,Post}(g->node.a, g->node.n);
    ensures  roots:    kept_roots{Pre,Post}(g->node.a, g->node.n);
    ensures  types:    kept_types{Pre,Post}(g->node.a, id);
    ensures  ins:      moved_numbers{Pre,Post}(g->in.a, g->in.a, g->in.n);
    ensures  attrs:    moved_attrs{Pre,Post}(g->attr.a, g->attr.a, g->attr.n);
    ensures  kept:     kept_inputs{Pre,Post}(g) && kept_outputs{Pre,Post}(g) && kept_tensors{Pre,Post}(g);
    ensures  rest:     kept_rest{Pre,Post}(g);
    ensures  table:    table_of(g->strs) == \old(table_of(g->strs));
    ensures  lens:     same_lens{Pre,Post}(table_of(g->strs)) && same_chars{Pre,Post}(table_of(g->strs));
    ensures  starts:   \forall integer k; 0 <= k < g->strs->entry.n ==> g->strs->entry.a[k].start == \old(g->strs->entry.a[k].start);
    ensures  length:   \forall integer k; 0 <= k < g->strs->entry.n ==> g->strs->entry.a[k].len == \old(g->strs->entry.a[k].len);
    ensures  dtype:    g->node.a[id].dtype == dtype;
    ensures  data:     g->node.a[id].data == data;
    ensures  rank:     g->node.a[id].shape.rank == s.rank;
    ensures  dims:     \forall integer d; 0 <= d < RANK_MAX ==> g->node.a[id].shape.dim[d] == s.dim[d];
*/
static void write_type(struct graph *g, int id, int dtype, struct shape s, int data)
{
    g->node.a[id].dtype = dtype;
    g->node.a[id].shape = s;
    g->node.a[id].data = data;
    /*@ assert n_n: g->node.n == \at(g->node.n, Pre); */ /*@ assert n_a: g->node.a == \at(g->node.a, Pre); */
    /*@ assert n_kind: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert n_op: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].op == \at(g->node.a[i].op, Pre); */
    /*@ assert n_name: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].name == \at(g->node.a[i].name, Pre); */
    /*@ assert n_label: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].label == \at(g->node.a[i].label, Pre); */
    /*@ assert n_in: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].in == \at(g->node.a[i].in, Pre); */
    /*@ assert n_nin: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nin == \at(g->node.a[i].nin, Pre); */
    /*@ assert n_attr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].attr == \at(g->node.a[i].attr, Pre); */
    /*@ assert n_nattr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nattr == \at(g->node.a[i].nattr, Pre); */
    /*@ assert n_index: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].index == \at(g->node.a[i].index, Pre); */
    /*@ assert n_origin: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].origin == \at(g->node.a[i].origin, Pre); */
    /*@ assert n_dtype: \forall integer i; 0 <= i < id ==> g->node.a[i].dtype == \at(g->node.a[i].dtype, Pre); */
    /*@ assert n_data: \forall integer i; 0 <= i < id ==> g->node.a[i].data == \at(g->node.a[i].data, Pre); */
    /*@ assert n_rank: \forall integer i; 0 <= i < id ==> g->node.a[i].shape.rank == \at(g->node.a[i].shape.rank, Pre); */
    /*@ assert n_dim: \forall integer i, d; 0 <= i < id ==> 0 <= d < RANK_MAX ==> g->node.a[i].shape.dim[d] == \at(g->node.a[i].shape.dim[d], Pre); */
    /*@ assert links: kept_links{Pre,Here}(g->node.a, g->node.n); */ /*@ assert roots: kept_roots{Pre,Here}(g->node.a, g->node.n); */
    /*@ assert types: kept_types{Pre,Here}(g->node.a, id); */
    /*@ assert rank: g->node.a[id].shape.rank == s.rank; */
    /*@ assert dims: \forall integer d; 0 <= d < RANK_MAX ==> g->node.a[id].shape.dim[d] == s.dim[d]; */
    /*@ assert dtype: g->node.a[id].dtype == dtype; */
    /*@ assert counts: g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre) && g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert caps_n: g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert ptrs: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert view: put_of(g) == \at(put_of(g), Pre); */
    /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert labels: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].label == \at(g->attr.a[k].label, Pre); */
    /*@ assert values: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].value == \at(g->attr.a[k].value, Pre); */
    /*@ assert attrs: moved_attrs{Pre,Here}(g->attr.a, g->attr.a, g->attr.n); */
    /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */
    /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert t_dim: \forall integer k, d; 0 <= k < g->tensor.n ==> 0 <= d < RANK_MAX ==>
                     g->tensor.a[k].shape.dim[d] == \at(g->tensor.a[k].shape.dim[d], Pre); */
    /*@ assert tensors: kept_tensors{Pre,Here}(g); */ /*@ assert r_name: g->name == \at(g->name, Pre); */
    /*@ assert r_rules: g->rules == \at(g->rules, Pre); */ /*@ assert r_class: g->class == \at(g->class, Pre); */
    /*@ assert r_opset: g->opset == \at(g->opset, Pre); */ /*@ assert r_raw: g->raw.n == \at(g->raw.n, Pre); */
    /*@ assert r_model: g->model.n == \at(g->model.n, Pre); */ /*@ assert rest: kept_rest{Pre,Here}(g); */
    /*@ assert table: table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert starts: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start == \at(g->strs->entry.a[id].start, Pre); */
    /*@ assert length: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].len == \at(g->strs->entry.a[id].len, Pre); */
    /*@ assert lens: same_lens{Pre,Here}(table_of(g->strs)); */ /*@ assert chars: same_chars{Pre,Here}(table_of(g->strs)); */
    /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */
    /*@ assert v_lists: valid_lists(g); */
}

void graph_put_type(struct graph *g, int id, int dtype, struct shape s, int data)
{
    /*@ assert out_had: \forall integer k; 0 <= k < g->output.n ==> 0 <= g->output.a[k].node < g->node.n; */
    /*@ assert far_0: FAR(&g->node.n); */ /*@ assert far_1: FAR(&g->node.cap); */ /*@ assert far_2: FAR(&g->in.n); */
    /*@ assert far_3: FAR(&g->in.cap); */ /*@ assert far_4: FAR(&g->attr.n); */ /*@ assert far_5: FAR(&g->attr.cap); */
    /*@ assert far_6: FAR(&g->input.n); */ /*@ assert far_7: FAR(&g->input.cap); */ /*@ assert far_8: FAR(&g->output.n); */
    /*@ assert far_9: FAR(&g->output.cap); */ /*@ assert far_10: FAR(&g->tensor.n); */ /*@ assert far_11: FAR(&g->tensor.cap); */
    /*@ assert far_12: FAR(&g->name); */ /*@ assert far_13: FAR(&g->rules); */ /*@ assert far_14: FAR(&g->class); */
    /*@ assert far_15: FAR(&g->opset); */ /*@ assert far_16: FAR(&g->raw.n); */ /*@ assert far_17: FAR(&g->model.n); */
    /*@ assert far_18: FAR(&g->strs->entry.n); */ /*@ assert far_19: FAR(&g->strs->entry.cap); */ /*@ assert far_20: FAR(&g->strs->text.n); */
    /*@ assert far_21: FAR(&g->strs->text.cap); */ /*@ assert far_22: FAR(&g->strs->buckets); */
    /*@ assert far_in: \forall integer k; 0 <= k < g->in.n ==> FAR(&g->in.a[k]); */
    /*@ assert far_label: \forall integer k; 0 <= k < g->attr.n ==> FAR(&g->attr.a[k].label); */
    /*@ assert far_value: \forall integer k; 0 <= k < g->attr.n ==> FAR(&g->attr.a[k].value); */
    /*@ assert far_input: \forall integer k; 0 <= k < g->input.n ==> FAR(&g->input.a[k]); */
    /*@ assert far_o_node: \forall integer k; 0 <= k < g->output.n ==> FAR(&g->output.a[k].node); */
    /*@ assert far_o_name: \forall integer k; 0 <= k < g->output.n ==> FAR(&g->output.a[k].name); */
    /*@ assert far_t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> FAR(&g->tensor.a[k].dtype); */
    /*@ assert far_t_rank: \forall integer k; 0 <= k < g->tensor.n ==> FAR(&g->tensor.a[k].shape.rank); */
    /*@ assert far_len: \forall integer k; 0 <= k < g->strs->entry.n ==> FAR(&g->strs->entry.a[k].len); */
    /*@ assert far: node_apart(g, g->node.a + id); */
    write_type(g, id, dtype, s, data);
    /*@ assert ends_to: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok{Pre}(table_of(g->strs), id) ==> text_ok(table_of(g->strs), id); */
    /*@ assert ends_of: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id) ==> text_ok{Pre}(table_of(g->strs), id); */
    /*@ assert ends: same_ends{Pre,Here}(table_of(g->strs)); */ /*@ assert strings: kept_strings{Pre,Here}(g); */ /*@ assert labels_same: same_labels{Pre,Here}(table_of(g->strs)); */
    /*@ assert nodes: moved_nodes{Pre,Here}(g->node.a, g->node.a, id); */ /*@ assert s_nodes: same_nodes{Pre,Here}(put_of(g)); */
    /*@ assert s_ins: same_inputs{Pre,Here}(put_of(g)); */ /*@ assert same: same_graph{Pre,Here}(put_of(g)); */
    /*@ assert ranges: ranges_ok(put_of(g)); */ /*@ assert valid: valid_graph(put_of(g)); */
    /*@ assert apart: apart_graph(g); */
    /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */ /*@ assert texts: texts_ok(table_of(g->strs)); */
    /*@ assert s_strs: g->strs == \at(g->strs, Pre) && g->strs->entry.a == \at(g->strs->entry.a, Pre) && g->strs->entry.n == \at(g->strs->entry.n, Pre); */
    /*@ assert away: apart_labels(g); */ /*@ assert held: held_graph(g); */
    /*@ assert had_in: inputs_are{Pre}(\at(g, Pre)); */ /*@ assert are_in: inputs_are(g); */
    /*@ assert out_same: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert are_out: outputs_are(g); */
    /*@ assert d_was: \forall integer i; 0 <= i < id ==> \at(g->node.a[i].kind, Pre) == NODE_CONST ==> 0 <= \at(g->node.a[i].data, Pre) < \at(g->tensor.n, Pre); */
    /*@ assert d_data: g->node.a[id].data == data; */ /*@ assert d_tensor: g->tensor.n == \at(g->tensor.n, Pre); */ /*@ assert d_kind: g->node.a[id].kind == \at(g->node.a[id].kind, Pre); */
    /*@ assert d_each: \forall integer i; 0 <= i < g->node.n ==> i < id || i == id; */ /*@ assert d_old: data_are(g, id); */
    /*@ assert d_new: g->node.a[id].kind == NODE_CONST ==> 0 <= g->node.a[id].data < g->tensor.n; */
    /*@ assert data: data_are(g, g->node.n); */
}
