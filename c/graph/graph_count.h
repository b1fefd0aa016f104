/* Counting a node that was put behind the others. */
#ifndef CALQUE_GRAPH_GRAPH_COUNT_H
#define CALQUE_GRAPH_GRAPH_COUNT_H

#include "graph/graph_room.h"

#ifdef __FRAMAC__
#include "graph/fields.acsl"
#endif

/* Takes over the node that stands behind the others, with its inputs and attributes; its id. */
/*@ requires held:     ready_but(g, g->node.n);
    requires room:     has_room(g, nin, nattr) && 0 <= nin && 0 <= nattr;
    requires ranges:   ranges_ok(GROWN(put_of(g), nin, nattr));
    terminates \true;
    exits    never:    \false;
    assigns  g->node.n, g->in.n, g->attr.n;
    ensures  id:       \result == \old(g->node.n);
    ensures  view:     put_of(g) == \old(GROWN(put_of(g), nin, nattr));
    ensures  next:     one_more{Pre,Post}(g, nin, nattr);
    ensures  ready:    ready_but(g, \result);
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    ensures  same:     same_graph{Pre,Post}(put_of(g));
    ensures  nodes:    moved_nodes{Pre,Post}(g->node.a, g->node.a, g->node.n);
    ensures  lists:    moved_numbers{Pre,Post}(g->in.a, g->in.a, g->in.n) && moved_attrs{Pre,Post}(g->attr.a, g->attr.a, g->attr.n);
*/
int graph_count(struct graph *g, int nin, int nattr);

#endif
