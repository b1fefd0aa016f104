/* Memory for the arena of expressions. Trusted: memory management; its contract is what attr_add.c and attr.c are proved
   from. */
#ifndef CALQUE_ATTR_ATTR_ROOM_H
#define CALQUE_ATTR_ATTR_ROOM_H

#include "attr/attr_put.h"

#ifdef __FRAMAC__
#include "attr/value_core.h"

#include "attr/attr_room.acsl"
#endif

/* Room for so many more nodes, children and slots; false, and what is there as it was, when memory is out. The caller's
   children own[0 .. n - 1] stay apart from it. */
/*@ requires held:     held_attrs(t);
    requires counts:   0 <= nodes <= VALUE_LEN_MAX && 0 <= kids <= VALUE_LEN_MAX && 0 <= slots <= VALUE_LEN_MAX;
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
    ensures  had:      \old(has_room_for(t, nodes, kids, slots)) ==> \result == 1;
    ensures  grown:    grown{Pre,Post}(t);
    ensures  own:      apart_kids(t, own, n) && same_own{Pre,Post}(own, n);
*/
bool attrs_room(struct attrs *t, int nodes, int kids, int slots) /*@ ghost (const int *own, int n) */;

#endif
