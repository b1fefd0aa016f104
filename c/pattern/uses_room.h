/* Memory of the lists of users and of what dies with a node. Trusted: memory management. */
#ifndef CALQUE_PATTERN_USES_ROOM_H
#define CALQUE_PATTERN_USES_ROOM_H

#include "pattern/uses_edit.h"

/* The tensors of the constants among the nodes v.node[0 .. n - 1].died are freed. */
/*@ requires valid:    \valid_read(g) && nd == g->node.a && valid_uses(v) && valid_nodes(v, nd) && valid_data(g, nd, v.n);
    requires nodes:    0 <= n <= v.n && \forall integer i; 0 <= i < n ==> 0 <= v.node[i].died < v.n;
    terminates \true;
    exits    never:    \false;
    assigns  g->tensor.a[0 .. g->tensor.n - 1].bytes;
    assigns  g->tensor.a[0 .. g->tensor.n - 1].data \from \nothing;
    ensures  freed:    \forall integer i; 0 <= i < n ==> nd[v.node[i].died].kind == NODE_CONST ==>
                       no_data(g, nd[v.node[i].died].data);
*/
void uses_free_data(struct graph *g, struct uses_view v, int n) /*@ ghost (const struct node *nd) */;

#endif
