/* The memory of walks over the nodes of a graph (pattern/reach.h). */
#ifndef CALQUE_PATTERN_WALK_H
#define CALQUE_PATTERN_WALK_H

#include "base/mem.h"

struct walker {
    struct { unsigned *a; int n, cap; } seen; /* of each node: the stamp of the last walk that met it */
    struct { long *a; int n, cap; } work;     /* room for each node */
    unsigned stamp;                           /* of the last walk */
};

void walk_free(struct walker *w);
/* Room for nodes 0 .. n-1; no walk has met the new ones. False when memory is out. Not proved: memory management around
   walk_clear. */
bool walk_room(struct walker *w, struct mem *mem, int n);

/* No walk has met the nodes from .. n-1. */
/*@ requires valid:    0 <= from && \valid(seen + (from .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  seen[from .. n - 1];
    ensures  zero:     \forall integer k; from <= k < n ==> seen[k] == 0;
*/
void walk_clear(unsigned *seen, int from, int n);

#endif
