/* Freeing what a compacted graph does not use. Trusted: memory management; compact_step.c is proved from these contracts. */
#ifndef CALQUE_GRAPH_COMPACT_FREE_H
#define CALQUE_GRAPH_COMPACT_FREE_H

#include "graph/graph.h"

/* No data is left. */
/*@ requires valid:    \valid(t);
    terminates \true;
    exits    never:    \false;
    assigns  t->data \from \nothing;
    assigns  t->bytes \from \nothing;
*/
void graph_drop_tensor(struct tensor *t);

/*@ requires valid:    \valid(r);
    terminates \true;
    exits    never:    \false;
    assigns  r->a \from \nothing;
    assigns  r->n \from \nothing;
*/
void graph_drop_raw(struct raw *r);

#endif
