/* Graphs: copied, freed. Guards: graph.c. */
/* No client: graph_raw copy_array: they speak of bytes through a cast of a pointer of no type, which WP reads as any bytes. */
#include "graph/graph.c"

/*@ requires valid: \valid(g); */
void client_graph_freed(struct graph *g)
{
    graph_free(g);
    graph_free(g);
    /*@ assert none: g->node.n == 0 && g->raw.n == 0 && g->mem == \at(g->mem, Pre); */
    /*@ assert BOOM: \false; */
}

/*@ requires ready: ready_values(vs) && \valid_read(t) && t->dtype == DTYPE_I64; */
void client_element(struct values *vs, const struct tensor *t)
{
    int a = element(vs, t, 0);

    /*@ assert kind: a >= 0 ==> v_kind(val(VALS(*vs), a)) == (t->dtype == DTYPE_F32 ? VALUE_FLOAT : VALUE_INT); */
    /*@ assert BOOM: \false; */
}

/*@ requires graph: \valid_read(g) && valid_graph(put_of(g)) && \valid(x) && \valid(y) && \separated(g, x, y, d);
    requires x:     x->node.n == 0 && x->in.n == 0 && x->attr.n == 0 && x->tensor.n == 0 && x->raw.n == 0 &&
                    x->input.n == 0 && x->output.n == 0 && x->mem == g->mem && x->strs == g->strs && x->values == g->values;
*/
void client_graph_copy(const struct graph *g, struct graph *x, struct graph *y, struct diag *d)
{
    enum calque_status a = graph_copy(g, x, d);

    /*@ assert count: a == CALQUE_OK ==> valid_graph(put_of(x)) && x->in.n == g->in.n; */
    /*@ assert none:  a != CALQUE_OK ==> x->node.n == 0; */
    /*@ assert BOOM: \false; */
}

/*@ requires graph: \valid_read(g) && \valid(x) && 0 <= g->tensor.n && 0 <= g->raw.n && \separated(g, x);
    requires data:  \valid_read(g->tensor.a + (0 .. g->tensor.n - 1)) && \valid_read(g->raw.a + (0 .. g->raw.n - 1));
    requires empty: x->tensor.n == 0 && x->raw.n == 0;
*/
void client_copy_owned(const struct graph *g, struct graph *x)
{
    bool a = copy_owned(g, x);

    /*@ assert count: a == 1 ==> x->raw.n == g->raw.n; */
    /*@ assert BOOM: \false; */
}
