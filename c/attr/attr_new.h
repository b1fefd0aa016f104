/* The contracts of the constructors of expressions. */
#ifndef CALQUE_ATTR_ATTR_NEW_H
#define CALQUE_ATTR_ATTR_NEW_H

#include "attr/attr_room.h"

/*@ requires valid:    \valid_read(t) && 0 <= t->slot.n && \valid_read(t->slot.a + (0 .. t->slot.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  found:    \result >= 0 ==> \result < t->slot.n && slot_is(t->slot.a, \result, pattern, label);
    ensures  none:     \result < 0 ==> \result == -1 && no_slot(t->slot.a, t->slot.n, pattern, label);
*/
int attr_slot_find(const struct attrs *t, int pattern, int label);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ensures  ready:    ready_attrs(t);
    ensures  old:      kept{Pre,Post}(t);
    ensures  rest:     only_slots{Pre,Post}(t);
    ensures  code:     -1 <= \result < t->slot.n;
    ensures  slot:     \result >= 0 ==> slot_is(t->slot.a, \result, pattern, label);
    ensures  none:     \result == -1 ==> t->slot.n == \old(t->slot.n) && no_slot(t->slot.a, t->slot.n, pattern, label);
    ensures  new:      \old(no_slot(t->slot.a, t->slot.n, pattern, label)) ==> \result >= 0 ==>
                       \result == \old(t->slot.n) && t->slot.n == \result + 1;
    ensures  known:    !\old(no_slot(t->slot.a, t->slot.n, pattern, label)) ==> \result >= 0 && t->slot.n == \old(t->slot.n);
    ensures  room:     \old(has_room_for(t, 0, 0, 1)) ==> \result >= 0;
*/
int attr_slot(struct attrs *t, int pattern, int label);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= value < t->values->n, 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_root(MADE_EXPR, ATTR_CONST, 0, 0) && x_const(MADE_EXPR) == val(s, value);
*/
int attr_const(struct attrs *t, int value);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(ready_attrs(t), 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_root(MADE_EXPR, ATTR_ANY, 0, 0);
*/
int attr_any(struct attrs *t);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= op < ATTR_UNARY_OPS && flat_child(arena_of(t), a), 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_one(MADE_EXPR, ATTR_UNARY, op, OLD_EXPR(a));
*/
int attr_unary(struct attrs *t, int op, int a);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= op < ATTR_REDUCTIONS && flat_child(arena_of(t), a), 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_one(MADE_EXPR, ATTR_REDUCE, op, OLD_EXPR(a));
*/
int attr_reduce(struct attrs *t, int op, int a);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= op < ATTR_BINARY_OPS && flat_pair(arena_of(t), a, b), 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_pair(MADE_EXPR, ATTR_BINARY, op, OLD_EXPR(a), OLD_EXPR(b));
*/
int attr_binary(struct attrs *t, int op, int a, int b);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(flat_pair(arena_of(t), a, b), 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_pair(MADE_EXPR, ATTR_PROJ, 0, OLD_EXPR(a), OLD_EXPR(b));
*/
int attr_proj(struct attrs *t, int a, int b);

/*@ ATTR_REQUIRES
    requires kids:     \valid_read(kids + (0 .. n - 1)) && apart_kids(t, kids, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(flat_kids(arena_of(t), kids, n), n, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  root:     \result >= 0 ==> \forall vals s; is_root(MADE_EXPR, ATTR_TUPLE, 0, n);
    ensures  kids:     \result >= 0 ==> \forall vals s; has_own{Pre}(MADE_EXPR, \old(arena_of(t)), s, kids, n);
    ensures  own:      apart_kids(t, kids, n) && same_own{Pre,Post}(kids, n);
*/
int attr_tuple(struct attrs *t, const int *kids, int n);

/*@ ATTR_REQUIRES
    requires kids:     \valid_read(kids + (0 .. n - 1)) && apart_kids(t, kids, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= op < ATTR_FUNC_OPS && flat_kids(arena_of(t), kids, n), n, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  root:     \result >= 0 ==> \forall vals s; is_root(MADE_EXPR, ATTR_FUNC, op, n);
    ensures  kids:     \result >= 0 ==> \forall vals s; has_own{Pre}(MADE_EXPR, \old(arena_of(t)), s, kids, n);
    ensures  own:      apart_kids(t, kids, n) && same_own{Pre,Post}(kids, n);
*/
int attr_func(struct attrs *t, int op, const int *kids, int n);

/*@ ATTR_REQUIRES
    requires kids:     \valid_read(kids + (0 .. n - 1)) && apart_kids(t, kids, n);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= pattern && flat_kids(arena_of(t), kids, n), n, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  root:     \result >= 0 ==> \forall vals s; is_root(MADE_EXPR, ATTR_MATCH, pattern, n);
    ensures  kids:     \result >= 0 ==> \forall vals s; has_own{Pre}(MADE_EXPR, \old(arena_of(t)), s, kids, n);
    ensures  own:      apart_kids(t, kids, n) && same_own{Pre,Post}(kids, n);
*/
int attr_choice(struct attrs *t, int pattern, const int *kids, int n);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(flat_cond(arena_of(t), c, a, b), 3, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  root:     \result >= 0 ==> \forall vals s; is_root(MADE_EXPR, ATTR_COND, 0, 3);
    ensures  kids:     \result >= 0 ==> \forall vals s; x_kid(MADE_EXPR, 0) == OLD_EXPR(c) &&
                       x_kid(MADE_EXPR, 1) == OLD_EXPR(a) && x_kid(MADE_EXPR, 2) == OLD_EXPR(b);
*/
int attr_cond(struct attrs *t, int c, int a, int b);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= symbol < ATTR_SYMBOL_MAX, 0, 0)
    ATTR_SEES
    ensures  expr:     \result >= 0 ==> \forall vals s; is_root(MADE_EXPR, ATTR_SYMBOL, symbol, 0);
*/
int attr_symbol(struct attrs *t, int symbol);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= symbol < ATTR_SYMBOL_MAX && flat_pair(arena_of(t), n, a), 0, 0)
    ATTR_SEES
    ensures  expr:     \result >= 0 ==> \forall vals s; is_pair(MADE_EXPR, ATTR_VAR, symbol, OLD_EXPR(n), OLD_EXPR(a));
*/
int attr_var(struct attrs *t, int symbol, int n, int a);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= symbol < ATTR_SYMBOL_MAX && flat_pair(arena_of(t), tuple, a), 0, 0)
    ATTR_SEES
    ensures  expr:     \result >= 0 ==> \forall vals s; is_pair(MADE_EXPR, ATTR_MAP, symbol, OLD_EXPR(tuple), OLD_EXPR(a));
*/
int attr_map(struct attrs *t, int symbol, int tuple, int a);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(ready_attrs(t), 0, 1)
    ensures  symbols:  t->nsymbol == \old(t->nsymbol);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_root(MADE_EXPR, ATTR_ACCESS, 0, 0) &&
                       reads_slot(MADE_EXPR, t, pattern, label);
*/
int attr_access(struct attrs *t, int pattern, int label);

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(flat_child(arena_of(t), a), 0, 1)
    ensures  symbols:  t->nsymbol == \old(t->nsymbol);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_one(MADE_EXPR, ATTR_INST, 0, OLD_EXPR(a)) &&
                       reads_slot(MADE_EXPR, t, pattern, label);
*/
int attr_inst(struct attrs *t, int pattern, int a, int label);

/* A slot more, where there is room. */
/*@ ATTR_REQUIRES
    requires room:     t->slot.n < t->slot.cap;
    requires new:      no_slot(t->slot.a, t->slot.n, pattern, label);
    terminates \true;
    exits    never:    \false;
    assigns  t->slot.n, t->slot.a[t->slot.n];
    ensures  ready:    ready_attrs(t);
    ensures  rest:     only_slots{Pre,Post}(t);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  slots:    kept_slots{Pre,Post}(t);
    ensures  new:      \result == \old(t->slot.n) && t->slot.n == \result + 1;
    ensures  slot:     slot_is(t->slot.a, \result, pattern, label);
*/
int attr_append_slot(struct attrs *t, int pattern, int label);

/* From now on the symbol is known. */
/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  t->nsymbol;
    ensures  result:   \result == 1 <==> 0 <= symbol < ATTR_SYMBOL_MAX;
    ensures  ready:    ready_attrs(t);
    ensures  old:      kept{Pre,Post}(t);
    ensures  counts:   t->node.n == \old(t->node.n) && t->kid.n == \old(t->kid.n);
    ATTR_SEES
    ensures  known:    \result == 1 ==> symbol < t->nsymbol;
    ensures  grown:    grown{Pre,Post}(t);
*/
bool attr_see_symbol(struct attrs *t, int symbol);

#endif
