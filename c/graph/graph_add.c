#include "graph/graph_add.h"
#include "graph/graph_append.h"

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
    int first = g->attr.n, id = graph_append(g, NODE_OP, op, name, in, nin, attr, nattr, nout);

    if (id < 0)
        return -1;
    sort_last(g, first, nattr);
    return id;
}

int graph_input(struct graph *g, int name, int dtype, const struct shape *shape)
{
    struct shape s = *shape;
    bool room = graph_input_room(g);
    int id = room ? graph_append(g, NODE_INPUT, 0, name, NULL, 0, NULL, 0, 0) : -1;

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
    int id = room ? graph_append(g, NODE_CONST, 0, name, NULL, 0, NULL, 0, 0) : -1;

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
