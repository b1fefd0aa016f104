/* The arrays of a graph. */
#ifndef CALQUE_GRAPH_GRAPH_VIEW_H
#define CALQUE_GRAPH_GRAPH_VIEW_H

#include "graph/graph_get.h"

/*@ requires valid:    \valid_read(g);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  view:     \result == put_of(g);
*/
struct graph_put graph_view(const struct graph *g);

#endif
