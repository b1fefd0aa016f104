/* One input more: graph_add.h has the contract. */
#include "graph/graph_add.h"
#include "graph/graph_append.h"
#include "graph/graph_put_type.h"

#ifdef __FRAMAC__
#include "graph/kept.acsl"
#endif

/* Where there is room. */
/*@ requires ready:    ready_graph(g);
    requires room:     g->input.n < g->input.cap;
    requires id:       0 <= id < g->node.n && g->node.a[id].kind == NODE_INPUT;
    terminates \true;
    exits    never:    \false;
    assigns  g->input.n, g->input.a[g->input.n];
    ensures  ready:    ready_graph(g);
    ensures  old:      kept{Pre,Post}(g);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  nodes:    same_nodes_count{Pre,Post}(g) && g->output.n == \old(g->output.n) && g->tensor.n == \old(g->tensor.n);
    ensures  more:     g->input.n == \old(g->input.n) + 1;
    ensures  input:    g->input.a[g->input.n - 1] == id;
*/
static void put_input(struct graph *g, int id)
{
    g->input.a[g->input.n] = id;
    g->input.n++;
    /*@ assert view: put_of(g) == \at(put_of(g), Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) + 1 && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert nodes: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i] == \at(g->node.a[i], Pre); */
    /*@ assert kinds: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert datas: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].data == \at(g->node.a[i].data, Pre); */
    /*@ assert moved: moved_nodes{Pre,Here}(g->node.a, g->node.a, g->node.n); */
    /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert labels: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].label == \at(g->attr.a[k].label, Pre); */
    /*@ assert values: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].value == \at(g->attr.a[k].value, Pre); */
    /*@ assert attrs: moved_attrs{Pre,Here}(g->attr.a, g->attr.a, g->attr.n); */ /*@ assert graph: kept_graph{Pre,Here}(g); */
    /*@ assert input: \forall integer k; 0 <= k < g->input.n - 1 ==> g->input.a[k] == \at(g->input.a[k], Pre); */
    /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert outputs: kept_outputs{Pre,Here}(g); */
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
    /*@ assert last: g->input.a[g->input.n - 1] == id; */
    /*@ assert in_ids: \forall integer k; 0 <= k < g->input.n - 1 ==> 0 <= g->input.a[k] < g->node.n; */
    /*@ assert in_kind: \forall integer k; 0 <= k < g->input.n - 1 ==> \at(g->node.a[g->input.a[k]].kind, Pre) == NODE_INPUT; */
    /*@ assert in_is: \forall integer k; 0 <= k < g->input.n - 1 ==> g->node.a[g->input.a[k]].kind == NODE_INPUT; */
    /*@ assert in_all: \forall integer k; 0 <= k < g->input.n ==> k < g->input.n - 1 || k == g->input.n - 1; */
    /*@ assert are_in: inputs_are(g); */ /*@ assert are_out: outputs_are(g); */
    /*@ assert d_was: \forall integer i; 0 <= i < g->node.n ==> \at(g->node.a[i].kind, Pre) == NODE_CONST ==> 0 <= \at(g->node.a[i].data, Pre) < \at(g->tensor.n, Pre); */
    /*@ assert data: data_are(g, g->node.n); */
}

/* A node without a type, as an input has it. */
/*@ requires ready:    ready_graph(g);
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *q | int *q; \true }, { *a | struct node_attr *a; \true };
    ensures  ready:    ready_graph(g);
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  code:     \result == -1 || \result == \old(g->node.n);
    ensures  none:     \result < 0 ==> same_count{Pre,Post}(g);
    ensures  next:     \result >= 0 ==> one_more{Pre,Post}(g, 0, 0);
    ensures  ok:       \result >= 0 ==> node_ok(put_of(g), \result);
    ensures  leaf:     \result >= 0 ==> is_leaf(g->node.a + \result, NODE_INPUT, name, g->node.a[\result].dtype) &&
                       g->node.a[\result].data == -1;
*/
static int bare_input(struct graph *g, int name)
{
    int id = graph_append(g, NODE_INPUT, 0, name, NULL, 0, NULL, 0, 0);

    /*@ assert kind: id >= 0 ==> g->node.a[id].kind == NODE_INPUT; */
    /*@ assert none: id < 0 ==> g->node.n == \at(g->node.n, Pre); */
    /*@ assert more: id >= 0 ==> g->node.n == \at(g->node.n, Pre) + 1 && id == \at(g->node.n, Pre); */
    /*@ assert old:  data_are(g, \at(g->node.n, Pre)); */
    /*@ assert each: \forall integer i; 0 <= i < g->node.n ==> i < \at(g->node.n, Pre) || (i == id && g->node.a[i].kind == NODE_INPUT); */
    /*@ assert data: data_are(g, g->node.n); */
    return id;
}

/* Room for it in the list of inputs comes first: a node that is there is an input. */
/*@ requires ready:    ready_graph(g);
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *q | int *q; \true }, { *a | struct node_attr *a; \true };
    ensures  ready:    ready_graph(g);
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g);
    ensures  nodes:    moved_nodes{Pre,Post}(\old(g->node.a), g->node.a, \old(g->node.n));
    ensures  numbers:  moved_numbers{Pre,Post}(\old(g->in.a), g->in.a, \old(g->in.n));
    ensures  attrs:    moved_attrs{Pre,Post}(\old(g->attr.a), g->attr.a, \old(g->attr.n));
    ensures  mem:      g->mem == \old(g->mem);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  code:     \result == -1 || \result == \old(g->node.n);
    ensures  none:     \result < 0 ==> same_count{Pre,Post}(g);
    ensures  next:     \result >= 0 ==> one_more{Pre,Post}(g, 0, 0);
    ensures  ok:       \result >= 0 ==> node_ok(put_of(g), \result);
    ensures  leaf:     \result >= 0 ==> is_leaf(g->node.a + \result, NODE_INPUT, name, g->node.a[\result].dtype) &&
                       g->node.a[\result].data == -1;
    ensures  room:     \result >= 0 ==> g->input.n < g->input.cap;
*/
static int room_input(struct graph *g, int name)
{
    bool room = graph_input_room(g);
    int id;

    /*@ assert ready: ready_graph(g); */ /*@ assert wf: wf_graph{Pre}(\at(put_of(g), Pre)) ==> wf_graph(put_of(g)); */
    if (!room)
        return -1;
    id = bare_input(g, name);
    return id;
}

/* The last node gets its type, and is an input of the graph. */
/*@ requires ready:    ready_graph(g);
    requires room:     g->input.n < g->input.cap;
    requires last:     0 <= id && id == g->node.n - 1;
    requires leaf:     is_leaf(g->node.a + id, NODE_INPUT, name, g->node.a[id].dtype) && g->node.a[id].data == -1;
    terminates \true;
    exits    never:    \false;
    assigns  g->node.a[id], g->input.n, g->input.a[g->input.n];
    ensures  ready:    ready_graph(g);
    ensures  nodes:    moved_nodes{Pre,Post}(g->node.a, g->node.a, id) && moved_numbers{Pre,Post}(g->in.a, g->in.a, g->in.n);
    ensures  attrs:    moved_attrs{Pre,Post}(g->attr.a, g->attr.a, g->attr.n);
    ensures  kept:     kept_inputs{Pre,Post}(g) && kept_outputs{Pre,Post}(g) && kept_tensors{Pre,Post}(g);
    ensures  rest:     kept_rest{Pre,Post}(g) && kept_strings{Pre,Post}(g);
    ensures  arrays:   g->node.a == \old(g->node.a) && g->in.a == \old(g->in.a) && g->attr.a == \old(g->attr.a);
    ensures  counts:   same_nodes_count{Pre,Post}(g) && g->output.n == \old(g->output.n) && g->tensor.n == \old(g->tensor.n);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  ok:       \old(node_ok(put_of(g), id)) ==> node_ok(put_of(g), id);
    ensures  node:     is_leaf(g->node.a + id, NODE_INPUT, name, dtype) && g->node.a[id].data == -1;
    ensures  rank:     g->node.a[id].shape.rank == s.rank;
    ensures  dims:     \forall integer d; 0 <= d < RANK_MAX ==> g->node.a[id].shape.dim[d] == s.dim[d];
    ensures  more:     g->input.n == \old(g->input.n) + 1;
    ensures  input:    g->input.a[g->input.n - 1] == id;
*/
static void put_both(struct graph *g, int id, int dtype, struct shape s) /*@ ghost (int name) */
{
    graph_put_type(g, id, dtype, s, -1);
    /*@ ghost Typed: ; */
    /*@ assert same_a: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert same_n: g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre) && g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert node: g->node.a[id].kind == \at(g->node.a[id].kind, Pre) && g->node.a[id].nin == \at(g->node.a[id].nin, Pre) &&
                     g->node.a[id].nattr == \at(g->node.a[id].nattr, Pre) && g->node.a[id].in == \at(g->node.a[id].in, Pre) &&
                     g->node.a[id].attr == \at(g->node.a[id].attr, Pre); */
    /*@ assert kind: g->node.a[id].kind == NODE_INPUT && g->node.a[id].nin == 0 && g->node.a[id].nattr == 0; */
    /*@ assert leaf: is_leaf(g->node.a + id, NODE_INPUT, name, dtype) && g->node.a[id].data == -1; */
    /*@ assert ok:   \at(node_ok(put_of(g), id), Pre) ==> node_ok(put_of(g), id); */
    /*@ assert wf:   \at(wf_graph(put_of(g)), Pre) ==> wf_graph(put_of(g)); */
    put_input(g, id);
    /*@ assert moved: moved_node{Typed,Here}(\at(g->node.a, Typed) + id, g->node.a + id); */
    /*@ assert ptrs: g->node.a == \at(g->node.a, Typed) && g->in.a == \at(g->in.a, Typed) && g->attr.a == \at(g->attr.a, Typed); */
    /*@ assert nodes: moved_nodes{Pre,Here}(g->node.a, g->node.a, id); */
    /*@ assert same: same_shape{Typed,Here}(&g->node.a[id].shape, &g->node.a[id].shape); */
}

int graph_input(struct graph *g, int name, int dtype, const struct shape *shape)
{
    struct shape s = *shape;
    int id = room_input(g, name);

    if (id < 0)
        return -1;
    /*@ ghost Put: ; */
    /*@ assert last:  0 <= id && id == g->node.n - 1 && id == \at(g->node.n, Pre); */
    /*@ assert has:   g->in.n == \at(g->in.n, Pre) && g->attr.n == \at(g->attr.n, Pre); */
    put_both(g, id, dtype, s) /*@ ghost (name) */;
    /*@ assert same_a: g->node.a == \at(g->node.a, Put) && g->in.a == \at(g->in.a, Put) && g->attr.a == \at(g->attr.a, Put); */
    /*@ assert count: g->node.n == id + 1 && g->in.n == \at(g->in.n, Pre) && g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert rank:  g->node.a[id].shape.rank == \at(shape->rank, Pre); */
    /*@ assert dims:  \forall integer d; 0 <= d < RANK_MAX ==> g->node.a[id].shape.dim[d] == \at(shape->dim[d], Pre); */
    /*@ assert shape: same_shape{Pre,Here}(shape, &g->node.a[id].shape); */
    /*@ assert nodes: moved_nodes{Pre,Here}(\at(g->node.a, Pre), g->node.a, \at(g->node.n, Pre)); */
    /*@ assert ins:   moved_numbers{Pre,Here}(\at(g->in.a, Pre), g->in.a, \at(g->in.n, Pre)); */
    /*@ assert attrs: moved_attrs{Pre,Here}(\at(g->attr.a, Pre), g->attr.a, \at(g->attr.n, Pre)); */
    /*@ assert view: put_of(g).node == g->node.a && put_of(g).in == g->in.a && put_of(g).attr == g->attr.a && put_of(g).n == id + 1; */
    /*@ assert was: put_of{Pre}(\at(g, Pre)).n == id && put_of{Pre}(\at(g, Pre)).nin == g->in.n && put_of{Pre}(\at(g, Pre)).nattr == g->attr.n; */
    /*@ assert graph: kept_graph{Pre,Here}(g); */
    /*@ assert lists: kept_inputs{Pre,Here}(g) && kept_outputs{Pre,Here}(g) && kept_tensors{Pre,Here}(g); */
    /*@ assert rest:  kept_rest{Pre,Here}(g) && kept_strings{Pre,Here}(g); */
    return id;
}
