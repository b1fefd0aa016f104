/* Nodes of operators, their attributes in order. graph_add.h has the contract. */
#include "graph/graph_add.h"
#include "graph/graph_append.h"

#ifdef __FRAMAC__
#include "graph/kept.acsl"
#include "graph/pairs.acsl"
#endif

/* The last n attributes, sorted. */
/*@ requires ready:    ready_graph(g);
    requires range:    0 <= first && first + n == g->attr.n && 0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  g->attr.a[first .. first + n - 1];
    ensures  ready:    ready_graph(g);
    ensures  view:     put_of(g) == \old(put_of(g));
    ensures  nodes:    moved_nodes{Pre,Post}(g->node.a, g->node.a, g->node.n) && moved_numbers{Pre,Post}(g->in.a, g->in.a, g->in.n);
    ensures  attrs:    moved_attrs{Pre,Post}(g->attr.a, g->attr.a, first);
    ensures  lists:    kept_inputs{Pre,Post}(g) && kept_outputs{Pre,Post}(g) && kept_tensors{Pre,Post}(g);
    ensures  rest:     kept_rest{Pre,Post}(g) && kept_strings{Pre,Post}(g) && same_count{Pre,Post}(g);
    ensures  graph:    same_graph{Pre,Post}(put_of(g));
    ensures  sorted:   sorted_attrs(table_of(g->strs), g->attr.a + first, n);
    ensures  same:     same_pairs{Pre,Post}(g->attr.a + first, n);
*/
static void sort_last(struct graph *g, int first, int n)
{
    /*@ assert far_strs: \separated(g->strs, g->attr.a + (first .. first + n - 1)); */
    /*@ assert far_ent: \separated(g->strs->entry.a + (0 .. g->strs->entry.n - 1), g->attr.a + (first .. first + n - 1)); */
    /*@ assert far_1: \forall integer i; 0 <= i < g->node.n ==> \separated(&g->node.a[i].shape.rank, g->attr.a + (first .. first + n - 1)); */
    /*@ assert far_2: \forall integer i; 0 <= i < g->output.n ==> \separated(&g->output.a[i].name, g->attr.a + (first .. first + n - 1)); */
    sort_attrs(g->strs, g->attr.a + first, n);
    /*@ assert counts: g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre) && g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert caps_n: g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert ptrs: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert view: put_of(g) == \at(put_of(g), Pre); */ /*@ assert n_kind: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert n_op: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].op == \at(g->node.a[i].op, Pre); */
    /*@ assert n_name: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].name == \at(g->node.a[i].name, Pre); */
    /*@ assert n_label: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].label == \at(g->node.a[i].label, Pre); */
    /*@ assert n_in: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].in == \at(g->node.a[i].in, Pre); */
    /*@ assert n_nin: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nin == \at(g->node.a[i].nin, Pre); */
    /*@ assert n_attr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].attr == \at(g->node.a[i].attr, Pre); */
    /*@ assert n_nattr: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].nattr == \at(g->node.a[i].nattr, Pre); */
    /*@ assert n_index: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].index == \at(g->node.a[i].index, Pre); */
    /*@ assert n_dtype: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].dtype == \at(g->node.a[i].dtype, Pre); */
    /*@ assert n_data: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].data == \at(g->node.a[i].data, Pre); */
    /*@ assert n_origin: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].origin == \at(g->node.a[i].origin, Pre); */
    /*@ assert n_rank: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].shape.rank == \at(g->node.a[i].shape.rank, Pre); */
    /*@ assert n_dim: \forall integer i, d; 0 <= i < g->node.n ==> 0 <= d < RANK_MAX ==> g->node.a[i].shape.dim[d] == \at(g->node.a[i].shape.dim[d], Pre); */
    /*@ assert nodes: moved_nodes{Pre,Here}(g->node.a, g->node.a, g->node.n); */ /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert same: same_graph{Pre,Here}(put_of(g)); */ /*@ assert ranges: ranges_ok(put_of(g)); */
    /*@ assert labels: \forall integer k; 0 <= k < first ==> g->attr.a[k].label == \at(g->attr.a[k].label, Pre); */
    /*@ assert values: \forall integer k; 0 <= k < first ==> g->attr.a[k].value == \at(g->attr.a[k].value, Pre); */
    /*@ assert attrs: moved_attrs{Pre,Here}(g->attr.a, g->attr.a, first); */
    /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */ /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */ /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert tensors: kept_tensors{Pre,Here}(g); */ /*@ assert r_name: g->name == \at(g->name, Pre); */
    /*@ assert r_rules: g->rules == \at(g->rules, Pre); */ /*@ assert r_class: g->class == \at(g->class, Pre); */
    /*@ assert r_opset: g->opset == \at(g->opset, Pre); */ /*@ assert r_raw: g->raw.n == \at(g->raw.n, Pre); */
    /*@ assert r_model: g->model.n == \at(g->model.n, Pre); */ /*@ assert rest: kept_rest{Pre,Here}(g); */
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
    /*@ assert away: apart_labels(g); */ /*@ assert held: held_graph(g); */
    /*@ assert in_ids: \forall integer k; 0 <= k < g->input.n ==> 0 <= g->input.a[k] < \at(g->node.n, Pre); */
    /*@ assert in_kind: \forall integer k; 0 <= k < g->input.n ==> \at(g->node.a[g->input.a[k]].kind, Pre) == NODE_INPUT; */
    /*@ assert are_in: inputs_are(g); */ /*@ assert are_out: outputs_are(g); */
    /*@ assert d_was: \forall integer i; 0 <= i < g->node.n ==> \at(g->node.a[i].kind, Pre) == NODE_CONST ==> 0 <= \at(g->node.a[i].data, Pre) < \at(g->tensor.n, Pre); */
    /*@ assert data: data_are(g, g->node.n); */ /*@ assert labels_same: same_labels{Pre,Here}(table_of(g->strs)); */
}

int graph_op(struct graph *g, int op, int name, const int *in, int nin, const struct node_attr *attr, int nattr, int nout)
{
    int first = g->attr.n, id = graph_append(g, NODE_OP, op, name, in, nin, attr, nattr, nout);

    if (id < 0)
        return -1;
    /*@ ghost int at = 0; */
    /*@ ghost Put: ; */
    /*@ assert data:  data_are(g, g->node.n); */ /*@ assert ready: ready_graph(g); */ /*@ assert count: 0 <= first && first + nattr == g->attr.n; */
    /*@ assert label: \forall integer k; 0 <= k < nattr ==> \at(attr[k].label, Pre) == (g->attr.a + first)[k].label; */
    /*@ assert value: \forall integer k; 0 <= k < nattr ==> \at(attr[k].value, Pre) == (g->attr.a + first)[k].value; */
    /*@ assert lbl:   \forall integer k; 0 <= k < nattr ==> \at(attr[k].label, Pre) == g->attr.a[first + k].label; */
    /*@ assert val:   \forall integer k; 0 <= k < nattr ==> \at(attr[k].value, Pre) == g->attr.a[first + k].value; */
    /*@ assert same_at: \forall integer k, l, x; 0 <= k < nattr ==> pair_at{Pre}(attr, k, l, x) == pair_at{Here}(g->attr.a + first, k, l, x); */
    /*@ assert p_nodes: moved_nodes{Pre,Here}(\at(g->node.a, Pre), g->node.a, \at(g->node.n, Pre)); */
    /*@ assert p_ins:   moved_numbers{Pre,Here}(\at(g->in.a, Pre), g->in.a, \at(g->in.n, Pre)); */
    /*@ assert p_attrs: moved_attrs{Pre,Here}(\at(g->attr.a, Pre), g->attr.a, \at(g->attr.n, Pre)); */
    /*@ ghost
        /@ loop invariant range: 0 <= at <= nattr;
           loop invariant pairs: \forall integer l, x; pairs{Pre}(attr, at, l, x) == pairs{Here}(g->attr.a + first, at, l, x);
           loop assigns at;
           loop variant nattr - at;
        @/
        while (at < nattr) {
            /@ assert one: \forall integer l, x; pair_at{Pre}(attr, at, l, x) == pair_at{Here}(g->attr.a + first, at, l, x); @/
            /@ assert more: \forall integer l, x; pairs{Pre}(attr, at + 1, l, x) == pairs{Pre}(attr, at, l, x) + pair_at{Pre}(attr, at, l, x); @/
            /@ assert most: \forall integer l, x; pairs{Here}(g->attr.a + first, at + 1, l, x) ==
                            pairs{Here}(g->attr.a + first, at, l, x) + pair_at{Here}(g->attr.a + first, at, l, x); @/
            at++;
        }
    */
    /*@ assert end:   at == nattr; */ /*@ assert whole: \forall integer l, x; pairs{Pre}(attr, nattr, l, x) == pairs{Here}(g->attr.a + first, nattr, l, x); */
    sort_last(g, first, nattr);
    /*@ assert first: first == \at(g->attr.n, Pre) && g->attr.a == \at(g->attr.a, Put) && g->node.a == \at(g->node.a, Put) && g->in.a == \at(g->in.a, Put); */
    /*@ assert all:   \forall integer l, x; pairs{Pre}(attr, nattr, l, x) == pairs{Put}(g->attr.a + first, nattr, l, x); */
    /*@ assert pairs: moved_pairs{Pre,Put}(attr, g->attr.a + first, nattr); */ /*@ assert same:  same_pairs{Put,Here}(g->attr.a + first, nattr); */
    /*@ assert n_nodes: moved_nodes{Put,Here}(g->node.a, g->node.a, g->node.n); */ /*@ assert new:   moved_node{Put,Here}(g->node.a + id, g->node.a + id); */
    /*@ assert n_ins: moved_numbers{Put,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert fresh: is_fresh(put_of(g), id, NODE_OP, name, \at(g->in.n, Pre), \at(g->attr.n, Pre)); */
    /*@ assert sized: is_sized(put_of(g), id, op, nin, nattr, nout); */ /*@ assert dims:  no_dims(g->node.a + id); */
    /*@ assert nodes: moved_nodes{Pre,Here}(\at(g->node.a, Pre), g->node.a, \at(g->node.n, Pre)); */
    /*@ assert ins:   moved_numbers{Pre,Here}(\at(g->in.a, Pre), g->in.a, \at(g->in.n, Pre)); */
    /*@ assert attrs: moved_attrs{Pre,Here}(\at(g->attr.a, Pre), g->attr.a, \at(g->attr.n, Pre)); */ /*@ assert graph: kept_graph{Pre,Here}(g); */
    /*@ assert lists: kept_inputs{Pre,Here}(g) && kept_outputs{Pre,Here}(g) && kept_tensors{Pre,Here}(g); */
    /*@ assert rest:  kept_rest{Pre,Here}(g) && kept_strings{Pre,Here}(g); */
    /*@ assert given: \forall integer k; 0 <= k < nin ==> g->in.a[\at(g->in.n, Pre) + k] == \at(g->in.a[\at(g->in.n, Pre) + k], Put); */
    return id;
}
