/* Who uses each node: doubly linked lists of input slots, kept up to date while a graph is rewritten (nodes
   are only appended, edges redirected, unused nodes marked dead; node order may be broken until
   graph_compact). */
#ifndef CALQUE_PATTERN_USES_H
#define CALQUE_PATTERN_USES_H

#include "graph/graph.h"

struct use_node {
    int head;    /* first slot of g->in that holds this node, or -1 */
    int outputs; /* number of graph outputs it is */
    bool dead;   /* nothing needs it any more; its inputs are unlinked */
    int stack;   /* scratch of uses_drop */
};

struct use_slot {
    int next, prev; /* slots holding the same node, or -1 */
    int user;       /* the node whose input it is; -1: unlinked or absent */
};

struct uses {
    struct mem *mem;
    struct { struct use_node *a; int n, cap; } node;
    struct { struct use_slot *a; int n, cap; } slot;
};

void uses_init(struct uses *u, struct mem *mem);
void uses_free(struct uses *u);
/* From scratch for graph g. */
enum calque_status uses_build(struct uses *u, const struct graph *g, struct diag *d);
/* Takes in the nodes appended to g since. */
enum calque_status uses_extend(struct uses *u, const struct graph *g, struct diag *d);
/* Every edge to `from` in an input slot below `limit`, and every graph output that is `from`, now is `to`. */
void uses_move(struct uses *u, struct graph *g, int from, int to, int limit);
/* Node loses its inputs (it became a constant). */
void uses_unlink(struct uses *u, struct graph *g, int node);
/* Marks node dead if nothing uses it, and then its inputs likewise; data of dead constants is freed. Graph
   inputs never die. */
void uses_drop(struct uses *u, struct graph *g, int node);

#endif
