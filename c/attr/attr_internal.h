/* The cores of the arena of expressions: appending a node where there is room, what makes room, the constructors. */
#ifndef CALQUE_ATTR_ATTR_INTERNAL_H
#define CALQUE_ATTR_ATTR_INTERNAL_H

#include "attr/attr.h"
#include "attr/value_internal.h"

/* The arrays of a struct attrs; values, slots, symbols and patterns are numbers below these. */
struct attr_put {
    struct attr_node *node;
    int *kid;
    int n, cap, nkid, capkid;
    int nvalue, nslot, nsymbol;
};

#ifdef __FRAMAC__
#include "attr/arena.acsl"

/* In a contract: the arena with one node more, and with n children more. */
#define ONE_MORE {t \with .n = (int)(t.n + 1)}
#define WITH_KIDS {t \with .n = (int)(t.n + 1), .nkid = (int)(t.nkid + n)}
#define PUT_REQUIRES                                                                          \
    requires valid:    valid_arena(t);                                                        \
    requires room:     t.n < t.cap;                                                           \
    requires wf:       wf_arena(t);
#define PUT_KEEPS                                                                             \
    ensures  old:      same_arena{Pre,Post}(t);                                               \
    ensures  id:       \result == t.n || \result == -1;                                       \
    ensures  wf:       \result == t.n ==> wf_arena(ONE_MORE);
#endif

/* Each returns the new node's id, t.n, or -1: an argument is none, or a limit is exceeded. */

/*@ PUT_REQUIRES
    requires kind:     leaf_kind(kind);
    terminates \true;
    exits    never:    \false;
    assigns  t.node[t.n];
    PUT_KEEPS
    ensures  made:     \result == t.n <==> root_ok(t, kind, op, a);
    ensures  node:     \result == t.n ==> is_expr(t, t.n, kind, op, a, 0);
    ensures  extent:   \result == t.n ==> t.node[t.n].depth == 0 && t.node[t.n].size == 1;
*/
int attr_put_leaf(struct attr_put t, int kind, int op, int a);

/* Child c is a or, of an instance (slot a), b. */
/*@ PUT_REQUIRES
    requires kind:     child_a(kind) || child_b(kind);
    requires child:    (child_b(kind) ==> c == b) && (child_a(kind) ==> c == a && b == 0);
    terminates \true;
    exits    never:    \false;
    assigns  t.node[t.n];
    PUT_KEEPS
    ensures  made:     \result == t.n <==> root_ok(t, kind, op, a) && 0 <= c < t.n &&
                       t.node[c].depth < ATTR_DEPTH_MAX && t.node[c].size < ATTR_SIZE_MAX;
    ensures  node:     \result == t.n ==> is_expr(t, t.n, kind, op, a, b);
    ensures  extent:   \result == t.n ==> t.node[t.n].depth == 1 + t.node[c].depth &&
                       t.node[t.n].size == 1 + t.node[c].size;
*/
int attr_put_one(struct attr_put t, int kind, int op, int a, int b, int c);

/*@ PUT_REQUIRES
    requires kind:     pair_kind(kind);
    terminates \true;
    exits    never:    \false;
    assigns  t.node[t.n];
    PUT_KEEPS
    ensures  made:     \result == t.n <==> root_ok(t, kind, op, a) && 0 <= a < t.n && 0 <= b < t.n &&
                       t.node[a].depth < ATTR_DEPTH_MAX && t.node[b].depth < ATTR_DEPTH_MAX &&
                       t.node[a].size + t.node[b].size < ATTR_SIZE_MAX;
    ensures  node:     \result == t.n ==> is_expr(t, t.n, kind, op, a, b);
    ensures  extent:   \result == t.n ==>
                       t.node[t.n].depth == 1 + \max(t.node[a].depth, t.node[b].depth) &&
                       t.node[t.n].size == 1 + t.node[a].size + t.node[b].size;
*/
int attr_put_pair(struct attr_put t, int kind, int op, int a, int b);

/* A node with children kids[0 .. n - 1], which are written behind the others. */
/*@ PUT_REQUIRES
    requires kind:     family_kind(kind);
    requires kids:     0 <= n <= t.capkid - t.nkid && \valid_read(kids + (0 .. n - 1));
    requires apart:    \separated(kids + (0 .. n - 1), t.kid + (t.nkid .. t.capkid - 1)) &&
                       \separated(kids + (0 .. n - 1), t.node + (0 .. t.cap - 1));
    terminates \true;
    exits    never:    \false;
    assigns  t.node[t.n], t.kid[t.nkid .. t.capkid - 1];
    ensures  old:      same_arena{Pre,Post}(t);
    ensures  id:       \result == t.n || \result == -1;
    ensures  wf:       \result == t.n ==> wf_arena(WITH_KIDS);
    ensures  made:     \result == t.n <==> n <= VALUE_LEN_MAX && root_ok(t, kind, op, t.nkid) &&
                       kids_exist{Pre}(t, kids, n) && kids_flat{Pre}(t, kids, n) &&
                       kids_size{Pre}(t, kids, n) < ATTR_SIZE_MAX;
    ensures  node:     \result == t.n ==> is_expr(t, t.n, kind, op, t.nkid, n) &&
                       \forall integer k; 0 <= k < n ==> t.kid[t.nkid + k] == \old(kids[k]);
    ensures  extent:   \result == t.n ==> kids_depth{Pre}(t, kids, n, t.node[t.n].depth) &&
                       t.node[t.n].size == 1 + kids_size{Pre}(t, kids, n);
*/
int attr_put_family(struct attr_put t, int kind, int op, const int *kids, int n);

/* Memory for the arena of expressions. Trusted: memory management; its contract is what attr.c is proved from. */
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

/* The contracts of the constructors of expressions. */
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

/* One expression more, in an arena that grows. */
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

/* The children of a node, in the order in which they are evaluated and printed. */
/* Do nodes of this kind have their children in the pool, any number of them? (Declared for all in attr.h.) */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  kids:     \result == 1 <==> family_kind(kind);
*/
bool attr_has_kids(int kind);

/* The number of children of node i, and child k. */
/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= i < t.n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  count:    \result == n_kids(t, i) && 0 <= \result;
*/
int attr_kids(struct attr_put t, int i);
/*@ requires arena:    valid_arena(t) && wf_arena(t) && 0 <= i < t.n;
    requires kid:      0 <= k < n_kids(t, i);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  kid:      \result == kid_of(t, i, k);
    ensures  less:     0 <= \result < i;
    ensures  deep:     0 <= t.node[\result].depth < t.node[i].depth;
*/
int attr_kid(struct attr_put t, int i, int k);

#endif
