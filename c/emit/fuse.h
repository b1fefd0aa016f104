/* Inside fusion: what fuse.c finds out about the graph, for graph_program.c. */
#ifndef CALQUE_EMIT_FUSE_H
#define CALQUE_EMIT_FUSE_H

#include "emit/module.h"

struct fuse {
    const struct graph *g;
    const struct emit_options *o;
    struct groups *out;
    bool *fold; /* node: all it depends on is constant */
    bool *veto; /* but it has no value at compile time */
};

/* Is the node computed at run time? */
bool fuse_runs(const struct fuse *f, int node);

/* The groups: the kernels of the operators that run as one program, its temporaries inlined, cut again by operators. */
enum calque_status fuse_group(struct fuse *f, struct diag *d);

#endif
