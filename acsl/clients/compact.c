/* Memory and messages of compaction. Guards: compact_internal.h. */
#include "graph/compact_internal.h"

/*@ requires graph: held_arrays(g) && held_mem(g); */
void client_compact_room(struct graph *g, struct graph_sums sum)
{
    struct compactor a;

    if (!sum.ok || sum.in < 0 || sum.attr < 0)
        return;
    a = compact_room(g, NULL, sum);
    /*@ assert own: a.ok == 1 ==> a.own == a.map && a.to.capin == sum.in; */
    /*@ assert BOOM: \false; */
}

/*@ requires valid: \valid(t) && \valid(r) && \separated(t, r, d); */
void client_dropped(struct tensor *t, struct raw *r, struct diag *d)
{
    enum calque_status s;

    graph_drop_tensor(t);
    graph_drop_raw(r);
    graph_drop_tensor(t);
    s = compact_nomem(NULL);
    /*@ assert status: s == CALQUE_NOMEM; */
    /*@ assert BOOM: \false; */
}

/*@ requires graph: \valid_read(g) && valid_graph(put_of(g)) && ranges_ok(put_of(g)) && placed(put_of(g)) && held_names(g);
    requires node:  0 < g->node.n && \valid(d) && \separated(d, g);
*/
void client_messages(const struct graph *g, struct diag *d)
{
    struct graph_bad bad = { .node = -1, .k = 0 };
    enum calque_status s = compact_no_node(g, bad, d);

    /*@ assert status: s == CALQUE_INTERNAL; */
    /*@ assert BOOM: \false; */
}

/*@ requires graph: \valid_read(g) && valid_graph(put_of(g)) && ranges_ok(put_of(g)) && held_names(g);
    requires node:  0 < g->node.n && \valid(d) && \separated(d, g);
*/
void client_cyclic(const struct graph *g, struct diag *d)
{
    compact_cyclic(g, 0, d);
    /*@ assert same: g->node.n == \at(g->node.n, Pre); */
    /*@ assert BOOM: \false; */
}

/*@ requires others: off_arrays(\base_addr(c.order), g) && off_arrays(\base_addr(c.stack), g) &&
                     off_arrays(\base_addr(c.tensor), g) && off_arrays(\base_addr(c.raw), g);
    requires none:   c.to.node == \null && c.to.in == \null && c.to.attr == \null && c.own == \null;
    requires graph:  \valid_read(g);
*/
void client_give_back(struct compactor c, struct graph *g)
{
    compact_give_back(c) /*@ ghost (g, (int *)0) */;
    /*@ assert same: g->node.n == \at(g->node.n, Pre); */
    /*@ assert BOOM: \false; */
}
