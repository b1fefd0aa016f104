/* Who uses each node, and a topological order of the nodes, kept up to date while a graph is rewritten (nodes are
   only appended, edges redirected, unused nodes marked dead; node numbers may be in any order until graph_compact).
   Uses are doubly linked lists of input slots. The order is a doubly linked list with labels that grow along it, so
   that two nodes are compared at once and a node is moved without renumbering the others. */
#ifndef CALQUE_GRAPH_USE_LIST_H
#define CALQUE_GRAPH_USE_LIST_H

#include "graph/graph.h"

struct use_node {
    int head;    /* first slot of g->in that holds this node, or -1 */
    int count;   /* number of them */
    unsigned outputs; /* number of graph outputs it is */
    int output;  /* the first of them, or -1; then uses.output */
    bool dead;   /* nothing needs it any more; its inputs are unlinked */
    long died;   /* scratch of uses_die */
    long before, after;  /* neighbours in the order, or -1 */
    unsigned long order; /* grows along the list */
};

struct use_slot {
    int next, prev; /* slots holding the same node, or -1 */
    int user;       /* the node whose input it is; -1: unlinked or absent */
};

struct uses {
    struct mem *mem;
    struct { struct use_node *a; int n, cap; } node;
    struct { struct use_slot *a; int n, cap; } slot;
    struct ints output; /* the next output of the graph that is the same node, or -1 */
    int first, last;    /* of the order */
};

/* Not proved: memory management (alloc.c). */
void uses_init(struct uses *u, struct mem *mem);
void uses_free(struct uses *u);

/*@ requires valid:    \valid_read(u) && \valid_read(u->node.a + a) && \valid_read(u->node.a + b);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  before:   \result != 0 <==> u->node.a[a].order < u->node.a[b].order;
*/
static inline bool uses_before(const struct uses *u, int a, int b)
{
    return u->node.a[a].order < u->node.a[b].order;
}

#endif
