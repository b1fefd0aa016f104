/* Memory and messages of compaction. Trusted: memory management, printed text; compact.c is proved from these contracts. */
#ifndef CALQUE_GRAPH_COMPACT_ROOM_H
#define CALQUE_GRAPH_COMPACT_ROOM_H

#include "graph/compact_free.h"
#include "graph/compact_order.h"
#include "graph/compact_renew.h"
#include "graph/compact_sums.h"
#include "graph/graph_view.h"

struct compactor {
    int *map;            /* MARK_DEAD or the new id */
    int *own;            /* the map again when the caller gave none, else NULL */
    int *order;          /* old ids in their new order */
    struct frame *stack;
    int *tensor, *raw;   /* new number of a tensor or raw, -1: unused */
    struct graph_put to; /* the new arrays; once the graph has them, its old ones */
    bool ok;
};

#ifdef __FRAMAC__
#include "graph/compact.acsl"
#endif

/* Arrays for a graph with so many inputs and attributes; not ok, and nothing to give back, when memory is out. */
/*@ requires graph:    held_arrays(g) && held_mem(g);
    requires map:      map != \null ==> \valid(map + (0 .. g->node.n - 1)) && off_graph(\base_addr(map), g);
    requires sum:      sum.ok != 0 && 0 <= sum.in && 0 <= sum.attr;
    terminates \true;
    exits    never:    \false;
    assigns  \result \from g, *g, map, sum;
    assigns  *g->mem \from *g->mem;
    ensures  result:   \result.ok == 0 || \result.ok == 1;
    ensures  held:     \result.ok == 1 ==> held_compactor(\result, g);
    ensures  sum:      \result.ok == 1 ==> \result.to.capin == sum.in && \result.to.capattr == sum.attr;
    ensures  map:      \result.ok == 1 ==> map != \null ==> \result.map == map && \result.own == \null;
    ensures  own:      \result.ok == 1 ==> map == \null ==> \result.own == \result.map;
*/
struct compactor compact_room(const struct graph *g, int *map, struct graph_sums sum);

/* The arrays, which are none of g's and not the caller's, are freed. */
/*@ requires others:   off_arrays(\base_addr(c.order), g) && off_arrays(\base_addr(c.stack), g) &&
                       off_arrays(\base_addr(c.tensor), g) && off_arrays(\base_addr(c.raw), g);
    requires to:       (c.to.node != \null ==> off_arrays(\base_addr(c.to.node), g)) &&
                       (c.to.in != \null ==> off_arrays(\base_addr(c.to.in), g)) &&
                       (c.to.attr != \null ==> off_arrays(\base_addr(c.to.attr), g));
    requires own:      c.own != \null ==> off_arrays(\base_addr(c.own), g) && map == \null;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
*/
void compact_give_back(struct compactor c) /*@ ghost (struct graph *g, int *map) */;

/* Messages. That an id does not exist: an input of a node, or an output. */
/*@ requires graph:    \valid_read(g) && valid_graph(put_of(g)) && placed(put_of(g)) && held_names(g);
    requires id:       0 <= bad.k && (0 <= bad.node ==> bad.node < g->node.n && bad.k < g->node.a[bad.node].nin);
    requires diag:     d == \null || \valid(d);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    ensures  status:   \result == CALQUE_INTERNAL;
*/
enum calque_status compact_no_node(const struct graph *g, struct graph_bad bad, struct diag *d);

/*@ requires graph:    \valid_read(g) && valid_graph(put_of(g)) && ranges_ok(put_of(g)) && held_names(g);
    requires node:     0 <= node < g->node.n;
    requires diag:     d == \null || \valid(d);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
*/
void compact_cyclic(const struct graph *g, int node, struct diag *d);

/*@ requires diag:     d == \null || \valid(d);
    terminates \true;
    exits    never:    \false;
    assigns  *d;
    ensures  status:   \result == CALQUE_NOMEM;
*/
enum calque_status compact_nomem(struct diag *d);

#endif
