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
/* Room for nodes 0 .. n-1. False when memory is out. */
bool walk_room(struct walker *w, struct mem *mem, int n);

#endif
