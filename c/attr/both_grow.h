/* Room for expressions beside that of their values. */
#ifndef CALQUE_ATTR_BOTH_GROW_H
#define CALQUE_ATTR_BOTH_GROW_H

#include "attr/attr_add.h"
#include "attr/both_room.h"

/* exprs_room below the limits; both arenas are well-formed wherever the expressions stand. */
/*@ BOTH_REQUIRES
    requires counts:   0 <= nodes <= 1 && 0 <= kids <= VALUE_LEN_MAX && 0 <= slots <= 1;
    requires own:      \valid_read(own + (0 .. n - 1)) && apart_kids(t, own, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  ready:    ready_both(t);
    ensures  mems:     same_mems{Pre,Post}(t);
    ensures  counts:   same_counts{Pre,Post}(t);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  slots:    kept_slots{Pre,Post}(t);
    ensures  room:     \result == 1 ==> has_room_for(t, nodes, kids, slots);
    ensures  own:      apart_kids(t, own, n) && same_own{Pre,Post}(own, n);
    ensures  values:   values_stay{Pre,Post}(t->values);
*/
bool both_room(struct attrs *t, int nodes, int kids, int slots) /*@ ghost (const int *own, int n) */;

#endif
