/* Memory of graphs, room made twice. Guards: build.h, alloc.c. */
#include "graph/alloc.c"

/*@ requires held: held_graph(g) && 0 < g->node.n; */
void client_graph_ends(struct graph *g)
{
    bool a, b, c, d;

    a = graph_input_room(g);
    b = graph_input_room(g);
    /*@ assert input:  a == 1 ==> b == 1; */
    c = graph_output_room(g);
    d = graph_output_room(g);
    /*@ assert output: c == 1 ==> d == 1; */
    /*@ assert BOOM: \false; */
}

/*@ requires held: held_graph(g) && 0 < g->node.n; */
void client_graph_attr_room(struct graph *g)
{
    bool a = graph_attr_room(g, 0);

    /*@ assert same: same_count{Pre,Here}(g) && held_graph(g); */
    /*@ assert room: a == 1 ==> g->attr.n + g->node.a[0].nattr < g->attr.cap; */
    /*@ assert BOOM: \false; */
}

/*@ requires held: held_graph(g) && 0 < g->node.n;
    requires given: given_ids(g, (int *)\null, 0) && given_attrs(g, (struct node_attr *)\null, 0);
*/
void client_graph_room(struct graph *g)
{
    struct graph_given a = graph_room(g, NULL, 0, NULL, 0), b;

    if (a.ok) {
        b = graph_room(g, a.in, 0, a.attr, 0);
        /*@ assert had: b.ok == 1; */
    }
    /*@ assert count: g->node.n == \at(g->node.n, Pre); */
    /*@ assert BOOM: \false; */
}

/*@ requires held: held_graph(g) && OWN_TENSOR(own, g); */
void client_graph_const_room(struct graph *g, struct tensor *own)
{
    bool a = graph_const_room(g) /*@ ghost (own) */, b = graph_const_room(g) /*@ ghost (own) */;

    /*@ assert had:   a == 1 ==> b == 1; */
    /*@ assert held:  held_graph(g); */
    /*@ assert BOOM: \false; */
}
