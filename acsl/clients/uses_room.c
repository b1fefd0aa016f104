/* Memory of the lists of users and of walks. Guards: use_list_internal.h, visited.h, uses.acsl (Held). */
#include "graph/use_list_internal.h"
#include "pattern/visited.h"

/*@ requires held: held_uses(u) && held_nodes(g) && aside(u, g, d); */
void client_uses_room(struct uses *u, struct graph *g, struct diag *d)
{
    enum calque_status a = uses_room(u, g, 1, 2, 3, d), b = uses_room(u, g, 1, 2, 3, d);

    /*@ assert room: b == CALQUE_OK ==> room_for(u, 1, 2, 3); */
    /*@ assert held: held_uses(u) && aside(u, g, d); */
    /*@ assert BOOM: \false; */
}

/*@ requires valid: \valid_read(g) && nd == g->node.a && valid_uses(v) && valid_nodes(v, nd) && valid_data(g, nd, v.n);
    requires apart: \base_addr(g) != \base_addr(g->tensor.a);
    requires node:  0 < v.n && 0 <= v.node[0].died < v.n;
*/
void client_free_data(struct graph *g, struct uses_view v, const struct node *nd)
{
    uses_free_data(g, v, 1) /*@ ghost (nd) */;
    /*@ assert freed: nd[v.node[0].died].kind == NODE_CONST ==> no_data(g, nd[v.node[0].died].data); */
    /*@ assert BOOM: \false; */
}

/*@ requires held: held_walk(w) && \valid(mem) && \separated(w, mem); */
void client_walk_grow(struct walker *w, struct mem *mem)
{
    bool a = walk_grow(w, mem, 4), b = walk_grow(w, mem, 5);

    /*@ assert same: w->stamp == \at(w->stamp, Pre) && w->seen.n == \at(w->seen.n, Pre); */
    /*@ assert room: b == 1 ==> 5 <= w->work.cap; */
    /*@ assert BOOM: \false; */
}
