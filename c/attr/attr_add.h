/* One expression more, in an arena that grows. */
#ifndef CALQUE_ATTR_ATTR_ADD_H
#define CALQUE_ATTR_ATTR_ADD_H

#include "attr/attr_room.h"

#ifdef __FRAMAC__
#include "attr/attr_moved.acsl"
#endif

/* Each returns the new node's id, or -1 when memory or a limit is exceeded or an argument is no id. */

/* The node (kind, op, a, b), b == 0 where the kind has none. */
/*@ ATTR_REQUIRES
    requires kind:     child_b(kind) || pair_kind(kind) || (leaf_kind(kind) || child_a(kind)) && b == 0;
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(flat_node(arena_of(t), kind, op, a, b), 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, op, a, b);
*/
int attr_add(struct attrs *t, int kind, int op, int a, int b);

/* The node with the children kids[0 .. n - 1]. */
/*@ ATTR_REQUIRES
    requires kind:     family_kind(kind);
    requires kids:     \valid_read(kids + (0 .. n - 1)) && apart_kids(t, kids, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(flat_family(arena_of(t), kind, op, kids, n), n, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  root:     \result >= 0 ==> \forall vals s; is_root(MADE_EXPR, kind, op, n);
    ensures  kids:     \result >= 0 ==> \forall vals s; has_own{Pre}(MADE_EXPR, \old(arena_of(t)), s, kids, n);
    ensures  own:      apart_kids(t, kids, n) && same_own{Pre,Post}(kids, n);
*/
int attr_add_family(struct attrs *t, int kind, int op, const int *kids, int n);

/* attr_add where there is room. */
/*@ ATTR_REQUIRES
    requires room:     t->node.n < t->node.cap;
    requires kind:     child_b(kind) || pair_kind(kind) || (leaf_kind(kind) || child_a(kind)) && b == 0;
    terminates \true;
    exits    never:    \false;
    assigns  t->node.n, t->kid.n, t->node.a[t->node.n];
    ensures  ready:    ready_attrs(t);
    ensures  code:     \result == -1 || \result == \old(t->node.n);
    ensures  made:     \result >= 0 <==> \old(flat_node(arena_of(t), kind, op, a, b));
    ensures  count:    \result < 0 ==> same_counts{Pre,Post}(t);
    ensures  next:     \result >= 0 ==> one_node{Pre,Post}(t, 0);
    ensures  mems:     same_mems{Pre,Post}(t) && t->values->n == \old(t->values->n);
    ensures  old:      moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  names:    same_names{Pre,Post}(t);
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, op, a, b);
*/
int attr_append(struct attrs *t, int kind, int op, int a, int b);

/* attr_add_family where there is room. */
/*@ ATTR_REQUIRES
    requires room:     0 <= n <= VALUE_LEN_MAX && has_room_for(t, 1, n, 0);
    requires kind:     family_kind(kind);
    requires kids:     \valid_read(kids + (0 .. n - 1)) && apart_kids(t, kids, n);
    terminates \true;
    exits    never:    \false;
    assigns  t->node.n, t->kid.n, t->node.a[t->node.n], t->kid.a[t->kid.n .. t->kid.cap - 1];
    ensures  ready:    ready_attrs(t);
    ensures  code:     \result == -1 || \result == \old(t->node.n);
    ensures  made:     \result >= 0 <==> \old(flat_family(arena_of(t), kind, op, kids, n));
    ensures  count:    \result < 0 ==> same_counts{Pre,Post}(t);
    ensures  next:     \result >= 0 ==> one_node{Pre,Post}(t, n);
    ensures  mems:     same_mems{Pre,Post}(t) && t->values->n == \old(t->values->n);
    ensures  old:      moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  names:    same_names{Pre,Post}(t);
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, op, \old(t->kid.n), n);
    ensures  kids:     \result >= 0 ==> own_stand{Pre,Post}(t->kid.a, \old(t->kid.n), kids, n);
    ensures  own:      apart_kids(t, kids, n) && same_own{Pre,Post}(kids, n);
*/
int attr_append_family(struct attrs *t, int kind, int op, const int *kids, int n);

#endif
