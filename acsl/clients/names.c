/* Names, taken and given. Guards: names.c. */
#include "graph/names.c"

/*@ requires graph: \valid(ns) && \valid_read(g) && valid_graph(put_of(g)) && \valid_read(g->strs) && \separated(ns, g, g->mem, g->strs);
    requires names: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].name < g->strs->entry.n;
*/
void client_names(struct names *ns, const struct graph *g)
{
    bool a = names_init(ns, g);

    /*@ assert none: a == 0 ==> ns->name == \null; */
    names_free(ns);
    names_free(ns);
    /*@ assert free: ns->used == \null; */
    /*@ assert BOOM: \false; */
}

/*@ requires names: \valid_read(ns) && \valid_read(ns->g) && 0 < ns->g->node.n && ns->name[0] < ns->nstrs;
    requires text:  \valid(out) && 0 <= out->n && \separated(out, ns);
*/
void client_names_put(const struct names *ns, struct text *out)
{
    names_put(ns, 0, out);
    /*@ assert longer: out->n >= \at(out->n, Pre); */
    /*@ assert BOOM: \false; */
}

/*@ requires graph: \valid(g) && valid_graph(put_of(g)) && ranges_ok(put_of(g)) && \valid(g->strs);
    requires names: \forall integer i; 0 <= i < g->node.n ==> g->node.a[i].name < g->strs->entry.n;
    requires diag:  \valid(d);
*/
void client_fill_names(struct graph *g, struct diag *d)
{
    enum calque_status s = graph_fill_names(g, d);

    /*@ assert status: s == CALQUE_OK || s == CALQUE_NOMEM; */
    /*@ assert BOOM: \false; */
}
