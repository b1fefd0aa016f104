/* Building a graph: nodes, inputs, outputs, constants, tuples and projections. Invariant: inputs are smaller ids; room is made before
   anything is taken in, so that a failure changes nothing. */
#include "graph/build.h"

#include "graph/graph.h"
#include "graph/graph_accessors.h"

/*@ requires valid:    \valid(g);
    terminates \true;
    exits    never:    \false;
    assigns  *g;
    ensures  shared:   g->mem == mem && g->strs == strs && g->values == values;
    ensures  names:    g->name == -1 && g->rules == -1 && g->class == -1 && g->opset == 17;
    ensures  nodes:    g->node.a == \null && g->node.n == 0 && g->node.cap == 0;
    ensures  inputs:   g->in.a == \null && g->in.n == 0 && g->in.cap == 0;
    ensures  attrs:    g->attr.a == \null && g->attr.n == 0 && g->attr.cap == 0;
    ensures  data:     g->tensor.a == \null && g->tensor.n == 0 && g->tensor.cap == 0 && g->raw.a == \null && g->raw.n == 0 &&
                       g->raw.cap == 0;
    ensures  ends:     g->input.a == \null && g->input.n == 0 && g->input.cap == 0 && g->output.a == \null &&
                       g->output.n == 0 && g->output.cap == 0;
    ensures  model:    g->model.a == \null && g->model.n == 0;
*/
void graph_init(struct graph *g, struct mem *mem, struct strs *strs, struct values *values)
{
    g->mem = mem;
    g->strs = strs;
    g->values = values;
    g->name = g->rules = g->class = -1;
    g->opset = 17;
    g->node.a = NULL;
    g->node.n = g->node.cap = 0;
    g->in.a = NULL;
    g->in.n = g->in.cap = 0;
    g->attr.a = NULL;
    g->attr.n = g->attr.cap = 0;
    g->tensor.a = NULL;
    g->tensor.n = g->tensor.cap = 0;
    g->raw.a = NULL;
    g->raw.n = g->raw.cap = 0;
    g->input.a = NULL;
    g->input.n = g->input.cap = 0;
    g->output.a = NULL;
    g->output.n = g->output.cap = 0;
    g->model.a = NULL;
    g->model.n = 0;
}

/* The first fields of node g.n. */
/*@ requires valid:    valid_graph(g);
    requires room:     g.n < g.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n].kind, g.node[g.n].op, g.node[g.n].name, g.node[g.n].label, g.node[g.n].index;
    ensures  set:      g.node[g.n].kind == kind && g.node[g.n].op == op && g.node[g.n].name == name &&
                       g.node[g.n].label == -1 && g.node[g.n].index == index;
*/
static void set_root(struct graph_put g, int kind, int op, int name, int index)
{
    g.node[g.n].kind = kind;
    g.node[g.n].op = op;
    g.node[g.n].name = name;
    g.node[g.n].label = -1;
    g.node[g.n].index = index;
}

/* Its ranges. */
/*@ requires valid:    valid_graph(g);
    requires room:     g.n < g.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n].in, g.node[g.n].nin, g.node[g.n].attr, g.node[g.n].nattr;
    ensures  set:      g.node[g.n].in == g.nin && g.node[g.n].nin == nin && g.node[g.n].attr == g.nattr &&
                       g.node[g.n].nattr == nattr;
*/
static void set_ranges(struct graph_put g, int nin, int nattr)
{
    g.node[g.n].in = g.nin;
    g.node[g.n].nin = nin;
    g.node[g.n].attr = g.nattr;
    g.node[g.n].nattr = nattr;
}

/* What it has not yet: type, shape, data, origin. */
/*@ requires valid:    valid_graph(g);
    requires room:     g.n < g.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n].dtype, g.node[g.n].shape.rank, g.node[g.n].data, g.node[g.n].origin;
    ensures  set:      g.node[g.n].dtype == 0 && g.node[g.n].shape.rank == -1 && g.node[g.n].data == -1 &&
                       g.node[g.n].origin == -1;
*/
static void set_none(struct graph_put g)
{
    g.node[g.n].dtype = 0;
    g.node[g.n].shape.rank = -1;
    g.node[g.n].data = -1;
    g.node[g.n].origin = -1;
}

/* Node g.n becomes one without type and shape. */
/*@ requires valid:    valid_graph(g);
    requires room:     g.n < g.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n];
    ensures  fresh:    is_fresh(g, g.n, kind, name, g.nin, g.nattr);
    ensures  sized:    is_sized(g, g.n, op, nin, nattr, index);
*/
static void set_all(struct graph_put g, int kind, int op, int name, int nin, int nattr, int index)
{
    set_root(g, kind, op, name, index);
    set_ranges(g, nin, nattr);
    set_none(g);
}

/* The same: nothing else has changed. */
/*@ requires valid:    valid_graph(g);
    requires room:     g.n < g.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n];
    ensures  fresh:    is_fresh(g, g.n, kind, name, g.nin, g.nattr);
    ensures  sized:    is_sized(g, g.n, op, nin, nattr, index);
    ensures  inputs:   same_inputs{Pre,Post}(g);
    ensures  nodes:    same_nodes{Pre,Post}(g);
*/
static void fresh(struct graph_put g, int kind, int op, int name, int nin, int nattr, int index)
{
    set_all(g, kind, op, name, nin, nattr, index);
}

/* in[first + k] = from[k]. */
/*@ requires valid:    0 <= first && 0 <= n && first + n <= INT32_MAX && \valid(in + (first .. first + n - 1)) &&
                       \valid_read(from + (0 .. n - 1));
    requires apart:    \separated(from + (0 .. n - 1), in + (first .. first + n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  in[first .. first + n - 1];
    ensures  copied:   \forall integer k; first <= k < first + n ==> in[k] == \old(from[k - first]);
*/
static void put_inputs(int *in, int first, const int *from, int n)
{
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant copied: \forall integer j; first <= j < first + k ==> in[j] == \at(from[j - first], Pre);
        loop invariant from:   \forall integer j; 0 <= j < n ==> from[j] == \at(from[j], Pre);
        loop assigns k, in[first .. first + n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        in[first + k] = from[k];
}

/* attr[first + k] = from[k]. */
/*@ requires valid:    0 <= first && 0 <= n && first + n <= INT32_MAX && \valid(attr + (first .. first + n - 1)) &&
                       \valid_read(from + (0 .. n - 1));
    requires apart:    \separated(from + (0 .. n - 1), attr + (first .. first + n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  attr[first .. first + n - 1];
    ensures  copied:   \forall integer k; 0 <= k < n ==>
                       attr[first + k].label == \old(from[k].label) && attr[first + k].value == \old(from[k].value);
*/
static void put_attrs(struct node_attr *attr, int first, const struct node_attr *from, int n)
{
    /*@ loop invariant range:  0 <= k <= n;
        loop invariant copied: \forall integer j; 0 <= j < k ==> attr[first + j].label == \at(from[j].label, Pre) &&
                               attr[first + j].value == \at(from[j].value, Pre);
        loop invariant from:   \forall integer j; 0 <= j < n ==> from[j].label == \at(from[j].label, Pre) &&
                               from[j].value == \at(from[j].value, Pre);
        loop assigns k, attr[first .. first + n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        attr[first + k].label = from[k].label;
        attr[first + k].value = from[k].value;
    }
}

struct graph_put graph_put_node(struct graph_put g, int kind, int op, int name, const int *in, int nin,
                                const struct node_attr *attr, int nattr, int index)
{
    struct graph_put h = g;

    put_inputs(g.in, g.nin, in, nin);
    /*@ assert from:   \forall integer k; 0 <= k < nattr ==> attr[k].label == \at(attr[k].label, Pre) &&
                       attr[k].value == \at(attr[k].value, Pre); */
    /*@ assert old_in: same_inputs{Pre,Here}(g); */
    /*@ assert nodes:  same_nodes{Pre,Here}(g); */
    /*@ assert first:  same_graph{Pre,Here}(g); */
    put_attrs(g.attr, g.nattr, attr, nattr);
    /*@ assert inputs: \forall integer k; g.nin <= k < g.nin + nin ==> g.in[k] == \at(in[k - g.nin], Pre); */
    /*@ assert later:  same_inputs{Pre,Here}(g); */
    /*@ assert before: same_graph{Pre,Here}(g); */
    /*@ ghost Filled: ; */
    fresh(g, kind, op, name, nin, nattr, index);
    h.n++;
    h.nin += nin;
    h.nattr += nattr;
    /*@ assert step: same_graph{Filled,Here}(g); */
    /*@ assert same: same_graph{Pre,Here}(g); */
    /*@ assert old:  wf_graph{Pre}(g) ==> wf_graph(g); */
    /*@ assert in:   ranges_ok{Pre}(g) ==> ranges_ok(g); */
    /*@ assert kept: \forall integer k; g.nin <= k < g.nin + nin ==> g.in[k] == \at(g.in[k], Filled); */
    /*@ assert ins:  \forall integer k; g.nin <= k < g.nin + nin ==> g.in[k] == \at(in[k - g.nin], Pre) && -1 <= g.in[k] < g.n; */
    /*@ assert atts: \forall integer k; g.nattr <= k < g.nattr + nattr ==>
                     g.attr[k].label == \at(g.attr[k].label, Filled) && g.attr[k].value == \at(g.attr[k].value, Filled); */
    /*@ assert all:  inputs_ok(h, g.n); */
    /*@ assert new:  node_more(g, h) && node_ok(h, g.n); */
    return h;
}

/* build.h has the contract. */
/* Node v.n has no dimensions. */
/*@ requires valid:    valid_graph(v) && v.n < v.cap;
    terminates \true;
    exits    never:    \false;
    assigns  v.node[v.n].shape.dim[0 .. RANK_MAX - 1];
    ensures  none:     \forall integer d; 0 <= d < RANK_MAX ==> v.node[v.n].shape.dim[d] == 0;
*/
static void clear(struct graph_put v)
{
    /*@ loop invariant range: 0 <= d <= RANK_MAX;
        loop invariant none:  \forall integer e; 0 <= e < d ==> v.node[v.n].shape.dim[e] == 0;
        loop assigns d, v.node[v.n].shape.dim[0 .. RANK_MAX - 1];
        loop variant RANK_MAX - d;
    */
    for (int d = 0; d < RANK_MAX; d++)
        v.node[v.n].shape.dim[d] = 0;
}

void graph_put_bare(struct graph_put v, int kind, int op, int name, const int *in, int nin, const struct node_attr *attr,
                    int nattr, int index)
{
    /*@ assert far_op: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].op, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].op, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_name: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].name, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].name, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_label: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].label, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].label, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_index: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].index, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].index, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_dtype: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].dtype, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].dtype, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_data: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].data, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].data, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_origin: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].origin, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].origin, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_rank: \forall integer i; 0 <= i < v.n ==> \separated(&v.node[i].shape.rank, v.in + (v.nin .. v.capin - 1)) &&
                     \separated(&v.node[i].shape.rank, v.attr + (v.nattr .. v.capattr - 1)); */
    /*@ assert far_attrs: \forall integer k; 0 <= k < v.nattr ==> \separated(v.attr + k, v.node + v.n) &&
                     \separated(v.attr + k, v.in + (v.nin .. v.capin - 1)) && \separated(v.attr + k, v.attr + (v.nattr .. v.capattr - 1)); */
    graph_put_node(v, kind, op, name, in, nin, attr, nattr, index);
    /*@ ghost Put: ; */
    /*@ assert n_op: \forall integer i; 0 <= i < v.n ==> v.node[i].op == \at(v.node[i].op, Pre); */
    /*@ assert n_name: \forall integer i; 0 <= i < v.n ==> v.node[i].name == \at(v.node[i].name, Pre); */
    /*@ assert n_label: \forall integer i; 0 <= i < v.n ==> v.node[i].label == \at(v.node[i].label, Pre); */
    /*@ assert n_index: \forall integer i; 0 <= i < v.n ==> v.node[i].index == \at(v.node[i].index, Pre); */
    /*@ assert n_dtype: \forall integer i; 0 <= i < v.n ==> v.node[i].dtype == \at(v.node[i].dtype, Pre); */
    /*@ assert n_data: \forall integer i; 0 <= i < v.n ==> v.node[i].data == \at(v.node[i].data, Pre); */
    /*@ assert n_origin: \forall integer i; 0 <= i < v.n ==> v.node[i].origin == \at(v.node[i].origin, Pre); */
    /*@ assert n_rank: \forall integer i; 0 <= i < v.n ==> v.node[i].shape.rank == \at(v.node[i].shape.rank, Pre); */
    /*@ assert n_dim: \forall integer i, d; 0 <= i < v.n ==> 0 <= d < RANK_MAX ==>
                     v.node[i].shape.dim[d] == \at(v.node[i].shape.dim[d], Pre); */
    /*@ assert labels: \forall integer k; 0 <= k < v.nattr ==> v.attr[k].label == \at(v.attr[k].label, Pre); */
    /*@ assert values: \forall integer k; 0 <= k < v.nattr ==> v.attr[k].value == \at(v.attr[k].value, Pre); */
    clear(v);
    /*@ assert same: same_graph{Put,Here}(GROWN(v, nin, nattr)); */ /*@ assert graph: same_graph{Pre,Here}(v); */
    /*@ assert roots: same_roots{Pre,Here}(v); */ /*@ assert shapes: same_shapes{Pre,Here}(v); */
}

/* build.h has the contract. */
#ifdef __FRAMAC__
#include "graph/change.acsl"
#include "graph/build.acsl"
#endif

/* What is at p is no part of node id. */
#define FAR_NODE(p) \separated(p, g->node.a + id)

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
    /*@ assert far_0: FAR_NODE(&g->node.n); */ /*@ assert far_1: FAR_NODE(&g->node.cap); */ /*@ assert far_2: FAR_NODE(&g->in.n); */
    /*@ assert far_3: FAR_NODE(&g->in.cap); */ /*@ assert far_4: FAR_NODE(&g->attr.n); */ /*@ assert far_5: FAR_NODE(&g->attr.cap); */
    /*@ assert far_6: FAR_NODE(&g->input.n); */ /*@ assert far_7: FAR_NODE(&g->input.cap); */ /*@ assert far_8: FAR_NODE(&g->output.n); */
    /*@ assert far_9: FAR_NODE(&g->output.cap); */ /*@ assert far_10: FAR_NODE(&g->tensor.n); */ /*@ assert far_11: FAR_NODE(&g->tensor.cap); */
    /*@ assert far_12: FAR_NODE(&g->name); */ /*@ assert far_13: FAR_NODE(&g->rules); */ /*@ assert far_14: FAR_NODE(&g->class); */
    /*@ assert far_15: FAR_NODE(&g->opset); */ /*@ assert far_16: FAR_NODE(&g->raw.n); */ /*@ assert far_17: FAR_NODE(&g->model.n); */
    /*@ assert far_18: FAR_NODE(&g->strs->entry.n); */ /*@ assert far_19: FAR_NODE(&g->strs->entry.cap); */ /*@ assert far_20: FAR_NODE(&g->strs->text.n); */
    /*@ assert far_21: FAR_NODE(&g->strs->text.cap); */ /*@ assert far_22: FAR_NODE(&g->strs->buckets); */
    /*@ assert far_in: \forall integer k; 0 <= k < g->in.n ==> FAR_NODE(&g->in.a[k]); */
    /*@ assert far_label: \forall integer k; 0 <= k < g->attr.n ==> FAR_NODE(&g->attr.a[k].label); */
    /*@ assert far_value: \forall integer k; 0 <= k < g->attr.n ==> FAR_NODE(&g->attr.a[k].value); */
    /*@ assert far_input: \forall integer k; 0 <= k < g->input.n ==> FAR_NODE(&g->input.a[k]); */
    /*@ assert far_o_node: \forall integer k; 0 <= k < g->output.n ==> FAR_NODE(&g->output.a[k].node); */
    /*@ assert far_o_name: \forall integer k; 0 <= k < g->output.n ==> FAR_NODE(&g->output.a[k].name); */
    /*@ assert far_t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> FAR_NODE(&g->tensor.a[k].dtype); */
    /*@ assert far_t_rank: \forall integer k; 0 <= k < g->tensor.n ==> FAR_NODE(&g->tensor.a[k].shape.rank); */
    /*@ assert far_len: \forall integer k; 0 <= k < g->strs->entry.n ==> FAR_NODE(&g->strs->entry.a[k].len); */
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

/* build.h has the contract. */
int graph_count(struct graph *g, int nin, int nattr)
{
    g->node.n++;
    g->in.n += nin;
    g->attr.n += nattr;
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert caps_n: g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert ptrs: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert view: put_of(g) == \at(GROWN(put_of(g), nin, nattr), Pre); */
    /*@ assert n_kind: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].kind == \at(g->node.a[i].kind, Pre); */
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
    /*@ assert s_nodes: same_nodes{Pre,Here}(put_of(g)); */ /*@ assert s_ins: same_inputs{Pre,Here}(put_of(g)); */
    /*@ assert same: same_graph{Pre,Here}(put_of(g)); */ /*@ assert ranges: ranges_ok(put_of(g)); */
    /*@ assert labels: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].label == \at(g->attr.a[k].label, Pre); */
    /*@ assert values: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].value == \at(g->attr.a[k].value, Pre); */
    /*@ assert attrs: moved_attrs{Pre,Here}(g->attr.a, g->attr.a, g->attr.n); */ /*@ assert graph: kept_graph{Pre,Here}(g); */
    /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */ /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
    /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert t_shape: \forall integer k; 0 <= k < g->tensor.n ==> same_shape{Pre,Here}(&g->tensor.a[k].shape, &g->tensor.a[k].shape); */
    /*@ assert tensors: kept_tensors{Pre,Here}(g); */ /*@ assert r_name: g->name == \at(g->name, Pre); */ /*@ assert r_rules: g->rules == \at(g->rules, Pre); */
    /*@ assert r_class: g->class == \at(g->class, Pre); */ /*@ assert r_opset: g->opset == \at(g->opset, Pre); */
    /*@ assert r_raw: g->raw.n == \at(g->raw.n, Pre); */ /*@ assert r_model: g->model.n == \at(g->model.n, Pre); */ /*@ assert rest: kept_rest{Pre,Here}(g); */
    /*@ assert table: table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert starts: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start == \at(g->strs->entry.a[id].start, Pre); */
    /*@ assert length: \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].len == \at(g->strs->entry.a[id].len, Pre); */
    /*@ assert lens: same_lens{Pre,Here}(table_of(g->strs)); */ /*@ assert chars: same_chars{Pre,Here}(table_of(g->strs)); */
    /*@ assert ends_to: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok{Pre}(table_of(g->strs), id) ==> text_ok(table_of(g->strs), id); */
    /*@ assert ends_of: \forall integer id; 0 <= id < g->strs->entry.n ==> text_ok(table_of(g->strs), id) ==> text_ok{Pre}(table_of(g->strs), id); */
    /*@ assert ends: same_ends{Pre,Here}(table_of(g->strs)); */ /*@ assert strings: kept_strings{Pre,Here}(g); */ /*@ assert valid: valid_graph(put_of(g)); */
    /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */ /*@ assert v_lists: valid_lists(g); */
    /*@ assert apart: apart_graph(g); */ /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */ /*@ assert texts: texts_ok(table_of(g->strs)); */
    /*@ assert s_strs: g->strs == \at(g->strs, Pre) && g->strs->entry.a == \at(g->strs->entry.a, Pre) && g->strs->entry.n == \at(g->strs->entry.n, Pre); */
    /*@ assert away: apart_labels(g); */ /*@ assert held: held_graph(g); */
    /*@ assert in_ids: \forall integer k; 0 <= k < g->input.n ==> 0 <= g->input.a[k] < \at(g->node.n, Pre); */
    /*@ assert in_kind: \forall integer k; 0 <= k < g->input.n ==> \at(g->node.a[g->input.a[k]].kind, Pre) == NODE_INPUT; */ /*@ assert are_in: inputs_are(g); */
    /*@ assert are_out: outputs_are(g); */ /*@ assert data: data_are(g, g->node.n - 1); */
    return g->node.n - 1;
}

/* Where there is room for it: a node more. build.h has the contract. */
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

/* build.h has the contract. */
int graph_append(struct graph *g, int kind, int op, int name, const int *in, int nin, const struct node_attr *attr,
                 int nattr, int index)
{
    struct graph_given r = graph_room(g, in, nin, attr, nattr);
    int id;

    /*@ assert n:      g->node.n == \at(g->node.n, Pre); */
    /*@ assert nin:    g->in.n == \at(g->in.n, Pre); */
    /*@ assert nattr:  g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert ranges: ranges_ok(put_of(g)); */
    /*@ assert wf:     wf_graph{Pre}(\at(put_of(g), Pre)) ==> wf_graph(put_of(g)); */
    /*@ assert ready:  ready_but(g, g->node.n); */
    /*@ assert was:    ready_but(g, \at(g->node.n, Pre)); */
    if (!r.ok)
        return -1;
    /*@ assert from: \forall integer k; 0 <= k < nin ==> r.in[k] == \at(in[k], Pre); */
    /*@ assert low:  \forall integer k; 0 <= k < nin ==> -1 <= \at(in[k], Pre); */
    /*@ assert high: \forall integer k; 0 <= k < nin ==> \at(in[k], Pre) < g->node.n; */
    /*@ assert ids:  \forall integer k; 0 <= k < nin ==> -1 <= r.in[k] < g->node.n; */
    /*@ ghost Room: ; */
    /*@ assert same:  moved_numbers{Pre,Here}(in, r.in, nin); */
    /*@ assert alike: moved_attrs{Pre,Here}(attr, r.attr, nattr); */
    id = graph_fill(g, kind, op, name, r.in, nin, r.attr, nattr, index);
    /*@ assert id:     id == \at(g->node.n, Pre); */
    /*@ assert good:   ready_but(g, \at(g->node.n, Pre)); */
    /*@ assert old:    kept{Pre,Here}(g); */
    /*@ assert fresh:  is_fresh(put_of(g), id, kind, name, \at(g->in.n, Pre), \at(g->attr.n, Pre)); */
    /*@ assert sized:  is_sized(put_of(g), id, op, nin, nattr, index); */
    /*@ assert none:   no_dims(g->node.a + id); */
    /*@ assert inputs: has_ids{Room,Here}(g, \at(g->in.n, Pre), r.in, nin); */
    /*@ assert given:  has_ids{Pre,Here}(g, \at(g->in.n, Pre), in, nin); */
    /*@ assert pairs:  has_attrs{Room,Here}(g, \at(g->attr.n, Pre), r.attr, nattr); */
    /*@ assert attrs:  has_attrs{Pre,Here}(g, \at(g->attr.n, Pre), attr, nattr); */
    return id;
}

/* One input more: build.h has the contract. */
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
    /*@ assert r_nodes: moved_nodes{Pre,Here}(\at(g->node.a, Pre), g->node.a, \at(g->node.n, Pre)); */
    /*@ assert r_ins:   moved_numbers{Pre,Here}(\at(g->in.a, Pre), g->in.a, \at(g->in.n, Pre)); */
    /*@ assert r_attrs: moved_attrs{Pre,Here}(\at(g->attr.a, Pre), g->attr.a, \at(g->attr.n, Pre)); */
    /*@ assert counts:  g->node.n == \at(g->node.n, Pre) && g->in.n == \at(g->in.n, Pre) && g->attr.n == \at(g->attr.n, Pre); */
    if (!room)
        return -1;
    /*@ ghost Room: ; */
    id = bare_input(g, name);
    /*@ assert b_nodes: moved_nodes{Room,Here}(\at(g->node.a, Room), g->node.a, \at(g->node.n, Room)); */
    /*@ assert b_ins:   moved_numbers{Room,Here}(\at(g->in.a, Room), g->in.a, \at(g->in.n, Room)); */
    /*@ assert b_attrs: moved_attrs{Room,Here}(\at(g->attr.a, Room), g->attr.a, \at(g->attr.n, Room)); */
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

/* One output more: build.h has the contract. */
/* Where there is room. */
/*@ requires ready:    ready_graph(g);
    requires room:     g->output.n < g->output.cap;
    requires node:     0 <= node < g->node.n;
    terminates \true;
    exits    never:    \false;
    assigns  g->output.n, g->output.a[g->output.n];
    ensures  ready:    ready_graph(g);
    ensures  old:      kept{Pre,Post}(g);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  nodes:    same_nodes_count{Pre,Post}(g) && g->input.n == \old(g->input.n) && g->tensor.n == \old(g->tensor.n);
    ensures  more:     g->output.n == \old(g->output.n) + 1;
    ensures  output:   g->output.a[g->output.n - 1].node == node && g->output.a[g->output.n - 1].name == name;
*/
static void put_output(struct graph *g, int node, int name)
{
    g->output.a[g->output.n].node = node;
    g->output.a[g->output.n].name = name;
    g->output.n++;
    /*@ assert view: put_of(g) == \at(put_of(g), Pre); */
    /*@ assert lists: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert lists_n: g->input.n == \at(g->input.n, Pre) && g->output.n == \at(g->output.n, Pre) + 1 && g->tensor.n == \at(g->tensor.n, Pre); */
    /*@ assert caps: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert nodes: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i] == \at(g->node.a[i], Pre); */
    /*@ assert kinds: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].kind == \at(g->node.a[i].kind, Pre); */
    /*@ assert datas: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].data == \at(g->node.a[i].data, Pre); */
    /*@ assert moved: moved_nodes{Pre,Here}(g->node.a, g->node.a, g->node.n); */
    /*@ assert ins: moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert labels: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].label == \at(g->attr.a[k].label, Pre); */
    /*@ assert values: \forall integer k; 0 <= k < g->attr.n ==> g->attr.a[k].value == \at(g->attr.a[k].value, Pre); */
    /*@ assert attrs: moved_attrs{Pre,Here}(g->attr.a, g->attr.a, g->attr.n); */ /*@ assert graph: kept_graph{Pre,Here}(g); */
    /*@ assert input: \forall integer k; 0 <= k < g->input.n ==> g->input.a[k] == \at(g->input.a[k], Pre); */
    /*@ assert inputs: kept_inputs{Pre,Here}(g); */
    /*@ assert o_node: \forall integer k; 0 <= k < g->output.n - 1 ==> g->output.a[k].node == \at(g->output.a[k].node, Pre); */
    /*@ assert o_name: \forall integer k; 0 <= k < g->output.n - 1 ==> g->output.a[k].name == \at(g->output.a[k].name, Pre); */
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
    /*@ assert in_ids: \forall integer k; 0 <= k < g->input.n ==> 0 <= g->input.a[k] < g->node.n; */
    /*@ assert in_kind: \forall integer k; 0 <= k < g->input.n ==> \at(g->node.a[g->input.a[k]].kind, Pre) == NODE_INPUT; */
    /*@ assert are_in: inputs_are(g); */
    /*@ assert last: g->output.a[g->output.n - 1].node == node && g->output.a[g->output.n - 1].name == name; */
    /*@ assert out_was: \forall integer k; 0 <= k < g->output.n - 1 ==> 0 <= g->output.a[k].node < g->node.n; */
    /*@ assert out_all: \forall integer k; 0 <= k < g->output.n ==> k < g->output.n - 1 || k == g->output.n - 1; */
    /*@ assert are_out: outputs_are(g); */ /*@ assert data: data_are(g, g->node.n); */
}

bool graph_output(struct graph *g, int node, int name)
{
    bool room = graph_output_room(g);

    /*@ assert ready: ready_graph(g); */ /*@ assert wf: wf_graph{Pre}(\at(put_of(g), Pre)) ==> wf_graph(put_of(g)); */
    if (!room)
        return false;
    /*@ ghost Room: ; */
    put_output(g, node, name);
    return true;
}

/* Nodes of operators, their attributes in order. build.h has the contract. */
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

/* One result of a node. build.h has the contract. Room is made before its input stands in a local array: where the arrays
   stand does not change from then on, so they are still there when it is gone. */
#ifdef __FRAMAC__
#define PROJ_PUT                                                                                        \
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));                               \
    ensures  next:     one_more{Pre,Post}(g, 1, 0);                                                     \
    ensures  ok:       node_ok(put_of(g), \result);                                                     \
    ensures  node:     is_fresh(put_of(g), \result, NODE_PROJ, name, \old(g->in.n), \old(g->attr.n)) && \
                       is_sized(put_of(g), \result, 0, 1, 0, index) && no_dims(g->node.a + \result);    \
    ensures  input:    g->in.a[\old(g->in.n)] == of;
#define PROJ_GIVEN                          \
    requires ready:    ready_graph(g);      \
    requires room:     has_room(g, 1, 0);   \
    requires of:       0 <= of < g->node.n;
#endif

/* Where there is room. */
/*@ PROJ_GIVEN
    terminates \true;
    exits    never:    \false;
    assigns  g->node.n, g->in.n, g->attr.n, g->node.a[g->node.n], g->in.a[g->in.n .. g->in.cap - 1],
             g->attr.a[g->attr.n .. g->attr.cap - 1];
    ensures  id:       \result == \old(g->node.n);
    ensures  lists:    inputs_are(g) && outputs_are(g) && data_are(g, g->node.n) && ranges_ok(put_of(g));
    ensures  caps:     g->node.cap == \old(g->node.cap) && g->in.cap == \old(g->in.cap) && g->attr.cap == \old(g->attr.cap);
    ensures  arrays:   g->node.a == \old(g->node.a) && g->in.a == \old(g->in.a) && g->attr.a == \old(g->attr.a);
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    PROJ_PUT
*/
static int put_proj(struct graph *g, int of, int index, int name)
{
    const int in[1] = { of };

    /*@ assert own_g:    \separated(g, in + (0 .. 0)); */
    /*@ assert own_node: \separated(g->node.a + (0 .. g->node.cap - 1), in + (0 .. 0)); */
    /*@ assert own_in:   \separated(g->in.a + (g->in.n .. g->in.cap - 1), in + (0 .. 0)); */
    /*@ assert own_attr: \separated(g->attr.a + (g->attr.n .. g->attr.cap - 1), in + (0 .. 0)); */
    /*@ assert ids: given_ids(g, &in[0], 1); */
    /*@ assert attrs: given_attrs(g, \null, 0); */
    /*@ assert far_n: \separated(&g->node.cap, g->node.a + g->node.n) && \separated(&g->node.cap, g->in.a + (g->in.n .. g->in.cap - 1)) &&
                      \separated(&g->node.cap, g->attr.a + (g->attr.n .. g->attr.cap - 1)); */
    /*@ assert far_i: \separated(&g->in.cap, g->node.a + g->node.n) && \separated(&g->in.cap, g->in.a + (g->in.n .. g->in.cap - 1)) &&
                      \separated(&g->in.cap, g->attr.a + (g->attr.n .. g->attr.cap - 1)); */
    /*@ assert far_a: \separated(&g->attr.cap, g->node.a + g->node.n) && \separated(&g->attr.cap, g->in.a + (g->in.n .. g->in.cap - 1)) &&
                      \separated(&g->attr.cap, g->attr.a + (g->attr.n .. g->attr.cap - 1)); */
    int id = graph_fill(g, NODE_PROJ, 0, name, in, 1, NULL, 0, index);
    /*@ assert kind: g->node.a[id].kind == NODE_PROJ; */
    /*@ assert old:  data_are(g, \at(g->node.n, Pre)); */
    /*@ assert each: \forall integer i; 0 <= i < g->node.n ==> i < \at(g->node.n, Pre) || (i == id && g->node.a[i].kind == NODE_PROJ); */
    /*@ assert data: data_are(g, g->node.n); */
    /*@ assert cap_n: g->node.cap == \at(g->node.cap, Pre); */
    /*@ assert cap_i: g->in.cap == \at(g->in.cap, Pre); */
    /*@ assert cap_a: g->attr.cap == \at(g->attr.cap, Pre); */
    return id;
}

/* The graph is again one that can be added to. */
/*@ PROJ_GIVEN
    terminates \true;
    exits    never:    \false;
    assigns  g->node.n, g->in.n, g->attr.n, g->node.a[g->node.n], g->in.a[g->in.n .. g->in.cap - 1],
             g->attr.a[g->attr.n .. g->attr.cap - 1];
    ensures  id:       \result == \old(g->node.n);
    ensures  ready:    ready_graph(g);
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g);
    PROJ_PUT
*/
static int put_ready(struct graph *g, int of, int index, int name)
{
    int id;

    /*@ assert was_held: held_graph(g); */
    /*@ assert was_apart: apart_graph(g); */
    /*@ assert was_away: apart_labels(g); */
    /*@ assert had: apart_arrays(g, g->mem, g->node.a, g->node.cap, g->in.a, g->in.cap, g->attr.a, g->attr.cap,
                    g->input.a, g->input.cap, g->output.a, g->output.cap, g->tensor.a, g->tensor.cap); */
    id = put_proj(g, of, index, name);
    /*@ assert kept: kept_strings{Pre,Here}(g); */
    /*@ assert n_n: 0 <= g->node.n <= g->node.cap; */
    /*@ assert n_i: 0 <= g->in.n <= g->in.cap; */
    /*@ assert n_a: 0 <= g->attr.n <= g->attr.cap; */
    /*@ assert v_node: \valid(g->node.a + (0 .. g->node.cap - 1)); */
    /*@ assert v_in: \valid(g->in.a + (0 .. g->in.cap - 1)); */
    /*@ assert v_attr: \valid(g->attr.a + (0 .. g->attr.cap - 1)); */
    /*@ assert sep: \separated(g->node.a + (0 .. g->node.cap - 1), g->in.a + (0 .. g->in.cap - 1), g->attr.a + (0 .. g->attr.cap - 1)); */
    /*@ assert valid: valid_graph(put_of(g)); */
    /*@ assert caps: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert caps_n: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */
    /*@ assert lists: valid_lists(g); */
    /*@ assert rest: kept_rest{Pre,Here}(g); */
    /*@ assert mem: g->mem == \at(g->mem, Pre); */
    /*@ assert same_n: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert same_c: g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert apart: apart_graph(g); */
    /*@ assert strs_is: g->strs == \at(g->strs, Pre); */
    /*@ assert table: table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert ent_is: g->strs->entry.a == \at(g->strs->entry.a, Pre); */
    /*@ assert ent_n: g->strs->entry.n == \at(g->strs->entry.n, Pre); */
    /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */
    /*@ assert labels: same_labels{Pre,Here}(table_of(g->strs)); */
    /*@ assert texts: texts_ok(table_of(g->strs)); */
    /*@ assert away: apart_labels(g); */
    /*@ assert held: held_graph(g); */
    /*@ assert ready: ready_graph(g); */
    return id;
}

int graph_proj(struct graph *g, int of, int index, int name)
{
    static const int any[1] = { 0 };
    struct graph_given r = graph_room(g, any, 1, NULL, 0);

    /*@ assert count: g->node.n == \at(g->node.n, Pre); */
    /*@ assert ins:   g->in.n == \at(g->in.n, Pre); */
    /*@ assert atts:  g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert good:  ready_graph(g); */
    if (!r.ok)
        return -1;
    return put_ready(g, of, index, name);
}

/* A tuple of nodes. build.h has the contract. */
int graph_tuple(struct graph *g, const int *in, int nin)
{
    int id = graph_append(g, NODE_TUPLE, 0, -1, in, nin, NULL, 0, 0);
    /*@ assert kind: id >= 0 ==> g->node.a[id].kind == NODE_TUPLE; */
    /*@ assert none: id < 0 ==> g->node.n == \at(g->node.n, Pre); */
    /*@ assert more: id >= 0 ==> g->node.n == \at(g->node.n, Pre) + 1 && id == \at(g->node.n, Pre); */
    /*@ assert old:  data_are(g, \at(g->node.n, Pre)); */
    /*@ assert each: \forall integer i; 0 <= i < g->node.n ==> i < \at(g->node.n, Pre) || (i == id && g->node.a[i].kind == NODE_TUPLE); */
    /*@ assert data: data_are(g, g->node.n); */
    return id;
}

/* Constants of a graph. build.h has the contract. Room is made for all first, so that nothing is taken in part. */
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
static void put_both_const(struct graph *g, int id, struct tensor own) /*@ ghost (int name) */
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
static void clear_const(struct tensor *t) /*@ ghost (struct graph *g) */
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
    put_both_const(g, id, own) /*@ ghost (name) */;
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
    /*@ assert own_1: own.dtype == \at(t->dtype, Pre) && own.bytes == \at(t->bytes, Pre) && own.data == \at(t->data, Pre); */
    /*@ assert own_2: own.shape.rank == \at(t->shape.rank, Pre); */
    /*@ assert own_3: \forall integer d; 0 <= d < RANK_MAX ==> own.shape.dim[d] == \at(t->shape.dim[d], Pre); */
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
    clear_const(t) /*@ ghost (g) */;
    /*@ assert same_a: g->node.a == \at(g->node.a, Put) && g->tensor.a == \at(g->tensor.a, Put) && g->node.n == \at(g->node.n, Put); */
    /*@ assert all: kept{Pre,Here}(g); */
    /*@ assert node: moved_node{Put,Here}(\at(g->node.a, Put) + id, g->node.a + id); */
    /*@ assert t_dtype: g->tensor.a[g->tensor.n - 1].dtype == own.dtype; */ /*@ assert t_bytes: g->tensor.a[g->tensor.n - 1].bytes == own.bytes; */
    /*@ assert t_data: g->tensor.a[g->tensor.n - 1].data == own.data; */ /*@ assert t_rank: g->tensor.a[g->tensor.n - 1].shape.rank == own.shape.rank; */
    /*@ assert t_dim: \forall integer d; 0 <= d < RANK_MAX ==> g->tensor.a[g->tensor.n - 1].shape.dim[d] == own.shape.dim[d]; */
    /*@ assert n_rank: g->node.a[id].shape.rank == own.shape.rank; */
    /*@ assert n_dim: \forall integer d; 0 <= d < RANK_MAX ==> g->node.a[id].shape.dim[d] == own.shape.dim[d]; */
    /*@ assert leaf: is_leaf(g->node.a + id, NODE_CONST, name, own.dtype) && g->node.a[id].data == \at(g->tensor.n, Pre); */
    /*@ assert shape: same_shape{Pre,Here}(\at(&t->shape, Pre), &g->node.a[id].shape); */
    /*@ assert taken: moved_tensor{Pre,Here}(t, g->tensor.a + (g->tensor.n - 1)); */
    /*@ assert ok: node_ok(put_of(g), id); */
    return id;
}
