/* graph_set_attr.h has the contract. */
#include "graph/graph_set_attr.h"

#ifdef __FRAMAC__
#include "graph/kept.acsl"
#endif

/* Attribute i of the graph gets another value. */
/*@ requires ready:    ready_graph(g);
    requires attr:     0 <= i < g->attr.n;
    requires node:     0 <= node < g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  g->attr.a[i];
    ensures  ready:    ready_graph(g);
    ensures  kept:     kept_but{Pre,Post}(g, node);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  replaced: replaced{Pre,Post}(g, node, i, val);
*/
static void replace(struct graph *g, int i, int val) /*@ ghost (int node) */
{
    g->attr.a[i].value = val;
    /*@ assert counts: g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre) && g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert caps_n: g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert ptrs: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert view: put_of(g) == \at(put_of(g), Pre); */
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
    /*@ assert places: moved_places{Pre,Here}(g->node.a, g->node.a, g->node.n, node); */
    /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */ /*@ assert arena: kept_arena{Pre,Here}(g, node); */
    /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */ /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert o_moved: moved_outputs{Pre,Here}(g->output.a, g->output.a, g->output.n); */ /*@ assert outputs: kept_outputs{Pre,Here}(g); */
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
    /*@ assert same_n: same_nodes{Pre,Here}(put_of(g)); */ /*@ assert same_i: same_inputs{Pre,Here}(put_of(g)); */
    /*@ assert same: same_graph{Pre,Here}(put_of(g)); */ /*@ assert ranges: ranges_ok(put_of(g)); */
    /*@ assert a_label: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].label == \at(g->attr.a[k].label, Pre); */
    /*@ assert a_value: \forall integer k; 0 <= k < g->attr.n ==> k != i ==> g->attr.a[k].value == \at(g->attr.a[k].value, Pre); */
}

/* Room for one attribute more; the node has the attributes that it had. */
/*@ requires ready:    ready_graph(g);
    requires strings:  own_strings(g);
    requires node:     0 <= node < g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *a | struct node_attr *a; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  ready:    ready_graph(g);
    ensures  kept:     kept{Pre,Post}(g) && same_count{Pre,Post}(g);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  room:     \result == 1 ==> g->attr.n + g->node.a[node].nattr < g->attr.cap;
    ensures  strings:  own_strings(g);
    ensures  pairs:    same_pairs_of{Pre,Post}(g, node);
*/
static bool room(struct graph *g, int node)
{
    return graph_attr_room(g, node);
}

bool graph_set_attr(struct graph *g, int node, int label, int val)
{
    int i = graph_find_attr(g, node, label);

    /*@ assert in: node_in(put_of(g), node); */
    if (i >= 0) {
        /*@ assert only: \forall integer k; first_label(put_of(g), node, k, label) ==> k == i; */
        replace(g, i, val) /*@ ghost (node) */;
        return true;
    }
    if (!room(g, node))
        return false;
    /*@ ghost Room: ; */
    /*@ assert place: \at(place_of(put_of(g), node), Pre) == place_of(put_of(g), node); */
    /*@ assert size: \at(g->node.a[node].nattr, Pre) == g->node.a[node].nattr; */
    /*@ assert low: place_of(put_of(g), node) <= g->attr.n; */
    graph_add_attr(g, node, label, val);
    /*@ assert since: added{Room,Here}(g, node, label, val); */
    /*@ assert b_room: moved_attrs{Room,Here}(\at(g->attr.a, Room), g->attr.a, \at(place_of(put_of(g), node), Pre)); */
    /*@ assert below: moved_attrs{Pre,Here}(\at(g->attr.a, Pre), g->attr.a, \at(place_of(put_of(g), node), Pre)); */
    /*@ assert has: has_place{Pre,Here}(g, node, \at(place_of(put_of(g), node), Pre)); */
    /*@ assert more: has_more{Pre,Here}(g, node, label, val); */
    /*@ assert added: added{Pre,Here}(g, node, label, val); */
    return true;
}
