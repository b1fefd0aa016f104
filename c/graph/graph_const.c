/* Constants of a graph. graph_add.h has the contract. Room is made for all first, so that nothing is taken in part. */
#include "graph/graph_add.h"
#include "graph/graph_const_room.h"
#include "graph/graph_fill.h"
#include "graph/graph_put_type.h"

#ifdef __FRAMAC__
#include "graph/kept.acsl"
#endif

/* The tensor of node id, where there is room. */
/*@ requires ready:    ready_but(g, id);
    requires id:       0 <= id <= g->node.n;
    requires room:     g->tensor.n < g->tensor.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g->tensor.n, g->tensor.a[g->tensor.n];
    ensures  ready:    ready_but(g, id);
    ensures  old:      kept{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  view:     put_of(g) == \old(put_of(g)) && same_graph{Pre,Post}(put_of(g));
    ensures  counts:   same_nodes_count{Pre,Post}(g) && g->input.n == \old(g->input.n) && g->output.n == \old(g->output.n);
    ensures  more:     g->tensor.n == \old(g->tensor.n) + 1;
    ensures  dtype:    g->tensor.a[g->tensor.n - 1].dtype == own.dtype;
    ensures  held:     g->tensor.a[g->tensor.n - 1].bytes == own.bytes && g->tensor.a[g->tensor.n - 1].data == own.data;
    ensures  rank:     g->tensor.a[g->tensor.n - 1].shape.rank == own.shape.rank;
    ensures  dims:     \forall integer d; 0 <= d < RANK_MAX ==> g->tensor.a[g->tensor.n - 1].shape.dim[d] == own.shape.dim[d];
*/
static void put_tensor(struct graph *g, struct tensor own) /*@ ghost (int id) */
{
    /*@ assert was_t: texts_ok(table_of(g->strs)); */
    /*@ assert was_1: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id) ==>
                     g->strs->text.a[g->strs->entry.a[id].start + g->strs->entry.a[id].len] == 0; */
    /*@ assert was_2: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id); */
    /*@ assert was_0: \forall integer id; 0 <= id < g->strs->entry.n ==>
                     g->strs->text.a[g->strs->entry.a[id].start + g->strs->entry.a[id].len] == 0; */
    /*@ assert far_raw: \separated(&g->raw.n, g->tensor.a + g->tensor.n); */ /*@ assert far_model: \separated(&g->model.n, g->tensor.a + g->tensor.n); */
    /*@ assert far_raw_a: \separated(&g->raw.a, g->tensor.a + g->tensor.n); */ /*@ assert far_model_a: \separated(&g->model.a, g->tensor.a + g->tensor.n); */
    g->tensor.a[g->tensor.n] = own;
    g->tensor.n++;
    /*@ assert new: g->tensor.a[g->tensor.n - 1] == own; */
    /*@ assert n_dtype: g->tensor.a[g->tensor.n - 1].dtype == own.dtype; */ /*@ assert n_bytes: g->tensor.a[g->tensor.n - 1].bytes == own.bytes; */
    /*@ assert n_data: g->tensor.a[g->tensor.n - 1].data == own.data; */ /*@ assert n_rank: g->tensor.a[g->tensor.n - 1].shape.rank == own.shape.rank; */
    /*@ assert n_dims: \forall integer d; 0 <= d < RANK_MAX ==> g->tensor.a[g->tensor.n - 1].shape.dim[d] == own.shape.dim[d]; */
    /*@ assert view: put_of(g) == \at(put_of(g), Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre) + 1; */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert nodes: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i] == \at(g->node.a[i], Pre); */
    /*@ assert kinds: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert datas: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].data == \at(g->node.a[i].data, Pre); */
    /*@ assert dims: \forall integer i, d; 0 <= i < g->node.n ==> 0 <= d < RANK_MAX ==> g->node.a[i].shape.dim[d] == \at(g->node.a[i].shape.dim[d], Pre); */
    /*@ assert shapes: \forall integer i; 0 <= i < g->node.n ==> same_shape{Pre,Here}(&g->node.a[i].shape, &g->node.a[i].shape); */
    /*@ assert each: \forall integer i; 0 <= i < g->node.n ==> moved_node{Pre,Here}(g->node.a + i, g->node.a + i); */
    /*@ assert moved: moved_nodes{Pre,Here}(g->node.a, g->node.a, g->node.n); */
    /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert labels: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].label == \at(g->attr.a[k].label, Pre); */
    /*@ assert values: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].value == \at(g->attr.a[k].value, Pre); */
    /*@ assert attrs: moved_attrs{Pre,Here}(g->attr.a, g->attr.a, g->attr.n); */ /*@ assert graph: kept_graph{Pre,Here}(g); */
    /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */
    /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n - 1 ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank: \forall integer k; 0 <= k < g->tensor.n - 1 ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert t_dim: \forall integer k, d; 0 <= k < g->tensor.n - 1 ==> 0 <= d < RANK_MAX ==>
                     g->tensor.a[k].shape.dim[d] == \at(g->tensor.a[k].shape.dim[d], Pre); */
    /*@ assert t_bytes: \forall integer k; 0 <= k < g->tensor.n - 1 ==> g->tensor.a[k].bytes == \at(g->tensor.a[k].bytes, Pre); */
    /*@ assert t_data: \forall integer k; 0 <= k < g->tensor.n - 1 ==> g->tensor.a[k].data == \at(g->tensor.a[k].data, Pre); */
    /*@ assert tensors: kept_tensors{Pre,Here}(g); */ /*@ assert r_name: g->name == \at(g->name, Pre); */
    /*@ assert r_rules: g->rules == \at(g->rules, Pre); */ /*@ assert r_class: g->class == \at(g->class, Pre); */
    /*@ assert r_opset: g->opset == \at(g->opset, Pre); */ /*@ assert r_raw: g->raw.n == \at(g->raw.n, Pre); */
    /*@ assert r_model: g->model.n == \at(g->model.n, Pre); */
    /*@ assert r_raw_a: g->raw.a == \at(g->raw.a, Pre); */ /*@ assert r_model_a: g->model.a == \at(g->model.a, Pre); */
    /*@ assert rest: kept_rest{Pre,Here}(g); */
    /*@ assert table: table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert starts: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start == \at(g->strs->entry.a[id].start, Pre); */
    /*@ assert length: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].len == \at(g->strs->entry.a[id].len, Pre); */
    /*@ assert text: g->strs->text.a == \at(g->strs->text.a, Pre); */
    /*@ assert read: \forall integer id, k; 0 <= id < g->strs->entry.n ==>
                     g->strs->text.a[g->strs->entry.a[id].start + k] == \at(g->strs->text.a[g->strs->entry.a[id].start + k], Pre); */
    /*@ assert char: \forall integer id, k; 0 <= id < g->strs->entry.n ==>
                     label_char(table_of(g->strs), id, k) == label_char{Pre}(\at(table_of(g->strs), Pre), id, k); */
    /*@ assert at: \forall integer id, k; 0 <= id < g->strs->entry.n ==>
                     label_at(table_of(g->strs), id, k) == label_at{Pre}(\at(table_of(g->strs), Pre), id, k); */
    /*@ assert bytes: same_bytes{Pre,Here}(g->strs->text.a, g->strs->text.n); */
    /*@ assert lens: same_lens{Pre,Here}(table_of(g->strs)); */ /*@ assert chars: same_chars{Pre,Here}(table_of(g->strs)); */
    /*@ assert ends_n: table_of(g->strs).ntext == g->strs->text.n && g->strs->text.n == \at(g->strs->text.n, Pre); */
    /*@ assert ends_in: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok{Pre}(\at(table_of(g->strs), Pre), id) ==>
                     0 <= g->strs->entry.a[id].start && 0 <= g->strs->entry.a[id].len &&
                     g->strs->entry.a[id].start + g->strs->entry.a[id].len < g->strs->text.n; */
    /*@ assert ends_j: \forall integer j; g->strs->text.a[j] == \at(g->strs->text.a[j], Pre); */
    /*@ assert sums: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start + g->strs->entry.a[id].len ==
                     \at(g->strs->entry.a[id].start + g->strs->entry.a[id].len, Pre); */
    /*@ assert ends_at: \forall integer id; 0 <= id < g->strs->entry.n ==>
                     g->strs->text.a[g->strs->entry.a[id].start + g->strs->entry.a[id].len] ==
                     \at(g->strs->text.a[g->strs->entry.a[id].start + g->strs->entry.a[id].len], Pre); */
    /*@ assert ends_0: \forall integer id; 0 <= id < g->strs->entry.n ==>
                     g->strs->text.a[g->strs->entry.a[id].start + g->strs->entry.a[id].len] == 0; */
    /*@ assert ends_to: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok{Pre}(table_of(g->strs), id) ==> text_ok(table_of(g->strs), id); */
    /*@ assert ends_of: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id) ==> text_ok{Pre}(table_of(g->strs), id); */
    /*@ assert ends: same_ends{Pre,Here}(table_of(g->strs)); */ /*@ assert strings: kept_strings{Pre,Here}(g); */
    /*@ assert n_in: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].in == \at(g->node.a[i].in, Pre); */
    /*@ assert n_nin: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nin == \at(g->node.a[i].nin, Pre); */
    /*@ assert n_attr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].attr == \at(g->node.a[i].attr, Pre); */
    /*@ assert n_nattr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nattr == \at(g->node.a[i].nattr, Pre); */
    /*@ assert s_nodes: same_nodes{Pre,Here}(put_of(g)); */ /*@ assert s_ins: same_inputs{Pre,Here}(put_of(g)); */
    /*@ assert same: same_graph{Pre,Here}(put_of(g)); */ /*@ assert valid: valid_graph(put_of(g)); */
    /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */
    /*@ assert v_lists: valid_lists(g); */ /*@ assert apart: apart_graph(g); */
    /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */ /*@ assert texts: texts_ok(table_of(g->strs)); */
    /*@ assert s_strs: g->strs == \at(g->strs, Pre) && g->strs->entry.a == \at(g->strs->entry.a, Pre) && g->strs->entry.n == \at(g->strs->entry.n, Pre); */
    /*@ assert away: apart_labels(g); */ /*@ assert held: held_graph(g); */ /*@ assert ranges: ranges_ok(put_of(g)); */
    /*@ assert in_ids: \forall integer k; 0 <= k < g->input.n ==> 0 <= g->input.a[k] < g->node.n; */
    /*@ assert in_kind: \forall integer k; 0 <= k < g->input.n ==> \at(g->node.a[g->input.a[k]].kind, Pre) == NODE_INPUT; */
    /*@ assert in_is: \forall integer k; 0 <= k < g->input.n ==> g->node.a[g->input.a[k]].kind == NODE_INPUT; */
    /*@ assert are_in: inputs_are(g); */
    /*@ assert out_was: \forall integer k; 0 <= k < g->output.n ==> 0 <= \at(g->output.a[k].node, Pre) < \at(g->node.n, Pre); */
    /*@ assert are_out: outputs_are(g); */
    /*@ assert d_was: \forall integer i; 0 <= i < id ==> \at(g->node.a[i].kind, Pre) == NODE_CONST ==> 0 <= \at(g->node.a[i].data, Pre) < \at(g->tensor.n, Pre); */
    /*@ assert d_is: \forall integer i; 0 <= i < id ==> g->node.a[i].kind == NODE_CONST ==> 0 <= g->node.a[i].data < g->tensor.n; */
    /*@ assert data: data_are(g, id); */
}

/* graph_put_type, of the whole node. */
/*@ requires ready:    ready_but(g, id);
    requires last:     0 <= id && id == g->node.n - 1;
    requires data:     g->node.a[id].kind == NODE_CONST ==> 0 <= data < g->tensor.n;
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[id];
    ensures  ready:    ready_graph(g);
    ensures  view:     put_of(g) == \old(put_of(g));
    ensures  lists:    same_lists{Pre,Post}(g);
    ensures  nodes:    moved_nodes{Pre,Post}(g->node.a, g->node.a, id) && moved_numbers{Pre,Post}(g->in.a, g->in.a, g->in.n);
    ensures  attrs:    moved_attrs{Pre,Post}(g->attr.a, g->attr.a, g->attr.n);
    ensures  kept:     kept_inputs{Pre,Post}(g) && kept_outputs{Pre,Post}(g) && kept_tensors{Pre,Post}(g);
    ensures  rest:     kept_rest{Pre,Post}(g) && kept_strings{Pre,Post}(g) && same_count{Pre,Post}(g);
    ensures  graph:    same_graph{Pre,Post}(put_of(g));
    ensures  fields:   g->node.a[id].op == \old(g->node.a[id].op) && g->node.a[id].name == \old(g->node.a[id].name) &&
                       g->node.a[id].label == \old(g->node.a[id].label) && g->node.a[id].index == \old(g->node.a[id].index) &&
                       g->node.a[id].origin == \old(g->node.a[id].origin);
    ensures  same:     g->node.a[id].kind == \old(g->node.a[id].kind) && g->node.a[id].nin == \old(g->node.a[id].nin) &&
                       g->node.a[id].nattr == \old(g->node.a[id].nattr);
    ensures  dtype:    g->node.a[id].dtype == dtype;
    ensures  data:     g->node.a[id].data == data;
    ensures  rank:     g->node.a[id].shape.rank == s.rank;
    ensures  dims:     \forall integer d; 0 <= d < RANK_MAX ==> g->node.a[id].shape.dim[d] == s.dim[d];
*/
static void put_type(struct graph *g, int id, int dtype, struct shape s, int data)
{
    graph_put_type(g, id, dtype, s, data);
}

/* The last node, a constant, gets its tensor and its type. */
/*@ requires ready:    ready_but(g, id);
    requires room:     g->tensor.n < g->tensor.cap;
    requires last:     0 <= id && id == g->node.n - 1;
    requires leaf:     is_leaf(g->node.a + id, NODE_CONST, name, g->node.a[id].dtype);
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[id], g->tensor.n, g->tensor.a[g->tensor.n];
    ensures  ready:    ready_graph(g);
    ensures  nodes:    moved_nodes{Pre,Post}(g->node.a, g->node.a, id) && moved_numbers{Pre,Post}(g->in.a, g->in.a, g->in.n);
    ensures  attrs:    moved_attrs{Pre,Post}(g->attr.a, g->attr.a, g->attr.n);
    ensures  kept:     kept_inputs{Pre,Post}(g) && kept_outputs{Pre,Post}(g) && kept_tensors{Pre,Post}(g);
    ensures  rest:     kept_rest{Pre,Post}(g) && kept_strings{Pre,Post}(g);
    ensures  view:     put_of(g) == \old(put_of(g)) && same_lists{Pre,Post}(g);
    ensures  counts:   same_nodes_count{Pre,Post}(g) && g->input.n == \old(g->input.n) && g->output.n == \old(g->output.n);
    ensures  graph:    same_graph{Pre,Post}(put_of(g));
    ensures  node:     is_leaf(g->node.a + id, NODE_CONST, name, own.dtype) && g->node.a[id].data == \old(g->tensor.n);
    ensures  typed:    g->node.a[id].shape.rank == own.shape.rank;
    ensures  sized:    \forall integer d; 0 <= d < RANK_MAX ==> g->node.a[id].shape.dim[d] == own.shape.dim[d];
    ensures  more:     g->tensor.n == \old(g->tensor.n) + 1;
    ensures  dtype:    g->tensor.a[g->tensor.n - 1].dtype == own.dtype;
    ensures  bytes:    g->tensor.a[g->tensor.n - 1].bytes == own.bytes && g->tensor.a[g->tensor.n - 1].data == own.data;
    ensures  rank:     g->tensor.a[g->tensor.n - 1].shape.rank == own.shape.rank;
    ensures  dims:     \forall integer d; 0 <= d < RANK_MAX ==> g->tensor.a[g->tensor.n - 1].shape.dim[d] == own.shape.dim[d];
*/
static void put_both(struct graph *g, int id, struct tensor own) /*@ ghost (int name) */
{
    int data = g->tensor.n;

    put_tensor(g, own) /*@ ghost (id) */;
    /*@ ghost Held: ; */
    /*@ assert held_a: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert held_n: g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre) && g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert held_m: moved_nodes{Pre,Here}(g->node.a, g->node.a, g->node.n); */
    /*@ assert held_o: moved_nodes{Pre,Here}(g->node.a, g->node.a, id); */
    /*@ assert held_i: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert held_r: moved_attrs{Pre,Here}(g->attr.a, g->attr.a, g->attr.n); */
    /*@ assert held_l: moved_node{Pre,Here}(g->node.a + id, g->node.a + id); */
    /*@ assert held_k: is_leaf(g->node.a + id, NODE_CONST, name, g->node.a[id].dtype); */
    /*@ assert last:   g->tensor.n - 1 == data && data == \at(g->tensor.n, Pre); */
    put_type(g, id, own.dtype, own.shape, data);
    /*@ assert same_a: g->node.a == \at(g->node.a, Held) && g->in.a == \at(g->in.a, Held) && g->attr.a == \at(g->attr.a, Held); */
    /*@ assert same_n: g->node.n == \at(g->node.n, Held) && g->in.n == \at(g->in.n, Held) && g->attr.n == \at(g->attr.n, Held); */
    /*@ assert same_t: g->tensor.a == \at(g->tensor.a, Held) && g->tensor.n == \at(g->tensor.n, Held); */
    /*@ assert node:   g->node.a[id].kind == NODE_CONST && g->node.a[id].nin == 0 && g->node.a[id].nattr == 0; */
    /*@ assert fields: g->node.a[id].op == \at(g->node.a[id].op, Held) && g->node.a[id].name == \at(g->node.a[id].name, Held) &&
                       g->node.a[id].label == \at(g->node.a[id].label, Held) && g->node.a[id].index == \at(g->node.a[id].index, Held) &&
                       g->node.a[id].origin == \at(g->node.a[id].origin, Held); */
    /*@ assert values: g->node.a[id].dtype == own.dtype && g->node.a[id].data == data; */
    /*@ assert lists:  g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre); */
    /*@ assert is:     g->node.a[id].op == 0 && g->node.a[id].name == name && g->node.a[id].label == -1 && g->node.a[id].index == 0 &&
                       g->node.a[id].origin == -1; */
    /*@ assert leaf_1: is_leaf(g->node.a + id, NODE_CONST, name, own.dtype); */
    /*@ assert leaf:   is_leaf(g->node.a + id, NODE_CONST, name, own.dtype) && g->node.a[id].data == data; */
    /*@ assert tensor: moved_tensor{Held,Here}(g->tensor.a + data, g->tensor.a + data); */
    /*@ assert nodes:  moved_nodes{Pre,Here}(g->node.a, g->node.a, id); */
    /*@ assert graph:  same_graph{Pre,Here}(put_of(g)); */
}

/* The caller's tensor is empty; the graph is as it was. */
/*@ requires ready:    ready_graph(g);
    requires own:      \valid(t) && OWN_TENSOR(t, g);
    terminates \true;
    exits    never:    \false;
    assigns  t->data \from \nothing;
    assigns  t->bytes \from \nothing;
    ensures  ready:    ready_graph(g);
    ensures  old:      kept{Pre,Post}(g) && same_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  view:     put_of(g) == \old(put_of(g)) && same_graph{Pre,Post}(put_of(g));
    ensures  taken:    t->data == \null && t->bytes == 0;
*/
static void clear(struct tensor *t) /*@ ghost (struct graph *g) */
{
    /*@ assert was_t: texts_ok(table_of(g->strs)); */
    /*@ assert was_1: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id) ==>
                     g->strs->text.a[g->strs->entry.a[id].start + g->strs->entry.a[id].len] == 0; */
    /*@ assert was_2: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id); */
    /*@ assert was_0: \forall integer id; 0 <= id < g->strs->entry.n ==>
                     g->strs->text.a[g->strs->entry.a[id].start + g->strs->entry.a[id].len] == 0; */
    /*@ assert far_g: \separated(t, g); */
    t->data = NULL;
    t->bytes = 0;
    /*@ assert view: put_of(g) == \at(put_of(g), Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert nodes: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i] == \at(g->node.a[i], Pre); */
    /*@ assert kinds: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert datas: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].data == \at(g->node.a[i].data, Pre); */
    /*@ assert dims: \forall integer i, d; 0 <= i < g->node.n ==> 0 <= d < RANK_MAX ==> g->node.a[i].shape.dim[d] == \at(g->node.a[i].shape.dim[d], Pre); */
    /*@ assert shapes: \forall integer i; 0 <= i < g->node.n ==> same_shape{Pre,Here}(&g->node.a[i].shape, &g->node.a[i].shape); */
    /*@ assert each: \forall integer i; 0 <= i < g->node.n ==> moved_node{Pre,Here}(g->node.a + i, g->node.a + i); */
    /*@ assert moved: moved_nodes{Pre,Here}(g->node.a, g->node.a, g->node.n); */
    /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert labels: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].label == \at(g->attr.a[k].label, Pre); */
    /*@ assert values: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].value == \at(g->attr.a[k].value, Pre); */
    /*@ assert attrs: moved_attrs{Pre,Here}(g->attr.a, g->attr.a, g->attr.n); */ /*@ assert graph: kept_graph{Pre,Here}(g); */
    /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */
    /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert t_dim: \forall integer k, d; 0 <= k < g->tensor.n ==> 0 <= d < RANK_MAX ==>
                     g->tensor.a[k].shape.dim[d] == \at(g->tensor.a[k].shape.dim[d], Pre); */
    /*@ assert t_bytes: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].bytes == \at(g->tensor.a[k].bytes, Pre); */
    /*@ assert t_data: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].data == \at(g->tensor.a[k].data, Pre); */
    /*@ assert tensors: kept_tensors{Pre,Here}(g); */ /*@ assert r_name: g->name == \at(g->name, Pre); */
    /*@ assert r_rules: g->rules == \at(g->rules, Pre); */ /*@ assert r_class: g->class == \at(g->class, Pre); */
    /*@ assert r_opset: g->opset == \at(g->opset, Pre); */ /*@ assert r_raw: g->raw.n == \at(g->raw.n, Pre); */
    /*@ assert r_model: g->model.n == \at(g->model.n, Pre); */
    /*@ assert r_raw_a: g->raw.a == \at(g->raw.a, Pre); */ /*@ assert r_model_a: g->model.a == \at(g->model.a, Pre); */
    /*@ assert rest: kept_rest{Pre,Here}(g); */
    /*@ assert table: table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert starts: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start == \at(g->strs->entry.a[id].start, Pre); */
    /*@ assert length: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].len == \at(g->strs->entry.a[id].len, Pre); */
    /*@ assert text: g->strs->text.a == \at(g->strs->text.a, Pre); */
    /*@ assert read: \forall integer id, k; 0 <= id < g->strs->entry.n ==>
                     g->strs->text.a[g->strs->entry.a[id].start + k] == \at(g->strs->text.a[g->strs->entry.a[id].start + k], Pre); */
    /*@ assert char: \forall integer id, k; 0 <= id < g->strs->entry.n ==>
                     label_char(table_of(g->strs), id, k) == label_char{Pre}(\at(table_of(g->strs), Pre), id, k); */
    /*@ assert at: \forall integer id, k; 0 <= id < g->strs->entry.n ==>
                     label_at(table_of(g->strs), id, k) == label_at{Pre}(\at(table_of(g->strs), Pre), id, k); */
    /*@ assert bytes: same_bytes{Pre,Here}(g->strs->text.a, g->strs->text.n); */
    /*@ assert lens: same_lens{Pre,Here}(table_of(g->strs)); */ /*@ assert chars: same_chars{Pre,Here}(table_of(g->strs)); */
    /*@ assert ends_n: table_of(g->strs).ntext == g->strs->text.n && g->strs->text.n == \at(g->strs->text.n, Pre); */
    /*@ assert ends_in: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok{Pre}(\at(table_of(g->strs), Pre), id) ==>
                     0 <= g->strs->entry.a[id].start && 0 <= g->strs->entry.a[id].len &&
                     g->strs->entry.a[id].start + g->strs->entry.a[id].len < g->strs->text.n; */
    /*@ assert ends_j: \forall integer j; g->strs->text.a[j] == \at(g->strs->text.a[j], Pre); */
    /*@ assert sums: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start + g->strs->entry.a[id].len ==
                     \at(g->strs->entry.a[id].start + g->strs->entry.a[id].len, Pre); */
    /*@ assert ends_at: \forall integer id; 0 <= id < g->strs->entry.n ==>
                     g->strs->text.a[g->strs->entry.a[id].start + g->strs->entry.a[id].len] ==
                     \at(g->strs->text.a[g->strs->entry.a[id].start + g->strs->entry.a[id].len], Pre); */
    /*@ assert ends_0: \forall integer id; 0 <= id < g->strs->entry.n ==>
                     g->strs->text.a[g->strs->entry.a[id].start + g->strs->entry.a[id].len] == 0; */
    /*@ assert ends_to: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok{Pre}(table_of(g->strs), id) ==> text_ok(table_of(g->strs), id); */
    /*@ assert ends_of: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id) ==> text_ok{Pre}(table_of(g->strs), id); */
    /*@ assert ends: same_ends{Pre,Here}(table_of(g->strs)); */ /*@ assert strings: kept_strings{Pre,Here}(g); */
    /*@ assert n_in: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].in == \at(g->node.a[i].in, Pre); */
    /*@ assert n_nin: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nin == \at(g->node.a[i].nin, Pre); */
    /*@ assert n_attr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].attr == \at(g->node.a[i].attr, Pre); */
    /*@ assert n_nattr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nattr == \at(g->node.a[i].nattr, Pre); */
    /*@ assert s_nodes: same_nodes{Pre,Here}(put_of(g)); */ /*@ assert s_ins: same_inputs{Pre,Here}(put_of(g)); */
    /*@ assert same: same_graph{Pre,Here}(put_of(g)); */ /*@ assert valid: valid_graph(put_of(g)); */
    /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */
    /*@ assert v_lists: valid_lists(g); */ /*@ assert apart: apart_graph(g); */
    /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */ /*@ assert texts: texts_ok(table_of(g->strs)); */
    /*@ assert s_strs: g->strs == \at(g->strs, Pre) && g->strs->entry.a == \at(g->strs->entry.a, Pre) && g->strs->entry.n == \at(g->strs->entry.n, Pre); */
    /*@ assert away: apart_labels(g); */ /*@ assert held: held_graph(g); */ /*@ assert ranges: ranges_ok(put_of(g)); */
    /*@ assert in_ids: \forall integer k; 0 <= k < g->input.n ==> 0 <= g->input.a[k] < g->node.n; */
    /*@ assert in_kind: \forall integer k; 0 <= k < g->input.n ==> \at(g->node.a[g->input.a[k]].kind, Pre) == NODE_INPUT; */
    /*@ assert in_is: \forall integer k; 0 <= k < g->input.n ==> g->node.a[g->input.a[k]].kind == NODE_INPUT; */
    /*@ assert are_in: inputs_are(g); */
    /*@ assert out_was: \forall integer k; 0 <= k < g->output.n ==> 0 <= \at(g->output.a[k].node, Pre) < \at(g->node.n, Pre); */
    /*@ assert are_out: outputs_are(g); */
    /*@ assert d_was: \forall integer i; 0 <= i < g->node.n ==> \at(g->node.a[i].kind, Pre) == NODE_CONST ==> 0 <= \at(g->node.a[i].data, Pre) < \at(g->tensor.n, Pre); */
    /*@ assert data: data_are(g, g->node.n); */
}

/* Where there is room: the whole constant. */
/*@ requires ready:    ready_graph(g);
    requires room:     has_room(g, 0, 0) && g->tensor.n < g->tensor.cap;
    terminates \true;
    exits    never:    \false;
    assigns  *g, g->node.a[g->node.n], g->in.a[g->in.n .. g->in.cap - 1], g->attr.a[g->attr.n .. g->attr.cap - 1],
             g->tensor.a[g->tensor.n];
    ensures  ready:    ready_graph(g);
    ensures  old:      kept{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  code:     \result == \old(g->node.n);
    ensures  arrays:   g->node.a == \old(g->node.a) && g->node.cap == \old(g->node.cap);
    ensures  next:     one_more{Pre,Post}(g, 0, 0);
    ensures  ok:       node_ok(put_of(g), \result);
    ensures  node:     is_leaf(g->node.a + \result, NODE_CONST, name, own.dtype) && g->node.a[\result].data == \old(g->tensor.n);
    ensures  typed:    g->node.a[\result].shape.rank == own.shape.rank;
    ensures  sized:    \forall integer d; 0 <= d < RANK_MAX ==> g->node.a[\result].shape.dim[d] == own.shape.dim[d];
    ensures  lists:    g->input.n == \old(g->input.n) && g->output.n == \old(g->output.n) && g->tensor.n == \old(g->tensor.n) + 1;
    ensures  dtype:    g->tensor.a[g->tensor.n - 1].dtype == own.dtype;
    ensures  bytes:    g->tensor.a[g->tensor.n - 1].bytes == own.bytes && g->tensor.a[g->tensor.n - 1].data == own.data;
    ensures  rank:     g->tensor.a[g->tensor.n - 1].shape.rank == own.shape.rank;
    ensures  dims:     \forall integer d; 0 <= d < RANK_MAX ==> g->tensor.a[g->tensor.n - 1].shape.dim[d] == own.shape.dim[d];
*/
static int put_const(struct graph *g, int name, struct tensor own)
{
    int id = graph_fill(g, NODE_CONST, 0, name, NULL, 0, NULL, 0, 0);

    /*@ ghost Put: ; */
    /*@ assert put_a: g->node.a == \at(g->node.a, Pre) && g->node.cap == \at(g->node.cap, Pre); */
    /*@ assert last:  0 <= id && id == g->node.n - 1 && id == \at(g->node.n, Pre); */
    /*@ assert has:   g->tensor.n < g->tensor.cap && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert leaf:  is_leaf(g->node.a + id, NODE_CONST, name, g->node.a[id].dtype); */
    /*@ assert put_n: moved_nodes{Pre,Here}(\at(g->node.a, Pre), g->node.a, \at(g->node.n, Pre)); */
    /*@ assert put_i: moved_numbers{Pre,Here}(\at(g->in.a, Pre), g->in.a, \at(g->in.n, Pre)); */
    /*@ assert put_r: moved_attrs{Pre,Here}(\at(g->attr.a, Pre), g->attr.a, \at(g->attr.n, Pre)); */
    /*@ assert put_c: g->in.n == \at(g->in.n, Pre) && g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert put_o: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre); */
    /*@ assert put_w: wf_graph{Pre}(\at(put_of(g), Pre)) ==> wf_graph(put_of(g)); */
    put_both(g, id, own) /*@ ghost (name) */;
    /*@ assert same_a: g->node.a == \at(g->node.a, Put) && g->in.a == \at(g->in.a, Put) && g->attr.a == \at(g->attr.a, Put); */
    /*@ assert same_c: g->node.cap == \at(g->node.cap, Put); */
    /*@ assert same_n: g->node.n == \at(g->node.n, Put) && g->in.n == \at(g->in.n, Put) && g->attr.n == \at(g->attr.n, Put); */
    /*@ assert nodes: moved_nodes{Pre,Here}(\at(g->node.a, Pre), g->node.a, \at(g->node.n, Pre)); */
    /*@ assert ins_k: \forall integer k; 0 <= k < g->in.n ==> g->in.a[k] == \at(g->in.a[k], Put); */
    /*@ assert ins_p: \forall integer k; 0 <= k < g->in.n ==> \at(g->in.a[k], Put) == \at(g->in.a[k], Pre); */
    /*@ assert ins:   moved_numbers{Pre,Here}(\at(g->in.a, Pre), g->in.a, \at(g->in.n, Pre)); */
    /*@ assert attrs: moved_attrs{Pre,Here}(\at(g->attr.a, Pre), g->attr.a, \at(g->attr.n, Pre)); */
    /*@ assert graph: kept_graph{Pre,Here}(g); */
    /*@ assert lists: kept_inputs{Pre,Here}(g) && kept_outputs{Pre,Here}(g) && kept_tensors{Pre,Here}(g); */
    /*@ assert rest:  kept_rest{Pre,Here}(g) && kept_strings{Pre,Here}(g); */
    /*@ assert wf:    wf_graph{Pre}(\at(put_of(g), Pre)) ==> wf_graph(put_of(g)); */
    /*@ assert ok:    node_ok(put_of(g), id); */
    return id;
}

int graph_const(struct graph *g, int name, struct tensor *t)
{
    struct tensor own = *t;
    bool room = graph_const_room(g) /*@ ghost (t) */;
    int id;

    /*@ assert was: ready_graph(g); */ /*@ assert was_wf: wf_graph{Pre}(\at(put_of(g), Pre)) ==> wf_graph(put_of(g)); */
    if (!room)
        return -1;
    /*@ ghost Room: ; */
    /*@ assert n: g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre) && g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert l: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert far: OWN_TENSOR(t, g); */
    id = put_const(g, name, own);
    /*@ ghost Put: ; */
    /*@ assert same_l: g->tensor.a == \at(g->tensor.a, Room) && g->tensor.cap == \at(g->tensor.cap, Room); */
    /*@ assert same_p: g->node.a == \at(g->node.a, Room) && g->node.cap == \at(g->node.cap, Room); */
    /*@ assert same_m: g->mem == \at(g->mem, Room) && g->strs == \at(g->strs, Room); */
    /*@ assert same_v: table_of(g->strs) == \at(table_of(g->strs), Room); */
    /*@ assert same_e: g->strs->entry.a == \at(g->strs->entry.a, Room) && g->strs->entry.n == \at(g->strs->entry.n, Room); */
    /*@ assert apart: OWN_TENSOR(t, g); */
    /*@ assert put_k: kept{Pre,Here}(g); */
    /*@ assert data: g->node.a[id].data == \at(g->tensor.n, Pre); */
    clear(t) /*@ ghost (g) */;
    /*@ assert same_a: g->node.a == \at(g->node.a, Put) && g->tensor.a == \at(g->tensor.a, Put) && g->node.n == \at(g->node.n, Put); */
    /*@ assert all: kept{Pre,Here}(g); */
    /*@ assert node: moved_node{Put,Here}(\at(g->node.a, Put) + id, g->node.a + id); */
    /*@ assert tensor: moved_tensor{Put,Here}(\at(g->tensor.a, Put) + (g->tensor.n - 1), g->tensor.a + (g->tensor.n - 1)); */
    /*@ assert leaf: is_leaf(g->node.a + id, NODE_CONST, name, own.dtype) && g->node.a[id].data == \at(g->tensor.n, Pre); */
    /*@ assert shape: same_shape{Pre,Here}(\at(&t->shape, Pre), &g->node.a[id].shape); */
    /*@ assert taken: moved_tensor{Pre,Here}(t, g->tensor.a + (g->tensor.n - 1)); */
    /*@ assert ok: node_ok(put_of(g), id); */
    return id;
}
