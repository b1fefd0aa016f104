/* graph_append.h has the contract. */
#include "graph/graph_append.h"

#ifdef __FRAMAC__
#include "graph/given.acsl"
#include "graph/kept.acsl"
#endif

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
