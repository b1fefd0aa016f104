#include "attr/attr_add.h"

/*@ requires valid:    \valid_read(t) && 0 <= t->slot.n && \valid_read(t->slot.a + (0 .. t->slot.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  found:    \result >= 0 ==> \result < t->slot.n && slot_is(t->slot.a, \result, pattern, label);
    ensures  none:     \result < 0 ==> \result == -1 && no_slot(t->slot.a, t->slot.n, pattern, label);
*/
int attr_slot_find(const struct attrs *t, int pattern, int label)
{
    /*@ loop invariant range: 0 <= s <= t->slot.n;
        loop invariant none:  no_slot(t->slot.a, s, pattern, label);
        loop assigns s;
        loop variant t->slot.n - s;
    */
    for (int s = 0; s < t->slot.n; s++)
        if (t->slot.a[s].pattern == pattern && t->slot.a[s].label == label)
            return s;
    return -1;
}

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
static int add_slot(struct attrs *t, int pattern, int label)
{
    struct attr_slot *s = &t->slot.a[t->slot.n];

    /*@ assert off:   \separated(t, s) && \separated(t->values, s); */
    /*@ assert offa:  \separated(t->node.a + (0 .. t->node.cap - 1), s) && \separated(t->kid.a + (0 .. t->kid.cap - 1), s); */
    s->pattern = pattern;
    s->label = label;
    /*@ assert mems:  same_arrays{Pre,Here}(t); */
    /*@ assert num:   same_counts{Pre,Here}(t); */
    /*@ assert slots: moved_slots{Pre,Here}(t->slot.a, t->slot.a, t->slot.n); */
    /*@ assert roots: moved_roots{Pre,Here}(t->node.a, t->node.a, t->node.n); */
    /*@ assert kids:  moved_kids{Pre,Here}(t->kid.a, t->kid.a, t->kid.n); */
    /*@ assert new:   slot_is(t->slot.a, t->slot.n, pattern, label); */
    /*@ assert none:  no_slot(t->slot.a, t->slot.n, pattern, label); */
    /*@ assert dist:  distinct_slots(t->slot.a, t->slot.n + 1); */
    /*@ ghost Set: ; */
    t->slot.n++;
    /*@ assert arrays: same_arrays{Pre,Here}(t); */
    /*@ assert slots2: moved_slots{Set,Here}(t->slot.a, t->slot.a, t->slot.n); */
    /*@ assert roots2: moved_roots{Pre,Here}(t->node.a, t->node.a, t->node.n); */
    /*@ assert kids2:  moved_kids{Pre,Here}(t->kid.a, t->kid.a, t->kid.n); */
    /*@ assert moved:  moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert apart:  apart_attrs(t); */
    /*@ assert wf:     wf_arena(arena_of(t)); */
    return t->slot.n - 1;
}

/* attrs_room for a slot, and the arena is well-formed wherever it stands. */
/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ensures  result:   \result == 0 || \result == 1;
    ensures  ready:    ready_attrs(t);
    ensures  rest:     only_slots{Pre,Post}(t) && t->slot.n == \old(t->slot.n);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  slots:    kept_slots{Pre,Post}(t);
    ensures  room:     \result == 1 ==> has_room_for(t, 0, 0, 1);
    ensures  had:      \old(has_room_for(t, 0, 0, 1)) ==> \result == 1;
*/
static bool slot_room(struct attrs *t)
{
    bool r = attrs_room(t, 0, 0, 1) /*@ ghost (0, 0) */;

    /*@ assert arena: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ assert moved: moved_slots{Pre,Here}(\at(t->slot.a, Pre), t->slot.a, t->slot.n); */
    /*@ assert count: t->slot.n == \at(t->slot.n, Pre); */
    /*@ assert was:   distinct_slots{Pre}(\at(t->slot.a, Pre), \at(t->slot.n, Pre)); */
    /*@ assert slots: distinct_slots(t->slot.a, \at(t->slot.n, Pre)); */
    return r;
}

/* A slot more; -1 when memory is out. */
/*@ ATTR_REQUIRES
    requires new:      no_slot(t->slot.a, t->slot.n, pattern, label);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ensures  ready:    ready_attrs(t);
    ensures  rest:     only_slots{Pre,Post}(t);
    ensures  arena:    moved_arena{Pre,Post}(\old(arena_of(t)), arena_of(t));
    ensures  slots:    kept_slots{Pre,Post}(t);
    ensures  code:     \result == -1 || \result == \old(t->slot.n);
    ensures  new:      \result >= 0 ==> t->slot.n == \result + 1 && slot_is(t->slot.a, \result, pattern, label);
    ensures  none:     \result < 0 ==> t->slot.n == \old(t->slot.n) && no_slot(t->slot.a, t->slot.n, pattern, label);
    ensures  room:     \old(has_room_for(t, 0, 0, 1)) ==> \result >= 0;
*/
static int new_slot(struct attrs *t, int pattern, int label)
{
    bool r = slot_room(t);
    int s;

    /*@ assert none:  no_slot(t->slot.a, t->slot.n, pattern, label); */
    if (!r)
        return -1;
    /*@ ghost Room: ; */
    s = add_slot(t, pattern, label);
    /*@ assert arena: moved_arena{Room,Here}(\at(arena_of(t), Room), arena_of(t)); */
    /*@ assert slots: kept_slots{Room,Here}(t); */
    return s;
}

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
int attr_slot(struct attrs *t, int pattern, int label)
{
    /*@ ghost int n = t->node.n, i = 0; */
    int s = attr_slot_find(t, pattern, label);

    if (s < 0)
        s = new_slot(t, pattern, label);
    /*@ assert moved: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert slots: kept_slots{Pre,Here}(t); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ ghost
    /@ loop invariant range: 0 <= i <= n;
       loop invariant same:  kept_exprs{Pre,Here}(\at(arena_of(t), Pre), arena_of(t), i);
       loop assigns i;
       loop variant n - i;
    @/
    while (i < n)
        i++;
    */
    return s;
}

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= value < t->values->n, 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_root(MADE_EXPR, ATTR_CONST, 0, 0) && x_const(MADE_EXPR) == val(s, value);
*/
int attr_const(struct attrs *t, int value)
{
    return attr_add(t, ATTR_CONST, 0, value, 0);
}

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(ready_attrs(t), 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_root(MADE_EXPR, ATTR_ANY, 0, 0);
*/
int attr_any(struct attrs *t)
{
    return attr_add(t, ATTR_ANY, 0, 0, 0);
}

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= op < ATTR_UNARY_OPS && flat_child(arena_of(t), a), 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_one(MADE_EXPR, ATTR_UNARY, op, OLD_EXPR(a));
*/
int attr_unary(struct attrs *t, int op, int a)
{
    return attr_add(t, ATTR_UNARY, op, a, 0);
}

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= op < ATTR_REDUCTIONS && flat_child(arena_of(t), a), 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_one(MADE_EXPR, ATTR_REDUCE, op, OLD_EXPR(a));
*/
int attr_reduce(struct attrs *t, int op, int a)
{
    return attr_add(t, ATTR_REDUCE, op, a, 0);
}

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= op < ATTR_BINARY_OPS && flat_pair(arena_of(t), a, b), 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_pair(MADE_EXPR, ATTR_BINARY, op, OLD_EXPR(a), OLD_EXPR(b));
*/
int attr_binary(struct attrs *t, int op, int a, int b)
{
    return attr_add(t, ATTR_BINARY, op, a, b);
}

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(flat_pair(arena_of(t), a, b), 0, 0)
    ensures  names:    same_names{Pre,Post}(t);
    ensures  expr:     \result >= 0 ==> \forall vals s; is_pair(MADE_EXPR, ATTR_PROJ, 0, OLD_EXPR(a), OLD_EXPR(b));
*/
int attr_proj(struct attrs *t, int a, int b)
{
    return attr_add(t, ATTR_PROJ, 0, a, b);
}

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
int attr_tuple(struct attrs *t, const int *kids, int n)
{
    return attr_add_family(t, ATTR_TUPLE, 0, kids, n);
}

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
int attr_func(struct attrs *t, int op, const int *kids, int n)
{
    return attr_add_family(t, ATTR_FUNC, op, kids, n);
}

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
int attr_choice(struct attrs *t, int pattern, const int *kids, int n)
{
    return pattern >= 0 ? attr_add_family(t, ATTR_MATCH, pattern, kids, n) : -1;
}

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
int attr_cond(struct attrs *t, int c, int a, int b)
{
    const int kids[3] = { c, a, b };

    /*@ assert moved: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert flat:  flat_cond{Pre}(\at(arena_of(t), Pre), c, a, b) <==> flat_cond(arena_of(t), c, a, b); */
    /*@ assert all:   flat_family(arena_of(t), ATTR_COND, 0, &kids[0], 3) <==> flat_cond(arena_of(t), c, a, b); */
    return attr_add_family(t, ATTR_COND, 0, kids, 3);
}

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
static bool see_symbol(struct attrs *t, int symbol)
{
    /*@ ghost int n = t->node.n, i = 0; */

    if (symbol < 0 || symbol >= ATTR_SYMBOL_MAX)
        return false;
    if (symbol >= t->nsymbol)
        t->nsymbol = symbol + 1;
    /*@ assert roots: moved_roots{Pre,Here}(t->node.a, t->node.a, t->node.n); */
    /*@ assert kids:  moved_kids{Pre,Here}(t->kid.a, t->kid.a, t->kid.n); */
    /*@ assert slots: moved_slots{Pre,Here}(t->slot.a, t->slot.a, t->slot.n); */
    /*@ assert moved: moved_arena{Pre,Here}(\at(arena_of(t), Pre), arena_of(t)); */
    /*@ assert apart: apart_attrs(t); */
    /*@ assert wf:    wf_arena(arena_of(t)); */
    /*@ ghost
    /@ loop invariant range: 0 <= i <= n;
       loop invariant same:  kept_exprs{Pre,Here}(\at(arena_of(t), Pre), arena_of(t), i);
       loop assigns i;
       loop variant n - i;
    @/
    while (i < n)
        i++;
    */
    return true;
}

/* The node (kind, symbol, a, b). */
/*@ ATTR_REQUIRES
    requires kind:     symbol_kind(kind) && (leaf_kind(kind) ==> b == 0);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= symbol < ATTR_SYMBOL_MAX && (pair_kind(kind) ==> flat_pair(arena_of(t), a, b)), 0, 0)
    ATTR_SEES
    ensures  node:     \result >= 0 ==> is_expr(arena_of(t), \result, kind, symbol, a, b);
*/
static int add_symbol(struct attrs *t, int kind, int symbol, int a, int b)
{
    int id;

    if (!see_symbol(t, symbol))
        return -1;
    /*@ assert flat: pair_kind(kind) ==>
                     (flat_pair{Pre}(\at(arena_of(t), Pre), a, b) <==> flat_pair(arena_of(t), a, b)); */
    /*@ ghost Seen: ; */
    id = attr_add(t, kind, symbol, a, b);
    /*@ assert later: kept{Seen,Here}(t); */
    return id;
}

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= symbol < ATTR_SYMBOL_MAX, 0, 0)
    ATTR_SEES
    ensures  expr:     \result >= 0 ==> \forall vals s; is_root(MADE_EXPR, ATTR_SYMBOL, symbol, 0);
*/
int attr_symbol(struct attrs *t, int symbol)
{
    return add_symbol(t, ATTR_SYMBOL, symbol, 0, 0);
}

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= symbol < ATTR_SYMBOL_MAX && flat_pair(arena_of(t), n, a), 0, 0)
    ATTR_SEES
    ensures  expr:     \result >= 0 ==> \forall vals s; is_pair(MADE_EXPR, ATTR_VAR, symbol, OLD_EXPR(n), OLD_EXPR(a));
*/
int attr_var(struct attrs *t, int symbol, int n, int a)
{
    return add_symbol(t, ATTR_VAR, symbol, n, a);
}

/*@ ATTR_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(0 <= symbol < ATTR_SYMBOL_MAX && flat_pair(arena_of(t), tuple, a), 0, 0)
    ATTR_SEES
    ensures  expr:     \result >= 0 ==> \forall vals s; is_pair(MADE_EXPR, ATTR_MAP, symbol, OLD_EXPR(tuple), OLD_EXPR(a));
*/
int attr_map(struct attrs *t, int symbol, int tuple, int a)
{
    return add_symbol(t, ATTR_MAP, symbol, tuple, a);
}

/* The node (kind, 0, slot of the label of the pattern, b). */
/*@ ATTR_REQUIRES
    requires kind:     slot_kind(kind) && (leaf_kind(kind) ==> b == 0);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true }, { *s | struct attr_slot *s; \true };
    ATTR_KEEPS
    ATTR_IS_NEXT(kind == ATTR_INST ==> flat_child(arena_of(t), b), 0, 1)
    ensures  symbols:  t->nsymbol == \old(t->nsymbol);
    ensures  node:     \result >= 0 ==> \exists integer a; is_expr(arena_of(t), \result, kind, 0, a, b) &&
                       0 <= a < t->slot.n && slot_is(t->slot.a, a, pattern, label);
*/
static int add_reader(struct attrs *t, int kind, int pattern, int label, int b)
{
    int s = attr_slot(t, pattern, label), id;

    if (s < 0)
        return -1;
    /*@ assert flat: kind == ATTR_INST ==> (flat_child{Pre}(\at(arena_of(t), Pre), b) <==> flat_child(arena_of(t), b)); */
    /*@ ghost Slot: ; */
    /*@ assert read:  slot_is(t->slot.a, s, pattern, label); */
    id = attr_add(t, kind, 0, s, b);
    /*@ assert later: kept{Slot,Here}(t); */
    /*@ assert slots: moved_slots{Slot,Here}(\at(t->slot.a, Slot), t->slot.a, \at(t->slot.n, Slot)); */
    /*@ assert count: s < \at(t->slot.n, Slot) == t->slot.n; */
    /*@ assert slot:  slot_is(t->slot.a, s, pattern, label); */
    return id;
}

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
int attr_access(struct attrs *t, int pattern, int label)
{
    return add_reader(t, ATTR_ACCESS, pattern, label, 0);
}

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
int attr_inst(struct attrs *t, int pattern, int a, int label)
{
    return a >= 0 && a < t->node.n ? add_reader(t, ATTR_INST, pattern, label, a) : -1;
}
