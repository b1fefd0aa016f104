/* Memory for expressions beside that of their values. Trusted: memory management, and that what is got from it stands apart:
   what grows the arena of expressions leaves that of the values as it is, and where it is. (Of exprs_scratch this is
   proved, in both_scratch.c.) */
#ifndef CALQUE_ATTR_BOTH_ROOM_H
#define CALQUE_ATTR_BOTH_ROOM_H

#include "attr/attr_room.h"

#ifdef __FRAMAC__
#include "attr/both.acsl"
#endif

/* attrs_room, and the values stay; the caller's children own[0 .. n - 1] too. */
/*@ BOTH_REQUIRES
    requires counts:   0 <= nodes <= 1 && 0 <= kids <= VALUE_LEN_MAX && 0 <= slots <= 1;
    requires own:      \valid_read(own + (0 .. n - 1)) && apart_kids(t, own, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  held:     held_attrs(t);
    ensures  mems:     same_mems{Pre,Post}(t);
    ensures  counts:   same_counts{Pre,Post}(t);
    ensures  roots:    moved_roots{Pre,Post}(\old(t->node.a), t->node.a, t->node.n);
    ensures  kids:     moved_kids{Pre,Post}(\old(t->kid.a), t->kid.a, t->kid.n);
    ensures  slots:    moved_slots{Pre,Post}(\old(t->slot.a), t->slot.a, t->slot.n);
    ensures  room:     \result == 1 ==> has_room_for(t, nodes, kids, slots);
    ensures  own:      apart_kids(t, own, n) && same_own{Pre,Post}(own, n);
    ensures  values:   values_stay{Pre,Post}(t->values);
    ensures  heldv:    held_values(t->values) && apart_both(t);
*/
bool exprs_room(struct attrs *t, int nodes, int kids, int slots) /*@ ghost (const int *own, int n) */;

/* The n ids of children as ints, apart from both arenas, which stay; NULL when memory is out. */
/*@ BOTH_REQUIRES
    requires ids:      0 <= n && \valid_read(ids + (0 .. n - 1)) && \forall integer k; 0 <= k < n ==> ids[k] <= INT_MAX;
    terminates \true;
    exits    never:    \false;
    assigns  *t->mem, { *q | int *q; \true }, \result \from indirect:n;
    ensures  scratch:  \result == \null || \valid(\result + (0 .. n - 1)) && apart_kids(t, \result, n) &&
                       \forall integer k; 0 <= k < n ==> \result[k] == ids[k];
    ensures  ready:    ready_both(t);
    ensures  exprs:    exprs_stay{Pre,Post}(t);
    ensures  values:   values_stay{Pre,Post}(t->values);
*/
int *exprs_scratch(struct attrs *t, const unsigned *ids, int n);
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
*/
void exprs_scratch_free(int *scratch);

#endif
