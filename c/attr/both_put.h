/* What is appended to the arena of expressions leaves that of the values as it is. */
#ifndef CALQUE_ATTR_BOTH_PUT_H
#define CALQUE_ATTR_BOTH_PUT_H

#include "attr/attr_add.h"
#include "attr/both_room.h"

/* attr_append. */
/*@ BOTH_REQUIRES
    requires room:     t->node.n < t->node.cap;
    requires kind:     child_b(kind) || pair_kind(kind) || (leaf_kind(kind) || child_a(kind)) && b == 0;
    terminates \true;
    exits    never:    \false;
    assigns  t->node.n, t->kid.n, t->node.a[t->node.n];
    ensures  ready:    ready_both(t);
    ensures  code:     \result == -1 || \result == \old(t->node.n);
    ensures  count:    \result < 0 ==> same_counts{Pre,Post}(t);
    ensures  next:     \result >= 0 ==> one_node{Pre,Post}(t, 0);
    ensures  mems:     same_mems{Pre,Post}(t);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  names:    same_names{Pre,Post}(t);
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, op, a, b);
    ensures  values:   values_stay{Pre,Post}(t->values);
*/
int both_append(struct attrs *t, int kind, int op, int a, int b);

/* attr_append_family. */
/*@ BOTH_REQUIRES
    requires room:     0 <= n <= VALUE_LEN_MAX && has_room_for(t, 1, n, 0);
    requires kind:     family_kind(kind);
    requires own:      \valid_read(own + (0 .. n - 1)) && apart_kids(t, own, n);
    terminates \true;
    exits    never:    \false;
    assigns  t->node.n, t->kid.n, t->node.a[t->node.n], t->kid.a[t->kid.n .. t->kid.cap - 1];
    ensures  ready:    ready_both(t);
    ensures  code:     \result == -1 || \result == \old(t->node.n);
    ensures  count:    \result < 0 ==> same_counts{Pre,Post}(t);
    ensures  next:     \result >= 0 ==> one_node{Pre,Post}(t, n);
    ensures  mems:     same_mems{Pre,Post}(t);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  names:    same_names{Pre,Post}(t);
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, op, \old(t->kid.n), n);
    ensures  kids:     \result >= 0 ==> own_stand{Pre,Post}(t->kid.a, \old(t->kid.n), own, n);
    ensures  values:   values_stay{Pre,Post}(t->values);
*/
int both_append_family(struct attrs *t, int kind, int op, const int *own, int n);

/* attr_append_slot. */
/*@ BOTH_REQUIRES
    requires room:     t->slot.n < t->slot.cap;
    requires new:      no_slot(t->slot.a, t->slot.n, pattern, label);
    terminates \true;
    exits    never:    \false;
    assigns  t->slot.n, t->slot.a[t->slot.n];
    ensures  ready:    ready_both(t);
    ensures  mems:     same_mems{Pre,Post}(t);
    ensures  count:    t->node.n == \old(t->node.n);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  slots:    kept_slots{Pre,Post}(t);
    ensures  new:      \result == \old(t->slot.n) && t->slot.n == \result + 1;
    ensures  slot:     slot_is(t->slot.a, \result, pattern, label);
    ensures  values:   values_stay{Pre,Post}(t->values);
*/
int both_append_slot(struct attrs *t, int pattern, int label);

#endif
