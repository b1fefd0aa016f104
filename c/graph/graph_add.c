#include "graph/graph_add.h"

/* The arrays. */
/*@ requires valid:    \valid_read(g);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == put_of(g);
*/
static struct graph_put view(const struct graph *g)
{
    return (struct graph_put){ .node = g->node.a, .in = g->in.a, .attr = g->attr.a, .n = g->node.n, .cap = g->node.cap,
                               .nin = g->in.n, .capin = g->in.cap, .nattr = g->attr.n, .capattr = g->attr.cap };
}

/* Node g.n has no dimensions. */
/*@ requires valid:    valid_graph(g) && g.n < g.cap;
    terminates \true;
    exits    never:    \false;
    assigns  g.node[g.n].shape.dim[0 .. RANK_MAX - 1];
    ensures  none:     no_dims(g.node + g.n);
*/
static void clear(struct graph_put g)
{
    /*@ loop invariant range: 0 <= d <= RANK_MAX;
        loop invariant none:  \forall integer e; 0 <= e < d ==> g.node[g.n].shape.dim[e] == 0;
        loop assigns d, g.node[g.n].shape.dim[0 .. RANK_MAX - 1];
        loop variant RANK_MAX - d;
    */
    for (int d = 0; d < RANK_MAX; d++)
        g.node[g.n].shape.dim[d] = 0;
}

/* Takes over what was appended: the node that stands behind the others. */
/*@ requires held:     ready_but(g, g->node.n);
    requires room:     has_room(g, nin, nattr) && 0 <= nin && 0 <= nattr;
    requires ranges:   ranges_ok({put_of(g) \with .n = (int)(g->node.n + 1), .nin = (int)(g->in.n + nin),
                       .nattr = (int)(g->attr.n + nattr)});
    terminates \true;
    exits    never:    \false;
    assigns  g->node.n, g->in.n, g->attr.n;
    ensures  id:       \result == \old(g->node.n);
    ensures  view:     put_of(g) == {\old(put_of(g)) \with .n = (int)(\old(g->node.n) + 1),
                       .nin = (int)(\old(g->in.n) + nin), .nattr = (int)(\old(g->attr.n) + nattr)};
    ensures  next:     one_more{Pre,Post}(g, nin, nattr);
    ensures  ready:    ready_but(g, \result);
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
*/
static int count(struct graph *g, int nin, int nattr)
{
    g->node.n++;
    g->in.n += nin;
    g->attr.n += nattr;
    /*@ assert view:  put_of(g) == {\at(put_of(g), Pre) \with .n = g->node.n, .nin = g->in.n, .nattr = g->attr.n}; */
    /*@ assert nodes:   moved_nodes{Pre,Here}(g->node.a, g->node.a, g->node.n - 1); */
    /*@ assert ins:     moved_numbers{Pre,Here}(g->in.a, g->in.a, \at(g->in.n, Pre)); */
    /*@ assert labels:  \forall integer k; 0 <= k < \at(g->attr.n, Pre) ==> \at(g->attr.a, Pre)[k].label == \at(g->attr.a[k].label, Pre); */
    /*@ assert values:  \forall integer k; 0 <= k < \at(g->attr.n, Pre) ==> \at(g->attr.a, Pre)[k].value == \at(g->attr.a[k].value, Pre); */
    /*@ assert attrs:   moved_attrs{Pre,Here}(g->attr.a, g->attr.a, \at(g->attr.n, Pre)); */
    /*@ assert graph:   kept_graph{Pre,Here}(g); */
    /*@ assert inputs:  kept_inputs{Pre,Here}(g); */
    /*@ assert outputs: kept_outputs{Pre,Here}(g); */
    /*@ assert t_dtype: \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].dtype == \at(g->tensor.a[k].dtype, Pre); */
    /*@ assert t_rank:  \forall integer k; 0 <= k < g->tensor.n ==> g->tensor.a[k].shape.rank == \at(g->tensor.a[k].shape.rank, Pre); */
    /*@ assert tensors: kept_tensors{Pre,Here}(g); */
    /*@ assert rest:    kept_rest{Pre,Here}(g); */
    /*@ assert table:   table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert lens:    same_lens{Pre,Here}(table_of(g->strs)); */
    /*@ assert chars:   same_chars{Pre,Here}(table_of(g->strs)); */
    /*@ assert starts:  \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].start == \at(g->strs->entry.a[id].start, Pre); */
    /*@ assert length:  \forall integer id; 0 <= id < g->strs->entry.n ==> g->strs->entry.a[id].len == \at(g->strs->entry.a[id].len, Pre); */
    /*@ assert ends:    same_ends{Pre,Here}(table_of(g->strs)); */
    /*@ assert strings: kept_strings{Pre,Here}(g); */
    /*@ assert valid:   valid_graph(put_of(g)); */
    /*@ assert lists:   valid_lists(g); */
    /*@ assert caps:    g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert lcaps:   g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert apart:   apart_graph(g); */
    /*@ assert strs:    valid_strs(table_of(g->strs)) && \valid_read(g->strs); */
    /*@ assert texts:   texts_ok(table_of(g->strs)); */
    /*@ assert away:    apart_labels(g); */
    /*@ assert held:    held_graph(g); */
    /*@ assert ranges:  ranges_ok(put_of(g)); */
    /*@ assert are_in:  inputs_are(g); */
    /*@ assert are_out: outputs_are(g); */
    /*@ assert data:    data_are(g, g->node.n - 1); */
    return g->node.n - 1;
}

/* Where there is room: the node with these inputs and attributes. */
/*@ requires ready:    ready_but(g, g->node.n);
    requires room:     has_room(g, nin, nattr) && 0 <= nin && 0 <= nattr;
    requires given:    given_ids(g, in, nin) && given_attrs(g, attr, nattr);
    requires inputs:   \forall integer k; 0 <= k < nin ==> -1 <= in[k] < g->node.n;
    requires kind:     kind == NODE_OP || (kind == NODE_PROJ && nin == 1 && nattr == 0) || (kind == NODE_TUPLE && nattr == 0) ||
                       ((kind == NODE_INPUT || kind == NODE_CONST) && nin == 0 && nattr == 0);
    terminates \true;
    exits    never:    \false;
    assigns  g->node.n, g->in.n, g->attr.n, g->node.a[g->node.n], g->in.a[g->in.n .. g->in.cap - 1],
             g->attr.a[g->attr.n .. g->attr.cap - 1];
    ensures  id:       \result == \old(g->node.n);
    ensures  ready:    ready_but(g, \result);
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  next:     one_more{Pre,Post}(g, nin, nattr);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  ok:       node_ok(put_of(g), \result);
    ensures  node:     is_fresh(put_of(g), \result, kind, name, \old(g->in.n), \old(g->attr.n)) &&
                       is_sized(put_of(g), \result, op, nin, nattr, index) && no_dims(g->node.a + \result);
    ensures  inputs:   has_ids{Pre,Post}(g, \old(g->in.n), in, nin);
    ensures  attrs:    has_attrs{Pre,Post}(g, \old(g->attr.n), attr, nattr);
*/
static int fill(struct graph *g, int kind, int op, int name, const int *in, int nin, const struct node_attr *attr,
                int nattr, int index)
{
    int id;

    graph_put_node(view(g), kind, op, name, in, nin, attr, nattr, index);
    /*@ ghost Put: ; */
    clear(view(g));
    /*@ ghost Clear: ; */
    id = count(g, nin, nattr);
    return id;
}

/* The node with these inputs and attributes, which may be the graph's own; -1 when memory is out. */
/*@ requires ready:    ready_graph(g);
    requires counts:   0 <= nin && 0 <= nattr;
    requires given:    given_ids(g, in, nin) && given_attrs(g, attr, nattr);
    requires inputs:   \forall integer k; 0 <= k < nin ==> -1 <= in[k] < g->node.n;
    requires kind:     kind == NODE_OP || (kind == NODE_PROJ && nin == 1 && nattr == 0) || (kind == NODE_TUPLE && nattr == 0) ||
                       ((kind == NODE_INPUT || kind == NODE_CONST) && nin == 0 && nattr == 0);
    terminates \true;
    exits    never:    \false;
    assigns  *g, *g->mem, { *p | struct node *p; \true }, { *q | int *q; \true }, { *a | struct node_attr *a; \true };
    ensures  ready:    ready_but(g, \old(g->node.n));
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ADD_RESULT(nin, nattr)
    ensures  node:     \result >= 0 ==> is_fresh(put_of(g), \result, kind, name, \old(g->in.n), \old(g->attr.n)) &&
                       is_sized(put_of(g), \result, op, nin, nattr, index) && no_dims(g->node.a + \result);
    ensures  inputs:   \result >= 0 ==> has_ids{Pre,Post}(g, \old(g->in.n), in, nin);
    ensures  attrs:    \result >= 0 ==> has_attrs{Pre,Post}(g, \old(g->attr.n), attr, nattr);
*/
static int add(struct graph *g, int kind, int op, int name, const int *in, int nin, const struct node_attr *attr,
               int nattr, int index)
{
    struct graph_given r = graph_room(g, in, nin, attr, nattr);

    /*@ assert ranges: ranges_ok(put_of(g)); */
    /*@ assert wf:     wf_graph{Pre}(\at(put_of(g), Pre)) ==> wf_graph(put_of(g)); */
    /*@ assert ready:  ready_but(g, g->node.n); */
    if (!r.ok)
        return -1;
    return fill(g, kind, op, name, r.in, nin, r.attr, nattr, index);
}

int graph_proj(struct graph *g, int of, int index, int name)
{
    const int in[1] = { of };

    return add(g, NODE_PROJ, 0, name, in, 1, NULL, 0, index);
}

int graph_tuple(struct graph *g, const int *in, int nin)
{
    return add(g, NODE_TUPLE, 0, -1, in, nin, NULL, 0, 0);
}

/* The last nattr attributes, sorted. */
/*@ requires ready:    ready_graph(g);
    requires range:    0 <= first && first + n == g->attr.n && 0 <= n;
    terminates \true;
    exits    never:    \false;
    assigns  g->attr.a[first .. first + n - 1];
    ensures  ready:    ready_graph(g);
    ensures  nodes:    moved_nodes{Pre,Post}(g->node.a, g->node.a, g->node.n) && moved_numbers{Pre,Post}(g->in.a, g->in.a, g->in.n);
    ensures  attrs:    moved_attrs{Pre,Post}(g->attr.a, g->attr.a, first);
    ensures  lists:    kept_inputs{Pre,Post}(g) && kept_outputs{Pre,Post}(g) && kept_tensors{Pre,Post}(g);
    ensures  rest:     kept_rest{Pre,Post}(g) && kept_strings{Pre,Post}(g) && same_count{Pre,Post}(g);
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));
    ensures  sorted:   sorted_attrs(table_of(g->strs), g->attr.a + first, n);
    ensures  same:     same_pairs{Pre,Post}(g->attr.a + first, n);
*/
static void sort_last(struct graph *g, int first, int n)
{
    sort_attrs(g->strs, g->attr.a + first, n);
    /*@ assert nodes:  moved_nodes{Pre,Here}(g->node.a, g->node.a, g->node.n); */
    /*@ assert ins:    moved_numbers{Pre,Here}(g->in.a, g->in.a, g->in.n); */
    /*@ assert table:  table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert labels: same_labels{Pre,Here}(table_of(g->strs)); */
    /*@ assert same:   same_graph{Pre,Here}(put_of(g)); */
    /*@ assert ranges: ranges_ok(put_of(g)); */
}

int graph_op(struct graph *g, int op, int name, const int *in, int nin, const struct node_attr *attr, int nattr, int nout)
{
    int first = g->attr.n, id = add(g, NODE_OP, op, name, in, nin, attr, nattr, nout);

    if (id < 0)
        return -1;
    sort_last(g, first, nattr);
    return id;
}

int graph_input(struct graph *g, int name, int dtype, const struct shape *shape)
{
    struct shape s = *shape;
    bool room = graph_input_room(g);
    int id = room ? add(g, NODE_INPUT, 0, name, NULL, 0, NULL, 0, 0) : -1;

    if (id < 0)
        return -1;
    g->node.a[id].dtype = dtype;
    g->node.a[id].shape = s;
    g->input.a[g->input.n] = id;
    g->input.n++;
    return id;
}

int graph_const(struct graph *g, int name, struct tensor *t)
{
    struct tensor own = *t;
    bool room = graph_tensor_room(g) /*@ ghost (t) */;
    int id = room ? add(g, NODE_CONST, 0, name, NULL, 0, NULL, 0, 0) : -1;

    if (id < 0)
        return -1;
    g->node.a[id].dtype = own.dtype;
    g->node.a[id].shape = own.shape;
    g->node.a[id].data = g->tensor.n;
    g->tensor.a[g->tensor.n] = own;
    g->tensor.n++;
    t->data = NULL;
    t->bytes = 0;
    return id;
}
