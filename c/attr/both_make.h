/* Nodes and slots that are added; what was there is there, as trees. */
#ifndef CALQUE_ATTR_BOTH_MAKE_H
#define CALQUE_ATTR_BOTH_MAKE_H

#include "attr/both_room.h"

/* The node, where it can be made; everything else is there. */
/*@ BOTH_REQUIRES
    requires kind:     child_b(kind) || pair_kind(kind) || (leaf_kind(kind) || child_a(kind)) && b == 0;
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    BOTH_KEEPS
    EXPR_IS_NEXT
    ensures  slots:    t->slot.n == \old(t->slot.n);
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, op, a, b);
*/
int both_make(struct attrs *t, int kind, int op, int a, int b);

/* The node with the children own[0 .. n - 1], where it can be made; everything else is there. */
/*@ BOTH_REQUIRES
    requires kind:     family_kind(kind);
    requires own:      0 <= n <= VALUE_LEN_MAX && \valid_read(own + (0 .. n - 1)) && apart_kids(t, own, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    BOTH_KEEPS
    EXPR_IS_NEXT
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, op, \old(t->kid.n), n);
    ensures  kids:     \result >= 0 ==> \forall integer k; 0 <= k < n ==>
                       t->kid.a[\old(t->kid.n) + k] == \old(own[k]);
*/
int both_make_family(struct attrs *t, int kind, int op, const int *own, int n);

/* A slot more; -1 when memory is out. */
/*@ BOTH_REQUIRES
    requires new:      no_slot(t->slot.a, t->slot.n, pattern, label);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    BOTH_KEEPS
    ensures  code:     -1 <= \result < t->slot.n;
    ensures  slot:     \result >= 0 ==> slot_is(t->slot.a, \result, pattern, label);
    ensures  count:    t->node.n == \old(t->node.n);
*/
int both_new_slot(struct attrs *t, int pattern, int label);

#endif
