/* Where there is room for it: a node more. graph_fill.h has the contract. */
#include "graph/graph_fill.h"
#include "graph/graph_count.h"
#include "graph/graph_put_bare.h"
#include "graph/graph_view.h"

#ifdef __FRAMAC__
#include "graph/kept.acsl"
#endif

/* What is at p is none of what a new node takes. */
#define FAR(p) \separated(p, g->in.a + (g->in.n .. g->in.cap - 1)) && \separated(p, g->attr.a + (g->attr.n .. g->attr.cap - 1)) && \
    \separated(p, g->node.a + g->node.n)

/* The node behind the last one, as graph_put_bare puts it. */
/*@ requires ready:    ready_but(g, g->node.n);
    requires room:     has_room(g, nin, nattr);
    FILL_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[g->node.n], g->in.a[g->in.n .. g->in.cap - 1], g->attr.a[g->attr.n .. g->attr.cap - 1];
    ensures  graph:    same_graph{Pre,Post}(\old(put_of(g)));
    ensures  roots:    same_roots{Pre,Post}(\old(put_of(g)));
    ensures  shapes:   same_shapes{Pre,Post}(\old(put_of(g)));
    ensures  pairs:    same_attrs{Pre,Post}(\old(put_of(g)));
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(GROWN(\old(put_of(g)), nin, nattr));
    ensures  ranges:   ranges_ok(GROWN(\old(put_of(g)), nin, nattr));
    ensures  new:      node_ok(GROWN(\old(put_of(g)), nin, nattr), \old(g->node.n));
    ensures  node:     is_fresh(\old(put_of(g)), \old(g->node.n), kind, name, \old(g->in.n), \old(g->attr.n)) &&
                       is_sized(\old(put_of(g)), \old(g->node.n), op, nin, nattr, index);
    ensures  none:     no_dims(\old(g->node.a + g->node.n));
    ensures  inputs:   \forall integer k; 0 <= k < nin ==> \old(g->in.a)[\old(g->in.n) + k] == \old(in[k]);
    ensures  labels:   \forall integer k; 0 <= k < nattr ==> \old(g->attr.a)[\old(g->attr.n) + k].label == \old(attr[k].label);
    ensures  values:   \forall integer k; 0 <= k < nattr ==> \old(g->attr.a)[\old(g->attr.n) + k].value == \old(attr[k].value);
*/
static void put_bare(struct graph *g, int kind, int op, int name, const int *in, int nin, const struct node_attr *attr,
                     int nattr, int index)
{
    struct graph_put v = graph_view(g);

    /*@ assert in_is: v.in == g->in.a && v.nin == g->in.n; */
    /*@ assert attr_is: v.attr == g->attr.a && v.nattr == g->attr.n; */
    graph_put_bare(v, kind, op, name, in, nin, attr, nattr, index);
}

/* The node in a graph that does not count it yet. */
/*@ requires ready:    ready_but(g, g->node.n);
    requires room:     has_room(g, nin, nattr);
    FILL_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[g->node.n], g->in.a[g->in.n .. g->in.cap - 1], g->attr.a[g->attr.n .. g->attr.cap - 1];
    ensures  ready:    ready_but(g, g->node.n);
    ensures  view:     put_of(g) == \old(put_of(g));
    ensures  old:      kept{Pre,Post}(g) && same_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  ranges:   ranges_ok(GROWN(put_of(g), nin, nattr));
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(GROWN(put_of(g), nin, nattr));
    ensures  ok:       node_ok(GROWN(put_of(g), nin, nattr), g->node.n);
    ensures  node:     is_fresh(put_of(g), g->node.n, kind, name, g->in.n, g->attr.n) &&
                       is_sized(put_of(g), g->node.n, op, nin, nattr, index) && no_dims(g->node.a + g->node.n);
    ensures  inputs:   has_ids{Pre,Post}(g, g->in.n, in, nin);
    ensures  attrs:    has_attrs{Pre,Post}(g, g->attr.n, attr, nattr);
*/
static void put_last(struct graph *g, int kind, int op, int name, const int *in, int nin, const struct node_attr *attr,
                     int nattr, int index)
{
    /*@ assert far_0: FAR(&g->node.n); */ /*@ assert far_1: FAR(&g->node.cap); */ /*@ assert far_2: FAR(&g->in.n); */
    /*@ assert far_3: FAR(&g->in.cap); */ /*@ assert far_4: FAR(&g->attr.n); */ /*@ assert far_5: FAR(&g->attr.cap); */
    /*@ assert far_6: FAR(&g->input.n); */ /*@ assert far_7: FAR(&g->input.cap); */ /*@ assert far_8: FAR(&g->output.n); */
    /*@ assert far_9: FAR(&g->output.cap); */ /*@ assert far_10: FAR(&g->tensor.n); */ /*@ assert far_11: FAR(&g->tensor.cap); */
    /*@ assert far_12: FAR(&g->name); */ /*@ assert far_13: FAR(&g->rules); */ /*@ assert far_14: FAR(&g->class); */
    /*@ assert far_15: FAR(&g->opset); */ /*@ assert far_16: FAR(&g->raw.n); */ /*@ assert far_17: FAR(&g->model.n); */
    /*@ assert far_18: FAR(&g->strs->entry.n); */ /*@ assert far_19: FAR(&g->strs->entry.cap); */
    /*@ assert far_20: FAR(&g->strs->text.n); */ /*@ assert far_21: FAR(&g->strs->text.cap); */ /*@ assert far_22: FAR(&g->strs->buckets); */
    /*@ assert far_input: \forall integer k; 0 <= k < g->input.n ==> FAR(&g->input.a[k]); */
    /*@ assert far_o_node: \forall integer k; 0 <= k < g->output.n ==> FAR(&g->output.a[k].node); */
    /*@ assert far_o_name: \forall integer k; 0 <= k < g->output.n ==> FAR(&g->output.a[k].name); */
    /*@ assert far_t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> FAR(&g->tensor.a[k].dtype); */
    /*@ assert far_t_rank: \forall integer k; 0 <= k < g->tensor.n ==> FAR(&g->tensor.a[k].shape.rank); */
    /*@ assert far_len: \forall integer k; 0 <= k < g->strs->entry.n ==> FAR(&g->strs->entry.a[k].len); */
    put_bare(g, kind, op, name, in, nin, attr, nattr, index);
    /*@ assert counts: g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre) && g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert caps_n: g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert ptrs: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert view: put_of(g) == \at(put_of(g), Pre); */ /*@ assert same: same_graph{Pre,Here}(put_of(g)); */ /*@ assert roots: same_roots{Pre,Here}(put_of(g)); */
    /*@ assert shapes: same_shapes{Pre,Here}(put_of(g)); */ /*@ assert pairs: same_attrs{Pre,Here}(put_of(g)); */
    /*@ assert nodes: moved_nodes{Pre,Here}(g->node.a, g->node.a, g->node.n); */ /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert attrs: moved_attrs{Pre,Here}(g->attr.a, g->attr.a, g->attr.n); */ /*@ assert graph: kept_graph{Pre,Here}(g); */
    /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */ /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_n: g->output.n == \at(g->output.n, Pre) && g->output.a == \at(g->output.a, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert o_moved: moved_outputs{Pre,Here}(g->output.a, g->output.a, g->output.n); */ /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert t_dim: \forall integer k, d; 0 <= k < g->tensor.n ==> 0 <= d < RANK_MAX ==>
                     g->tensor.a[k].shape.dim[d] == \at(g->tensor.a[k].shape.dim[d], Pre); */
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
    /*@ assert starts: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start == \at(g->strs->entry.a[id].start, Pre); */
    /*@ assert length: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].len == \at(g->strs->entry.a[id].len, Pre); */
    /*@ assert lens: same_lens{Pre,Here}(table_of(g->strs)); */ /*@ assert chars: same_chars{Pre,Here}(table_of(g->strs)); */
    /*@ assert ends_to: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok{Pre}(table_of(g->strs), id) ==> text_ok(table_of(g->strs), id); */
    /*@ assert ends_of: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id) ==> text_ok{Pre}(table_of(g->strs), id); */
    /*@ assert ends: same_ends{Pre,Here}(table_of(g->strs)); */ /*@ assert strings: kept_strings{Pre,Here}(g); */ /*@ assert valid: valid_graph(put_of(g)); */
    /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */
    /*@ assert v_lists: valid_lists(g); */ /*@ assert apart: apart_graph(g); */
    /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */ /*@ assert texts: texts_ok(table_of(g->strs)); */
    /*@ assert s_strs: g->strs == \at(g->strs, Pre) && g->strs->entry.a == \at(g->strs->entry.a, Pre) && g->strs->entry.n == \at(g->strs->entry.n, Pre); */
    /*@ assert away: apart_labels(g); */ /*@ assert held: held_graph(g); */ /*@ assert kept: kept{Pre,Here}(g); */ /*@ assert count: same_count{Pre,Here}(g); */
    /*@ assert ready: ready_but(g, g->node.n); */
}

int graph_fill(struct graph *g, int kind, int op, int name, const int *in, int nin, const struct node_attr *attr,
               int nattr, int index)
{
    int id;

    put_last(g, kind, op, name, in, nin, attr, nattr, index);
    /*@ ghost Put: ; */
    /*@ assert n_in: g->in.n == \at(g->in.n, Pre); */ /*@ assert n_attr: g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert has_i: has_ids{Pre,Here}(g, \at(g->in.n, Pre), in, nin); */
    /*@ assert has_a: has_attrs{Pre,Here}(g, \at(g->attr.n, Pre), attr, nattr); */
    /*@ assert put_i: \forall integer k; 0 <= k < nin ==> g->in.a[\at(g->in.n, Pre) + k] == \at(in[k], Pre); */
    /*@ assert put_l: \forall integer k; 0 <= k < nattr ==> g->attr.a[\at(g->attr.n, Pre) + k].label == \at(attr[k].label, Pre); */
    /*@ assert put_v: \forall integer k; 0 <= k < nattr ==> g->attr.a[\at(g->attr.n, Pre) + k].value == \at(attr[k].value, Pre); */
    id = graph_count(g, nin, nattr);
    /*@ assert moved: moved_node{Put,Here}(g->node.a + id, g->node.a + id); */
    /*@ assert none: no_dims(g->node.a + id); */ /*@ assert sized: is_sized(put_of(g), id, op, nin, nattr, index); */
    /*@ assert fresh: is_fresh(put_of(g), id, kind, name, \at(g->in.n, Pre), \at(g->attr.n, Pre)); */
    /*@ assert same_i: \forall integer k; 0 <= k < nin ==> g->in.a[\at(g->in.n, Pre) + k] == \at(g->in.a[\at(g->in.n, Pre) + k], Put); */
    /*@ assert same_l: \forall integer k; 0 <= k < nattr ==> g->attr.a[\at(g->attr.n, Pre) + k].label == \at(g->attr.a[\at(g->attr.n, Pre) + k].label, Put); */
    /*@ assert same_v: \forall integer k; 0 <= k < nattr ==> g->attr.a[\at(g->attr.n, Pre) + k].value == \at(g->attr.a[\at(g->attr.n, Pre) + k].value, Put); */
    /*@ assert inputs: \forall integer k; 0 <= k < nin ==> g->in.a[\at(g->in.n, Pre) + k] == \at(in[k], Pre); */
    /*@ assert labels: \forall integer k; 0 <= k < nattr ==> g->attr.a[\at(g->attr.n, Pre) + k].label == \at(attr[k].label, Pre); */
    /*@ assert values: \forall integer k; 0 <= k < nattr ==> g->attr.a[\at(g->attr.n, Pre) + k].value == \at(attr[k].value, Pre); */
    /*@ assert has_in: has_ids{Pre,Here}(g, \at(g->in.n, Pre), in, nin); */
    /*@ assert has_at: has_attrs{Pre,Here}(g, \at(g->attr.n, Pre), attr, nattr); */
    /*@ assert old: kept{Pre,Here}(g); */
    return id;
}
