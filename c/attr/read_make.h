/* Expressions that are made of what was read: constructors that leave both arenas well-formed. */
#ifndef CALQUE_ATTR_READ_MAKE_H
#define CALQUE_ATTR_READ_MAKE_H

#include "attr/both_room.h"

#ifdef __FRAMAC__
#define MADE_TREE tree_at(t, \result)
#endif

/* Each returns the new node's id, or -1 when memory or a limit is exceeded or an argument is no id. */

/* The node (kind, op, a, b), b == 0 where the kind has none. */
/*@ BOTH_REQUIRES
    requires kind:     child_b(kind) || pair_kind(kind) || (leaf_kind(kind) || child_a(kind)) && b == 0;
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    BOTH_KEEPS
    EXPR_IS_NEXT
    ensures  slots:    t->slot.n == \old(t->slot.n);
    ensures  root:     \result >= 0 ==> is_root(MADE_TREE, kind, op, kinds_kids(kind, 0));
    ensures  const:    \result >= 0 ==> kind == ATTR_CONST ==> x_const(MADE_TREE) == val(VALS(*t->values), a);
    ensures  slot:     \result >= 0 ==> slot_kind(kind) ==> x_slot(MADE_TREE) == a && 0 <= a < t->slot.n;
    ensures  first:    \result >= 0 ==> child_a(kind) || pair_kind(kind) ==>
                       0 <= a < \result && x_kid(MADE_TREE, 0) == \old(tree_at(t, a));
    ensures  second:   \result >= 0 ==> pair_kind(kind) ==> 0 <= b < \result && x_kid(MADE_TREE, 1) == \old(tree_at(t, b));
    ensures  index:    \result >= 0 ==> child_b(kind) ==> 0 <= b < \result && x_kid(MADE_TREE, 0) == \old(tree_at(t, b));
*/
int expr_make(struct attrs *t, int kind, int op, int a, int b);

/* The node with the children own[0 .. n - 1]. */
/*@ BOTH_REQUIRES
    requires kind:     family_kind(kind);
    requires own:      0 <= n && \valid_read(own + (0 .. n - 1)) && apart_kids(t, own, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    BOTH_KEEPS
    EXPR_IS_NEXT
    ensures  root:     \result >= 0 ==> is_root(MADE_TREE, kind, op, n);
    ensures  kids:     \result >= 0 ==> \forall integer k; 0 <= k < n ==>
                       x_kid(MADE_TREE, k) == \old(tree_at(t, own[k]));
*/
int expr_make_family(struct attrs *t, int kind, int op, const int *own, int n);

/* The node (kind, symbol, a, b), whose symbol is known from now on. */
/*@ BOTH_REQUIRES
    requires kind:     symbol_kind(kind) && (leaf_kind(kind) ==> b == 0);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    BOTH_KEEPS
    EXPR_IS_NEXT
    ensures  root:     \result >= 0 ==> is_root(MADE_TREE, kind, symbol, kinds_kids(kind, 0));
    ensures  first:    \result >= 0 ==> pair_kind(kind) ==> x_kid(MADE_TREE, 0) == \old(tree_at(t, a));
    ensures  second:   \result >= 0 ==> pair_kind(kind) ==> x_kid(MADE_TREE, 1) == \old(tree_at(t, b));
*/
int expr_make_symbol(struct attrs *t, int kind, int symbol, int a, int b);

/* The slot of the label of the pattern, added when new; -1 when memory is out. */
/*@ BOTH_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    BOTH_KEEPS
    ensures  code:     -1 <= \result < t->slot.n;
    ensures  slot:     \result >= 0 ==> slot_is(t->slot.a, \result, pattern, label);
    ensures  count:    t->node.n == \old(t->node.n);
*/
int expr_slot(struct attrs *t, int pattern, int label);

#endif
