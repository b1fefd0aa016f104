/* Memory for the lists. Trusted: memory management; this contract is what uses_build.c and uses_extend.c are proved from. */
#ifndef CALQUE_PATTERN_USES_ARRAYS_H
#define CALQUE_PATTERN_USES_ARRAYS_H

#include "pattern/uses_edit.h"

#ifdef __FRAMAC__
#include "pattern/held.acsl"
#include "pattern/room.acsl"
#endif

/* Room for so many nodes, input slots and outputs in all; what is there stays as it is when memory is out. An array that
   grows is a block of its own, none of those that a caller holds, and these stay as they are. */
/*@ requires held:     held_uses(u) && held_nodes(g) && aside(u, g, d);
    requires counts:   0 <= nodes && 0 <= slots && 0 <= outputs;
    terminates \true;
    exits    never:    \false;
    assigns  *u, *u->mem, *d, { *p | struct use_node *p; \true }, { *q | struct use_slot *q; \true }, { *k | int *k; \true };
    ensures  result:   \result == CALQUE_OK || \result == CALQUE_NOMEM;
    ensures  held:     held_uses(u) && held_nodes(g) && aside(u, g, d);
    ensures  same:     same_uses{Pre,Post}(u) && graph_kept{Pre,Post}(g);
    ensures  moved:    moved_uses{Pre,Post}(u);
    ensures  room:     \result == CALQUE_OK ==> room_for(u, nodes, slots, outputs);
    ensures  caller:   held_apart{Pre}(u, d) ==> held_same{Pre,Post} && held_apart(u, d);
*/
enum calque_status uses_room(struct uses *u, const struct graph *g, int nodes, int slots, int outputs, struct diag *d);

#endif
